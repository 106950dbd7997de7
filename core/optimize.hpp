// Tree alternating optimization: every node in turn gets the cheapest split
// while all others stay as they are, the deepest first. The loss never rises.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "losses.hpp"
#include "node_rows.hpp"
#include "node_solver.hpp"

namespace tanoak {

struct OptimizeSettings {
  std::vector<NodeRules> rules = {NodeRules()};  // the first is for all nodes...
  std::vector<int32_t> rules_of;                 // ...unless these say else, by node
  std::vector<uint8_t> fixed;     // by node: its split stays; empty: none does
  std::vector<uint8_t> must_ask;  // by node: it may not be left out; empty: all may
};

struct PassReport {
  bool changed = false;  // another split or another answer
  int64_t loss = 0, price = 0;
  int64_t n_splits = 0, n_terms = 0;  // of the nodes that are reached
};

template <class Loss>
class Optimizer {
 public:
  using Answer = typename Loss::Answer;
  using Node = TaoNode<Answer>;

  // Without a solver splits are kept or left out.
  Optimizer(const Features& features, NodeSolver* solver, const Loss& loss,
            OptimizeSettings settings, TaoTree<Answer> tree, Workers& workers,
            const StopFlag& stop)
      : features_(features),
        loss_(loss),
        settings_(std::move(settings)),
        tree_(std::move(tree)),
        rows_(tree_, features, workers, stop),
        solver_(solver),
        scratch_(static_cast<size_t>(workers.count())) {
    for (size_t depth = tree_.inner.size(); depth-- > 0;) settle_prices(depth);
    update_leaves(workers, stop);
    report_ = count();
  }

  const TaoTree<Answer>& tree() const { return tree_; }
  const NodeRows& rows() const { return rows_; }
  const PassReport& report() const { return report_; }
  const OptimizeSettings& settings() const { return settings_; }

  // One pass over all nodes, the deepest first. With as many workers as the
  // optimizer was made with, or fewer.
  const PassReport& pass(Workers& workers, const StopFlag& stop) {
    bool changed = false;
    for (size_t depth = tree_.inner.size(); depth-- > 0;) {
      const auto& ids = tree_.inner[depth];
      const auto n_nodes = static_cast<int64_t>(ids.size());
      if (n_nodes < workers.count())
        for (const int32_t id : ids) solve(id, 0, &workers, stop);
      else
        workers.run(n_nodes, [&](int64_t i, int worker) {
          solve(ids[static_cast<size_t>(i)], static_cast<size_t>(worker), nullptr,
                stop);
        });
      for (const int32_t id : ids)
        if (tree_.at(id).changed) {
          changed = true;
          wake_above(id);
        }
      settle_prices(depth);
    }
    rows_.settle(tree_, workers, stop);
    changed = update_leaves(workers, stop) || changed;
    report_ = count();
    report_.changed = changed;
    return report_;
  }

 private:
  struct Scratch {
    RouteScratch route;
    std::vector<int32_t> other;  // of each row: its leaf on the side it does not take
    std::vector<int32_t> part;
    std::vector<uint32_t> care_rows, care_places;
    std::vector<int64_t> stakes;
    std::vector<uint8_t> left;
    Stakes total;
    int64_t loss_now = 0;
    uint64_t mark = 0;

    CarePoints care() const {
      return {care_rows.data(), stakes.data(), static_cast<int64_t>(care_rows.size())};
    }
  };

  const NodeRules& rules_of(int32_t id) const {
    return settings_
        .rules[settings_.rules_of.empty()
                   ? 0
                   : static_cast<size_t>(settings_.rules_of[static_cast<size_t>(id)])];
  }
  static bool says(const std::vector<uint8_t>& flags, int32_t id) {
    return !flags.empty() && flags[static_cast<size_t>(id)] != 0;
  }

  // What the splits at and below a node cost that are still asked.
  int64_t price_with(int32_t id, const NodeSplit& split) const {
    const Node& node = tree_.at(id);
    const int64_t left = tree_.at(node.left).price, right = tree_.at(node.right).price;
    if (split.kind == SplitKind::all_left) return left;
    if (split.kind == SplitKind::all_right) return right;
    return price_of(rules_of(id), features_, split) + left + right;
  }
  void settle_prices(size_t depth) {
    for (const int32_t id : tree_.inner[depth])
      tree_.at(id).price = price_with(id, tree_.at(id).split);
  }
  void wake_above(int32_t id) {
    for (int32_t up = tree_.at(id).parent; up >= 0; up = tree_.at(up).parent)
      tree_.at(up).stale = true;
  }

