// Whole trees, node by node, against all cuts there are.
#include "check.hpp"
#include "grow_table.hpp"
#include "oracle.hpp"
#include "trees.hpp"

using namespace tanoak;

namespace {

constexpr double close = 1e-9;

// What the options mean in plain numbers.
struct Rules {
  Limits limits;
  double min_decrease;
};

Rules rules_of(const Sample& sample, const GrowOptions& options) {
  double total = 0;
  for (const double mass : sample.mass) total += mass;
  return {{static_cast<size_t>(options.settings.limits.min_rows),
           std::max(options.min_mass_fraction * total * (1 - 1e-12), 1e-300)},
          options.min_impurity_decrease * total};
}

class TreeCheck {
 public:
  TreeCheck(const Sample& sample, const TreeArrays& tree, const Setup& setup)
      : sample_(sample),
        tree_(tree),
        setup_(setup),
        settings_(setup.options.settings),
        rules_(rules_of(sample, setup.options)),
        n_nodes_(tree.left.size()),
        rows_(n_nodes_),
        depth_(n_nodes_, 0),
        gain_(n_nodes_, -1) {}

  void run() {
    for (size_t row = 0; row < sample_.n_rows(); ++row) rows_[0].push_back(row);
    for (size_t node = 0; node < n_nodes_; ++node) {
      check_content(node);
      if (tree_.left[node] < 0)
        check_leaf(node);
      else
        check_split(node);
    }
    if (settings_.max_leaves > 0) check_order();
  }

 private:
  bool leaf(size_t node) const { return tree_.left[node] < 0; }

  size_t n_leaves() const {
    return static_cast<size_t>(std::count(tree_.left.begin(), tree_.left.end(), -1));
  }

  // --- counts, masses, means ---

  void check_content(size_t node) const {
    const RowList& rows = rows_[node];
    if (sample_.purity == Purity::squared_error) {
      const double mass = mass_of(sample_, rows);
      double sum = 0;
      for (const size_t row : rows) sum += sample_.mass[row] * sample_.numbers[row];
      CHECK_EQUAL(tree_.counts[node], rows.size());
      CHECK_NEAR(tree_.masses[node], mass, close * mass);
      CHECK_NEAR(tree_.mean[node], sum / mass, close * (1 + std::fabs(sum / mass)));
      CHECK_NEAR(tree_.sse[node], impurity(sample_, rows), close * (1 + mass * 1e4));
      return;
    }
    const auto n_classes = static_cast<size_t>(sample_.n_classes);
    std::vector<int64_t> counts(n_classes, 0);
    for (const size_t row : rows) ++counts[size_t(sample_.labels[row])];
    const auto masses = class_masses(sample_, rows);
    for (size_t k = 0; k < n_classes; ++k) {
      CHECK_EQUAL(tree_.counts[node * n_classes + k], counts[k]);
      if (setup_.weighing == Weighing::by_row)
        CHECK_NEAR(tree_.masses[node * n_classes + k], masses[k], close * masses[k]);
    }
    // Without weights of rows the counts say it all, whatever the classes weigh.
    CHECK_EQUAL(tree_.masses.empty(), setup_.weighing != Weighing::by_row);
  }

  // --- leaves ---

  bool pure(const RowList& rows) const {
    std::set<double> kinds;
    for (const size_t row : rows)
      if (sample_.mass[row] > 0)
        kinds.insert(sample_.n_classes > 0 ? sample_.labels[row]
                                           : sample_.numbers[row]);
    return kinds.size() < 2;
  }

  bool may_split(size_t node) const {
    const auto n_rows = static_cast<int64_t>(rows_[node].size());
    return !pure(rows_[node]) && depth_[node] != settings_.max_depth &&
           n_rows >= settings_.min_rows_split;
  }

  void check_leaf(size_t node) {
    CHECK_EQUAL(tree_.right[node], -1);
    CHECK_EQUAL(tree_.term_start[node], tree_.term_start[node + 1]);
    CHECK_SAME_BITS(tree_.threshold[node], 0.0);
    CHECK_EQUAL(tree_.missing_left[node], 0);
    CHECK_EQUAL(tree_.subset_start[node], tree_.subset_start[node + 1]);
    if (!may_split(node)) return;
    gain_[node] = best_decrease(sample_, rows_[node], rules_.limits);
    if (gain_[node] < 0 || gain_[node] < rules_.min_decrease + close) gain_[node] = -1;
    // A cut that would have done must have been left out for want of leaves.
    if (gain_[node] >= 0)
      CHECK_EQUAL(static_cast<int64_t>(n_leaves()), settings_.max_leaves);
  }

