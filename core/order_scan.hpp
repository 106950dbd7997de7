// Rows in the order of any number given to each, and the best cut of that order by a
// criterion: the exact half of a search of sums.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "frame.hpp"
#include "gain.hpp"
#include "split_axis.hpp"

namespace tanoak {

struct OrderCut {
  double score = -1;
  double last_left = 0, first_right = 0;  // keys beside the cut

  bool found() const { return score >= 0; }
};

// Sorts row numbers by key, equal keys by row. Keys are finite.
class KeyOrder {
 public:
  const std::vector<uint32_t>& sort(const double* keys, int64_t n) {
    order_.resize(static_cast<size_t>(n));
    if (n < 256)
      sort_few(keys, n);
    else
      sort_many(keys, n);
    return order_;
  }

 private:
  static bool before(const double* keys, uint32_t a, uint32_t b) {
    return keys[a] < keys[b] || (keys[a] == keys[b] && a < b);
  }

  void sort_few(const double* keys, int64_t n) {
    pairs_.resize(static_cast<size_t>(n));
    for (size_t i = 0; i < pairs_.size(); ++i)
      pairs_[i] = {keys[i], static_cast<uint32_t>(i)};
    std::sort(pairs_.begin(), pairs_.end());
    for (size_t i = 0; i < pairs_.size(); ++i) order_[i] = pairs_[i].second;
  }

  // By the upper half of the distance from the least key, then by the keys themselves
  // where these agree. Eleven bits a pass, three passes.
  void sort_many(const double* keys, int64_t n) {
    constexpr int digit_bits = 11, n_values = 1 << digit_bits;
    const double least = *std::min_element(keys, keys + n);
    counts_.assign(3 * n_values, 0);
    items_.resize(static_cast<size_t>(n));
    moved_.resize(static_cast<size_t>(n));
    for (int64_t i = 0; i < n; ++i) {
      const auto upper = static_cast<uint32_t>(sort_key(keys[i] / 2 - least / 2) >> 31);
      items_[static_cast<size_t>(i)] =
          NarrowItem::make(upper, static_cast<uint32_t>(i));
      for (int digit = 0; digit < 3; ++digit)
        ++counts_[static_cast<size_t>(digit * n_values) +
                  (upper >> (digit * digit_bits) & (n_values - 1))];
    }
    for (int digit = 0; digit < 3; ++digit) {
      uint32_t* offset = counts_.data() + digit * n_values;
      const int shift = digit * digit_bits;
      uint32_t sum = 0;
      for (int value = 0; value < n_values; ++value) {
        const uint32_t count = offset[value];
        offset[value] = sum;
        sum += count;
      }
      for (const NarrowItem& item : items_)
        moved_[offset[item.key() >> shift & (n_values - 1)]++] = item;
      items_.swap(moved_);
    }
    for (size_t i = 0; i < items_.size(); ++i) order_[i] = items_[i].id();
    for (size_t begin = 0, end; begin < items_.size(); begin = end) {
      for (end = begin + 1;
           end < items_.size() && items_[end].key() == items_[begin].key();)
        ++end;
      if (end > begin + 1)
        std::sort(order_.begin() + static_cast<std::ptrdiff_t>(begin),
                  order_.begin() + static_cast<std::ptrdiff_t>(end),
                  [&](uint32_t a, uint32_t b) { return before(keys, a, b); });
    }
  }

  std::vector<uint32_t> order_, counts_;
  std::vector<std::pair<double, uint32_t>> pairs_;
  std::vector<NarrowItem> items_, moved_;
};

// Cuts of the rows of one node; one per worker.
template <class Criterion>
class OrderScan {
 public:
  using Sums = typename Criterion::Sums;

  explicit OrderScan(Criterion criterion) : state_(std::move(criterion)) {}

  // Rows with lower keys go left. A row of key -infinity is left of all cuts, one of
  // +infinity right. The best cut between two different finite keys, if it scores more
  // than `floor`; of equal ones the first. `records` has one for each key.
  OrderCut best(const Sums& sums, const Record* records, const double* keys, int64_t n,
                const CutLimits& limits, double floor) {
    // Rows that stay on a side are not sorted: they come first, or last.
    finite_.clear();
    values_.clear();
    state_.start(sums);
    int64_t rows_left = 0;
    for (int64_t i = 0; i < n; ++i) {
      if (std::isfinite(keys[i])) {
        finite_.push_back(records[i]);
        values_.push_back(keys[i]);
      } else if (keys[i] < 0) {
        state_.move(records[i]);
        ++rows_left;
      }
    }
    OrderCut best;
    best.score = floor;
    bool any = false;
    const auto n_finite = static_cast<int64_t>(values_.size());
    const auto& order = order_.sort(values_.data(), n_finite);
    for (int64_t at = 0; at + 1 < n_finite; ++at) {
      const uint32_t i = order[static_cast<size_t>(at)];
      const uint32_t next = order[static_cast<size_t>(at) + 1];
      state_.move(finite_[i]);
      ++rows_left;
      if (values_[i] == values_[next] || !allowed(rows_left, n, limits)) continue;
      const double score = state_.score();
      if (!(score > best.score)) continue;
      best = {score, values_[i], values_[next]};
      any = true;
    }
    return any ? best : OrderCut();
  }

 private:
  bool allowed(int64_t rows_left, int64_t rows, const CutLimits& limits) const {
    return rows_left >= limits.min_rows && rows - rows_left >= limits.min_rows &&
           state_.left_mass() >= limits.min_mass &&
           state_.right_mass() >= limits.min_mass;
  }

  Criterion state_;
  KeyOrder order_;
  std::vector<Record> finite_;
  std::vector<double> values_;
};

}  // namespace tanoak
