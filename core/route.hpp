// From rows to leaves: one arithmetic for training, prediction and every export.
//
// A split compares a sum of weight * value with a threshold, in double. The sum is kept
// in eight lanes, column c in lane c % 8, that are added in a fixed order: the result
// does not depend on how many rows are routed at once or on the processor.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "descend.hpp"
#include "guess.hpp"
#include "parallel.hpp"
#include "table.hpp"

namespace tanoak {

// The arrays of a tree as the Tree class keeps them; see the field list there.
struct TreeView {
  int64_t n_nodes, n_columns;
  const int32_t *left, *right;
  const double* threshold;
  const uint8_t* missing_left;
  const int64_t* term_start;
  const int32_t *term_column, *term_level;
  const double* term_weight;
  const int64_t* subset_start;
  const uint64_t* subset_words;
  const double* fill;
};

class Router {
 public:
  explicit Router(const TreeView& tree);

  // Leaves of all rows, into `leaves`.
  template <class T>
  void apply(const DenseView<T>& table, int32_t* leaves, Workers& workers,
             const StopFlag& stop) const;
  template <class T, class Index>
  void apply(const SparseView<T, Index>& rows, int32_t* leaves, Workers& workers,
             const StopFlag& stop) const;

 private:
  enum class Kind : uint8_t { leaf, axis, subset, linear };
  static constexpr int32_t undecided = -1;

  template <class Row>
  int32_t child(int32_t node, const Row& value) const;
  template <class Row>
  bool goes_left_linear(int32_t node, const Row& value) const;
  template <class T>
  void apply_few(const DenseView<T>& table, int64_t begin, int64_t end,
                 int32_t* leaves) const;
  template <class T>
  void apply_dense(const DenseView<T>& table, int64_t begin, int64_t end,
                   int32_t* leaves) const;
  template <class T>
  void apply_block(const DenseView<T>& table, int64_t begin, int64_t end,
                   int32_t* leaves, GuessRoom& room) const;
  template <class Row>
  int32_t walk(const Row& value) const {
    int32_t node = 0;
    while (kinds_[static_cast<size_t>(node)] != Kind::leaf) node = child(node, value);
    return node;
  }
  double subset_codes(size_t node) const {
    return 64.0 * static_cast<double>(subset_start_[node + 1] - subset_start_[node]);
  }
  int32_t n_nodes() const { return static_cast<int32_t>(kinds_.size()); }
  void store_for_batches();
  void store_weights();
  AxisNode axis_node(int32_t node) const;
  PairNode pair_node(int32_t node) const;
  double fill_at(size_t node, int32_t column) const;

