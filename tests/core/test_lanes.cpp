// The loops over lanes against plain sums in double, and their logistic loss against
// the library's functions.
#include <algorithm>
#include <cmath>

#include "check.hpp"
#include "lanes.hpp"
#include "samples.hpp"

using namespace tanoak;

namespace {

std::vector<float> draw_column(Random& random, int64_t n) {
  std::vector<float> column(size_t(padded(n)), 0.0f);
  for (int64_t i = 0; i < n; ++i) column[size_t(i)] = float(random.unit() * 2 - 1);
  return column;
}

constexpr int64_t lengths[] = {1, 15, 16, 17, 1000, 1024, 1025, 5000};

}  // namespace

TEST(columns_are_padded_to_whole_lanes) {
  CHECK_EQUAL(padded(0), 0);
  CHECK_EQUAL(padded(1), n_lanes);
  CHECK_EQUAL(padded(16), 16);
  CHECK_EQUAL(padded(17), 32);
}

TEST(values_are_cut_off_and_rescaled) {
  const LinearScale scale{-2, 5, 1, 0.25};
  std::vector<double> values(37);
  for (size_t i = 0; i < 37; ++i) values[i] = double(i) / 3 - 5;
  std::vector<float> out(38, 77.0f);
  rescale(values.data(), 37, scale, out.data());
  for (size_t i = 0; i < 37; ++i)
    CHECK_EQUAL(out[i], float((std::clamp(values[i], -2.0, 5.0) - 1) * 0.25));
  CHECK_EQUAL(out[37], 77.0f);
}

TEST(sums_are_those_of_plain_loops) {
  Random random(1);
  for (const int64_t n : lengths) {
    const auto a = draw_column(random, n), b = draw_column(random, n);
    auto out = a;
    double product = 0, square = 0;
    for (size_t i = 0; i < a.size(); ++i) {
      product += double(a[i]) * double(b[i]);
      square += double(a[i]) * double(b[i]) * double(b[i]);
    }
    const int64_t length = padded(n);
    CHECK_NEAR(dot(a.data(), b.data(), length), product, 1e-5 * double(n));
    CHECK_NEAR(weighted_square(a.data(), b.data(), length), square, 1e-5 * double(n));
    add_scaled(out.data(), b.data(), 0.5f, length);
    for (size_t i = 0; i < a.size(); ++i) CHECK_EQUAL(out[i], a[i] + 0.5f * b[i]);
    out = a;
    add_weighted(out.data(), b.data(), a.data(), 2.0f, length);
    for (size_t i = 0; i < a.size(); ++i)
      CHECK_EQUAL(out[i], a[i] + 2.0f * b[i] * a[i]);
  }
}

// Sixteen sums, each of every sixteenth product of a tile, added by halves: the bits
// do not depend on the processor that runs this.
TEST(sums_keep_their_order) {
  Random random(2);
  for (const int64_t n : lengths) {
    const auto a = draw_column(random, n), b = draw_column(random, n);
    double expected = 0;
    for (size_t begin = 0; begin < a.size(); begin += size_t(tile_rows)) {
      float lanes[n_lanes] = {};
      const size_t end = std::min(a.size(), begin + size_t(tile_rows));
      for (size_t i = begin; i < end; ++i)
        lanes[i % n_lanes] = lanes[i % n_lanes] + a[i] * b[i];
      for (int64_t half = n_lanes / 2; half > 0; half /= 2)
        for (int64_t i = 0; i < half; ++i) lanes[i] += lanes[i + half];
      expected += double(lanes[0]);
    }
    CHECK_SAME_BITS(dot(a.data(), b.data(), padded(n)), expected);
  }
}

TEST(steps_along_a_row_of_any_length) {
  std::vector<double> out(21, 1.0), x(21);
  for (size_t i = 0; i < x.size(); ++i) x[i] = double(i);
  add_scaled(out.data(), x.data(), 0.25, 21);
  for (size_t i = 0; i < x.size(); ++i) CHECK_EQUAL(out[i], 1 + 0.25 * double(i));
}

