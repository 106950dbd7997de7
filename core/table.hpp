// Views of the caller's features: dense with any strides, or sparse; nothing is copied.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <variant>
#include <vector>

#include "base.hpp"
#include "parallel.hpp"

namespace tanoak {

template <class T>
struct DenseView {
  const T* data;
  int64_t n_rows, n_columns;
  int64_t row_stride, column_stride;  // in values, not bytes

  T operator()(int64_t row, int64_t column) const {
    return data[row * row_stride + column * column_stride];
  }
};

// Compressed columns (for growing) or rows (for routing); indices sorted, no
// duplicates. `starts` has one entry more than there are columns (rows).
template <class T, class Index>
struct SparseView {
  const T* values;
  const Index* indices;
  const Index* starts;
  int64_t n_rows, n_columns;
};

using TableView = std::variant<DenseView<float>, DenseView<double>,
                               SparseView<float, int32_t>, SparseView<double, int32_t>,
                               SparseView<float, int64_t>, SparseView<double, int64_t>>;

struct ColumnFaults {
  int64_t first_infinite = -1;  // row, -1 if none
  int64_t n_missing = 0;
};

// Whether a line of values holds NaN or an infinity; no early exit, so that the
// compiler can look at many values at once.
template <class T>
bool any_unusual(const T* line, int64_t n, int64_t step) {
  unsigned unusual = 0;
  if (step == 1) {
    for (int64_t i = 0; i < n; ++i)
      unusual |= !(std::abs(line[i]) <= std::numeric_limits<T>::max());
  } else {
    for (int64_t i = 0; i < n; ++i)
      unusual |= !(std::abs(line[i * step]) <= std::numeric_limits<T>::max());
  }
  return unusual != 0;
}

template <class T>
void scan_block(const DenseView<T>& table, int64_t begin, int64_t end,
                std::vector<ColumnFaults>& faults) {
  const T* first = table.data + begin * table.row_stride;
  const int64_t n_rows = end - begin;
  const bool packed = table.column_stride == 1 && table.row_stride == table.n_columns;
  if (packed && !any_unusual(first, n_rows * table.n_columns, 1)) return;
  const bool by_row = std::abs(table.column_stride) <= std::abs(table.row_stride);
  const int64_t n_lines = by_row ? n_rows : table.n_columns;
  const int64_t n_values = by_row ? table.n_columns : n_rows;
  const int64_t line_step = by_row ? table.row_stride : table.column_stride;
  const int64_t step = by_row ? table.column_stride : table.row_stride;
  for (int64_t line = 0; line < n_lines; ++line) {
    const T* values = first + line * line_step;
    if (!any_unusual(values, n_values, step)) continue;
    for (int64_t i = 0; i < n_values; ++i) {
      if (std::isfinite(values[i * step])) continue;
      auto& fault = faults[static_cast<size_t>(by_row ? i : line)];
      const int64_t row = begin + (by_row ? line : i);
      if (std::isnan(values[i * step]))
        ++fault.n_missing;
      else if (fault.first_infinite < 0 || row < fault.first_infinite)
        fault.first_infinite = row;
    }
  }
}

// Missing and infinite values of each column, in one pass in memory order.
template <class T>
std::vector<ColumnFaults> scan_columns(const DenseView<T>& table, Workers& workers) {
  constexpr int64_t block_rows = 4096;
  const int64_t n_blocks = (table.n_rows + block_rows - 1) / block_rows;
  std::vector<std::vector<ColumnFaults>> partial(
      static_cast<size_t>(workers.count()),
      std::vector<ColumnFaults>(static_cast<size_t>(table.n_columns)));
  workers.run(n_blocks, [&](int64_t block, int worker) {
    scan_block(table, block * block_rows,
               std::min(table.n_rows, (block + 1) * block_rows),
               partial[static_cast<size_t>(worker)]);
  });
  std::vector<ColumnFaults> total(static_cast<size_t>(table.n_columns));
  for (const auto& faults : partial)
    for (size_t column = 0; column < total.size(); ++column) {
      auto& into = total[column];
      const auto& from = faults[column];
      into.n_missing += from.n_missing;
      if (from.first_infinite >= 0 &&
          (into.first_infinite < 0 || from.first_infinite < into.first_infinite))
        into.first_infinite = from.first_infinite;
    }
  return total;
}

}  // namespace tanoak
