// The care points of a node in the plane of two features: centred and scaled, those in
// one place merged, those that want left first.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "node.hpp"

namespace tanoak {

// Slopes are compared in these units.
struct PlaneScale {
  double centre = 0;
  double unit =
      0;  // 0: all values are the same; below: they are too large or too small

  bool usable() const { return unit > 0; }

  double operator()(double value) const { return (value - centre) / unit; }
};

// Half the spread of the inner nine tenths, so that outliers do not squeeze the rest
// into one slope; half the range where those are all equal.
inline PlaneScale scale_of(const double* values, int64_t n,
                           std::vector<double>& sample) {
  constexpr int64_t most = 512;
  const int64_t step = (n + most - 1) / most;
  sample.clear();
  for (int64_t i = 0; i < n; i += step) sample.push_back(values[i]);
  const size_t last = sample.size() - 1;
  const auto low = sample.begin() + static_cast<std::ptrdiff_t>(last / 20);
  const auto middle = sample.begin() + static_cast<std::ptrdiff_t>(last / 2);
  const auto high = sample.begin() + static_cast<std::ptrdiff_t>(last - last / 20);
  std::nth_element(sample.begin(), middle, sample.end());
  PlaneScale scale{*middle, 0};
  std::nth_element(sample.begin(), low, middle);
  const double below = *low;
  if (high > middle) std::nth_element(middle, high, sample.end());
  scale.unit = (*high - below) / 2;
  if (!(scale.unit > 0)) {
    const auto [least, most_of_all] = std::minmax_element(values, values + n);
    scale.centre = *least / 2 + *most_of_all / 2;
    if (*least == *most_of_all) return {*least, 0};
    scale.unit = *most_of_all / 2 - *least / 2;
  }
  // Far from one, ratios of two units could leave the range of numbers.
  const bool usable = scale.unit > 1e-140 && scale.unit < 1e140;
  if (!usable || !(std::fabs(scale.centre) < 1e150)) scale.unit = -1;
  return scale;
}

struct PlanePoints {
  std::vector<double> x, y;
  std::vector<int64_t> weight;  // lost if the point goes where it does not want to
  int64_t n_left = 0;           // how many want left: they come first
  int64_t left_total = 0, right_total = 0;
  int64_t conflict = 0;  // lost in any case, in places that want both

  int64_t n() const { return static_cast<int64_t>(x.size()); }
};

// A feature of the node at hand.
struct PlaneFeature {
  int32_t feature;
  const double* values;
  PlaneScale scale;
};

class PlaneMerger {
 public:
  // Without duplicates removed, a search for lines among them would not end.
  void merge(const PlaneFeature& across, const PlaneFeature& up, const CarePoints& care,
             PlanePoints& points);

 private:
  struct Place {
    double x, y;
    int64_t want_left, want_right;
  };
  void find_places(const double* x, const double* y, const CarePoints& care);

  std::vector<uint32_t> slots_;  // 1 + place; 0: empty
  std::vector<Place> places_;
};

inline uint64_t mix(double x, double y) {
  uint64_t a = 0, b = 0;
  std::memcpy(&a, &x, sizeof a);
  std::memcpy(&b, &y, sizeof b);
  uint64_t mixed = (a * 0x9E3779B97F4A7C15u) ^ ((b << 29 | b >> 35) + a);
  mixed = (mixed ^ (mixed >> 32)) * 0xD6E8FEB86659FD93u;
  return mixed ^ (mixed >> 32);
}

inline void PlaneMerger::find_places(const double* x, const double* y,
                                     const CarePoints& care) {
  size_t n_slots = 16;
  while (n_slots < static_cast<size_t>(care.n) * 2) n_slots *= 2;
  slots_.assign(n_slots, 0);
  places_.clear();
  for (int64_t i = 0; i < care.n; ++i) {
    const double at_x = x[i] + 0.0, at_y = y[i] + 0.0;  // one zero, not two
    size_t slot = mix(at_x, at_y) & (n_slots - 1);
    while (slots_[slot] != 0) {
      const Place& place = places_[slots_[slot] - 1];
      if (place.x == at_x && place.y == at_y) break;
      slot = (slot + 1) & (n_slots - 1);
    }
    if (slots_[slot] == 0) {
      places_.push_back({at_x, at_y, 0, 0});
      slots_[slot] = static_cast<uint32_t>(places_.size());
    }
    Place& place = places_[slots_[slot] - 1];
    (care.stake[i] > 0 ? place.want_left : place.want_right) += std::abs(care.stake[i]);
  }
}

inline void PlaneMerger::merge(const PlaneFeature& across, const PlaneFeature& up,
                               const CarePoints& care, PlanePoints& points) {
  find_places(across.values, up.values, care);
  points.x.clear(), points.y.clear(), points.weight.clear();
  points.conflict = 0;
  for (const Place& place : places_)
    points.conflict += std::min(place.want_left, place.want_right);
  for (const bool left : {true, false}) {
    int64_t total = 0;
    for (const Place& place : places_) {
      const int64_t net = left ? place.want_left - place.want_right
                               : place.want_right - place.want_left;
      if (net <= 0) continue;
      points.x.push_back(across.scale(place.x));
      points.y.push_back(up.scale(place.y));
      points.weight.push_back(net);
      total += net;
    }
    if (left) points.n_left = points.n();
    (left ? points.left_total : points.right_total) = total;
  }
}

}  // namespace tanoak
