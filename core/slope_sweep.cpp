// Cells of a search that are done with at once: points that keep their order, and few
// points.
#include <algorithm>
#include <cmath>

#include "slope_search.hpp"

namespace tanoak {

// --- no crossings ---

// If no two points change places between the slopes, every line cuts the same order.
bool SlopeSearch::settle_order(const Cell& cell) {
  auto& order = s_.order;
  order.clear();
  const double middle = cell.from + (cell.to - cell.from) / 2;
  for (int64_t i = cell.begin; i < cell.begin + cell.n; ++i) {
    const auto at = static_cast<size_t>(i);
    order.push_back({s_.y[at] - middle * s_.x[at], i});
  }
  lookers(4 * cell.n);
  std::sort(order.begin(), order.end());
  for (size_t i = 1; i < order.size(); ++i) {
    const auto a = static_cast<size_t>(order[i - 1].second);
    const auto b = static_cast<size_t>(order[i].second);
    for (const double slope : {cell.from, cell.to})
      if (s_.y[a] - slope * s_.x[a] > s_.y[b] - slope * s_.x[b]) return false;
  }
  int64_t loss = cell.base;
  for (int64_t i = cell.begin; i < cell.begin + cell.n_below; ++i)
    loss += s_.weight[static_cast<size_t>(i)];
  for (int64_t place = 0;; ++place) {
    const auto at = static_cast<size_t>(place);
    const bool tied =
        place > 0 && place < cell.n && order[at - 1].first == order[at].first;
    if (loss <= limit_ && !tied) settle_prefix(cell, place, loss);
    if (place == cell.n) return true;
    const int64_t point = order[at].second;
    const int64_t weight = s_.weight[static_cast<size_t>(point)];
    loss += point < cell.begin + cell.n_below ? -weight : weight;
  }
}

// Offers a line above the first points of the order, where there is one.
void SlopeSearch::settle_prefix(const Cell& cell, int64_t place, int64_t loss) {
  auto height = [&](int64_t at, double slope) {
    const auto point = static_cast<size_t>(s_.order[static_cast<size_t>(at)].second);
    return s_.y[point] - slope * s_.x[point];
  };
  auto lowest = [&](double slope) {
    return place > 0 ? std::max(cell.floor, height(place - 1, slope)) : cell.floor;
  };
  auto highest = [&](double slope) {
    return place < cell.n ? std::min(cell.ceiling, height(place, slope)) : cell.ceiling;
  };
  // The gap is concave in the slope.
  double from = cell.from, to = cell.to;
  for (int step = 0; step < 40; ++step) {
    const double a = from + (to - from) * 0.45, b = from + (to - from) * 0.55;
    if (highest(a) - lowest(a) < highest(b) - lowest(b))
      from = a;
    else
      to = b;
  }
  const double slope = from + (to - from) / 2;
  double below = lowest(slope), above = highest(slope);
  if (!(below < above)) return;
  if (std::isinf(below)) below = above - 1;
  if (std::isinf(above)) above = below + 1;
  offer(slope, below + (above - below) / 2, loss);
}

// --- few points: every line ---

// Turns a line around each point, and around the floor, through all the slopes.
void SlopeSearch::sweep(const Cell& cell) {
  for (int64_t pivot = 0; pivot < cell.n; ++pivot) {
    const auto at = static_cast<size_t>(cell.begin + pivot);
    sweep_around(cell, s_.x[at], s_.y[at], pivot);
  }
  if (!std::isinf(cell.floor)) sweep_around(cell, 0, cell.floor, -1);
}

void SlopeSearch::sweep_around(const Cell& cell, double x, double y, int64_t pivot) {
  // Slopes at which the point is a threshold that is still of interest.
  double from = cell.from, to = cell.to;
  auto clip = [&](double height, bool from_below) {
    // y - slope * x > height, or < height
    if (x == 0) {
      if ((y < height) == from_below && y != height) to = from;
      return;
    }
    const double slope = (y - height) / x;
    if ((x > 0) == from_below)
      to = std::min(to, slope);
    else
      from = std::max(from, slope);
  };
  if (pivot >= 0 && !std::isinf(cell.floor)) clip(cell.floor, true);
  if (pivot >= 0 && !std::isinf(cell.ceiling)) clip(cell.ceiling, false);
  if (!(from < to)) return;
  const double middle = from + (to - from) / 2;
  auto& crossings = s_.crossings;
  crossings.clear();
  int64_t loss = cell.base;
  for (int64_t i = 0; i < cell.n; ++i) {
    const auto at = static_cast<size_t>(cell.begin + i);
    const bool wants_below = i < cell.n_below;
    const double dx = s_.x[at] - x, dy = s_.y[at] - y;
    bool below = i == pivot;
    if (i != pivot) {
      const double slope = dx != 0 ? dy / dx : from;
      if (slope > from && slope < to) {
        below = dx < 0;
        const bool becomes_right = below != wants_below;
        const double size = std::fabs(s_.y[at]) + std::fabs(y) +
                            std::fabs(slope) * (std::fabs(s_.x[at]) + std::fabs(x));
        crossings.push_back({slope, size / std::fabs(dx) * rounding,
                             becomes_right ? -s_.weight[at] : s_.weight[at]});
      } else {
        below = dy - middle * dx <= 0;
      }
    }
    if (below != wants_below) loss += s_.weight[at];
  }
  lookers(cell.n);
  std::sort(crossings.begin(), crossings.end(), [](const auto& a, const auto& b) {
    return a.slope != b.slope ? a.slope < b.slope : a.change < b.change;
  });
  crossings.push_back({to, 0, 0});
  double best_slope = from, best_width = 0, blur = 0;
  int64_t best = limit_ + 1;
  for (const SlopeCrossing& crossing : crossings) {
    const double width = crossing.slope - from;
    if (width > least_window) {
      if (loss < best || (loss == best && best <= limit_ && width > best_width))
        best = loss, best_slope = from + width / 2, best_width = width;
    } else if (width > blur + crossing.blur && loss <= limit_) {
      give_up(loss, true);
    }
    loss += crossing.change;
    from = crossing.slope, blur = crossing.blur;
  }
  if (best > limit_) return;
  const double height = y - best_slope * x;
  double above = cell.ceiling;
  for (int64_t i = 0; i < cell.n; ++i) {
    const auto at = static_cast<size_t>(cell.begin + i);
    const double here = s_.y[at] - best_slope * s_.x[at];
    if (i != pivot && here > height) above = std::min(above, here);
  }
  offer(best_slope, std::isinf(above) ? height : height + (above - height) / 2, best);
}

}  // namespace tanoak
