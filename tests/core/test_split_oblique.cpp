// Hyperplanes against every way in which a line can part points of the plane, and
// against the best cut on one column.
#include "check.hpp"
#include "fill.hpp"
#include "planes.hpp"
#include "split_oblique.hpp"

using namespace tanoak;

namespace {

// A node with all columns that numbers and categories give.
template <class Criterion>
struct Scene {
  using Node = PlaneNode<Criterion>;

  Grid grid;
  std::vector<int32_t> n_levels;
  Dense<double> dense;
  StopFlag stop;
  Workers workers;
  Features features;
  Node node;

  Scene(const Grid& cells, std::vector<int32_t> levels, Node the_node, int n_workers)
      : grid(cells),
        n_levels(std::move(levels)),
        dense(grid, Layout::by_row),
        workers(n_workers),
        features(TableView(dense.view), n_levels,
                 learn_fill(TableView(dense.view), n_levels, workers, stop), workers,
                 stop),
        node(std::move(the_node)) {}

  AxisCut axis_cut(const CutLimits& limits) {
    std::vector<uint32_t> ids;
    for (const Record record : node.records) ids.push_back(id_of(record));
    const RowIds row_ids{ids.data(), nullptr, node.n()};
    SortedColumns sorted = presort(dense.view, row_ids, n_levels, workers, stop);
    AxisSearch<Criterion> search(node.target, Criterion(node.target), limits);
    AxisCut best;
    for (size_t c = 0; c < sorted.columns.size(); ++c)
      search.search(
          sorted.pool.data.get(), sorted.columns[c],
          {static_cast<int32_t>(c), sorted.columns[c].begin, sorted.columns[c].end},
          *node.sums, best);
    return best;
  }
  SumCut find(const AxisCut& axis, const ObliqueSettings& settings,
              const CutLimits& limits) {
    ObliqueSearch<Criterion> search(Criterion(node.target), node.target, features,
                                    settings, limits, Crew(&workers), stop);
    return search.find({node.target, *node.sums, node.records.data(), node.rows.data(),
                        node.n(), 0, axis, 0});
  }
  double score(const SumCut& cut, const CutLimits& limits) const {
    std::vector<uint8_t> side(node.rows.size());
    mark_left(features, cut, node.rows.data(), node.n(), side.data());
    return node.score({side.begin(), side.end()}, limits);
  }
};

std::vector<int32_t> draw_labels(Random& random, size_t n, int32_t n_classes) {
  std::vector<int32_t> labels;
  for (size_t i = 0; i < n; ++i)
    labels.push_back(
        static_cast<int32_t>(random.below(static_cast<size_t>(n_classes))));
  return labels;
}

// The best score of all lines: each is parallel to one through two points, or nearly.
double best_line(const Grid& grid, const TwoClassNode& node, const CutLimits& limits) {
  double best = -1;
  auto attempt = [&](double a, double b) {
    for (size_t at = 0; at < grid.n_rows; ++at) {
      const double threshold = a * grid(at, 0) + b * grid(at, 1);
      std::vector<bool> left;
      for (size_t row = 0; row < grid.n_rows; ++row)
        left.push_back(a * grid(row, 0) + b * grid(row, 1) <= threshold);
      best = std::max(best, node.score(left, limits));
    }
  };
  for (size_t one = 0; one < grid.n_rows; ++one)
    for (size_t other = 0; other < one; ++other) {
      const double x = grid(one, 0) - grid(other, 0);
      const double y = grid(one, 1) - grid(other, 1);
      for (const double turn : {-1e-7, 0.0, 1e-7}) attempt(y + turn * x, -x + turn * y);
    }
  return best;
}

template <class Criterion>
void check_node(Scene<Criterion>& scene, const CutLimits& limits) {
  const AxisCut axis = scene.axis_cut(limits);
  ObliqueSettings settings;
  settings.n_restarts = 4;
  const SumCut cut = scene.find(axis, settings, limits);
  if (!cut.found()) return;
  CHECK(cut.terms.size() > 1);
  for (size_t t = 1; t < cut.terms.size(); ++t)
    CHECK(cut.terms[t - 1].feature < cut.terms[t].feature);
  const double score = scene.score(cut, limits);
  CHECK(score >= 0);  // the limits hold
  CHECK(score > axis.score);
  Scene<Criterion> again(scene.grid, scene.n_levels, std::move(scene.node), 3);
  const SumCut other = again.find(axis, settings, limits);
  CHECK_SAME_BITS(other.threshold, cut.threshold);
  CHECK_EQUAL(other.terms.size(), cut.terms.size());
  for (size_t t = 0; t < cut.terms.size(); ++t)
    CHECK_SAME_BITS(other.terms[t].weight, cut.terms[t].weight);
}

}  // namespace

