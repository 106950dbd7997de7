// The rows and sorted columns that growth moves about: marking sides, partitioning,
// renumbering a subtree.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include "gain.hpp"
#include "presort.hpp"
#include "simd.hpp"
#include "split_axis.hpp"
#include "split_sum.hpp"

namespace tanoak {

// A node on its way to be split. `home` holds a record of each of its rows.
template <class Sums>
struct OpenNode {
  int32_t id = 0;
  int32_t depth = 0;
  std::vector<Segment> segments;  // columns that still vary
  Segment home{-1, 0, 0};
  Sums sums;
  AnswerBounds bounds{};
};

// The value of a row of the table in a dense column.
using ValueOf = std::function<double(int32_t column, int64_t row)>;

// Halfway between two neighbouring values, and certainly below the upper one.
inline double midpoint(double low, double high) {
  const double middle = low / 2 + high / 2;
  return (middle >= low && middle < high ? middle : low) + 0.0;
}

template <class Target>
struct Frame {
  Record* pool = nullptr;
  const std::vector<SortedColumn>* columns = nullptr;
  const Target* target = nullptr;
  const ValueOf* value_of = nullptr;
  std::vector<uint32_t> table_row;  // of each row; empty: the same
  std::vector<uint8_t> side;        // of each row of the node at hand: 1 = left
  // A record of each row, by node, where columns do not hold all rows or their order is
  // asked for: sparse tables, cuts by sums. Rows of a node stay in the table's order.
  std::vector<Record> row_list;

  bool lists_rows() const { return !row_list.empty(); }
  void list_rows(const std::vector<uint32_t>& ids) {
    row_list.reserve(ids.size());
    for (const uint32_t id : ids) row_list.push_back(make_record(0, id));
  }
  int64_t n_rows() const { return static_cast<int64_t>(side.size()); }
  Record* home_of(const Segment& home) {
    return (home.column < 0 ? row_list.data() : pool) + home.begin;
  }
  unsigned shift() const {
    if constexpr (std::is_same_v<Target, ClassTarget>) return target->label_bits;
    return 0;
  }

  double value(int32_t column, Record record) const {
    const auto& info = (*columns)[static_cast<size_t>(column)];
    if (info.sparse) return info.values[rank_of(record)];
    const uint32_t row = target->row(record);
    return (*value_of)(column, table_row.empty() ? row : table_row[row]);
  }

  double threshold(const AxisCut& cut) const {
    if (rank_of(cut.first_right) == missing_rank)
      return std::numeric_limits<double>::max();
    return midpoint(value(cut.column, cut.last_left),
                    value(cut.column, cut.first_right));
  }
};

// A column of a node can be left out once all its rows have the same value there.
template <class Target>
bool varies(const Frame<Target>& frame, const Segment& segment, int64_t n_rows) {
  const int64_t n = segment.end - segment.begin;
  if (n == 0) return false;
  if (n < n_rows) return true;  // stored values beside implicit zeros
  return rank_of(frame.pool[segment.begin]) != rank_of(frame.pool[segment.end - 1]);
}

// Whether a record goes left; one object a split, so that it can be asked quickly.
struct SideTest {
  bool categorical, missing_left;
  uint32_t last_rank;
  std::vector<uint8_t> level_left;

