// Random trees: complete, their splits near the middle, the same for the same
// seed.
#include "check.hpp"
#include "random_start.hpp"
#include "taos.hpp"

using namespace tanoak;

TEST(random_trees_are_complete_and_divide_rows) {
  Random random(1);
  TaoSample sample(random, 400);
  const Scale scale(sample.features, false, sample.workers, StopFlag());
  for (const int64_t n_terms : {0, 1, 2}) {
    const RandomStart start(sample.features, sample.levels, scale, n_terms, 5);
    TaoTree<double> tree = start.grow(3, StopFlag());
    CHECK_EQUAL(tree.count(), 15);
    NodeRows rows(tree, sample.features, sample.workers, StopFlag());
    if (n_terms == 0)
      for (const int32_t id : tree.inner[0])
        CHECK(std::abs(tree.at(tree.at(id).left).n_rows() - 200) < 60);
    for (const auto& node : tree.nodes) {
      if (node.is_leaf()) continue;
      if (n_terms == 1) CHECK_EQUAL(node.split.n_terms(), size_t{1});
      if (n_terms == 2) CHECK(node.split.n_terms() <= 2);
    }
    const TaoState one = write_state(tree, sample.features);
    const TaoState two = write_state(start.grow(3, StopFlag()), sample.features);
    CHECK(one.threshold == two.threshold);
    CHECK(one.term_weight == two.term_weight);
    const RandomStart other(sample.features, sample.levels, scale, n_terms, 6);
    CHECK(write_state(other.grow(3, StopFlag()), sample.features).threshold !=
          one.threshold);
  }
}

TEST(draws_are_nearly_normal) {
  RandomStream random(3);
  double sum = 0, squares = 0;
  for (int i = 0; i < 20000; ++i) {
    const double drawn = draw_normal(random);
    sum += drawn;
    squares += drawn * drawn;
  }
  CHECK_NEAR(sum / 20000, 0, 0.03);
  CHECK_NEAR(squares / 20000, 1, 0.05);
}
