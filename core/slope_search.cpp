#include "slope_search.hpp"

#include <algorithm>
#include <cmath>

namespace tanoak {
namespace {

// Slopes that cut a quarter of a turn into like angles, nearly. Among them are 0, 1 and
// -1, where rows and diagonals of points cross; others meet no points of a lattice.
double strip_slope(int64_t i, int64_t n) {
  if (i % n == 0 || 2 * i == n) return static_cast<double>(2 * i / n - 1);
  const double steps = static_cast<double>(2 * i - n) / static_cast<double>(n);
  const double u = steps + 1.317e-5;
  return u * (0.785398 + 0.214602 * u * u);
}

}  // namespace

// --- what was found ---

void SlopeSearch::give_up(int64_t bound, bool narrow) {
  open_ = std::min(open_, bound);
  (narrow ? answer_.narrow : answer_.given_up) = true;
}

// Takes a line if it keeps its promise when every point is looked at.
void SlopeSearch::offer(double slope, double threshold, int64_t loss) {
  PlaneLine line{exchanged_, flipped_, slope, threshold, 0};
  line.loss = loss_of(points_, line);
  lookers(points_.n());
  if (line.loss > loss) give_up(loss, true);
  if (line.loss > limit_) return;
  answer_.found = true;
  answer_.line = line;
  limit_ = line.loss - 1;
}

// --- all points, some slopes ---

SlopeAnswer SlopeSearch::run() {
  if (points_.conflict <= cutoff()) {
    std::vector<Strip> strips;
    for (const bool exchanged : {false, true}) bound_strips(exchanged, strips);
    std::stable_sort(strips.begin(), strips.end(), [](const Strip& a, const Strip& b) {
      return a.part.bound < b.part.bound;
    });
    for (const Strip& strip : strips)
      if (strip.part.bound <= cutoff()) open(strip);
  }
  answer_.looks = looks_;
  const int64_t least = answer_.found ? answer_.line.loss : limit_ + 1;
  answer_.bound = std::min({least, open_, cutoff() + 1});
  return answer_;
}

void SlopeSearch::bound_strips(bool exchanged, std::vector<Strip>& strips) {
  const double* x = (exchanged ? points_.y : points_.x).data();
  const double* y = (exchanged ? points_.x : points_.y).data();
  exchanged_ = exchanged;
  int64_t n_bins = 64;
  while (n_bins < points_.n() && n_bins < most_bins) n_bins *= 2;
  strip_bins_ = Bins(-3, 3, n_bins);
  const int64_t n_strips = points_.n() <= 64 ? 4 : points_.n() <= 256 ? 8 : 16;
  for (int64_t i = 0; i < n_strips; ++i) {
    const double from = strip_slope(i, n_strips), to = strip_slope(i + 1, n_strips);
    Part parts[2];
    bound_strip(x, y, from, to, parts);
    if (to != 0) try_slope(x, y, to);
    for (const bool flipped : {false, true})
      strips.push_back({parts[flipped], exchanged, flipped});
  }
}

// Both ways round at once. The outermost bins have no outer edge.
void SlopeSearch::bound_strip(const double* x, const double* y, double from, double to,
                              Part* parts) {
  const Bins& bins = strip_bins_;
  const int64_t n = points_.n();
  auto& plain = s_.sums[0];
  auto& turned = s_.sums[1];
  plain.assign(static_cast<size_t>(bins.n + 2), 0);
  turned.assign(static_cast<size_t>(bins.n + 2), 0);
  s_.key[0].resize(static_cast<size_t>(n));
  s_.key[1].resize(static_cast<size_t>(n));
  int32_t *lower = s_.key[0].data(), *upper = s_.key[1].data();
  const auto last = static_cast<int32_t>(bins.n);
  for (int64_t i = 0; i < n; ++i) {
    const double a = y[i] - from * x[i], b = y[i] - to * x[i];
    const int32_t low = bins.of(a < b ? a : b), high = bins.of(a < b ? b : a);
    lower[i] = low < 1 ? 1 : low > last ? last : low;
    upper[i] = (high < 1 ? 1 : high > last ? last : high) + 1;
  }
  const int64_t* weight = points_.weight.data();
  for (int64_t i = 0; i < points_.n_left; ++i) {
    plain[static_cast<size_t>(lower[i])] += weight[i];
    turned[static_cast<size_t>(upper[i])] += weight[i];
  }
  for (int64_t i = points_.n_left; i < n; ++i) {
    plain[static_cast<size_t>(upper[i])] -= weight[i];
    turned[static_cast<size_t>(lower[i])] -= weight[i];
  }
  lookers(n);
  for (const bool flipped : {false, true}) {
    Part& part = parts[flipped];
    part = {from, to, std::numeric_limits<int64_t>::max(), bins.n + 1, 0};
    const int64_t start =
        points_.conflict + (flipped ? points_.right_total : points_.left_total);
    int64_t sum = 0;
    for (int64_t bin = 1; bin <= bins.n; ++bin) {
      const auto at = static_cast<size_t>(bin);
      sum += flipped ? -turned[at] : plain[at];
      const int64_t bound = start - sum;
      part.bound = std::min(part.bound, bound);
      if (bound > limit_) continue;
      part.first = std::min(part.first, bin);
      part.last = bin;
    }
  }
}

// Thresholds between the bins, both ways round.
void SlopeSearch::try_slope(const double* x, const double* y, double slope) {
  const Bins& bins = strip_bins_;
  auto& sums = s_.sums[2];
  sums.assign(static_cast<size_t>(bins.n + 2), 0);
  s_.key[2].resize(points_.x.size());
  int32_t* key = s_.key[2].data();
  for (int64_t i = 0; i < points_.n(); ++i) key[i] = bins.of(y[i] - slope * x[i]);
  const int64_t* weight = points_.weight.data();
  for (int64_t i = 0; i < points_.n_left; ++i)
    sums[static_cast<size_t>(key[i])] += weight[i];
  for (int64_t i = points_.n_left; i < points_.n(); ++i)
    sums[static_cast<size_t>(key[i])] -= weight[i];
  lookers(points_.n());
  for (const bool flipped : {false, true}) {
    const int64_t start =
        points_.conflict + (flipped ? points_.right_total : points_.left_total);
    int64_t sum = 0, best = start, best_bin = -1;
    for (int64_t bin = 0; bin <= bins.n; ++bin) {
      const int64_t here = sums[static_cast<size_t>(bin)];
      sum += flipped ? -here : here;
      if (start - sum < best) best = start - sum, best_bin = bin;
    }
    if (best > limit_ || best_bin < 0) continue;
    double below = -std::numeric_limits<double>::infinity(), above = -below;
    for (int64_t i = 0; i < points_.n(); ++i) {
      const double height = y[i] - slope * x[i];
      if (key[i] <= best_bin)
        below = std::max(below, height);
      else
        above = std::min(above, height);
    }
    flipped_ = flipped;
    offer(slope, below + (above - below) / 2, best);
  }
}

void SlopeSearch::open(const Strip& strip) {
  exchanged_ = strip.exchanged;
  flipped_ = strip.flipped;
  const auto size = static_cast<size_t>(points_.n());
  if (s_.x.size() < size)
    for (auto* column : {&s_.x, &s_.y}) column->resize(size);
  if (s_.weight.size() < size) s_.weight.resize(size);
  const auto& x = exchanged_ ? points_.y : points_.x;
  const auto& y = exchanged_ ? points_.x : points_.y;
  // Those that want to lie below first.
  int64_t at = 0;
  for (const bool left : {!flipped_, flipped_}) {
    const int64_t begin = left ? 0 : points_.n_left;
    const int64_t end = left ? points_.n_left : points_.n();
    std::copy(x.begin() + begin, x.begin() + end, s_.x.begin() + at);
    std::copy(y.begin() + begin, y.begin() + end, s_.y.begin() + at);
    std::copy(points_.weight.begin() + begin, points_.weight.begin() + end,
              s_.weight.begin() + at);
    at += end - begin;
  }
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const int64_t n_below = flipped_ ? points_.n() - points_.n_left : points_.n_left;
  const Cell all{0,
                 n_below,
                 points_.n(),
                 strip.part.bound,
                 points_.conflict,
                 strip.part.from,
                 strip.part.to,
                 -infinite,
                 infinite,
                 -infinite,
                 infinite};
  descend(all, strip.part, strip_bins_, true);
}

// --- halving ---

// The cell of a part: its points, without those whose side is settled.
void SlopeSearch::descend(const Cell& cell, const Part& part, const Bins& bins,
                          bool whole) {
  const int64_t begin = cell.begin + cell.n;
  const auto size = static_cast<size_t>(begin + cell.n);
  if (s_.x.size() < size) {
    s_.x.resize(size * 2), s_.y.resize(size * 2);
    s_.weight.resize(size * 2);
  }
  const double *x = s_.x.data(), *y = s_.y.data();
  Cell below{begin,        0, 0, part.bound, cell.base, part.from, part.to, cell.floor,
             cell.ceiling, 0, 0};
  const bool open_below = whole && part.first == 1;
  const bool open_above = whole && part.last == bins.n;
  // A little outside, for the rounding of edges.
  const double slack = 1e-6 / (bins.per_unit > 0 ? bins.per_unit : 1);
  if (!open_below && bins.per_unit > 0)
    below.floor = std::max(below.floor, bins.edge(part.first) - slack);
  if (!open_above && bins.per_unit > 0)
    below.ceiling = std::min(below.ceiling, bins.edge(part.last + 1) + slack);
  double low = std::numeric_limits<double>::infinity(), high = -low;
  int64_t at = begin;
  for (int64_t i = cell.begin; i < cell.begin + cell.n; ++i) {
    const auto from = static_cast<size_t>(i);
    const double a = y[from] - part.from * x[from], b = y[from] - part.to * x[from];
    const double least = a < b ? a : b, most = a < b ? b : a;
    const bool wants_below = i < cell.begin + cell.n_below;
    const bool is_below = most<below.floor, is_above = least> below.ceiling;
    if (is_below || is_above) {
      below.base += is_below == wants_below ? 0 : s_.weight[from];
      continue;
    }
    const auto to = static_cast<size_t>(at);
    s_.x[to] = x[from], s_.y[to] = y[from], s_.weight[to] = s_.weight[from];
    low = std::min(low, least), high = std::max(high, most);
    below.n_below += wants_below;
    ++at;
  }
  lookers(cell.n);
  below.n = at - begin;
  below.low = std::max(low, below.floor);
  below.high = std::min(high, below.ceiling);
  if (below.n > 0) {
    if (below.n <= few)
      sweep(below);
    else
      expand(below, cell.n);
  } else if (below.base <= limit_) {
    const double floor = std::max(below.floor, -1e300);
    offer(part.from + (part.to - part.from) / 2,
          floor + (std::min(below.ceiling, 1e300) - floor) / 2, below.base);
  }
}

void SlopeSearch::expand(const Cell& cell, int64_t n_before) {
  if (rules_.effort > 0 && looks_ > rules_.effort * points_.n())
    return give_up(cell.bound, false);
  if (cell.to - cell.from < least_width) {
    if (cell.n <= many) return sweep(cell);
    return give_up(cell.bound, true);
  }
  // Rows of points hold together at slope 0, however near to it we look.
  if (cell.n * 4 > n_before * 3 && settle_order(cell)) return;
  // Off the middle, so as not to meet the slopes of a lattice.
  const double middle = cell.from + (cell.to - cell.from) * 0.48713;
  int64_t n_bins = 32;
  while (n_bins < cell.n && n_bins < most_bins) n_bins *= 2;
  const Bins bins(cell.low, cell.high, n_bins);
  fill_keys(cell, middle, bins);
  try_middle(cell, middle, bins);
  Part halves[2] = {bound_half(cell, 0, bins), bound_half(cell, 1, bins)};
  halves[0].from = cell.from, halves[0].to = middle;
  halves[1].from = middle, halves[1].to = cell.to;
  if (halves[1].bound < halves[0].bound) std::swap(halves[0], halves[1]);
  for (const Part& half : halves)
    if (half.bound <= cutoff()) descend(cell, half, bins, false);
}

// Bins of the height each point likes best in each half, and of that in the middle.
void SlopeSearch::fill_keys(const Cell& cell, double middle, const Bins& bins) {
  const double* x = s_.x.data() + cell.begin;
  const double* y = s_.y.data() + cell.begin;
  int32_t* keys[3];
  for (int i = 0; i < 3; ++i) {
    if (s_.key[i].size() < static_cast<size_t>(cell.n))
      s_.key[i].resize(static_cast<size_t>(cell.n));
    keys[i] = s_.key[i].data();
  }
  for (int64_t i = 0; i < cell.n_below; ++i) {
    const double a = y[i] - cell.from * x[i], b = y[i] - cell.to * x[i];
    const double m = y[i] - middle * x[i];
    keys[0][i] = bins.of(a < m ? a : m);
    keys[1][i] = bins.of(b < m ? b : m);
    keys[2][i] = bins.of(m);
  }
  for (int64_t i = cell.n_below; i < cell.n; ++i) {
    const double a = y[i] - cell.from * x[i], b = y[i] - cell.to * x[i];
    const double m = y[i] - middle * x[i];
    keys[0][i] = bins.of(a > m ? a : m) + 1;
    keys[1][i] = bins.of(b > m ? b : m) + 1;
    keys[2][i] = bins.of(m);
  }
  const int64_t* weight = s_.weight.data() + cell.begin;
  for (int i = 0; i < 3; ++i) {
    auto& sums = s_.sums[i];
    sums.assign(static_cast<size_t>(bins.n + 3), 0);
    const int32_t* key = keys[i];
    for (int64_t at = 0; at < cell.n_below; ++at)
      sums[static_cast<size_t>(key[at])] += weight[at];
    for (int64_t at = cell.n_below; at < cell.n; ++at)
      sums[static_cast<size_t>(key[at])] -= weight[at];
  }
  lookers(cell.n);
}

void SlopeSearch::try_middle(const Cell& cell, double middle, const Bins& bins) {
  const int64_t* weight = s_.weight.data() + cell.begin;
  int64_t start = cell.base;
  for (int64_t i = 0; i < cell.n_below; ++i) start += weight[i];
  int64_t sum = 0, best = start, best_bin = -1;
  for (int64_t bin = 0; bin <= bins.n; ++bin) {
    sum += s_.sums[2][static_cast<size_t>(bin)];
    if (start - sum < best) best = start - sum, best_bin = bin;
  }
  if (best > limit_) return;
  const double* x = s_.x.data() + cell.begin;
  const double* y = s_.y.data() + cell.begin;
  double below = cell.floor, above = cell.ceiling;
  for (int64_t i = 0; i < cell.n; ++i) {
    const double height = y[i] - middle * x[i];
    if (s_.key[2][static_cast<size_t>(i)] <= best_bin)
      below = std::max(below, height);
    else
      above = std::min(above, height);
  }
  if (std::isinf(below)) below = above - 1;
  if (std::isinf(above)) above = below + 1;
  offer(middle, below + (above - below) / 2, best);
}

SlopeSearch::Part SlopeSearch::bound_half(const Cell& cell, int half,
                                          const Bins& bins) {
  const int64_t* weight = s_.weight.data() + cell.begin;
  int64_t start = cell.base;
  for (int64_t i = 0; i < cell.n_below; ++i) start += weight[i];
  Part part{0, 0, std::numeric_limits<int64_t>::max(), bins.n + 1, 0};
  const int64_t most = cutoff();
  int64_t sum = s_.sums[half][0];
  for (int64_t bin = 1; bin <= bins.n; ++bin) {
    sum += s_.sums[half][static_cast<size_t>(bin)];
    const int64_t bound = start - sum;
    part.bound = std::min(part.bound, bound);
    if (bound > most) continue;
    part.first = std::min(part.first, bin);
    part.last = bin;
  }
  return part;
}

}  // namespace tanoak
