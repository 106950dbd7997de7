// Features as one byte a value, for ranking splits: at most 128 quantiles each, cut
// once for a whole training and shared by all its nodes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "features.hpp"
#include "parallel.hpp"
#include "presort.hpp"

namespace tanoak {

constexpr int64_t most_codes = 128;

// Values in (highest[c - 1], highest[c]] have code c.
struct CodedColumn {
  std::vector<double> highest;
  std::vector<double> middle;  // of each bin: the value in the middle of its rows
};

// Bins of sorted values: a new one begins at the first new value after each quantile,
// or at each value where there are few.
inline CodedColumn cut_column(const std::vector<double>& sorted) {
  const auto n = static_cast<int64_t>(sorted.size());
  int64_t n_values = 1;
  for (size_t i = 1; i < sorted.size(); ++i) n_values += sorted[i] != sorted[i - 1];
  CodedColumn coded;
  size_t begin = 0;
  auto close = [&](size_t end) {
    coded.highest.push_back(sorted[end - 1]);
    coded.middle.push_back(sorted[begin + (end - 1 - begin) / 2]);
    begin = end;
  };
  for (size_t i = 1; i < sorted.size(); ++i) {
    const bool full = static_cast<int64_t>(i - begin) * most_codes >= n;
    if (sorted[i] != sorted[i - 1] && (n_values <= most_codes || full)) close(i);
  }
  close(sorted.size());
  return coded;
}

// The code of a value, whether or not it occurs in training.
inline uint8_t code_of(const std::vector<double>& highest, double value) {
  size_t low = 0;
  for (size_t n = highest.size() - 1; n > 0;) {  // without branches
    const size_t half = (n + 1) / 2;
    low += highest[low + half - 1] < value ? half : 0;
    n -= half;
  }
  return static_cast<uint8_t>(low);
}

class Codes {
 public:
  Codes(const Features& features, Workers& workers, const StopFlag& stop);

  int32_t count(int32_t feature) const {
    return static_cast<int32_t>(coded(feature).highest.size());
  }
  // A value for each code, by which bins are placed beside each other.
  const std::vector<double>& middles(int32_t feature) const {
    return coded(feature).middle;
  }
  void gather(int32_t feature, const uint32_t* rows, int64_t n, uint8_t* out) const;

 private:
  const CodedColumn& coded(int32_t feature) const {
    const FeatureInfo at = features_->info(feature);
    return at.level < 0 ? columns_[static_cast<size_t>(at.column)] : indicator_;
  }
  void code_column(int32_t feature);

  const Features* features_;
  std::vector<CodedColumn> columns_;  // empty for categories
  CodedColumn indicator_{{0, 1}, {0, 1}};
  // Codes of the numeric columns, column by column; none for sparse tables, whose codes
  // are looked up when they are asked for.
  std::vector<std::unique_ptr<uint8_t[]>> stored_;
};

inline Codes::Codes(const Features& features, Workers& workers, const StopFlag& stop)
    : features_(&features),
      columns_(static_cast<size_t>(features.n_columns())),
      stored_(static_cast<size_t>(features.n_columns())) {
  workers.run(features.count(), [&](int64_t feature, int) {
    stop.check();
    const auto at = static_cast<int32_t>(feature);
    if (features.info(at).level < 0) code_column(at);
  });
}

inline void Codes::code_column(int32_t feature) {
  const int64_t n = features_->n_rows();
  const int32_t column = features_->info(feature).column;
  std::vector<uint32_t> rows(static_cast<size_t>(n));
  for (size_t row = 0; row < rows.size(); ++row) rows[row] = static_cast<uint32_t>(row);
  std::vector<double> values(static_cast<size_t>(n));
  features_->gather(feature, rows.data(), n, values.data());
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  auto& coded = columns_[static_cast<size_t>(column)];
  coded = cut_column(sorted);
  if (features_->is_sparse()) return;
  auto& codes = stored_[static_cast<size_t>(column)];
  codes.reset(new uint8_t[static_cast<size_t>(n)]);
  for (size_t row = 0; row < values.size(); ++row)
    codes[row] = code_of(coded.highest, values[row]);
}

inline void Codes::gather(int32_t feature, const uint32_t* rows, int64_t n,
                          uint8_t* out) const {
  const FeatureInfo at = features_->info(feature);
  const auto& stored = stored_[static_cast<size_t>(at.column)];
  if (at.level < 0 && stored) {
    for (int64_t i = 0; i < n; ++i) out[i] = stored[rows[i]];
    return;
  }
  constexpr int64_t block = 256;
  double values[block];
  for (int64_t begin = 0; begin < n; begin += block) {
    const int64_t size = std::min(block, n - begin);
    features_->gather(feature, rows + begin, size, values);
    for (int64_t i = 0; i < size; ++i)
      out[begin + i] = code_of(coded(feature).highest, values[i]);
  }
}

}  // namespace tanoak
