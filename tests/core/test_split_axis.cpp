// The search of one node against all cuts there are.
#include <memory>
#include <string>

#include "check.hpp"
#include "oracle.hpp"
#include "split_axis.hpp"

using namespace tanoak;

namespace {

// --- the core's view of a sample; masses and numbers are whole ---

ClassTarget class_target(const Sample& sample, bool mass_by_row) {
  ClassTarget target;
  target.n_classes = sample.n_classes;
  while (1 << target.label_bits < sample.n_classes) ++target.label_bits;
  target.class_mass.assign(static_cast<size_t>(sample.n_classes), 1);
  for (size_t row = 0; row < sample.n_rows(); ++row)
    target.class_mass[static_cast<size_t>(sample.labels[row])] =
        static_cast<int64_t>(sample.mass[row]);
  if (mass_by_row) target.row_mass.assign(sample.mass.begin(), sample.mass.end());
  return target;
}

NumberTarget number_target(const Sample& sample) {
  NumberTarget target;
  target.numbers = sample.numbers;
  target.row_mass.assign(sample.mass.begin(), sample.mass.end());
  for (size_t row = 0; row < sample.n_rows(); ++row)
    target.row_moment.push_back(
        static_cast<int64_t>(sample.mass[row] * (sample.numbers[row] - 3)));
  return target;
}

// Some rows of a sample, sorted; with the best cut over all columns.
template <class Criterion>
struct Searched {
  SortedColumns sorted;
  AxisCut cut;
};

template <class Criterion>
Searched<Criterion> search(const Sample& sample, const RowList& rows, bool sparse,
                           const typename Criterion::Target& target,
                           const Criterion& criterion, const CutLimits& limits) {
  std::vector<uint32_t> ids, numbers;
  typename Criterion::Sums node(target);
  for (const size_t row : rows) {
    const int32_t label = sample.labels.empty() ? 0 : sample.labels[row];
    numbers.push_back(static_cast<uint32_t>(row));
    ids.push_back(target.make_id(static_cast<uint32_t>(row), label));
    node.add(target, make_record(0, ids.back()));
  }
  const RowIds some{ids.data(), numbers.data(), static_cast<int64_t>(rows.size())};
  Workers workers(1);
  Searched<Criterion> result;
  if (sparse)
    result.sorted = presort(compress_columns<double, int32_t>(sample.grid, true).view,
                            some, workers, StopFlag());
  else
    result.sorted = presort(Dense<double>(sample.grid, Layout::by_row).view, some,
                            sample.n_levels, workers, StopFlag());
  AxisSearch<Criterion> finder(target, criterion, limits);
  for (size_t column = 0; column < sample.grid.n_columns; ++column) {
    const auto& info = result.sorted.columns[column];
    if (present_values(sample, rows, column).empty()) continue;
    finder.search(result.sorted.pool.data.get(), info,
                  {static_cast<int32_t>(column), info.begin, info.end}, node,
                  result.cut);
  }
  return result;
}

// --- what the cut means, and whether any other is better ---

template <class Target>
SlowCut spell_out(const Sample& sample, const RowList& rows, const Target& target,
                  const SortedColumns& sorted, const AxisCut& cut) {
  const auto column = static_cast<size_t>(cut.column);
  const auto& info = sorted.columns[column];
  if (info.n_levels > 0) {
    const std::set<double> codes(cut.left_codes.begin(), cut.left_codes.end());
    return divide(sample, rows, column, cut.missing_left,
                  [&](double x) { return codes.count(x) > 0; });
  }
  const double last = info.sparse ? info.values[rank_of(cut.last_left)]
                                  : sample.grid(target.row(cut.last_left), column);
  return divide(sample, rows, column, cut.missing_left,
                [&](double x) { return x <= last; });
}

template <class Criterion>
void check_search(const Sample& sample, const RowList& rows, bool sparse,
                  const typename Criterion::Target& target, const Criterion& criterion,
                  const CutLimits& limits) {
  const auto result = search(sample, rows, sparse, target, criterion, limits);
  const Limits wanted{static_cast<size_t>(limits.min_rows),
                      static_cast<double>(limits.min_mass)};
  const double best = best_decrease(sample, rows, wanted);
  CHECK_EQUAL(result.cut.found(), best >= 0);
  if (!result.cut.found()) return;
  const SlowCut cut = spell_out(sample, rows, target, result.sorted, result.cut);
  CHECK(allowed(sample, cut, wanted));
  CHECK_NEAR(decrease(sample, cut.left, cut.right), best, 1e-9 * (1 + best));
  const size_t n_missing =
      static_cast<size_t>(std::count_if(rows.begin(), rows.end(), [&](size_t row) {
        return std::isnan(sample.grid(row, cut.column));
      }));
  CHECK_EQUAL(result.cut.missing_seen, n_missing > 0);
  if (sample.n_levels[cut.column] > 0)
    CHECK_EQUAL(result.cut.left_codes.size() + result.cut.right_codes.size(),
                present_values(sample, rows, cut.column).size());
}

// The same sample through every criterion that can take it.
void check_all(Sample sample, const RowList& rows, bool sparse, bool mass_by_row,
               const CutLimits& limits) {
  if (sample.purity == Purity::squared_error) {
    const NumberTarget target = number_target(sample);
    check_search(sample, rows, sparse, target, SquaredError(target), limits);
    return;
  }
  const ClassTarget target = class_target(sample, mass_by_row);
  sample.purity = Purity::gini;
  check_search(sample, rows, sparse, target, Gini<uint64_t>(target), limits);
  check_search(sample, rows, sparse, target, Gini<uint128>(target), limits);
  sample.purity = Purity::entropy;
  const auto total = static_cast<int64_t>(mass_of(sample, rows));
  const auto logs = std::make_shared<const EntropyTable>(total);
  check_search(sample, rows, sparse, target, Entropy(target, logs), limits);
}

enum class Kinds { numeric, categorical, mixed };

// n_classes 0: numbers. The mass of a row is that of its class, or its own.
Sample draw_sample(Random& random, size_t n_rows, int32_t n_classes, Kinds kinds,
                   bool mass_by_row, double missing_share) {
  Sample sample;
  const size_t n_columns = 1 + random.below(4);
  sample.grid =
      draw_grid(random, n_rows, n_columns, 1 + int(random.below(12)), missing_share);
  for (size_t column = 0; column < n_columns; ++column) {
    const bool categorical =
        kinds == Kinds::categorical || (kinds == Kinds::mixed && column % 2 == 1);
    const int n_levels = categorical ? 2 + int(random.below(6)) : 0;
    sample.n_levels.push_back(n_levels);
    for (size_t row = 0; categorical && row < n_rows; ++row)
      if (!std::isnan(sample.grid(row, column)))
        sample.grid(row, column) = random.whole(0, n_levels - 1);
  }
  std::vector<double> class_mass;
  for (int32_t k = 0; k < n_classes; ++k) class_mass.push_back(random.whole(1, 9));
  if (n_classes > 0 && random.chance(0.2))  // a class may weigh nothing, but not all
    class_mass[random.below(size_t(n_classes))] = 0;
  sample.n_classes = n_classes;
  if (n_classes == 0) sample.purity = Purity::squared_error;
  const int least = kinds == Kinds::numeric ? 0 : 1;  // a row may weigh nothing
  for (size_t row = 0; row < n_rows; ++row) {
    if (n_classes == 0) {
      sample.numbers.push_back(random.whole(-20, 20));
    } else {
      // Somewhat dependent on the first column, so that cuts differ.
      const bool drawn = std::isnan(sample.grid(row, 0)) || random.chance(0.5);
      const size_t k = drawn ? random.below(size_t(n_classes))
                             : size_t(sample.grid(row, 0) + 100) % size_t(n_classes);
      sample.labels.push_back(static_cast<int32_t>(k));
    }
    sample.mass.push_back(mass_by_row || n_classes == 0
                              ? random.whole(least, 6)
                              : class_mass[size_t(sample.labels[row])]);
  }
  return sample;
}

RowList draw_rows(Random& random, size_t n_rows) {
  RowList rows;
  const double share = random.chance(0.5) ? 1.0 : 0.6;
  for (size_t row = 0; row < n_rows; ++row)
    if (random.chance(share)) rows.push_back(row);
  if (rows.empty()) rows.push_back(0);
  return rows;
}

void check_random_samples(uint64_t seed, int n_samples, Kinds kinds, bool sparse,
                          bool limited) {
  Random random(seed);
  for (int i = 0; i < n_samples; ++i) {
    constexpr int32_t n_classes[] = {0, 2, 2, 2, 3, 7};
    const bool mass_by_row = random.chance(0.4);
    const size_t n_rows = 2 + random.below(40);
    const double missing_share = random.chance(0.5) ? 0 : random.unit() / 2;
    Sample sample = draw_sample(random, n_rows, n_classes[random.below(6)], kinds,
                                mass_by_row, missing_share);
    CutLimits limits;
    if (limited) {
      limits.min_rows = 1 + int64_t(random.below(n_rows / 2 + 1));
      if (random.chance(0.5)) limits.min_mass = 1 + int64_t(random.below(3 * n_rows));
    }
    check_all(sample, draw_rows(random, n_rows), sparse, mass_by_row, limits);
  }
}

}  // namespace

