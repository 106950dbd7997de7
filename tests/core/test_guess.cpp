// Guesses of leaves: those that are given are right, however close rows come to a tie.
#include <cmath>
#include <limits>

#include "check.hpp"
#include "guess.hpp"
#include "samples.hpp"

using namespace tanoak;

namespace {

// A complete tree that weighs all columns.
struct Sums {
  size_t n_columns, width;
  int32_t depth;
  std::vector<LinearNode> nodes;
  std::vector<double> weights, fill;

  Sums(size_t columns, int32_t levels)
      : n_columns(columns), width((columns + 7) / 8 * 8), depth(levels) {
    fill.assign(columns, 0.0);
    plant(0);
    weights.assign(nodes.size() * width, 0.0);
  }
  void plant(int32_t level) {
    const auto node = int32_t(nodes.size());
    nodes.push_back({-1, node});
    if (level == depth) return;
    plant(level + 1);
    nodes[size_t(node)] = {0, int32_t(nodes.size())};
    plant(level + 1);
  }
  bool leaf(size_t node) const { return nodes[node].right == int32_t(node); }
  double& weight(size_t node, size_t column) { return weights[node * width + column]; }

  double project(size_t node, const std::vector<double>& row) const {
    double lanes[8] = {};
    for (size_t c = 0; c < n_columns; ++c)
      lanes[c % 8] +=
          weights[node * width + c] * (std::isnan(row[c]) ? fill[c] : row[c]);
    return add_lanes(lanes);
  }
  int32_t walk(const std::vector<double>& row) const {
    size_t node = 0;
    while (!leaf(node))
      node = project(node, row) <= nodes[node].threshold ? node + 1
                                                         : size_t(nodes[node].right);
    return int32_t(node);
  }
  // All rows; how many of them the guess left undecided.
  template <class T>
  size_t check(const Grid& grid, Layout layout) const {
    const Guesser guesser(nodes, weights, fill, depth);
    const Dense<T> table(grid, layout);
    const auto n_rows = int64_t(grid.n_rows);
    std::vector<int32_t> leaves(grid.n_rows + 1, 77);
    GuessRoom room;
    for (int64_t at = 0; at < n_rows; at += guesser.block())
      guesser.apply(table.view, at, std::min(n_rows, at + guesser.block()),
                    leaves.data(), room);
    CHECK_EQUAL(leaves.back(), 77);
    size_t n_undecided = 0;
    for (size_t i = 0; i < grid.n_rows; ++i) {
      n_undecided += leaves[i] < 0;
      if (leaves[i] >= 0) CHECK_EQUAL(leaves[i], walk(row_of(table, i)));
    }
    return n_undecided;
  }
  template <class T>
  std::vector<double> row_of(const Dense<T>& table, size_t row) const {
    std::vector<double> values(n_columns);
    for (size_t c = 0; c < n_columns; ++c)
      values[c] = double(table.view(int64_t(row), int64_t(c)));
    return values;
  }
};

double normal(Random& random) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += random.unit();
  return sum;
}

Sums draw_sums(Random& random, size_t n_columns, int32_t depth, double share = 1) {
  Sums sums(n_columns, depth);
  for (size_t node = 0; node < sums.nodes.size(); ++node) {
    if (sums.leaf(node)) continue;
    sums.nodes[node].threshold = normal(random);
    for (size_t c = 0; c < n_columns; ++c)
      if (random.chance(share)) sums.weight(node, c) = normal(random);
  }
  return sums;
}

Grid draw_numbers(Random& random, size_t n_rows, size_t n_columns) {
  Grid grid(n_rows, n_columns);
  for (double& cell : grid.cells) cell = double(float(normal(random)));
  return grid;
}

// Each threshold is the projection of one of the rows, or one step beside it.
void move_thresholds_to_rows(Random& random, Sums& sums, const Grid& grid) {
  for (size_t node = 0; node < sums.nodes.size(); ++node) {
    if (sums.leaf(node)) continue;
    const size_t at = random.below(grid.n_rows);
    const std::vector<double> row(grid.cells.begin() + long(at * grid.n_columns),
                                  grid.cells.begin() + long((at + 1) * grid.n_columns));
    const double on = sums.project(node, row);
    const double infinity = std::numeric_limits<double>::infinity();
    const double near[] = {on, std::nextafter(on, infinity),
                           std::nextafter(on, -infinity)};
    sums.nodes[node].threshold = near[random.below(3)];
  }
}

}  // namespace

TEST(nearly_all_rows_are_decided) {
  Random random(1);
  for (const size_t n_columns : {1, 7, 8, 18, 64, 200}) {
    const Sums sums = draw_sums(random, n_columns, 6);
    const Grid grid = draw_numbers(random, 8000, n_columns);
    CHECK(sums.check<float>(grid, Layout::by_row) < 80);
    CHECK(sums.check<double>(grid, Layout::by_column) < 80);
  }
}

