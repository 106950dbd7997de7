// Leaves guessed in single precision, and which of the guesses are sure: a comparison
// of sums in single precision is believed only where it is farther from a tie than
// both roundings, of the guess and of the sum in double, can move it. So guesses never
// change a leaf; they cost half as much.
//
// A node compares s = sum w[c] x[c] with its threshold t, all of it scaled by a power
// of two that brings its largest weight to [1, 2). With u = 2^-24 and k additions in
// the longest chain,
//
//   |guess - (s - t)| <= (k + 4) u (|t| + sum |w x|) (1 + o(1)) + what underflow loses.
//
// Rounding w, x, t, their product and difference gives the 4. Of |x| a bound over many
// rows is known, `largest`. Rounding this bound and the sum in double adds a small part
// of that again; twice the bound covers all. Underflow loses at most 2^-126 of each
// product, or of w times largest.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "base.hpp"
#include "descend.hpp"
#include "table.hpp"
#include "vectors.hpp"

namespace tanoak {

// Floats that start with a cache line: vectors of them do not cross two.
class Lines {
 public:
  Lines() = default;
  Lines(Lines&&) = default;  // a copy would start elsewhere
  Lines& operator=(Lines&&) = default;
  void resize(int64_t n) { memory_.resize(static_cast<size_t>(n) + line); }
  float* data() { return memory_.data() + skipped(); }
  const float* data() const { return memory_.data() + skipped(); }

 private:
  static constexpr size_t line = 16;
  size_t skipped() const {
    const auto start = reinterpret_cast<uintptr_t>(memory_.data()) / sizeof(float);
    return (line - start % line) % line;
  }
  std::vector<float> memory_;
};

// What one worker writes rows to.
struct GuessRoom {
  Lines tile;
  std::vector<float> largest;
  std::vector<GuessNode> nodes;
};

class Guesser {
 public:
  Guesser() = default;
  // `weights` has `columns` weights a node; `fill` may be NaN, which leaves rows with a
  // missing value undecided.
  Guesser(const std::vector<LinearNode>& nodes, const std::vector<double>& weights,
          const std::vector<double>& fill, int32_t depth);

  // Rows at a time, so many that the bounds of all nodes cost less than one step.
  int64_t block() const { return block_; }
  // Fewer rows are not worth the bounds.
  bool worth(int64_t n_rows) const { return !nodes_.empty() && n_rows * 2 >= block_; }

  // Leaves of up to block() rows, -1 where the guess is not sure.
  template <class T>
  void apply(const DenseView<T>& table, int64_t begin, int64_t end, int32_t* leaves,
             GuessRoom& room) const;

 private:
  void bound_errors(GuessRoom& room) const;

  static constexpr int64_t largest_block = 4096;