TEST(the_best_threshold_is_found) {
  check_random_samples(1, 400, Kinds::numeric, false, false);
}

TEST(the_best_threshold_within_limits_is_found) {
  check_random_samples(2, 400, Kinds::numeric, false, true);
}

TEST(the_best_threshold_of_sparse_columns_is_found) {
  check_random_samples(3, 300, Kinds::numeric, true, false);
  check_random_samples(4, 300, Kinds::numeric, true, true);
}

TEST(the_best_subset_is_found) {
  check_random_samples(5, 300, Kinds::categorical, false, false);
  check_random_samples(6, 300, Kinds::categorical, false, true);
}

TEST(numbers_and_categories_are_compared_fairly) {
  check_random_samples(7, 500, Kinds::mixed, false, false);
  check_random_samples(8, 500, Kinds::mixed, false, true);
}

TEST(sparse_and_dense_columns_give_the_same_cut) {
  Random random(9);
  for (int repeat = 0; repeat < 300; ++repeat) {
    const int32_t n_classes = repeat % 3 == 0 ? 4 : 2;
    const bool mass_by_row = random.chance(0.5);
    const Sample sample =
        draw_sample(random, 2 + random.below(60), n_classes, Kinds::numeric,
                    mass_by_row, random.chance(0.5) ? 0 : 0.3);
    const RowList rows = draw_rows(random, sample.n_rows());
    const ClassTarget target = class_target(sample, mass_by_row);
    const CutLimits limits{1 + int64_t(random.below(4)), 1};
    const Gini<uint64_t> gini(target);
    const auto dense = search(sample, rows, false, target, gini, limits);
    const auto sparse = search(sample, rows, true, target, gini, limits);
    CHECK_EQUAL(sparse.cut.column, dense.cut.column);
    CHECK_SAME_BITS(sparse.cut.score, dense.cut.score);
    if (!dense.cut.found()) continue;
    CHECK_EQUAL(sparse.cut.missing_left, dense.cut.missing_left);
    CHECK_EQUAL(spell_out(sample, rows, target, sparse.sorted, sparse.cut).left,
                spell_out(sample, rows, target, dense.sorted, dense.cut).left);
  }
}