  // --- splits ---

  bool goes_left(size_t node, double value) const {
    if (std::isnan(value)) return tree_.missing_left[node] != 0;
    if (tree_.subset_start[node] == tree_.subset_start[node + 1])
      return value <= tree_.threshold[node];
    const auto code = static_cast<size_t>(value);
    const auto word = static_cast<size_t>(tree_.subset_start[node]) + code / 64;
    return (tree_.subset_words[word] >> (code % 64) & 1) != 0;
  }

  void check_split(size_t node) {
    const auto left = static_cast<size_t>(tree_.left[node]);
    const auto right = static_cast<size_t>(tree_.right[node]);
    const auto column = column_of(tree_, node);
    CHECK_EQUAL(left, node + 1);
    CHECK(right > left && right < n_nodes_);
    CHECK(may_split(node));
    for (const size_t row : rows_[node])
      rows_[goes_left(node, sample_.grid(row, column)) ? left : right].push_back(row);
    depth_[left] = depth_[right] = depth_[node] + 1;
    const SlowCut cut{column, rows_[left], rows_[right], 0};
    CHECK(!cut.left.empty() && !cut.right.empty());
    CHECK(allowed(sample_, cut, rules_.limits));
    gain_[node] = decrease(sample_, cut.left, cut.right);
    const double best = best_decrease(sample_, rows_[node], rules_.limits);
    CHECK_NEAR(gain_[node], best, close * (1 + best));
    CHECK(gain_[node] >= rules_.min_decrease - close);
    check_missing_side(node, cut);
    if (sample_.n_levels[column] > 0)
      check_unseen_codes(node, column);
    else
      check_threshold(node, cut);
  }

  void check_missing_side(size_t node, const SlowCut& cut) const {
    for (const size_t row : rows_[node])
      if (std::isnan(sample_.grid(row, cut.column))) return;
    // As reported: what classes cost does not decide where the unknown goes.
    const bool by_row = setup_.weighing == Weighing::by_row;
    const double left = by_row ? mass_of(sample_, cut.left) : double(cut.left.size());
    const double right =
        by_row ? mass_of(sample_, cut.right) : double(cut.right.size());
    const bool equal = std::fabs(left - right) < close * (left + right);
    CHECK_EQUAL(tree_.missing_left[node] != 0, equal || left > right);
  }

  void check_unseen_codes(size_t node, size_t column) const {
    const auto seen = present_values(sample_, rows_[node], column);
    CHECK_SAME_BITS(tree_.threshold[node], 0.0);
    CHECK_EQUAL(tree_.subset_start[node + 1] - tree_.subset_start[node],
                (sample_.n_levels[column] + 63) / 64);
    const uint64_t last = tree_.subset_words[size_t(tree_.subset_start[node + 1]) - 1];
    CHECK_EQUAL(last >> (sample_.n_levels[column] % 64), 0);  // no stray bits
    for (int32_t code = 0; code < sample_.n_levels[column]; ++code)
      if (!std::binary_search(seen.begin(), seen.end(), double(code)))
        CHECK_EQUAL(goes_left(node, code), tree_.missing_left[node] != 0);
  }

  void check_threshold(size_t node, const SlowCut& cut) const {
    CHECK_EQUAL(tree_.subset_start[node], tree_.subset_start[node + 1]);
    const auto left = present_values(sample_, cut.left, cut.column);
    const auto right = present_values(sample_, cut.right, cut.column);
    if (right.empty())
      CHECK_SAME_BITS(tree_.threshold[node], std::numeric_limits<double>::max());
    else
      CHECK_SAME_BITS(tree_.threshold[node], left.back() / 2 + right[0] / 2 + 0.0);
  }

  // --- best first ---

