// Climbs never go down, and what they promise is what their weights do.
#include "check.hpp"
#include "climb.hpp"
#include "planes.hpp"

using namespace tanoak;

namespace {

using Criterion = Gini<uint64_t>;

// Points in a square, labelled by a slanted line with noise.
struct Square {
  Grid grid;
  TwoClassNode node;
  std::vector<ClimbColumn> columns;

  Square(Random& random, size_t n_rows, size_t n_columns, double noise)
      : grid(n_rows, n_columns) {
    std::vector<int32_t> labels;
    for (size_t row = 0; row < n_rows; ++row) {
      double sum = 0;
      for (size_t column = 0; column < n_columns; ++column) {
        grid(row, column) = random.unit();
        sum += grid(row, column) * (column % 2 == 0 ? 1.0 : -0.7);
      }
      labels.push_back(random.chance(noise) ? random.chance(0.5) : sum > 0.2);
    }
    node = node_of_labels(labels, 2, random, false);
    for (size_t column = 0; column < n_columns; ++column)
      columns.push_back(climb_column(static_cast<int32_t>(column), values(column)));
  }
  std::vector<double> values(size_t column) const {
    std::vector<double> all;
    for (size_t row = 0; row < grid.n_rows; ++row) all.push_back(grid(row, column));
    return all;
  }
  ClimbRows<ClassSums> ground(const CutLimits& limits) const {
    return {node.records.data(), node.n(), *node.sums, limits, columns};
  }
  std::vector<bool> left_of(const Hyperplane& plane) const {
    std::vector<double> heights(grid.n_rows, plane.offset);
    for (size_t c = 0; c < columns.size(); ++c)
      for (size_t i = 0; i < columns[c].positions.size(); ++i)
        heights[columns[c].positions[i]] +=
            plane.weights[c] * static_cast<double>(columns[c].slopes[i]);
    std::vector<bool> left;
    for (const double height : heights) left.push_back(height <= 0);
    return left;
  }
};

}  // namespace

TEST(columns_are_counted_from_the_fuller_end) {
  const ClimbColumn low = climb_column(7, {2, 2, 2, 6});
  CHECK_EQUAL(low.feature, 7);
  CHECK_EQUAL(low.positions, (std::vector<uint32_t>{3}));
  CHECK_NEAR(low.slopes[0], 4 / std::sqrt(3.0), 1e-6);  // in standard deviations
  CHECK_EQUAL(low.end, 2.0);
  CHECK(low.scale > 0);
  const ClimbColumn high = climb_column(0, {6, 2, 6, 4});
  CHECK_EQUAL(high.positions, (std::vector<uint32_t>{1, 3}));
  CHECK_EQUAL(high.end, 6.0);
  CHECK(high.scale < 0);
  CHECK_NEAR(high.slopes[0], 2 * high.slopes[1], 1e-6);
}

TEST(columns_without_two_values_list_nothing) {
  CHECK(climb_column(0, {3, 3, 3}).positions.empty());
  CHECK(climb_column(0, {-1e308, 1e308}).positions.empty());
}

TEST(scores_are_those_of_the_weights) {
  Random random(1);
  for (int repeat = 0; repeat < 60; ++repeat) {
    const Square square(random, 10 + random.below(60), 2 + random.below(4), 0.2);
    const CutLimits limits{1 + static_cast<int64_t>(random.below(4)), 1};
    const StopFlag stop;
    Climb<Criterion> climb(square.node.target, Criterion(square.node.target), stop);
    climb.open(square.ground(limits));
    RandomStream stream(static_cast<uint64_t>(repeat));
    Hyperplane plane;
    for (size_t c = 0; c < square.columns.size(); ++c)
      plane.weights.push_back(stream.between(-1, 1));
    climb.place(plane);
    const double at_start = plane.score;
    CHECK_NEAR(square.node.score(square.left_of(plane), limits), at_start, 1e-9);
    climb.run(plane, {}, stream);
    CHECK(plane.score >= at_start);
    const double at_top = plane.score;
    CHECK_NEAR(square.node.score(square.left_of(plane), limits), at_top, 1e-9);
    climb.simplify(plane);
    CHECK(plane.score >= at_top);
    CHECK_NEAR(square.node.score(square.left_of(plane), limits), plane.score, 1e-9);
  }
}

TEST(weights_that_do_nothing_are_dropped) {
  Random random(2);
  Square square(random, 40, 3, 0);
  const StopFlag stop;
  Climb<Criterion> climb(square.node.target, Criterion(square.node.target), stop);
  climb.open(square.ground({}));
  Hyperplane plane{{1, 1e-9, -1}, 0, -1};
  climb.place(plane);
  const double score = plane.score;
  climb.simplify(plane);
  CHECK_EQUAL(plane.weights[1], 0.0);
  CHECK(plane.score >= score);
}

TEST(a_line_between_two_classes_is_found) {
  Random random(3);
  const Square square(random, 200, 2, 0);
  const StopFlag stop;
  Climb<Criterion> climb(square.node.target, Criterion(square.node.target), stop);
  std::vector<bool> ones;
  for (const Record record : square.node.records)
    ones.push_back(square.node.target.label(record) == 1);
  const double perfect = square.node.score(ones, {});
  double best = 0;
  for (uint64_t restart = 0; restart < 20; ++restart) {
    RandomStream stream = RandomStream(0).at(restart);
    Hyperplane plane{{stream.between(-1, 1), stream.between(-1, 1)}, 0, -1};
    climb.open(square.ground({}));
    climb.run(plane, {}, stream);
    best = std::max(best, plane.score);
  }
  CHECK_NEAR(best, perfect, 1e-9);
}

TEST(climbs_can_be_stopped) {
  Random random(4);
  const Square square(random, 50, 3, 0.2);
  StopFlag stop;
  Climb<Criterion> climb(square.node.target, Criterion(square.node.target), stop);
  climb.open(square.ground({}));
  stop.request();
  RandomStream stream(0);
  Hyperplane plane{{1, 1, 1}, 0, -1};
  CHECK_THROWS(climb.run(plane, {}, stream), Interrupted, "interrupted");
}
