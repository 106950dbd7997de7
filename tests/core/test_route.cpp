// Every way of routing rows against one walk written from the rule.
#include "check.hpp"
#include "route.hpp"
#include "samples.hpp"

using namespace tanoak;

namespace {

// The arrays of a tree, as the Tree class keeps them.
struct Arrays {
  std::vector<int32_t> left, right;
  std::vector<double> threshold;
  std::vector<uint8_t> missing_left;
  std::vector<int64_t> term_start{0};
  std::vector<int32_t> term_column, term_level;
  std::vector<double> term_weight;
  std::vector<int64_t> subset_start{0};
  std::vector<uint64_t> subset_words;
  std::vector<double> fill;

  TreeView view() const {
    return {int64_t(left.size()), int64_t(fill.size()), left.data(),
            right.data(),         threshold.data(),     missing_left.data(),
            term_start.data(),    term_column.data(),   term_level.data(),
            term_weight.data(),   subset_start.data(),  subset_words.data(),
            fill.data()};
  }
  size_t first_term(size_t node) const { return size_t(term_start[node]); }
  size_t end_term(size_t node) const { return size_t(term_start[node + 1]); }
};

// --- the rule, as the notes on the tree give it ---

bool goes_left(const Arrays& tree, size_t node, const std::vector<double>& row) {
  const bool missing_left = tree.missing_left[node] != 0;
  const size_t first = tree.first_term(node), n_terms = tree.end_term(node) - first;
  const double x = row[size_t(tree.term_column[first])];
  if (tree.subset_start[node] < tree.subset_start[node + 1]) {
    if (std::isnan(x)) return missing_left;
    const auto code = static_cast<size_t>(x);
    const size_t word = size_t(tree.subset_start[node]) + code / 64;
    return (tree.subset_words[word] >> (code % 64) & 1) != 0;
  }
  if (n_terms == 1 && tree.term_weight[first] == 1.0 && tree.term_level[first] == -1)
    return std::isnan(x) ? missing_left : x <= tree.threshold[node];
  double lanes[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  for (size_t term = first; term < first + n_terms; ++term) {
    const auto column = size_t(tree.term_column[term]);
    double value = std::isnan(row[column]) ? tree.fill[column] : row[column];
    if (tree.term_level[term] >= 0) value = value == tree.term_level[term] ? 1.0 : 0.0;
    lanes[column % 8] += tree.term_weight[term] * value;
  }
  const double projection = ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) +
                            ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
  return std::isnan(projection) ? missing_left : projection <= tree.threshold[node];
}

int32_t leaf_of(const Arrays& tree, const std::vector<double>& row) {
  size_t node = 0;
  while (tree.left[node] >= 0)
    node = size_t(goes_left(tree, node, row) ? tree.left[node] : tree.right[node]);
  return int32_t(node);
}

// --- random trees ---

enum class Splits { axis, subset, dense, thin, levels, mixed };
constexpr Splits all_splits[] = {Splits::axis, Splits::subset, Splits::dense,
                                 Splits::thin, Splits::levels, Splits::mixed};

struct Shape {
  Splits splits;
  size_t n_columns;
  int depth;
  double leaf_share;  // of the nodes above that depth
};

constexpr int n_levels = 100;  // of every column where there are codes: two words

class Planter {
 public:
  Planter(Random& random, const Shape& shape) : random_(random), shape_(shape) {}

  Arrays plant() {
    for (size_t column = 0; column < shape_.n_columns; ++column)
      tree_.fill.push_back(random_.chance(0.5) ? 0.0 : random_.whole(0, 3));
    add_node(0);
    return tree_;
  }

 private:
  void add_node(int depth) {
    const size_t node = tree_.left.size();
    const bool leaf =
        depth == shape_.depth || (depth > 0 && random_.chance(shape_.leaf_share));
    tree_.left.push_back(leaf ? -1 : int32_t(node) + 1);
    tree_.right.push_back(-1);
    tree_.threshold.push_back(0);
    tree_.missing_left.push_back(!leaf && random_.chance(0.5));
    if (!leaf) add_split(node);
    tree_.term_start.push_back(int64_t(tree_.term_column.size()));
    tree_.subset_start.push_back(int64_t(tree_.subset_words.size()));
    if (leaf) return;
    add_node(depth + 1);
    tree_.right[node] = int32_t(tree_.left.size());
    add_node(depth + 1);
  }

  void add_split(size_t node) {
    Splits kind = shape_.splits;
    if (kind == Splits::mixed) kind = all_splits[random_.below(5)];
    if (kind == Splits::axis || kind == Splits::subset) {
      add_term(int32_t(random_.below(shape_.n_columns)), -1, 1.0);
      if (kind == Splits::subset) {
        tree_.subset_words.push_back(random_.word());
        tree_.subset_words.push_back(random_.word());
      } else {
        tree_.threshold[node] = random_.whole(-12, 12) / 4;
      }
      return;
    }
    // Weights that do not add up exactly, so that the order of the sum shows.
    tree_.threshold[node] = random_.unit() * 4 - 2;
    const double share = kind == Splits::dense ? 0.9 : 0.05;
    const auto sure = int32_t(random_.below(shape_.n_columns));
    for (int32_t column = 0; column < int32_t(shape_.n_columns); ++column) {
      if (column != sure && !random_.chance(share)) continue;
      if (kind == Splits::levels)
        for (int32_t level = 0; level < 3; ++level)
          add_term(column, level, random_.unit() - 0.5);
      else
        add_term(column, -1, (random_.unit() - 0.4) * 3);
    }
  }

