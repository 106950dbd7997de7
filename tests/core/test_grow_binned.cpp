// Growth in little memory: cut at quantiles above, exactly below.
#include "check.hpp"
#include "grow_binned.hpp"
#include "trees.hpp"

using namespace tanoak;

namespace {

struct Problem {
  int32_t n_classes;  // 0: numbers
  Purity purity;
};

constexpr Problem problems[] = {{2, Purity::gini},
                                {3, Purity::gini},
                                {4, Purity::entropy},
                                {0, Purity::squared_error}};

Sample draw_problem(Random& random, const Problem& problem, size_t n_rows,
                    size_t n_columns, int largest) {
  Sample sample =
      draw_sample(random, n_rows, n_columns, problem.n_classes, Kinds::mixed, largest);
  sample.purity = problem.purity;
  return sample;
}

// Room for the records of this many rows of the sample.
Setup with_room_for(const Sample& sample, size_t n_rows) {
  Setup setup;
  setup.options.settings.max_sort_bytes =
      int64_t(n_rows * sample.grid.n_columns * sizeof(Record));
  return setup;
}

bool goes_left(const TreeArrays& tree, size_t node, double value) {
  if (std::isnan(value)) return tree.missing_left[node] != 0;
  if (tree.subset_start[node] == tree.subset_start[node + 1])
    return value <= tree.threshold[node];
  const auto code = size_t(value);
  const size_t word = size_t(tree.subset_start[node]) + code / 64;
  return (tree.subset_words[word] >> (code % 64) & 1) != 0;
}

// The rows of each node, by routing them all.
std::vector<RowList> rows_by_node(const TreeArrays& tree, const Sample& sample) {
  std::vector<RowList> rows(tree.left.size());
  for (size_t row = 0; row < sample.n_rows(); ++row) {
    size_t node = 0;
    rows[node].push_back(row);
    while (tree.left[node] >= 0) {
      const double value = sample.grid(row, column_of(tree, node));
      node = size_t(goes_left(tree, node, value) ? tree.left[node] : tree.right[node]);
      rows[node].push_back(row);
    }
  }
  return rows;
}

}  // namespace

// Every value then has its bin, and the best cut at a quantile is the best there is.
TEST(few_values_give_the_exact_tree) {
  Random random(1);
  for (const Problem& problem : problems)
    for (int repeat = 0; repeat < 20; ++repeat) {
      Sample sample = draw_problem(random, problem, 30 + random.below(400), 4,
                                   1 + int(random.below(100)));
      const Weighing weighing = repeat % 3 == 0 ? Weighing::by_row : Weighing::none;
      draw_mass(random, sample, weighing, false);
      Setup exact = with_room_for(sample, sample.n_rows());
      Setup binned = with_room_for(sample, random.below(sample.n_rows()));
      for (Setup* setup : {&exact, &binned}) {
        setup->weighing = weighing;
        setup->options.settings.limits.min_rows = 1 + repeat % 4;
        if (repeat % 4 == 1) setup->options.settings.max_leaves = 10;
        if (repeat % 4 == 2) setup->options.settings.max_depth = 4;
        if (repeat % 4 == 3) setup->options.min_impurity_decrease = 0.01;
      }
      const TreeArrays tree = grow_dense(sample, exact);
      CHECK_EQUAL(difference(grow_dense(sample, binned), tree), "");
      CHECK_EQUAL(difference(grow_dense<float>(sample, binned, Layout::sliced), tree),
                  "");
    }
}

TEST(no_room_at_all_gives_a_whole_tree_too) {
  Random random(2);
  for (const Problem& problem : problems) {
    const Sample sample = draw_problem(random, problem, 300, 3, 60);
    CHECK_EQUAL(difference(grow_dense(sample, with_room_for(sample, 0)),
                           grow_dense(sample, {})),
                "");
  }
}

