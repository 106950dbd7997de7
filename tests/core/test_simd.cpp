// The loops that are compiled for several processors against one element at a time.
#include <string>

#include "check.hpp"
#include "samples.hpp"
#include "simd.hpp"

using namespace tanoak;

namespace {

// The same formula in the same order, without vectors, blocks and shortcuts.
TwoClassCut scan_one_by_one(const std::vector<uint64_t>& records, int64_t begin,
                            int64_t end, const TwoClassScan& scan, double floor) {
  TwoClassCut best;
  best.score = floor;
  const double total_a = scan.mass[0] * static_cast<double>(scan.total[0]);
  const double total_b = scan.mass[1] * static_cast<double>(scan.total[1]);
  int64_t n[2] = {scan.left[0], scan.left[1]};
  for (int64_t i = 0; i < end; ++i) {
    const auto at = static_cast<size_t>(i);
    ++n[records[at] & 1];
    if (i < begin || records[at] >> 32 == records[at + 1] >> 32) continue;
    const double a = scan.mass[0] * static_cast<double>(n[0]);
    const double b = scan.mass[1] * static_cast<double>(n[1]);
    const double left = a + b, cross = b * total_a - a * total_b;
    const double score = cross * cross / (left * (total_a + total_b - left));
    if (score > best.score) best = {score, i};
  }
  return best;
}

void check_scan(const std::vector<uint64_t>& records, int64_t begin, int64_t end,
                const TwoClassScan& scan, double floor) {
  const auto expected = scan_one_by_one(records, begin, end, scan, floor);
  const auto found = best_two_class_cut(records.data(), begin, end, scan, floor);
  CHECK_EQUAL(found.position, expected.position);
  CHECK_SAME_BITS(found.score, expected.score);
}

// n sorted records; a new value starts with the probability `change`.
std::vector<uint64_t> draw_records(Random& random, size_t n, double change,
                                   double share_of_ones) {
  std::vector<uint64_t> records;
  uint64_t rank = 0;
  for (size_t i = 0; i < n; ++i) {
    rank += random.chance(change);
    const uint64_t row = random.below(1u << 31);
    records.push_back(rank << 32 | row << 1 |
                      static_cast<uint64_t>(random.chance(share_of_ones)));
  }
  return records;
}

TwoClassScan scan_of(const std::vector<uint64_t>& records, double mass_a,
                     double mass_b) {
  TwoClassScan scan;
  for (const uint64_t record : records) ++scan.total[record & 1];
  scan.mass[0] = mass_a;
  scan.mass[1] = mass_b;
  return scan;
}

// Equal masses, costs, many bits, and classes that weigh nothing.
constexpr double mass_pairs[][2] = {{1, 1}, {1, 5},           {700, 3}, {0, 1},
                                    {1, 0}, {123456789, 987}, {0, 0}};

}  // namespace

TEST(two_classes_every_begin_and_end) {
  Random random(1);
  for (const size_t n : {2, 3, 4, 5, 8, 9, 13, 20}) {
    const auto records = draw_records(random, n, 0.7, 0.5);
    for (const auto& masses : mass_pairs) {
      const TwoClassScan scan = scan_of(records, masses[0], masses[1]);
      for (int64_t begin = 0; begin < int64_t(n); ++begin)
        for (int64_t end = begin; end < int64_t(n); ++end)
          check_scan(records, begin, end, scan, -1);
    }
  }
}

TEST(two_classes_every_size) {
  Random random(2);
  for (size_t n = 2; n <= 1000; ++n) {
    const double change = random.chance(0.3) ? 1.0 : random.unit();
    const auto records = draw_records(random, n, change, random.unit());
    const auto& masses = mass_pairs[n % 6];
    check_scan(records, 0, int64_t(n) - 1, scan_of(records, masses[0], masses[1]), -1);
  }
}

TEST(two_classes_long_runs) {
  Random random(3);
  for (int repeat = 0; repeat < 40; ++repeat) {
    const size_t n = 2000 + random.below(20000);
    const double change = repeat % 4 == 0 ? 0.001 : 1.0;
    // Ones thin out or become dense, so that the best cut moves through all blocks.
    auto records = draw_records(random, n, change, 0.0);
    for (size_t i = 0; i < n; ++i)
      records[i] |= uint64_t{random.chance(double(i) / double(n) / (1 + repeat % 3))};
    const auto& masses = mass_pairs[size_t(repeat) % 7];
    const TwoClassScan scan = scan_of(records, masses[0], masses[1]);
    const auto begin = int64_t(random.below(n / 2));
    check_scan(records, begin, int64_t(n) - 1 - int64_t(random.below(n / 3)), scan, -1);
    check_scan(records, 0, int64_t(n) - 1, scan, -1);
  }
}

