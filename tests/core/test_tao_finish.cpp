// Finished trees route as the optimized ones and count the same rows.
#include "check.hpp"
#include "route.hpp"
#include "tao_finish.hpp"
#include "taos.hpp"

using namespace tanoak;

TEST(a_finished_tree_answers_alike) {
  Random random(1);
  for (int repeat = 0; repeat < 30; ++repeat) {
    TaoSample sample(random, 150);
    NodeSolver solver = sample.solver();
    OptimizeSettings settings;
    settings.rules[0].axis_price = sample.loss.scale().units(repeat % 3);
    Optimizer<ClassLoss> optimizer(sample.features, &solver, sample.loss, settings,
                                   sample.start(random, 3), sample.workers, StopFlag());
    for (int pass = 0; pass < repeat % 4; ++pass)
      optimizer.pass(sample.workers, StopFlag());
    ClassTarget target;
    target.n_classes = 3;
    target.labels = sample.labels;
    const std::vector<uint8_t> keep;
    const TaoFinisher<int32_t, ClassTarget> finisher(optimizer.tree(), optimizer.rows(),
                                                     sample.features, sample.levels,
                                                     target, keep);
    TreeArrays tree = finish(finisher.growth(), 0);
    const std::vector<int32_t> origins = finisher.origins();
    CHECK_EQUAL(origins.size(), tree.left.size());
    const std::vector<double> fill{0.25, -1, -0.5};
    const Router router(
        {int64_t(tree.left.size()), 3, tree.left.data(), tree.right.data(),
         tree.threshold.data(), tree.missing_left.data(), tree.term_start.data(),
         tree.term_column.data(), tree.term_level.data(), tree.term_weight.data(),
         tree.subset_start.data(), tree.subset_words.data(), fill.data()});
    std::vector<int32_t> leaves(150);
    router.apply(sample.dense.view, leaves.data(), sample.workers, StopFlag());
    std::vector<int64_t> counts(tree.counts.size(), 0);
    for (uint32_t row = 0; row < 150; ++row) {
      const int32_t mine = sample.walk(optimizer.tree(), row);
      const int32_t origin = origins[size_t(leaves[row])];
      // The leaf, or a node above it whose leaves all answer like it.
      CHECK(mine >= origin);
      int32_t left = origin;
      while (!optimizer.tree().at(left).is_leaf()) {
        const auto& node = optimizer.tree().at(left);
        left = node.split.kind == SplitKind::all_right ||
                       optimizer.tree().at(node.left).n_rows() == 0
                   ? node.right
                   : node.left;
      }
      CHECK_EQUAL(optimizer.tree().at(mine).answer, optimizer.tree().at(left).answer);
      ++counts[size_t(leaves[row]) * 3 + size_t(sample.labels[row])];
    }
    for (size_t node = 0; node < tree.left.size(); ++node)
      if (tree.left[node] < 0)
        for (size_t k = 0; k < 3; ++k)
          CHECK_EQUAL(tree.counts[node * 3 + k], counts[node * 3 + k]);
  }
}