  // At any time the best open node is split: no leaf is worth more than it.
  void check_order() const {
    CHECK(static_cast<int64_t>(n_leaves()) <= settings_.max_leaves);
    std::vector<size_t> open{0};
    while (true) {
      size_t best = n_nodes_;
      double waiting = -1;
      for (const size_t node : open) {
        if (leaf(node))
          waiting = std::max(waiting, gain_[node]);
        else if (best == n_nodes_ || gain_[node] > gain_[best])
          best = node;
      }
      if (best == n_nodes_) return;
      CHECK(gain_[best] >= waiting - close);
      open.erase(std::find(open.begin(), open.end(), best));
      open.push_back(size_t(tree_.left[best]));
      open.push_back(size_t(tree_.right[best]));
    }
  }

  const Sample& sample_;
  const TreeArrays& tree_;
  const Setup& setup_;
  const GrowSettings& settings_;
  Rules rules_;
  size_t n_nodes_;
  std::vector<RowList> rows_;
  std::vector<int64_t> depth_;
  std::vector<double> gain_;  // what the cut, or the best cut of a leaf, gives
};

Setup draw_setup(Random& random, bool limited) {
  Setup setup;
  setup.n_workers = 1 + int(random.below(2));
  if (!limited) return setup;
  GrowSettings& settings = setup.options.settings;
  if (random.chance(0.3)) settings.max_depth = int64_t(random.below(5));
  if (random.chance(0.3)) settings.min_rows_split = 2 + int64_t(random.below(20));
  if (random.chance(0.3)) settings.limits.min_rows = 1 + int64_t(random.below(8));
  if (random.chance(0.3)) setup.options.min_mass_fraction = random.unit() * 0.2;
  if (random.chance(0.3)) setup.options.min_impurity_decrease = random.unit() * 0.05;
  return setup;
}

void check_random_trees(uint64_t seed, int n_trees, Kinds kinds, bool limited,
                        int most_leaves = 0) {
  Random random(seed);
  for (int i = 0; i < n_trees; ++i) {
    constexpr int32_t n_classes[] = {0, 2, 2, 3, 6};
    const size_t n_rows = 1 + random.below(50), n_columns = 1 + random.below(4);
    Sample sample = draw_sample(random, n_rows, n_columns, n_classes[random.below(5)],
                                kinds, 1 + int(random.below(15)));
    if (sample.n_classes > 0 && random.chance(0.4)) sample.purity = Purity::entropy;
    Setup setup = draw_setup(random, limited);
    if (most_leaves > 0)
      setup.options.settings.max_leaves =
          1 + int64_t(random.below(size_t(most_leaves)));
    constexpr Weighing weighings[] = {Weighing::none, Weighing::by_row,
                                      Weighing::by_class};
    setup.weighing =
        draw_mass(random, sample, weighings[random.below(sample.n_classes > 0 ? 3 : 2)],
                  random.chance(0.5));
    const TreeArrays tree = kinds == Kinds::mostly_zero ? grow_sparse(sample, setup)
                                                        : grow_dense(sample, setup);
    TreeCheck(sample, tree, setup).run();
  }
}

}  // namespace

TEST(every_cut_of_numbers_is_the_best) {
  check_random_trees(1, 120, Kinds::numeric, false);
  check_random_trees(2, 120, Kinds::numeric, true);
}

TEST(every_cut_of_categories_is_the_best) {
  check_random_trees(3, 80, Kinds::categorical, false);
  check_random_trees(4, 80, Kinds::categorical, true);
}

TEST(every_cut_of_mixed_columns_is_the_best) {
  check_random_trees(5, 120, Kinds::mixed, false);
  check_random_trees(6, 120, Kinds::mixed, true);
}

TEST(every_cut_of_sparse_columns_is_the_best) {
  check_random_trees(7, 80, Kinds::mostly_zero, false);
  check_random_trees(8, 80, Kinds::mostly_zero, true);
}

TEST(the_best_leaf_is_split_first) {
  check_random_trees(9, 80, Kinds::numeric, false, 12);
  check_random_trees(10, 80, Kinds::mixed, true, 12);
  check_random_trees(11, 80, Kinds::mostly_zero, true, 12);
}

// --- single cases ---

namespace {

Sample sample_of(const std::vector<double>& column, const std::vector<int32_t>& labels,
                 int32_t n_classes) {
  Sample sample;
  sample.grid = Grid(column.size(), 1);
  sample.grid.cells = column;
  sample.n_levels = {0};
  sample.labels = labels;
  sample.n_classes = n_classes;
  sample.mass.assign(column.size(), 1);
  return sample;
}

Sample numbers_of(const std::vector<double>& column,
                  const std::vector<double>& numbers) {
  Sample sample = sample_of(column, {}, 0);
  sample.purity = Purity::squared_error;
  sample.numbers = numbers;
  return sample;
}

}  // namespace

