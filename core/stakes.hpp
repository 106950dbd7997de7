// What a node's care points have at stake on one column: by threshold, by category and
// where the value is missing.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "frame.hpp"
#include "node.hpp"

namespace tanoak {

// What would be lost: `up` if these rows went right, `down` if they went left.
struct Stakes {
  int64_t up = 0, down = 0;

  void add(int64_t stake) {
    up += std::max<int64_t>(stake, 0);
    down += std::max<int64_t>(-stake, 0);
  }
  void add(const Stakes& other) {
    up += other.up;
    down += other.down;
  }
  void take_away(const Stakes& other) {
    up -= other.up;
    down -= other.down;
  }
  int64_t net() const { return up - down; }
  bool empty() const { return up == 0 && down == 0; }
};

// A cut of one column, the best so far: least loss, then the widest gap.
struct AxisFound {
  int64_t loss = std::numeric_limits<int64_t>::max();
  double low = 0, high = -1;  // the values on both sides; none yet
  bool swapped = false;

  bool any() const { return high > low; }
};

// Cuts of one column in order; `present` are the rows that have a value. A direction
// above zero wants larger values on the right, below zero on the left.
class CutScan {
 public:
  CutScan(const Stakes& present, const Stakes& missing, int direction)
      : present_(present),
        missing_(missing),
        upright_(direction >= 0),
        swapped_(direction <= 0) {}

  // With a prefix (net stakes of the rows on the low side) between these two.
  int64_t best_loss(int64_t highest, int64_t lowest) const {
    constexpr int64_t never = std::numeric_limits<int64_t>::max() / 4;
    const int64_t upright = upright_ ? present_.up - highest : never;
    return at_missing() + std::min(upright, swapped_ ? present_.down + lowest : never);
  }
  void consider(int64_t prefix, double low, double high, AxisFound& best) const {
    const int64_t missing = at_missing();
    take(missing + present_.up - prefix, low, high, false, best);
    take(missing + present_.down + prefix, low, high, true, best);
  }
  // All values on one side and missing ones on the other.
  void consider_missing(AxisFound& best) const {
    constexpr double top = std::numeric_limits<double>::max();
    constexpr double beyond = std::numeric_limits<double>::infinity();
    if (missing_.empty()) return;
    if (missing_left())
      take(missing_.down + present_.up, top, beyond, true, best);
    else
      take(missing_.up + present_.down, top, beyond, false, best);
  }
  bool missing_left() const { return missing_.net() > 0; }

 private:
  int64_t at_missing() const { return std::min(missing_.up, missing_.down); }
  void take(int64_t loss, double low, double high, bool swapped,
            AxisFound& best) const {
    if (!(swapped ? swapped_ : upright_) || loss > best.loss) return;
    if (loss == best.loss && !(high - low > best.high - best.low)) return;
    best = {loss, low, high, swapped};
  }

  Stakes present_, missing_;
  bool upright_, swapped_;
};

// --- categories ---

struct LevelStakes {
  std::vector<Stakes> levels;
  Stakes missing;

  void fill(const std::vector<double>& values, const CarePoints& care,
            int32_t n_levels) {
    levels.assign(static_cast<size_t>(n_levels), {});
    missing = {};
    for (int64_t i = 0; i < care.n; ++i) {
      const double value = values[static_cast<size_t>(i)];
      (std::isnan(value) ? missing : levels[static_cast<size_t>(value)])
          .add(care.stake[i]);
    }
  }
  // Each category goes to its cheaper side, and so do missing values.
  int64_t best_loss() const {
    int64_t loss = std::min(missing.up, missing.down);
    for (const Stakes& level : levels) loss += std::min(level.up, level.down);
    return loss;
  }
  // Categories with nothing at stake follow the side that has more; a constant if all
  // rows go one way.
  NodeSplit best_split(int32_t column) const {
    Stakes total = missing;
    for (const Stakes& level : levels) total.add(level);
    const bool idle_left = total.net() > 0;
    NodeSplit split;
    split.left_levels.assign((levels.size() + 63) / 64, 0);
    bool any_left = false, any_right = false;
    auto goes_left = [&](const Stakes& stakes) {
      const bool left = stakes.net() > 0 || (stakes.net() == 0 && idle_left);
      if (!stakes.empty()) (left ? any_left : any_right) = true;
      return left;
    };
    for (size_t level = 0; level < levels.size(); ++level)
      if (goes_left(levels[level]))
        split.left_levels[level / 64] |= uint64_t{1} << (level % 64);
    split.missing_left = goes_left(missing);
    if (!any_left || !any_right) return NodeSplit();
    split.kind = SplitKind::subset;
    split.column = column;
    return split;
  }
};

// --- missing values ---

// Which numeric columns hold missing values, looked up once for a whole training.
inline std::vector<uint8_t> find_missing(const Features& features, Workers& workers,
                                         const StopFlag& stop) {
  std::vector<uint8_t> missing(static_cast<size_t>(features.n_columns()), 0);
  std::vector<uint32_t> rows(static_cast<size_t>(features.n_rows()));
  for (size_t row = 0; row < rows.size(); ++row) rows[row] = static_cast<uint32_t>(row);
  workers.run(features.n_columns(), [&](int64_t column, int) {
    const auto at = static_cast<int32_t>(column);
    uint8_t& found = missing[static_cast<size_t>(column)];
    if (features.is_sparse()) {
      features.visit_raw(at, rows.data(), features.n_rows(), [&](int64_t, double x) {
        if (std::isnan(x)) found = 1;
      });
      return;
    }
    constexpr int64_t block = 4096;
    std::array<double, block> values;
    for (int64_t begin = 0; begin < features.n_rows() && !found; begin += block) {
      stop.check();
      const int64_t n = std::min(block, features.n_rows() - begin);
      features.gather_raw(at, rows.data() + begin, n, values.data());
      for (int64_t i = 0; i < n; ++i)
        found |= uint8_t{std::isnan(values[static_cast<size_t>(i)])};
    }
  });
  return missing;
}

}  // namespace tanoak
