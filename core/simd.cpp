#include "simd.hpp"

#include <algorithm>

#include "vectors.hpp"

namespace tanoak {

namespace {

// 1.0 where the lowest bit is set, else 0.0.
TANOAK_INLINE Four lowest_bit(const FourInts& records) {
  const FourInts one = reinterpret_bits(Four{1, 1, 1, 1});
  return reinterpret_bits(-(records & 1) & one);
}

// The decrease of Gini impurity of a cut is 2 D^2 / (m m_left m_right) with the cross
// product D = b_left * a_total - a_left * b_total, a and b the masses of the classes.
struct TwoClassScore {
  double mass_a, mass_b, total_a, total_b, total;

  explicit TwoClassScore(const TwoClassScan& scan)
      : mass_a(scan.mass[0]),
        mass_b(scan.mass[1]),
        total_a(mass_a * static_cast<double>(scan.total[0])),
        total_b(mass_b * static_cast<double>(scan.total[1])),
        total(total_a + total_b) {}

  // Numerator and denominator of D^2 / (m_left m_right).
  template <class Number>
  TANOAK_INLINE void parts(Number rows, Number rows_b, Number& above,
                           Number& below) const {
    const Number b = mass_b * rows_b;
    const Number a = mass_a * (rows - rows_b);
    const Number left = a + b;
    const Number cross = b * total_a - a * total_b;
    above = cross * cross;
    below = left * (total - left);
  }
};

// The area under the ROC curve of a cut is 1/2 + |D| / (2 a b), a and b the totals, and
// D the cross product after mass was added to each class on each side.
struct AreaScore {
  double mass_a, mass_b, more_a, more_b, offset;

  explicit AreaScore(const TwoClassScan& scan)
      : mass_a(scan.mass[0]), mass_b(scan.mass[1]) {
    const double total_a = mass_a * static_cast<double>(scan.total[0]);
    const double total_b = mass_b * static_cast<double>(scan.total[1]);
    more_a = total_a + 2 * scan.added[0];
    more_b = total_b + 2 * scan.added[1];
    offset = scan.added[1] * total_a - scan.added[0] * total_b;
  }

  template <class Number>
  TANOAK_INLINE void parts(Number rows, Number rows_b, Number& above,
                           Number& below) const {
    const Number b = mass_b * rows_b;
    const Number a = mass_a * (rows - rows_b);
    const Number cross = b * more_a - a * more_b + offset;
    above = cross < 0 ? -cross : cross;
    below = Number{} + 1.0;
  }
};

constexpr int64_t block = 128;

// Most cuts are worse than the best one known, which takes no division to see; a block
// is looked at closely only if one of its cuts may be better.
template <class Score>
TANOAK_INLINE TwoClassCut best_cut(const uint64_t* records, int64_t begin, int64_t end,
                                   const TwoClassScan& scan, double floor) {
  const Score score(scan);
  constexpr double slack = 1 - 1e-9;  // the test without division rounds differently
  double beaten = floor * slack;
  TwoClassCut best;
  best.score = floor;
  double ones_before = static_cast<double>(scan.left[1]);
  for (int64_t i = 0; i < begin; ++i)
    ones_before += static_cast<double>(records[i] & 1);
  for (int64_t at = begin; at < end; at += block) {
    const int64_t size = std::min(block, end - at);
    const uint64_t* part = records + at;
    const auto rows_base = static_cast<double>(scan.left[0] + scan.left[1] + at + 1);
    FourInts promising = {0, 0, 0, 0};
    Four rows = rows_base + Four{0, 1, 2, 3};
    double ones = ones_before;
    int64_t i = 0;
    for (; i + 4 <= size; i += 4, rows += 4.0) {
      const auto four = load<FourInts>(part + i);
      Four ones_here = lowest_bit(four);
      ones_here += up_one(ones_here);
      ones_here += up_two(ones_here);
      Four above, below;
      score.parts(rows, ones + ones_here, above, below);
      const FourInts same = (four ^ load<FourInts>(part + i + 1)) >> 32;
      promising |= (above > beaten * below) & ~(same == 0);
      ones += ones_here[3];
    }
    const bool look = any(promising);
    if (look) {
      i = 0;
      ones = ones_before;
    }
    for (; i < size; ++i) {
      ones += static_cast<double>(part[i] & 1);
      if ((part[i] ^ part[i + 1]) >> 32 == 0) continue;
      double above, below;
      score.parts(rows_base + static_cast<double>(i), ones, above, below);
      const double value = above / below;
      if (value > best.score) best = {value, at + i};
    }
    beaten = best.score * slack;
    ones_before = ones;
  }
  return best;
}

}  // namespace

TANOAK_CLONES
TwoClassCut best_two_class_cut(const uint64_t* records, int64_t begin, int64_t end,
                               const TwoClassScan& scan, double floor) {
  return scan.rule == TwoClassRule::area
             ? best_cut<AreaScore>(records, begin, end, scan, floor)
             : best_cut<TwoClassScore>(records, begin, end, scan, floor);
}

int64_t partition_records(uint64_t* records, int64_t n, const uint8_t* side,
                          unsigned shift, uint64_t* scratch) {
  uint64_t* left = records;
  uint64_t* right = scratch;
  for (int64_t i = 0; i < n; ++i) {
    // Both places are written and one of them kept: no branch to mispredict.
    const uint64_t record = records[i];
    const uint8_t is_left = side[static_cast<uint32_t>(record) >> shift];
    *left = record;
    *right = record;
    left += is_left;
    right += 1 - is_left;
  }
  const int64_t n_left = left - records;
  std::copy(scratch, right, left);
  return n_left;
}

}  // namespace tanoak
