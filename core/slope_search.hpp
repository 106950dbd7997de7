// The line that loses least among weighted points: branch and bound on its slope.
//
// With slopes between two values, a point lies between its heights at both. If each is
// given the height it would like best, no line does better than the best threshold
// among those heights: a bound. What cannot beat the best line known is left out; of
// the rest the slopes are halved, with the points that may still go either way.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "plane_line.hpp"

namespace tanoak {

struct SlopeRules {
  int64_t limit = 0;     // a line must not lose more
  double tolerance = 0;  // a line better by less than this part of the limit may escape
  int64_t effort = 0;    // times each point is looked at before giving up; 0: no end
};

struct SlopeAnswer {
  bool found = false;
  PlaneLine line;
  // No line loses less than this: below the line's loss only where the search gave up
  // or was told not to care.
  int64_t bound = 0;
  bool narrow = false;    // it gave up where slopes cannot be told apart...
  bool given_up = false;  // ...or elsewhere
  int64_t looks = 0;      // points looked at
};

// A point passed by a line that turns around another one.
struct SlopeCrossing {
  double slope, blur;  // the slope, and what rounding makes of it
  int64_t change;      // of the loss
};

struct SlopeScratch {
  std::vector<double> x, y;  // points of the cells being halved, one after another
  std::vector<int64_t> weight;
  std::vector<int32_t> key[3];
  std::vector<int64_t> sums[4];
  std::vector<SlopeCrossing> crossings;
  std::vector<std::pair<double, int64_t>> order;  // heights and points
};

class SlopeSearch {
 public:
  SlopeSearch(const PlanePoints& points, const SlopeRules& rules, SlopeScratch& scratch,
              const StopFlag& stop)
      : points_(points), rules_(rules), s_(scratch), stop_(stop), limit_(rules.limit) {}

  SlopeAnswer run();

 private:
  // Heights cut into bins: 1..n between two values, 0 and n + 1 outside.
  struct Bins {
    double low = 0, per_unit = 0;
    int64_t n = 0;

    Bins() = default;
    Bins(double from, double to, int64_t count)
        : low(from),
          per_unit(to > from ? static_cast<double>(count) / (to - from) : 0),
          n(count) {}
    int32_t of(double height) const {
      const double bin = (height - low) * per_unit + 1;
      const double top = static_cast<double>(n + 1);
      return static_cast<int32_t>(bin < 0 ? 0 : bin > top ? top : bin);
    }
    double edge(int64_t bin) const {  // below it
      return low + static_cast<double>(bin - 1) / per_unit;
    }
  };
  // Thresholds in the bins first..last may still beat the limit.
  struct Part {
    double from = 0, to = 0;  // slopes
    int64_t bound = 0, first = 1, last = 0;
  };
  struct Strip {
    Part part;
    bool exchanged, flipped;
  };
  // Points that may go either way, at `begin` in the scratch; those below come first.
  struct Cell {
    int64_t begin, n_below, n;
    int64_t bound;          // lost in any case
    int64_t base;           // lost by all others
    double from, to;        // slopes
    double floor, ceiling;  // thresholds
    double low, high;       // heights of its points
  };

  int64_t lookers(int64_t n_looks) {
    looks_ += n_looks;
    if (looks_ >= next_check_) {
      stop_.check();
      next_check_ = looks_ + (int64_t{1} << 16);
    }
    return looks_;
  }
  // Parts with a larger bound are left out.
  int64_t cutoff() const {
    return limit_ -
           static_cast<int64_t>(rules_.tolerance * static_cast<double>(limit_));
  }
  void bound_strips(bool exchanged, std::vector<Strip>& strips);
  void bound_strip(const double* x, const double* y, double from, double to,
                   Part* parts);
  void try_slope(const double* x, const double* y, double slope);
  void open(const Strip& strip);
  void descend(const Cell& cell, const Part& part, const Bins& bins, bool whole);
  void expand(const Cell& cell, int64_t n_before);
  bool settle_order(const Cell& cell);
  void settle_prefix(const Cell& cell, int64_t place, int64_t loss);
  void fill_keys(const Cell& cell, double middle, const Bins& bins);
  void try_middle(const Cell& cell, double middle, const Bins& bins);
  Part bound_half(const Cell& cell, int half, const Bins& bins);
  void sweep(const Cell& cell);
  void sweep_around(const Cell& cell, double x, double y, int64_t pivot);
  void offer(double slope, double threshold, int64_t loss);
  void give_up(int64_t bound, bool narrow);

  static constexpr int64_t most_bins = 512;
  static constexpr double least_width = 1e-7, least_window = 1e-12;
  static constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();
  static constexpr int64_t few = 12;    // points that are swept rather than halved
  static constexpr int64_t many = 400;  // too many to be swept

  const PlanePoints& points_;
  SlopeRules rules_;
  SlopeScratch& s_;
  const StopFlag& stop_;
  int64_t limit_;
  SlopeAnswer answer_;
  int64_t open_ = std::numeric_limits<int64_t>::max();
  int64_t looks_ = 0, next_check_ = 0;
  bool exchanged_ = false, flipped_ = false;
  Bins strip_bins_;
};

}  // namespace tanoak