  // Own copies: the router outlives the arrays it was made from.
  int64_t n_columns_;
  int32_t depth_ = 0;
  std::vector<Kind> kinds_;
  std::vector<int32_t> right_;
  std::vector<double> threshold_;
  std::vector<uint8_t> missing_left_;
  std::vector<int64_t> term_start_, subset_start_;
  std::vector<int32_t> term_column_, term_level_;
  std::vector<double> term_weight_, fill_;
  std::vector<uint64_t> subset_words_;
  std::vector<AxisNode> axis_;      // if no node needs more
  std::vector<PairNode> pairs_;     // if no node needs more
  std::vector<LinearNode> linear_;  // if every node is a sum that is stored dense...
  std::vector<double> dense_;       // ...with this many weights a node:
  int64_t dense_width_ = 0;
  Guesser guesser_;  // of the same sums
};

// --- making one ---

inline Router::Router(const TreeView& tree)
    : n_columns_(tree.n_columns),
      right_(tree.right, tree.right + tree.n_nodes),
      threshold_(tree.threshold, tree.threshold + tree.n_nodes),
      missing_left_(tree.missing_left, tree.missing_left + tree.n_nodes),
      term_start_(tree.term_start, tree.term_start + tree.n_nodes + 1),
      subset_start_(tree.subset_start, tree.subset_start + tree.n_nodes + 1) {
  const int64_t n_terms = term_start_.back();
  term_column_.assign(tree.term_column, tree.term_column + n_terms);
  term_level_.assign(tree.term_level, tree.term_level + n_terms);
  term_weight_.assign(tree.term_weight, tree.term_weight + n_terms);
  subset_words_.assign(tree.subset_words, tree.subset_words + subset_start_.back());
  fill_.assign(tree.fill, tree.fill + tree.n_columns);
  std::vector<int32_t> depth(static_cast<size_t>(tree.n_nodes), 0);
  for (size_t node = 0; node < depth.size(); ++node) {
    const auto term = static_cast<size_t>(term_start_[node]);
    Kind kind = Kind::leaf;
    if (tree.left[node] >= 0) {
      const bool single = term_start_[node + 1] - term_start_[node] == 1 &&
                          term_level_[term] < 0 && term_weight_[term] == 1.0;
      if (subset_start_[node + 1] > subset_start_[node])
        kind = Kind::subset;
      else
        kind = single ? Kind::axis : Kind::linear;
      depth[static_cast<size_t>(tree.left[node])] = depth[node] + 1;
      depth[static_cast<size_t>(right_[node])] = depth[node] + 1;
    }
    depth_ = std::max(depth_, depth[node]);
    kinds_.push_back(kind);
  }
  store_for_batches();
}

// Nodes in a form for many rows: all alike, as the loops of descend.hpp take them.
inline void Router::store_for_batches() {
  bool all_axis = true, all_pairs = true, all_sums = true;
  for (size_t node = 0; node < kinds_.size(); ++node) {
    if (kinds_[node] == Kind::leaf) continue;
    const int64_t n_terms = term_start_[node + 1] - term_start_[node];
    const int32_t level = term_level_[static_cast<size_t>(term_start_[node])];
    all_axis = all_axis && kinds_[node] == Kind::axis;
    all_sums = all_sums && kinds_[node] != Kind::subset && level < 0;
    all_pairs = all_pairs && all_sums && n_terms <= 2;
  }
  all_sums = all_sums && std::all_of(term_level_.begin(), term_level_.end(),
                                     [](int32_t level) { return level < 0; });
  for (int32_t node = 0; all_axis && node < n_nodes(); ++node)
    axis_.push_back(axis_node(node));
  for (int32_t node = 0; !all_axis && all_pairs && all_sums && node < n_nodes(); ++node)
    pairs_.push_back(pair_node(node));
  if (!all_pairs && all_sums) store_weights();
}

inline AxisNode Router::axis_node(int32_t node) const {
  const auto at = static_cast<size_t>(node);
  if (kinds_[at] == Kind::leaf) return AxisNode::leaf(node);
  return AxisNode::inner(threshold_[at],
                         term_column_[static_cast<size_t>(term_start_[at])],
                         missing_left_[at] != 0, right_[at]);
}

// Missing values have no fill at a node of kind axis: their way is looked up.
inline double Router::fill_at(size_t node, int32_t column) const {
  return kinds_[node] == Kind::axis ? std::numeric_limits<double>::quiet_NaN()
                                    : fill_[static_cast<size_t>(column)];
}

inline PairNode Router::pair_node(int32_t node) const {
  const auto at = static_cast<size_t>(node);
  if (kinds_[at] == Kind::leaf) return PairNode::leaf(node);
  PairNode made{threshold_[at], {0, 0}, {0, 0}, {0, 0}, right_[at]};
  const auto first = static_cast<size_t>(term_start_[at]);
  const auto last = static_cast<size_t>(term_start_[at + 1]) - 1;
  made.weight[0] = term_weight_[first];
  made.weight[1] = last > first ? term_weight_[last] : 0.0;
  made.column[0] = term_column_[first];
  made.column[1] = term_column_[last];
  for (int k = 0; k < 2; ++k) made.fill[k] = fill_at(at, made.column[k]);
  return made;
}

// Dense rows of weights pay where a node uses a good part of the columns.
inline void Router::store_weights() {
  constexpr int64_t largest = int64_t{8} << 20;  // weights, 64 MiB
  const int64_t width = (n_columns_ + 7) / 8 * 8;
  const auto n_terms = static_cast<int64_t>(term_column_.size());
  if (width * n_nodes() > largest || n_terms * 8 < n_columns_ * (n_nodes() / 2)) return;
  dense_width_ = width;
  dense_.assign(static_cast<size_t>(width * n_nodes()), 0.0);
  std::vector<double> fill = fill_;
  for (int32_t node = 0; node < n_nodes(); ++node) {
    const auto at = static_cast<size_t>(node);
    for (auto t = static_cast<size_t>(term_start_[at]);
         t < static_cast<size_t>(term_start_[at + 1]); ++t)
      dense_[at * static_cast<size_t>(width) + static_cast<size_t>(term_column_[t])] =
          term_weight_[t];
    // The projection of a leaf is 0, never at most -1: it stays where it is.
    const bool leaf = kinds_[at] == Kind::leaf;
    linear_.push_back({leaf ? -1.0 : threshold_[at], leaf ? node : right_[at]});
    if (kinds_[at] == Kind::axis) std::fill(fill.begin(), fill.end(), fill_at(at, 0));
  }
  guesser_ = Guesser(linear_, dense_, fill, depth_);
}

// --- one step ---

template <class Row>
bool Router::goes_left_linear(int32_t node, const Row& value) const {
  const auto at = static_cast<size_t>(node);
  double lanes[8] = {};
  for (int64_t t = term_start_[at]; t < term_start_[at + 1]; ++t) {
    const auto term = static_cast<size_t>(t);
    const int32_t column = term_column_[term];
    double x = value(column);
    if (std::isnan(x)) x = fill_[static_cast<size_t>(column)];
    if (term_level_[term] >= 0) x = x == static_cast<double>(term_level_[term]);
    lanes[column % 8] += term_weight_[term] * x;
  }
  const double projection = add_lanes(lanes);
  if (std::isnan(projection)) return missing_left_[at] != 0;
  return projection <= threshold_[at];
}

template <class Row>
int32_t Router::child(int32_t node, const Row& value) const {
  const auto at = static_cast<size_t>(node);
  bool left = missing_left_[at] != 0;
  if (kinds_[at] == Kind::linear) {
    left = goes_left_linear(node, value);
  } else {
    const double x = value(term_column_[static_cast<size_t>(term_start_[at])]);
    if (!std::isnan(x)) {
      if (kinds_[at] == Kind::axis) {
        left = x <= threshold_[at];
      } else if (x >= 0 && x < subset_codes(at)) {
        const auto code = static_cast<uint64_t>(x);
        const auto word = static_cast<size_t>(subset_start_[at]) + code / 64;
        left = subset_words_[word] >> (code % 64) & 1;
      }  // what is no code is as good as missing
    }
  }
  return left ? node + 1 : right_[at];
}

// --- many rows ---

// Trees that look at one or two columns a node.
template <class T>
void Router::apply_few(const DenseView<T>& table, int64_t begin, int64_t end,
                       int32_t* leaves) const {
  // Rows on their way at once, to hide latency.
  const int64_t width = axis_.empty() ? 8 : 16;
  int64_t row = begin;
  for (; row + width <= end; row += width) {
    const T* rows = table.data + row * table.row_stride;
    if (axis_.empty())
      descend_pair(pairs_.data(), depth_, rows, table.row_stride, table.column_stride,
                   leaves + row);
    else
      descend_axis(axis_.data(), depth_, rows, table.row_stride, table.column_stride,
                   leaves + row);
  }
  std::fill(leaves + row, leaves + end, undecided);
}

// Those rows of begin..end that have no leaf yet.
template <class T>
void Router::apply_dense(const DenseView<T>& table, int64_t begin, int64_t end,
                         int32_t* leaves) const {
  constexpr int64_t width = 8;
  std::vector<double> values(static_cast<size_t>(width * dense_width_), 0.0);
  int64_t rows[width];
  int32_t found[width];
  for (int64_t row = begin; row < end;) {
    int64_t n = 0;
    for (; row < end && n < width; ++row) {
      if (leaves[row] != undecided) continue;
      const T* from = table.data + row * table.row_stride;
      double* into = values.data() + n * dense_width_;
      for (int64_t c = 0; c < n_columns_; ++c)
        into[c] = static_cast<double>(from[c * table.column_stride]);
      rows[n++] = row;
    }
    descend_linear(linear_.data(), dense_.data(), dense_width_, depth_, values.data(),
                   n, found);
    for (int64_t i = 0; i < n; ++i) leaves[rows[i]] = found[i];
  }
}

template <class T>
void Router::apply_block(const DenseView<T>& table, int64_t begin, int64_t end,
                         int32_t* leaves, GuessRoom& room) const {
  std::fill(leaves + begin, leaves + end, undecided);
  if (!axis_.empty() || !pairs_.empty()) {
    apply_few(table, begin, end, leaves);
  } else if (!linear_.empty()) {
    const int64_t step = guesser_.block();
    for (int64_t at = begin; at < end && guesser_.worth(end - at); at += step)
      guesser_.apply(table, at, std::min(end, at + step), leaves, room);
    apply_dense(table, begin, end, leaves);
  }
  for (int64_t row = begin; row < end; ++row)
    if (leaves[row] == undecided)  // the last rows, or a missing value on the way
      leaves[row] = walk([&](int32_t c) { return static_cast<double>(table(row, c)); });
}

template <class T>
void Router::apply(const DenseView<T>& table, int32_t* leaves, Workers& workers,
                   const StopFlag& stop) const {
  constexpr int64_t block = 4096;
  std::vector<GuessRoom> rooms(static_cast<size_t>(workers.count()));
  workers.run((table.n_rows + block - 1) / block, [&](int64_t task, int worker) {
    stop.check();
    const int64_t begin = task * block, end = std::min(table.n_rows, begin + block);
    apply_block(table, begin, end, leaves, rooms[static_cast<size_t>(worker)]);
  });
}

// A sparse row is written out, routed, and wiped again.
template <class T, class Index>
void Router::apply(const SparseView<T, Index>& rows, int32_t* leaves, Workers& workers,
                   const StopFlag& stop) const {
  constexpr int64_t block = 4096;
  workers.run((rows.n_rows + block - 1) / block, [&](int64_t task, int) {
    stop.check();
    std::vector<double> written(static_cast<size_t>(n_columns_), 0.0);
    const int64_t end = std::min(rows.n_rows, (task + 1) * block);
    for (int64_t row = task * block; row < end; ++row) {
      for (Index at = rows.starts[row]; at < rows.starts[row + 1]; ++at)
        written[static_cast<size_t>(rows.indices[at])] =
            static_cast<double>(rows.values[at]);
      leaves[row] = walk([&](int32_t c) { return written[static_cast<size_t>(c)]; });
      for (Index at = rows.starts[row]; at < rows.starts[row + 1]; ++at)
        written[static_cast<size_t>(rows.indices[at])] = 0.0;
    }
  });
}

}  // namespace tanoak
