// Sorted columns: keys, radix sort, ranks; dense and sparse against a plain sort.
#include <string>

#include "check.hpp"
#include "presort.hpp"
#include "samples.hpp"

using namespace tanoak;

namespace {

template <class T>
std::vector<T> special_values() {  // in order; both zeros are one value
  using Limits = std::numeric_limits<T>;
  return {-Limits::infinity(),
          Limits::lowest(),
          T(-1),
          -Limits::min(),
          -Limits::denorm_min(),
          T(0),
          T(-0.0),
          Limits::denorm_min(),
          Limits::min(),
          T(1),
          T(1) + Limits::epsilon(),
          Limits::max(),
          Limits::infinity()};
}

template <class T, class Bits>
void check_keys() {
  const auto values = special_values<T>();
  for (const T a : values)
    for (const T b : values) {
      CHECK_EQUAL(sort_key(a) < sort_key(b), a < b);
      CHECK_EQUAL(sort_key(a) == sort_key(b), a == b);
    }
  Random random(3);
  for (int repeat = 0; repeat < 20000; ++repeat) {
    const Bits bits[2] = {static_cast<Bits>(random.word()),
                          static_cast<Bits>(random.word())};
    T pair[2];
    std::memcpy(pair, bits, sizeof pair);
    const T a = pair[0], b = pair[1];
    const Bits last = static_cast<Bits>(~Bits{0});
    CHECK_EQUAL(sort_key(a) == last, std::isnan(a));
    CHECK_EQUAL(sort_key(b) == last, std::isnan(b));
    if (std::isnan(a) || std::isnan(b)) continue;
    CHECK_EQUAL(sort_key(a) < sort_key(b), a < b);
    CHECK_EQUAL(sort_key(a) == sort_key(b), a == b);
  }
}

template <class Item>
void check_radix_sort(const std::vector<decltype(Item{}.key())>& keys) {
  std::vector<Item> items;
  for (size_t i = 0; i < keys.size(); ++i)
    items.push_back(Item::make(keys[i], static_cast<uint32_t>(i)));
  std::vector<Item> expected = items, scratch(items.size());
  std::stable_sort(expected.begin(), expected.end(),
                   [](const Item& a, const Item& b) { return a.key() < b.key(); });
  const Item* sorted = radix_sort(items.data(), scratch.data(),
                                  static_cast<int64_t>(items.size()), StopFlag());
  CHECK(sorted == items.data() || sorted == scratch.data());
  int n_wrong = 0;
  for (size_t i = 0; i < keys.size(); ++i)
    n_wrong +=
        sorted[i].key() != expected[i].key() || sorted[i].id() != expected[i].id();
  CHECK_EQUAL(n_wrong, 0);
}

// Only the bits of `mask` differ, so some passes have nothing to do.
template <class Item>
void check_radix_sorts(const std::vector<uint64_t>& masks) {
  using Key = decltype(Item{}.key());
  Random random(4);
  for (const size_t n : {0, 1, 2, 3, 100, 255, 256, 257, 1000, 5000})
    for (const uint64_t mask : masks) {
      const uint64_t common = random.word();
      std::vector<Key> keys;
      for (size_t i = 0; i < n; ++i)
        keys.push_back(static_cast<Key>((random.word() & mask) | (common & ~mask)));
      check_radix_sort<Item>(keys);
    }
}

// Whether two rows hold the same value, or which comes first: NaN last.
bool comes_before(double a, double b) { return std::isnan(b) ? !std::isnan(a) : a < b; }

// The rows in order of one column, and the rank each must have.
std::vector<Record> sort_plainly(const Grid& grid, size_t column,
                                 const std::vector<uint32_t>& rows,
                                 const std::vector<uint32_t>& ids, bool categorical) {
  std::vector<size_t> order(rows.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  auto value = [&](size_t i) { return grid(rows[i], column); };
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return comes_before(value(a), value(b));
  });
  std::vector<Record> records;
  uint32_t rank = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    const double x = value(order[i]);
    if (i > 0 && comes_before(value(order[i - 1]), x)) ++rank;
    const uint32_t wanted = categorical ? static_cast<uint32_t>(x) : rank;
    records.push_back(
        make_record(std::isnan(x) ? missing_rank : wanted, ids[order[i]]));
  }
  return records;
}

struct Rows {  // some rows in any order, with ids that say nothing
  std::vector<uint32_t> rows, ids;

  Rows(Random& random, size_t n_rows, bool all) {
    for (uint32_t row = 0; row < n_rows; ++row)
      if (all || random.chance(0.6)) rows.push_back(row);
    if (!all) random.shuffle(rows);
    for (size_t i = 0; i < rows.size(); ++i)
      ids.push_back(static_cast<uint32_t>(3 * i + 5));
    random.shuffle(ids);
  }
  RowIds view(bool all) const {
    return {ids.data(), all ? nullptr : rows.data(), static_cast<int64_t>(rows.size())};
  }
};

