// Vectors of a fixed size against their elements.
#include "check.hpp"
#include "vectors.hpp"

using namespace tanoak;

TEST(vectors_are_read_and_written_anywhere) {
  const double from[5] = {0, 1, 2, 3, 4};
  double into[6] = {9, 9, 9, 9, 9, 9};
  store(load<Four>(from + 1), into + 1);
  for (int i = 0; i < 6; ++i) CHECK_EQUAL(into[i], i >= 1 && i < 5 ? double(i) : 9.0);
}

TEST(lanes_move_up) {
  const Four x = {1, 2, 3, 4};
  const Four one = up_one(x), two = up_two(x);
  for (int i = 0; i < 4; ++i) {
    CHECK_EQUAL(one[i], i >= 1 ? double(i) : 0.0);
    CHECK_EQUAL(two[i], i >= 2 ? double(i - 1) : 0.0);
  }
}

TEST(bits_are_kept) {
  const Four x = {-1.5, 0, 2, 1e300};
  const Four back = reinterpret_bits(reinterpret_bits(x));
  for (int i = 0; i < 4; ++i) CHECK_SAME_BITS(back[i], x[i]);
}

TEST(any_lane_counts) {
  CHECK(!any(FourInts{}));
  CHECK(!any(EightInts{}));
  for (int i = 0; i < 4; ++i) {
    FourInts four = {};
    four[i] = int64_t{1} << 40;
    CHECK(any(four));
  }
  for (int i = 0; i < 8; ++i) {
    EightInts eight = {};
    eight[i] = -1;
    CHECK(any(eight));
  }
}

TEST(signs_are_dropped) {
  const Eight x = absolute(Eight{-1, 2, -0.0f, -3.5f, 4, -5, 6, -7});
  const float expected[] = {1, 2, 0, 3.5f, 4, 5, 6, 7};
  for (int i = 0; i < 8; ++i) {
    CHECK_EQUAL(x[i], expected[i]);
    CHECK(!std::signbit(x[i]));
  }
}

TEST(eight_sums_at_once) {
  Eight rows[8];
  for (int i = 0; i < 8; ++i)
    for (int lane = 0; lane < 8; ++lane)
      rows[i][lane] = float(1 << lane) * float(i + 1);
  const Eight sums = add_each(rows);
  for (int i = 0; i < 8; ++i) CHECK_EQUAL(sums[i], 255.0f * float(i + 1));
}
