// What the tests draw from: a generator of our own, the same on every platform, and
// tables of numbers in every form the core reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "table.hpp"

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

// splitmix64
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t word() {
    state_ += 0x9E3779B97F4A7C15u;
    uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
    return mixed ^ (mixed >> 31);
  }
  size_t below(size_t n) { return static_cast<size_t>(word() % n); }
  double unit() { return static_cast<double>(word() >> 11) * 0x1p-53; }
  bool chance(double share) { return unit() < share; }
  // A whole number out of low..high.
  double whole(int low, int high) {
    return low + static_cast<double>(below(static_cast<size_t>(high - low + 1)));
  }
  template <class T>
  void shuffle(std::vector<T>& items) {
    for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  uint64_t state_;
};

// Numbers row by row: what every other form is made from.
struct Grid {
  size_t n_rows, n_columns;
  std::vector<double> cells;

  Grid(size_t rows, size_t columns)
      : n_rows(rows), n_columns(columns), cells(rows * columns, 0.0) {}
  double& operator()(size_t row, size_t column) {
    return cells[row * n_columns + column];
  }
  double operator()(size_t row, size_t column) const {
    return cells[row * n_columns + column];
  }
};

// Numbers of which many are equal, some missing.
inline Grid draw_grid(Random& random, size_t n_rows, size_t n_columns, int largest,
                      double missing_share) {
  Grid grid(n_rows, n_columns);
  for (double& cell : grid.cells)
    cell =
        random.chance(missing_share) ? no_value : random.whole(-largest, largest) / 4;
  return grid;
}

// --- dense, in any order of memory ---

enum class Layout { by_row, by_column, sliced, backwards };
constexpr Layout all_layouts[] = {Layout::by_row, Layout::by_column, Layout::sliced,
                                  Layout::backwards};

template <class T>
struct Dense {
  std::vector<T> memory;
  tanoak::DenseView<T> view;

  Dense(const Grid& grid, Layout layout) : view{} {
    const auto rows = static_cast<int64_t>(grid.n_rows);
    const auto columns = static_cast<int64_t>(grid.n_columns);
    int64_t first = 0;
    view = {nullptr, rows, columns, columns, 1};
    memory.resize(grid.cells.size(), T(77));
    if (layout == Layout::by_column) {
      view.row_stride = 1;
      view.column_stride = rows;
    } else if (layout == Layout::sliced) {  // every second row, every third column
      memory.resize(grid.cells.size() * 6, std::numeric_limits<T>::infinity());
      view.row_stride = columns * 6;
      view.column_stride = 3;
    } else if (layout == Layout::backwards) {
      first = rows * columns - 1;
      view.row_stride = -columns;
      view.column_stride = -1;
    }
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t column = 0; column < columns; ++column)
        memory[static_cast<size_t>(first + row * view.row_stride +
                                   column * view.column_stride)] =
            static_cast<T>(grid(static_cast<size_t>(row), static_cast<size_t>(column)));
    view.data = memory.data() + (memory.empty() ? 0 : first);
  }
  Dense(const Dense&) = delete;
  Dense& operator=(const Dense&) = delete;
};

// --- compressed ---

template <class T, class Index>
struct Compressed {
  std::vector<T> values;
  std::vector<Index> indices, starts;
  tanoak::SparseView<T, Index> view;

  Compressed() : view{} {}
  Compressed(const Compressed&) = delete;
  Compressed& operator=(const Compressed&) = delete;
  Compressed(Compressed&&) = default;  // vectors keep their memory
};

// `lines` of `length` cells each; zeros for which keep(line, i) holds are written out.
template <class T, class Index, class Cell, class Keep>
Compressed<T, Index> compress(size_t lines, size_t length, const Cell& cell,
                              const Keep& keep) {
  Compressed<T, Index> made;
  for (size_t line = 0; line < lines; ++line) {
    made.starts.push_back(static_cast<Index>(made.values.size()));
    for (size_t i = 0; i < length; ++i) {
      if (cell(line, i) == 0.0 && !keep(line, i)) continue;
      made.values.push_back(static_cast<T>(cell(line, i)));
      made.indices.push_back(static_cast<Index>(i));
    }
  }
  made.starts.push_back(static_cast<Index>(made.values.size()));
  return made;
}

template <class T, class Index>
Compressed<T, Index> compress_columns(const Grid& grid, bool with_some_zeros) {
  auto made = compress<T, Index>(
      grid.n_columns, grid.n_rows,
      [&](size_t column, size_t row) { return grid(row, column); },
      [&](size_t column, size_t row) {
        return with_some_zeros && (row + column) % 3 == 0;
      });
  made.view = {made.values.data(), made.indices.data(), made.starts.data(),
               static_cast<int64_t>(grid.n_rows), static_cast<int64_t>(grid.n_columns)};
  return made;
}

template <class T, class Index>
Compressed<T, Index> compress_rows(const Grid& grid, bool with_some_zeros) {
  auto made = compress<T, Index>(
      grid.n_rows, grid.n_columns,
      [&](size_t row, size_t column) { return grid(row, column); },
      [&](size_t row, size_t column) {
        return with_some_zeros && (row + column) % 3 == 0;
      });
  made.view = {made.values.data(), made.indices.data(), made.starts.data(),
               static_cast<int64_t>(grid.n_rows), static_cast<int64_t>(grid.n_columns)};
  return made;
}
