// The loops that take rows down, against rows that go down alone.
#include <array>

#include "check.hpp"
#include "descend.hpp"
#include "samples.hpp"

using namespace tanoak;

TEST(sixteen_rows_descend_side_by_side) {
  // A chain that cuts off -1, 0, 1, ... one by one, and sends missing values left at
  // odd nodes: node 2 i tests x <= i, its left child is a leaf.
  constexpr int32_t n_cuts = 21;
  std::vector<AxisNode> nodes;
  for (int32_t i = 0; i < n_cuts; ++i) {
    nodes.push_back(AxisNode::inner(i, 1, i % 2 == 1, 2 * i + 2));
    nodes.push_back(AxisNode::leaf(2 * i + 1));
  }
  nodes.push_back(AxisNode::leaf(2 * n_cuts));
  std::vector<double> rows;
  for (int i = 0; i < 16; ++i) {
    rows.push_back(no_value);  // column 0: read by leaves, means nothing
    rows.push_back(i == 5 ? no_value : 2 * i - 3);
  }
  const std::vector<float> narrow(rows.begin(), rows.end());
  std::vector<int32_t> leaves(16), narrow_leaves(16);
  descend_axis(nodes.data(), n_cuts, rows.data(), 2, 1, leaves.data());
  descend_axis(nodes.data(), n_cuts, narrow.data(), 2, 1, narrow_leaves.data());
  for (int i = 0; i < 16; ++i) {
    int32_t expected = std::min(2 * std::max(0, 2 * i - 3) + 1, 2 * n_cuts);
    if (i == 5) expected = 3;  // the missing value: right at node 0, left at node 2
    CHECK_EQUAL(leaves[size_t(i)], expected);
  }
  CHECK_EQUAL(narrow_leaves, leaves);
}

TEST(rows_descend_by_their_projections) {
  // Node 0: x0 + x9 <= 1; else node 2: x0 - x1 <= 0.
  const std::vector<LinearNode> nodes = {{1, 2}, {-1, 1}, {0, 4}, {-1, 3}, {-1, 4}};
  std::vector<double> weights(5 * 16, 0.0), rows(8 * 16, 0.0);
  weights[0] = weights[9] = weights[32] = 1;
  weights[33] = -1;
  const std::vector<double> x0 = {0, 1, 2, 2, no_value}, x1 = {0, 0, 2, 1, 0};
  for (size_t i = 0; i < 5; ++i) {
    rows[i * 16] = x0[i];
    rows[i * 16 + 1] = x1[i];
  }
  std::vector<int32_t> leaves(6, 77);
  descend_linear(nodes.data(), weights.data(), 16, 2, rows.data(), 5, leaves.data());
  CHECK_EQUAL(leaves, (std::vector<int32_t>{1, 1, 3, 4, -1, 77}));
}

TEST(rows_descend_by_two_columns) {
  // Node 0: 2 x0 - x2 <= 1; else node 2: x1 <= 0, where a missing x1 is unknown.
  const std::vector<PairNode> nodes = {{1, {2, -1}, {3, 0.5}, {0, 2}, 2},
                                       PairNode::leaf(1),
                                       {0, {1, 0}, {no_value, no_value}, {1, 1}, 4},
                                       PairNode::leaf(3),
                                       PairNode::leaf(4)};
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<std::array<double, 3>> rows = {
      {0, 9, 0},
      {1, 0, 1},                 // on the threshold
      {1, 0, 0},                 // 2
      {1, 1, 0},                 // 2
      {no_value, -1, no_value},  // 6 - 0.5
      {1, no_value, 0},          // stuck at node 2
      {infinity, 1, infinity},   // infinity - infinity
      {0.5, no_value, 0.25},     // 0.75: x1 does not matter
  };
  const std::vector<int32_t> expected = {1, 1, 3, 4, 3, -1, -1, 1};
  std::vector<double> cells;
  for (const auto& row : rows) cells.insert(cells.end(), row.begin(), row.end());
  const std::vector<float> narrow(cells.begin(), cells.end());
  std::vector<int32_t> leaves(8);
  for (const int32_t depth : {2, 20}) {
    descend_pair(nodes.data(), depth, cells.data(), 3, 1, leaves.data());
    CHECK_EQUAL(leaves, expected);
    descend_pair(nodes.data(), depth, narrow.data(), 3, 1, leaves.data());
    CHECK_EQUAL(leaves, expected);
  }
}

