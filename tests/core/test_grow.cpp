// One tree, however it is asked for: workers, order of rows, weights, forms of a table.
#include <stdexcept>

#include "check.hpp"
#include "grow.hpp"
#include "trees.hpp"

using namespace tanoak;

namespace {

struct Problem {
  int32_t n_classes;  // 0: numbers
  Purity purity;
  Kinds kinds;
};

constexpr Problem problems[] = {{2, Purity::gini, Kinds::numeric},
                                {2, Purity::gini, Kinds::mixed},
                                {5, Purity::gini, Kinds::mixed},
                                {2, Purity::gini, Kinds::mostly_zero},
                                {3, Purity::entropy, Kinds::mixed},
                                {0, Purity::squared_error, Kinds::mixed},
                                {0, Purity::squared_error, Kinds::mostly_zero}};

Sample draw_problem(Random& random, const Problem& problem, size_t n_rows,
                    size_t n_columns, int largest) {
  Sample sample =
      draw_sample(random, n_rows, n_columns, problem.n_classes, problem.kinds, largest);
  sample.purity = problem.purity;
  return sample;
}

TreeArrays grow_as_drawn(const Sample& sample, Kinds kinds, const Setup& setup) {
  return kinds == Kinds::mostly_zero ? grow_sparse(sample, setup)
                                     : grow_dense(sample, setup);
}

Setup limited_setup(Random& random, int64_t max_leaves) {
  Setup setup;
  setup.options.settings.max_leaves = max_leaves;
  setup.options.settings.limits.min_rows = 1 + int64_t(random.below(3));
  if (random.chance(0.5)) setup.options.min_impurity_decrease = 0.003;
  return setup;
}

// Rows given by their numbers, each as often as it is named.
Sample pick_rows(const Sample& sample, const RowList& rows) {
  Sample picked = sample;
  picked.grid = Grid(rows.size(), sample.grid.n_columns);
  picked.labels.clear();
  picked.numbers.clear();
  picked.mass.clear();
  for (size_t i = 0; i < rows.size(); ++i) {
    for (size_t column = 0; column < sample.grid.n_columns; ++column)
      picked.grid(i, column) = sample.grid(rows[i], column);
    if (!sample.labels.empty()) picked.labels.push_back(sample.labels[rows[i]]);
    if (!sample.numbers.empty()) picked.numbers.push_back(sample.numbers[rows[i]]);
    picked.mass.push_back(sample.mass[rows[i]]);
  }
  return picked;
}

// Below the door, where the criterion and the form of the ids can be chosen.
TreeArrays grow_with(const GrowContext<Gini<uint64_t>>& context, const Sample& sample,
                     const ClassTarget& target) {
  const Dense<float> table(sample.grid, Layout::by_row);
  std::vector<uint32_t> ids;
  for (uint32_t row = 0; row < sample.n_rows(); ++row)
    ids.push_back(target.make_id(row, sample.labels[row]));
  const RowIds rows{ids.data(), nullptr, int64_t(ids.size())};
  SortedColumns sorted =
      presort(table.view, rows, sample.n_levels, context.workers, StopFlag());
  const ValueOf value_of = [&](int32_t column, int64_t row) {
    return double(table.view(row, column));
  };
  Frame<ClassTarget> frame;
  frame.pool = sorted.pool.data.get();
  frame.columns = &sorted.columns;
  frame.target = &target;
  frame.value_of = &value_of;
  frame.side.resize(ids.size());
  return finish(grow_sorted(frame, context, 0), 0);
}

}  // namespace

// --- workers ---

// More rows than one worker is given at a time, so that subtrees are handed out.
TEST(any_number_of_workers_grows_the_same_tree) {
  Random random(1);
  for (const Problem& problem : problems) {
    const Sample sample =
        draw_problem(random, problem, size_t(subtree_rows) + 3000, 4, 2000);
    Setup setup;
    setup.options.settings.limits.min_rows = 25;
    const TreeArrays one = grow_as_drawn(sample, problem.kinds, setup);
    CHECK(one.left.size() > 500);
    for (const int n_workers : {2, 3, 4}) {
      setup.n_workers = n_workers;
      CHECK_EQUAL(difference(grow_as_drawn(sample, problem.kinds, setup), one), "");
    }
  }
}

