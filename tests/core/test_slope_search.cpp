// The best line among weighted points: bounds, promises, and giving up.
#include "check.hpp"
#include "slope_search.hpp"
#include "slopes.hpp"

using namespace tanoak;

TEST(many_points_against_every_line) {
  Random random(1);
  for (int repeat = 0; repeat < 40; ++repeat) {
    const int largest = repeat % 4 == 0 ? 6 : 3000;
    const PairProblem problem =
        draw_problem(random, 30 + random.below(30), 2, largest, 5);
    const PlanePoints points = plane_of(problem);
    const SlopeAnswer answer = search(points, start_of(points));
    const int64_t least = slow_loss(problem);
    CHECK_EQUAL(answer.bound, least);
    CHECK_EQUAL(answer.found, least < best_constant(problem.care()).loss);
    if (answer.found) CHECK_EQUAL(loss_of(points, answer.line), least);
    CHECK(!answer.narrow && !answer.given_up);
  }
}

TEST(a_limit_that_cannot_be_kept_finds_nothing) {
  Random random(2);
  for (int repeat = 0; repeat < 20; ++repeat) {
    const PairProblem problem = draw_problem(random, 40, 2, 50, 2);
    const PlanePoints points = plane_of(problem);
    const int64_t least = slow_loss(problem);
    for (const int64_t limit : {least - 1, least}) {
      SlopeRules rules;
      rules.limit = limit;
      const SlopeAnswer answer = search(points, rules);
      if (limit < least) {
        CHECK(!answer.found);
        CHECK_EQUAL(answer.bound, least);
      } else if (least < best_constant(problem.care()).loss) {
        CHECK(answer.found);
        CHECK_EQUAL(answer.line.loss, least);
      }
    }
  }
}

TEST(conflicts_alone_can_rule_a_pair_out) {
  PlanePoints points;
  points.x = {0, 1}, points.y = {0, 1}, points.weight = {1, 1};
  points.n_left = 1, points.left_total = points.right_total = 1;
  points.conflict = 10;
  SlopeRules rules;
  rules.limit = 9;
  const SlopeAnswer answer = search(points, rules);
  CHECK(!answer.found);
  CHECK_EQUAL(answer.looks, 0);
  rules.limit = 10;
  CHECK(search(points, rules).found);
}

TEST(effort_ends_the_search_with_a_true_bound) {
  Random random(3);
  int n_given_up = 0;
  for (int repeat = 0; repeat < 20; ++repeat) {
    const PairProblem problem = draw_problem(random, 50, 2, 2000, 3);
    const PlanePoints points = plane_of(problem);
    const int64_t least = slow_loss(problem);
    SlopeRules rules = start_of(points);
    rules.effort = 12;
    const SlopeAnswer answer = search(points, rules);
    CHECK(answer.bound <= least);
    if (answer.found) CHECK(answer.line.loss >= least);
    n_given_up += answer.given_up;
  }
  CHECK(n_given_up > 10);
}

TEST(tolerance_saves_work_and_keeps_its_word) {
  Random random(4);
  int64_t loose_looks = 0, exact_looks = 0;
  for (int repeat = 0; repeat < 10; ++repeat) {
    const PlanePoints points = plane_of(draw_problem(random, 300, 2, 5000, 3));
    const SlopeAnswer exact = search(points, start_of(points));
    SlopeRules rules = start_of(points);
    rules.tolerance = 0.1;
    const SlopeAnswer loose = search(points, rules);
    CHECK(loose.bound <= exact.line.loss);
    CHECK(double(loose.line.loss) <= 1.12 * double(exact.line.loss) + 2);
    loose_looks += loose.looks, exact_looks += exact.looks;
  }
  CHECK(loose_looks < exact_looks);
}
