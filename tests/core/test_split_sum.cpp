// Growth with a search of sums: the same tree from every engine and any number of
// workers, and every row where routing sends it.
#include <map>

#include "check.hpp"
#include "fill.hpp"
#include "grow_binned.hpp"
#include "route.hpp"
#include "trees.hpp"

using namespace tanoak;

namespace {

using Criterion = Gini<uint64_t>;

// Tries the sum and the difference of the first two features at every third row; takes
// the best of these cuts where it beats the axis cut by a tenth.
class ToySearch : public SumSearch<Criterion> {
 public:
  ToySearch(const ClassTarget& target, const Features& features, int64_t min_rows)
      : state_(target), features_(features), min_rows_(min_rows) {}

  SumCut find(const SumQuestion<Criterion>& node) override {
    SumCut best;
    double bar = 1.1 * node.axis_decrease;
    for (const double weight : {0.75, -1.5}) {
      const std::vector<Term> terms{{0, 1.0}, {1, weight}};
      std::vector<double> sums(static_cast<size_t>(node.n));
      features_.project(terms, node.rows, node.n, sums.data());
      for (size_t at = 0; at < sums.size(); at += 3) {
        ClassSums left(node.target), right(node.target);
        for (size_t i = 0; i < sums.size(); ++i)
          (sums[i] <= sums[at] ? left : right).add(node.target, node.records[i]);
        if (std::min(left.rows, right.rows) < min_rows_) continue;
        const double decrease = state_.decrease(node.sums, left, right);
        if (!(decrease > bar)) continue;
        bar = decrease;
        best = {terms, sums[at]};
      }
    }
    return best;
  }

 private:
  Criterion state_;
  const Features& features_;
  int64_t min_rows_;
};

// A sample of two classes, of numbers and one category, and all that growth borrows.
struct Problem {
  Sample sample;
  std::vector<double> fill;
  ClassTarget target;
  std::vector<uint32_t> ids;
  StopFlag stop;
  Progress progress{0};
  GrowSettings settings;

  Problem(Random& random, size_t n_rows, Kinds kinds)
      : sample(draw_sample(random, n_rows, 4, 2, kinds, 40)) {
    Workers alone(1);
    const Dense<double> table(sample.grid, Layout::by_row);
    fill = learn_fill(TableView(table.view), sample.n_levels, alone, stop);
    std::vector<uint32_t> rows(n_rows);
    for (uint32_t row = 0; row < n_rows; ++row) rows[row] = row;
    std::vector<double> sums(n_rows);
    Features(TableView(table.view), sample.n_levels, fill, alone, stop)
        .project({{0, 1.0}, {1, 0.75}}, rows.data(), int64_t(n_rows), sums.data());
    for (size_t row = 0; row < n_rows; ++row)
      sample.labels[row] = random.chance(0.2) ? 0 : sums[row] > 0 || sums[row] < -7;
    target.n_classes = 2;
    target.label_bits = 1;
    target.class_mass = {1, 1};
    for (uint32_t row = 0; row < n_rows; ++row)
      ids.push_back(target.make_id(row, sample.labels[row]));
    settings.limits.min_rows = 4;
  }

  // With `of_sparse` from a sparse table, else from a dense one.
  TreeArrays grow(int n_workers, bool of_sparse) {
    Workers workers(n_workers);
    progress = 0;
    const Dense<double> dense(sample.grid, Layout::by_row);
    const auto sparse = compress_columns<double, int32_t>(sample.grid, true);
    const TableView table = of_sparse ? TableView(sparse.view) : TableView(dense.view);
    const Features features(table, sample.n_levels, fill, workers, stop);
    GrowContext<Criterion> context{
        [](const ClassTarget& part) { return Criterion(part); }, settings, workers,
        stop, progress};
    context.sums.features = &features;
    context.sums.make_search = [&](const ClassTarget& part, const Crew& crew) {
      CHECK(crew.count() == 1 || crew.count() == workers.count());
      return std::make_unique<ToySearch>(part, features, settings.limits.min_rows);
    };
    TreeArrays tree = finish(
        of_sparse ? grow_part_sparse(sparse.view, context)
                  : grow_binned(dense.view, sample.n_levels, target, ids, context),
        0);
    tree.fill = fill;
    CHECK_EQUAL(progress.load(), int64_t(sample.n_rows()));
    return tree;
  }