// Too many categories for all subsets: every prefix of their order is looked at.
TEST(the_best_prefix_of_many_categories_is_found) {
  Random random(12);
  for (const int32_t n_classes : {2, 4})
    for (int repeat = 0; repeat < 40; ++repeat) {
      Sample sample = draw_sample(random, 150, n_classes, Kinds::numeric, true, 0.1);
      sample.grid = draw_grid(random, 150, 1, 0, 0.1);
      sample.n_levels = {14};
      for (double& cell : sample.grid.cells) cell += random.whole(0, 13);  // or missing
      const RowList rows = draw_rows(random, 150);
      const ClassTarget target = class_target(sample, true);
      std::vector<Category<ClassSums>> groups;
      for (const double code : present_values(sample, rows, 0)) {
        groups.push_back({uint32_t(code), ClassSums(target)});
        for (const size_t row : rows)
          if (sample.grid(row, 0) == code)
            groups.back().sums.add(target,
                                   target.make_id(uint32_t(row), sample.labels[row]));
      }
      CHECK(groups.size() > largest_exhaustive);
      CHECK(!order_categories(groups));
      double best = -1;
      for (const bool missing_left : {false, true}) {
        std::set<double> prefix;
        for (const auto& group : groups) {
          prefix.insert(group.code);
          const SlowCut cut = divide(sample, rows, 0, missing_left,
                                     [&](double x) { return prefix.count(x) > 0; });
          if (allowed(sample, cut, {5, 1}))
            best = std::max(best, decrease(sample, cut.left, cut.right));
        }
      }
      const auto result =
          search(sample, rows, false, target, Gini<uint128>(target), {5, 1});
      const SlowCut cut = spell_out(sample, rows, target, result.sorted, result.cut);
      CHECK(allowed(sample, cut, {5, 1}));
      CHECK_NEAR(decrease(sample, cut.left, cut.right), best, 1e-9 * (1 + best));
    }
}

// --- ties ---

