// Oblique splits of single nodes: what they lose against every dichotomy of few rows,
// against the surrogate's own minimum, and on tables made to go wrong.
#include <algorithm>

#include "check.hpp"
#include "samples.hpp"
#include "solve_oblique.hpp"

using namespace tanoak;

namespace {

// A table with stakes; every row is a care point.
struct Node {
  Grid grid;
  std::vector<int32_t> levels;
  Dense<double> dense;
  Workers workers;
  Features features;
  Scale scale;
  NodeRules rules;
  std::vector<uint32_t> rows;
  std::vector<int64_t> stake;

  Node(const Grid& cells, std::vector<int64_t> stakes,
       std::vector<int32_t> level_counts = {}, int n_threads = 1)
      : grid(cells),
        levels(level_counts.empty() ? std::vector<int32_t>(cells.n_columns, 0)
                                    : level_counts),
        dense(grid, Layout::by_column),
        workers(n_threads),
        features(dense.view, levels, std::vector<double>(cells.n_columns, 0.0), workers,
                 StopFlag()),
        scale(features, false, workers, StopFlag()),
        rows(cells.n_rows),
        stake(std::move(stakes)) {
    std::iota(rows.begin(), rows.end(), 0u);
  }
  CarePoints care() const { return {rows.data(), stake.data(), int64_t(rows.size())}; }
};

NodeChoice none_of(const Node& node) { return best_constant(node.care()); }

NodeChoice solve(const Node& node, SolveObliqueSettings settings = {},
                 const NodeSplit& start = {}) {
  const ObliqueTask task{node.features, node.scale, node.rules, settings};
  ObliqueScratch scratch(task);
  NodeChoice best = none_of(node);
  solve_oblique(task, node.care(), start, scratch, best, StopFlag());
  CHECK_EQUAL(loss_of(node.features, best.split, node.care()), best.loss);
  CHECK_EQUAL(price_of(node.rules, node.features, best.split), best.price);
  return best;
}

Grid draw_cells(Random& random, size_t n, size_t d) {
  Grid grid(n, d);
  for (double& cell : grid.cells) cell = 2 * random.unit() - 1;
  return grid;
}

// Rows on the far side of a slanted plane lose on the left; some are mistaken.
std::vector<int64_t> slanted(Random& random, const Grid& grid, double noise) {
  std::vector<int64_t> stake;
  for (size_t row = 0; row < grid.n_rows; ++row) {
    double sum = 0.1;
    for (size_t f = 0; f < std::min<size_t>(grid.n_columns, 4); ++f)
      sum += (f % 2 ? -1.0 : 1.5) * grid(row, f);
    const bool right = (sum > 0) != random.chance(noise);
    stake.push_back(int64_t(random.whole(1, 4)) * (right ? -1 : 1));
  }
  return stake;
}

int64_t all_at_stake(const Node& node) {
  int64_t sum = 0;
  for (const int64_t part : node.stake) sum += std::abs(part);
  return sum;
}

void check_same(const NodeSplit& one, const NodeSplit& other) {
  CHECK(one.kind == other.kind);
  CHECK_SAME_BITS(one.threshold, other.threshold);
  CHECK_EQUAL(one.terms.size(), other.terms.size());
  for (size_t i = 0; i < std::min(one.terms.size(), other.terms.size()); ++i) {
    CHECK_EQUAL(one.terms[i].feature, other.terms[i].feature);
    CHECK_SAME_BITS(one.terms[i].weight, other.terms[i].weight);
  }
}

}  // namespace

TEST(a_slanted_border_is_found) {
  Random random(1);
  for (int repeat = 0; repeat < 10; ++repeat) {
    const Grid grid = draw_cells(random, 600, 8);
    const Node clean(grid, slanted(random, grid, 0)),
        noisy(grid, slanted(random, grid, 0.1));
    SolveObliqueSettings settings;
    settings.penalty = 0.1;
    CHECK(double(solve(clean, settings).loss) < 0.03 * double(all_at_stake(clean)));
    CHECK(double(solve(noisy, settings).loss) < 0.17 * double(all_at_stake(noisy)));
  }
}

