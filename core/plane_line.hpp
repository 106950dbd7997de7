// A line through the plane of two features: what it loses, and the slope at which it
// keeps most distance from the points on both sides.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "plane_points.hpp"

namespace tanoak {

// y - slope * x against a threshold; with the axes exchanged x - slope * y. What is not
// above goes left; flipped, right.
struct PlaneLine {
  bool exchanged = false, flipped = false;
  double slope = 0, threshold = 0;
  int64_t loss = std::numeric_limits<int64_t>::max();
};

// Conflicts included.
inline int64_t loss_of(const PlanePoints& points, const PlaneLine& line) {
  const double* x = (line.exchanged ? points.y : points.x).data();
  const double* y = (line.exchanged ? points.x : points.y).data();
  int64_t loss = points.conflict;
  for (int64_t i = 0; i < points.n(); ++i) {
    const bool below = y[i] - line.slope * x[i] <= line.threshold;
    if ((below != line.flipped) != (i < points.n_left))
      loss += points.weight[static_cast<size_t>(i)];
  }
  return loss;
}

// The slope at which the gap between the two sides of a line is widest: the derivative
// of the gap tells on which side of a slope it is.
class WidestGap {
 public:
  WidestGap(const PlanePoints& points, const PlaneLine& line)
      : x_((line.exchanged ? points.y : points.x).data()),
        y_((line.exchanged ? points.x : points.y).data()),
        below_(points.x.size()) {
    for (size_t i = 0; i < below_.size(); ++i)
      below_[i] = y_[i] - line.slope * x_[i] <= line.threshold;
  }

  double slope(double start) const {
    double low = start - 4, high = start + 4;
    double best = start, widest = 0;
    constexpr int steps = 40;
    for (int step = 0; step < steps; ++step) {
      const double slope = step == 0 ? start : low + (high - low) / 2;
      const Support support = at(slope);
      if (support.gap > widest) widest = support.gap, best = slope;
      const bool inside = support.gap > 0;
      const bool rises = inside ? support.rise > 0 : slope < start;
      (rises ? low : high) = slope;
    }
    return best;
  }

 private:
  struct Support {
    double gap;   // between the sides, measured across the line
    double rise;  // has the sign of its derivative
  };

  Support at(double slope) const {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    double highest_below = -infinite, lowest_above = infinite;
    size_t last_below = 0, first_above = 0;
    for (size_t i = 0; i < below_.size(); ++i) {
      const double value = y_[i] - slope * x_[i];
      if (below_[i]) {
        if (value > highest_below) highest_below = value, last_below = i;
      } else if (value < lowest_above) {
        lowest_above = value, first_above = i;
      }
    }
    const double gap = lowest_above - highest_below;
    if (!(gap < infinite)) return {0, 0};  // one side is empty
    const double rise =
        (x_[last_below] - x_[first_above]) * (1 + slope * slope) - gap * slope;
    return {gap / std::sqrt(1 + slope * slope), rise};
  }

  const double *x_, *y_;
  std::vector<uint8_t> below_;
};

}  // namespace tanoak