TEST(a_tile_holds_eight_rows_side_by_side) {
  for (const int64_t n_columns : {1, 7, 8, 10, 16, 21})
    for (const bool by_row : {true, false}) {
      std::vector<double> cells(size_t(8 * n_columns));
      TileShape shape{n_columns, 1, n_columns};
      if (!by_row) shape = {1, 8, n_columns};
      const int64_t width = shape.width();
      auto cell = [&](int64_t row, int64_t column) -> double& {
        return cells[size_t(row * shape.row_stride + column * shape.column_stride)];
      };
      for (int64_t row = 0; row < 8; ++row)
        for (int64_t column = 0; column < n_columns; ++column)
          cell(row, column) = double((column + 1) * (row % 2 == 0 ? row : -row));
      cell(7, n_columns - 1) = no_value;
      const std::vector<float> narrow(cells.begin(), cells.end());
      std::vector<float> fill(size_t(width), -50.0f), most(size_t(width), 0.0f);
      most[0] = 9;
      std::vector<float> tile(size_t(8 * width + 1), 77.0f), again = tile;
      std::vector<float> most_again = most;
      write_tile(cells.data(), shape, fill.data(), tile.data(), most.data());
      write_tile(narrow.data(), shape, fill.data(), again.data(), most_again.data());
      CHECK_EQUAL(tile, again);
      CHECK_EQUAL(most, most_again);
      CHECK_EQUAL(tile.back(), 77.0f);
      for (int64_t slot = 0; slot < width; ++slot) {
        const int64_t column = shape.column(slot);
        double greatest = slot == 0 ? 9 : 0;
        for (int64_t row = 0; row < 8; ++row) {
          const double x = column < n_columns ? cell(row, column) : 0.0;
          const int64_t place = (slot / 8 * 8 + row) * 8 + slot % 8;
          CHECK_EQUAL(double(tile[size_t(place)]), std::isnan(x) ? -50.0 : x);
          if (!std::isnan(x)) greatest = std::max(greatest, std::abs(x));
        }
        CHECK_EQUAL(double(most[size_t(slot)]), greatest);
      }
    }
}

TEST(each_column_has_a_slot) {
  for (int64_t n_columns = 1; n_columns < 40; ++n_columns) {
    const TileShape shape{n_columns, 1, n_columns};
    CHECK_EQUAL(shape.width() % 8, 0);
    std::vector<int> slots(size_t(shape.width()), 0);
    for (int64_t slot = 0; slot < shape.width(); ++slot)
      ++slots[size_t(shape.column(slot))];
    for (int64_t column = 0; column < n_columns; ++column)
      CHECK(slots[size_t(column)] > 0);
  }
}

TEST(a_sum_of_products) {
  std::vector<float> a(24), b(24);
  for (size_t i = 0; i < 24; ++i) {
    a[i] = float(i) - 3;
    b[i] = float(i % 5);
  }
  double expected = 0;
  for (size_t i = 0; i < 24; ++i) expected += double(a[i]) * double(b[i]);
  CHECK_EQUAL(double(multiply(a.data(), b.data(), 24)), expected);
}

TEST(a_tile_descends_as_far_as_it_is_sure) {
  // Node 0: x0 < 0 (by more than 0.5); else node 2: x0 + x9 < 4 (by more than 1).
  const std::vector<GuessNode> nodes = {
      {0, 0.5f, 2}, {-1, 0, 1}, {4, 1.0f, 4}, {-1, 0, 3}, {-1, 0, 4}};
  constexpr int64_t width = 16;
  std::vector<float> weights(5 * width, 0.0f), tile(8 * width, 0.0f);
  weights[0] = 1;
  weights[2 * width] = weights[2 * width + 9] = 1;
  const float x0[] = {-1, -0.5, 0.25, 0.75, 2, 2, 9, float(no_value)};
  const float x9[] = {0, 0, 0, 0, 2.5, 3.5, 0, 0};
  for (size_t i = 0; i < 8; ++i) {
    tile[i * 8] = x0[i];
    tile[64 + i * 8 + 1] = x9[i];
  }
  for (const int32_t depth : {2, 40}) {
    std::vector<int32_t> leaves(9, 77);
    descend_tile(nodes.data(), weights.data(), width, depth, tile.data(),
                 leaves.data());
    CHECK_EQUAL(leaves, (std::vector<int32_t>{1, -1, -1, 3, -1, 4, 4, -1, 77}));
  }
}
