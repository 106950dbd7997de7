// The inner loops worth compiling twice, once for newer processors. All of them work
// on each element alone and in double, so every build gives the same bits.
#pragma once

#include <cstdint>
#include <limits>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__) &&        \
    !defined(__SANITIZE_THREAD__)
#define TANOAK_CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
// Where a loop has enough to do for the widest vectors too.
#define TANOAK_WIDE_CLONES \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define TANOAK_CLONES
#define TANOAK_WIDE_CLONES
#endif

// Part of each build of its caller, not a function with a build of its own.
#if defined(__GNUC__)
#define TANOAK_INLINE __attribute__((always_inline)) inline
#else
#define TANOAK_INLINE inline
#endif

// Vectors never cross a call that is not inlined.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace tanoak {

struct TwoClassCut {
  double score = -1;
  int64_t position = -1;  // the last record that goes left
};

// What stands left of the first record, and what there is in all, by class.
struct TwoClassScan {
  int64_t left[2] = {0, 0};
  int64_t total[2] = {0, 0};
  double mass[2] = {1, 1};  // of one row of each class
};

// The best Gini cut after one of records[begin..end), where the value changes, if it is
// better than `floor`. Records carry the class in their lowest bit; records[end]
// exists.
TwoClassCut best_two_class_cut(const uint64_t* records, int64_t begin, int64_t end,
                               const TwoClassScan& scan, double floor);

// Stable partition by side[id >> shift]: 1 stays left, 0 goes behind. `scratch` holds
// n words. Returns how many went left.
int64_t partition_records(uint64_t* records, int64_t n, const uint8_t* side,
                          unsigned shift, uint64_t* scratch);

// --- routing ---

// A node of a tree that compares one number at each: 16 bytes, the left child is the
// next node. The sign bit of the column says where missing values go.
struct AxisNode {
  double threshold;
  uint32_t column;
  int32_t right;

  static constexpr uint32_t missing_left_bit = 0x80000000u;

  static AxisNode inner(double threshold, int32_t column, bool missing_left,
                        int32_t right) {
    return {threshold,
            static_cast<uint32_t>(column) | (missing_left ? missing_left_bit : 0u),
            right};
  }
  // Nothing is below -infinity, so a row that has arrived stays.
  static AxisNode leaf(int32_t node) {
    return {-std::numeric_limits<double>::infinity(), 0, node};
  }
};

struct LinearNode {
  double threshold;
  int32_t right;
};

// The fixed order in which the eight partial sums of a projection are added.
inline double add_lanes(const double* lanes) {
  return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) +
         ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

// Leaves of 16 rows; strides count values.
void descend_axis(const AxisNode* nodes, int32_t depth, const float* rows,
                  int64_t row_stride, int64_t column_stride, int32_t* leaves);
void descend_axis(const AxisNode* nodes, int32_t depth, const double* rows,
                  int64_t row_stride, int64_t column_stride, int32_t* leaves);

// Leaves of up to 8 rows of `width` values each, a multiple of 8; -1 for a row whose
// projection is not a number somewhere.
void descend_linear(const LinearNode* nodes, const double* weights, int64_t width,
                    int32_t depth, const double* rows, int64_t n_rows, int32_t* leaves);

}  // namespace tanoak
