// The packed columns of a node against the values of its rows, dense and sparse.
#include "check.hpp"
#include "node_matrix.hpp"
#include "samples.hpp"

using namespace tanoak;

namespace {

Grid draw_thin(Random& random, size_t n_rows, size_t n_columns) {
  Grid grid(n_rows, n_columns);
  for (double& cell : grid.cells)
    if (random.chance(0.3))
      cell = random.chance(0.1) ? no_value : random.unit() * 4 - 1;
  return grid;
}

std::vector<uint32_t> draw_rows(Random& random, size_t n_rows) {
  std::vector<uint32_t> rows{0};
  for (size_t row = 1; row < n_rows; ++row)
    if (random.chance(0.6)) rows.push_back(uint32_t(row));
  return rows;
}

void check_columns(const NodeMatrix& matrix, const Features& features,
                   const Scale& scale, const std::vector<uint32_t>& rows,
                   Random& random) {
  std::vector<float> x(size_t(matrix.length()), 0.0f), weight = x;
  for (size_t i = 0; i < rows.size(); ++i) {
    x[i] = float(random.unit() - 0.5);
    weight[i] = float(random.unit());
  }
  std::vector<double> values(rows.size());
  for (int32_t k = 0; k <= matrix.count(); ++k) {
    if (k < matrix.count()) {
      const int32_t f = matrix.feature(k);
      CHECK_EQUAL(matrix.find(f), k);
      features.gather(f, rows.data(), int64_t(rows.size()), values.data());
      for (double& value : values) value = double(scale.of(f).apply(value));
    } else {
      std::fill(values.begin(), values.end(), 1.0);
    }
    auto scaled = x, weighted = x;
    matrix.add_scaled(k, 2.0f, scaled.data());
    matrix.add_weighted(k, weight.data(), 2.0f, weighted.data());
    double dot = 0, square = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
      dot += values[i] * double(x[i]);
      square += values[i] * values[i] * double(weight[i]);
      CHECK_NEAR(double(scaled[i]), double(x[i]) + 2 * values[i], 1e-5);
      CHECK_NEAR(double(weighted[i]), double(x[i]) + 2 * values[i] * double(weight[i]),
                 1e-5);
    }
    for (size_t i = rows.size(); i < x.size(); ++i) CHECK_EQUAL(scaled[i], 0.0f);
    CHECK_NEAR(matrix.dot(k, x.data()), dot, 1e-3);
    CHECK_NEAR(matrix.weighted_square(k, weight.data()), square, 1e-3);
  }
}

const std::vector<double> fill{0, 0.5, 0, 0, -1, 0, 0, 0};
const std::vector<int32_t> levels(8, 0);

}  // namespace

TEST(columns_hold_the_rows_values_on_the_scale) {
  Random random(1);
  const Grid grid = draw_thin(random, 300, 8);
  const Dense<float> dense(grid, Layout::by_row);
  const auto made = compress_columns<float, int64_t>(grid, true);
  Workers workers(1);
  for (const TableView& view : {TableView(dense.view), TableView(made.view)}) {
    const Features features(view, levels, fill, workers, StopFlag());
    const Scale scale(features, false, workers, StopFlag());
    NodeMatrix matrix;  // used again, for fewer rows and for more
    for (int repeat = 0; repeat < 10; ++repeat) {
      const auto rows = draw_rows(random, repeat % 2 ? 300 : 7);
      matrix.load(features, scale, NodeRules(),
                  {rows.data(), nullptr, int64_t(rows.size())}, StopFlag());
      CHECK_EQUAL(matrix.n_rows(), int64_t(rows.size()));
      check_columns(matrix, features, scale, rows, random);
    }
  }
}

TEST(closed_columns_and_columns_of_zeros_are_left_out) {
  Random random(2);
  Grid grid = draw_thin(random, 50, 8);
  for (size_t row = 0; row < 50; ++row) grid(row, 3) = 0;
  const Dense<double> dense(grid, Layout::by_row);
  const auto made = compress_columns<double, int32_t>(grid, true);
  Workers workers(1);
  NodeRules rules;
  rules.column_closed = {0, 1, 0, 0, 0, 1, 0, 0};
  const auto rows = draw_rows(random, 50);
  for (const TableView& view : {TableView(dense.view), TableView(made.view)}) {
    const Features features(view, levels, fill, workers, StopFlag());
    const Scale scale(features, false, workers, StopFlag());
    NodeMatrix matrix;
    for (int repeat = 0; repeat < 2; ++repeat) {
      matrix.load(features, scale, rules, {rows.data(), nullptr, int64_t(rows.size())},
                  StopFlag());
      CHECK_EQUAL(matrix.count(), 5);
      for (const int32_t f : {1, 3, 5}) CHECK_EQUAL(matrix.find(f), -1);
      check_columns(matrix, features, scale, rows, random);
    }
  }
}

TEST(categories_become_columns_of_their_own) {
  Grid grid(40, 1);
  for (size_t row = 0; row < 40; ++row) grid(row, 0) = double(row % 3);
  const Dense<double> dense(grid, Layout::by_row);
  const auto made = compress_columns<double, int32_t>(grid, false);
  Workers workers(1);
  Random random(3);
  const auto rows = draw_rows(random, 40);
  for (const TableView& view : {TableView(dense.view), TableView(made.view)}) {
    const Features features(view, {3}, {-1.0}, workers, StopFlag());
    const Scale scale(features, false, workers, StopFlag());
    NodeMatrix matrix;
    matrix.load(features, scale, NodeRules(),
                {rows.data(), nullptr, int64_t(rows.size())}, StopFlag());
    CHECK_EQUAL(matrix.count(), 3);
    check_columns(matrix, features, scale, rows, random);
  }
}