  int64_t n_columns_ = 0, width_ = 0, block_ = 0;
  int32_t depth_ = 0;
  std::vector<GuessNode> nodes_;  // without errors
  Lines weights_;
  std::vector<float> sizes_, fill_, fill_size_;
};

inline Guesser::Guesser(const std::vector<LinearNode>& nodes,
                        const std::vector<double>& weights,
                        const std::vector<double>& fill, int32_t depth)
    : n_columns_(static_cast<int64_t>(fill.size())), depth_(depth) {
  const auto n_nodes = static_cast<int64_t>(nodes.size());
  if (n_nodes > largest_block || n_columns_ == 0) return;
  const TileShape shape{0, 0, n_columns_};
  width_ = shape.width();
  block_ = std::clamp<int64_t>(n_nodes * 4, 256, largest_block);
  std::vector<bool> weighed;  // by slot: not where the column has a slot already
  int64_t next = 0;
  for (int64_t slot = 0; slot < width_; ++slot) {
    const int64_t column = shape.column(slot);
    const bool is_column = column < n_columns_;
    weighed.push_back(is_column && column == next);
    next += weighed.back();
    const double x = is_column ? fill[static_cast<size_t>(column)] : 0.0;
    fill_.push_back(static_cast<float>(x));
    fill_size_.push_back(std::isnan(x) ? 0.0f : std::abs(fill_.back()));
  }
  weights_.resize(n_nodes * width_);
  for (int64_t node = 0; node < n_nodes; ++node) {
    const LinearNode& from = nodes[static_cast<size_t>(node)];
    const double* row = weights.data() + node * width_;
    double largest = 0;
    for (int64_t c = 0; c < n_columns_; ++c)
      largest = std::max(largest, std::abs(row[c]));
    const int scale = largest > 0 ? -std::ilogb(largest) : 0;
    const double threshold = std::ldexp(from.threshold, scale);
    nodes_.push_back({static_cast<float>(threshold), 0.0f, from.right});
    // Sums in double neither overflow nor underflow, or nothing is sure.
    const float unseen = std::abs(scale) <= 500 ? 0x1p-100f : 0x1p120f;
    float* into = weights_.data() + node * width_;
    for (int64_t slot = 0; slot < width_; ++slot) {
      const bool counts = weighed[static_cast<size_t>(slot)];
      const double weight = counts ? std::ldexp(row[shape.column(slot)], scale) : 0.0;
      into[slot] = static_cast<float>(weight);
      sizes_.push_back(std::abs(into[slot]) + unseen);
    }
  }
}

// Leaves, which are their own right child, decide all rows.
inline void Guesser::bound_errors(GuessRoom& room) const {
  const auto chain = static_cast<float>(width_ / 8 + 3 + 4);
  const float rounding = 2 * chain * 0x1p-24f;
  const float underflow = static_cast<float>(width_) * 0x1p-120f;
  constexpr float overflow = 1e30f;  // sums far below it are finite
  room.nodes = nodes_;
  for (size_t at = 0; at < nodes_.size(); ++at) {
    GuessNode& node = room.nodes[at];
    if (node.right == static_cast<int32_t>(at)) continue;
    const float most = std::abs(node.threshold) +
                       multiply(sizes_.data() + at * static_cast<size_t>(width_),
                                room.largest.data(), width_);
    node.error = most < overflow ? rounding * most + underflow
                                 : std::numeric_limits<float>::infinity();
  }
}

// Memory is slower than writing tiles and needs to be asked early. (Inline, or the
// compiler takes it for a function without any effect.)
template <class T>
TANOAK_INLINE void fetch(const DenseView<T>& table, int64_t row) {
#if defined(__GNUC__)
  constexpr int64_t line = 64 / sizeof(T);
  if (table.column_stride != 1) return;
  for (int64_t i = row; i < std::min(row + 8, table.n_rows); ++i)
    for (int64_t c = 0; c < table.n_columns; c += line)
      __builtin_prefetch(table.data + i * table.row_stride + c, 0, 2);
#endif
}

template <class T>
void Guesser::apply(const DenseView<T>& table, int64_t begin, int64_t end,
                    int32_t* leaves, GuessRoom& room) const {
  const int64_t n_groups = (end - begin) / 8;  // the last few rows stay undecided
  const int64_t group_size = 8 * width_;
  room.largest = fill_size_;
  room.tile.resize(block_ * width_);
  const TileShape shape{table.row_stride, table.column_stride, table.n_columns};
  float* tile = room.tile.data();
  const int64_t ahead = std::clamp<int64_t>(2048 / n_columns_, 8, 64);
  for (int64_t group = 0; group < n_groups; ++group) {
    fetch(table, begin + 8 * group + ahead);
    write_tile(table.data + (begin + 8 * group) * table.row_stride, shape, fill_.data(),
               tile + group * group_size, room.largest.data());
  }
  bound_errors(room);
  for (int64_t group = 0; group < n_groups; ++group) {
    descend_tile(room.nodes.data(), weights_.data(), width_, depth_,
                 tile + group * group_size, leaves + begin + 8 * group);
  }
  std::fill(leaves + begin + 8 * n_groups, leaves + end, -1);
}

}  // namespace tanoak
