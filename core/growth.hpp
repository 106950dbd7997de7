// A tree while it grows: nodes in the order they were made, what each leaf holds, and
// the way from there to the flat arrays of a finished tree.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base.hpp"
#include "target.hpp"

namespace tanoak {

// A finished tree: preorder, the left child of node i is i + 1.
struct TreeArrays {
  std::vector<int32_t> left, right;  // -1 at leaves
  std::vector<double> threshold;     // 0 at leaves and subsets
  std::vector<uint8_t> missing_left;
  std::vector<int64_t> term_start;               // one more than nodes
  std::vector<int32_t> term_column, term_level;  // level -1: the number itself
  std::vector<double> term_weight;
  std::vector<int64_t> subset_start;  // one more than nodes
  std::vector<uint64_t> subset_words;
  std::vector<int64_t> counts;    // classes: nodes x K; numbers: nodes
  std::vector<double> masses;     // the same, weighted; empty if equal to counts
  std::vector<double> mean, sse;  // numbers only
  std::vector<double> fill;       // by column: what a missing value is in a sum
  int64_t n_pairs = 0;            // of features that a cut may weigh together...
  int64_t n_pairs_searched = 0;   // ...and the most that were tried in one node
};

// One summand of a split: weight times the value of a column, or times whether the row
// has a category of it.
struct SplitTerm {
  int32_t column, level;  // level -1: the number itself
  double weight;
};
using SplitTerms = std::vector<SplitTerm>;  // ascend by column, then level

// Without a missing value in training the child with more rows takes it.
enum class MissingSide : uint8_t { right, left, heavier };

struct GrowingNode {
  int32_t left = -1, right = -1;
  int32_t column = -1;
  int32_t subset = -1;  // in Growth::subsets
  int32_t terms = -1;   // in Growth::terms; -1: the column alone
  int32_t leaf = -1;    // in Growth::leaves
  MissingSide missing = MissingSide::heavier;
  double threshold = 0;
};

// Which categories go left among those the node has seen.
struct GrowingSubset {
  std::vector<uint64_t> left, seen;
};

// --- what a leaf holds; exact integers, so that parents are sums of children ---

struct ClassLeaves {
  int32_t n_classes;
  bool weighted;
  std::vector<int64_t> counts, weights;

  explicit ClassLeaves(const ClassTarget& target)
      : n_classes(target.n_classes), weighted(!target.row_weight.empty()) {}

  int32_t add(const ClassTarget& target, const Record* records, int64_t n) {
    const auto at = counts.size();
    counts.resize(at + static_cast<size_t>(n_classes), 0);
    for (int64_t i = 0; i < n; ++i)
      ++counts[at + static_cast<size_t>(target.label(records[i]))];
    if (weighted) {
      weights.resize(counts.size(), 0);
      for (int64_t i = 0; i < n; ++i)
        weights[at + static_cast<size_t>(target.label(records[i]))] +=
            target.row_weight[target.row(records[i])];
    }
    return static_cast<int32_t>(at / static_cast<size_t>(n_classes));
  }
  int32_t append(const ClassLeaves& other) {
    const auto offset = counts.size() / static_cast<size_t>(n_classes);
    counts.insert(counts.end(), other.counts.begin(), other.counts.end());
    weights.insert(weights.end(), other.weights.begin(), other.weights.end());
    return static_cast<int32_t>(offset);
  }
};

struct NumberLeaf {
  int64_t rows = 0, mass = 0;
  int128 sum = 0;  // of mass times number, in units of 2^-sum_exponent
  double mean = 0, sse = 0;
};

// Whole units are divided first: the mean of equal numbers is that number.
inline double mean_of(int128 sum, int64_t mass, int exponent) {
  const int128 whole = sum / mass;
  const double rest = to_double(sum - whole * mass) / static_cast<double>(mass);
  return std::ldexp(to_double(whole) + rest, -exponent);
}

struct NumberLeaves {
  int sum_exponent;
  std::vector<NumberLeaf> leaves;

  explicit NumberLeaves(const NumberTarget& target)
      : sum_exponent(target.sum_exponent) {}

  int32_t add(const NumberTarget& target, const Record* records, int64_t n) {
    NumberLeaf leaf;
    double low = target.numbers[target.row(records[0])], high = low;
    for (int64_t i = 0; i < n; ++i) {
      const double number = target.numbers[target.row(records[i])];
      const int64_t mass = target.mass(records[i]);
      ++leaf.rows;
      leaf.mass += mass;
      leaf.sum += to_fixed(number, sum_exponent) * mass;
      low = std::min(low, number);
      high = std::max(high, number);
    }
    leaf.mean = low;
    if (low < high) {
      leaf.mean = local_mean(target, records, n, leaf.mass, std::max(-low, high));
      leaf.sse = squared_error(target, records, n, leaf, high - low);
    }
    leaves.push_back(leaf);
    return static_cast<int32_t>(leaves.size() - 1);
  }
  int32_t append(const NumberLeaves& other) {
    const auto offset = leaves.size();
    leaves.insert(leaves.end(), other.leaves.begin(), other.leaves.end());
    return static_cast<int32_t>(offset);
  }

