// The best split of a node on one column: a threshold in either direction, or the
// categories that are cheaper on the left. Exact: no other split on one column loses
// less on the care points.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "codes.hpp"
#include "stakes.hpp"

namespace tanoak {

class AxisSolver {
 public:
  AxisSolver(const Features& features, const Codes& codes,
             const std::vector<int32_t>& n_levels, Workers& workers,
             const StopFlag& stop);

  // Replaces `best` by the split on one column that beats it by most, if there is one;
  // the lowest column among equals. With `workers` columns are shared out among them.
  void solve(const CarePoints& points, const NodeRules& rules, size_t worker,
             Workers* workers, const StopFlag& stop, NodeChoice& best);

 private:
  struct Point {
    double value;
    int64_t stake;
  };
  struct Scratch {
    std::vector<uint8_t> codes;
    std::vector<double> values;
    std::vector<Point> points;
    LevelStakes levels;
    std::array<Stakes, most_codes> bins;
    Stakes missing, present;
    int32_t first = 0, last = 0;  // bins that hold points
  };
  // The care points with what they have at stake in all.
  struct Care : CarePoints {
    const NodeRules* rules;
    Stakes total;
  };
  // No cut loses less than `bound`; one loses `reached`.
  struct Outlook {
    int64_t bound, reached;
  };

  Outlook look(int32_t column, const Care& care, Scratch& at) const;
  NodeChoice cut(int32_t column, const Care& care, int64_t limit, Scratch& at) const;
  void fill_bins(int32_t column, const Care& care, Scratch& at) const;
  AxisFound search_bins(int32_t column, const Care& care, int64_t limit,
                        Scratch& at) const;
  AxisFound search_stored(int32_t column, const Care& care, Scratch& at) const;
  int64_t fill_levels(int32_t column, const Care& care, Scratch& at) const;

