// Rows of nodes and their leaves against a walk row by row.
#include "check.hpp"
#include "node_rows.hpp"
#include "taos.hpp"

using namespace tanoak;

namespace {

void check_rows(const TaoSample& sample, const TaoTree<int32_t>& tree,
                const NodeRows& rows) {
  for (uint32_t row = 0; row < sample.grid.n_rows; ++row) {
    const int32_t leaf = sample.walk(tree, row);
    CHECK_EQUAL(rows.leaf(row), leaf);
    for (int32_t id = leaf; id >= 0; id = tree.at(id).parent) {
      const auto& node = tree.at(id);
      const uint32_t* first = rows.of(node);
      CHECK(std::binary_search(first, first + node.n_rows(), row));
    }
  }
  for (int32_t id = 0; id < tree.count(); ++id) {
    const auto& node = tree.at(id);
    const uint32_t* first = rows.of(node);
    CHECK(std::is_sorted(first, first + node.n_rows()));
    if (!node.is_leaf())
      CHECK_EQUAL(node.n_rows(),
                  tree.at(node.left).n_rows() + tree.at(node.right).n_rows());
  }
}

}  // namespace

TEST(rows_are_where_they_route) {
  Random random(1);
  for (int repeat = 0; repeat < 15; ++repeat) {
    TaoSample sample(random, 100);
    auto tree = sample.start(random, repeat % 5);
    NodeRows rows(tree, sample.features, sample.workers, StopFlag());
    check_rows(sample, tree, rows);
  }
}

TEST(rows_follow_a_split_that_changes) {
  Random random(2);
  TaoSample sample(random, 200);
  auto tree = sample.start(random, 4);
  NodeRows rows(tree, sample.features, sample.workers, StopFlag());
  for (int repeat = 0; repeat < 20; ++repeat) {
    const auto& inner = tree.inner[random.below(4)];
    auto& node = tree.at(inner[random.below(inner.size())]);
    node.split = sample.start(random, 1).at(0).split;
    node.changed = true;
    for (uint32_t row = 0; row < 200; ++row) rows.move(row, sample.walk(tree, row));
    rows.settle(tree, sample.workers, StopFlag());
    check_rows(sample, tree, rows);
  }
}

TEST(leaves_below_a_node) {
  Random random(3);
  TaoSample sample(random, 300);
  const auto tree = sample.start(random, 4);
  RouteScratch scratch;
  std::vector<uint32_t> some;
  for (uint32_t row = 0; row < 300; row += 1 + uint32_t(random.below(3)))
    some.push_back(row);
  std::vector<int32_t> leaves(some.size());
  find_leaves(tree, sample.features, 0, some.data(), int64_t(some.size()),
              leaves.data(), scratch, StopFlag());
  for (size_t i = 0; i < some.size(); ++i)
    CHECK_EQUAL(leaves[i], sample.walk(tree, some[i]));
}
