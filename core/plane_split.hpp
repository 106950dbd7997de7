// From a line in the plane of two features to the split that routes along it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "node.hpp"
#include "plane_line.hpp"

namespace tanoak {

// Which care points a line sends left.
inline std::vector<uint8_t> sides_of(const PlaneLine& line, const PlaneFeature& across,
                                     const PlaneFeature& up, int64_t n) {
  std::vector<uint8_t> left(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i) {
    const double x = across.scale(across.values[i]), y = up.scale(up.values[i]);
    const double height = line.exchanged ? x - line.slope * y : y - line.slope * x;
    left[static_cast<size_t>(i)] = (height <= line.threshold) != line.flipped;
  }
  return left;
}

// A line of this slope in the features' own units, without its threshold; no terms if
// one of them would be lost.
inline NodeSplit split_along(const PlaneLine& line, double slope,
                             const PlaneFeature& across, const PlaneFeature& up) {
  const double turn = line.flipped ? -1 : 1;
  // The greater weight is one: its products are exact.
  double minor = -slope * turn, major = turn;
  if (std::fabs(slope) > 1) {
    major = turn / std::fabs(slope);
    minor = slope > 0 ? -turn : turn;
  }
  double weight_x = line.exchanged ? major : minor;
  double weight_y = line.exchanged ? minor : major;
  if (std::fabs(weight_x) == 1)
    weight_y *= across.scale.unit / up.scale.unit;
  else
    weight_x *= up.scale.unit / across.scale.unit;
  NodeSplit split;
  split.kind = SplitKind::sum;
  if (std::isnormal(weight_x) && std::isnormal(weight_y))
    split.terms = {{across.feature, weight_x}, {up.feature, weight_y}};
  return split;
}

// In the middle of the gap between the sides; false if there is none.
inline bool place_threshold(const Features& features, const CarePoints& care,
                            const std::vector<uint8_t>& left, NodeSplit& split) {
  std::vector<double> height(left.size());
  features.project(split.terms, care.rows, care.n, height.data());
  double below = -std::numeric_limits<double>::infinity(), above = -below;
  for (size_t i = 0; i < left.size(); ++i)
    if (left[i])
      below = std::max(below, height[i]);
    else
      above = std::min(above, height[i]);
  if (!(below < above) || std::isinf(below) || std::isinf(above)) return false;
  split.threshold = below + (above - below) / 2;
  if (!(split.threshold < above)) split.threshold = below;
  return true;
}

}  // namespace tanoak
