// The solver's scale against quantiles, means and deviations reckoned one by one.
#include <algorithm>

#include "check.hpp"
#include "samples.hpp"
#include "scale.hpp"

using namespace tanoak;

namespace {

struct Case {
  Dense<double> dense;
  Workers workers;
  Features features;

  Case(const Grid& grid, const std::vector<int32_t>& levels, int n_threads = 1)
      : dense(grid, Layout::by_row),
        workers(n_threads),
        features(dense.view, levels, std::vector<double>(grid.n_columns, 0.0), workers,
                 StopFlag()) {}
};

std::vector<double> column_of(const Grid& grid, size_t column) {
  std::vector<double> values;
  for (size_t row = 0; row < grid.n_rows; ++row)
    values.push_back(std::isnan(grid(row, column)) ? 0 : grid(row, column));
  return values;
}

void check_scale(const FeatureScale& scale, std::vector<double> values, bool cut) {
  std::sort(values.begin(), values.end());
  const size_t last = values.size() - 1, off = cut ? last / 100 : 0;
  CHECK_EQUAL(scale.low, values[off]);
  CHECK_EQUAL(scale.high, values[last - off]);
  double sum = 0, squares = 0;
  for (const double value : values) sum += std::clamp(value, scale.low, scale.high);
  const double mean = sum / double(values.size());
  for (const double value : values)
    squares += std::pow(std::clamp(value, scale.low, scale.high) - mean, 2);
  const double deviation = std::sqrt(squares / double(values.size()));
  CHECK_NEAR(scale.center, mean, 1e-9 * (1 + std::abs(mean)));
  CHECK_NEAR(scale.inverse * deviation, 1, 1e-9);
}

}  // namespace

TEST(measurements_are_cut_off_and_standardized) {
  Random random(1);
  Grid grid(500, 4);
  for (size_t row = 0; row < 500; ++row) {
    grid(row, 0) = random.unit() * 50 + 1000;
    grid(row, 1) = random.chance(0.005) ? 1e12 : random.unit();  // far out, but few
    grid(row, 2) = random.whole(0, 5);                           // few values
    grid(row, 3) = random.chance(0.2) ? no_value : random.unit() - 2;
  }
  Case made(grid, {0, 0, 0, 0});
  const Scale scale(made.features, false, made.workers, StopFlag());
  for (int32_t f = 0; f < 4; ++f)
    check_scale(scale.of(f), column_of(grid, size_t(f)), f != 2);
  CHECK(scale.of(1).high < 2);
  CHECK_EQUAL(scale.of(1).apply(1e12), scale.of(1).apply(2.0));
}

// All but a few values are the same: cut off at the quantiles nothing would be left.
TEST(columns_with_equal_quantiles_are_not_cut_off) {
  Grid grid(1000, 1);
  for (size_t row = 0; row < 1000; row += 200) grid(row, 0) = 1 + 0.01 * double(row);
  for (size_t row = 1; row < 8; ++row) grid(row, 0) = -double(row);
  Case made(grid, {0});
  const Scale scale(made.features, false, made.workers, StopFlag());
  check_scale(scale.of(0), column_of(grid, 0), false);
}

TEST(columns_of_one_value_and_endless_ones_are_of_no_use) {
  Grid grid(30, 4);
  for (size_t row = 0; row < 30; ++row) {
    grid(row, 0) = 7;
    grid(row, 1) = row % 2 ? 1e308 : -1e308;
    grid(row, 2) = row == 3 ? std::numeric_limits<double>::infinity() : double(row);
    grid(row, 3) = row % 2 ? 1e-310 : 0;
  }
  Case made(grid, {0, 0, 0, 0});
  const Scale scale(made.features, false, made.workers, StopFlag());
  CHECK_EQUAL(scale.of(0).inverse, 0.0);
  CHECK(scale.of(1).inverse > 0);
  CHECK_NEAR(std::abs(scale.of(1).apply(1e308)), 1, 1e-6);
  CHECK_EQUAL(scale.of(2).inverse, 0.0);
  CHECK_EQUAL(scale.of(3).inverse, 0.0);
}

