// Columns as one byte a value against counting by hand.
#include <map>
#include <set>

#include "bins.hpp"
#include "check.hpp"
#include "samples.hpp"

using namespace tanoak;

namespace {

template <class T>
BinnedColumns bins_of(const Grid& grid, const std::vector<int32_t>& n_levels,
                      Layout layout, int n_workers) {
  Workers workers(n_workers);
  return make_bins(Dense<T>(grid, layout).view, n_levels, workers, StopFlag());
}

// Bins are in order and do not overlap; each row stands in that of its value.
void check_bins(const Grid& grid, size_t column, const BinnedColumns& binned) {
  const auto& info = binned.columns[column];
  const uint8_t* codes = binned.of(int32_t(column));
  CHECK_EQUAL(info.lowest.size(), info.highest.size());
  CHECK(int64_t(info.lowest.size()) <= most_bins);
  for (size_t bin = 0; bin < info.lowest.size(); ++bin) {
    CHECK(info.lowest[bin] <= info.highest[bin]);
    if (bin > 0) CHECK(info.highest[bin - 1] < info.lowest[bin]);
  }
  std::vector<std::set<double>> values(info.lowest.size());
  for (size_t row = 0; row < grid.n_rows; ++row) {
    const double value = grid(row, column);
    CHECK_EQUAL(codes[row] == missing_bin, std::isnan(value));
    if (!std::isnan(value)) values[codes[row]].insert(value + 0.0);
  }
  for (size_t bin = 0; bin < values.size(); ++bin) {
    CHECK(!values[bin].empty());
    CHECK_SAME_BITS(info.lowest[bin], *values[bin].begin());
    CHECK_SAME_BITS(info.highest[bin], *values[bin].rbegin());
  }
}

}  // namespace

TEST(bins_hold_the_values_between_their_ends) {
  Random random(1);
  for (const size_t n_rows : {1, 2, 100, 254, 255, 256, 2000, 6000})
    for (const int largest : {1, 30, 126, 127, 128, 5000})
      for (const double missing_share : {0.0, 0.2}) {
        const Grid grid = draw_grid(random, n_rows, 2, largest, missing_share);
        for (const size_t column : {0, 1}) {
          check_bins(grid, column, bins_of<float>(grid, {0, 0}, Layout::by_row, 2));
          check_bins(grid, column, bins_of<double>(grid, {0, 0}, Layout::by_column, 1));
        }
      }
}

TEST(few_values_have_a_bin_each) {
  for (const int n_values : {1, 2, 200, 254}) {
    Grid grid(3000, 1);
    std::map<double, size_t> rank;
    for (size_t row = 0; row < 3000; ++row) {
      // Most rows share one value, and each value occurs.
      const size_t value = row < size_t(n_values) ? row : 0;
      grid(row, 0) = std::ldexp(1.0, int(value) - 130);
      rank[grid(row, 0)] = value;
    }
    const auto binned = bins_of<double>(grid, {0}, Layout::by_row, 1);
    CHECK_EQUAL(binned.columns[0].lowest.size(), n_values);
    CHECK_EQUAL(binned.columns[0].lowest, binned.columns[0].highest);
    for (size_t row = 0; row < 3000; ++row)
      CHECK_EQUAL(binned.of(0)[row], rank[grid(row, 0)]);
  }
}

TEST(many_values_are_spread_evenly) {
  Random random(3);
  constexpr size_t n_rows = 25400;
  Grid grid(n_rows, 1);
  for (size_t row = 0; row < n_rows; ++row) grid(row, 0) = double(row);
  random.shuffle(grid.cells);
  const auto binned = bins_of<float>(grid, {0}, Layout::by_row, 1);
  std::vector<int64_t> sizes(binned.columns[0].lowest.size(), 0);
  for (size_t row = 0; row < n_rows; ++row) ++sizes[binned.of(0)[row]];
  CHECK_EQUAL(sizes, std::vector<int64_t>(size_t(most_bins), 100));
}

TEST(a_common_value_does_not_eat_the_bins_of_the_others) {
  Random random(4);
  Grid grid(10000, 1);
  for (size_t row = 0; row < 5000; ++row) grid(row, 0) = random.unit() - 0.5;
  const auto binned = bins_of<double>(grid, {0}, Layout::by_row, 1);
  check_bins(grid, 0, binned);
  CHECK(binned.columns[0].lowest.size() > 100);
}

TEST(zeros_of_both_signs_share_a_bin) {
  Grid grid(3, 1);
  grid.cells = {0.0, -0.0, 1.0};
  const auto binned = bins_of<double>(grid, {0}, Layout::by_row, 1);
  CHECK_EQUAL(binned.of(0)[0], binned.of(0)[1]);
  CHECK_SAME_BITS(binned.columns[0].lowest[0], 0.0);
  CHECK_SAME_BITS(binned.columns[0].highest[0], 0.0);
}

TEST(categories_are_left_to_the_table) {
  const auto binned = bins_of<float>(Grid(5, 2), {0, 7}, Layout::by_row, 1);
  CHECK_EQUAL(binned.columns[0].n_levels, 0);
  CHECK_EQUAL(binned.columns[1].n_levels, 7);
  CHECK(binned.columns[1].lowest.empty());
}

TEST(a_request_to_stop_ends_binning) {
  StopFlag stop;
  stop.request();
  Workers workers(2);
  const Dense<float> table(Grid(5, 3), Layout::by_row);
  CHECK_THROWS(make_bins(table.view, {0, 0, 0}, workers, stop), Interrupted, "");
}
