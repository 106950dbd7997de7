// What a split over several columns can weigh: every number, and every category as a
// column of zeros and ones. Missing values take the column's learned fill.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "parallel.hpp"
#include "simd.hpp"
#include "table.hpp"

namespace tanoak {

struct FeatureInfo {
  int32_t column;
  int32_t level;  // -1: the number itself; otherwise 1 where the row has this category
};

struct Term {
  int32_t feature;
  double weight;
};

// The columns of a table, each in one piece: a view where the caller has them so, else
// a copy in the caller's type.
template <class T>
struct DenseColumns {
  const T* first = nullptr;
  int64_t stride = 0;  // from column to column
  std::unique_ptr<T[]> copy;

  const T* of(int32_t column) const { return first + column * stride; }
};

template <class T>
DenseColumns<T> lay_out_columns(const DenseView<T>& table, Workers& workers,
                                const StopFlag& stop) {
  DenseColumns<T> columns;
  if (table.row_stride == 1 || table.n_rows == 1) {
    columns.first = table.data;
    columns.stride = table.column_stride;
    return columns;
  }
  const int64_t n = table.n_rows;
  columns.copy.reset(new T[static_cast<size_t>(n * table.n_columns)]);
  columns.first = columns.copy.get();
  columns.stride = n;
  constexpr int64_t block = 512;  // rows, so that their lines of cache are used whole
  workers.run((n + block - 1) / block, [&](int64_t task, int) {
    stop.check();
    const int64_t end = std::min(n, (task + 1) * block);
    for (int64_t column = 0; column < table.n_columns; ++column)
      for (int64_t row = task * block; row < end; ++row)
        columns.copy[static_cast<size_t>(column * n + row)] = table(row, column);
  });
  return columns;
}

class Features {
 public:
  // `n_levels` has an entry for each column: 0, or how many categories its codes name.
  Features(const TableView& table, const std::vector<int32_t>& n_levels,
           std::vector<double> fill, Workers& workers, const StopFlag& stop);

  int64_t n_rows() const { return n_rows_; }
  int32_t n_columns() const { return static_cast<int32_t>(fill_.size()); }
  int32_t count() const { return static_cast<int32_t>(infos_.size()); }
  bool is_sparse() const { return columns_.index() >= 2; }
  // Ordered by column, then level: the order of a split's terms.
  FeatureInfo info(int32_t feature) const {
    return infos_[static_cast<size_t>(feature)];
  }
  double fill(int32_t column) const { return fill_[static_cast<size_t>(column)]; }

  // Values of a feature in some rows; rows ascend. Missing ones are filled.
  void gather(int32_t feature, const uint32_t* rows, int64_t n, double* out) const;

  // Values of a column as they are, NaN where missing; categories as codes.
  void gather_raw(int32_t column, const uint32_t* rows, int64_t n, double* out) const;

  // Sums of weight times value, bit for bit what routing compares with the threshold.
  // Terms ascend by feature.
  void project(const std::vector<Term>& terms, const uint32_t* rows, int64_t n,
               double* out) const;

  // Calls visit(i, value) for the rows whose value is not zero, in ascending order;
  // sparse tables only, numeric features only.
  template <class Visit>
  void visit_stored(int32_t feature, const uint32_t* rows, int64_t n,
                    const Visit& visit) const;

  // The same for a column as it is: NaN where missing, written zeros too.
  template <class Visit>
  void visit_raw(int32_t column, const uint32_t* rows, int64_t n,
                 const Visit& visit) const;

 private:
  template <class T, class Index, class Visit>
  static void visit_column(const SparseView<T, Index>& table, int32_t column,
                           const uint32_t* rows, int64_t n, const Visit& visit);