 private:
  // In units of the leaf's own, finer where its numbers are small beside others.
  static double local_mean(const NumberTarget& target, const Record* records, int64_t n,
                           int64_t mass, double largest) {
    const int exponent = fixed_exponent(largest * static_cast<double>(mass), 120);
    int128 sum = 0;
    for (int64_t i = 0; i < n; ++i)
      sum += to_fixed(target.numbers[target.row(records[i])], exponent) *
             target.mass(records[i]);
    return mean_of(sum, mass, exponent);
  }

  double squared_error(const NumberTarget& target, const Record* records, int64_t n,
                       const NumberLeaf& leaf, double range) const {
    const double center = leaf.mean;
    const int exponent =
        fixed_exponent(range * range * static_cast<double>(leaf.mass), 120);
    int128 sum = 0;
    for (int64_t i = 0; i < n; ++i) {
      const double off = target.numbers[target.row(records[i])] - center;
      sum +=
          to_fixed(off * off * static_cast<double>(target.mass(records[i])), exponent);
    }
    return std::ldexp(to_double(sum), -exponent);
  }
};

template <class Target>
struct LeavesOf {
  using type = ClassLeaves;
};
template <>
struct LeavesOf<NumberTarget> {
  using type = NumberLeaves;
};

template <class Target>
struct Growth {
  using Leaves = typename LeavesOf<Target>::type;

  std::vector<GrowingNode> nodes;
  std::vector<GrowingSubset> subsets;
  std::vector<SplitTerms> terms;
  Leaves leaves;

  explicit Growth(const Target& target) : leaves(target) {}

  int32_t add_node() {
    nodes.emplace_back();
    return static_cast<int32_t>(nodes.size() - 1);
  }