  // --- one node ---

  void solve(int32_t id, size_t worker, Workers* inside, const StopFlag& stop) {
    Node& node = tree_.at(id);
    if (!node.stale || says(settings_.fixed, id)) return;
    Scratch& at = scratch_[worker];
    find_others(node, at, stop);
    collect_care(node, at);
    node.stale = false;
    if (at.mark == node.solved) return;
    node.solved = at.mark;
    const NodeChoice now = current(id, at);
    const NodeChoice best = choose(id, now, at, worker, inside, stop);
    if (best.objective() == now.objective() &&
        best.split.n_terms() == now.split.n_terms())
      return;
    take(node, best.split, now, best.price, at);
  }

  // Where the rows of a node would end on the side they do not take.
  void find_others(const Node& node, Scratch& at, const StopFlag& stop) const {
    const Node &left = tree_.at(node.left), &right = tree_.at(node.right);
    const auto n = static_cast<size_t>(node.n_rows());
    at.other.resize(std::max(at.other.size(), n));
    at.part.resize(std::max(at.part.size(), n));
    find_leaves(tree_, features_, node.right, rows_.of(left), left.n_rows(),
                at.part.data(), at.route, stop);
    find_leaves(tree_, features_, node.left, rows_.of(right), right.n_rows(),
                at.part.data() + left.n_rows(), at.route, stop);
    const uint32_t* rows = rows_.of(node);
    size_t next[2] = {0, static_cast<size_t>(left.n_rows())};
    for (size_t i = 0; i < n; ++i)
      at.other[i] = at.part[next[rows_.leaf(rows[i]) >= node.right]++];
  }

  // The rows whose loss depends on the side they take.
  void collect_care(const Node& node, Scratch& at) const {
    at.care_rows.clear(), at.care_places.clear(), at.stakes.clear();
    at.total = {};
    at.loss_now = 0;
    uint64_t mark = 0x9E3779B97F4A7C15u;
    auto mix = [&mark](uint64_t word) {
      mark = (mark ^ word) * 0xBF58476D1CE4E5B9u;
      mark ^= mark >> 29;
    };
    mix(static_cast<uint64_t>(tree_.at(node.left).price));
    mix(static_cast<uint64_t>(tree_.at(node.right).price));
    const uint32_t* rows = rows_.of(node);
    for (int64_t i = 0; i < node.n_rows(); ++i) {
      const uint32_t row = rows[i];
      const int32_t here = rows_.leaf(row), there = at.other[static_cast<size_t>(i)];
      const Answer answer = tree_.at(here).answer, other = tree_.at(there).answer;
      if (Loss::same(answer, other)) continue;
      const int64_t more = loss_.loss(row, other) - loss_.loss(row, answer);
      if (more == 0) continue;
      const int64_t stake = here < node.right ? more : -more;
      at.care_rows.push_back(row);
      at.care_places.push_back(static_cast<uint32_t>(i));
      at.stakes.push_back(stake);
      at.total.add(stake);
      at.loss_now += std::max<int64_t>(-more, 0);
      mix(row);
      mix(static_cast<uint64_t>(stake));
    }
    at.mark = mark == 0 ? 1 : mark;
  }

  // Prices are compared by what they differ: a constant saves the subtree it
  // cuts off.
  NodeChoice priced(int32_t id, NodeSplit split, int64_t loss) const {
    NodeChoice choice;
    const Node& node = tree_.at(id);
    choice.price =
        price_with(id, split) - tree_.at(node.left).price - tree_.at(node.right).price;
    choice.split = std::move(split);
    choice.loss = loss;
    return choice;
  }

  NodeChoice current(int32_t id, const Scratch& at) const {
    return priced(id, tree_.at(id).split, at.loss_now);
  }

  NodeChoice constant(int32_t id, const Scratch& at) const {
    NodeSplit left, right;
    left.kind = SplitKind::all_left, right.kind = SplitKind::all_right;
    const NodeChoice to_left = priced(id, left, at.total.down);
    const NodeChoice to_right = priced(id, right, at.total.up);
    return to_right.objective() < to_left.objective() ? to_right : to_left;
  }