  int64_t n_rows_;
  std::variant<DenseColumns<float>, DenseColumns<double>, SparseView<float, int32_t>,
               SparseView<double, int32_t>, SparseView<float, int64_t>,
               SparseView<double, int64_t>>
      columns_;
  std::vector<double> fill_;
  std::vector<FeatureInfo> infos_;
};

// --- making them ---

inline Features::Features(const TableView& table, const std::vector<int32_t>& n_levels,
                          std::vector<double> fill, Workers& workers,
                          const StopFlag& stop)
    : fill_(std::move(fill)) {
  std::visit(
      [&](const auto& view) {
        n_rows_ = view.n_rows;
        using View = std::decay_t<decltype(view)>;
        if constexpr (std::is_same_v<View, DenseView<float>> ||
                      std::is_same_v<View, DenseView<double>>)
          columns_ = lay_out_columns(view, workers, stop);
        else
          columns_ = view;
      },
      table);
  for (size_t column = 0; column < n_levels.size(); ++column) {
    const auto at = static_cast<int32_t>(column);
    if (n_levels[column] == 0) infos_.push_back({at, -1});
    // Of two categories one says it all.
    for (int32_t level = n_levels[column] == 2 ? 1 : 0; level < n_levels[column];
         ++level)
      infos_.push_back({at, level});
  }
}

// --- reading them ---

// Both lists ascend: where one is much shorter, the other is searched by halves.
template <class T, class Index, class Visit>
void Features::visit_column(const SparseView<T, Index>& table, int32_t column,
                            const uint32_t* rows, int64_t n, const Visit& visit) {
  const Index* at = table.indices + table.starts[column];
  const Index* const end = table.indices + table.starts[column + 1];
  const T* values = table.values + table.starts[column];
  const Index* const first = at;
  const int64_t n_stored = end - at;
  auto value_at = [&](const Index* stored) {
    return static_cast<double>(values[stored - first]);
  };
  if (n_stored > 16 * n) {
    for (int64_t i = 0; i < n; ++i) {
      at = std::lower_bound(at, end, static_cast<Index>(rows[i]));
      if (at != end && static_cast<uint32_t>(*at) == rows[i]) visit(i, value_at(at));
    }
    return;
  }
  const uint32_t* row = rows;
  const uint32_t* const last = rows + n;
  const bool search = n > 16 * n_stored;
  for (; at != end && row != last; ++at) {
    const auto wanted = static_cast<uint32_t>(*at);
    if (search)
      row = std::lower_bound(row, last, wanted);
    else
      while (row != last && *row < wanted) ++row;
    if (row != last && *row == wanted) visit(row - rows, value_at(at));
  }
}

template <class Visit>
void Features::visit_stored(int32_t feature, const uint32_t* rows, int64_t n,
                            const Visit& visit) const {
  const int32_t column = info(feature).column;
  const double fill_value = fill(column);
  visit_raw(column, rows, n, [&](int64_t i, double value) {
    if (std::isnan(value)) value = fill_value;
    if (value != 0) visit(i, value);
  });
}

template <class Visit>
void Features::visit_raw(int32_t column, const uint32_t* rows, int64_t n,
                         const Visit& visit) const {
  std::visit(
      [&](const auto& columns) {
        using Columns = std::decay_t<decltype(columns)>;
        if constexpr (!std::is_same_v<Columns, DenseColumns<float>> &&
                      !std::is_same_v<Columns, DenseColumns<double>>)
          visit_column(columns, column, rows, n, visit);
      },
      columns_);
}

inline void Features::gather_raw(int32_t column, const uint32_t* rows, int64_t n,
                                 double* out) const {
  std::visit(
      [&](const auto& columns) {
        using Columns = std::decay_t<decltype(columns)>;
        if constexpr (std::is_same_v<Columns, DenseColumns<float>> ||
                      std::is_same_v<Columns, DenseColumns<double>>) {
          const auto* values = columns.of(column);
          for (int64_t i = 0; i < n; ++i) out[i] = static_cast<double>(values[rows[i]]);
        } else {
          std::fill(out, out + n, 0.0);
          visit_column(columns, column, rows, n,
                       [&](int64_t i, double value) { out[i] = value; });
        }
      },
      columns_);
}

inline void Features::gather(int32_t feature, const uint32_t* rows, int64_t n,
                             double* out) const {
  const FeatureInfo at = info(feature);
  gather_raw(at.column, rows, n, out);
  const double fill_value = fill(at.column);
  for (int64_t i = 0; i < n; ++i) out[i] = std::isnan(out[i]) ? fill_value : out[i];
  if (at.level < 0) return;
  for (int64_t i = 0; i < n; ++i) out[i] = out[i] == at.level ? 1.0 : 0.0;
}

inline void Features::project(const std::vector<Term>& terms, const uint32_t* rows,
                              int64_t n, double* out) const {
  constexpr int64_t block = 256;
  double values[block], lanes[8][block];
  for (int64_t begin = 0; begin < n; begin += block) {
    const int64_t size = std::min(block, n - begin);
    for (auto& lane : lanes) std::fill(lane, lane + size, 0.0);
    for (const Term& term : terms) {
      gather(term.feature, rows + begin, size, values);
      double* lane = lanes[info(term.feature).column % 8];
      for (int64_t i = 0; i < size; ++i) lane[i] += term.weight * values[i];
    }
    for (int64_t i = 0; i < size; ++i) {
      double sums[8];
      for (int lane = 0; lane < 8; ++lane) sums[lane] = lanes[lane][i];
      out[begin + i] = add_lanes(sums);
    }
  }
}

}  // namespace tanoak
