// What stands for a missing value in a split over several columns: the median of a
// number, no category of a category.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <variant>
#include <vector>

#include "parallel.hpp"
#include "table.hpp"

namespace tanoak {

// The lower of the two where there are two in the middle: a value that occurs. Zero if
// all are missing. `n_zeros` are not among the values.
template <class T>
double median_of(std::vector<T>& values, int64_t n_zeros) {
  values.erase(std::remove_if(values.begin(), values.end(),
                              [](T value) { return std::isnan(value); }),
               values.end());
  const int64_t n = static_cast<int64_t>(values.size()) + n_zeros;
  if (n == 0) return 0;
  const auto rank = static_cast<size_t>((n - 1) / 2);
  const auto zero =
      std::partition(values.begin(), values.end(), [](T value) { return value < 0; });
  const auto n_below = static_cast<size_t>(zero - values.begin());
  const auto zeros = static_cast<size_t>(n_zeros);
  if (rank >= n_below && rank < n_below + zeros && zeros > 0) {
    // Stored zeros and values above zero come after the implicit ones.
    return 0;
  }
  const auto begin = rank < n_below ? values.begin() : zero;
  const auto end = rank < n_below ? zero : values.end();
  const size_t within = rank < n_below ? rank : rank - n_below - zeros;
  const auto middle = begin + static_cast<std::ptrdiff_t>(within);
  std::nth_element(begin, middle, end);
  return static_cast<double>(*middle) + 0.0;  // never -0
}

template <class T>
double column_median(const DenseView<T>& table, int64_t column) {
  std::vector<T> values(static_cast<size_t>(table.n_rows));
  for (int64_t row = 0; row < table.n_rows; ++row)
    values[static_cast<size_t>(row)] = table(row, column);
  return median_of(values, 0);
}

template <class T, class Index>
double column_median(const SparseView<T, Index>& table, int64_t column) {
  std::vector<T> values(table.values + table.starts[column],
                        table.values + table.starts[column + 1]);
  return median_of(values, table.n_rows - static_cast<int64_t>(values.size()));
}

inline std::vector<double> learn_fill(const TableView& table,
                                      const std::vector<int32_t>& n_levels,
                                      Workers& workers, const StopFlag& stop) {
  std::vector<double> fill(n_levels.size(), -1.0);
  workers.run(static_cast<int64_t>(n_levels.size()), [&](int64_t column, int) {
    stop.check();
    if (n_levels[static_cast<size_t>(column)] > 0) return;
    fill[static_cast<size_t>(column)] = std::visit(
        [&](const auto& view) { return column_median(view, column); }, table);
  });
  return fill;
}

}  // namespace tanoak
