// Columns too large to sort together, as one byte a value: at most 254 quantiles each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "parallel.hpp"
#include "presort.hpp"
#include "table.hpp"

namespace tanoak {

constexpr int64_t most_bins = 254;
constexpr uint8_t missing_bin = 255;

struct BinnedColumn {
  int32_t n_levels = 0;                 // categories: the codes are read from the table
  std::vector<double> lowest, highest;  // of each bin
};

struct BinnedColumns {
  std::unique_ptr<uint8_t[]> codes;  // column by column
  std::vector<BinnedColumn> columns;
  int64_t n_rows = 0;

  const uint8_t* of(int32_t column) const { return codes.get() + column * n_rows; }
};

// Bins of sorted items: a new one begins at the first new value after each quantile.
template <class T, class Item>
void cut_into_bins(const DenseView<T>& table, int64_t column, const Item* sorted,
                   int64_t n, BinnedColumn& info, uint8_t* codes) {
  using Key = decltype(sorted->key());
  const Key missing = static_cast<Key>(~Key{0});
  int64_t n_values = 0, n_present = 0;
  for (; n_present < n && sorted[n_present].key() != missing; ++n_present)
    n_values +=
        n_present == 0 || sorted[n_present].key() != sorted[n_present - 1].key();
  const bool keep_all = n_values <= most_bins;
  int64_t begun = 0;  // where the present bin began
  for (int64_t i = 0; i < n; ++i) {
    const int64_t row = sorted[i].id();
    if (i >= n_present) {
      codes[row] = missing_bin;
      continue;
    }
    const bool new_value = i == 0 || sorted[i].key() != sorted[i - 1].key();
    const auto value = static_cast<double>(table(row, column)) + 0.0;
    if (new_value && (i == 0 || keep_all || (i - begun) * most_bins >= n_present)) {
      info.lowest.push_back(value);
      info.highest.push_back(value);
      begun = i;
    }
    info.highest.back() = value;
    codes[row] = static_cast<uint8_t>(info.lowest.size() - 1);
  }
}

template <class T>
BinnedColumns make_bins(const DenseView<T>& table, const std::vector<int32_t>& n_levels,
                        Workers& workers, const StopFlag& stop) {
  using Item = typename ItemOf<T>::type;
  const int64_t n = table.n_rows;
  BinnedColumns binned;
  binned.n_rows = n;
  binned.codes.reset(new uint8_t[static_cast<size_t>(n * table.n_columns)]);
  binned.columns.resize(static_cast<size_t>(table.n_columns));
  std::vector<std::unique_ptr<Item[]>> scratch(static_cast<size_t>(workers.count()));
  workers.run(table.n_columns, [&](int64_t column, int worker) {
    stop.check();
    auto& info = binned.columns[static_cast<size_t>(column)];
    info.n_levels = n_levels[static_cast<size_t>(column)];
    if (info.n_levels > 0) return;
    auto& items = scratch[static_cast<size_t>(worker)];
    if (!items) items.reset(new Item[static_cast<size_t>(2 * n)]);
    for (int64_t row = 0; row < n; ++row)
      items[static_cast<size_t>(row)] =
          Item::make(sort_key(table(row, column)), static_cast<uint32_t>(row));
    const Item* sorted = radix_sort(items.get(), items.get() + n, n, stop);
    cut_into_bins(table, column, sorted, n, info, binned.codes.get() + column * n);
  });
  return binned;
}

}  // namespace tanoak