  NodeChoice choose(int32_t id, const NodeChoice& now, Scratch& at, size_t worker,
                    Workers* inside, const StopFlag& stop) {
    const NodeRules& rules = rules_of(id);
    Node& node = tree_.at(id);
    const CarePoints care = at.care();
    const bool must_ask = says(settings_.must_ask, id);
    NodeChoice best = now;
    if (!obeys(rules, features_, now.split) || (must_ask && now.split.is_constant()))
      best.loss = std::numeric_limits<int64_t>::max() / 4;
    const NodeChoice none = constant(id, at);
    node.losses.fill(not_looked_for);
    node.losses[with_none] = std::min(at.total.up, at.total.down);
    // Where nothing is at stake a split is left out only if that saves its
    // price.
    const bool idle = care.n == 0 && none.objective() == best.objective();
    if (!must_ask && !idle && none.beats(best)) best = none;
    if (care.n == 0) return best;
    if (solver_)
      solver_->solve({care, rules, none, now.split}, worker, inside, stop, node.losses,
                     best);
    return best.loss < std::numeric_limits<int64_t>::max() / 4 ? best : now;
  }

  // Moves the rows of a node to the sides of its new split, if it is no worse
  // when counted row by row.
  void take(Node& node, const NodeSplit& split, const NodeChoice& now, int64_t price,
            Scratch& at) {
    const auto n = static_cast<size_t>(node.n_rows());
    at.left.resize(std::max(at.left.size(), n));
    const uint32_t* rows = rows_.of(node);
    mark_left(features_, split, rows, node.n_rows(), at.left.data());
    int64_t loss = 0;
    for (size_t i = 0; i < at.care_places.size(); ++i)
      if (at.left[at.care_places[i]] != (at.stakes[i] > 0))
        loss += std::abs(at.stakes[i]);
    NodeChoice counted;
    counted.split = split;
    counted.loss = loss, counted.price = price;
    if (!counted.beats(now) && obeys(rules_of(id_of(node)), features_, now.split))
      return;
    for (size_t i = 0; i < n; ++i)
      if ((at.left[i] != 0) != (rows_.leaf(rows[i]) < node.right))
        rows_.move(rows[i], at.other[i]);
    node.split = split;
    node.changed = true;
  }
  int32_t id_of(const Node& node) const { return node.left - 1; }

  // --- after a pass ---

  bool update_leaves(Workers& workers, const StopFlag& stop) {
    std::vector<int32_t> moved, woken(tree_.nodes.size(), 0);
    for (int32_t id = 0; id < tree_.count(); ++id)
      if (tree_.at(id).is_leaf() && tree_.at(id).moved) moved.push_back(id);
    workers.run(static_cast<int64_t>(moved.size()), [&](int64_t i, int) {
      stop.check();
      const int32_t id = moved[static_cast<size_t>(i)];
      Node& leaf = tree_.at(id);
      const auto [answer, loss] =
          loss_.best(rows_.of(leaf), leaf.n_rows(), leaf.answer);
      woken[static_cast<size_t>(id)] = !Loss::same(answer, leaf.answer);
      leaf.answer = answer;
      leaf.loss = loss;
      leaf.moved = false;
    });
    bool changed = false;
    for (const int32_t id : moved)
      if (woken[static_cast<size_t>(id)]) {
        changed = true;
        wake_above(id);
      }
    return changed;
  }

  PassReport count() const {
    PassReport report;
    report.price = tree_.at(0).price;
    for (const Node& node : tree_.nodes)
      if (node.is_leaf()) report.loss += node.loss;
    tree_.visit_reached([&](int32_t id) {
      const Node& node = tree_.at(id);
      if (node.is_leaf() || node.split.is_constant()) return;
      ++report.n_splits;
      report.n_terms += static_cast<int64_t>(node.split.n_terms());
    });
    return report;
  }

  const Features& features_;
  const Loss& loss_;
  OptimizeSettings settings_;
  TaoTree<Answer> tree_;
  NodeRows rows_;
  NodeSolver* solver_;
  std::vector<Scratch> scratch_;  // by worker
  PassReport report_;
};

}  // namespace tanoak
