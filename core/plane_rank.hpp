// Which pairs of features look best: a few lines through each plane, over cells of a
// grid (or the points themselves, where they are few). A ranking, not a bound.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "codes.hpp"
#include "node.hpp"
#include "plane_points.hpp"

namespace tanoak {

struct PlanePair {
  int32_t first, second;  // places in the list of features, ascending
};

// What a threshold on one feature would gain over asking nothing; for numbers of a
// sparse table only those beside 0 are tried.
inline int64_t gain_alone(const Features& features, const Codes& codes, int32_t feature,
                          const CarePoints& care, std::vector<uint8_t>& buffer) {
  int64_t sums[256] = {}, all = 0;
  for (int64_t i = 0; i < care.n; ++i) all += care.stake[i];
  if (features.is_sparse() && features.info(feature).level < 0) {
    int64_t stored = 0;
    features.visit_stored(feature, care.rows, care.n, [&](int64_t i, double value) {
      sums[value < 0 ? 0 : 2] += care.stake[i];
      stored += care.stake[i];
    });
    sums[1] = all - stored;
  } else {
    buffer.resize(static_cast<size_t>(care.n));
    codes.gather(feature, care.rows, care.n, buffer.data());
    for (int64_t i = 0; i < care.n; ++i)
      sums[buffer[static_cast<size_t>(i)]] += care.stake[i];
  }
  // Twice what is lost is what is at stake in all, less |2 cut - all|.
  int64_t cut = 0, gain = 0;
  for (const int64_t sum : sums) {
    cut += sum;
    gain = std::max(gain, std::abs(2 * cut - all) - std::abs(all));
  }
  return gain;
}

// Stakes cut to 32 bits; what a pair may lose is compared in these.
struct PlaneStakes {
  std::vector<int32_t> stake;
  int64_t left_total = 0, right_total = 0;
  int shift = 0;  // bits cut off
};

inline void cut_stakes(const CarePoints& care, PlaneStakes& cut) {
  int64_t total = 0;
  for (int64_t i = 0; i < care.n; ++i) total += std::abs(care.stake[i]);
  int shift = 0;
  while (total >> shift >= int64_t{1} << 29) ++shift;
  cut.shift = shift;
  cut.stake.resize(static_cast<size_t>(care.n));
  cut.left_total = cut.right_total = 0;
  for (int64_t i = 0; i < care.n; ++i) {
    const auto size = static_cast<int32_t>(std::abs(care.stake[i]) >> shift);
    cut.stake[static_cast<size_t>(i)] = care.stake[i] > 0 ? size : -size;
    (care.stake[i] > 0 ? cut.left_total : cut.right_total) += size;
  }
}

// Coordinates beyond this are moved to the edge.
constexpr float rank_edge = 3;

inline float rank_coordinate(double scaled) {
  const auto value = static_cast<float>(scaled);
  return value < -rank_edge ? -rank_edge : value > rank_edge ? rank_edge : value;
}

// A feature as bins of the node, and where they lie.
struct PlaneBins {
  std::vector<uint8_t> bin;     // of each care point
  std::vector<float> place;     // of each bin...
  std::vector<float> position;  // ...or of each care point, where they are few
};

// At most `n_bins` bins of like many care points, out of the codes of the training.
inline void bin_codes(const std::vector<uint8_t>& codes,
                      const std::vector<double>& middles, int64_t n_bins,
                      PlaneBins& feature) {
  int64_t count[256] = {};
  for (const uint8_t code : codes) ++count[code];
  const auto n = static_cast<int64_t>(codes.size());
  // Quantiles of the inner nine tenths give the scale.
  int64_t seen = 0;
  double low = middles[0], middle = low, high = low;
  for (size_t code = 0; code < middles.size(); ++code) {
    const int64_t upto = seen + count[code];
    if (seen <= n / 20 && upto > n / 20) low = middles[code];
    if (seen <= n / 2 && upto > n / 2) middle = middles[code];
    if (seen <= n - 1 - n / 20 && upto > n - 1 - n / 20) high = middles[code];
    seen = upto;
  }
  double unit = (high - low) / 2;
  if (!(unit > 0)) unit = (middles.back() - middles.front()) / 2;
  if (!(unit > 0)) unit = 1;
  uint8_t bin_of[256] = {};
  feature.place.clear();
  int64_t filled = 0;
  double sum = 0;
  int64_t in_bin = 0;
  for (size_t code = 0; code < middles.size(); ++code) {
    bin_of[code] = static_cast<uint8_t>(feature.place.size());
    if (count[code] == 0) continue;
    sum += static_cast<double>(rank_coordinate((middles[code] - middle) / unit)) *
           static_cast<double>(count[code]);
    in_bin += count[code];
    filled += count[code];
    const auto n_closed = static_cast<int64_t>(feature.place.size()) + 1;
    if (filled * n_bins >= n_closed * n || filled == n) {
      feature.place.push_back(static_cast<float>(sum / static_cast<double>(in_bin)));
      sum = 0, in_bin = 0;
    }
  }
  feature.bin.resize(codes.size());
  for (size_t i = 0; i < codes.size(); ++i) feature.bin[i] = bin_of[codes[i]];
}

// Occupied cells of the plane of two features.
struct PlaneCells {
  std::vector<float> x, y;
  std::vector<int32_t> stake;
};

struct PlaneRanking {
  std::vector<int32_t> grid, sums, key;
  PlaneCells cells;
};

inline void fill_cells(const PlaneBins& across, const PlaneBins& up,
                       const PlaneStakes& stakes, PlaneRanking& s) {
  const size_t width = across.place.size(), height = up.place.size();
  s.grid.assign(width * height, 0);
  const size_t n = stakes.stake.size();
  for (size_t i = 0; i < n; ++i)
    s.grid[up.bin[i] * width + across.bin[i]] += stakes.stake[i];
  PlaneCells& cells = s.cells;
  cells.x.resize(s.grid.size());
  cells.y.resize(s.grid.size());
  cells.stake.resize(s.grid.size());
  size_t n_cells = 0, at = 0;
  for (size_t row = 0; row < height; ++row)
    for (size_t column = 0; column < width; ++column, ++at) {
      cells.x[n_cells] = across.place[column];
      cells.y[n_cells] = up.place[row];
      cells.stake[n_cells] = s.grid[at];
      n_cells += s.grid[at] != 0;
    }
  cells.x.resize(n_cells), cells.y.resize(n_cells), cells.stake.resize(n_cells);
}

// The least loss among some directions, and thresholds in equal steps.
inline int64_t rank_loss(const float* x, const float* y, const int32_t* stake, size_t n,
                         int n_directions, const PlaneStakes& totals, PlaneRanking& s) {
  constexpr float reach = 1.42f * rank_edge;
  const size_t n_bins = n < 200 ? 64 : n < 1500 ? 128 : 256;
  const float per_unit = static_cast<float>(n_bins) / (2 * reach);
  const float shift = static_cast<float>(n_bins) / 2;
  s.key.resize(n);
  int32_t* key = s.key.data();
  int64_t highest = 0, lowest = 0;
  for (int i = 0; i < n_directions; ++i) {
    // Half a turn in nearly like steps: the cosine and sine of 2 atan(t).
    const float t =
        (2 * static_cast<float>(i) + 1) / static_cast<float>(n_directions) - 1;
    const float u = t * (0.785398f + 0.214602f * t * t);
    const float cosine = (1 - u * u) / (1 + u * u) * per_unit;
    const float sine = 2 * u / (1 + u * u) * per_unit;
    s.sums.assign(n_bins + 1, 0);
    for (size_t p = 0; p < n; ++p)
      key[p] = static_cast<int32_t>(cosine * x[p] + sine * y[p] + shift);
    for (size_t p = 0; p < n; ++p) s.sums[static_cast<size_t>(key[p])] += stake[p];
    int32_t sum = 0, most = 0, least = 0;
    for (size_t bin = 0; bin < n_bins; ++bin) {
      sum += s.sums[bin];
      most = sum > most ? sum : most;
      least = sum < least ? sum : least;
    }
    highest = std::max<int64_t>(highest, most);
    lowest = std::min<int64_t>(lowest, least);
  }
  return std::min(totals.left_total - highest, totals.right_total + lowest);
}

}  // namespace tanoak
