// The scale on which the oblique solver sees each feature: cut off at its 1 and 99 per
// cent quantiles and standardized. Learned once for a training and shared by all nodes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "features.hpp"
#include "lanes.hpp"
#include "node.hpp"
#include "parallel.hpp"

namespace tanoak {

// The center is 0 for a sparse table, whose zeros stay zeros; the inverse, one over the
// standard deviation, is 0 for a column of no use.
using FeatureScale = LinearScale;

// A sparse table row by row on this scale: a node reads only its own rows.
struct ScaledRows {
  std::vector<int64_t> starts;
  std::vector<int32_t> features;
  std::vector<float> values;
};

class Scale {
 public:
  // As it is described above; or, if `is_plain`, every feature as it is.
  Scale(const Features& features, bool is_plain, Workers& workers,
        const StopFlag& stop);

  const FeatureScale& of(int32_t feature) const {
    return scales_[static_cast<size_t>(feature)];
  }
  const ScaledRows& rows() const { return rows_; }  // empty unless sparse

 private:
  void lay_out_rows(const Features& features, const StopFlag& stop);

  std::vector<FeatureScale> scales_;
  ScaledRows rows_;
};

// The sum of the weights of a split on this scale, once their squares add up to one:
// from 1 for one feature to the root of k for k equal ones. Unlike the weights as they
// are, it does not shrink when all of them are divided by ten.
inline double scaled_norm(const NodeSplit& split, const Scale& scale) {
  double largest = 0;
  auto weight = [&](const Term& term) {
    const double inverse = scale.of(term.feature).inverse;
    return inverse > 0 ? std::abs(term.weight) / inverse : 0.0;
  };
  if (split.kind != SplitKind::sum) return split.is_constant() ? 0 : 1;
  for (const Term& term : split.terms) largest = std::max(largest, weight(term));
  if (!(largest > 0)) return 0;
  double sum = 0, squares = 0;
  for (const Term& term : split.terms) {
    const double part = weight(term) / largest;
    sum += part;
    squares += part * part;
  }
  return sum / std::sqrt(squares);
}

// --- learning it ---

// The values of one feature that are not known to be zero, and how many are.
struct FeatureValues {
  std::vector<double> values;
  int64_t n_zeros = 0;

