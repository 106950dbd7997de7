// Values of features and their sums against the grid they were made from.
#include <algorithm>

#include "check.hpp"
#include "features.hpp"
#include "samples.hpp"

using namespace tanoak;

namespace {

const std::vector<int32_t> levels{0, 4, 0, 2};
const std::vector<double> fill{0.25, -1, -0.5, -1};

// Two numbers, a column of four categories, one of two; some missing.
Grid draw_mixed(Random& random, size_t n_rows) {
  Grid grid = draw_grid(random, n_rows, 4, 9, 0.2);
  for (size_t row = 0; row < n_rows; ++row) {
    grid(row, 1) = random.chance(0.2) ? no_value : random.whole(0, 3);
    grid(row, 3) = random.chance(0.2) ? no_value : random.whole(0, 1);
    if (random.chance(0.5)) grid(row, 2) = 0;
  }
  return grid;
}

double value_of(const Grid& grid, size_t row, const FeatureInfo& info) {
  double value = grid(row, size_t(info.column));
  if (std::isnan(value)) value = fill[size_t(info.column)];
  return info.level < 0 ? value : value == info.level ? 1.0 : 0.0;
}

std::vector<uint32_t> draw_rows(Random& random, size_t n_rows, double share) {
  std::vector<uint32_t> rows;
  for (size_t row = 0; row < n_rows; ++row)
    if (random.chance(share)) rows.push_back(uint32_t(row));
  return rows;
}

void check_values(const Features& features, const Grid& grid,
                  const std::vector<uint32_t>& rows) {
  std::vector<double> out(rows.size());
  const auto n = int64_t(rows.size());
  for (int32_t f = 0; f < features.count(); ++f) {
    features.gather(f, rows.data(), n, out.data());
    for (size_t i = 0; i < rows.size(); ++i)
      CHECK_EQUAL(out[i], value_of(grid, rows[i], features.info(f)));
  }
  std::vector<Term> terms;
  for (int32_t f = 0; f < features.count(); ++f) terms.push_back({f, 0.3 * f - 1});
  features.project(terms, rows.data(), n, out.data());
  for (size_t i = 0; i < rows.size(); ++i) {
    double lanes[8] = {};
    for (const Term& term : terms) {
      const FeatureInfo info = features.info(term.feature);
      lanes[info.column % 8] += term.weight * value_of(grid, rows[i], info);
    }
    CHECK_SAME_BITS(out[i], add_lanes(lanes));
  }
}

template <class View>
void check_table(const View& view, const Grid& grid, Random& random) {
  Workers workers(2);
  const Features features(TableView(view), levels, fill, workers, StopFlag());
  for (const double share : {0.005, 0.5, 1.0})
    check_values(features, grid, draw_rows(random, grid.n_rows, share));
}

}  // namespace

TEST(numbers_come_as_they_are_and_categories_as_indicators) {
  Random random(1);
  Workers workers(1);
  const Grid grid = draw_mixed(random, 5);
  const Dense<double> dense(grid, Layout::by_row);
  const Features features(TableView(dense.view), levels, fill, workers, StopFlag());
  const std::vector<std::pair<int32_t, int32_t>> expected{
      {0, -1}, {1, 0}, {1, 1}, {1, 2}, {1, 3}, {2, -1}, {3, 1}};
  CHECK_EQUAL(features.count(), int32_t(expected.size()));
  for (size_t f = 0; f < expected.size(); ++f) {
    CHECK_EQUAL(features.info(int32_t(f)).column, expected[f].first);
    CHECK_EQUAL(features.info(int32_t(f)).level, expected[f].second);
  }
}

TEST(every_layout_gives_the_same_values) {
  Random random(2);
  for (const size_t n_rows : {1, 300, 1500}) {
    const Grid grid = draw_mixed(random, n_rows);
    for (const Layout layout : all_layouts) {
      check_table(Dense<float>(grid, layout).view, grid, random);
      check_table(Dense<double>(grid, layout).view, grid, random);
    }
    check_table(compress_columns<float, int32_t>(grid, true).view, grid, random);
    check_table(compress_columns<double, int64_t>(grid, false).view, grid, random);
  }
}

TEST(stored_values_are_those_that_are_not_zero) {
  Random random(3);
  Workers workers(1);
  const Grid grid = draw_mixed(random, 2000);
  const auto sparse = compress_columns<double, int32_t>(grid, true);
  const Features features(TableView(sparse.view), levels, fill, workers, StopFlag());
  for (const double share : {0.002, 0.5}) {
    const auto rows = draw_rows(random, grid.n_rows, share);
    std::vector<double> dense(rows.size()), visited(rows.size(), 0.0);
    features.gather(5, rows.data(), int64_t(rows.size()), dense.data());
    features.visit_stored(5, rows.data(), int64_t(rows.size()),
                          [&](int64_t i, double value) { visited[size_t(i)] = value; });
    CHECK(dense == visited);
  }
}
