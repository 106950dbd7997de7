// The best place of a hyperplane along a line of hyperplanes: as it turns or shifts,
// rows change sides one after the other, and each time the criterion is asked.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "gain.hpp"
#include "presort.hpp"
#include "simd.hpp"
#include "split_axis.hpp"

namespace tanoak {

// A step along a line raises the height of each row listed by slope times the step; a
// row lies left of the hyperplane if its height is not above 0. As all slopes have one
// sign, every row changes sides once, at the step -height / slope.
struct Line {
  const uint32_t* positions;  // of rows in the node; ascend
  const float* slopes;        // above 0
  int64_t n;
};

struct LineStep {
  double score = -1;
  double step = 0;

  bool found() const { return score >= 0; }
};

// Sorts words by their upper halves; n words of scratch. Few words are sorted whole.
// Either order of equal halves will do.
inline void sort_by_rank(Record* words, Record* scratch, int64_t n) {
  constexpr int64_t few = 192;
  if (n <= few) {
    std::sort(words, words + n);
    return;
  }
  constexpr int digit_bits = 8, n_values = 1 << digit_bits, n_digits = 4;
  std::array<std::array<uint32_t, n_values>, n_digits> places{};
  for (int64_t i = 0; i < n; ++i)
    for (int digit = 0; digit < n_digits; ++digit)
      ++places[static_cast<size_t>(digit)]
              [words[i] >> (32 + digit * digit_bits) & (n_values - 1)];
  Record *from = words, *to = scratch;
  for (int digit = 0; digit < n_digits; ++digit) {
    auto& place = places[static_cast<size_t>(digit)];
    const int shift = 32 + digit * digit_bits;
    if (place[from[0] >> shift & (n_values - 1)] == static_cast<uint32_t>(n)) continue;
    uint32_t sum = 0;
    for (uint32_t& entry : place) {
      const uint32_t count = entry;
      entry = sum;
      sum += count;
    }
    for (int64_t i = 0; i < n; ++i)
      to[place[from[i] >> shift & (n_values - 1)]++] = from[i];
    std::swap(from, to);
  }
  if (from != words) std::copy(from, from + n, words);
}

// The number whose sort_key is `key`.
inline float value_of_key(uint32_t key) {
  const uint32_t bits = key & 0x80000000u ? key & 0x7FFFFFFFu : ~key;
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// Criteria that best_two_class_cut can take the place of.
template <class Criterion>
constexpr bool is_gini = false;
template <class Squares>
constexpr bool is_gini<Gini<Squares>> = true;

// Looks along lines for one node; one per worker, used again for every node.
template <class Criterion>
class LineSearch {
 public:
  using Target = typename Criterion::Target;
  using Sums = typename Criterion::Sums;

  LineSearch(const Target& target, Criterion criterion)
      : target_(target), state_(std::move(criterion)) {
    if constexpr (is_gini<Criterion>)
      two_classes_ = target.label_bits == 1 && target.row_mass.empty();
  }

  // The rows in question, which must outlive the search, and what they add up to.
  void open(const Record* records, int64_t n, const Sums& sums,
            const CutLimits& limits) {
    records_ = records;
    n_rows_ = n;
    node_ = &sums;
    limits_ = limits;
    const auto room = static_cast<size_t>(n) + 1;
    if (items_.size() < room) {
      items_.resize(room);
      scratch_.resize(room);
    }
  }

  // The best hyperplane of a line that beats `floor`.
  LineStep best(const Line& line, const double* heights, double floor) {
    if (line.n == 0) return {};
    for (int64_t i = 0; i < line.n; ++i) {
      const uint32_t at = line.positions[i];
      items_[static_cast<size_t>(i)] = make_record(
          sort_key(turning_point(heights[at], line.slopes[i])), id_of(records_[at]));
    }
    sort_by_rank(items_.data(), scratch_.data(), line.n);
    LineStep best;
    best.score = floor;
    if (two_classes_ && limits_.min_mass <= 1)
      scan_two_classes(line, heights, best);
    else
      scan(line, heights, best);
    return best.score > floor ? best : LineStep{};
  }

 private:
  // A row goes left when minus the step reaches this.
  static float turning_point(double height, float slope) {
    constexpr double largest = std::numeric_limits<float>::max();
    const double at = height / static_cast<double>(slope);
    return static_cast<float>(std::max(-largest, std::min(largest, at)));
  }

  // The step at which the first `n_left` of the rows listed are left.
  double step_to(int64_t n_left, int64_t n) const {
    const double low = n_left > 0 ? value_at(n_left - 1) : 0;
    const double high = n_left < n ? value_at(n_left) : 0;
    if (n_left == 0) return std::max(1.0, std::abs(high)) - high;
    if (n_left == n) return -low - std::max(1.0, std::abs(low));
    return -(low / 2 + high / 2);
  }
  double value_at(int64_t i) const {
    return static_cast<double>(value_of_key(rank_of(items_[static_cast<size_t>(i)])));
  }

  // Calls visit(position) for the rows that no step moves and that are left.
  template <class Visit>
  void visit_fixed_left(const Line& line, const double* heights,
                        const Visit& visit) const {
    if (line.n == n_rows_) return;
    int64_t listed = 0;
    for (int64_t i = 0; i < n_rows_; ++i) {
      if (listed < line.n && line.positions[listed] == i)
        ++listed;
      else if (heights[i] <= 0)
        visit(i);
    }
  }

  bool allowed(int64_t rows_left) const {
    return rows_left >= limits_.min_rows && n_rows_ - rows_left >= limits_.min_rows &&
           state_.left_mass() >= limits_.min_mass &&
           state_.right_mass() >= limits_.min_mass;
  }

  void scan(const Line& line, const double* heights, LineStep& best) {
    state_.start(*node_);
    int64_t n_fixed = 0;
    visit_fixed_left(line, heights, [&](int64_t i) {
      state_.move(records_[i]);
      ++n_fixed;
    });
    for (int64_t i = 0; i <= line.n; ++i) {
      const Record* next = items_.data() + i;
      const bool new_value =
          i == 0 || i == line.n || rank_of(next[0]) != rank_of(next[-1]);
      if (new_value && allowed(n_fixed + i)) {
        const double score = state_.score();
        if (score > best.score) best = {score, step_to(i, line.n)};
      }
      if (i < line.n) state_.move(*next);
    }
  }

  void scan_two_classes(const Line& line, const double* heights, LineStep& best) {
    if constexpr (is_gini<Criterion>) {
      TwoClassScan fixed;
      const auto n_fixed = count_fixed(line, heights, fixed);
      for (const size_t k : {0, 1})
        fixed.mass[k] = static_cast<double>(target_.class_mass[k]);
      const int64_t begin = std::max<int64_t>(0, limits_.min_rows - n_fixed - 1);
      const int64_t end = std::min(line.n - 1, n_rows_ - n_fixed - limits_.min_rows);
      if (begin < end) {
        const TwoClassCut cut =
            best_two_class_cut(items_.data(), begin, end, fixed, best.score);
        if (cut.position >= 0) best = {cut.score, step_to(cut.position + 1, line.n)};
      }
      consider_ends(line, fixed, n_fixed, best);
    }
  }

  // All rows listed on one side, which is no cut between two of them.
  void consider_ends(const Line& line, const TwoClassScan& fixed, int64_t n_fixed,
                     LineStep& best) {
    if (n_fixed == 0 && line.n == n_rows_) return;
    for (const int64_t n_left : {int64_t{0}, line.n}) {
      Sums left(target_);
      for (const size_t k : {0, 1}) {
        const int64_t listed = n_left > 0 ? listed_[k] : 0;
        left.masses[k] = (fixed.left[k] + listed) * target_.class_mass[k];
      }
      state_.start(*node_);
      state_.move(left);
      if (!allowed(n_fixed + n_left)) continue;
      const double score = state_.score();
      if (score > best.score) best = {score, step_to(n_left, line.n)};
    }
  }

  // Rows by class: all, and those left of every hyperplane of the line.
  int64_t count_fixed(const Line& line, const double* heights, TwoClassScan& fixed) {
    int64_t rows[2] = {0, 0}, left[2] = {0, 0};
    for (int64_t i = 0; i < n_rows_; ++i) {
      const auto one = static_cast<int64_t>(records_[i] & 1);
      const int64_t is_left = heights[i] <= 0;
      rows[1] += one;
      left[0] += is_left;
      left[1] += is_left & one;
    }
    int64_t listed[2] = {line.n, 0};
    for (int64_t i = 0; i < line.n; ++i) {
      const uint32_t at = line.positions[i];
      const auto one = static_cast<int64_t>(records_[at] & 1);
      const int64_t is_left = heights[at] <= 0;
      listed[1] += one;
      left[0] -= is_left;
      left[1] -= is_left & one;
    }
    fixed.total[0] = n_rows_ - rows[1];
    fixed.total[1] = rows[1];
    fixed.left[0] = left[0] - left[1];
    fixed.left[1] = left[1];
    listed_[0] = listed[0] - listed[1];
    listed_[1] = listed[1];
    return left[0];
  }

  const Target& target_;
  Criterion state_;
  bool two_classes_ = false;
  const Record* records_ = nullptr;
  int64_t n_rows_ = 0;
  const Sums* node_ = nullptr;
  CutLimits limits_;
  std::vector<Record> items_, scratch_;
  int64_t listed_[2] = {0, 0};
};

}  // namespace tanoak