TEST(lines_in_the_plane) {
  Random random(1);
  int n_best = 0, n_tried = 0;
  for (int repeat = 0; repeat < 150; ++repeat) {
    Grid grid(4 + random.below(9), 2);
    for (double& cell : grid.cells) cell = random.unit();
    const CutLimits limits{1 + static_cast<int64_t>(random.below(2)), 1};
    const auto labels = draw_labels(random, grid.n_rows, 2 + repeat % 2);
    Scene<Gini<uint64_t>> scene(
        grid, {0, 0}, node_of_labels(labels, 2 + repeat % 2, random, repeat % 4 == 0),
        1);
    const AxisCut axis = scene.axis_cut(limits);
    ObliqueSettings settings;
    settings.n_restarts = 40;
    const SumCut cut = scene.find(axis, settings, limits);
    const double found = cut.found() ? scene.score(cut, limits) : axis.score;
    const double best = best_line(grid, scene.node, limits);
    CHECK(found <= best * (1 + 1e-9));
    n_best += found >= best * (1 - 1e-9);
    ++n_tried;
  }
  CHECK(n_best >= n_tried * 98 / 100);
}

TEST(classes_beat_the_axis_or_leave_it) {
  Random random(2);
  for (int repeat = 0; repeat < 120; ++repeat) {
    const std::vector<int32_t> n_levels{0, 4, 0, 2};
    Grid grid = draw_grid(random, 5 + random.below(60), 4, 9, 0.1);
    for (size_t row = 0; row < grid.n_rows; ++row) {
      grid(row, 1) = random.chance(0.1) ? no_value : random.whole(0, 3);
      grid(row, 3) = random.whole(0, 1);
    }
    const int32_t n_classes = 2 + repeat % 3;
    Scene<Gini<uint64_t>> scene(
        grid, n_levels,
        node_of_labels(draw_labels(random, grid.n_rows, n_classes), n_classes, random,
                       repeat % 2 == 0),
        1);
    check_node(scene, {1 + static_cast<int64_t>(random.below(4)), 1});
  }
}

TEST(numbers_beat_the_axis_or_leave_it) {
  Random random(3);
  for (int repeat = 0; repeat < 60; ++repeat) {
    const Grid grid = draw_grid(random, 5 + random.below(60), 3, 9, 0.1);
    std::vector<double> numbers;
    for (size_t row = 0; row < grid.n_rows; ++row) {
      const double sum = grid(row, 0) - 2 * grid(row, 1);
      numbers.push_back((std::isnan(sum) ? 0 : sum) + random.whole(-4, 4));
    }
    Scene<SquaredError> scene(grid, {0, 0, 0}, node_of_numbers(numbers), 1);
    check_node(scene, {2, 1});
  }
}

TEST(large_nodes_are_climbed_on_a_sample_and_cut_exactly) {
  Random random(4);
  Grid grid(6000, 2);
  std::vector<int32_t> labels;
  for (size_t row = 0; row < grid.n_rows; ++row) {
    grid(row, 0) = random.unit();
    grid(row, 1) = random.unit();
    labels.push_back(random.chance(0.05) ? random.chance(0.5)
                                         : grid(row, 0) > grid(row, 1));
  }
  Scene<Gini<uint64_t>> scene(grid, {0, 0}, node_of_labels(labels, 2, random, false),
                              1);
  ObliqueSettings settings;
  settings.n_restarts = 5;
  settings.max_rows = 500;
  const CutLimits limits{600, 1};
  const AxisCut axis = scene.axis_cut(limits);
  const SumCut cut = scene.find(axis, settings, limits);
  CHECK(cut.found());
  const double score = scene.score(cut, limits);
  CHECK(score > 1.5 * axis.score);
  // No other threshold of the same sum is better on all rows.
  SumCut moved = cut;
  for (int i = -50; i <= 50; ++i) {
    moved.threshold = cut.threshold + i * 1e-3;
    CHECK(scene.score(moved, limits) <= score * (1 + 1e-12));
  }
}

TEST(rows_climbed_follow_the_table) {
  const ObliqueSettings settings;
  CHECK_EQUAL(settings.rows_climbed(500, 10), 500);
  CHECK_EQUAL(settings.rows_climbed(100000, 10), 20000);
  CHECK_EQUAL(settings.rows_climbed(100000, 784), 5349);
  CHECK_EQUAL(settings.rows_climbed(100000, 50000), 2000);
}

TEST(weights_are_short) {
  Random random(5);
  Grid grid(300, 2);
  std::vector<int32_t> labels;
  for (size_t row = 0; row < grid.n_rows; ++row) {
    grid(row, 0) = random.unit() * 1000;
    grid(row, 1) = random.unit();
    const double height = grid(row, 0) / 1000 + 0.5 * grid(row, 1) - 0.8;
    labels.push_back(height > 0);
    if (std::abs(height) < 0.05) grid(row, 1) += height > 0 ? 0.2 : -0.2;
  }
  Scene<Gini<uint64_t>> scene(grid, {0, 0}, node_of_labels(labels, 2, random, false),
                              1);
  const SumCut cut = scene.find(scene.axis_cut({}), {}, {});
  CHECK_EQUAL(cut.terms.size(), 2u);
  for (const Term& term : cut.terms)
    CHECK_SAME_BITS(term.weight, round_to_digits(term.weight, 2));
}

TEST(no_two_columns_no_sum) {
  Random random(6);
  const Grid grid(5, 2);  // all zeros
  Scene<Gini<uint64_t>> scene(grid, {0, 0},
                              node_of_labels({0, 1, 0, 1, 1}, 2, random, false), 1);
  CHECK(!scene.find(scene.axis_cut({}), {}, {}).found());
}
