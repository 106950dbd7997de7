// The best split on one column against a list of all of them.
#include "check.hpp"
#include "samples.hpp"
#include "solve_axis.hpp"

using namespace tanoak;

namespace {

const std::vector<int32_t> levels{0, 4, 0, 0};
const std::vector<double> fill{0.25, -1, 0, 1};

Grid draw_mixed(Random& random, size_t n_rows, bool many) {
  Grid grid = draw_grid(random, n_rows, 4, 9, 0.15);
  for (size_t row = 0; row < n_rows; ++row) {
    grid(row, 1) = random.chance(0.2) ? no_value : random.whole(0, 3);
    grid(row, 2) = random.chance(0.5) ? 0 : grid(row, 2);
    if (many) grid(row, 0) = random.unit() * 1000;
    grid(row, 3) = random.whole(0, 1);
  }
  return grid;
}

struct Problem {
  std::vector<uint32_t> rows;
  std::vector<int64_t> stakes;

  Problem(Random& random, const Grid& grid, double noise) {
    for (uint32_t row = 0; row < grid.n_rows; ++row) {
      if (random.chance(0.3)) continue;
      const bool left = (grid(row, 0) > 0) != random.chance(noise);
      rows.push_back(row);
      stakes.push_back((left ? 1 : -1) * int64_t(random.whole(1, 5)));
    }
  }
  CarePoints care() const { return {rows.data(), stakes.data(), int64_t(rows.size())}; }
};

int64_t cost_of(const Problem& problem, const std::vector<uint8_t>& left) {
  int64_t loss = 0;
  for (size_t i = 0; i < left.size(); ++i)
    if (left[i] != (problem.stakes[i] > 0)) loss += std::abs(problem.stakes[i]);
  return loss;
}

// The least loss of any split on a column, by trying them all.
int64_t least_loss(const Problem& problem, const Grid& grid, int32_t column,
                   int direction) {
  const bool categories = levels[size_t(column)] > 0;
  std::vector<double> values;
  for (const uint32_t row : problem.rows)
    if (!std::isnan(grid(row, size_t(column))))
      values.push_back(grid(row, size_t(column)));
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  const size_t n_ways = categories ? 16 : values.size();
  int64_t best = std::numeric_limits<int64_t>::max();
  for (size_t way = 0; way < n_ways; ++way)
    for (const bool missing_left : {false, true})
      for (const bool swapped : {false, true}) {
        if (!categories && direction != 0 && swapped != (direction < 0)) continue;
        std::vector<uint8_t> left;
        for (const uint32_t row : problem.rows) {
          const double value = grid(row, size_t(column));
          const bool low = categories
                               ? (way >> size_t(std::isnan(value) ? 0 : value) & 1) != 0
                               : value <= values[way];
          left.push_back(std::isnan(value) ? missing_left : low != swapped);
        }
        best = std::min(best, cost_of(problem, left));
      }
  return best;
}

NodeChoice worst() {
  NodeChoice choice;
  choice.loss = std::numeric_limits<int64_t>::max() / 4;
  return choice;
}

void check_solution(const Features& features, const Grid& grid, const Problem& problem,
                    const NodeRules& rules, AxisSolver& solver) {
  NodeChoice best = worst();
  solver.solve(problem.care(), rules, 0, nullptr, StopFlag(), best);
  // Where one side for all rows is best on a column no split is asked for.
  const int64_t constant = best_constant(problem.care()).loss;
  int64_t least = std::numeric_limits<int64_t>::max();
  for (int32_t column = 0; column < 4; ++column)
    if (rules.open(column))
      least = std::min(
          least, rules.axis_price + rules.price_of(column) +
                     least_loss(problem, grid, column, rules.direction_of(column)));
  if (best.split.is_constant()) {
    CHECK(least >= constant);
    return;
  }
  if (least < constant) CHECK_EQUAL(best.objective(), least);
  CHECK(best.objective() >= least);
  CHECK_EQUAL(best.loss, loss_of(features, best.split, problem.care()));
  CHECK(obeys(rules, features, best.split));
  CHECK_EQUAL(best.price, price_of(rules, features, best.split));
}

}  // namespace

TEST(no_split_on_one_column_loses_less) {
  Random random(11);
  Workers workers(1);
  for (int repeat = 0; repeat < 120; ++repeat) {
    const size_t n = 2 + random.below(repeat % 4 == 0 ? 600 : 40);
    const Grid grid = draw_mixed(random, n, repeat % 3 == 0);
    const Dense<double> dense(grid, all_layouts[repeat % 4]);
    const Features features(dense.view, levels, fill, workers, StopFlag());
    const Codes codes(features, workers, StopFlag());
    AxisSolver solver(features, codes, levels, workers, StopFlag());
    NodeRules rules;
    if (repeat % 2) rules.axis_price = 3, rules.column_price = {2, 0, 1, 4};
    if (repeat % 5 == 0) rules.column_closed = {1, 0, 0, 1};
    if (repeat % 7 == 0) rules.direction = {1, 0, -1, -1};
    check_solution(features, grid, Problem(random, grid, 0.2), rules, solver);
  }
}