template <class T>
void check_dense(const Grid& grid, const std::vector<int32_t>& n_levels, bool all,
                 uint64_t seed) {
  Random random(seed);
  const Rows some(random, grid.n_rows, all);
  for (const Layout layout : all_layouts) {
    const Dense<T> table(grid, layout);
    Workers workers(1 + static_cast<int>(random.below(3)));
    const SortedColumns sorted =
        presort(table.view, some.view(all), n_levels, workers, StopFlag());
    CHECK_EQUAL(sorted.columns.size(), grid.n_columns);
    for (size_t column = 0; column < grid.n_columns; ++column) {
      const auto& info = sorted.columns[column];
      CHECK(!info.sparse);
      CHECK_EQUAL(info.n_levels, n_levels[column]);
      const std::vector<Record> found(sorted.pool.data.get() + info.begin,
                                      sorted.pool.data.get() + info.end);
      CHECK(found ==
            sort_plainly(grid, column, some.rows, some.ids, n_levels[column] > 0));
    }
  }
}

// What a sparse column must hold, from the dense table.
void check_sparse_column(const Grid& grid, size_t column, const Rows& some,
                         const SortedColumns& sorted) {
  const auto& info = sorted.columns[column];
  CHECK(info.sparse);
  std::vector<double> by_id(5 + 3 * some.rows.size(), 0.0);
  size_t n_stored = 0;
  for (size_t i = 0; i < some.rows.size(); ++i) {
    by_id[some.ids[i]] = grid(some.rows[i], column);
    n_stored += grid(some.rows[i], column) != 0.0;
  }
  CHECK_EQUAL(info.end - info.begin, n_stored);
  for (size_t rank = 1; rank < info.values.size(); ++rank)
    CHECK(info.values[rank - 1] < info.values[rank]);
  CHECK_SAME_BITS(info.values[info.zero_rank], 0.0);
  std::vector<bool> used(info.values.size(), false);
  used[info.zero_rank] = true;
  for (int64_t at = info.begin; at < info.end; ++at) {
    const Record record = sorted.pool.data[static_cast<size_t>(at)];
    const double value = by_id[id_of(record)];
    by_id[id_of(record)] = 0.0;  // each row comes once
    if (at > info.begin)
      CHECK(rank_of(sorted.pool.data[static_cast<size_t>(at - 1)]) <= rank_of(record));
    CHECK_EQUAL(rank_of(record) == missing_rank, std::isnan(value));
    if (std::isnan(value)) continue;
    CHECK_SAME_BITS(info.values[rank_of(record)], value);
    used[rank_of(record)] = true;
  }
  CHECK(std::count(used.begin(), used.end(), false) == 0);
  for (const double left : by_id) CHECK(left == 0.0);
}

template <class T, class Index>
void check_sparse(const Grid& grid, bool all, uint64_t seed) {
  Random random(seed);
  const Rows some(random, grid.n_rows, all);
  for (const bool with_zeros : {false, true}) {
    const auto table = compress_columns<T, Index>(grid, with_zeros);
    Workers workers(1 + static_cast<int>(random.below(3)));
    const auto sorted = presort(table.view, some.view(all), workers, StopFlag());
    CHECK_EQUAL(sorted.columns.size(), grid.n_columns);
    for (size_t column = 0; column < grid.n_columns; ++column)
      check_sparse_column(grid, column, some, sorted);
  }
}

}  // namespace

TEST(keys_of_floats_are_in_the_order_of_values) { check_keys<float, uint32_t>(); }
TEST(keys_of_doubles_are_in_the_order_of_values) { check_keys<double, uint64_t>(); }

TEST(every_kind_of_nan_is_last) {
  for (const double nan : {std::nan(""), -std::nan(""), std::nan("123")}) {
    CHECK_EQUAL(sort_key(nan), 0xFFFFFFFFFFFFFFFFu);
    CHECK_EQUAL(sort_key(static_cast<float>(nan)), 0xFFFFFFFFu);
  }
}

TEST(radix_sort_is_a_stable_sort_of_32_bits) {
  check_radix_sorts<NarrowItem>(
      {~0ull, 0, 1, 0x7FF, 0x3FF800, 0xFFC00000, 0x80000000, 0xFF0000FF, 0x7});
}

TEST(radix_sort_is_a_stable_sort_of_64_bits) {
  check_radix_sorts<WideItem>({~0ull, 0, 1, 0x7FF, 0x3FF800, 0x8000000000000000,
                               0xFF80000000000000, 0x00FFF00000000000, 0x7000000000007,
                               0x1FFC00000});
}

TEST(radix_sort_listens_to_the_stop_flag) {
  std::vector<WideItem> items, scratch(1000);
  for (uint32_t i = 0; i < 1000; ++i) items.push_back(WideItem::make(i * 77 % 256, i));
  StopFlag stop;
  stop.request();
  CHECK_THROWS(radix_sort(items.data(), scratch.data(), 1000, stop), Interrupted, "");
}