TEST(nothing_to_split) {
  const Sample samples[] = {sample_of({1}, {0}, 1),
                            sample_of({1, 2, 3}, {1, 1, 1}, 2),
                            sample_of({5, 5, 5}, {0, 1, 2}, 3),
                            sample_of({no_value, no_value}, {0, 1}, 2),
                            numbers_of({1, 2}, {0.1, 0.1}),
                            numbers_of({1}, {7})};
  for (const Sample& sample : samples)
    for (const int64_t max_leaves : {-1, 5}) {
      Setup setup;
      setup.options.settings.max_leaves = max_leaves;
      for (const TreeArrays& tree :
           {grow_dense(sample, setup), grow_sparse(sample, setup)}) {
        CHECK_EQUAL(tree.left, std::vector<int32_t>{-1});
        TreeCheck(sample, tree, setup).run();
      }
    }
}

TEST(classes_that_weigh_nothing_are_not_told_apart) {
  Sample sample = sample_of({1, 2, 3, 4, 5, 6}, {0, 1, 2, 2, 1, 0}, 3);
  for (const std::vector<double>& of_class :
       {std::vector<double>{0, 0, 0}, {0, 0, 5}, {0.1, 0, 0}, {0, 1e-300, 0}})
    for (const Weighing weighing : {Weighing::by_class, Weighing::by_row})
      for (const Purity purity : {Purity::gini, Purity::entropy}) {
        for (size_t row = 0; row < 6; ++row)
          sample.mass[row] = of_class[size_t(sample.labels[row])];
        sample.purity = purity;
        Setup setup;
        setup.weighing = weighing;
        CHECK_EQUAL(grow_dense(sample, setup).left.size(), 1);
        CHECK_EQUAL(grow_sparse(sample, setup).left.size(), 1);
      }
}

TEST(cuts_that_gain_nothing_yet_are_made) {
  Sample sample = sample_of({0, 0, 1, 1}, {0, 1, 1, 0}, 2);
  sample.grid = Grid(4, 2);
  sample.grid.cells = {0, 0, 0, 1, 1, 0, 1, 1};
  sample.n_levels = {0, 0};
  const TreeArrays tree = grow_dense(sample, {});
  CHECK_EQUAL(tree.left.size(), 7);
  TreeCheck(sample, tree, {}).run();
}

TEST(the_mean_of_equal_numbers_is_that_number) {
  for (const double number : {0.1, -3.3, 1e-300, 1.0 / 3, 12345.678, 1e290, 5e-324}) {
    std::vector<double> column, numbers;
    for (int i = 0; i < 999; ++i) {
      column.push_back(i % 2);
      numbers.push_back(i % 2 ? number : number * 2);
    }
    const TreeArrays tree = grow_dense(numbers_of(column, numbers), {});
    CHECK_EQUAL(tree.left.size(), 3);
    CHECK_SAME_BITS(tree.mean[1], number * 2);
    CHECK_SAME_BITS(tree.mean[2], number);
    CHECK_EQUAL(tree.sse[1] + tree.sse[2], 0.0);
  }
}

TEST(a_row_far_away_does_not_spoil_the_rest) {
  std::vector<double> column, numbers;
  for (int i = 0; i < 40; ++i) {
    column.push_back(i);
    numbers.push_back(i < 20 ? 1 : 3);
  }
  numbers[39] = 1e9;
  const Sample sample = numbers_of(column, numbers);
  const TreeArrays tree = grow_dense(sample, {});
  CHECK_EQUAL(tree.left.size(), 5);
  TreeCheck(sample, tree, {}).run();
}

TEST(unused_classes_keep_their_place) {
  const Sample sample = sample_of({1, 2, 3, 4}, {1, 1, 4, 4}, 6);
  const TreeArrays tree = grow_dense(sample, {});
  CHECK_EQUAL(tree.counts, (std::vector<int64_t>{0, 2, 0, 0, 2, 0, 0, 2, 0, 0, 0, 0, 0,
                                                 0, 0, 0, 2, 0}));
}