TEST(any_number_of_workers_grows_the_same_tree_best_first) {
  Random random(2);
  for (const Problem& problem : problems) {
    const Sample sample = draw_problem(random, problem, 3000, 5, 200);
    Setup setup;
    setup.options.settings.max_leaves = 60;
    const TreeArrays one = grow_as_drawn(sample, problem.kinds, setup);
    CHECK_EQUAL(one.left.size(), 119);
    for (const int n_workers : {2, 3, 4}) {
      setup.n_workers = n_workers;
      CHECK_EQUAL(difference(grow_as_drawn(sample, problem.kinds, setup), one), "");
    }
  }
}

TEST(few_rows_with_many_columns_are_shared_by_columns) {
  Random random(3);
  const size_t n_rows = 8192, n_columns = size_t(subtree_cells) / n_rows + 8;
  Sample sample = draw_sample(random, n_rows, n_columns, 2, Kinds::numeric, 3);
  for (size_t row = 0; row < n_rows; ++row)  // enough columns stop to vary soon
    for (size_t column = 2; column < n_columns; ++column)
      sample.grid(row, column) = sample.grid(row, 0) > 0 ? 0 : sample.grid(row, column);
  Setup setup;
  setup.options.settings.max_depth = 4;
  const TreeArrays one = grow_dense<float>(sample, setup);
  CHECK(one.left.size() > 10);
  for (const int n_workers : {2, 3}) {
    setup.n_workers = n_workers;
    CHECK_EQUAL(difference(grow_dense<float>(sample, setup), one), "");
  }
}

// --- the same data in other words ---

TEST(the_order_of_rows_does_not_matter) {
  Random random(4);
  for (const Problem& problem : problems)
    for (int repeat = 0; repeat < 12; ++repeat) {
      Sample sample = draw_problem(random, problem, 50 + random.below(200), 4,
                                   1 + int(random.below(30)));
      Setup setup = limited_setup(random, repeat % 3 == 0 ? 12 : -1);
      constexpr Weighing weighings[] = {Weighing::none, Weighing::by_row,
                                        Weighing::by_class};
      setup.weighing =
          draw_mass(random, sample,
                    weighings[problem.n_classes ? repeat % 3 : repeat % 2], false);
      RowList rows(sample.n_rows());
      for (size_t row = 0; row < rows.size(); ++row) rows[row] = row;
      random.shuffle(rows);
      CHECK_EQUAL(
          difference(grow_as_drawn(pick_rows(sample, rows), problem.kinds, setup),
                     grow_as_drawn(sample, problem.kinds, setup)),
          "");
    }
}

TEST(a_whole_weight_is_that_many_rows) {
  Random random(5);
  for (const Problem& problem : problems)
    for (int repeat = 0; repeat < 12; ++repeat) {
      Sample sample = draw_problem(random, problem, 20 + random.below(150), 4,
                                   1 + int(random.below(30)));
      Setup setup;
      setup.options.settings.max_leaves = repeat % 3 == 0 ? 12 : -1;
      setup.options.min_mass_fraction = repeat % 2 == 0 ? 0.02 : 0;
      if (repeat % 4 == 1) setup.options.min_impurity_decrease = 0.003;
      RowList rows;
      for (size_t row = 0; row < sample.n_rows(); ++row)
        for (size_t copies = 1 + random.below(4); copies > 0; --copies)
          rows.push_back(row);
      const TreeArrays repeated =
          grow_as_drawn(pick_rows(sample, rows), problem.kinds, setup);
      for (double& mass : sample.mass) mass = 0;
      for (const size_t row : rows) ++sample.mass[row];
      setup.weighing = Weighing::by_row;
      const TreeArrays weighted = grow_as_drawn(sample, problem.kinds, setup);
      CHECK_EQUAL(difference_of_splits(weighted, repeated), "");
      CHECK(same_bits(weighted.mean, repeated.mean));
      CHECK_EQUAL(weighted.masses,
                  std::vector<double>(repeated.counts.begin(), repeated.counts.end()));
      for (size_t node = 0; node < weighted.sse.size(); ++node)
        CHECK_NEAR(weighted.sse[node], repeated.sse[node],
                   1e-12 * (1 + repeated.sse[node]));
    }
}