  void add_term(int32_t column, int32_t level, double weight) {
    tree_.term_column.push_back(column);
    tree_.term_level.push_back(level);
    tree_.term_weight.push_back(weight);
  }

  Random& random_;
  Shape shape_;
  Arrays tree_;
};

// Values stand on thresholds, one step beside them, or are missing; codes are whole.
Grid draw_rows(Random& random, const Arrays& tree, size_t n_rows, Splits splits,
               double missing_share) {
  Grid grid(n_rows, tree.fill.size());
  const bool codes =
      splits == Splits::subset || splits == Splits::levels || splits == Splits::mixed;
  for (double& cell : grid.cells) {
    const float on = float(tree.threshold[random.below(tree.threshold.size())]);
    if (codes) {
      cell = random.whole(0, random.chance(0.5) ? 3 : n_levels - 1);
    } else {
      const float beside[] = {on,
                              std::nextafter(on, 1e9f),
                              std::nextafter(on, -1e9f),
                              float(random.unit() * 4 - 2),
                              0.0f,
                              -0.0f};
      cell = double(beside[random.below(6)]);
    }
    if (random.chance(missing_share)) cell = no_value;
  }
  return grid;
}

std::vector<int32_t> walk_all(const Arrays& tree, const Grid& grid) {
  std::vector<int32_t> leaves;
  for (size_t row = 0; row < grid.n_rows; ++row) {
    std::vector<double> values;
    for (size_t column = 0; column < grid.n_columns; ++column)
      values.push_back(grid(row, column));
    leaves.push_back(leaf_of(tree, values));
  }
  return leaves;
}

template <class View>
std::vector<int32_t> apply(const Router& router, const View& view, int n_workers) {
  std::vector<int32_t> leaves(size_t(view.n_rows) + 1, -77);
  Workers workers(n_workers);
  router.apply(view, leaves.data(), workers, StopFlag());
  CHECK_EQUAL(leaves.back(), -77);
  leaves.pop_back();
  return leaves;
}

void check_routes(const Arrays& tree, const Grid& grid, bool every_form) {
  const Router router(tree.view());
  const auto expected = walk_all(tree, grid);
  CHECK_EQUAL(apply(router, Dense<double>(grid, Layout::by_row).view, 1), expected);
  CHECK_EQUAL(apply(router, Dense<float>(grid, Layout::by_row).view, 2), expected);
  if (!every_form) return;
  for (const Layout layout : all_layouts) {
    CHECK_EQUAL(apply(router, Dense<double>(grid, layout).view, 3), expected);
    CHECK_EQUAL(apply(router, Dense<float>(grid, layout).view, 1), expected);
  }
  CHECK_EQUAL(apply(router, compress_rows<double, int32_t>(grid, false).view, 1),
              expected);
  CHECK_EQUAL(apply(router, compress_rows<float, int64_t>(grid, true).view, 2),
              expected);
  CHECK_EQUAL(apply(router, compress_rows<double, int64_t>(grid, true).view, 1),
              expected);
  CHECK_EQUAL(apply(router, compress_rows<float, int32_t>(grid, false).view, 1),
              expected);
}

void check_random_trees(Splits splits, uint64_t seed) {
  Random random(seed);
  for (const size_t n_columns : {1, 3, 8, 9, 40})
    for (const int depth : {1, 3, 12})
      for (const double missing_share : {0.0, 0.02, 0.4}) {
        const Shape shape{splits, n_columns, depth, depth == 12 ? 0.25 : 0.1};
        const Arrays tree = Planter(random, shape).plant();
        for (const size_t n_rows : {1, 7, 8, 16, 17, 100})
          check_routes(tree, draw_rows(random, tree, n_rows, splits, missing_share),
                       n_rows == 100);
      }
}

}  // namespace

TEST(axis_trees) { check_random_trees(Splits::axis, 1); }
TEST(subset_trees) { check_random_trees(Splits::subset, 2); }
TEST(linear_trees_with_most_columns) { check_random_trees(Splits::dense, 3); }
TEST(linear_trees_with_few_columns) { check_random_trees(Splits::thin, 4); }
TEST(linear_trees_with_categories) { check_random_trees(Splits::levels, 5); }
TEST(trees_of_all_kinds) { check_random_trees(Splits::mixed, 6); }

TEST(blocks_of_rows_meet_without_a_gap) {
  Random random(7);
  for (const Splits splits : all_splits) {
    const Arrays tree = Planter(random, {splits, 5, 6, 0.1}).plant();
    for (const size_t n_rows : {4095, 4096, 4097, 9001}) {
      const Grid grid = draw_rows(random, tree, n_rows, splits, 0.05);
      const Router router(tree.view());
      const auto expected = walk_all(tree, grid);
      CHECK_EQUAL(apply(router, Dense<float>(grid, Layout::by_column).view, 3),
                  expected);
      CHECK_EQUAL(apply(router, compress_rows<double, int32_t>(grid, true).view, 3),
                  expected);
    }
  }
}

