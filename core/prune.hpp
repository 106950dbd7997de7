// Weakest-link pruning (Breiman et al. 1984, chapter 3): from what every node costs as
// a leaf to the price of a leaf at which it becomes one. Nodes are in preorder.
//
// The cheapest subtree below a node, as a function of the price of a leaf, changes in
// steps; each step is a node that becomes a leaf. The steps of a node are those of its
// two children, as far as they come before its own. So a node melds two heaps of steps
// and takes back the dearest ones until its own is the dearest: every step is pushed
// and popped once, O(n log n) for trees of any shape.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace tanoak {

// For each node. Leaves, and nodes that are gone before their turn, have an infinite
// price and zeros.
struct Links {
  std::vector<double> price;    // of a leaf, from which on the node is one
  std::vector<double> cost;     // that it adds then
  std::vector<int32_t> leaves;  // that it removes then
};

// Pairing heaps of nodes, the dearest first; they share these arrays.
class LinkHeaps {
 public:
  LinkHeaps(size_t n_nodes, const std::vector<double>& price)
      : price_(price), child_(n_nodes, none), sibling_(n_nodes, none) {}

  static constexpr int32_t none = -1;

  int32_t meld(int32_t a, int32_t b) {
    if (a == none) return b;
    if (b == none) return a;
    if (price_[size_t(a)] < price_[size_t(b)]) std::swap(a, b);
    sibling_[size_t(b)] = child_[size_t(a)];
    child_[size_t(a)] = b;
    return a;
  }

  // The heap without its top: neighbours are melded in pairs, then all pairs.
  int32_t pop(int32_t top) {
    int32_t pairs = none;
    for (int32_t a = child_[size_t(top)]; a != none;) {
      const int32_t b = sibling_[size_t(a)];
      const int32_t next = b == none ? none : sibling_[size_t(b)];
      const int32_t pair = meld(a, b);
      sibling_[size_t(pair)] = pairs;
      pairs = pair;
      a = next;
    }
    int32_t heap = none;
    while (pairs != none) {
      const int32_t next = sibling_[size_t(pairs)];
      heap = meld(heap, pairs);
      pairs = next;
    }
    return heap;
  }

 private:
  const std::vector<double>& price_;
  std::vector<int32_t> child_, sibling_;
};

// `cost` is what each node costs as a leaf: any finite numbers, also negative ones.
inline Links weakest_links(size_t n_nodes, const int32_t* left, const int32_t* right,
                           const double* cost) {
  constexpr double never = std::numeric_limits<double>::infinity();
  Links links{std::vector<double>(n_nodes, never), std::vector<double>(n_nodes),
              std::vector<int32_t>(n_nodes)};
  LinkHeaps heaps(n_nodes, links.price);
  std::vector<int32_t> heap_of(n_nodes, LinkHeaps::none);
  for (size_t node = n_nodes; node-- > 0;) {
    if (left[node] < 0) continue;
    const auto l = size_t(left[node]), r = size_t(right[node]);
    int32_t heap = heaps.meld(heap_of[l], heap_of[r]);
    // The subtree as it is after all steps in the heap: two leaves, at first.
    double below = cost[l] + cost[r];
    int32_t extra = 1;  // leaves beyond the one the node would be
    double price = (cost[node] - below) / extra;
    while (heap != LinkHeaps::none && price < links.price[size_t(heap)]) {
      const auto step = size_t(heap);
      below -= links.cost[step];
      extra += links.leaves[step];
      price = (cost[node] - below) / extra;
      heap = heaps.pop(heap);
      links.price[step] = never;
      links.cost[step] = 0;
      links.leaves[step] = 0;
    }
    links.price[node] = price;
    links.cost[node] = cost[node] - below;
    links.leaves[node] = extra;
    heap_of[node] = heaps.meld(heap, static_cast<int32_t>(node));
  }
  return links;
}

// Adds to the row of every node, `width` numbers, the rows of all nodes below it.
inline void add_up(size_t n_nodes, const int32_t* left, const int32_t* right,
                   size_t width, double* values) {
  for (size_t node = n_nodes; node-- > 0;) {
    if (left[node] < 0) continue;
    const double* l = values + size_t(left[node]) * width;
    const double* r = values + size_t(right[node]) * width;
    for (size_t k = 0; k < width; ++k) values[node * width + k] += l[k] + r[k];
  }
}

}  // namespace tanoak
