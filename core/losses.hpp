// What each answer costs on each row, in whole units, so that sums are exact in any
// order; and the answer that is cheapest for a set of rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "base.hpp"

namespace tanoak {

// All rows together stay below this many bits of units, whatever is answered, and a
// price below twice as much: so the prices of many splits can be summed.
constexpr int loss_bits = 48, price_bits = 49;

struct LossScale {
  int exponent = 0;
  double factor = 1;  // 2^exponent

  LossScale() = default;
  explicit LossScale(double largest_total)
      : exponent(fixed_exponent(largest_total, loss_bits)),
        factor(std::ldexp(1.0, exponent)) {}
  // Losses are not negative.
  int64_t units(double loss) const { return static_cast<int64_t>(loss * factor + 0.5); }
  // A price beyond what all rows can lose is as good as any: no split pays it.
  int64_t price_units(double price) const {
    return static_cast<int64_t>(std::min(price * factor, std::ldexp(1.0, price_bits)) +
                                0.5);
  }
  double value(int64_t units) const {
    return std::ldexp(static_cast<double>(units), -exponent);
  }
};

// --- classes ---

struct ClassCosts {
  const int32_t* labels = nullptr;
  int32_t n_classes = 0;
  const double* by_class = nullptr;  // K x K: true class, answer
  const double* by_row = nullptr;    // n x K; null: by class
  const double* weight = nullptr;    // by row; null: 1
};

class ClassLoss {
 public:
  using Answer = int32_t;

  ClassLoss(const ClassCosts& costs, int64_t n_rows) : costs_(costs) {
    double total = 0;
    for (int64_t row = 0; row < n_rows; ++row) {
      const double* of_row = costs_of(static_cast<uint32_t>(row));
      const auto ends = std::minmax_element(of_row, of_row + costs.n_classes);
      const double weight = costs.weight ? costs.weight[row] : 1.0;
      total += weight * *ends.second;
      weight_ += weight;
      stake_ += weight * (*ends.second - *ends.first);
    }
    scale_ = LossScale(total);
    if (costs.by_row || costs.weight) return;
    const auto n = static_cast<size_t>(costs.n_classes);
    for (size_t cell = 0; cell < n * n; ++cell)
      units_.push_back(scale_.units(costs.by_class[cell]));
  }

  const LossScale& scale() const { return scale_; }
  // What is at stake on a row of weight 1, on average.
  double mean_stake() const { return weight_ > 0 ? stake_ / weight_ : 0; }
  int32_t n_classes() const { return costs_.n_classes; }
  static bool same(Answer a, Answer b) { return a == b; }

  int64_t loss(uint32_t row, Answer answer) const {
    if (!units_.empty())
      return units_[static_cast<size_t>(costs_.labels[row] * costs_.n_classes +
                                        answer)];
    const double weight = costs_.weight ? costs_.weight[row] : 1.0;
    return scale_.units(weight * costs_of(row)[answer]);
  }

  // The cheapest answer, the lowest among equals, and what it costs; without rows the
  // one there was.
  std::pair<Answer, int64_t> best(const uint32_t* rows, int64_t n, Answer now) const {
    if (n == 0) return {now, 0};
    const auto n_classes = static_cast<size_t>(costs_.n_classes);
    std::vector<int64_t> total(n_classes, 0);
    if (units_.empty()) {
      for (int64_t i = 0; i < n; ++i)
        for (size_t k = 0; k < n_classes; ++k)
          total[k] += loss(rows[i], static_cast<Answer>(k));
    } else {
      std::vector<int64_t> counts(n_classes, 0);
      for (int64_t i = 0; i < n; ++i)
        ++counts[static_cast<size_t>(costs_.labels[rows[i]])];
      for (size_t truth = 0; truth < n_classes; ++truth)
        for (size_t k = 0; k < n_classes; ++k)
          total[k] += counts[truth] * units_[truth * n_classes + k];
    }
    const auto at = std::min_element(total.begin(), total.end());
    return {static_cast<Answer>(at - total.begin()), *at};
  }