TEST(products_of_columns_however_they_are_added) {
  Random random(3);
  const int64_t n = 700;
  const auto weight = draw_column(random, n);
  std::vector<std::vector<float>> columns;
  std::vector<const float*> pointers;
  for (int k = 0; k < 7; ++k) columns.push_back(draw_column(random, n));
  for (const auto& column : columns) pointers.push_back(column.data());
  std::vector<float> scratch(7 * size_t(tile_rows));
  std::vector<double> at_once(49, 0.0);
  add_gram(pointers.data(), 0, 7, weight.data(), padded(n), scratch.data(),
           at_once.data(), 7);
  for (int64_t first = 1; first < 7; ++first) {
    std::vector<double> in_parts(49, 0.0);
    add_gram(pointers.data(), 0, first, weight.data(), padded(n), scratch.data(),
             in_parts.data(), 7);
    add_gram(pointers.data(), first, 7, weight.data(), padded(n), scratch.data(),
             in_parts.data(), 7);
    for (size_t i = 0; i < 7; ++i)
      for (size_t j = 0; j < 7; ++j)
        CHECK_SAME_BITS(in_parts[i * 7 + j], at_once[i * 7 + j]);
  }
  for (size_t i = 0; i < 7; ++i)
    for (size_t j = 0; j < 7; ++j) {
      double sum = 0;
      for (size_t row = 0; i <= j && row < weight.size(); ++row)
        sum += double(weight[row]) * double(columns[i][row]) * double(columns[j][row]);
      CHECK_NEAR(at_once[i * 7 + j], sum, 1e-4);
    }
}

TEST(the_logistic_loss_and_its_derivatives) {
  std::vector<double> start;
  for (double margin = -900; margin <= 900; margin += 0.37) start.push_back(margin);
  for (const double margin : {0.0, -0.0, 1e-300, -1e-9, 1e9, -1e9, 707.9, 708.1})
    start.push_back(margin);
  start.resize(size_t(padded(int64_t(start.size()))), 0.0);
  const size_t n = start.size();
  const std::vector<float> weight(n, 0.75f), zeros(n, 0.0f);
  for (const float side : {1.0f, -1.0f}) {
    const std::vector<float> sides(n, side);
    std::vector<double> margin(n);
    std::vector<float> slope(n), curvature(n);
    const LogisticRows rows{weight.data(), sides.data(), int64_t(n)};
    const double loss = move_margins(rows, start.data(), zeros.data(), 1,
                                     {margin.data(), slope.data(), curvature.data()});
    double expected = 0;
    for (size_t i = 0; i < n; ++i) {
      const double m = double(side) * start[i], power = std::exp(-std::abs(m));
      expected += 0.75 * (std::log1p(power) + std::max(-m, 0.0));
      const double share = m > 0 ? power / (1 + power) : 1 / (1 + power);
      CHECK_NEAR(double(slope[i]), -double(side) * 0.75 * share, 1e-7);
      CHECK_NEAR(double(curvature[i]), 0.75 * power / (1 + power) / (1 + power), 1e-7);
    }
    CHECK_NEAR(loss / expected, 1, 1e-14);
  }
}

TEST(rows_of_weight_zero_add_nothing) {
  const std::vector<float> zeros(16, 0.0f), ones(16, 1.0f);
  const std::vector<double> start(16, 3.0);
  std::vector<double> margin(16);
  std::vector<float> slope(16, 1.0f), curvature(16, 1.0f);
  const double loss =
      move_margins({zeros.data(), zeros.data(), 16}, start.data(), ones.data(), 0.5,
                   {margin.data(), slope.data(), curvature.data()});
  CHECK_EQUAL(loss, 0.0);
  for (size_t i = 0; i < 16; ++i) {
    CHECK_EQUAL(margin[i], 3.5);
    CHECK_EQUAL(slope[i], 0.0f);
    CHECK_EQUAL(curvature[i], 0.0f);
  }
}
