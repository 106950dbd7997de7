#include "check.hpp"
#include "digits.hpp"
#include "samples.hpp"

using tanoak::round_to_digits;

TEST(few_digits) {
  CHECK_SAME_BITS(round_to_digits(0.123456, 1), 0.1);
  CHECK_SAME_BITS(round_to_digits(0.123456, 3), 0.123);
  CHECK_SAME_BITS(round_to_digits(-2.71828, 2), -2.7);
  CHECK_SAME_BITS(round_to_digits(99.6, 2), 100.0);
  CHECK_SAME_BITS(round_to_digits(123456, 2), 120000.0);
  CHECK_SAME_BITS(round_to_digits(0.00098765, 2), 0.00099);
  CHECK_SAME_BITS(round_to_digits(1, 1), 1.0);
  CHECK_SAME_BITS(round_to_digits(0.1, 1), 0.1);
  CHECK_SAME_BITS(round_to_digits(10, 1), 10.0);
}

TEST(out_of_reach_is_left_alone) {
  for (const double x : {0.0, 1e-300, 3.3e22, 1e300, -4.4e-16})
    CHECK_SAME_BITS(round_to_digits(x, 3), x);
}

TEST(what_is_cut_off_is_half_a_digit_at_most) {
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    const double x = (random.unit() - 0.5) * std::pow(10.0, random.whole(-12, 12));
    for (int digits = 1; digits <= 6; ++digits) {
      const double rounded = round_to_digits(x, digits);
      const double unit = std::pow(10.0, 1 - digits) * std::abs(x);
      CHECK(std::abs(rounded - x) <= 0.5 * unit * (1 + 1e-9));
      CHECK_SAME_BITS(round_to_digits(rounded, digits + 3), rounded);
    }
  }
}
