// Medians of columns against sorting them.
#include <algorithm>

#include "check.hpp"
#include "fill.hpp"
#include "samples.hpp"

using namespace tanoak;

namespace {

double slow_median(const Grid& grid, size_t column) {
  std::vector<double> values;
  for (size_t row = 0; row < grid.n_rows; ++row)
    if (!std::isnan(grid(row, column))) values.push_back(grid(row, column));
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[(values.size() - 1) / 2];
}

}  // namespace

TEST(numbers_are_filled_by_their_median_and_categories_by_none) {
  Random random(1);
  Workers workers(2);
  for (const size_t n_rows : {1, 2, 7, 60})
    for (const double missing_share : {0.0, 0.5, 1.0})
      for (const int largest : {1, 50}) {
        Grid grid = draw_grid(random, n_rows, 3, largest, missing_share);
        for (size_t row = 0; row < n_rows; ++row) grid(row, 2) = 1;
        const auto sparse = compress_columns<float, int32_t>(grid, true);
        const Dense<double> dense(grid, Layout::sliced);
        for (const TableView& view : {TableView(sparse.view), TableView(dense.view)}) {
          const auto fill = learn_fill(view, {0, 0, 2}, workers, StopFlag());
          CHECK_SAME_BITS(fill[0], slow_median(grid, 0));
          CHECK_SAME_BITS(fill[1], slow_median(grid, 1));
          CHECK_EQUAL(fill[2], -1.0);
        }
      }
}