TEST(categories_are_standardized_too) {
  Grid grid(40, 1);
  for (size_t row = 0; row < 40; ++row) grid(row, 0) = row < 10 ? 2 : double(row % 2);
  Case made(grid, {3});
  const Scale scale(made.features, false, made.workers, StopFlag());
  CHECK_NEAR(scale.of(2).center, 0.25, 1e-12);
  CHECK_NEAR(scale.of(2).inverse, 1 / std::sqrt(0.25 * 0.75), 1e-12);
}

TEST(threads_do_not_matter) {
  Random random(2);
  Grid grid(3000, 9);
  for (double& cell : grid.cells) cell = std::exp(10 * random.unit());
  const std::vector<int32_t> levels(9, 0);
  Case one(grid, levels), many(grid, levels, 4);
  const Scale first(one.features, false, one.workers, StopFlag());
  const Scale second(many.features, false, many.workers, StopFlag());
  for (int32_t f = 0; f < 9; ++f) {
    CHECK_SAME_BITS(first.of(f).center, second.of(f).center);
    CHECK_SAME_BITS(first.of(f).inverse, second.of(f).inverse);
    CHECK_SAME_BITS(first.of(f).low, second.of(f).low);
  }
}

TEST(a_sparse_table_keeps_its_zeros) {
  Random random(3);
  Grid grid(400, 6);
  for (double& cell : grid.cells)
    if (random.chance(0.1)) cell = random.whole(-3, 9) + random.unit();
  const auto made = compress_columns<float, int32_t>(grid, true);
  Workers workers(1);
  const std::vector<int32_t> levels(6, 0);
  const std::vector<double> fill(6, 0.0);
  const Features sparse(made.view, levels, fill, workers, StopFlag());
  Case dense(grid, levels);
  const Scale scale(sparse, false, workers, StopFlag());
  const Scale other(dense.features, false, workers, StopFlag());
  const ScaledRows& rows = scale.rows();
  for (int32_t f = 0; f < 6; ++f) {
    CHECK_EQUAL(scale.of(f).center, 0.0);
    CHECK_NEAR(scale.of(f).inverse / other.of(f).inverse, 1, 1e-6);
    CHECK_EQUAL(scale.of(f).apply(0), 0.0f);
  }
  for (size_t row = 0; row < 400; ++row) {
    std::vector<float> found(6, 0.0f);
    for (auto at = size_t(rows.starts[row]); at < size_t(rows.starts[row + 1]); ++at)
      found[size_t(rows.features[at])] = rows.values[at];
    for (int32_t f = 0; f < 6; ++f)
      CHECK_EQUAL(found[size_t(f)],
                  scale.of(f).apply(double(float(grid(row, size_t(f))))));
  }
}

TEST(the_norm_does_not_see_the_length_of_the_weights) {
  Random random(4);
  Grid grid(200, 3);
  for (double& cell : grid.cells) cell = random.unit();
  for (size_t row = 0; row < 200; ++row) grid(row, 2) *= 1000;
  Case made(grid, {0, 0, 0});
  const Scale scale(made.features, false, made.workers, StopFlag());
  NodeSplit split;
  CHECK_EQUAL(scaled_norm(split, scale), 0.0);
  split.kind = SplitKind::axis;
  CHECK_EQUAL(scaled_norm(split, scale), 1.0);
  split.kind = SplitKind::sum;
  for (const double length : {1.0, 1e-200, 1e200}) {
    split.terms.clear();
    for (int32_t f = 0; f < 3; ++f)
      split.terms.push_back({f, (f == 1 ? -1 : 1) * length * scale.of(f).inverse});
    CHECK_NEAR(scaled_norm(split, scale), std::sqrt(3), 1e-12);
  }
}
