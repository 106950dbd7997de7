// Greedy growth: find the best cut, split, go on with the children, depth first or best
// first. The same tree for any number of workers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine.hpp"

namespace tanoak {

// --- writing into the tree ---

// Codes beyond the last level count as seen: their bits stay 0.
inline GrowingSubset subset_of(const AxisCut& cut, int32_t n_levels) {
  const size_t n_words = (static_cast<size_t>(n_levels) + 63) / 64;
  GrowingSubset subset{std::vector<uint64_t>(n_words, 0),
                       std::vector<uint64_t>(n_words, 0)};
  auto set = [](std::vector<uint64_t>& words, size_t code) {
    words[code / 64] |= uint64_t{1} << (code % 64);
  };
  for (const uint32_t code : cut.left_codes) {
    set(subset.left, code);
    set(subset.seen, code);
  }
  for (const uint32_t code : cut.right_codes) set(subset.seen, code);
  for (size_t code = static_cast<size_t>(n_levels); code < 64 * n_words; ++code)
    set(subset.seen, code);
  return subset;
}

// Makes node `id` an inner one with two new children.
template <class Engine, class Sums, class Target>
void write_split(const Engine& engine, const NodeCut& made, Split<Sums>& split,
                 Growth<Target>& out, int32_t id) {
  split.left.id = out.add_node();
  split.right.id = out.add_node();
  GrowingNode& node = out.nodes[static_cast<size_t>(id)];
  node.left = split.left.id;
  node.right = split.right.id;
  if (made.sum.found()) {
    node.threshold = made.sum.threshold;
    node.terms = static_cast<int32_t>(out.terms.size());
    out.terms.push_back(engine.describe(made.sum.terms));
    return;
  }
  const AxisCut& cut = made.axis;
  node.column = cut.column;
  if (cut.missing_seen)
    node.missing = cut.missing_left ? MissingSide::left : MissingSide::right;
  const int32_t n_levels = engine.n_levels(cut.column);
  if (n_levels == 0) {
    node.threshold = engine.threshold(cut);
    return;
  }
  node.subset = static_cast<int32_t>(out.subsets.size());
  out.subsets.push_back(subset_of(cut, n_levels));
}

template <class Engine, class Context, class Sums, class Target>
void write_leaf(Engine& engine, const Context& context, const OpenNode<Sums>& node,
                Growth<Target>& out) {
  out.nodes[static_cast<size_t>(node.id)].leaf = engine.read_leaf(node, out.leaves);
  context.progress += node.sums.rows;
}

// --- the two orders ---

// Nodes for which `put_off` says so are left to others.
template <class Engine, class Context, class Sums, class Target, class PutOff>
void grow_depth_first(Engine& engine, const Context& context, OpenNode<Sums> root,
                      Growth<Target>& out, const PutOff& put_off) {
  std::vector<OpenNode<Sums>> open;
  open.push_back(std::move(root));
  while (!open.empty()) {
    context.stop.check();
    OpenNode<Sums> node = std::move(open.back());
    open.pop_back();
    if (!context.may_split(node)) {
      write_leaf(engine, context, node, out);
      continue;
    }
    if (put_off(node)) continue;
    const NodeCut cut = engine.find(node);
    if (!cut.found()) {
      write_leaf(engine, context, node, out);
      continue;
    }
    Split<Sums> parts = engine.split(node, cut);
    if (context.too_small(parts.decrease)) {
      // Its rows lie together still, those of one side before those of the other.
      node.home = {parts.left.home.column, parts.left.home.begin, parts.right.home.end};
      write_leaf(engine, context, node, out);
      continue;
    }
    write_split(engine, cut, parts, out, node.id);
    open.push_back(std::move(parts.right));
    open.push_back(std::move(parts.left));
  }
}

// A node with its best cut, waiting for its turn.
template <class Sums>
struct Candidate {
  OpenNode<Sums> node;
  NodeCut cut;
  double decrease;
  int64_t order;