TEST(two_classes_only_what_beats_the_floor) {
  Random random(4);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const size_t n = 2 + random.below(600);
    const auto records = draw_records(random, n, 0.8, 0.3);
    const TwoClassScan scan = scan_of(records, 3, 2);
    const auto end = int64_t(n) - 1;
    const double best = scan_one_by_one(records, 0, end, scan, -1).score;
    const double floors[] = {0,
                             best,
                             best * 0.5,
                             best * (1 - 1e-9),
                             best * 2,
                             std::nextafter(best, -1.0),
                             std::nextafter(best, 1e300)};
    for (const double floor : floors) check_scan(records, 0, end, scan, floor);
  }
}

TEST(two_classes_what_went_left_before_counts) {
  Random random(5);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const auto records = draw_records(random, 2 + random.below(300), 0.8, 0.6);
    TwoClassScan scan = scan_of(records, 1, 4);
    for (const size_t k : {0, 1}) {
      scan.left[k] = int64_t(random.below(50));
      scan.total[k] += scan.left[k];
    }
    const auto end = int64_t(records.size()) - 1;
    check_scan(records, int64_t(random.below(size_t(end))), end, scan, -1);
  }
}

TEST(two_classes_the_first_of_equal_cuts_is_taken) {
  // A mirrored column: cuts i and n - 2 - i are worth the same.
  for (const size_t half : {1, 3, 64, 200}) {
    std::vector<uint64_t> records;
    for (uint64_t i = 0; i < 2 * half; ++i)
      records.push_back(i << 32 | static_cast<uint64_t>(i == 0 || i + 1 == 2 * half));
    const TwoClassScan scan = scan_of(records, 1, 1);
    const auto cut =
        best_two_class_cut(records.data(), 0, int64_t(2 * half) - 1, scan, -1);
    CHECK_EQUAL(cut.position, 0);
    check_scan(records, 0, int64_t(2 * half) - 1, scan, -1);
  }
}

TEST(two_classes_no_cut_without_a_change_of_value) {
  std::vector<uint64_t> records;
  for (uint64_t i = 0; i < 500; ++i) records.push_back(uint64_t{7} << 32 | i);
  const TwoClassScan scan = scan_of(records, 1, 1);
  CHECK_EQUAL(best_two_class_cut(records.data(), 0, 499, scan, -1).position, -1);
  CHECK_EQUAL(best_two_class_cut(records.data(), 0, 0, scan, -1).position, -1);
}

// --- partition ---

TEST(partition_is_stable_and_writes_nothing_else) {
  Random random(6);
  for (const unsigned shift : {0u, 1u, 5u})
    for (const size_t n : {0, 1, 2, 3, 17, 1000})
      for (const double share : {0.0, 0.3, 1.0}) {
        std::vector<uint8_t> side(n + 10);
        for (uint8_t& is_left : side) is_left = random.chance(share);
        std::vector<uint64_t> records, left, right;
        for (size_t i = 0; i < n; ++i) {
          const uint64_t row = random.below(side.size());
          const uint64_t rest = random.below(size_t{1} << shift);
          records.push_back(uint64_t(i) << 32 | row << shift | rest);
          (side[row] ? left : right).push_back(records.back());
        }
        left.insert(left.end(), right.begin(), right.end());
        const size_t n_left = left.size() - right.size();
        constexpr uint64_t untouched = 0xABCDEF;
        records.push_back(untouched);
        left.push_back(untouched);
        std::vector<uint64_t> scratch(n + 1, untouched);
        CHECK_EQUAL(partition_records(records.data(), int64_t(n), side.data(), shift,
                                      scratch.data()),
                    n_left);
        CHECK_EQUAL(records, left);
        CHECK_EQUAL(scratch[n], untouched);
      }
}

// --- routing ---

TEST(lanes_are_added_in_the_fixed_order) {
  const double big = 0x1p53;
  const double lanes[8] = {big, 1, 2, 3, 1, 5, 6, 7};
  CHECK_SAME_BITS(add_lanes(lanes), ((big + 1) + (2.0 + 6.0)) + ((1.0 + 5.0) + 10.0));
  for (int lane = 0; lane < 8; ++lane) {
    double one[8] = {};
    one[lane] = 0.1;
    CHECK_SAME_BITS(add_lanes(one), 0.1);
  }
}