  int64_t n() const { return static_cast<int64_t>(values.size()) + n_zeros; }
};

// Columns with few values are names or counts rather than measurements.
inline bool has_few_values(const FeatureValues& feature) {
  constexpr size_t few = 10;
  std::vector<double> seen;
  if (feature.n_zeros > 0) seen.push_back(0);
  for (const double value : feature.values) {
    if (std::find(seen.begin(), seen.end(), value) != seen.end()) continue;
    if (seen.size() == few) return false;
    seen.push_back(value);
  }
  return true;
}

// The value of this rank among all in ascending order. Reorders the values.
inline double value_at_rank(FeatureValues& feature, int64_t rank) {
  auto& values = feature.values;
  const auto positive = std::partition(values.begin(), values.end(),
                                       [](double value) { return value < 0; });
  const int64_t n_below = positive - values.begin();
  if (rank >= n_below && rank < n_below + feature.n_zeros) return 0;
  const bool is_below = rank < n_below;
  const auto begin = is_below ? values.begin() : positive;
  const auto end = is_below ? positive : values.end();
  const auto at = begin + (is_below ? rank : rank - n_below - feature.n_zeros);
  std::nth_element(begin, at, end);
  return *at;
}

// Mean and deviation after the cut, in an order that does not depend on threads; with
// values divided by the largest so that no square overflows.
inline void standardize(const FeatureValues& feature, bool keeps_zeros,
                        FeatureScale& scale) {
  const double largest = std::max(std::abs(scale.low), std::abs(scale.high));
  if (!(scale.low < scale.high) || !std::isfinite(largest)) return;
  const auto n = static_cast<double>(feature.n());
  double sum = 0, squares = 0;
  for (const double value : feature.values)
    sum += std::clamp(value, scale.low, scale.high) / largest;
  const double mean = sum / n;
  for (const double value : feature.values) {
    const double off = std::clamp(value, scale.low, scale.high) / largest - mean;
    squares += off * off;
  }
  squares += static_cast<double>(feature.n_zeros) * mean * mean;
  const double inverse = 1 / (std::sqrt(squares / n) * largest);
  if (!std::isfinite(inverse)) return;
  scale.inverse = inverse;
  if (!keeps_zeros) scale.center = mean * largest;
}

inline FeatureScale learn_feature_scale(FeatureValues& feature, bool keeps_zeros) {
  FeatureScale scale{0, 0, 0, 0};
  if (feature.n() == 0) return scale;
  const bool few = has_few_values(feature);
  const int64_t last = feature.n() - 1;
  // Rounded towards the ends: of less than a hundred rows none is cut off.
  scale.low = value_at_rank(feature, last / 100);
  scale.high = value_at_rank(feature, last - last / 100);
  if (few || scale.low == scale.high) {
    scale.low = value_at_rank(feature, 0);
    scale.high = value_at_rank(feature, last);
  }
  if (keeps_zeros) {
    scale.low = std::min(scale.low, 0.0);
    scale.high = std::max(scale.high, 0.0);
  }
  standardize(feature, keeps_zeros, scale);
  return scale;
}

inline FeatureValues read_feature(const Features& features, int32_t feature,
                                  const std::vector<uint32_t>& rows) {
  FeatureValues read;
  const int64_t n = features.n_rows();
  if (features.is_sparse() && features.info(feature).level < 0) {
    features.visit_stored(feature, rows.data(), n,
                          [&](int64_t, double value) { read.values.push_back(value); });
    read.n_zeros = n - static_cast<int64_t>(read.values.size());
  } else {
    read.values.resize(static_cast<size_t>(n));
    features.gather(feature, rows.data(), n, read.values.data());
  }
  return read;
}

inline Scale::Scale(const Features& features, bool is_plain, Workers& workers,
                    const StopFlag& stop)
    : scales_(static_cast<size_t>(features.count())) {
  constexpr double everything = std::numeric_limits<double>::max();
  if (is_plain) {
    std::fill(scales_.begin(), scales_.end(),
              FeatureScale{-everything, everything, 0, 1});
  } else {
    std::vector<uint32_t> rows(static_cast<size_t>(features.n_rows()));
    std::iota(rows.begin(), rows.end(), 0u);
    workers.run(features.count(), [&](int64_t task, int) {
      stop.check();
      const auto feature = static_cast<int32_t>(task);
      FeatureValues read = read_feature(features, feature, rows);
      scales_[static_cast<size_t>(task)] =
          learn_feature_scale(read, features.is_sparse());
    });
  }
  if (features.is_sparse()) lay_out_rows(features, stop);
}

// Calls visit(row, value on the scale) where it is not zero.
template <class Visit>
void visit_scaled(const Features& features, int32_t feature, const FeatureScale& scale,
                  const std::vector<uint32_t>& rows, const Visit& visit) {
  if (!(scale.inverse > 0)) return;
  const auto n = static_cast<int64_t>(rows.size());
  auto take = [&](int64_t row, double value) {
    const float scaled = scale.apply(value);
    if (scaled != 0) visit(static_cast<size_t>(row), scaled);
  };
  if (features.info(feature).level < 0) {
    features.visit_stored(feature, rows.data(), n, take);
    return;
  }
  std::vector<double> values(rows.size());
  features.gather(feature, rows.data(), n, values.data());
  for (int64_t row = 0; row < n; ++row) take(row, values[static_cast<size_t>(row)]);
}

inline void Scale::lay_out_rows(const Features& features, const StopFlag& stop) {
  const auto n = static_cast<size_t>(features.n_rows());
  std::vector<uint32_t> all(n);
  std::iota(all.begin(), all.end(), 0u);
  rows_.starts.assign(n + 1, 0);
  for (int32_t feature = 0; feature < features.count(); ++feature) {
    if (feature % 256 == 0) stop.check();
    visit_scaled(features, feature, of(feature), all,
                 [&](size_t row, float) { ++rows_.starts[row + 1]; });
  }
  std::partial_sum(rows_.starts.begin(), rows_.starts.end(), rows_.starts.begin());
  const auto n_stored = static_cast<size_t>(rows_.starts[n]);
  rows_.features.resize(n_stored);
  rows_.values.resize(n_stored);
  std::vector<int64_t> next(rows_.starts.begin(), rows_.starts.end() - 1);
  for (int32_t feature = 0; feature < features.count(); ++feature) {
    if (feature % 256 == 0) stop.check();
    visit_scaled(features, feature, of(feature), all, [&](size_t row, float value) {
      const auto at = static_cast<size_t>(next[row]++);
      rows_.features[at] = feature;
      rows_.values[at] = value;
    });
  }
}

}  // namespace tanoak