// Of few rows every way a line can part them is tried: none may lose less than a
// choice claims to be possible, and the surrogate comes close to the best of them.
TEST(no_line_beats_the_best_of_all_and_most_choices_are_near_it) {
  Random random(2);
  int64_t ours = 0, least_of_all = 0, constants = 0;
  for (int repeat = 0; repeat < 40; ++repeat) {
    const Grid grid = draw_cells(random, 12, 2);
    const Node node(grid, slanted(random, grid, 0.15));
    SolveObliqueSettings settings;
    settings.penalty = 0.01;
    settings.refine_coordinates = repeat % 2 == 0;
    const NodeChoice choice = solve(node, settings);
    int64_t least = none_of(node).loss;
    NodeSplit line;
    line.kind = SplitKind::sum;
    for (int angle = 0; angle < 720; ++angle) {
      line.terms = {{0, std::cos(angle * 0.0087266)}, {1, std::sin(angle * 0.0087266)}};
      for (size_t row = 0; row < 12; ++row) {
        line.threshold = line.terms[0].weight * grid(row, 0) +
                         line.terms[1].weight * grid(row, 1) + 1e-9;
        least = std::min(least, loss_of(node.features, line, node.care()));
      }
    }
    // A grid of angles may miss the narrowest line, by no more than one row of 4.
    CHECK(choice.loss >= least - 4);
    ours += choice.loss, least_of_all += least, constants += none_of(node).loss;
  }
  CHECK(ours - least_of_all < (constants - least_of_all) / 3);
}

TEST(it_never_takes_what_does_not_beat_the_best_known) {
  Random random(3);
  const Grid grid = draw_cells(random, 200, 5);
  Node node(grid, slanted(random, grid, 0.1));
  const NodeChoice found = solve(node);
  const ObliqueTask task{node.features, node.scale, node.rules, {}};
  ObliqueScratch scratch(task);
  NodeChoice best;
  best.split.kind = SplitKind::axis, best.split.column = 2;
  best.loss = found.loss;  // as cheap, with one term
  solve_oblique(task, node.care(), {}, scratch, best, StopFlag());
  CHECK(best.split.kind == SplitKind::axis);
  best.loss = found.loss + 1;
  solve_oblique(task, node.care(), {}, scratch, best, StopFlag());
  check_same(best.split, found.split);
}

TEST(rows_on_one_side_need_no_solver) {
  const Grid grid(3, 1);
  const Node node(grid, {3, 1, 2});
  const ObliqueTask task{node.features, node.scale, node.rules, {}};
  ObliqueScratch scratch(task);
  NodeChoice best;
  best.split.kind = SplitKind::axis, best.split.column = 0, best.loss = 6;
  solve_oblique(task, node.care(), {}, scratch, best, StopFlag());
  CHECK(best.split.kind == SplitKind::axis);
}

TEST(outliers_equal_columns_and_missing_values) {
  Random random(4);
  Grid grid = draw_cells(random, 400, 9);
  const auto stake = slanted(random, grid, 0.05);
  for (size_t row = 0; row < 400; ++row) {
    grid(row, 4) = 7;             // constant
    grid(row, 5) = grid(row, 0);  // twice
    grid(row, 6) = 0;
    grid(row, 7) = row == 17 ? 1e12 : row == 3 ? -1e300 : grid(row, 7);
    if (random.chance(0.1)) grid(row, 1) = no_value;
    if (random.chance(0.004)) grid(row, 2) = 1e12;
  }
  const Node node(grid, stake);
  SolveObliqueSettings settings;
  settings.penalty = 0.3;
  const NodeChoice choice = solve(node, settings);
  CHECK(choice.split.kind == SplitKind::sum);
  CHECK(double(choice.loss) < 0.2 * double(all_at_stake(node)));
  for (const Term& term : choice.split.terms) {
    CHECK(std::isfinite(term.weight));
    CHECK(term.feature != 4 && term.feature != 6);
  }
}

TEST(more_columns_than_rows) {
  Random random(5);
  const Grid grid = draw_cells(random, 30, 200);
  const Node node(grid, slanted(random, grid, 0));
  SolveObliqueSettings settings;
  settings.penalty = 0.01;
  CHECK_EQUAL(solve(node, settings).loss, 0);
}

