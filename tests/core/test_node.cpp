// Sides and losses of splits against a walk row by row through the router.
#include "check.hpp"
#include "node.hpp"
#include "route.hpp"
#include "samples.hpp"

using namespace tanoak;

namespace {

const std::vector<int32_t> levels{0, 4, 0};
const std::vector<double> fill{0.25, -1, -0.5};

// Numbers beside a column of four categories; some values are missing.
Grid draw_mixed(Random& random, size_t n_rows) {
  Grid grid = draw_grid(random, n_rows, 3, 9, 0.2);
  for (size_t row = 0; row < n_rows; ++row)
    grid(row, 1) = random.chance(0.2) ? no_value : random.whole(0, 3);
  return grid;
}

NodeSplit draw_split(Random& random, SplitKind kind) {
  NodeSplit split;
  split.kind = kind;
  split.missing_left = random.chance(0.5);
  split.swapped = kind == SplitKind::axis && random.chance(0.5);
  split.column = kind == SplitKind::subset ? 1 : 0;
  split.threshold = random.whole(0, 8);
  if (kind == SplitKind::subset) split.left_levels = {uint64_t(random.whole(1, 14))};
  if (kind == SplitKind::sum) split.terms = {{0, 1.5}, {2, -0.7}, {5, 0.3}};
  return split;
}

// The split alone as a tree of three nodes; swapped, its children change places.
std::vector<uint8_t> routed(const NodeSplit& split, const Features& features,
                            const DenseView<double>& view) {
  std::vector<int32_t> columns, term_levels;
  std::vector<double> weights;
  if (split.kind == SplitKind::sum) {
    for (const Term& term : split.terms) {
      columns.push_back(features.info(term.feature).column);
      term_levels.push_back(features.info(term.feature).level);
      weights.push_back(term.weight);
    }
  } else {
    columns = {split.column}, term_levels = {-1}, weights = {1};
  }
  const auto n_terms = int64_t(columns.size());
  const auto n_words = int64_t(split.left_levels.size());
  const std::vector<int32_t> left{1, -1, -1}, right{2, -1, -1};
  const std::vector<double> threshold{split.threshold, 0, 0};
  const bool missing_left = split.missing_left != split.swapped;
  const std::vector<uint8_t> missing{missing_left, 0, 0};
  const std::vector<int64_t> starts{0, n_terms, n_terms, n_terms};
  const std::vector<int64_t> subset_start{0, n_words, n_words, n_words};
  const Router router({3, view.n_columns, left.data(), right.data(), threshold.data(),
                       missing.data(), starts.data(), columns.data(),
                       term_levels.data(), weights.data(), subset_start.data(),
                       split.left_levels.data(), fill.data()});
  std::vector<int32_t> leaves(size_t(view.n_rows));
  Workers workers(1);
  router.apply(view, leaves.data(), workers, StopFlag());
  std::vector<uint8_t> sides;
  for (const int32_t leaf : leaves) sides.push_back((leaf == 1) != split.swapped);
  return sides;
}

}  // namespace

TEST(splits_route_as_the_router_does) {
  Random random(5);
  for (int repeat = 0; repeat < 60; ++repeat) {
    const Grid grid = draw_mixed(random, 300);
    const Dense<double> dense(grid, Layout::by_row);
    Workers workers(1);
    const Features features(dense.view, levels, fill, workers, StopFlag());
    std::vector<uint32_t> rows;
    std::vector<int64_t> stake;
    for (uint32_t row = 0; row < 300; ++row) {
      rows.push_back(row);
      stake.push_back(int64_t(random.whole(1, 5)) * (random.chance(0.5) ? 1 : -1));
    }
    for (const auto kind : {SplitKind::axis, SplitKind::subset, SplitKind::sum}) {
      const NodeSplit split = draw_split(random, kind);
      const auto expected = routed(split, features, dense.view);
      std::vector<uint8_t> left(rows.size());
      mark_left(features, split, rows.data(), 300, left.data());
      int64_t loss = 0;
      for (size_t i = 0; i < left.size(); ++i) {
        CHECK_EQUAL(int(left[i]), int(expected[i]));
        if (left[i] != (stake[i] > 0)) loss += std::abs(stake[i]);
      }
      CHECK_EQUAL(loss_of(features, split, {rows.data(), stake.data(), 300}), loss);
    }
  }
}

TEST(the_cheaper_constant) {
  const uint32_t rows[] = {0, 1, 2};
  const int64_t stake[] = {2, -5, 1};
  const NodeChoice choice = best_constant({rows, stake, 3});
  CHECK(choice.split.kind == SplitKind::all_right);
  CHECK_EQUAL(choice.loss, 3);
  const int64_t even[] = {2, -5, 3};
  CHECK(best_constant({rows, even, 3}).split.kind == SplitKind::all_left);
}

TEST(equals_ask_less_or_stay) {
  NodeChoice one, two;
  one.loss = 4, two.loss = 3, two.price = 1;
  two.split.kind = SplitKind::axis;
  CHECK(one.beats(two));
  CHECK(!two.beats(one));
  CHECK(!one.beats(one));
  two.price = 0;
  CHECK(two.beats(one));
}
