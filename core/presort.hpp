// Each column as records sorted by value, once per fit; growth only moves them.
//
// A record is one 64-bit word: the rank of the value within its column above, the id of
// the row below. The id carries the class in its lowest bits where that fits, so that a
// scan reads one stream and looks nothing up.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "base.hpp"
#include "parallel.hpp"
#include "table.hpp"

namespace tanoak {

using Record = uint64_t;

constexpr uint32_t missing_rank = 0xFFFFFFFFu;  // sorts last

inline uint32_t rank_of(Record record) { return static_cast<uint32_t>(record >> 32); }
inline uint32_t id_of(Record record) { return static_cast<uint32_t>(record); }
inline Record make_record(uint32_t rank, uint32_t id) {
  return static_cast<Record>(rank) << 32 | id;
}

// Records are written before they are read: memory is not cleared first.
struct RecordPool {
  std::unique_ptr<Record[]> data;
  size_t size = 0;

  RecordPool() = default;
  explicit RecordPool(size_t n) : data(new Record[n]), size(n) {}
};

struct SortedColumn {
  int64_t begin = 0, end = 0;  // its records in the pool
  int32_t n_levels = 0;        // categories, whose rank is their code; 0: numeric
  bool sparse = false;         // rows without a record hold a zero...
  uint32_t zero_rank = 0;      // ...which has this rank
  std::vector<double> values;  // sparse columns: value of each rank
};

struct SortedColumns {
  RecordPool pool;
  std::vector<SortedColumn> columns;
};

// Which rows take part, and what stands in the id of each.
struct RowIds {
  const uint32_t* ids;   // id of the i-th row
  const uint32_t* rows;  // its row in the table; null: the i-th
  int64_t n_rows;

