#include "simd.hpp"

#include <algorithm>
#include <cstring>

namespace tanoak {

// Vectors of four, whatever the processor has: the compiler splits them where it must.
using Four = double __attribute__((vector_size(32)));
using FourInts = int64_t __attribute__((vector_size(32)));

namespace {

TANOAK_INLINE FourInts reinterpret_bits(Four x) { return (FourInts)x; }
TANOAK_INLINE Four reinterpret_bits(FourInts x) { return (Four)x; }

TANOAK_INLINE FourInts load(const uint64_t* from) {
  FourInts vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

TANOAK_INLINE Four load_doubles(const double* from) {
  Four vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

// The lanes moved up by one (by two), zeros coming in.
TANOAK_INLINE Four up_one(Four x) {
#if defined(__clang__)
  return __builtin_shufflevector(x, Four{}, 4, 0, 1, 2);
#else
  return __builtin_shuffle(x, Four{}, FourInts{4, 0, 1, 2});
#endif
}
TANOAK_INLINE Four up_two(Four x) {
#if defined(__clang__)
  return __builtin_shufflevector(x, Four{}, 4, 5, 0, 1);
#else
  return __builtin_shuffle(x, Four{}, FourInts{4, 5, 0, 1});
#endif
}

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

constexpr int64_t block = 128;

}  // namespace

// Most cuts are worse than the best one known, which takes no division to see; a block
// is looked at closely only if one of its cuts may be better.
TANOAK_CLONES
TwoClassCut best_two_class_cut(const uint64_t* records, int64_t begin, int64_t end,
                               const TwoClassScan& scan, double floor) {
  const TwoClassScore score(scan);
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
      const FourInts four = load(part + i);
      Four ones_here = lowest_bit(four);
      ones_here += up_one(ones_here);
      ones_here += up_two(ones_here);
      Four above, below;
      score.parts(rows, ones + ones_here, above, below);
      const FourInts same = (four ^ load(part + i + 1)) >> 32;
      promising |= (above > beaten * below) & ~(same == 0);
      ones += ones_here[3];
    }
    const bool look = (promising[0] | promising[1] | promising[2] | promising[3]) != 0;
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

namespace {

// Four rows one level down, without a branch to mispredict: `at` holds their nodes.
template <class T>
TANOAK_INLINE FourInts step_down(const AxisNode* nodes, FourInts at, const T* rows,
                                 int64_t row_stride, int64_t column_stride) {
  Four x, threshold;
  FourInts right, missing_left;
  for (int i = 0; i < 4; ++i) {
    const AxisNode& node = nodes[at[i]];
    const uint32_t column = node.column & ~AxisNode::missing_left_bit;
    x[i] = static_cast<double>(rows[i * row_stride + column * column_stride]);
    threshold[i] = node.threshold;
    right[i] = node.right;
    missing_left[i] = static_cast<int32_t>(node.column) >> 31;
  }
  const FourInts left = (x <= threshold) | ((x != x) & missing_left);
  return (left & (at + 1)) | (~left & right);
}

template <class T>
TANOAK_INLINE void descend(const AxisNode* nodes, int32_t depth, const T* rows,
                           int64_t row_stride, int64_t column_stride, int32_t* leaves) {
  constexpr int groups = 4;
  FourInts at[groups] = {};
  // Shallow leaves stay where they are; deep trees are left as soon as all arrived.
  constexpr int32_t between_checks = 8;
  for (int32_t level = 0; level < depth;) {
    const int32_t stop = std::min(depth, level + between_checks);
    FourInts moved = {};
    for (; level < stop; ++level) {
      moved = FourInts{};
      for (int g = 0; g < groups; ++g) {
        const FourInts next = step_down(nodes, at[g], rows + 4 * g * row_stride,
                                        row_stride, column_stride);
        moved |= next ^ at[g];
        at[g] = next;
      }
    }
    if ((moved[0] | moved[1] | moved[2] | moved[3]) == 0) break;
  }
  for (int i = 0; i < 4 * groups; ++i)
    leaves[i] = static_cast<int32_t>(at[i / 4][i % 4]);
}

}  // namespace

TANOAK_CLONES
void descend_axis(const AxisNode* nodes, int32_t depth, const float* rows,
                  int64_t row_stride, int64_t column_stride, int32_t* leaves) {
  descend(nodes, depth, rows, row_stride, column_stride, leaves);
}

TANOAK_CLONES
void descend_axis(const AxisNode* nodes, int32_t depth, const double* rows,
                  int64_t row_stride, int64_t column_stride, int32_t* leaves) {
  descend(nodes, depth, rows, row_stride, column_stride, leaves);
}

TANOAK_CLONES
void descend_linear(const LinearNode* nodes, const double* weights, int64_t width,
                    int32_t depth, const double* rows, int64_t n_rows,
                    int32_t* leaves) {
  int32_t at[8] = {};
  int32_t strange[8] = {};  // -1 once a projection was not a number
  for (int32_t level = 0; level < depth; ++level)
    for (int64_t i = 0; i < n_rows; ++i) {
      const double* w = weights + at[i] * width;
      const double* x = rows + i * width;
      Four low = {}, high = {};
      for (int64_t c = 0; c < width; c += 8) {
        low += load_doubles(w + c) * load_doubles(x + c);
        high += load_doubles(w + c + 4) * load_doubles(x + c + 4);
      }
      const Four sum = low + high;  // the order of add_lanes
      const double projection = (sum[0] + sum[2]) + (sum[1] + sum[3]);
      const LinearNode& node = nodes[at[i]];
      // Without a branch: which way a row goes cannot be predicted.
      const int32_t left = -static_cast<int32_t>(projection <= node.threshold);
      at[i] = (left & (at[i] + 1)) | (~left & node.right);
      strange[i] |= -static_cast<int32_t>(projection != projection);
    }
  for (int64_t i = 0; i < n_rows; ++i) leaves[i] = at[i] | strange[i];
}

}  // namespace tanoak