// With many values the upper cuts lie at quantiles, but the tree is a tree of its data.
TEST(many_values_give_a_tree_of_the_data) {
  Random random(3);
  for (const Problem& problem : problems) {
    const Sample sample = draw_problem(random, problem, 4000, 3, 2000);
    Setup setup = with_room_for(sample, 500);
    setup.options.settings.limits.min_rows = 5;
    const TreeArrays tree = grow_dense(sample, setup);
    CHECK(tree.left.size() > 100);
    const auto rows = rows_by_node(tree, sample);
    const size_t width = tree.counts.size() / tree.left.size();
    for (size_t node = 0; node < rows.size(); ++node) {
      int64_t count = 0;
      for (size_t k = 0; k < width; ++k) count += tree.counts[node * width + k];
      CHECK_EQUAL(count, rows[node].size());
      CHECK(rows[node].size() >= 5);
    }
  }
}

// A node that fits is grown as if its rows were all there is.
TEST(below_the_limit_cuts_are_exact) {
  Random random(4);
  for (const Problem& problem : problems) {
    const Sample sample = draw_problem(random, problem, 1500, 3, 2000);
    Setup setup = with_room_for(sample, 60);
    setup.options.settings.limits.min_rows = 4;
    const TreeArrays tree = grow_dense(sample, setup);
    const auto rows = rows_by_node(tree, sample);
    int n_checked = 0;
    for (size_t node = 0; node < rows.size(); ++node) {
      if (tree.left[node] < 0 || rows[node].size() > 60) continue;
      const double best = best_decrease(sample, rows[node], {4, 1});
      const double found = decrease(sample, rows[size_t(tree.left[node])],
                                    rows[size_t(tree.right[node])]);
      CHECK_NEAR(found, best, 1e-9 * (1 + best));
      ++n_checked;
    }
    CHECK(n_checked > 30);
  }
}

TEST(a_cut_at_a_quantile_is_nearly_the_best) {
  Random random(5);
  for (const Problem& problem : problems) {
    const Sample sample = draw_problem(random, problem, 1000, 2, 4000);
    Setup setup = with_room_for(sample, 0);
    setup.options.settings.max_depth = 1;
    const TreeArrays tree = grow_dense(sample, setup);
    const auto rows = rows_by_node(tree, sample);
    const double best = best_decrease(sample, rows[0], {1, 1});
    CHECK(decrease(sample, rows[1], rows[2]) >= 0.8 * best);
  }
}

TEST(workers_and_the_order_of_rows_do_not_matter) {
  Random random(6);
  for (const Problem& problem : problems)
    for (const int64_t max_leaves : {-1, 40}) {
      const Sample sample = draw_problem(random, problem, 3000, 4, 2000);
      Setup setup = with_room_for(sample, 400);
      setup.options.settings.max_leaves = max_leaves;
      const TreeArrays tree = grow_dense(sample, setup);
      for (const int n_workers : {2, 3}) {
        setup.n_workers = n_workers;
        CHECK_EQUAL(difference(grow_dense(sample, setup), tree), "");
      }
      Sample mirrored = sample;
      for (size_t row = 0; row < sample.n_rows(); ++row) {
        const size_t from = sample.n_rows() - 1 - row;
        for (size_t column = 0; column < sample.grid.n_columns; ++column)
          mirrored.grid(row, column) = sample.grid(from, column);
        if (problem.n_classes > 0) mirrored.labels[row] = sample.labels[from];
        if (problem.n_classes == 0) mirrored.numbers[row] = sample.numbers[from];
      }
      CHECK_EQUAL(difference(grow_dense(mirrored, setup), tree), "");
    }
}

TEST(a_request_to_stop_ends_binned_growth) {
  Random random(7);
  const Sample sample = draw_problem(random, problems[0], 300, 3, 50);
  StopFlag stop;
  stop.request();
  Progress progress{0};
  const Dense<double> table(sample.grid, Layout::by_row);
  CHECK_THROWS(grow(sample, table.view, with_room_for(sample, 10), stop, progress),
               Interrupted, "");
}

TEST(progress_counts_rows_of_both_parts) {
  Random random(8);
  const Sample sample = draw_problem(random, problems[1], 700, 3, 500);
  Progress progress{0};
  const Dense<double> table(sample.grid, Layout::by_row);
  grow(sample, table.view, with_room_for(sample, 100), StopFlag(), progress);
  CHECK_EQUAL(progress.load(), 700);
}
