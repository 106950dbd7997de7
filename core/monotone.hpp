// Constraints: along some columns answers may only rise, or only fall.
//
// A cut of such a column puts a bound between its children, which nothing below may
// cross, whatever columns are cut there. Cuts that would are not made, so answers stay
// those of the training rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "gain.hpp"

namespace tanoak {

// What a set of rows answers, as a ratio of exact sums: the share of the last class, or
// the mean.
struct ExactAnswer {
  int64_t above = 0, mass = 0;
};

inline ExactAnswer answer_of(const ClassSums& sums) {
  return {sums.masses.back(), sums.mass};
}
inline ExactAnswer answer_of(const NumberSums& sums) {
  return {sums.moment, sums.mass};
}
inline ExactAnswer answer_of(const ClassTarget& target, Record record) {
  const int64_t mass = target.mass(record);
  return {target.label(record) == target.n_classes - 1 ? mass : 0, mass};
}
inline ExactAnswer answer_of(const NumberTarget& target, Record record) {
  return {target.row_moment[target.row(record)], target.mass(record)};
}

// Bounds of a node, in units of 2^-shift.
struct AnswerBounds {
  static constexpr int128 none = int128{1} << 126;
  int128 low = -none, high = none;
};

struct MonotoneRules {
  std::vector<int8_t>
      signs;       // by column: 1 rises, -1 falls, 0 is free; empty: all free
  int shift = 60;  // products of answers in these units and masses fit 126 bits

  bool active() const { return !signs.empty(); }
  int sign(int32_t column) const {
    return signs.empty() ? 0 : signs[static_cast<size_t>(column)];
  }
  bool within(const ExactAnswer& answer, const AnswerBounds& bounds) const {
    const int128 scaled = scale(answer);
    return (bounds.low == -AnswerBounds::none || bounds.low * answer.mass <= scaled) &&
           (bounds.high == AnswerBounds::none || scaled <= bounds.high * answer.mass);
  }
  // Whether some bound fits between two answers, and the one in the middle.
  bool divide(const ExactAnswer& lower, const ExactAnswer& upper, int128& bound) const {
    const int128 from = -floor_div(-scale(lower), lower.mass);
    const int128 to = floor_div(scale(upper), upper.mass);
    bound = from + (to - from) / 2;
    return from <= to;
  }

 private:
  int128 scale(const ExactAnswer& answer) const {
    return static_cast<int128>(answer.above) * (int128{1} << shift);
  }
  static int128 floor_div(int128 x, int64_t by) {
    const int128 whole = x / by;
    return whole * by > x ? whole - 1 : whole;
  }
};

// How fine answers can be told apart: the largest one times all mass must fit.
inline int monotone_shift(double largest_answer, double total_mass) {
  const int bits = std::ilogb(std::max(1.0, largest_answer)) +
                   std::ilogb(std::max(1.0, total_mass)) + 2;
  return std::max(0, std::min(62, 124 - bits));
}

// What rows went left in a search, and whether the cut keeps the constraints.
class MonotoneGuard {
 public:
  explicit MonotoneGuard(const MonotoneRules* rules) : rules_(rules) {}

  bool active() const { return rules_ != nullptr && rules_->active(); }
  void look_at(const AnswerBounds& bounds) { bounds_ = bounds; }
  void start(const ExactAnswer& total) {
    left_ = {};
    total_ = total;
  }
  void move(const ExactAnswer& rows) {
    left_.above += rows.above;
    left_.mass += rows.mass;
  }
  // `ordered`: the left side holds the lower values of the column.
  bool allows(int32_t column, bool ordered) const {
    const ExactAnswer right{total_.above - left_.above, total_.mass - left_.mass};
    if (!rules_->within(left_, bounds_) || !rules_->within(right, bounds_))
      return false;
    const int sign = ordered ? rules_->sign(column) : 0;
    int128 bound;
    return sign == 0 || (sign > 0 ? rules_->divide(left_, right, bound)
                                  : rules_->divide(right, left_, bound));
  }

 private:
  const MonotoneRules* rules_;
  AnswerBounds bounds_;
  ExactAnswer left_, total_;
};

// Bounds of both children of a cut that was allowed.
inline void pass_bounds(const MonotoneRules& rules, int sign, const ExactAnswer& left,
                        const ExactAnswer& right, const AnswerBounds& node,
                        AnswerBounds& left_bounds, AnswerBounds& right_bounds) {
  left_bounds = right_bounds = node;
  int128 bound;
  if (sign > 0 && rules.divide(left, right, bound))
    left_bounds.high = right_bounds.low = bound;
  if (sign < 0 && rules.divide(right, left, bound))
    left_bounds.low = right_bounds.high = bound;
}

}  // namespace tanoak