TEST(a_row_that_weighs_nothing_decides_nothing) {
  Random random(6);
  for (const int32_t n_classes : {0, 2, 3}) {
    Sample sample = draw_sample(random, 120, 3, n_classes, Kinds::numeric, 10);
    RowList rows;
    for (size_t row = 0; row < 120; ++row) {
      sample.mass[row] = random.whole(0, 2);
      if (sample.mass[row] > 0) rows.push_back(row);
    }
    Setup setup;
    setup.weighing = Weighing::by_row;
    setup.options.settings.max_depth = 3;
    const TreeArrays all = grow_dense(sample, setup);
    const TreeArrays part = grow_dense(pick_rows(sample, rows), setup);
    CHECK_EQUAL(all.term_column[0], part.term_column[0]);
    CHECK_SAME_BITS(all.masses[0], part.masses[0]);
  }
}

TEST(a_power_of_two_for_all_weights_changes_the_masses_only) {
  Random random(7);
  for (const Problem& problem : problems) {
    Sample sample = draw_problem(random, problem, 150, 4, 12);
    Setup setup;
    setup.weighing = draw_mass(random, sample, Weighing::by_row, false);
    const TreeArrays light = grow_as_drawn(sample, problem.kinds, setup);
    for (double& mass : sample.mass) mass *= 0x1p-70;
    const TreeArrays heavy = grow_as_drawn(sample, problem.kinds, setup);
    CHECK_EQUAL(difference_of_splits(heavy, light), "");
    CHECK(same_bits(heavy.mean, light.mean));
    for (size_t i = 0; i < light.masses.size(); ++i)
      CHECK_SAME_BITS(heavy.masses[i], light.masses[i] * 0x1p-70);
  }
}

TEST(a_sparse_table_grows_the_tree_of_the_dense_one) {
  Random random(8);
  for (const int32_t n_classes : {0, 2, 2, 4})
    for (int repeat = 0; repeat < 15; ++repeat) {
      Sample sample = draw_sample(random, 20 + random.below(200), 5, n_classes,
                                  Kinds::mostly_zero, 1 + int(random.below(9)));
      if (n_classes > 0 && repeat % 4 == 0) sample.purity = Purity::entropy;
      Setup setup = limited_setup(random, repeat % 3 == 0 ? 10 : -1);
      setup.weighing = draw_mass(random, sample,
                                 repeat % 2 ? Weighing::by_row : Weighing::none, false);
      const TreeArrays dense = grow_dense(sample, setup);
      CHECK_EQUAL(difference(grow_sparse<double, int32_t>(sample, setup), dense), "");
      CHECK_EQUAL(difference(grow_sparse<float, int64_t>(sample, setup), dense), "");
      CHECK_EQUAL(difference(grow_sparse<float, int32_t>(sample, setup), dense), "");
      CHECK_EQUAL(difference(grow_sparse<double, int64_t>(sample, setup), dense), "");
    }
}

TEST(types_and_strides_do_not_matter) {
  Random random(9);
  for (const Problem& problem : problems) {
    const Sample sample = draw_problem(random, problem, 300, 5, 40);
    const TreeArrays tree = grow_dense(sample, {});
    for (const Layout layout : all_layouts) {
      CHECK_EQUAL(difference(grow_dense<float>(sample, {}, layout), tree), "");
      CHECK_EQUAL(difference(grow_dense<double>(sample, {}, layout), tree), "");
    }
  }
}

