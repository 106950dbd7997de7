// A split over several features moved to a lower 0/1 loss on the care points: along its
// threshold, or along one weight after the other. Off unless asked for: it lowers what
// the training counts and not what counts after it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "features.hpp"
#include "node.hpp"

namespace tanoak {

// Where a number on a line makes a row change sides, and what passing it upwards adds
// to the loss.
struct Turn {
  double place;
  int64_t change;
};

// The middle of the widest of the intervals between turns with the least loss, and how
// much less that is than at `now`; where none is better, `now`. Reorders the turns.
struct BestPlace {
  double place;
  int64_t gain;
};

inline BestPlace best_place(std::vector<Turn>& turns, double now) {
  std::sort(turns.begin(), turns.end(), [](const Turn& a, const Turn& b) {
    return a.place != b.place ? a.place < b.place : a.change < b.change;
  });
  int64_t loss = 0, least = 0, loss_now = 0;
  double width = 0, best = now;
  // A turn counts as passed from its own place on.
  for (const Turn& turn : turns)
    if (turn.place <= now) loss_now += turn.change;
  least = loss_now;
  for (size_t i = 0; i + 1 < turns.size(); ++i) {
    loss += turns[i].change;
    const double gap = turns[i + 1].place - turns[i].place;
    if (!(gap > 0) || !std::isfinite(gap)) continue;
    if (loss < least || (loss == least && loss < loss_now && gap > width)) {
      least = loss;
      width = gap;
      best = turns[i].place + gap / 2;
    }
  }
  return {best, loss_now - least};
}

// Takes the changed split if it is as good as it promised to be.
inline bool take_if_better(const Features& features, const CarePoints& care,
                           NodeSplit&& changed, NodeChoice& choice) {
  const int64_t loss = loss_of(features, changed, care);
  if (loss >= choice.loss) return false;
  choice.split = std::move(changed);
  choice.loss = loss;
  return true;
}

// The exact threshold along the projection.
inline bool refine_threshold(const Features& features, const CarePoints& care,
                             NodeChoice& choice) {
  std::vector<double> value(static_cast<size_t>(care.n));
  features.project(choice.split.terms, care.rows, care.n, value.data());
  std::vector<Turn> turns;
  turns.reserve(value.size());
  for (int64_t i = 0; i < care.n; ++i) {
    const double place = value[static_cast<size_t>(i)];
    if (!std::isfinite(place)) continue;
    turns.push_back({place, -care.stake[i]});  // from here on it goes left
  }
  const BestPlace best = best_place(turns, choice.split.threshold);
  if (best.gain <= 0) return false;
  NodeSplit changed = choice.split;
  changed.threshold = best.place;
  return take_if_better(features, care, std::move(changed), choice);
}

// The exact weight of one term while the others stay.
inline bool refine_weight(const Features& features, const CarePoints& care, size_t term,
                          NodeChoice& choice) {
  const NodeSplit& split = choice.split;
  std::vector<double> sum(static_cast<size_t>(care.n)), value(sum.size());
  features.project(split.terms, care.rows, care.n, sum.data());
  features.gather(split.terms[term].feature, care.rows, care.n, value.data());
  const double weight = split.terms[term].weight;
  std::vector<Turn> turns;
  for (int64_t i = 0; i < care.n; ++i) {
    const double x = value[static_cast<size_t>(i)];
    const double room = split.threshold - (sum[static_cast<size_t>(i)] - weight * x);
    const double place = room / x;
    if (x == 0 || !std::isfinite(place)) continue;
    // With x above zero the row goes left up to its place, else from it on.
    turns.push_back({place, x > 0 ? care.stake[i] : -care.stake[i]});
  }
  if (turns.empty()) return false;
  // Beyond the outermost turns the weight may lie too.
  const auto [low, high] = std::minmax_element(
      turns.begin(), turns.end(),
      [](const Turn& a, const Turn& b) { return a.place < b.place; });
  const double below = low->place - 1, above = high->place + 1;
  turns.push_back({below, 0});
  turns.push_back({above, 0});
  const BestPlace best = best_place(turns, weight);
  if (best.gain <= 0 || best.place == 0) return false;
  NodeSplit changed = split;
  changed.terms[term].weight = best.place;
  return take_if_better(features, care, std::move(changed), choice);
}

// One walk over the weights, each followed by the threshold.
inline void refine_coordinates(const Features& features, const CarePoints& care,
                               NodeChoice& choice, const StopFlag& stop) {
  for (size_t term = 0; term < choice.split.terms.size(); ++term) {
    stop.check();
    refine_weight(features, care, term, choice);
  }
  refine_threshold(features, care, choice);
}

}  // namespace tanoak