  bool operator<(const Candidate& other) const {
    return decrease != other.decrease ? decrease < other.decrease : order > other.order;
  }
};

template <class Engine, class Context, class Sums, class Target>
void grow_best_first(Engine& engine, const Context& context, OpenNode<Sums> root,
                     Growth<Target>& out) {
  std::vector<Candidate<Sums>> open;  // a heap: the largest decrease first
  int64_t n_leaves = 1, order = 0;
  auto propose = [&](OpenNode<Sums> node) {
    context.stop.check();
    NodeCut cut;
    if (context.may_split(node)) cut = engine.find(node);
    const double decrease = cut.found() ? engine.decrease_of(node, cut) : 0;
    if (!cut.found() || context.too_small(decrease)) {
      write_leaf(engine, context, node, out);
      return;
    }
    open.push_back({std::move(node), std::move(cut), decrease, order++});
    std::push_heap(open.begin(), open.end());
  };
  propose(std::move(root));
  while (!open.empty() && n_leaves < context.settings.max_leaves) {
    std::pop_heap(open.begin(), open.end());
    Candidate<Sums> best = std::move(open.back());
    open.pop_back();
    Split<Sums> parts = engine.split(best.node, best.cut);
    write_split(engine, best.cut, parts, out, best.node.id);
    ++n_leaves;
    propose(std::move(parts.left));
    propose(std::move(parts.right));
  }
  for (const auto& candidate : open) write_leaf(engine, context, candidate.node, out);
}

// --- on presorted columns ---

// A node that holds all rows of the frame.
template <class Sums, class Target>
OpenNode<Sums> root_of(Frame<Target>& frame, int32_t depth) {
  const auto n_rows = frame.n_rows();
  OpenNode<Sums> root{0, depth, {}, {-1, 0, n_rows}, Sums(*frame.target)};
  for (size_t c = 0; c < frame.columns->size(); ++c) {
    const auto& info = (*frame.columns)[c];
    const Segment segment{static_cast<int32_t>(c), info.begin, info.end};
    if (c == 0 && !frame.lists_rows()) root.home = segment;
    if (varies(frame, segment, n_rows)) root.segments.push_back(segment);
  }
  const Record* rows = frame.home_of(root.home);
  for (int64_t i = 0; i < n_rows; ++i) root.sums.add(*frame.target, rows[i]);
  return root;
}

// A subtree by one worker, its rows numbered anew.
template <class Criterion, class Target, class Sums>
Growth<Target> grow_subtree(Frame<Target>& frame, const GrowContext<Criterion>& context,
                            OpenNode<Sums> node, std::vector<uint32_t>& new_row) {
  std::vector<uint32_t> rows = renumber(frame, node, new_row);
  const Target target = frame.target->subset(rows);
  Frame<Target> part;
  part.pool = frame.pool;
  part.columns = frame.columns;
  part.target = &target;
  part.value_of = frame.value_of;
  part.side.resize(rows.size());
  if (frame.lists_rows()) {
    const Record* home = frame.home_of(node.home);
    part.row_list.assign(home, home + rows.size());
    node.home = {-1, 0, static_cast<int64_t>(rows.size())};
  }
  for (uint32_t& row : rows)
    if (!frame.table_row.empty()) row = frame.table_row[row];
  part.table_row = std::move(rows);
  if constexpr (Sums::holds_rows) {
    node.sums = Sums(target);
    const Record* home = part.home_of(node.home);
    for (int64_t i = 0; i < part.n_rows(); ++i) node.sums.add(target, home[i]);
  }
  Growth<Target> out(target);
  node.id = out.add_node();
  SortedEngine<Criterion> engine(part, context, 1);
  grow_depth_first(engine, context, std::move(node), out,
                   [](const OpenNode<Sums>&) { return false; });
  return out;
}

// `frame` holds all rows of the tree, which starts `depth` levels down.
template <class Criterion, class Target>
Growth<Target> grow_sorted(Frame<Target>& frame, const GrowContext<Criterion>& context,
                           int32_t depth, const AnswerBounds& bounds = {}) {
  using Sums = typename Criterion::Sums;
  using Node = OpenNode<Sums>;
  Workers& workers = context.workers;
  Growth<Target> out(*frame.target);
  Node root = root_of<Sums>(frame, depth);
  root.id = out.add_node();
  root.bounds = bounds;
  SortedEngine<Criterion> engine(frame, context, workers.count());
  if (context.settings.max_leaves > 0) {
    grow_best_first(engine, context, std::move(root), out);
    return out;
  }
  const int64_t most_cells = context.sums ? subtree_cells_of_sums : subtree_cells;
  std::vector<Node> subtrees;
  grow_depth_first(engine, context, std::move(root), out, [&](Node& node) {
    const auto cells = node.sums.rows * static_cast<int64_t>(node.segments.size());
    const bool small =
        node.sums.rows <= subtree_rows && (workers.count() == 1 || cells <= most_cells);
    if (small) subtrees.push_back(std::move(node));
    return small;
  });
  std::vector<uint32_t> new_row(static_cast<size_t>(frame.n_rows()));
  std::vector<Growth<Target>> grown(subtrees.size(), Growth<Target>(*frame.target));
  std::vector<int32_t> places;
  for (const Node& node : subtrees) places.push_back(node.id);
  workers.run(static_cast<int64_t>(subtrees.size()), [&](int64_t i, int) {
    const auto at = static_cast<size_t>(i);
    grown[at] = grow_subtree(frame, context, std::move(subtrees[at]), new_row);
  });
  for (size_t i = 0; i < places.size(); ++i) out.graft(places[i], grown[i]);
  return out;
}

}  // namespace tanoak