  int64_t row(int64_t i) const { return rows ? rows[i] : i; }
};

// --- order-preserving keys: -0.0 equals 0.0, NaN comes last ---

inline uint32_t sort_key(float value) {
  if (std::isnan(value)) return 0xFFFFFFFFu;
  value += 0.0f;  // -0.0 becomes 0.0
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

inline uint64_t sort_key(double value) {
  if (std::isnan(value)) return 0xFFFFFFFFFFFFFFFFull;
  value += 0.0;
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits & 0x8000000000000000ull ? ~bits : bits | 0x8000000000000000ull;
}

// 32-bit keys travel in one word with their id, 64-bit keys need a second one.
struct NarrowItem {
  uint64_t word;
  static NarrowItem make(uint32_t key, uint32_t id) {
    return {static_cast<uint64_t>(key) << 32 | id};
  }
  uint32_t key() const { return static_cast<uint32_t>(word >> 32); }
  uint32_t id() const { return static_cast<uint32_t>(word); }
};

struct WideItem {
  uint64_t word;
  uint32_t row_id;
  static WideItem make(uint64_t key, uint32_t id) { return {key, id}; }
  uint64_t key() const { return word; }
  uint32_t id() const { return row_id; }
};

template <class T>
struct ItemOf {
  using type = NarrowItem;
};
template <>
struct ItemOf<double> {
  using type = WideItem;
};

// Stable radix sort by key, 11 bits a pass; passes in which all keys agree are left
// out. Returns where the sorted items are: `items` or `scratch`.
template <class Item>
Item* radix_sort(Item* items, Item* scratch, int64_t n, const StopFlag& stop) {
  constexpr int digit_bits = 11, n_values = 1 << digit_bits;
  constexpr int64_t between_checks = int64_t{1} << 20;  // a few milliseconds
  constexpr int n_digits = sizeof(items->key()) == 4 ? 3 : 6;
  if (n < 256) {  // clearing the counters would cost more than the sort
    std::stable_sort(items, items + n,
                     [](const Item& a, const Item& b) { return a.key() < b.key(); });
    return items;
  }
  std::vector<std::array<int64_t, n_values>> counts(n_digits);
  for (auto& count : counts) count.fill(0);
  for (int64_t i = 0; i < n; ++i) {
    auto key = items[i].key();
    for (int digit = 0; digit < n_digits; ++digit)
      ++counts[static_cast<size_t>(digit)]
              [(key >> (digit * digit_bits)) & (n_values - 1)];
  }
  for (int digit = 0; digit < n_digits; ++digit) {
    auto& offset = counts[static_cast<size_t>(digit)];
    const int shift = digit * digit_bits;
    const auto any = (items[0].key() >> shift) & (n_values - 1);
    if (offset[any] == n) continue;
    int64_t sum = 0;
    for (auto& entry : offset) {
      const int64_t count = entry;
      entry = sum;
      sum += count;
    }
    for (int64_t begin = 0; begin < n; begin += between_checks) {
      stop.check();
      const int64_t end = std::min(n, begin + between_checks);
      for (int64_t i = begin; i < end; ++i)
        scratch[offset[(items[i].key() >> shift) & (n_values - 1)]++] = items[i];
    }
    std::swap(items, scratch);
  }
  return items;
}

// Replaces keys by dense ranks 0, 1, ... in the order of the sorted items.
template <class Item>
void assign_ranks(const Item* sorted, int64_t n, Record* into) {
  using Key = decltype(sorted->key());
  constexpr Key missing = static_cast<Key>(~Key{0});
  uint32_t rank = 0;
  for (int64_t i = 0; i < n; ++i) {
    const Key key = sorted[i].key();
    if (key == missing) {
      into[i] = make_record(missing_rank, sorted[i].id());
      continue;
    }
    if (i > 0 && key != sorted[i - 1].key()) ++rank;
    into[i] = make_record(rank, sorted[i].id());
  }
}

// Category codes are small integers: a counting sort, and the rank is the code.
template <class T>
void sort_categories(const DenseView<T>& table, int64_t column, const RowIds& rows,
                     int64_t n_levels, Record* into) {
  std::vector<int64_t> offset(static_cast<size_t>(n_levels) + 2, 0);
  auto slot = [&](int64_t i) {
    const T value = table(rows.row(i), column);
    return std::isnan(value) ? static_cast<size_t>(n_levels)
                             : static_cast<size_t>(value);
  };
  for (int64_t i = 0; i < rows.n_rows; ++i) ++offset[slot(i) + 1];
  for (size_t level = 1; level < offset.size(); ++level)
    offset[level] += offset[level - 1];
  for (int64_t i = 0; i < rows.n_rows; ++i) {
    const size_t at = slot(i);
    const uint32_t rank =
        at == static_cast<size_t>(n_levels) ? missing_rank : static_cast<uint32_t>(at);
    into[offset[at]++] = make_record(rank, rows.ids[i]);
  }
}

// Writes the sort keys of all columns into the pool, a tile of rows at a time: rows lie
// together in memory, columns in the pool.
template <class T>
void transpose_keys(const DenseView<T>& table, const RowIds& rows, Record* pool,
                    Workers& workers, const StopFlag& stop) {
  constexpr int64_t tile = 64, rows_a_task = 8192;
  const int64_t n = rows.n_rows;
  workers.run((n + rows_a_task - 1) / rows_a_task, [&](int64_t task, int) {
    stop.check();
    const int64_t task_end = std::min(n, (task + 1) * rows_a_task);
    for (int64_t begin = task * rows_a_task; begin < task_end; begin += tile) {
      const int64_t end = std::min(task_end, begin + tile);
      for (int64_t column = 0; column < table.n_columns; ++column)
        for (int64_t i = begin; i < end; ++i)
          pool[column * n + i] = sort_key(table(rows.row(i), column));
    }
  });
}

// `n_levels[column]` is 0 for numeric columns.
template <class T>
SortedColumns presort(const DenseView<T>& table, const RowIds& rows,
                      const std::vector<int32_t>& n_levels, Workers& workers,
                      const StopFlag& stop) {
  using Item = typename ItemOf<T>::type;
  using Key = decltype(sort_key(T{}));
  const int64_t n = rows.n_rows;
  SortedColumns sorted;
  sorted.pool = RecordPool(static_cast<size_t>(n * table.n_columns));
  sorted.columns.resize(static_cast<size_t>(table.n_columns));
  transpose_keys(table, rows, sorted.pool.data.get(), workers, stop);
  std::vector<std::unique_ptr<Item[]>> scratch(static_cast<size_t>(workers.count()));
  workers.run(table.n_columns, [&](int64_t column, int worker) {
    stop.check();
    auto& info = sorted.columns[static_cast<size_t>(column)];
    info.begin = column * n;
    info.end = info.begin + n;
    Record* into = sorted.pool.data.get() + info.begin;
    info.n_levels = n_levels[static_cast<size_t>(column)];
    if (info.n_levels > 0) {
      sort_categories(table, column, rows, info.n_levels, into);
      return;
    }
    auto& space = scratch[static_cast<size_t>(worker)];
    if (!space) space.reset(new Item[static_cast<size_t>(2 * n)]);
    for (int64_t i = 0; i < n; ++i)
      space[static_cast<size_t>(i)] =
          Item::make(static_cast<Key>(into[i]), rows.ids[i]);
    const Item* items = radix_sort(space.get(), space.get() + n, n, stop);
    assign_ranks(items, n, into);
  });
  return sorted;
}

// Sparse columns: only what is stored is sorted; zeros stay implicit.
template <class T, class Index>
SortedColumns presort(const SparseView<T, Index>& table, const RowIds& rows,
                      Workers& workers, const StopFlag& stop) {
  using Item = WideItem;
  SortedColumns sorted;
  sorted.pool = RecordPool(static_cast<size_t>(table.starts[table.n_columns]));
  sorted.columns.resize(static_cast<size_t>(table.n_columns));
  constexpr uint32_t absent = 0xFFFFFFFFu;
  std::vector<uint32_t> id_of_row(static_cast<size_t>(table.n_rows), absent);
  for (int64_t i = 0; i < rows.n_rows; ++i)
    id_of_row[static_cast<size_t>(rows.row(i))] = rows.ids[i];
  workers.run(table.n_columns, [&](int64_t column, int) {
    stop.check();
    auto& info = sorted.columns[static_cast<size_t>(column)];
    info.sparse = true;
    info.begin = info.end = static_cast<int64_t>(table.starts[column]);
    std::vector<Item> items;
    for (Index at = table.starts[column]; at < table.starts[column + 1]; ++at) {
      const uint32_t id = id_of_row[static_cast<size_t>(table.indices[at])];
      const double value = static_cast<double>(table.values[at]);
      if (id != absent && value != 0) items.push_back(Item::make(sort_key(value), id));
    }
    std::vector<Item> scratch(items.size());
    const auto n = static_cast<int64_t>(items.size());
    const Item* in_order = radix_sort(items.data(), scratch.data(), n, stop);
    // Zero takes its place among the ranks whether or not a row is left that has it.
    const uint64_t zero_key = sort_key(0.0);
    bool zero_passed = false;
    uint32_t rank = 0;
    for (int64_t i = 0; i < n; ++i) {
      const uint64_t key = in_order[i].key();
      const bool missing = key == 0xFFFFFFFFFFFFFFFFull;
      if (!zero_passed && key > zero_key) {
        info.zero_rank = rank++;
        info.values.push_back(0.0);
        zero_passed = true;
      }
      if (!missing && (i == 0 || key != in_order[i - 1].key())) {
        const uint64_t bits =
            key & 0x8000000000000000ull ? key & 0x7FFFFFFFFFFFFFFFull : ~key;
        double value;
        std::memcpy(&value, &bits, sizeof value);
        info.values.push_back(value);
        ++rank;
      }
      sorted.pool.data[static_cast<size_t>(info.end++)] =
          make_record(missing ? missing_rank : rank - 1, in_order[i].id());
    }
    if (!zero_passed) {
      info.zero_rank = rank;
      info.values.push_back(0.0);
    }
  });
  return sorted;
}

}  // namespace tanoak
