// A tree of fixed shape whose splits and answers change while it is optimized; a node
// that asks nothing stays, with the subtree it cuts off, until the tree is finished.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "features.hpp"
#include "node.hpp"

namespace tanoak {

// Splits by how many features they ask: what the least loss with each was.
enum SolutionKind : size_t { with_none, with_one, with_two, with_many, n_solutions };
using SolutionLosses = std::array<int64_t, n_solutions>;
constexpr int64_t not_looked_for = -1;

template <class Answer>
struct TaoNode {
  int32_t left = -1, right = -1;  // -1 at leaves
  int32_t parent = -1, depth = 0;
  NodeSplit split;             // of inner nodes
  Answer answer{};             // of leaves
  int64_t begin = 0, end = 0;  // its rows, in the list of its depth
  int64_t loss = 0;            // of a leaf's rows
  int64_t price = 0;           // of the splits that are still asked at or below it
  uint64_t solved = 0;         // mark of what it was last solved for
  bool moved = true;           // its rows are to be found anew
  bool changed = false;        // its split is new since then
  bool stale = true;           // may have a better solution than it has
  SolutionLosses losses{not_looked_for, not_looked_for, not_looked_for, not_looked_for};

  bool is_leaf() const { return left < 0; }
  int64_t n_rows() const { return end - begin; }
};

// A tree as arrays, to start from and to go on from later. Preorder, left child next.
struct TaoState {
  std::vector<int32_t> left, right;
  std::vector<uint8_t> kind;  // SplitKind; 0 at leaves
  std::vector<uint8_t> swapped, missing_left;
  std::vector<double> threshold;
  std::vector<int64_t> term_start;
  std::vector<int32_t> term_column, term_level;
  std::vector<double> term_weight;
  std::vector<int64_t> subset_start;
  std::vector<uint64_t> subset_words;
  std::vector<double> answer;
  std::vector<uint64_t> solved;
};

// Features by column and level.
class FeatureFinder {
 public:
  explicit FeatureFinder(const Features& features) : features_(features) {
    for (int32_t f = 0; f < features.count(); ++f)
      if (f == 0 || features.info(f).column != features.info(f - 1).column)
        first_.push_back(f);
    first_.push_back(features.count());
  }
  int32_t find(int32_t column, int32_t level) const {
    const auto at = static_cast<size_t>(column);
    for (int32_t f = first_[at]; f < first_[at + 1]; ++f)
      if (features_.info(f).level == level) return f;
    throw std::invalid_argument("the start tree has a split on category " +
                                std::to_string(level) + " of column " +
                                std::to_string(column) +
                                ", which is not a category that splits weigh");
  }

 private:
  const Features& features_;
  std::vector<int32_t> first_;  // by column, and one more
};

template <class Answer>
struct TaoTree {
  using Node = TaoNode<Answer>;
  std::vector<Node> nodes;                  // preorder
  std::vector<std::vector<int32_t>> inner;  // by depth

  Node& at(int32_t id) { return nodes[static_cast<size_t>(id)]; }
  const Node& at(int32_t id) const { return nodes[static_cast<size_t>(id)]; }
  int32_t count() const { return static_cast<int32_t>(nodes.size()); }

  // Links, depths and lists of nodes that already know their children.
  void link() {
    inner.clear();
    for (int32_t id = 0; id < count(); ++id) {
      Node& node = at(id);
      if (node.is_leaf()) continue;
      at(node.left).parent = at(node.right).parent = id;
      at(node.left).depth = at(node.right).depth = node.depth + 1;
      const auto depth = static_cast<size_t>(node.depth);
      if (inner.size() <= depth) inner.resize(depth + 1);
      inner[depth].push_back(id);
    }
  }

  // Calls visit(id) for the nodes that training rows may reach: what a split that asks
  // nothing cuts off is left out.
  template <class Visit>
  void visit_reached(const Visit& visit) const {
    std::vector<int32_t> stack{0};
    while (!stack.empty()) {
      const int32_t id = stack.back();
      stack.pop_back();
      visit(id);
      const Node& node = at(id);
      if (node.is_leaf()) continue;
      if (node.split.kind != SplitKind::all_left) stack.push_back(node.right);
      if (node.split.kind != SplitKind::all_right) stack.push_back(node.left);
    }
  }
};

// --- from arrays and back ---

inline NodeSplit split_at(const TaoState& state, size_t i,
                          const FeatureFinder& features) {
  NodeSplit split;
  split.kind = static_cast<SplitKind>(state.kind[i]);
  split.swapped = state.swapped[i] != 0;
  split.missing_left = state.missing_left[i] != 0;
  split.threshold = state.threshold[i];
  const auto first = static_cast<size_t>(state.term_start[i]);
  const auto last = static_cast<size_t>(state.term_start[i + 1]);
  if (split.kind == SplitKind::axis || split.kind == SplitKind::subset)
    split.column = state.term_column[first];
  if (split.kind == SplitKind::sum)
    for (size_t term = first; term < last; ++term)
      split.terms.push_back(
          {features.find(state.term_column[term], state.term_level[term]),
           state.term_weight[term]});
  split.left_levels.assign(state.subset_words.begin() + state.subset_start[i],
                           state.subset_words.begin() + state.subset_start[i + 1]);
  return split;
}

template <class Answer>
TaoTree<Answer> read_state(const TaoState& state, const Features& features) {
  const FeatureFinder finder(features);
  TaoTree<Answer> tree;
  tree.nodes.resize(state.left.size());
  for (size_t i = 0; i < tree.nodes.size(); ++i) {
    auto& node = tree.nodes[i];
    node.left = state.left[i];
    node.right = state.right[i];
    node.answer = static_cast<Answer>(state.answer[i]);
    node.solved = state.solved[i];
    if (!node.is_leaf()) node.split = split_at(state, i, finder);
  }
  tree.link();
  return tree;
}

inline void write_split(const NodeSplit& split, const Features& features,
                        TaoState& state) {
  auto term = [&](int32_t column, int32_t level, double weight) {
    state.term_column.push_back(column);
    state.term_level.push_back(level);
    state.term_weight.push_back(weight);
  };
  if (split.kind == SplitKind::sum)
    for (const Term& each : split.terms)
      term(features.info(each.feature).column, features.info(each.feature).level,
           each.weight);
  else if (!split.is_constant())
    term(split.column, -1, 1.0);
  state.subset_words.insert(state.subset_words.end(), split.left_levels.begin(),
                            split.left_levels.end());
}

template <class Answer>
TaoState write_state(const TaoTree<Answer>& tree, const Features& features) {
  TaoState state;
  state.term_start.push_back(0);
  state.subset_start.push_back(0);
  for (const auto& node : tree.nodes) {
    state.left.push_back(node.left);
    state.right.push_back(node.right);
    state.kind.push_back(node.is_leaf() ? 0 : static_cast<uint8_t>(node.split.kind));
    state.swapped.push_back(node.split.swapped);
    state.missing_left.push_back(node.split.missing_left);
    state.threshold.push_back(node.split.threshold);
    if (!node.is_leaf()) write_split(node.split, features, state);
    state.term_start.push_back(static_cast<int64_t>(state.term_column.size()));
    state.subset_start.push_back(static_cast<int64_t>(state.subset_words.size()));
    state.answer.push_back(static_cast<double>(node.answer));
    state.solved.push_back(node.solved);
  }
  return state;
}

}  // namespace tanoak
