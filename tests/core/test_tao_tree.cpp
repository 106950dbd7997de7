// Trees written as arrays and read again.
#include "check.hpp"
#include "taos.hpp"

using namespace tanoak;

TEST(what_is_written_reads_the_same) {
  Random random(1);
  TaoSample sample(random, 50);
  for (int repeat = 0; repeat < 20; ++repeat) {
    auto tree = sample.start(random, 3);
    tree.at(1).split = NodeSplit();
    tree.at(1).split.kind = SplitKind::all_left;
    tree.at(0).solved = 77;
    const TaoState state = write_state(tree, sample.features);
    const auto again = read_state<int32_t>(state, sample.features);
    CHECK_EQUAL(again.count(), tree.count());
    CHECK_EQUAL(again.at(0).solved, 77u);
    for (uint32_t row = 0; row < 50; ++row)
      CHECK_EQUAL(sample.walk(again, row), sample.walk(tree, row));
    for (int32_t id = 0; id < tree.count(); ++id) {
      CHECK_EQUAL(again.at(id).answer, tree.at(id).answer);
      CHECK_EQUAL(again.at(id).parent, tree.at(id).parent);
      CHECK_EQUAL(again.at(id).depth, tree.at(id).depth);
    }
    CHECK(write_state(again, sample.features).term_weight == state.term_weight);
  }
}

TEST(a_constant_cuts_off_what_lies_behind) {
  Random random(2);
  TaoSample sample(random, 10);
  auto tree = sample.start(random, 2);
  tree.at(0).split = NodeSplit();
  tree.at(0).split.kind = SplitKind::all_right;
  std::vector<int32_t> seen;
  tree.visit_reached([&](int32_t id) { seen.push_back(id); });
  CHECK_EQUAL(seen, (std::vector<int32_t>{0, 4, 5, 6}));
}

TEST(a_category_that_is_no_feature_is_refused) {
  Random random(3);
  TaoSample sample(random, 10);
  const FeatureFinder finder(sample.features);
  CHECK_EQUAL(finder.find(1, 3), 4);
  CHECK_THROWS(finder.find(1, 4), std::invalid_argument, "category 4 of column 1");
}
