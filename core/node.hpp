// One node's problem while a tree is optimized: rows that cost less on one side than on
// the other, a price for asking, and the split that is cheapest in all.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base.hpp"
#include "features.hpp"

namespace tanoak {

// The rows of a node that care which way they go. All losses are whole units, so sums
// are exact in any order; together they stay below 2^61.
struct CarePoints {
  const uint32_t* rows;  // ascend
  const int64_t* stake;  // loss on the right less loss on the left; never 0
  int64_t n;
};

enum class SplitKind : uint8_t {
  all_left,
  all_right,
  axis,    // one number against a threshold
  subset,  // some categories of one column
  sum,     // weighted features against a threshold
};

struct NodeSplit {
  SplitKind kind = SplitKind::all_right;
  bool missing_left = false;          // a sum: where it is no number
  bool swapped = false;               // axis: what is above goes left
  int32_t column = -1;                // axis, subset
  double threshold = 0;               // axis, sum: left if not above it
  std::vector<uint64_t> left_levels;  // subset: a bit for each category
  std::vector<Term> terms;            // sum: ascend by feature, two or more

  bool is_constant() const {
    return kind == SplitKind::all_left || kind == SplitKind::all_right;
  }
  size_t n_terms() const {
    if (is_constant()) return 0;
    return kind == SplitKind::sum ? terms.size() : 1;
  }
};

// What a node may ask, and the price of asking in units of loss.
struct NodeRules {
  int64_t axis_price = 0;              // of a split on one column
  int64_t pair_price = 0;              // of a split on two features
  int64_t term_price = 0;              // of each feature of a split on more
  std::vector<int64_t> column_price;   // besides, by column; empty: none
  std::vector<uint8_t> column_closed;  // by column; empty: all may be asked
  // By column; above zero: larger values go right, below: left, 0: either. Empty:
  // either.
  std::vector<int8_t> direction;

  bool open(int32_t column) const {
    return column_closed.empty() || column_closed[static_cast<size_t>(column)] == 0;
  }
  int64_t price_of(int32_t column) const {
    return column_price.empty() ? 0 : column_price[static_cast<size_t>(column)];
  }
  int direction_of(int32_t column) const {
    return direction.empty() ? 0 : direction[static_cast<size_t>(column)];
  }
};

// What a split costs by these rules; a column is paid once.
inline int64_t price_of(const NodeRules& rules, const Features& features,
                        const NodeSplit& split) {
  if (split.is_constant()) return 0;
  if (split.kind != SplitKind::sum)
    return rules.axis_price + rules.price_of(split.column);
  const auto n_terms = static_cast<int64_t>(split.terms.size());
  int64_t price = n_terms == 1   ? rules.axis_price
                  : n_terms == 2 ? rules.pair_price
                                 : n_terms * rules.term_price;
  int32_t last = -1;
  for (const Term& term : split.terms) {
    const int32_t column = features.info(term.feature).column;
    if (column != last) price += rules.price_of(column);
    last = column;
  }
  return price;
}

// Whether a split asks only what is open, in the direction that is wanted.
inline bool obeys(const NodeRules& rules, const Features& features,
                  const NodeSplit& split) {
  if (split.is_constant()) return true;
  if (split.kind != SplitKind::sum) {
    const int wanted = rules.direction_of(split.column);
    const bool is_axis = split.kind == SplitKind::axis;
    return rules.open(split.column) &&
           (!is_axis || wanted == 0 || split.swapped == (wanted < 0));
  }
  return std::all_of(split.terms.begin(), split.terms.end(), [&](const Term& term) {
    const FeatureInfo at = features.info(term.feature);
    const int wanted = at.level < 0 ? rules.direction_of(at.column) : 0;
    return rules.open(at.column) && term.weight * wanted >= 0;
  });
}

// A split with what it costs on the care points, as routing would count it.
struct NodeChoice {
  NodeSplit split;
  int64_t loss = 0, price = 0;

  int64_t objective() const { return loss + price; }
  // Among equals the one that asks less; else the one that was there first.
  bool beats(const NodeChoice& other) const {
    if (objective() != other.objective()) return objective() < other.objective();
    return split.n_terms() < other.split.n_terms();
  }
};

// Which rows a split sends left, bit for bit as in `route.hpp`.
inline void mark_left(const Features& features, const NodeSplit& split,
                      const uint32_t* rows, int64_t n, uint8_t* left) {
  if (split.is_constant()) {
    std::fill(left, left + n, uint8_t{split.kind == SplitKind::all_left});
    return;
  }
  constexpr int64_t block = 4096;
  std::vector<double> values(static_cast<size_t>(std::min(n, block)));
  const bool is_sum = split.kind == SplitKind::sum;
  for (int64_t begin = 0; begin < n; begin += block) {
    const int64_t size = std::min(block, n - begin);
    if (is_sum)
      features.project(split.terms, rows + begin, size, values.data());
    else
      features.gather_raw(split.column, rows + begin, size, values.data());
    for (int64_t i = 0; i < size; ++i) {
      const double value = values[static_cast<size_t>(i)];
      bool is_left = (value <= split.threshold) != split.swapped;
      if (std::isnan(value)) {
        is_left = split.missing_left;
      } else if (split.kind == SplitKind::subset) {
        const auto level = static_cast<size_t>(value);
        is_left = (split.left_levels[level / 64] >> (level % 64) & 1) != 0;
      }
      left[begin + i] = is_left;
    }
  }
}

// What the care points lose on the wrong side of a split.
inline int64_t loss_of(const Features& features, const NodeSplit& split,
                       const CarePoints& care) {
  std::vector<uint8_t> left(static_cast<size_t>(care.n));
  mark_left(features, split, care.rows, care.n, left.data());
  int64_t loss = 0;
  for (int64_t i = 0; i < care.n; ++i)
    if (left[static_cast<size_t>(i)] != (care.stake[i] > 0))
      loss += std::abs(care.stake[i]);
  return loss;
}

// The cheaper of the two splits that ask nothing; left among equals.
inline NodeChoice best_constant(const CarePoints& care) {
  int64_t on_left = 0, on_right = 0;
  for (int64_t i = 0; i < care.n; ++i)
    (care.stake[i] > 0 ? on_right : on_left) += std::abs(care.stake[i]);
  NodeChoice choice;
  choice.split.kind = on_left <= on_right ? SplitKind::all_left : SplitKind::all_right;
  choice.loss = std::min(on_left, on_right);
  return choice;
}

}  // namespace tanoak