  SideTest(const AxisCut& cut, int32_t n_levels)
      : categorical(n_levels > 0),
        missing_left(cut.missing_left),
        last_rank(rank_of(cut.last_left)),
        level_left(static_cast<size_t>(n_levels), 0) {
    if (!categorical) return;  // codes may be left from a cut that was beaten
    for (const uint32_t code : cut.left_codes) level_left[code] = 1;
  }
  bool operator()(uint32_t rank) const {
    if (rank == missing_rank) return missing_left;
    return categorical ? level_left[rank] != 0 : rank <= last_rank;
  }
};

// Fills frame.side for the node's rows and adds up both children.
template <class Target, class Sums>
void mark_sides(Frame<Target>& frame, const OpenNode<Sums>& node, const AxisCut& cut,
                const Segment& segment, Sums& left, Sums& right) {
  const Target& target = *frame.target;
  const auto& info = (*frame.columns)[static_cast<size_t>(cut.column)];
  const SideTest goes_left(cut, info.n_levels);
  const Record* records = frame.pool + segment.begin;
  const int64_t n = segment.end - segment.begin;
  if (!info.sparse) {
    for (int64_t i = 0; i < n; ++i) {
      const bool is_left = goes_left(rank_of(records[i]));
      frame.side[target.row(records[i])] = is_left;
      (is_left ? left : right).add(target, records[i]);
    }
    return;
  }
  const Record* rows = frame.row_list.data() + node.home.begin;
  const int64_t n_rows = node.home.end - node.home.begin;
  const uint8_t zero_left = goes_left(info.zero_rank);
  for (int64_t i = 0; i < n_rows; ++i) frame.side[target.row(rows[i])] = zero_left;
  for (int64_t i = 0; i < n; ++i)
    frame.side[target.row(records[i])] = goes_left(rank_of(records[i]));
  for (int64_t i = 0; i < n_rows; ++i)
    (frame.side[target.row(rows[i])] ? left : right).add(target, rows[i]);
}

// The rows of a node in the table, where rows are listed.
template <class Target, class Sums>
std::vector<uint32_t> table_rows(const Frame<Target>& frame,
                                 const OpenNode<Sums>& node) {
  const Record* records = frame.row_list.data() + node.home.begin;
  std::vector<uint32_t> rows(static_cast<size_t>(node.home.end - node.home.begin));
  for (size_t i = 0; i < rows.size(); ++i) {
    const uint32_t row = frame.target->row(records[i]);
    rows[i] = frame.table_row.empty() ? row : frame.table_row[row];
  }
  return rows;
}

// The same for a cut by a sum.
template <class Target, class Sums>
void mark_sides(Frame<Target>& frame, const OpenNode<Sums>& node, const SumCut& cut,
                const Features& features, Sums& left, Sums& right) {
  const std::vector<uint32_t> rows = table_rows(frame, node);
  std::vector<uint8_t> is_left(rows.size());
  mark_left(features, cut, rows.data(), static_cast<int64_t>(rows.size()),
            is_left.data());
  const Record* records = frame.row_list.data() + node.home.begin;
  for (size_t i = 0; i < rows.size(); ++i) {
    frame.side[frame.target->row(records[i])] = is_left[i];
    (is_left[i] ? left : right).add(*frame.target, records[i]);
  }
}

// A whole column moved to its children: how many of its records went left.
template <class Target>
int64_t partition_segment(const Frame<Target>& frame, Record* records, int64_t n,
                          std::vector<Record>& scratch) {
  if (static_cast<int64_t>(scratch.size()) < n) scratch.resize(static_cast<size_t>(n));
  return partition_records(records, n, frame.side.data(), frame.shift(),
                           scratch.data());
}

// Gives the rows of a subtree small numbers of their own: what is looked up by row then
// stays in the nearest cache, and threads do not write to each other's lines.
template <class Target, class Sums>
std::vector<uint32_t> renumber(Frame<Target>& frame, OpenNode<Sums>& node,
                               std::vector<uint32_t>& new_row) {
  const Target& target = *frame.target;
  Record* home = frame.home_of(node.home);
  const int64_t n = node.home.end - node.home.begin;
  std::vector<uint32_t> old_rows(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i) {
    const uint32_t row = target.row(home[i]);
    old_rows[static_cast<size_t>(i)] = row;
    new_row[row] = static_cast<uint32_t>(i);
  }
  auto rewrite = [&](Record* records, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
      records[i] =
          make_record(rank_of(records[i]),
                      target.renumber(records[i], new_row[target.row(records[i])]));
  };
  bool home_done = false;
  for (const Segment& segment : node.segments) {
    rewrite(frame.pool + segment.begin, segment.end - segment.begin);
    home_done = home_done || segment.column == node.home.column;
  }
  if (!home_done) rewrite(home, n);
  return old_rows;
}

}  // namespace tanoak