 private:
  const double* costs_of(uint32_t row) const {
    return costs_.by_row ? costs_.by_row + int64_t{row} * costs_.n_classes
                         : costs_.by_class + costs_.labels[row] * costs_.n_classes;
  }

  ClassCosts costs_;
  LossScale scale_;
  double stake_ = 0, weight_ = 0;
  std::vector<int64_t> units_;  // K x K, if the class decides alone
};

// --- numbers ---

struct NumberCosts {
  const double* numbers = nullptr;
  const double* weight = nullptr;  // by row; null: 1
  bool absolute = false;           // distance instead of its square
};

class NumberLoss {
 public:
  using Answer = double;

  NumberLoss(const NumberCosts& costs, int64_t n_rows) : costs_(costs) {
    const auto ends = std::minmax_element(costs.numbers, costs.numbers + n_rows);
    low_ = *ends.first, high_ = *ends.second;
    std::vector<uint32_t> rows(static_cast<size_t>(n_rows));
    double total = 0, weight = 0;
    for (size_t row = 0; row < rows.size(); ++row) {
      rows[row] = static_cast<uint32_t>(row);
      total += std::max(value(rows[row], low_), value(rows[row], high_));
      weight += weight_of(rows[row]);
    }
    scale_ = LossScale(total);
    const int64_t at_root = best(rows.data(), n_rows, low_).second;
    mean_stake_ = weight > 0 ? scale_.value(at_root) / weight : 0;
  }

  const LossScale& scale() const { return scale_; }
  // What a row of weight 1 loses on average where all get the same answer.
  double mean_stake() const { return mean_stake_; }
  static bool same(Answer a, Answer b) { return !(a < b) && !(b < a); }

  // Answers lie between the lowest and the highest number.
  int64_t loss(uint32_t row, Answer answer) const {
    return scale_.units(value(row, answer));
  }
  Answer within(Answer answer) const { return std::clamp(answer, low_, high_); }

  // The mean (or median), unless rounding makes it dearer than the answer there was.
  std::pair<Answer, int64_t> best(const uint32_t* rows, int64_t n, Answer now) const {
    if (n == 0) return {now, 0};
    const Answer found = within(costs_.absolute ? median(rows, n) : mean(rows, n));
    int64_t then = 0, before = 0;
    for (int64_t i = 0; i < n; ++i) {
      then += loss(rows[i], found);
      before += loss(rows[i], now);
    }
    return then <= before ? std::pair{found, then} : std::pair{now, before};
  }

 private:
  double weight_of(uint32_t row) const {
    return costs_.weight ? costs_.weight[row] : 1.0;
  }
  double value(uint32_t row, Answer answer) const {
    const double off = costs_.numbers[row] - answer;
    return weight_of(row) * (costs_.absolute ? std::abs(off) : off * off);
  }
  // As a distance from the first number: equal numbers have exactly that mean.
  double mean(const uint32_t* rows, int64_t n) const {
    const double center = costs_.numbers[rows[0]];
    double sum = 0, weight = 0;
    for (int64_t i = 0; i < n; ++i) {
      sum += weight_of(rows[i]) * (costs_.numbers[rows[i]] - center);
      weight += weight_of(rows[i]);
    }
    return center + sum / weight;
  }
  double median(const uint32_t* rows, int64_t n) const {
    std::vector<std::pair<double, double>> sorted;
    double weight = 0;
    for (int64_t i = 0; i < n; ++i) {
      sorted.emplace_back(costs_.numbers[rows[i]], weight_of(rows[i]));
      weight += weight_of(rows[i]);
    }
    std::sort(sorted.begin(), sorted.end());
    double below = 0;
    for (const auto& [number, mass] : sorted) {
      below += mass;
      if (below >= weight / 2) return number;
    }
    return sorted.back().first;
  }

  NumberCosts costs_;
  LossScale scale_;
  double low_ = 0, high_ = 0, mean_stake_ = 0;
};

}  // namespace tanoak
