// Which pairs of features look promising in a node, and along which direction: cuts are
// scored on bins of the projected rows, by Gini (classes) or squared error (numbers).
//
// The scores are a ranking, no promise: values are clipped and small. Whole numbers are
// added up, and the rest is done for each bin alone, so every machine ranks alike.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "features.hpp"
#include "gain.hpp"

namespace tanoak {

constexpr int most_rank_bins = 64;
// Up to so many rows that are not of the largest class are told apart exactly.
constexpr size_t most_pivots = 12;

// What the rows of a ranking weigh. Classes: a channel for each class of the node.
// Numbers: the mass and the moment are the two channels.
struct RankRows {
  int n_channels = 0;
  bool numbers = false;
  std::vector<int32_t> first_bin;  // classes: of the row's channel in the histogram
  std::vector<int32_t> mass, moment;
  std::vector<float> totals;  // by channel
  float least_mass = 0;       // that a side must have
  // The rows outside the largest class, where they are few: the bins are then the rows
  // between two of them, 2 * size + 1 in all.
  std::vector<int32_t> pivots;

  int64_t n() const { return static_cast<int64_t>(mass.size()); }
};

// Bins of one projection of the rows: a u + b v + c lies in [0, n_bins).
struct RankLine {
  const float *u, *v;
  float a, b, c;
};

// The best score of the cuts between bins along a line; -1 if no cut is allowed. `bins`
// holds a number for each row, `histogram` n_channels * n_bins.
float rank_line(const RankRows& rows, const RankLine& line, int n_bins, int32_t* bins,
                int32_t* histogram);

// --- rows ---

inline int32_t share_of(int64_t units, double unit) {
  return static_cast<int32_t>(std::llround(static_cast<double>(units) * unit));
}

constexpr double rank_total = 1 << 28;  // what all masses together come to

inline std::vector<int32_t> find_pivots(const ClassTarget& target,
                                        const ClassSums& sums, const Record* records,
                                        const std::vector<int64_t>& pick) {
  const auto largest = static_cast<int32_t>(
      std::max_element(sums.masses.begin(), sums.masses.end()) - sums.masses.begin());
  std::vector<int32_t> pivots;
  for (size_t i = 0; i < pick.size(); ++i) {
    if (target.label(records[pick[i]]) == largest) continue;
    if (pivots.size() == most_pivots) return {};
    pivots.push_back(static_cast<int32_t>(i));
  }
  return pivots;
}

// `pick` lists which of the records take part; `n_bins` may become less.
inline RankRows rank_rows(const ClassTarget& target, const ClassSums& sums,
                          const Record* records, const std::vector<int64_t>& pick,
                          int& n_bins) {
  RankRows rows;
  rows.pivots = find_pivots(target, sums, records, pick);
  if (!rows.pivots.empty()) n_bins = 2 * static_cast<int>(rows.pivots.size()) + 1;
  std::vector<int32_t> channel(sums.masses.size(), 0);
  for (size_t k = 0; k < channel.size(); ++k)
    if (sums.masses[k] > 0) channel[k] = rows.n_channels++;
  const double unit = rank_total / static_cast<double>(sums.mass);
  std::vector<int64_t> totals(static_cast<size_t>(rows.n_channels), 0);
  rows.first_bin.reserve(pick.size());
  rows.mass.reserve(pick.size());
  for (const int64_t at : pick) {
    const Record record = records[at];
    const int32_t k = channel[static_cast<size_t>(target.label(record))];
    rows.first_bin.push_back(k * n_bins);
    rows.mass.push_back(share_of(target.mass(record), unit));
    totals[static_cast<size_t>(k)] += rows.mass.back();
  }
  for (const int64_t total : totals) rows.totals.push_back(static_cast<float>(total));
  return rows;
}

inline RankRows rank_rows(const NumberTarget& target, const NumberSums& sums,
                          const Record* records, const std::vector<int64_t>& pick,
                          int&) {
  RankRows rows;
  rows.numbers = true;
  rows.n_channels = 2;
  // Moments count from the mean of the node, so that little is lost to rounding.
  const double mean = static_cast<double>(sums.moment) / static_cast<double>(sums.mass);
  auto off_mean = [&](Record record) {
    return static_cast<double>(target.row_moment[target.row(record)]) -
           mean * static_cast<double>(target.mass(record));
  };
  double spread = 0;
  for (const int64_t at : pick) spread += std::abs(off_mean(records[at]));
  const double mass_unit = rank_total / static_cast<double>(sums.mass);
  const double moment_unit = spread > 0 ? rank_total / spread : 0;
  int64_t mass = 0, moment = 0;
  for (const int64_t at : pick) {
    rows.mass.push_back(share_of(target.mass(records[at]), mass_unit));
    rows.moment.push_back(
        static_cast<int32_t>(std::llround(off_mean(records[at]) * moment_unit)));
    mass += rows.mass.back();
    moment += rows.moment.back();
  }
  rows.totals = {static_cast<float>(mass), static_cast<float>(moment)};
  return rows;
}

// --- features ---

// A feature within a node: most of its values lie in [low, low + scale].
struct NodeFeature {
  int32_t feature = -1;
  double low = 0, scale = 0;  // scale 0: it does not vary
  float first = 0, last = 0;  // the range of its scaled values
};

// The middle 95 % of some values, or all of them where those are one value.
inline NodeFeature measure(int32_t feature, std::vector<double>& values) {
  NodeFeature at;
  at.feature = feature;
  const size_t n = values.size(), cut = n / 40;
  auto pick = [&](size_t rank) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(rank),
                     values.end());
    return values[rank];
  };
  at.low = pick(cut);
  double high = pick(n - 1 - cut);
  if (!(at.low < high)) {
    at.low = pick(0);
    high = pick(n - 1);
  }
  at.scale = high / 2 - at.low / 2;  // halves: the difference may be beyond a double
  if (!(at.scale > 0) || !std::isfinite(1 / at.scale)) at.scale = 0;
  return at;
}

// Values as the ranking sees them: 0 to 2 where they are usual; `reach` beyond that
// they are clipped.
inline void scale_values(NodeFeature& at, const double* values, int64_t n, double reach,
                         float* out) {
  at.first = std::numeric_limits<float>::max();
  at.last = -at.first;
  for (int64_t i = 0; i < n; ++i) {
    const double scaled = values[i] / at.scale - at.low / at.scale;
    const auto value =
        static_cast<float>(std::min(2 + reach, std::max(-reach, scaled)));
    out[i] = value;
    at.first = std::min(at.first, value);
    at.last = std::max(at.last, value);
  }
}

// The line for a direction (cos, sin) of scaled values, with its bins.
inline RankLine line_of(const NodeFeature& one, const float* u, const NodeFeature& two,
                        const float* v, double cosine, double sine, int n_bins) {
  const auto range = [](double weight, const NodeFeature& at) {
    const double a = weight * static_cast<double>(at.first);
    const double b = weight * static_cast<double>(at.last);
    return std::pair<double, double>(std::minmax(a, b));
  };
  const auto x = range(cosine, one), y = range(sine, two);
  const double low = x.first + y.first, high = x.second + y.second;
  // A little less than n_bins, so that rounding keeps the last value in the last bin.
  const double unit = (n_bins - 0.001) / std::max(high - low, 1e-30);
  return {u, v, static_cast<float>(cosine * unit), static_cast<float>(sine * unit),
          static_cast<float>(-low * unit + 0.0004)};
}

}  // namespace tanoak