  // Puts a tree grown elsewhere in the place of node `at`.
  void graft(int32_t at, const Growth& other) {
    const auto shift = static_cast<int32_t>(nodes.size()) - 1;
    const auto subset_shift = static_cast<int32_t>(subsets.size());
    const auto terms_shift = static_cast<int32_t>(terms.size());
    const int32_t leaf_shift = leaves.append(other.leaves);
    subsets.insert(subsets.end(), other.subsets.begin(), other.subsets.end());
    terms.insert(terms.end(), other.terms.begin(), other.terms.end());
    for (size_t i = 0; i < other.nodes.size(); ++i) {
      GrowingNode node = other.nodes[i];
      if (node.left >= 0) {
        node.left += shift;  // the other tree's root takes an old place, so - 1
        node.right += shift;
      }
      if (node.subset >= 0) node.subset += subset_shift;
      if (node.terms >= 0) node.terms += terms_shift;
      if (node.leaf >= 0) node.leaf += leaf_shift;
      if (i == 0)
        nodes[static_cast<size_t>(at)] = node;
      else
        nodes.push_back(node);
    }
  }
};

// Preorder of the nodes, without recursion: trees can be very deep.
inline std::vector<int32_t> preorder(const std::vector<GrowingNode>& nodes) {
  std::vector<int32_t> order, stack{0};
  order.reserve(nodes.size());
  while (!stack.empty()) {
    const int32_t node = stack.back();
    stack.pop_back();
    order.push_back(node);
    const auto& at = nodes[static_cast<size_t>(node)];
    if (at.left < 0) continue;
    stack.push_back(at.right);
    stack.push_back(at.left);
  }
  return order;
}

inline void finish_masses(const Growth<ClassTarget>& growth,
                          const std::vector<int32_t>& order, int weight_exponent,
                          TreeArrays& tree) {
  const auto& leaves = growth.leaves;
  const auto n_classes = static_cast<size_t>(leaves.n_classes);
  const size_t n = order.size();
  auto collect = [&](const std::vector<int64_t>& of_leaves) {
    std::vector<int64_t> sums(n * n_classes, 0);
    for (size_t i = n; i-- > 0;) {
      const auto& node = growth.nodes[static_cast<size_t>(order[i])];
      for (size_t k = 0; k < n_classes; ++k)
        sums[i * n_classes + k] =
            node.left < 0
                ? of_leaves[static_cast<size_t>(node.leaf) * n_classes + k]
                : sums[static_cast<size_t>(tree.left[i]) * n_classes + k] +
                      sums[static_cast<size_t>(tree.right[i]) * n_classes + k];
    }
    return sums;
  };
  tree.counts = collect(leaves.counts);
  if (!leaves.weighted) return;
  for (const int64_t units : collect(leaves.weights))
    tree.masses.push_back(std::ldexp(static_cast<double>(units), -weight_exponent));
}

inline void finish_masses(const Growth<NumberTarget>& growth,
                          const std::vector<int32_t>& order, int weight_exponent,
                          TreeArrays& tree) {
  const size_t n = order.size();
  std::vector<NumberLeaf> sums(n);
  for (size_t i = n; i-- > 0;) {
    const auto& node = growth.nodes[static_cast<size_t>(order[i])];
    NumberLeaf& sum = sums[i];
    if (node.left < 0) {
      sum = growth.leaves.leaves[static_cast<size_t>(node.leaf)];
    } else {
      const auto left = static_cast<size_t>(tree.left[i]);
      const auto right = static_cast<size_t>(tree.right[i]);
      sum = sums[left];
      sum.rows += sums[right].rows;
      sum.mass += sums[right].mass;
      sum.sum += sums[right].sum;
      sum.mean = mean_of(sum.sum, sum.mass, growth.leaves.sum_exponent);
      const double apart = sums[left].mean - sums[right].mean;
      sum.sse += sums[right].sse + static_cast<double>(sums[left].mass) *
                                       static_cast<double>(sums[right].mass) /
                                       static_cast<double>(sum.mass) * apart * apart;
    }
  }
  for (const auto& sum : sums) {
    tree.mean.push_back(sum.mean);
    tree.counts.push_back(sum.rows);
    tree.masses.push_back(std::ldexp(static_cast<double>(sum.mass), -weight_exponent));
    tree.sse.push_back(std::ldexp(sum.sse, -weight_exponent));
  }
}

inline double mass_of(const TreeArrays& tree, size_t node) {
  const size_t n_outputs = tree.counts.size() / tree.left.size();
  double sum = 0;
  for (size_t k = node * n_outputs; k < (node + 1) * n_outputs; ++k)
    sum += tree.masses.empty() ? static_cast<double>(tree.counts[k]) : tree.masses[k];
  return sum;
}

inline bool missing_goes_left(const TreeArrays& tree, size_t node, MissingSide side) {
  if (side != MissingSide::heavier) return side == MissingSide::left;
  return mass_of(tree, static_cast<size_t>(tree.left[node])) >=
         mass_of(tree, static_cast<size_t>(tree.right[node]));
}

// Categories that no row of the node has go where missing values go.
inline void write_subset(const GrowingSubset& subset, bool missing_left,
                         TreeArrays& tree) {
  for (size_t w = 0; w < subset.left.size(); ++w)
    tree.subset_words.push_back(missing_left ? subset.left[w] | ~subset.seen[w]
                                             : subset.left[w]);
}

inline void write_terms(const GrowingNode& node, const std::vector<SplitTerms>& terms,
                        TreeArrays& tree) {
  auto write = [&](const SplitTerm& term) {
    tree.term_column.push_back(term.column);
    tree.term_level.push_back(term.level);
    tree.term_weight.push_back(term.weight);
  };
  if (node.terms >= 0)
    for (const SplitTerm& term : terms[static_cast<size_t>(node.terms)]) write(term);
  else if (node.left >= 0)
    write({node.column, -1, 1.0});
  tree.term_start.push_back(static_cast<int64_t>(tree.term_column.size()));
}

template <class Target>
TreeArrays finish(const Growth<Target>& growth, int weight_exponent) {
  TreeArrays tree;
  const std::vector<int32_t> order = preorder(growth.nodes);
  std::vector<int32_t> place(order.size());
  for (size_t i = 0; i < order.size(); ++i)
    place[static_cast<size_t>(order[i])] = static_cast<int32_t>(i);
  tree.term_start.push_back(0);
  for (const int32_t at : order) {
    const auto& node = growth.nodes[static_cast<size_t>(at)];
    const bool leaf = node.left < 0;
    tree.left.push_back(leaf ? -1 : place[static_cast<size_t>(node.left)]);
    tree.right.push_back(leaf ? -1 : place[static_cast<size_t>(node.right)]);
    tree.threshold.push_back(node.threshold);
    write_terms(node, growth.terms, tree);
  }
  finish_masses(growth, order, weight_exponent, tree);
  for (size_t i = 0; i < order.size(); ++i) {
    const auto& node = growth.nodes[static_cast<size_t>(order[i])];
    const bool missing_left =
        node.left >= 0 && missing_goes_left(tree, i, node.missing);
    tree.missing_left.push_back(missing_left);
    tree.subset_start.push_back(static_cast<int64_t>(tree.subset_words.size()));
    if (node.subset >= 0)
      write_subset(growth.subsets[static_cast<size_t>(node.subset)], missing_left,
                   tree);
  }
  tree.subset_start.push_back(static_cast<int64_t>(tree.subset_words.size()));
  return tree;
}

}  // namespace tanoak