TEST(stored_columns_split_like_dense_ones) {
  Random random(12);
  Workers workers(1);
  const std::vector<int32_t> numeric{0, 0, 0, 0};
  for (int repeat = 0; repeat < 60; ++repeat) {
    Grid grid = draw_mixed(random, 3 + random.below(60), false);
    for (double& cell : grid.cells)
      if (random.chance(0.4)) cell = 0;
    const Problem problem(random, grid, 0.2);
    const Dense<double> dense(grid, Layout::by_column);
    const auto stored = compress_columns<double, int64_t>(grid, true);
    const Features one(dense.view, numeric, fill, workers, StopFlag());
    const Features two(stored.view, numeric, fill, workers, StopFlag());
    const Codes codes(one, workers, StopFlag()), sparse_codes(two, workers, StopFlag());
    AxisSolver solver(one, codes, numeric, workers, StopFlag());
    AxisSolver sparse_solver(two, sparse_codes, numeric, workers, StopFlag());
    NodeChoice found = best_constant(problem.care()), other = found;
    solver.solve(problem.care(), {}, 0, nullptr, StopFlag(), found);
    sparse_solver.solve(problem.care(), {}, 0, nullptr, StopFlag(), other);
    CHECK_EQUAL(found.loss, other.loss);
    CHECK_EQUAL(found.split.column, other.split.column);
    CHECK_EQUAL(found.split.threshold, other.split.threshold);
    CHECK_EQUAL(found.split.swapped, other.split.swapped);
    CHECK_EQUAL(found.split.missing_left, other.split.missing_left);
  }
}

TEST(what_is_no_better_does_not_replace) {
  Grid grid(4, 2);
  const std::vector<int32_t> numeric{0, 0};
  for (size_t row = 0; row < 4; ++row) grid(row, 0) = grid(row, 1) = double(row);
  const Dense<double> dense(grid, Layout::by_row);
  Workers workers(1);
  const Features features(dense.view, numeric, {0, 0}, workers, StopFlag());
  const Codes codes(features, workers, StopFlag());
  AxisSolver solver(features, codes, numeric, workers, StopFlag());
  const uint32_t rows[] = {0, 1, 2, 3};
  const int64_t stakes[] = {1, 1, -1, -1};
  NodeChoice best = worst();
  solver.solve({rows, stakes, 4}, {}, 0, nullptr, StopFlag(), best);
  CHECK_EQUAL(best.split.column, 0);
  CHECK_EQUAL(best.split.threshold, 1.5);
  best.split.threshold = 1.25;
  solver.solve({rows, stakes, 4}, {}, 0, nullptr, StopFlag(), best);
  CHECK_EQUAL(best.split.threshold, 1.25);
  best.split.kind = SplitKind::sum;
  best.split.terms = {{0, 1.0}, {1, 1.0}};
  solver.solve({rows, stakes, 4}, {}, 0, nullptr, StopFlag(), best);
  CHECK(best.split.kind == SplitKind::axis);
}

TEST(workers_find_the_same) {
  Random random(14);
  Workers one(1), four(4);
  const Grid grid = draw_mixed(random, 5000, true);
  const Dense<float> dense(grid, Layout::by_row);
  const Features features(dense.view, levels, fill, one, StopFlag());
  const Codes codes(features, one, StopFlag());
  AxisSolver solver(features, codes, levels, four, StopFlag());
  const Problem problem(random, grid, 0.3);
  NodeChoice alone = worst(), together = worst();
  solver.solve(problem.care(), {}, 0, nullptr, StopFlag(), alone);
  solver.solve(problem.care(), {}, 0, &four, StopFlag(), together);
  CHECK_EQUAL(alone.loss, together.loss);
  CHECK_EQUAL(alone.split.threshold, together.split.threshold);
}

TEST(solving_stops_when_asked) {
  Random random(15);
  Workers workers(1);
  const Grid grid = draw_mixed(random, 6000, true);
  const Dense<float> dense(grid, Layout::by_row);
  const Features features(dense.view, levels, fill, workers, StopFlag());
  const Codes codes(features, workers, StopFlag());
  AxisSolver solver(features, codes, levels, workers, StopFlag());
  const Problem problem(random, grid, 0.3);
  StopFlag stop;
  stop.request();
  NodeChoice best = worst();
  CHECK_THROWS(solver.solve(problem.care(), {}, 0, nullptr, stop, best), Interrupted,
               "interrupted");
}