TEST(columns_of_any_size_are_decided) {
  Random random(2);
  Sums sums = draw_sums(random, 20, 5);
  Grid grid = draw_numbers(random, 4000, 20);
  for (size_t c = 0; c < 20; ++c) {
    const double unit = std::pow(10.0, double(c) - 10);
    for (size_t i = 0; i < grid.n_rows; ++i) grid(i, c) *= unit;
    for (size_t node = 0; node < sums.nodes.size(); ++node)
      sums.weight(node, c) /= unit;
  }
  CHECK(sums.check<float>(grid, Layout::by_row) < 80);
  CHECK(sums.check<double>(grid, Layout::sliced) < 80);
}

TEST(rows_on_a_tie_and_beside_it) {
  Random random(3);
  for (int repeat = 0; repeat < 300; ++repeat) {
    const size_t n_columns = 1 + random.below(40);
    Sums sums = draw_sums(random, n_columns, int32_t(1 + random.below(6)), 0.7);
    // Few distinct rows a hair apart, so that most of them are close to some tie.
    Grid grid = draw_numbers(random, 320, n_columns);
    for (size_t i = 8; i < grid.n_rows; ++i)
      for (size_t c = 0; c < n_columns; ++c) {
        const auto like = float(grid(i % 8, c));
        const float near[] = {like, std::nextafter(like, 9.0f), like * 1.000001f};
        grid(i, c) = double(near[random.below(3)]);
      }
    move_thresholds_to_rows(random, sums, grid);
    CHECK(sums.check<float>(grid, Layout::by_row) > 8);
    for (double& cell : grid.cells) cell *= 1 + random.unit() * 1e-12;
    move_thresholds_to_rows(random, sums, grid);
    CHECK(sums.check<double>(grid, Layout::by_row) > 8);
  }
}

// Sums that cancel, overflow or underflow in single precision, and some in double.
TEST(weights_and_values_of_any_size) {
  Random random(4);
  for (int repeat = 0; repeat < 1000; ++repeat) {
    const size_t n_columns = 1 + random.below(12);
    Sums sums = draw_sums(random, n_columns, 3);
    const double sizes[] = {1, 1e-45, 1e-38, 1e-30, 1e30, 1e37, 1e-200, 1e200, 1e-310};
    const double weight_size = sizes[random.below(9)];
    for (double& weight : sums.weights)
      weight *= random.chance(0.5) ? weight_size : sizes[random.below(6)];
    Grid grid = draw_numbers(random, 64, n_columns);
    const double value_size = sizes[random.below(6)];
    for (double& cell : grid.cells) cell = double(float(cell * value_size));
    move_thresholds_to_rows(random, sums, grid);
    sums.check<float>(grid, Layout::by_row);
    for (double& cell : grid.cells) cell *= sizes[random.below(9)];
    sums.check<double>(grid, Layout::by_row);
  }
}

TEST(missing_values_are_filled_or_left_undecided) {
  Random random(5);
  Sums sums = draw_sums(random, 11, 4);
  for (double& fill : sums.fill) fill = normal(random);
  Grid grid = draw_numbers(random, 1600, 11);
  for (double& cell : grid.cells)
    if (random.chance(0.05)) cell = no_value;
  CHECK(sums.check<float>(grid, Layout::by_row) < 16);
  size_t n_missing = 0;
  for (size_t i = 0; i < grid.n_rows; ++i) {
    bool missing = false;
    for (size_t c = 0; c < 11; ++c) missing = missing || std::isnan(grid(i, c));
    n_missing += missing;
  }
  Sums unfilled = sums;
  unfilled.fill.assign(11, no_value);
  const size_t n_undecided = unfilled.check<float>(grid, Layout::by_row);
  CHECK(n_undecided >= n_missing);
  CHECK(n_undecided < n_missing + 16);
}

TEST(one_huge_value_holds_up_its_block_alone) {
  Random random(6);
  const Sums sums = draw_sums(random, 9, 2);
  const Guesser guesser(sums.nodes, sums.weights, sums.fill, sums.depth);
  const auto block = size_t(guesser.block());
  Grid grid = draw_numbers(random, 3 * block, 9);
  for (const double huge : {1e37, 1e300, std::numeric_limits<double>::infinity()}) {
    grid(block + 3, 4) = huge;
    CHECK(sums.check<double>(grid, Layout::by_row) < block + 16);
  }
}

TEST(what_a_guesser_takes_on) {
  const Sums small(5, 3), large(1, 12);
  const Guesser guesser(small.nodes, small.weights, small.fill, small.depth);
  CHECK_EQUAL(guesser.block() % 8, 0);
  CHECK(guesser.worth(guesser.block()));
  CHECK(!guesser.worth(1));
  const Guesser none(large.nodes, large.weights, large.fill, large.depth);
  CHECK(!none.worth(4096));
  CHECK(!Guesser().worth(4096));
}

// Rows that do not fill a group of eight are left to others.
TEST(the_last_rows_stay_undecided) {
  Random random(7);
  const Sums sums = draw_sums(random, 4, 3);
  const Grid grid = draw_numbers(random, 261, 4);
  const size_t n_undecided = sums.check<double>(grid, Layout::backwards);
  CHECK(n_undecided >= 5);
  CHECK(n_undecided <= 8);
}
