// Views with any strides, and the scan for missing and infinite values.
#include "check.hpp"
#include "samples.hpp"
#include "table.hpp"

using namespace tanoak;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

std::vector<ColumnFaults> look_at_each(const Grid& grid) {
  std::vector<ColumnFaults> faults(grid.n_columns);
  for (size_t column = 0; column < grid.n_columns; ++column)
    for (size_t row = 0; row < grid.n_rows; ++row) {
      const double value = grid(row, column);
      auto& fault = faults[column];
      if (std::isnan(value)) ++fault.n_missing;
      if (std::isinf(value) && fault.first_infinite < 0)
        fault.first_infinite = static_cast<int64_t>(row);
    }
  return faults;
}

template <class T>
void check_scan(const Grid& grid) {
  const auto expected = look_at_each(grid);
  for (const Layout layout : all_layouts)
    for (const int n_workers : {1, 3}) {
      const Dense<T> table(grid, layout);
      Workers workers(n_workers);
      const auto found = scan_columns(table.view, workers);
      CHECK_EQUAL(found.size(), expected.size());
      for (size_t column = 0; column < found.size(); ++column) {
        CHECK_EQUAL(found[column].first_infinite, expected[column].first_infinite);
        CHECK_EQUAL(found[column].n_missing, expected[column].n_missing);
      }
    }
}

}  // namespace

TEST(a_view_finds_every_cell_whatever_the_strides) {
  Random random(1);
  const Grid grid = draw_grid(random, 7, 5, 100, 0);
  for (const Layout layout : all_layouts) {
    const Dense<double> table(grid, layout);
    for (size_t row = 0; row < 7; ++row)
      for (size_t column = 0; column < 5; ++column)
        CHECK_EQUAL(table.view(int64_t(row), int64_t(column)), grid(row, column));
  }
}

TEST(the_scan_agrees_with_looking_at_each_value) {
  Random random(2);
  for (const size_t n_rows : {1, 2, 5, 100, 4095, 4096, 4097, 9000})
    for (const double share : {0.0, 0.0005, 0.3}) {
      Grid grid = draw_grid(random, n_rows, 1 + random.below(6), 50, share);
      for (double& cell : grid.cells)
        if (random.chance(share / 2)) cell = random.chance(0.5) ? infinite : -infinite;
      check_scan<double>(grid);
      check_scan<float>(grid);
    }
}

TEST(one_fault_anywhere_is_found) {
  for (const double fault : {no_value, infinite, -infinite})
    for (size_t row = 0; row < 9; ++row)
      for (size_t column = 0; column < 4; ++column) {
        Grid grid(9, 4);
        grid(row, column) = fault;
        check_scan<float>(grid);
        check_scan<double>(grid);
      }
}

TEST(the_largest_numbers_are_numbers) {
  Grid grid(3, 2);
  grid.cells = {1.7976931348623157e308, -1.7976931348623157e308, 5e-324, -0.0, 0, 1};
  const Dense<double> table(grid, Layout::by_row);
  CHECK(!any_unusual(table.memory.data(), 6, 1));
  check_scan<double>(grid);
  // As float the first two are infinite.
  Workers workers(1);
  const auto found = scan_columns(Dense<float>(grid, Layout::by_row).view, workers);
  CHECK_EQUAL(found[0].first_infinite, 0);
  CHECK_EQUAL(found[1].first_infinite, 0);
}

TEST(steps_reach_their_values_only) {
  const std::vector<double> line = {1, infinite, 2, no_value, 3, infinite};
  CHECK(!any_unusual(line.data(), 3, 2));
  CHECK(any_unusual(line.data() + 1, 3, 2));
  CHECK(any_unusual(line.data(), 2, 3));
  CHECK(!any_unusual(line.data() + 4, 3, -2));
}