TEST(ranks_are_dense_and_missing_values_have_the_last) {
  const std::vector<uint64_t> keys = {4, 4, 7, 9, 9, 9, ~0ull, ~0ull};
  std::vector<WideItem> items;
  for (uint32_t i = 0; i < keys.size(); ++i)
    items.push_back(WideItem::make(keys[i], 50 - i));
  std::vector<Record> records(keys.size());
  assign_ranks(items.data(), 8, records.data());
  const std::vector<uint32_t> expected = {0, 0, 1, 2, 2, 2, missing_rank, missing_rank};
  for (uint32_t i = 0; i < keys.size(); ++i) {
    CHECK_EQUAL(rank_of(records[i]), expected[i]);
    CHECK_EQUAL(id_of(records[i]), 50 - i);
  }
}

TEST(dense_columns_are_sorted_like_plain_ones) {
  Random random(5);
  uint64_t seed = 0;
  for (const size_t n_rows : {1, 2, 63, 64, 65, 255, 256, 300, 1500})
    for (const double missing_share : {0.0, 0.2, 1.0})
      for (const bool all : {true, false}) {
        Grid grid = draw_grid(random, n_rows, 4, 1000, missing_share);
        for (size_t row = 0; row < n_rows; ++row) {  // column 1: 70 categories
          if (!std::isnan(grid(row, 1))) grid(row, 1) = random.whole(0, 69);
          if (random.chance(0.2)) grid(row, 2) = random.chance(0.5) ? 0.0 : -0.0;
          grid(row, 3) = random.whole(0, 1);
        }
        check_dense<float>(grid, {0, 70, 0, 2}, all, ++seed);
        check_dense<double>(grid, {0, 70, 0, 0}, all, ++seed);
      }
}

TEST(values_far_apart_and_close_together_are_sorted) {
  Random random(6);
  Grid grid(1000, 2);
  for (size_t row = 0; row < 1000; ++row) {
    const auto& special = special_values<float>();
    grid(row, 0) = static_cast<double>(special[1 + random.below(special.size() - 2)]);
    grid(row, 1) =
        static_cast<double>(std::nextafter(1.0f, random.chance(0.5) ? 2.0f : 0.0f));
  }
  check_dense<float>(grid, {0, 0}, true, 1);
  check_dense<double>(grid, {0, 0}, false, 2);
}

TEST(many_rows_are_transposed_in_several_tasks) {
  Random random(7);
  const Grid grid = draw_grid(random, 20000, 2, 100000, 0.01);
  check_dense<float>(grid, {0, 0}, true, 3);
  check_dense<double>(grid, {0, 0}, false, 4);
}

TEST(sparse_columns_hold_what_is_not_zero) {
  Random random(8);
  uint64_t seed = 0;
  for (const size_t n_rows : {1, 2, 10, 300, 2000})
    for (const double density : {0.0, 0.02, 0.5, 1.0})
      for (const bool all : {true, false}) {
        Grid grid(n_rows, 5);
        for (size_t row = 0; row < n_rows; ++row)
          for (size_t column = 0; column < 5; ++column) {
            if (!random.chance(density)) continue;
            // Column 0 has both signs, 1 and 2 one of them, 3 is missing or 1.
            const double sign =
                column == 0 ? random.whole(-1, 1) : (column == 2 ? -1.0 : 1.0);
            grid(row, column) = sign * random.whole(1, 40) / 8;
            if (column == 3) grid(row, column) = random.chance(0.5) ? no_value : 1.0;
          }
        check_sparse<float, int32_t>(grid, all, ++seed);
        check_sparse<double, int64_t>(grid, all, ++seed);
        check_sparse<float, int64_t>(grid, all, ++seed);
        check_sparse<double, int32_t>(grid, all, ++seed);
      }
}

TEST(a_stored_negative_zero_is_a_zero) {
  const std::vector<double> values = {-0.0, 2.0, -3.0};
  const std::vector<int32_t> indices = {0, 1, 3}, starts = {0, 3};
  const std::vector<uint32_t> ids = {0, 1, 2, 3};
  Workers workers(1);
  const SparseView<double, int32_t> table{values.data(), indices.data(), starts.data(),
                                          4, 1};
  const auto sorted = presort(table, {ids.data(), nullptr, 4}, workers, StopFlag());
  const auto& info = sorted.columns[0];
  CHECK_EQUAL(info.end - info.begin, 2);
  CHECK_EQUAL(info.values, (std::vector<double>{-3, 0, 2}));
  CHECK_EQUAL(info.zero_rank, 1);
}

TEST(a_request_to_stop_ends_presorting) {
  StopFlag stop;
  stop.request();
  const std::vector<uint32_t> ids = {0, 1, 2};
  const RowIds rows{ids.data(), nullptr, 3};
  Grid grid(3, 2);
  const Dense<float> dense(grid, Layout::by_row);
  const auto sparse = compress_columns<float, int32_t>(grid, true);
  Workers workers(2);
  CHECK_THROWS(presort(dense.view, rows, {0, 0}, workers, stop), Interrupted, "");
  CHECK_THROWS(presort(sparse.view, rows, workers, stop), Interrupted, "");
}
