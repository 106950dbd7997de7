// Bounds on answers, exact to the last unit.
#include "check.hpp"
#include "monotone.hpp"
#include "samples.hpp"

using namespace tanoak;

TEST(bounds_are_compared_exactly) {
  const MonotoneRules rules{{1}, 60};
  int128 bound;
  CHECK(rules.divide({1, 3}, {1, 2}, bound));
  const AnswerBounds below{-AnswerBounds::none, bound},
      above{bound, AnswerBounds::none};
  CHECK(rules.within({1, 3}, below) && !rules.within({1, 2}, below));
  CHECK(!rules.within({1, 3}, above) && rules.within({1, 2}, above));
  CHECK(!rules.divide({1, 2}, {1, 3}, bound));
  CHECK(rules.within({7, 9}, AnswerBounds{}));
}

TEST(equal_answers_need_a_bound_on_the_grid) {
  const MonotoneRules rules{{1}, 60};
  int128 bound;
  CHECK(rules.divide({2, 4}, {1, 2}, bound));
  CHECK(rules.within({3, 6}, {bound, bound}));
  CHECK(!rules.divide({1, 3}, {2, 6}, bound));  // no multiple of 2^-60
}

TEST(a_bound_lies_between_answers_of_any_size) {
  Random random(1);
  for (int repeat = 0; repeat < 2000; ++repeat) {
    const int64_t largest = int64_t{1} << (10 + random.below(50));
    auto draw = [&] {
      const auto above = int64_t((random.unit() - 0.5) * double(largest));
      return ExactAnswer{above, 1 + int64_t(random.below(1 << 20))};
    };
    const ExactAnswer one = draw(), two = draw();
    const MonotoneRules rules{{1}, monotone_shift(double(largest), 0x1p20)};
    int128 bound = 0;
    const double low = double(one.above) / double(one.mass);
    const double high = double(two.above) / double(two.mass);
    if (low >= high) continue;
    CHECK(rules.divide(one, two, bound));
    CHECK(rules.within(one, {-AnswerBounds::none, bound}));
    CHECK(rules.within(two, {bound, AnswerBounds::none}));
    const double at = std::ldexp(to_double(bound), -rules.shift);
    CHECK_NEAR(at, (low + high) / 2, 1e-6 * (high - low) + 1e-12 * std::abs(high));
  }
}

TEST(bounds_are_passed_to_the_children) {
  const MonotoneRules rules{{1, -1, 0}, 60};
  AnswerBounds left, right;
  pass_bounds(rules, 1, {1, 4}, {3, 4}, {}, left, right);
  CHECK(left.high == right.low && left.low == -AnswerBounds::none);
  const AnswerBounds node = left;
  pass_bounds(rules, 0, {1, 4}, {0, 4}, node, left, right);
  CHECK(left.high == node.high && right.high == node.high);
  pass_bounds(rules, -1, {3, 4}, {1, 4}, {}, left, right);
  CHECK(left.low == right.high && left.high == AnswerBounds::none);
}

TEST(a_guard_allows_what_keeps_order_and_bounds) {
  const MonotoneRules rules{{1, 0}, 60};
  MonotoneGuard guard(&rules);
  CHECK(guard.active());
  CHECK(!MonotoneGuard(nullptr).active());
  guard.look_at({});
  guard.start({4, 8});
  guard.move({3, 4});  // 3/4 on the left, 1/4 on the right
  CHECK(!guard.allows(0, true));
  CHECK(guard.allows(0, false));
  CHECK(guard.allows(1, true));
  guard.look_at({int128{1} << 59, AnswerBounds::none});  // at least a half
  CHECK(!guard.allows(1, true));
}
