// The features of one node's rows on the solver's scale, packed: columns of float side
// by side, or the stored entries of a sparse table column by column. The last column
// holds ones.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include "features.hpp"
#include "lanes.hpp"
#include "node.hpp"
#include "scale.hpp"

namespace tanoak {

class NodeMatrix {
 public:
  // Features of closed columns, and those that are zero in all these rows of a sparse
  // table, are left out.
  void load(const Features& features, const Scale& scale, const NodeRules& rules,
            const CarePoints& care, const StopFlag& stop);

  int64_t n_rows() const { return n_; }
  int64_t length() const { return length_; }  // rows padded to whole lanes
  int32_t count() const { return static_cast<int32_t>(features_.size()); }
  int32_t ones() const { return count(); }  // where the column of ones is
  bool is_sparse() const { return is_sparse_; }
  int32_t feature(int32_t column) const {
    return features_[static_cast<size_t>(column)];
  }
  // Where a feature is, or -1.
  int32_t find(int32_t feature) const;

  double dot(int32_t column, const float* x) const;
  double weighted_square(int32_t column, const float* weight) const;
  void add_scaled(int32_t column, float factor, float* out) const;
  void add_weighted(int32_t column, const float* weight, float factor,
                    float* out) const;
  // Dense only.
  const float* column(int32_t column) const { return packed_.get() + column * length_; }

 private:
  void load_dense(const Features& features, const Scale& scale, const CarePoints& care,
                  const StopFlag& stop);
  void load_sparse(const Scale& scale, const NodeRules& rules, const Features& features,
                   const CarePoints& care, const StopFlag& stop);

  template <class Visit>
  void visit(int32_t column, const Visit& visit) const {
    const auto end = static_cast<size_t>(starts_[static_cast<size_t>(column) + 1]);
    for (auto at = static_cast<size_t>(starts_[static_cast<size_t>(column)]); at < end;
         ++at)
      visit(rows_[at], values_[at]);
  }

  int64_t n_ = 0, length_ = 0;
  bool is_sparse_ = false;
  std::vector<int32_t> features_;
  std::unique_ptr<float[]> packed_;
  int64_t capacity_ = 0;
  std::vector<int64_t> starts_, counts_;  // counts by feature are zero between loads
  std::vector<int32_t> rows_;
  std::vector<float> values_;
};

inline void NodeMatrix::load(const Features& features, const Scale& scale,
                             const NodeRules& rules, const CarePoints& care,
                             const StopFlag& stop) {
  n_ = care.n;
  length_ = padded(n_);
  is_sparse_ = features.is_sparse();
  features_.clear();
  if (is_sparse_) {
    load_sparse(scale, rules, features, care, stop);
    return;
  }
  for (int32_t feature = 0; feature < features.count(); ++feature)
    if (scale.of(feature).inverse > 0 && rules.open(features.info(feature).column))
      features_.push_back(feature);
  load_dense(features, scale, care, stop);
}

inline void NodeMatrix::load_dense(const Features& features, const Scale& scale,
                                   const CarePoints& care, const StopFlag& stop) {
  const int64_t needed = length_ * (count() + 1);
  if (capacity_ < needed) {
    packed_.reset(new float[static_cast<size_t>(needed)]);
    capacity_ = needed;
  }
  constexpr int64_t block = 1024;
  double values[block];
  for (int32_t k = 0; k < count(); ++k) {
    stop.check();
    const FeatureScale at = scale.of(feature(k));
    float* out = packed_.get() + k * length_;
    for (int64_t begin = 0; begin < n_; begin += block) {
      const int64_t size = std::min(block, n_ - begin);
      features.gather(feature(k), care.rows + begin, size, values);
      rescale(values, size, at, out + begin);
    }
    std::fill(out + n_, out + length_, 0.0f);
  }
  float* last = packed_.get() + count() * length_;
  std::fill(last, last + n_, 1.0f);
  std::fill(last + n_, last + length_, 0.0f);
}

inline void NodeMatrix::load_sparse(const Scale& scale, const NodeRules& rules,
                                    const Features& features, const CarePoints& care,
                                    const StopFlag& stop) {
  const ScaledRows& all = scale.rows();
  counts_.resize(static_cast<size_t>(features.count()), 0);
  auto visit_entries = [&](const auto& take) {
    for (int64_t i = 0; i < n_; ++i) {
      if (i % 4096 == 0) stop.check();
      const auto end = static_cast<size_t>(all.starts[care.rows[i] + 1]);
      for (auto at = static_cast<size_t>(all.starts[care.rows[i]]); at < end; ++at)
        take(i, static_cast<size_t>(all.features[at]), all.values[at]);
    }
  };
  std::vector<int32_t> touched;
  visit_entries([&](int64_t, size_t feature, float) {
    if (counts_[feature]++ == 0) touched.push_back(static_cast<int32_t>(feature));
  });
  std::sort(touched.begin(), touched.end());
  starts_.assign(1, 0);
  for (const int32_t feature : touched) {
    int64_t& count = counts_[static_cast<size_t>(feature)];
    if (!rules.open(features.info(feature).column)) {
      count = -1;
      continue;
    }
    features_.push_back(feature);
    starts_.push_back(starts_.back() + count);
    count = starts_.back() - count;  // from here on: where its next entry goes
  }
  starts_.push_back(starts_.back() + n_);
  rows_.resize(static_cast<size_t>(starts_.back()));
  values_.resize(static_cast<size_t>(starts_.back()));
  visit_entries([&](int64_t i, size_t feature, float value) {
    if (counts_[feature] < 0) return;
    const auto at = static_cast<size_t>(counts_[feature]++);
    rows_[at] = static_cast<int32_t>(i);
    values_[at] = value;
  });
  for (const int32_t feature : touched) counts_[static_cast<size_t>(feature)] = 0;
  const auto ones_at = static_cast<ptrdiff_t>(starts_[static_cast<size_t>(count())]);
  std::iota(rows_.begin() + ones_at, rows_.end(), 0);
  std::fill(values_.begin() + ones_at, values_.end(), 1.0f);
}

inline int32_t NodeMatrix::find(int32_t feature) const {
  const auto at = std::lower_bound(features_.begin(), features_.end(), feature);
  if (at == features_.end() || *at != feature) return -1;
  return static_cast<int32_t>(at - features_.begin());
}

inline double NodeMatrix::dot(int32_t column, const float* x) const {
  if (!is_sparse_) return tanoak::dot(this->column(column), x, length_);
  double sum = 0;
  visit(column, [&](int32_t row, float value) {
    sum += static_cast<double>(value) * static_cast<double>(x[row]);
  });
  return sum;
}

inline double NodeMatrix::weighted_square(int32_t column, const float* weight) const {
  if (!is_sparse_)
    return tanoak::weighted_square(weight, this->column(column), length_);
  double sum = 0;
  visit(column, [&](int32_t row, float value) {
    sum += static_cast<double>(value) * static_cast<double>(value) *
           static_cast<double>(weight[row]);
  });
  return sum;
}

inline void NodeMatrix::add_scaled(int32_t column, float factor, float* out) const {
  if (!is_sparse_)
    tanoak::add_scaled(out, this->column(column), factor, length_);
  else
    visit(column, [&](int32_t row, float value) { out[row] += factor * value; });
}

inline void NodeMatrix::add_weighted(int32_t column, const float* weight, float factor,
                                     float* out) const {
  if (!is_sparse_)
    tanoak::add_weighted(out, weight, this->column(column), factor, length_);
  else
    visit(column,
          [&](int32_t row, float value) { out[row] += factor * weight[row] * value; });
}

}  // namespace tanoak