TEST(of_equal_columns_the_first_is_taken) {
  Random random(10);
  for (const int32_t n_classes : {0, 2, 3})
    for (int repeat = 0; repeat < 60; ++repeat) {
      const size_t n_rows = 3 + random.below(30);
      Sample sample = draw_sample(random, n_rows, n_classes, Kinds::numeric, true, 0);
      const Grid drawn = sample.grid;
      sample.grid = Grid(n_rows, 3);
      sample.n_levels = {0, 0, 0};
      for (size_t row = 0; row < n_rows; ++row) {
        sample.grid(row, 0) = drawn(row, 0);
        sample.grid(row, 1) = -3 * drawn(row, 0);  // the same cuts, mirrored
        sample.grid(row, 2) = drawn(row, 0);
      }
      const RowList rows = draw_rows(random, n_rows);
      auto column_of = [&](const auto& target, const auto& criterion) {
        return search(sample, rows, repeat % 2 == 0, target, criterion, {}).cut.column;
      };
      const int32_t expected = best_decrease(sample, rows, {1, 1}) >= 0 ? 0 : -1;
      if (n_classes == 0) {
        const NumberTarget target = number_target(sample);
        CHECK_EQUAL(column_of(target, SquaredError(target)), expected);
      } else {
        const ClassTarget target = class_target(sample, true);
        const auto logs = std::make_shared<const EntropyTable>(1000);
        CHECK_EQUAL(column_of(target, Gini<uint128>(target)), expected);
        CHECK_EQUAL(column_of(target, Entropy(target, logs)), expected);
      }
    }
}

TEST(a_cut_that_is_only_as_good_replaces_nothing) {
  Random random(11);
  const Sample sample = draw_sample(random, 30, 3, Kinds::mixed, true, 0.1);
  RowList rows(30);
  for (size_t row = 0; row < 30; ++row) rows[row] = row;
  const ClassTarget target = class_target(sample, true);
  auto result = search(sample, rows, false, target, Gini<uint64_t>(target), {});
  AxisSearch<Gini<uint64_t>> finder(target, Gini<uint64_t>(target), {});
  ClassSums node(target);
  for (const size_t row : rows)
    node.add(target, target.make_id(uint32_t(row), sample.labels[row]));
  const auto& info = result.sorted.columns[size_t(result.cut.column)];
  AxisCut best;
  best.score = result.cut.score;
  finder.search(result.sorted.pool.data.get(), info,
                {result.cut.column, info.begin, info.end}, node, best);
  CHECK(!best.found());
  best.score = std::nextafter(best.score, 0.0);
  finder.search(result.sorted.pool.data.get(), info,
                {result.cut.column, info.begin, info.end}, node, best);
  CHECK_EQUAL(best.column, result.cut.column);
}

// --- missing values ---

namespace {

// Two rows have the value 1 (or the code 0), three have none.
AxisCut cut_off_missing(int32_t n_levels, bool sparse, int64_t min_rows) {
  Sample sample;
  sample.grid = Grid(5, 1);
  sample.grid.cells = {no_value, 1, no_value, 1, no_value};
  if (n_levels > 0) sample.grid.cells[1] = sample.grid.cells[3] = 0;
  sample.n_levels = {n_levels};
  sample.n_classes = 2;
  sample.labels = {1, 0, 1, 0, 1};
  sample.mass = {1, 1, 1, 1, 1};
  const ClassTarget target = class_target(sample, false);
  return search(sample, {0, 1, 2, 3, 4}, sparse, target, Gini<uint64_t>(target),
                {min_rows, 1})
      .cut;
}

}  // namespace

TEST(missing_rows_can_be_cut_from_all_others) {
  for (const bool sparse : {false, true}) {
    const AxisCut cut = cut_off_missing(0, sparse, 2);
    CHECK_EQUAL(cut.column, 0);
    CHECK(cut.missing_seen && !cut.missing_left);
    CHECK_EQUAL(rank_of(cut.first_right), missing_rank);
    CHECK(rank_of(cut.last_left) != missing_rank);
    CHECK(!cut_off_missing(0, sparse, 3).found());
  }
}

TEST(missing_rows_can_be_cut_from_the_only_category) {
  const AxisCut cut = cut_off_missing(4, false, 2);
  CHECK_EQUAL(cut.column, 0);
  CHECK(cut.missing_seen && !cut.missing_left);
  CHECK_EQUAL(cut.left_codes, std::vector<uint32_t>{0});
  CHECK(cut.right_codes.empty());
  CHECK(!cut_off_missing(4, false, 3).found());
}
