// Splits made from lines send left what the lines do.
#include "check.hpp"
#include "pair_problems.hpp"
#include "plane_split.hpp"

using namespace tanoak;

TEST(splits_follow_their_lines) {
  Random random(1);
  int n_checked = 0;
  for (int repeat = 0; repeat < 200; ++repeat) {
    const PairProblem problem = draw_problem(random, 30, 2, 1000, 2);
    const CarePoints care = problem.care();
    Workers workers(1);
    const Dense<double> dense(problem.grid, Layout::by_row);
    const Features features(dense.view, problem.n_levels, problem.fill, workers,
                            StopFlag());
    std::vector<double> x(problem.rows.size()), y = x;
    features.gather(0, care.rows, care.n, x.data());
    features.gather(1, care.rows, care.n, y.data());
    const PlaneFeature across{0, x.data(), {100, 400}}, up{1, y.data(), {-30, 0.25}};
    PlaneLine line;
    line.exchanged = random.chance(0.5), line.flipped = random.chance(0.5);
    line.slope = repeat % 5 == 0 ? 0 : random.unit() * 6 - 3;
    line.threshold = random.unit() - 0.5;
    const std::vector<uint8_t> left = sides_of(line, across, up, care.n);
    NodeSplit split = split_along(line, line.slope, across, up);
    if (line.slope == 0) {
      CHECK(split.terms.empty());
      continue;
    }
    CHECK_EQUAL(split.terms.size(), 2u);
    const double greatest =
        std::max(std::fabs(split.terms[0].weight), std::fabs(split.terms[1].weight));
    CHECK(greatest == 1 || std::fabs(split.terms[0].weight) == 1 ||
          std::fabs(split.terms[1].weight) == 1);
    const bool both =
        std::count(left.begin(), left.end(), 1) % int64_t(left.size()) != 0;
    CHECK_EQUAL(place_threshold(features, care, left, split), both);
    if (!both) continue;
    std::vector<uint8_t> routed(left.size());
    mark_left(features, split, care.rows, care.n, routed.data());
    CHECK(routed == left);
    ++n_checked;
  }
  CHECK(n_checked > 20);
}

TEST(no_threshold_where_sides_overlap) {
  PairProblem problem(2, 2);
  problem.rows = {0, 1}, problem.stake = {1, -1};
  Workers workers(1);
  const Dense<double> dense(problem.grid, Layout::by_row);
  const Features features(dense.view, problem.n_levels, problem.fill, workers,
                          StopFlag());
  NodeSplit split;
  split.kind = SplitKind::sum;
  split.terms = {{0, 1}, {1, 2}};
  CHECK(!place_threshold(features, problem.care(), {1, 0}, split));
}
