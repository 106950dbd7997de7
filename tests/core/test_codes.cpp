// Codes of features against counting by hand.
#include <algorithm>
#include <set>

#include "check.hpp"
#include "codes.hpp"
#include "samples.hpp"

using namespace tanoak;

namespace {

struct Coded {
  std::vector<double> values;
  std::vector<uint8_t> codes;
};

Coded code_all(const Features& features, const Codes& codes, int32_t feature) {
  std::vector<uint32_t> rows(size_t(features.n_rows()));
  for (size_t row = 0; row < rows.size(); ++row) rows[row] = uint32_t(row);
  Coded coded{std::vector<double>(rows.size()), std::vector<uint8_t>(rows.size())};
  features.gather(feature, rows.data(), int64_t(rows.size()), coded.values.data());
  codes.gather(feature, rows.data(), int64_t(rows.size()), coded.codes.data());
  return coded;
}

// Greater values never have smaller codes, equal values the same; bins hold their
// middle and about their share of the rows.
void check_codes(const Features& features, const Codes& codes, int32_t feature) {
  const Coded coded = code_all(features, codes, feature);
  const size_t n_codes = size_t(codes.count(feature));
  std::vector<std::multiset<double>> bins(n_codes);
  for (size_t i = 0; i < coded.values.size(); ++i)
    bins[coded.codes[i]].insert(coded.values[i]);
  const std::set<double> distinct(coded.values.begin(), coded.values.end());
  CHECK(int64_t(n_codes) <= most_codes);
  if (features.info(feature).level < 0 && int64_t(distinct.size()) <= most_codes)
    CHECK_EQUAL(n_codes, distinct.size());
  for (size_t bin = 0; bin < n_codes; ++bin) {
    if (features.info(feature).level >= 0) continue;  // a category may not occur
    CHECK(!bins[bin].empty());
    CHECK(bins[bin].count(codes.middles(feature)[bin]) > 0);
    if (bin > 0) CHECK(*bins[bin - 1].rbegin() < *bins[bin].begin());
    const double share = double(coded.values.size()) / double(most_codes) + 1;
    const size_t last = bins[bin].count(*bins[bin].rbegin());
    CHECK(double(bins[bin].size() - last) <= share);
  }
}

}  // namespace

TEST(codes_are_quantiles_in_order) {
  Random random(1);
  Workers workers(2);
  for (const size_t n_rows : {1, 127, 128, 129, 3000})
    for (const int largest : {1, 60, 5000}) {
      Grid grid = draw_grid(random, n_rows, 2, largest, 0.1);
      for (size_t row = 0; row < n_rows; ++row) grid(row, 1) = random.whole(0, 2);
      const Dense<float> dense(grid, Layout::by_row);
      const auto sparse = compress_columns<float, int32_t>(grid, true);
      for (const TableView& view : {TableView(sparse.view), TableView(dense.view)}) {
        const Features features(view, {0, 3}, {0.5, -1}, workers, StopFlag());
        const Codes codes(features, workers, StopFlag());
        for (int32_t f = 0; f < features.count(); ++f) check_codes(features, codes, f);
      }
    }
}

TEST(values_beyond_those_of_training_have_the_nearest_code) {
  const std::vector<double> highest{1, 2, 5};
  CHECK_EQUAL(int(code_of(highest, -7)), 0);
  CHECK_EQUAL(int(code_of(highest, 1)), 0);
  CHECK_EQUAL(int(code_of(highest, 1.5)), 1);
  CHECK_EQUAL(int(code_of(highest, 5)), 2);
  CHECK_EQUAL(int(code_of(highest, 9)), 2);
}