  const Features* features_;
  const Codes* codes_;
  std::vector<int32_t> n_levels_, feature_;  // by column
  std::vector<uint8_t> missing_;
  std::vector<Scratch> scratch_;  // by worker
  std::vector<std::vector<Outlook>> outlooks_;
};

inline AxisSolver::AxisSolver(const Features& features, const Codes& codes,
                              const std::vector<int32_t>& n_levels, Workers& workers,
                              const StopFlag& stop)
    : features_(&features),
      codes_(&codes),
      n_levels_(n_levels),
      feature_(n_levels.size(), -1),
      missing_(find_missing(features, workers, stop)),
      scratch_(static_cast<size_t>(workers.count())),
      outlooks_(static_cast<size_t>(workers.count())) {
  for (int32_t f = 0; f < features.count(); ++f)
    if (features.info(f).level < 0)
      feature_[static_cast<size_t>(features.info(f).column)] = f;
}

inline void AxisSolver::solve(const CarePoints& points, const NodeRules& rules,
                              size_t worker, Workers* workers, const StopFlag& stop,
                              NodeChoice& best) {
  if (points.n < 2) return;
  Care care{points, &rules, {}};
  for (int64_t i = 0; i < care.n; ++i) care.total.add(care.stake[i]);
  constexpr int64_t unknown = std::numeric_limits<int64_t>::max() / 2;
  const auto n_columns = static_cast<int64_t>(n_levels_.size());
  auto& outlooks = outlooks_[worker];
  outlooks.assign(n_levels_.size(), {unknown, unknown});
  auto look_at = [&](int64_t column, size_t by) {
    const auto at = static_cast<int32_t>(column);
    if (!rules.open(at)) return;
    if (care.n > 4096 || column % 64 == 0) stop.check();
    Outlook& outlook = outlooks[static_cast<size_t>(column)];
    outlook = look(at, care, scratch_[by]);
    const int64_t price = rules.axis_price + rules.price_of(at);
    outlook.bound += price;
    outlook.reached += price;
  };
  if (workers)
    workers->run(n_columns,
                 [&](int64_t i, int by) { look_at(i, static_cast<size_t>(by)); });
  else
    for (int64_t i = 0; i < n_columns; ++i) look_at(i, worker);
  int64_t reached = unknown;
  for (const Outlook& outlook : outlooks) reached = std::min(reached, outlook.reached);
  for (int32_t column = 0; column < n_columns; ++column) {
    const Outlook& outlook = outlooks[static_cast<size_t>(column)];
    const bool equal_will_do = best.split.n_terms() > 1;
    const int64_t needed = best.objective() - (equal_will_do ? 0 : 1);
    if (outlook.bound > std::min(needed, reached)) continue;
    stop.check();
    const int64_t price = rules.axis_price + rules.price_of(column);
    NodeChoice found =
        cut(column, care, std::min(needed, outlook.reached) - price, scratch_[worker]);
    found.price = price;
    if (!found.split.is_constant() && found.beats(best)) best = found;
  }
}

// --- a column at a glance ---

inline AxisSolver::Outlook AxisSolver::look(int32_t column, const Care& care,
                                            Scratch& at) const {
  if (n_levels_[static_cast<size_t>(column)] > 0) {
    const int64_t loss = fill_levels(column, care, at);
    return {loss, loss};
  }
  constexpr int64_t none = std::numeric_limits<int64_t>::max() / 4;
  if (features_->is_sparse()) {
    const AxisFound found = search_stored(column, care, at);
    return found.any() ? Outlook{found.loss, found.loss} : Outlook{none, none};
  }
  fill_bins(column, care, at);
  const CutScan scan(at.present, at.missing, care.rules->direction_of(column));
  AxisFound ends;
  scan.consider_missing(ends);
  int64_t prefix = 0, highest = -none, lowest = none, high_bound = -none,
          low_bound = none;
  for (int32_t bin = at.first; bin <= at.last; ++bin) {
    const Stakes& stakes = at.bins[static_cast<size_t>(bin)];
    high_bound = std::max(high_bound, prefix + stakes.up);
    low_bound = std::min(low_bound, prefix - stakes.down);
    prefix += stakes.net();
    if (bin == at.last) break;
    highest = std::max(highest, prefix);
    lowest = std::min(lowest, prefix);
  }
  const int64_t at_ends = ends.any() ? ends.loss : none;
  return {std::min(at_ends, scan.best_loss(high_bound, low_bound)),
          std::min(at_ends, scan.best_loss(highest, lowest))};
}

inline void AxisSolver::fill_bins(int32_t column, const Care& care, Scratch& at) const {
  const auto n = static_cast<size_t>(care.n);
  const int32_t feature = feature_[static_cast<size_t>(column)];
  const bool any_missing = missing_[static_cast<size_t>(column)] != 0;
  at.codes.resize(std::max(at.codes.size(), n));
  codes_->gather(feature, care.rows, care.n, at.codes.data());
  at.bins.fill({});
  at.missing = at.present = {};
  if (any_missing) {
    at.values.resize(std::max(at.values.size(), n));
    features_->gather_raw(column, care.rows, care.n, at.values.data());
  }
  for (size_t i = 0; i < n; ++i) {
    if (any_missing && std::isnan(at.values[i]))
      at.missing.add(care.stake[i]);
    else
      at.bins[at.codes[i]].add(care.stake[i]);
  }
  at.first = 0, at.last = codes_->count(feature) - 1;
  auto empty = [&](int32_t bin) { return at.bins[static_cast<size_t>(bin)].empty(); };
  while (at.first < at.last && empty(at.first)) ++at.first;
  while (at.first < at.last && empty(at.last)) --at.last;
  at.present = care.total;
  at.present.take_away(at.missing);
}

inline int64_t AxisSolver::fill_levels(int32_t column, const Care& care,
                                       Scratch& at) const {
  at.values.resize(std::max(at.values.size(), static_cast<size_t>(care.n)));
  features_->gather_raw(column, care.rows, care.n, at.values.data());
  at.levels.fill(at.values, care, n_levels_[static_cast<size_t>(column)]);
  return at.levels.best_loss();
}

// --- a column in full ---

// A split with its loss, which is at most `limit`; else nothing is promised.
inline NodeChoice AxisSolver::cut(int32_t column, const Care& care, int64_t limit,
                                  Scratch& at) const {
  NodeChoice choice;
  if (n_levels_[static_cast<size_t>(column)] > 0) {
    choice.loss = fill_levels(column, care, at);
    choice.split = at.levels.best_split(column);
    return choice;
  }
  const AxisFound found = features_->is_sparse() ? search_stored(column, care, at)
                                                 : search_bins(column, care, limit, at);
  if (!found.any()) return choice;
  choice.loss = found.loss;
  choice.split.kind = SplitKind::axis;
  choice.split.column = column;
  choice.split.swapped = found.swapped;
  choice.split.missing_left = at.missing.net() > 0;
  choice.split.threshold =
      std::isinf(found.high) ? found.low : midpoint(found.low, found.high);
  return choice;
}

// Only bins that may hold a cut within the limit are sorted.
inline AxisFound AxisSolver::search_bins(int32_t column, const Care& care,
                                         int64_t limit, Scratch& at) const {
  fill_bins(column, care, at);
  const CutScan scan(at.present, at.missing, care.rules->direction_of(column));
  const auto n = static_cast<size_t>(care.n);
  at.values.resize(std::max(at.values.size(), n));
  features_->gather_raw(column, care.rows, care.n, at.values.data());
  std::array<double, most_codes> lows, highs;
  lows.fill(std::numeric_limits<double>::infinity());
  highs.fill(-std::numeric_limits<double>::infinity());
  std::array<size_t, most_codes + 1> starts{};
  int64_t prefix = 0;
  std::array<bool, most_codes> live{};
  for (int32_t bin = at.first; bin <= at.last; ++bin) {
    const Stakes& stakes = at.bins[static_cast<size_t>(bin)];
    live[static_cast<size_t>(bin)] =
        scan.best_loss(prefix + stakes.up, prefix - stakes.down) <= limit;
    prefix += stakes.net();
  }
  for (size_t i = 0; i < n; ++i) {
    const double value = at.values[i];
    if (std::isnan(value)) continue;
    const size_t bin = at.codes[i];
    lows[bin] = std::min(lows[bin], value);
    highs[bin] = std::max(highs[bin], value);
    starts[bin + 1] += live[bin];
  }
  for (size_t bin = 0; bin < most_codes; ++bin) starts[bin + 1] += starts[bin];
  at.points.resize(std::max(at.points.size(), starts[most_codes]));
  auto next = starts;
  for (size_t i = 0; i < n; ++i) {
    const size_t bin = at.codes[i];
    if (live[bin] && !std::isnan(at.values[i]))
      at.points[next[bin]++] = {at.values[i], care.stake[i]};
  }
  AxisFound best;
  prefix = 0;
  double before = 0;
  bool any_before = false;
  for (int32_t b = at.first; b <= at.last; ++b) {
    const auto bin = static_cast<size_t>(b);
    if (at.bins[bin].empty()) continue;
    if (any_before) scan.consider(prefix, before, lows[bin], best);
    Point* points = at.points.data() + starts[bin];
    const size_t size = starts[bin + 1] - starts[bin];
    if (size > 1 && lows[bin] < highs[bin]) {
      std::sort(points, points + size,
                [](const Point& p, const Point& q) { return p.value < q.value; });
      int64_t within = prefix;
      for (size_t i = 0; i + 1 < size; ++i) {
        within += points[i].stake;
        if (points[i].value < points[i + 1].value)
          scan.consider(within, points[i].value, points[i + 1].value, best);
      }
    }
    prefix += at.bins[bin].net();
    before = highs[bin];
    any_before = true;
  }
  scan.consider_missing(best);
  return best;
}

// A sparse column: what is stored, and one group of zeros.
inline AxisFound AxisSolver::search_stored(int32_t column, const Care& care,
                                           Scratch& at) const {
  at.points.clear();
  at.missing = at.present = {};
  Stakes stored;
  int64_t n_missing = 0;
  features_->visit_raw(column, care.rows, care.n, [&](int64_t i, double value) {
    if (std::isnan(value)) {
      at.missing.add(care.stake[i]);
      ++n_missing;
    } else if (value != 0) {
      stored.add(care.stake[i]);
      at.points.push_back({value, care.stake[i]});
    }
  });
  at.present = care.total;
  at.present.take_away(at.missing);
  if (static_cast<int64_t>(at.points.size()) + n_missing < care.n)
    at.points.push_back({0.0, at.present.net() - stored.net()});
  std::sort(at.points.begin(), at.points.end(),
            [](const Point& p, const Point& q) { return p.value < q.value; });
  const CutScan scan(at.present, at.missing, care.rules->direction_of(column));
  AxisFound best;
  int64_t prefix = 0;
  for (size_t i = 0; i + 1 < at.points.size(); ++i) {
    prefix += at.points[i].stake;
    if (at.points[i].value < at.points[i + 1].value)
      scan.consider(prefix, at.points[i].value, at.points[i + 1].value, best);
  }
  scan.consider_missing(best);
  return best;
}

}  // namespace tanoak
