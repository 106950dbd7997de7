// Thresholds, sides and new row numbers of one node.
#include "check.hpp"
#include "frame.hpp"
#include "samples.hpp"

using namespace tanoak;

namespace {

constexpr double largest = std::numeric_limits<double>::max();
constexpr double tiniest = std::numeric_limits<double>::denorm_min();

// A table of three classes with everything a frame points at.
struct Scene {
  Grid grid;
  ClassTarget target;
  SortedColumns sorted;
  ValueOf value_of;
  Frame<ClassTarget> frame;
  OpenNode<ClassSums> node;

  Scene(Random& random, size_t n_rows, size_t n_columns, bool sparse)
      : grid(draw_grid(random, n_rows, n_columns, 3, 0.2)),
        node{0, 0, {}, {sparse ? -1 : 0, 0, int64_t(n_rows)}, make_sums(target)} {
    target.class_mass = {1, 10, 100};
    target.label_bits = 2;
    std::vector<uint32_t> ids;
    for (uint32_t row = 0; row < n_rows; ++row)
      ids.push_back(target.make_id(row, int32_t(random.below(3))));
    Workers workers(1);
    const RowIds rows{ids.data(), nullptr, int64_t(n_rows)};
    const std::vector<int32_t> n_levels(n_columns, 0);
    sorted = sparse ? presort(compress_columns<double, int32_t>(grid, true).view, rows,
                              workers, StopFlag())
                    : presort(Dense<double>(grid, Layout::by_row).view, rows, n_levels,
                              workers, StopFlag());
    value_of = [this](int32_t column, int64_t row) {
      return grid(size_t(row), size_t(column));
    };
    frame.pool = sorted.pool.data.get();
    frame.columns = &sorted.columns;
    frame.target = &target;
    frame.value_of = &value_of;
    frame.side.resize(n_rows);
    if (sparse)
      for (const uint32_t id : ids) frame.row_list.push_back(make_record(0, id));
    for (size_t column = 0; column < n_columns; ++column)
      node.segments.push_back(
          {int32_t(column), sorted.columns[column].begin, sorted.columns[column].end});
  }
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  static ClassSums make_sums(ClassTarget& target) {
    target.n_classes = 3;
    return ClassSums(target);
  }
  std::vector<Record> records(const Segment& segment) const {
    return {frame.pool + segment.begin, frame.pool + segment.end};
  }
};

}  // namespace

TEST(a_midpoint_lies_between_and_below_the_upper_value) {
  const double values[] = {-largest,
                           -1e300,
                           -2,
                           -1,
                           -0x1p-1022,
                           -tiniest,
                           0,
                           tiniest,
                           3 * tiniest,
                           0x1p-1022,
                           0.1,
                           1,
                           std::nextafter(1.0, 2.0),
                           7,
                           largest};
  for (const double low : values)
    for (const double high : values) {
      if (!(low < high)) continue;
      const double middle = midpoint(low, high);
      CHECK(low <= middle && middle < high);
      CHECK(!std::signbit(middle) || middle < 0);  // never -0.0
    }
  CHECK_EQUAL(midpoint(1, 2), 1.5);
  CHECK_EQUAL(midpoint(-largest, largest), 0.0);
  CHECK_EQUAL(midpoint(largest / 2, largest), largest * 0.75);
  CHECK_EQUAL(midpoint(1, std::nextafter(1.0, 2.0)), 1.0);
  CHECK_SAME_BITS(midpoint(-0.0, tiniest), 0.0);
}

TEST(a_threshold_lies_between_the_records_of_a_cut) {
  Random random(1);
  for (const bool sparse : {false, true}) {
    const Scene scene(random, 60, 2, sparse);
    for (const Segment& segment : scene.node.segments) {
      AxisCut cut;
      cut.column = segment.column;
      const auto records = scene.records(segment);
      for (size_t i = 1; i < records.size(); ++i) {
        if (rank_of(records[i - 1]) == rank_of(records[i])) continue;
        cut.last_left = records[i - 1];
        cut.first_right = records[i];
        auto value = [&](Record record) {
          return scene.grid(scene.target.row(record), size_t(segment.column));
        };
        const double expected =
            rank_of(records[i]) == missing_rank
                ? largest
                : midpoint(value(records[i - 1]), value(records[i]));
        CHECK_SAME_BITS(scene.frame.threshold(cut), expected);
      }
    }
  }
}

TEST(rows_of_a_part_are_found_in_the_table) {
  Random random(2);
  Scene scene(random, 10, 1, false);
  scene.grid.cells[7] = 123;
  scene.frame.table_row = {4, 7};
  CHECK_EQUAL(scene.frame.value(0, make_record(0, scene.target.make_id(1, 2))), 123.0);
}

TEST(a_column_varies_unless_all_its_values_are_equal) {
  Frame<ClassTarget> frame;
  std::vector<Record> pool = {make_record(3, 0), make_record(3, 1), make_record(4, 2),
                              make_record(missing_rank, 3),
                              make_record(missing_rank, 4)};
  frame.pool = pool.data();
  CHECK(!varies(frame, {0, 0, 0}, 5));
  CHECK(!varies(frame, {0, 0, 2}, 2));
  CHECK(varies(frame, {0, 0, 3}, 3));
  CHECK(varies(frame, {0, 2, 4}, 2));
  CHECK(!varies(frame, {0, 3, 5}, 2));
  CHECK(varies(frame, {0, 0, 2}, 3));  // the third row is an implicit zero
}