TEST(all_columns_of_no_use) {
  const Grid grid(4, 3);
  const Node node(grid, {1, -2, 1, -3});
  CHECK(solve(node).split.is_constant());
}

TEST(one_category_becomes_a_subset) {
  Random random(6);
  for (const int n_levels : {2, 3, 70}) {
    Grid grid(300, 1);
    std::vector<int64_t> stake;
    for (size_t row = 0; row < 300; ++row) {
      grid(row, 0) = random.chance(0.1) ? no_value : random.whole(0, n_levels - 1);
      if (random.chance(0.3)) grid(row, 0) = 1;
      stake.push_back(grid(row, 0) == 1 ? 2 : -2);
    }
    const Node node(grid, stake, {n_levels});
    SolveObliqueSettings settings;
    settings.penalty = 5;
    const NodeChoice choice = solve(node, settings);
    CHECK_EQUAL(choice.loss, 0);
    if (n_levels == 2) CHECK(choice.split.kind == SplitKind::subset);
  }
}

TEST(one_number_becomes_an_axis_split) {
  Random random(7);
  for (const int64_t sign : {1, -1}) {
    const Grid grid = draw_cells(random, 300, 5);
    std::vector<int64_t> stake;
    for (size_t row = 0; row < 300; ++row)
      stake.push_back(grid(row, 3) > 0.2 ? sign : -sign);
    Node node(grid, stake);
    node.rules.axis_price = 3;
    SolveObliqueSettings settings;
    settings.penalty = 40;
    const NodeChoice choice = solve(node, settings);
    CHECK(choice.split.kind == SplitKind::axis);
    CHECK_EQUAL(choice.split.column, 3);
    CHECK_EQUAL(choice.split.swapped, sign > 0);
    CHECK_EQUAL(choice.price, 3);
    CHECK_NEAR(choice.split.threshold, 0.2, 0.3);
  }
}

TEST(rules_are_obeyed) {
  Random random(8);
  const Grid grid = draw_cells(random, 500, 6);
  Node node(grid, slanted(random, grid, 0.05));
  node.rules.column_closed = {0, 0, 1, 0, 0, 0};
  node.rules.direction = {-1, 0, 0, -1, 1, 1};
  node.rules.column_price = {0, 0, 0, 0, 5, 0};
  node.rules.term_price = 1;
  SolveObliqueSettings settings;
  settings.penalty = 0.05;
  const NodeChoice choice = solve(node, settings);
  CHECK(choice.split.kind == SplitKind::sum);
  CHECK(obeys(node.rules, node.features, choice.split));
  for (const Term& term : choice.split.terms) CHECK(term.feature != 0);
}

TEST(a_warm_start_leads_where_a_cold_one_does) {
  Random random(9);
  for (int repeat = 0; repeat < 5; ++repeat) {
    const Grid grid = draw_cells(random, 800, 10);
    Node node(grid, slanted(random, grid, 0.1));
    SolveObliqueSettings settings;
    settings.logistic.tolerance = 1e-4;
    const NodeChoice cold = solve(node, settings);
    for (size_t row = 0; row < 800; row += 90) node.stake[row] = -node.stake[row];
    const NodeChoice again = solve(node, settings);
    const NodeChoice warm = solve(node, settings, cold.split);
    CHECK_EQUAL(warm.split.terms.size(), again.split.terms.size());
    for (size_t i = 0; i < warm.split.terms.size(); ++i)
      CHECK_NEAR(warm.split.terms[i].weight, again.split.terms[i].weight, 1e-2);
  }
}

TEST(threads_and_layouts_do_not_matter) {
  Random random(10);
  const Grid grid = draw_cells(random, 2500, 20);
  const auto stake = slanted(random, grid, 0.1);
  const NodeChoice one = solve(Node(grid, stake));
  check_same(solve(Node(grid, stake, {}, 2)).split, one.split);
  check_same(solve(Node(grid, stake, {}, 4)).split, one.split);
}

