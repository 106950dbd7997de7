// The integer types and fixed-point sums that every stage shares.
#include <cmath>
#include <cstdint>
#include <limits>

#include "base.hpp"
#include "check.hpp"

using namespace tanoak;

TEST(wide_integers_become_the_nearest_double) {
  CHECK_SAME_BITS(to_double(uint128{0}), 0.0);
  CHECK_SAME_BITS(to_double(uint128{1} << 64), 18446744073709551616.0);
  CHECK_SAME_BITS(to_double(uint128{1} << 127), std::ldexp(1.0, 127));
  CHECK_SAME_BITS(to_double(uint64_t{1} << 63), std::ldexp(1.0, 63));
  CHECK_SAME_BITS(to_double((uint128{3} << 64) + 5), 3 * std::ldexp(1.0, 64));
}

TEST(negative_wide_integers_mirror_the_positive_ones) {
  for (const int128 value : {int128{1}, int128{12345}, int128{7} << 100}) {
    CHECK_SAME_BITS(to_double(-value), -to_double(value));
  }
  CHECK_EQUAL(to_double(int128{-3}), -3.0);
}

TEST(fixed_point_keeps_what_its_bits_hold) {
  CHECK_EQUAL(to_double(to_fixed(1.5, 1)), 3.0);
  CHECK_EQUAL(to_double(to_fixed(-0.75, 2)), -3.0);
  CHECK_EQUAL(to_double(to_fixed(0.1, 60)), std::trunc(std::ldexp(0.1, 60)));
  // Below one unit: cut off, towards zero.
  CHECK_EQUAL(to_double(to_fixed(0.999, 0)), 0.0);
  CHECK_EQUAL(to_double(to_fixed(-0.999, 0)), 0.0);
}

TEST(the_exponent_fills_the_bits) {
  for (const double total : {1.0, 1.5, 2.0, 3.0, 1e-300, 1e300, 0.1, 600000.0}) {
    for (const int bits : {40, 62, 100}) {
      const double scaled = std::ldexp(total, fixed_exponent(total, bits));
      CHECK(scaled >= std::ldexp(1.0, bits - 1));
      CHECK(scaled <= std::ldexp(1.0, bits));
    }
  }
}

TEST(totals_without_a_scale_get_exponent_zero) {
  CHECK_EQUAL(fixed_exponent(0.0, 62), 0);
  CHECK_EQUAL(fixed_exponent(-1.0, 62), 0);
  CHECK_EQUAL(fixed_exponent(std::numeric_limits<double>::quiet_NaN(), 62), 0);
}

TEST(the_stop_flag_throws_once_it_is_set) {
  StopFlag stop;
  stop.check();
  stop.request();
  CHECK_THROWS(stop.check(), Interrupted, "interrupted");
}