TEST(a_side_is_told_by_rank_or_by_category) {
  AxisCut cut;
  cut.last_left = make_record(5, 99);
  cut.left_codes = {2};  // of a cut that was beaten
  for (const bool missing_left : {false, true}) {
    cut.missing_left = missing_left;
    const SideTest numeric(cut, 0);
    CHECK(numeric(0) && numeric(5) && !numeric(6));
    CHECK_EQUAL(numeric(missing_rank), missing_left);
    const SideTest categorical(cut, 4);
    CHECK(!categorical(0) && !categorical(1) && categorical(2) && !categorical(3));
    CHECK_EQUAL(categorical(missing_rank), missing_left);
  }
}

TEST(sides_are_marked_and_both_children_added_up) {
  Random random(3);
  for (const bool sparse : {false, true})
    for (int repeat = 0; repeat < 60; ++repeat) {
      Scene scene(random, 2 + random.below(40), 2, sparse);
      const Segment segment = scene.node.segments[random.below(2)];
      const auto column = size_t(segment.column);
      // A cut at any value of the column (or at zero, for sparse columns).
      const double last = random.whole(-3, 3) / 4;
      AxisCut cut;
      cut.column = segment.column;
      cut.missing_left = random.chance(0.5);
      bool known = false;
      for (size_t row = 0; row < scene.grid.n_rows; ++row)
        known = known || scene.grid(row, column) == last;
      if (!known) continue;
      const auto& info = scene.sorted.columns[column];
      if (sparse)
        cut.last_left = make_record(
            uint32_t(std::find(info.values.begin(), info.values.end(), last) -
                     info.values.begin()),
            0);
      else
        for (const Record record : scene.records(segment))
          if (scene.grid(scene.target.row(record), column) == last)
            cut.last_left = record;
      ClassSums left(scene.target), right(scene.target);
      mark_sides(scene.frame, scene.node, cut, segment, left, right);
      ClassSums expected_left(scene.target), expected_right(scene.target);
      std::vector<Record> rows = scene.frame.row_list;
      if (!sparse) rows = scene.records(scene.node.segments[0]);
      for (const Record record : rows) {
        const size_t row = scene.target.row(record);
        const double value = scene.grid(row, column);
        const bool is_left = std::isnan(value) ? cut.missing_left : value <= last;
        CHECK_EQUAL(scene.frame.side[row] != 0, is_left);
        (is_left ? expected_left : expected_right).add(scene.target, record);
      }
      CHECK_EQUAL(left.masses, expected_left.masses);
      CHECK_EQUAL(right.masses, expected_right.masses);
      CHECK_EQUAL(left.rows, expected_left.rows);
      CHECK_EQUAL(right.rows, expected_right.rows);
    }
}

TEST(a_segment_is_partitioned_by_the_side_of_its_rows) {
  Random random(4);
  Scene scene(random, 50, 2, false);
  for (uint8_t& side : scene.frame.side) side = random.chance(0.5);
  const Segment segment = scene.node.segments[1];
  std::vector<Record> expected = scene.records(segment), scratch;
  const auto middle = std::stable_partition(
      expected.begin(), expected.end(),
      [&](Record record) { return scene.frame.side[scene.target.row(record)] != 0; });
  CHECK_EQUAL(
      partition_segment(scene.frame, scene.frame.pool + segment.begin, 50, scratch),
      middle - expected.begin());
  CHECK_EQUAL(scene.records(segment), expected);
}

// The home of the rows may be a column of the node, one that does not vary any more, or
// a list of its own.
TEST(rows_of_a_subtree_are_numbered_anew) {
  Random random(5);
  for (const bool sparse : {false, true})
    for (const bool home_varies : {false, true}) {
      Scene scene(random, 30, 3, sparse);
      if (!home_varies && !sparse)
        scene.node.segments.erase(scene.node.segments.begin());
      const auto segments = scene.node.segments;
      std::vector<std::vector<Record>> before;
      for (const Segment& segment : segments) before.push_back(scene.records(segment));
      std::vector<uint32_t> new_row(30, 1000);
      const auto old_rows = renumber(scene.frame, scene.node, new_row);
      CHECK_EQUAL(old_rows.size(), 30);
      const Record* home = scene.frame.home_of(scene.node.home);
      for (uint32_t i = 0; i < 30; ++i) {
        CHECK_EQUAL(scene.target.row(home[i]), i);
        CHECK_EQUAL(new_row[old_rows[i]], i);
      }
      for (size_t s = 0; s < segments.size(); ++s) {
        const auto after = scene.records(segments[s]);
        for (size_t i = 0; i < after.size(); ++i) {
          const Record old = before[s][i];
          CHECK_EQUAL(rank_of(after[i]), rank_of(old));
          CHECK_EQUAL(scene.target.label(after[i]), scene.target.label(old));
          CHECK_EQUAL(old_rows[scene.target.row(after[i])], scene.target.row(old));
        }
      }
    }
}
