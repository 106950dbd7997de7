#include "descend.hpp"

#include <algorithm>

#include "vectors.hpp"

namespace tanoak {

// --- one column a node ---

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
    if (!any(moved)) break;
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

// --- two columns a node ---

namespace {

template <class T>
TANOAK_INLINE double value_at(const T* row, int64_t column_stride, const PairNode& node,
                              int k) {
  const auto x = static_cast<double>(row[node.column[k] * column_stride]);
  return x == x ? x : node.fill[k];
}

// With two terms each order of adding up the lanes gives the same sum.
template <class T>
TANOAK_INLINE void descend_two(const PairNode* nodes, int32_t depth, const T* rows,
                               int64_t row_stride, int64_t column_stride,
                               int32_t* leaves) {
  int32_t at[8] = {};
  int32_t strange[8] = {};  // -1 once a projection was not a number
  constexpr int32_t between_checks = 8;
  for (int32_t level = 0; level < depth;) {
    const int32_t stop = std::min(depth, level + between_checks);
    int32_t moved = 0;
    for (; level < stop; ++level) {
      moved = 0;
      for (int i = 0; i < 8; ++i) {
        const PairNode& node = nodes[at[i]];
        const T* row = rows + i * row_stride;
        const double first = node.weight[0] * value_at(row, column_stride, node, 0);
        const double second = node.weight[1] * value_at(row, column_stride, node, 1);
        const double projection = first + second;
        const int32_t left = -static_cast<int32_t>(projection <= node.threshold);
        const int32_t next = (left & (at[i] + 1)) | (~left & node.right);
        strange[i] |= -static_cast<int32_t>(projection != projection);
        moved |= next ^ at[i];
        at[i] = next;
      }
    }
    if (moved == 0) break;
  }
  for (int i = 0; i < 8; ++i) leaves[i] = at[i] | strange[i];
}

}  // namespace

TANOAK_CLONES
void descend_pair(const PairNode* nodes, int32_t depth, const float* rows,
                  int64_t row_stride, int64_t column_stride, int32_t* leaves) {
  descend_two(nodes, depth, rows, row_stride, column_stride, leaves);
}

TANOAK_CLONES
void descend_pair(const PairNode* nodes, int32_t depth, const double* rows,
                  int64_t row_stride, int64_t column_stride, int32_t* leaves) {
  descend_two(nodes, depth, rows, row_stride, column_stride, leaves);
}

// --- many columns a node ---

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
        low += load<Four>(w + c) * load<Four>(x + c);
        high += load<Four>(w + c + 4) * load<Four>(x + c + 4);
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

// --- in single precision ---

namespace {

TANOAK_INLINE Eight load_all(const float* from) { return load<Eight>(from); }
TANOAK_INLINE Eight load_all(const double* from) {
  using FourFloats = float __attribute__((vector_size(16)));
  const FourFloats halves[2] = {
      __builtin_convertvector(load<Four>(from), FourFloats),
      __builtin_convertvector(load<Four>(from + 4), FourFloats)};
  return load<Eight>(halves);
}

// Up to eight values, zeros behind them.
template <class T>
TANOAK_INLINE Eight load_some(const T* from, int64_t n, int64_t stride) {
  Eight values = {};
  for (int64_t i = 0; i < n; ++i) values[i] = static_cast<float>(from[i * stride]);
  return values;
}

// One vector of one row.
TANOAK_INLINE void write_slots(Eight x, const float* fill, float* tile,
                               float* largest) {
  const EightInts known = x == x;
  store(known ? x : load<Eight>(fill), tile);
  // Numbers above zero are in the same order as their bits.
  const EightInts size = (EightInts)absolute(x) & known;
  const auto most = load<EightInts>(largest);
  store(size > most ? size : most, largest);
}

template <class T>
TANOAK_INLINE void write_eight(const T* rows, const TileShape& shape, const float* fill,
                               float* tile, float* largest) {
  const int64_t width = shape.width(), n_columns = shape.n_columns;
  const int64_t stride = shape.column_stride;
  const bool in_vectors = stride == 1 && n_columns >= 8;
  for (int64_t i = 0; i < 8; ++i) {
    const T* row = rows + i * shape.row_stride;
    float* into = tile + i * 8;
    if (in_vectors) {
      for (int64_t slot = 0; slot < width - 8; slot += 8)
        write_slots(load_all(row + slot), fill + slot, into + slot * 8, largest + slot);
      write_slots(load_all(row + n_columns - 8), fill + width - 8,
                  into + (width - 8) * 8, largest + width - 8);
    } else {
      for (int64_t slot = 0; slot < width; slot += 8)
        write_slots(load_some(row + shape.first_column(slot) * stride,
                              std::min<int64_t>(n_columns, 8), stride),
                    fill + slot, into + slot * 8, largest + slot);
    }
  }
}

}  // namespace

TANOAK_CLONES
void write_tile(const float* rows, const TileShape& shape, const float* fill,
                float* tile, float* largest) {
  write_eight(rows, shape, fill, tile, largest);
}

TANOAK_CLONES
void write_tile(const double* rows, const TileShape& shape, const float* fill,
                float* tile, float* largest) {
  write_eight(rows, shape, fill, tile, largest);
}

TANOAK_CLONES
float multiply(const float* a, const float* b, int64_t width) {
  Eight sum = {};
  for (int64_t c = 0; c < width; c += 8) sum += load<Eight>(a + c) * load<Eight>(b + c);
  return ((sum[0] + sum[4]) + (sum[2] + sum[6])) +
         ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

TANOAK_CLONES
void descend_tile(const GuessNode* nodes, const float* weights, int64_t width,
                  int32_t depth, const float* tile, int32_t* leaves) {
  EightInts at = {}, undecided = {};
  for (int32_t level = 0; level < depth; ++level) {
    const float* from[8];
    for (int i = 0; i < 8; ++i) from[i] = weights + at[i] * width;
    Eight sums[8] = {};
    for (int64_t c = 0; c < width; c += 8)
      for (int i = 0; i < 8; ++i)
        sums[i] += load<Eight>(from[i] + c) * load<Eight>(tile + c * 8 + i * 8);
    Eight threshold, error;
    EightInts right;
    for (int i = 0; i < 8; ++i) {
      const GuessNode& node = nodes[at[i]];
      threshold[i] = node.threshold;
      error[i] = node.error;
      right[i] = node.right;
    }
    const Eight above = add_each(sums) - threshold;
    undecided |= ~(absolute(above) > error);
    const EightInts next = above < 0.0f ? at + 1 : right;
    const bool arrived = level % 8 == 7 && !any(next ^ at);
    at = next;
    if (arrived) break;
  }
  store(at | undecided, leaves);
}

}  // namespace tanoak
