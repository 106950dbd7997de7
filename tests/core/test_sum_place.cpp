// The best threshold of a sum against all thresholds.
#include "check.hpp"
#include "planes.hpp"
#include "sum_place.hpp"

using namespace tanoak;

namespace {

using Criterion = Gini<uint64_t>;

struct Scene {
  Grid grid;
  Dense<double> dense;
  Workers workers{1};
  StopFlag stop;
  Features features;
  TwoClassNode node;
  AxisCut no_axis;

  Scene(Random& random, const Grid& cells)
      : grid(cells),
        dense(grid, Layout::by_row),
        features(TableView(dense.view), {0, 0, 0}, {0.25, 0, -0.5}, workers, stop) {
    std::vector<int32_t> labels;
    for (size_t row = 0; row < grid.n_rows; ++row) labels.push_back(random.chance(0.5));
    node = node_of_labels(labels, 2, random, random.chance(0.5));
  }
  SumQuestion<Criterion> question() const {
    return {node.target, *node.sums, node.records.data(), node.rows.data(), node.n(), 0,
            no_axis,     0};
  }
  std::vector<bool> left_of(const SumCut& cut) const {
    std::vector<uint8_t> side(node.rows.size());
    mark_left(features, cut, node.rows.data(), node.n(), side.data());
    return {side.begin(), side.end()};
  }
};

}  // namespace

TEST(thresholds_of_sums_are_the_best) {
  Random random(1);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const Scene scene(random, draw_grid(random, 2 + random.below(30), 3, 5, 0.1));
    const CutLimits limits{1 + static_cast<int64_t>(random.below(3)), 1};
    SumPlace<Criterion> place(scene.node.target, scene.features,
                              Criterion(scene.node.target), limits, scene.stop);
    const std::vector<Term> terms{{0, 1.0}, {1, random.unit() - 0.5}, {2, 0.1}};
    const PlacedSum placed = place.best(scene.question(), terms);
    std::vector<double> sums(scene.node.rows.size());
    scene.features.project(terms, scene.node.rows.data(), scene.node.n(), sums.data());
    double best = -1;
    for (const double threshold : sums) {
      const auto left = scene.left_of({terms, threshold});
      best = std::max(best, scene.node.score(left, limits));
    }
    CHECK_NEAR(placed.score, best, 1e-9 * std::abs(best));
    CHECK_EQUAL(placed.cut.found(), best >= 0);
    if (!placed.cut.found()) continue;
    CHECK_NEAR(scene.node.score(scene.left_of(placed.cut), limits), placed.score,
               1e-9 * placed.score);
    // In the middle of a gap, where rounding leaves rows on their sides.
    for (const double sum : sums) CHECK(sum != placed.cut.threshold);
  }
}

TEST(sums_that_are_no_numbers_are_not_cut) {
  Random random(2);
  Grid grid(4, 3);
  for (double& cell : grid.cells) cell = random.unit() * 1e300;
  const Scene scene(random, grid);
  SumPlace<Criterion> place(scene.node.target, scene.features,
                            Criterion(scene.node.target), {}, scene.stop);
  CHECK(!place.best(scene.question(), {{0, 1e20}, {1, -1e20}}).cut.found());
  CHECK(!place.best(scene.question(), {}).cut.found());
  CHECK(place.best(scene.question(), {{0, 1e-20}, {1, 1e-20}}).cut.found());
}
