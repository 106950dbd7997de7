// The inner loops worth compiling twice, once for newer processors. All of them work
// on each element alone and in double, so every build gives the same bits.
#pragma once

#include <cstdint>

namespace tanoak {

struct TwoClassCut {
  double score = -1;
  int64_t position = -1;  // the last record that goes left
};

enum class TwoClassRule { gini, area };

// What stands left of the first record, and what there is in all, by class.
struct TwoClassScan {
  TwoClassRule rule = TwoClassRule::gini;
  int64_t left[2] = {0, 0};
  int64_t total[2] = {0, 0};
  double mass[2] = {1, 1};   // of one row of each class
  double added[2] = {0, 0};  // area: mass added to each class on each side
};

// The best cut after one of records[begin..end), where the value changes, if it is
// better than `floor`. Records carry the class in their lowest bit; records[end]
// exists.
TwoClassCut best_two_class_cut(const uint64_t* records, int64_t begin, int64_t end,
                               const TwoClassScan& scan, double floor);

// Stable partition by side[id >> shift]: 1 stays left, 0 goes behind. `scratch` holds
// n words. Returns how many went left.
int64_t partition_records(uint64_t* records, int64_t n, const uint8_t* side,
                          unsigned shift, uint64_t* scratch);

// --- routing ---

// The fixed order in which the eight partial sums of a projection are added.
inline double add_lanes(const double* lanes) {
  return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) +
         ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

}  // namespace tanoak
