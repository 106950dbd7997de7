// Points so few that every line is tried, and rows of points that keep their order.
#include "check.hpp"
#include "slopes.hpp"

using namespace tanoak;

namespace {

void check_best(const PairProblem& problem) {
  if (!varies(problem, 0) || !varies(problem, 1)) return;
  const PlanePoints points = plane_of(problem);
  const SlopeAnswer answer = search(points, start_of(points));
  const int64_t least = slow_loss(problem);
  CHECK_EQUAL(answer.bound, least);
  CHECK_EQUAL(answer.found, least < best_constant(problem.care()).loss);
  CHECK(!answer.narrow);
}

}  // namespace

TEST(few_points) {
  Random random(1);
  for (int repeat = 0; repeat < 400; ++repeat)
    check_best(draw_problem(random, 2 + random.below(10), 2, 1 + repeat % 7, 3));
}

TEST(few_points_on_one_line) {
  Random random(2);
  for (int repeat = 0; repeat < 100; ++repeat) {
    PairProblem problem = draw_problem(random, 9, 2, 12, 2);
    for (size_t row = 0; row < 9; ++row)
      problem.grid(row, 1) = 3 * problem.grid(row, 0) - 7;
    check_best(problem);
  }
}

TEST(long_rows_at_slope_nothing) {
  // However close to slope 0, a long row does not come apart by halving.
  Random random(3);
  for (const int n_rows_of_points : {1, 3}) {
    PairProblem problem = draw_problem(random, 1200, 2, 100000, 3);
    for (size_t row = 0; row < problem.grid.n_rows; ++row)
      if (random.chance(0.9))
        problem.grid(row, 1) = 50 * double(random.below(size_t(n_rows_of_points)));
    for (size_t i = 0; i < problem.rows.size(); ++i) {
      const size_t row = problem.rows[i];
      const bool left = problem.grid(row, 1) * 1000 - problem.grid(row, 0) < 20000;
      problem.stake[i] = left != random.chance(0.05) ? 1 : -1;
    }
    const PlanePoints points = plane_of(problem);
    const SlopeAnswer answer = search(points, start_of(points));
    CHECK(answer.found);
    CHECK(!answer.narrow);
    CHECK_EQUAL(answer.bound, answer.line.loss);
    CHECK(answer.looks < 2000 * points.n());
  }
}