TEST(a_penalty_is_counted_in_rows) {
  Random random(11);
  const Grid grid = draw_cells(random, 500, 12);
  Node node(grid, slanted(random, grid, 0.1));
  SolveObliqueSettings settings;
  settings.penalty = 5;
  const NodeChoice plain = solve(node, settings);
  for (int64_t& stake : node.stake) stake *= int64_t{1} << 40;
  settings.unit = std::ldexp(1, 40);
  check_same(solve(node, settings).split, plain.split);
  size_t before = node.grid.n_columns + 1;
  for (const double penalty : {0.01, 1.0, 10.0, 60.0, 1000.0}) {
    settings.penalty = penalty;
    const size_t n_terms = solve(node, settings).split.n_terms();
    CHECK(n_terms <= before);
    before = n_terms;
  }
  CHECK_EQUAL(before, size_t(0));
}

TEST(a_sparse_table_gives_what_a_dense_one_gives) {
  Random random(12);
  Grid grid(600, 30);
  for (double& cell : grid.cells)
    if (random.chance(0.15)) cell = random.unit() * 3;
  const Node dense(grid, slanted(random, grid, 0.02));
  const auto made = compress_columns<double, int32_t>(grid, false);
  Workers workers(1);
  const Features features(TableView(made.view), dense.levels,
                          std::vector<double>(30, 0.0), workers, StopFlag());
  const Scale scale(features, false, workers, StopFlag());
  SolveObliqueSettings settings;
  settings.logistic.tolerance = 1e-4;
  const ObliqueTask task{features, scale, dense.rules, settings};
  ObliqueScratch scratch(task);
  NodeChoice best = none_of(dense);
  solve_oblique(task, dense.care(), {}, scratch, best, StopFlag());
  const NodeChoice expected = solve(dense, settings);
  CHECK_EQUAL(best.split.terms.size(), expected.split.terms.size());
  for (size_t i = 0; i < best.split.terms.size(); ++i)
    CHECK_NEAR(best.split.terms[i].weight, expected.split.terms[i].weight, 1e-2);
}

TEST(refining_never_loses_more) {
  Random random(13);
  for (int repeat = 0; repeat < 15; ++repeat) {
    const Grid grid = draw_cells(random, 150, 6);
    const Node node(grid, slanted(random, grid, 0.2));
    const int64_t plain = solve(node).loss;
    SolveObliqueSettings settings;
    settings.refine_threshold = true;
    const int64_t threshold = solve(node, settings).loss;
    settings.refine_coordinates = true;
    CHECK(threshold <= plain);
    CHECK(solve(node, settings).loss <= plain);
  }
}

TEST(it_stops_when_asked) {
  Random random(14);
  const Grid grid = draw_cells(random, 50, 3);
  const Node node(grid, slanted(random, grid, 0.2));
  const ObliqueTask task{node.features, node.scale, node.rules, {}};
  ObliqueScratch scratch(task);
  NodeChoice best = none_of(node);
  StopFlag stop;
  stop.request();
  CHECK_THROWS(solve_oblique(task, node.care(), {}, scratch, best, stop), Interrupted,
               "interrupted");
}

// Worker by worker in parallel, memory used again for large nodes and small ones.
TEST(nodes_of_one_training_are_solved_alike_by_any_worker) {
  Random random(15);
  const Grid grid = draw_cells(random, 900, 12);
  Node node(grid, slanted(random, grid, 0.1), {}, 4);
  const auto part = [&](int64_t task) {
    return CarePoints{node.rows.data() + 100 * task, node.stake.data() + 100 * task,
                      task % 2 ? 700 - 100 * task + 50 : 30};
  };
  std::vector<NodeSplit> expected;
  for (const int n_threads : {1, 2, 4}) {
    Workers workers(n_threads);
    ObliqueSolver solver(node.features, SolveObliqueSettings(), workers, StopFlag());
    std::vector<NodeSplit> splits(7);
    workers.run(7, [&](int64_t task, int worker) {
      NodeChoice best = best_constant(part(task));
      solver.solve(part(task), node.rules, {}, size_t(worker), StopFlag(), best);
      splits[size_t(task)] = best.split;
    });
    if (expected.empty()) expected = splits;
    for (size_t task = 0; task < 7; ++task) check_same(splits[task], expected[task]);
  }
}
