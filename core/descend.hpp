// The loops that take rows from node to node, several rows side by side to hide how
// long each step takes. A row that a loop cannot decide gets -1 and is left to others.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "simd.hpp"

namespace tanoak {

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

// A node that weighs two columns, or one of them 0. `fill` stands for a missing value.
struct PairNode {
  double threshold;
  double weight[2];
  double fill[2];
  int32_t column[2];
  int32_t right;

  static PairNode leaf(int32_t node) { return {-1, {0, 0}, {0, 0}, {0, 0}, node}; }
};

struct LinearNode {
  double threshold;
  int32_t right;
};

// Leaves of 16 rows; strides count values.
void descend_axis(const AxisNode* nodes, int32_t depth, const float* rows,
                  int64_t row_stride, int64_t column_stride, int32_t* leaves);
void descend_axis(const AxisNode* nodes, int32_t depth, const double* rows,
                  int64_t row_stride, int64_t column_stride, int32_t* leaves);

// Leaves of 8 rows; -1 where a projection is not a number.
void descend_pair(const PairNode* nodes, int32_t depth, const float* rows,
                  int64_t row_stride, int64_t column_stride, int32_t* leaves);
void descend_pair(const PairNode* nodes, int32_t depth, const double* rows,
                  int64_t row_stride, int64_t column_stride, int32_t* leaves);

// Leaves of up to 8 rows of `width` values each, a multiple of 8; -1 for a row whose
// projection is not a number somewhere.
void descend_linear(const LinearNode* nodes, const double* weights, int64_t width,
                    int32_t depth, const double* rows, int64_t n_rows, int32_t* leaves);

// --- in single precision; see guess.hpp ---

struct TileShape {
  int64_t row_stride, column_stride;  // of the rows it is written from
  int64_t n_columns;

  // Slots of a row, eight a vector. The last eight hold the last eight columns, so
  // that some columns may have two slots.
  int64_t width() const { return (n_columns + 7) / 8 * 8; }
  int64_t first_column(int64_t slot) const {
    return std::max<int64_t>(0, std::min(slot, n_columns - 8));
  }
  int64_t column(int64_t slot) const { return first_column(slot / 8 * 8) + slot % 8; }
};

// Eight rows side by side: eight slots of each row, then the next eight, ... What is
// missing becomes the fill of its slot. `largest` grows to the greatest absolute value
// of each slot, fills left out.
void write_tile(const float* rows, const TileShape& shape, const float* fill,
                float* tile, float* largest);
void write_tile(const double* rows, const TileShape& shape, const float* fill,
                float* tile, float* largest);

// The sum of the products of two rows.
float multiply(const float* a, const float* b, int64_t width);

struct GuessNode {
  float threshold;
  float error;  // a projection not farther from the threshold decides nothing
  int32_t right;
};

// Leaves of the rows of a tile: left where the projection is below the threshold. -1
// for a row that came to a projection that decides nothing.
void descend_tile(const GuessNode* nodes, const float* weights, int64_t width,
                  int32_t depth, const float* tile, int32_t* leaves);

}  // namespace tanoak