 private:
  Growth<ClassTarget> grow_part_sparse(const SparseView<double, int32_t>& view,
                                       const GrowContext<Criterion>& context) {
    const RowIds rows{ids.data(), nullptr, view.n_rows};
    SortedColumns sorted = presort(view, rows, context.workers, stop);
    Frame<ClassTarget> frame;
    frame.pool = sorted.pool.data.get();
    frame.columns = &sorted.columns;
    frame.target = &target;
    frame.side.resize(ids.size());
    frame.list_rows(ids);
    return grow_sorted(frame, context, 0);
  }
};

size_t count_sums(const TreeArrays& tree) {
  size_t n = 0;
  for (size_t node = 0; node < tree.left.size(); ++node)
    n += tree.term_start[node + 1] - tree.term_start[node] == 2;
  return n;
}

// Counts of every node, as routing finds them.
void check_routing(const Problem& problem, const TreeArrays& tree) {
  const auto& t = tree;
  const Router router({int64_t(t.left.size()), 4, t.left.data(), t.right.data(),
                       t.threshold.data(), t.missing_left.data(), t.term_start.data(),
                       t.term_column.data(), t.term_level.data(), t.term_weight.data(),
                       t.subset_start.data(), t.subset_words.data(), t.fill.data()});
  Workers workers(1);
  std::vector<int32_t> leaves(problem.sample.n_rows());
  const Dense<double> dense(problem.sample.grid, Layout::by_row);
  router.apply(dense.view, leaves.data(), workers, StopFlag());
  std::map<int32_t, std::vector<int64_t>> counts;
  for (size_t row = 0; row < leaves.size(); ++row) {
    auto& of_leaf = counts[leaves[row]];
    of_leaf.resize(2);
    ++of_leaf[size_t(problem.sample.labels[row])];
  }
  for (const auto& [leaf, count] : counts) {
    CHECK_EQUAL(t.left[size_t(leaf)], -1);
    CHECK_EQUAL(count[0], t.counts[size_t(2 * leaf)]);
    CHECK_EQUAL(count[1], t.counts[size_t(2 * leaf) + 1]);
    CHECK(count[0] + count[1] >= problem.settings.limits.min_rows);
  }
}

void check_engines(Problem& problem, bool of_sparse) {
  const TreeArrays one = problem.grow(1, of_sparse);
  CHECK(count_sums(one) > 0);
  check_routing(problem, one);
  for (const int n_workers : {2, 3})
    CHECK_EQUAL(difference(problem.grow(n_workers, of_sparse), one), "");
}

}  // namespace

TEST(sums_on_sorted_columns) {
  Random random(1);
  for (const Kinds kinds : {Kinds::numeric, Kinds::mixed}) {
    Problem small(random, 300, kinds);
    check_engines(small, false);
    // More cells than one worker gets, so that workers share nodes and then part.
    Problem large(random, size_t(subtree_cells_of_sums) / 4 + 900, kinds);
    large.settings.limits.min_rows = 200;
    check_engines(large, false);
  }
}

TEST(sums_on_sparse_columns) {
  Random random(2);
  Problem problem(random, size_t(subtree_cells_of_sums) / 4 + 900, Kinds::mostly_zero);
  problem.settings.limits.min_rows = 100;
  check_engines(problem, true);
}

TEST(sums_where_the_columns_do_not_fit) {
  Random random(3);
  Problem problem(random, 2000, Kinds::mixed);
  problem.settings.limits.min_rows = 50;
  const TreeArrays whole = problem.grow(1, false);
  problem.settings.max_sort_bytes = 2000 * 4 * 8 / 3;
  check_engines(problem, false);
  // Few values: quantiles keep them apart, so nothing is lost.
  CHECK_EQUAL(difference(problem.grow(1, false), whole), "");
}

TEST(sums_best_first) {
  Random random(4);
  Problem problem(random, 1500, Kinds::mixed);
  problem.settings.max_leaves = 12;
  check_engines(problem, false);
  CHECK_EQUAL(problem.grow(1, false).left.size(), 23u);
  problem.settings.max_sort_bytes = 1000;
  check_engines(problem, false);
}

TEST(a_sum_that_gains_too_little_is_not_made) {
  Random random(5);
  Problem problem(random, 400, Kinds::numeric);
  problem.settings.min_decrease = 1e9;
  CHECK_EQUAL(problem.grow(1, false).left.size(), 1u);
}

TEST(a_search_can_be_stopped) {
  Random random(6);
  Problem problem(random, 400, Kinds::numeric);
  problem.stop.request();
  bool stopped = false;
  try {
    problem.grow(1, false);
  } catch (const Interrupted&) {
    stopped = true;
  }
  CHECK(stopped);
}