TEST(no_rows_and_no_splits) {
  Random random(8);
  const Arrays leaf = Planter(random, {Splits::axis, 2, 0, 0}).plant();
  CHECK_EQUAL(leaf.left, std::vector<int32_t>{-1});
  for (const size_t n_rows : {0, 1, 15, 16, 40})
    check_routes(leaf, draw_rows(random, leaf, n_rows, Splits::axis, 0.3), true);
  for (const Splits splits : all_splits) {
    const Arrays tree = Planter(random, {splits, 3, 4, 0}).plant();
    check_routes(tree, Grid(0, 3), true);
  }
}

TEST(a_chain_is_walked_to_its_end) {
  Random random(9);
  Arrays chain;  // x0 <= -i goes on, all others leave
  constexpr int32_t depth = 1000;
  for (int32_t node = 0; node <= 2 * depth; ++node) {
    const bool inner = node < depth;
    chain.left.push_back(inner ? node + 1 : -1);
    chain.right.push_back(inner ? 2 * depth - node : -1);
    chain.threshold.push_back(inner ? -node : 0);
    chain.missing_left.push_back(inner);
    if (inner) {
      chain.term_column.push_back(0);
      chain.term_level.push_back(-1);
      chain.term_weight.push_back(1);
    }
    chain.term_start.push_back(int64_t(chain.term_column.size()));
    chain.subset_start.push_back(0);
  }
  chain.fill = {0};
  Grid grid(200, 1);
  for (double& cell : grid.cells) cell = -random.whole(-1, depth + 1);
  grid.cells[3] = no_value;
  check_routes(chain, grid, true);
}

// A router must not look at arrays that are gone.
TEST(a_router_outlives_the_arrays) {
  Random random(10);
  for (const Splits splits : all_splits) {
    auto tree = std::make_unique<Arrays>(Planter(random, {splits, 6, 5, 0.1}).plant());
    const Grid grid = draw_rows(random, *tree, 50, splits, 0.1);
    const auto expected = walk_all(*tree, grid);
    const Router router(tree->view());
    tree.reset();
    CHECK_EQUAL(apply(router, Dense<double>(grid, Layout::by_row).view, 1), expected);
  }
}

TEST(sums_beyond_the_largest_number_are_like_missing_ones) {
  Arrays tree;  // 1e300 x0 - 1e300 x8, both in lane 0
  tree.left = {1, -1, -1};
  tree.right = {2, -1, -1};
  tree.threshold = {0, 0, 0};
  tree.term_start = {0, 2, 2, 2};
  tree.term_column = {0, 8};
  tree.term_level = {-1, -1};
  tree.term_weight = {1e300, -1e300};
  tree.subset_start = {0, 0, 0, 0};
  tree.fill.assign(9, 0);
  for (const bool missing_left : {false, true}) {
    tree.missing_left = {missing_left, 0, 0};
    Grid grid(4, 9);
    grid(0, 0) = grid(0, 8) = 1e300;  // infinity - infinity
    grid(1, 0) = 1e300;
    grid(2, 8) = 1e300;
    grid(3, 3) = no_value;  // not in the sum
    CHECK_EQUAL(walk_all(tree, grid),
                (std::vector<int32_t>{missing_left ? 1 : 2, 2, 1, 1}));
    check_routes(tree, grid, false);
    const auto wide = Dense<double>(grid, Layout::by_row);
    CHECK_EQUAL(apply(Router(tree.view()), wide.view, 1), walk_all(tree, grid));
  }
}

TEST(what_is_no_code_goes_the_way_of_missing_values) {
  Random random(11);
  const Arrays tree = Planter(random, {Splits::subset, 1, 1, 0}).plant();
  const Router router(tree.view());
  Grid grid(5, 1);
  grid.cells = {-1, 128, 1e300, -1e300, no_value};
  const auto leaves = apply(router, Dense<double>(grid, Layout::by_row).view, 1);
  CHECK_EQUAL(leaves, std::vector<int32_t>(5, tree.missing_left[0] ? 1 : 2));
}

TEST(a_request_to_stop_ends_routing) {
  Random random(12);
  for (const Splits splits : all_splits) {
    const Arrays tree = Planter(random, {splits, 3, 3, 0}).plant();
    const Grid grid = draw_rows(random, tree, 10, splits, 0);
    const Router router(tree.view());
    StopFlag stop;
    stop.request();
    Workers workers(2);
    std::vector<int32_t> leaves(10);
    const Dense<float> dense(grid, Layout::by_row);
    const auto sparse = compress_rows<float, int32_t>(grid, false);
    CHECK_THROWS(router.apply(dense.view, leaves.data(), workers, stop), Interrupted,
                 "");
    CHECK_THROWS(router.apply(sparse.view, leaves.data(), workers, stop), Interrupted,
                 "");
  }
}
