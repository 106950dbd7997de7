// Which rows reach which node, and where they would end: at each depth one list of rows
// in which those of a node lie together and ascend.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "parallel.hpp"
#include "tao_tree.hpp"

namespace tanoak {

// Space for routing some rows through a subtree; one a worker.
struct RouteScratch {
  struct Part {
    int32_t node;
    int64_t begin, end;
  };
  std::vector<uint32_t> rows, places, held_rows, held_places;
  std::vector<uint8_t> left;
  std::vector<Part> parts;

  void resize(int64_t n) {
    const auto size = static_cast<size_t>(n);
    if (rows.size() >= size) return;
    for (auto* space : {&rows, &places, &held_rows, &held_places}) space->resize(size);
    left.resize(size);
  }
};

// Stable: those that go left stay in front. Returns how many they are.
inline int64_t partition_part(RouteScratch& at, int64_t begin, int64_t end) {
  int64_t n_left = 0, n_held = 0;
  for (int64_t i = begin; i < end; ++i) {
    const auto from = static_cast<size_t>(i);
    const auto to = static_cast<size_t>(begin + n_left);
    const auto held = static_cast<size_t>(n_held);
    const bool left = at.left[from - static_cast<size_t>(begin)] != 0;
    const uint32_t row = at.rows[from], place = at.places[from];
    at.rows[to] = row, at.places[to] = place;
    at.held_rows[held] = row, at.held_places[held] = place;
    n_left += left;
    n_held += !left;
  }
  std::copy_n(at.held_rows.begin(), n_held, at.rows.begin() + begin + n_left);
  std::copy_n(at.held_places.begin(), n_held, at.places.begin() + begin + n_left);
  return n_left;
}

// The leaf at or below `top` in which each row ends; rows ascend.
template <class Answer>
void find_leaves(const TaoTree<Answer>& tree, const Features& features, int32_t top,
                 const uint32_t* rows, int64_t n, int32_t* leaves, RouteScratch& at,
                 const StopFlag& stop) {
  if (tree.at(top).is_leaf()) {
    std::fill(leaves, leaves + n, top);
    return;
  }
  at.resize(n);
  std::copy(rows, rows + n, at.rows.begin());
  for (int64_t i = 0; i < n; ++i)
    at.places[static_cast<size_t>(i)] = static_cast<uint32_t>(i);
  at.parts.assign(1, {top, 0, n});
  while (!at.parts.empty()) {
    const auto [id, begin, end] = at.parts.back();
    at.parts.pop_back();
    if (begin == end) continue;
    const auto& node = tree.at(id);
    if (node.is_leaf()) {
      for (int64_t i = begin; i < end; ++i)
        leaves[at.places[static_cast<size_t>(i)]] = id;
      continue;
    }
    if (n > 4096) stop.check();
    int64_t middle = node.split.kind == SplitKind::all_left ? end : begin;
    if (!node.split.is_constant()) {
      mark_left(features, node.split, at.rows.data() + begin, end - begin,
                at.left.data());
      middle = begin + partition_part(at, begin, end);
    }
    at.parts.push_back({node.right, middle, end});
    at.parts.push_back({node.left, begin, middle});
  }
}

class NodeRows {
 public:
  // Routes all rows from the root.
  template <class Answer>
  NodeRows(TaoTree<Answer>& tree, const Features& features, Workers& workers,
           const StopFlag& stop)
      : leaf_(static_cast<size_t>(features.n_rows())),
        lists_(tree.inner.size() + 1,
               std::vector<uint32_t>(static_cast<size_t>(features.n_rows()))) {
    auto& rows = lists_[0];
    for (size_t row = 0; row < rows.size(); ++row)
      rows[row] = static_cast<uint32_t>(row);
    std::vector<RouteScratch> scratch(static_cast<size_t>(workers.count()));
    constexpr int64_t block = 16384;
    workers.run((features.n_rows() + block - 1) / block, [&](int64_t task, int worker) {
      const int64_t begin = task * block;
      const int64_t n = std::min(block, features.n_rows() - begin);
      find_leaves(tree, features, 0, rows.data() + begin, n, leaf_.data() + begin,
                  scratch[static_cast<size_t>(worker)], stop);
    });
    tree.at(0).begin = 0, tree.at(0).end = features.n_rows();
    settle(tree, workers, stop);
  }

  // Where each row ends in the tree as it is now.
  int32_t leaf(uint32_t row) const { return leaf_[row]; }
  void move(uint32_t row, int32_t leaf) { leaf_[row] = leaf; }

  // The rows of a node, ascending, as of the last `settle`.
  template <class Answer>
  const uint32_t* of(const TaoNode<Answer>& node) const {
    return lists_[static_cast<size_t>(node.depth)].data() + node.begin;
  }

  // Lists the rows of all nodes anew below those whose split has changed. No feature is
  // looked at: a row is on the left if its leaf is.
  template <class Answer>
  void settle(TaoTree<Answer>& tree, Workers& workers, const StopFlag& stop) {
    for (size_t depth = 0; depth < tree.inner.size(); ++depth) {
      const auto& ids = tree.inner[depth];
      const auto& from = lists_[depth];
      auto& into = lists_[depth + 1];
      workers.run(static_cast<int64_t>(ids.size()), [&](int64_t i, int) {
        auto& node = tree.at(ids[static_cast<size_t>(i)]);
        if (!node.moved && !node.changed) return;
        stop.check();
        auto &left = tree.at(node.left), &right = tree.at(node.right);
        const int64_t middle = list_children(node, from, into);
        left.begin = node.begin, left.end = middle;
        right.begin = middle, right.end = node.end;
        left.moved = right.moved = node.stale = true;
        node.moved = node.changed = false;
      });
    }
  }

 private:
  template <class Answer>
  int64_t list_children(const TaoNode<Answer>& node, const std::vector<uint32_t>& from,
                        std::vector<uint32_t>& into) const {
    int64_t n_left = 0;
    for (int64_t i = node.begin; i < node.end; ++i)
      n_left += leaf_[from[static_cast<size_t>(i)]] < node.right;
    size_t next[2] = {static_cast<size_t>(node.begin),
                      static_cast<size_t>(node.begin + n_left)};
    for (int64_t i = node.begin; i < node.end; ++i) {
      const uint32_t row = from[static_cast<size_t>(i)];
      into[next[leaf_[row] >= node.right]++] = row;
    }
    return node.begin + n_left;
  }

  std::vector<int32_t> leaf_;                 // by row
  std::vector<std::vector<uint32_t>> lists_;  // by depth
};

}  // namespace tanoak