TEST(classes_need_not_fit_into_the_ids) {
  Random random(10);
  for (const int32_t n_classes : {2, 3}) {
    const Sample sample = draw_sample(random, 200, 3, n_classes, Kinds::mixed, 20);
    ClassTarget inside;
    inside.n_classes = n_classes;
    inside.label_bits = n_classes == 2 ? 1 : 2;
    inside.class_mass.assign(size_t(n_classes), 3);
    ClassTarget beside = inside;
    beside.label_bits = 0;
    beside.labels = sample.labels;
    Workers workers(1);
    const StopFlag stop;
    Progress progress{0};
    const GrowSettings settings;
    const GrowContext<Gini<uint64_t>> context{
        [](const ClassTarget& part) { return Gini<uint64_t>(part); }, settings, workers,
        stop, progress};
    const TreeArrays tree = grow_with(context, sample, inside);
    CHECK(tree.left.size() > 20);
    CHECK_EQUAL(difference(grow_with(context, sample, beside), tree), "");
  }
}

// --- stopping ---

TEST(progress_counts_the_rows_that_arrived) {
  Random random(11);
  for (const Problem& problem : problems)
    for (const int64_t max_leaves : {-1, 9}) {
      const Sample sample = draw_problem(random, problem, 500, 3, 30);
      Setup setup;
      setup.options.settings.max_leaves = max_leaves;
      Progress progress{0};
      const Dense<double> table(sample.grid, Layout::by_row);
      grow(sample, table.view, setup, StopFlag(), progress);
      CHECK_EQUAL(progress.load(), 500);
    }
}

TEST(a_request_to_stop_ends_growth) {
  Random random(12);
  for (const Problem& problem : problems)
    for (const int64_t max_leaves : {-1, 9}) {
      const Sample sample = draw_problem(random, problem, 300, 3, 30);
      Setup setup;
      setup.n_workers = 2;
      setup.options.settings.max_leaves = max_leaves;
      StopFlag stop;
      stop.request();
      Progress progress{0};
      const Dense<double> dense(sample.grid, Layout::by_row);
      const auto sparse = compress_columns<double, int32_t>(sample.grid, false);
      CHECK_THROWS(grow(sample, dense.view, setup, stop, progress), Interrupted, "");
      CHECK_THROWS(grow(sample, sparse.view, setup, stop, progress), Interrupted, "");
    }
}

TEST(a_failure_in_the_middle_of_growth_arrives) {
  Random random(13);
  const Sample sample =
      draw_sample(random, size_t(subtree_rows) + 500, 3, 2, Kinds::numeric, 2000);
  ClassTarget target;
  target.n_classes = 2;
  target.label_bits = 1;
  target.class_mass = {1, 1};
  Workers workers(2);
  GrowSettings settings;
  settings.limits.min_rows = 50;
  std::atomic<int> n_made{0};
  int fail_at = 0;
  StopFlag stop, *asked = nullptr;
  Progress progress{0};
  const GrowContext<Gini<uint64_t>> context{
      [&](const ClassTarget& part) {
        if (++n_made == fail_at) {
          if (!asked) throw std::length_error("no more criteria");
          asked->request();
        }
        return Gini<uint64_t>(part);
      },
      settings, workers, stop, progress};
  grow_with(context, sample, target);
  const int n_needed = n_made;
  CHECK(n_needed > 4);  // three for the whole, two for each subtree
  for (fail_at = 1; fail_at <= n_needed; ++fail_at) {
    n_made = 0;
    CHECK_THROWS(grow_with(context, sample, target), std::length_error, "no more");
  }
  // Asked to stop while subtrees grow.
  n_made = 0;
  fail_at = n_needed - 1;
  asked = &stop;
  CHECK_THROWS(grow_with(context, sample, target), Interrupted, "");
}
