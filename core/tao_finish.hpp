// From the tree of an optimization to a finished one: what asks nothing, reaches no row
// or answers alike is left out, and rows are counted.
#pragma once

#include <cstdint>
#include <vector>

#include "growth.hpp"
#include "node_rows.hpp"
#include "tao_tree.hpp"

namespace tanoak {

template <class Answer, class Target>
class TaoFinisher {
 public:
  // `keep` names nodes that stay though their sides answer alike; empty: none.
  TaoFinisher(const TaoTree<Answer>& tree, const NodeRows& rows,
              const Features& features, const std::vector<int32_t>& n_levels,
              const Target& target, const std::vector<uint8_t>& keep)
      : tree_(tree),
        rows_(rows),
        features_(features),
        n_levels_(n_levels),
        target_(target),
        keep_(keep),
        place_(tree.nodes.size()),
        alike_(tree.nodes.size(), 0),
        answer_(tree.nodes.size()) {
    for (int32_t id = tree.count(); id-- > 0;) look_below(id);
  }

  Growth<Target> growth() const {
    Growth<Target> out(target_);
    struct Task {
      int32_t from, into;
    };
    std::vector<Task> stack{{place_[0], out.add_node()}};
    while (!stack.empty()) {
      const Task task = stack.back();
      stack.pop_back();
      const auto& node = tree_.at(task.from);
      const auto into = static_cast<size_t>(task.into);
      if (alike_[static_cast<size_t>(task.from)]) {
        out.nodes[into].leaf = read_leaf(node, out);
        continue;
      }
      const int32_t left = out.add_node(), right = out.add_node();
      const bool swapped = node.split.swapped;
      out.nodes[into].left = left;
      out.nodes[into].right = right;
      write_split(node, out, out.nodes[into]);
      stack.push_back(
          {place_[static_cast<size_t>(swapped ? node.left : node.right)], right});
      stack.push_back(
          {place_[static_cast<size_t>(swapped ? node.right : node.left)], left});
    }
    return out;
  }

  // The nodes of the finished tree by their place among those it was made from.
  std::vector<int32_t> origins() const {
    std::vector<int32_t> found, stack{place_[0]};
    while (!stack.empty()) {
      const int32_t id = stack.back();
      stack.pop_back();
      found.push_back(id);
      const auto& node = tree_.at(id);
      if (alike_[static_cast<size_t>(id)]) continue;
      const bool swapped = node.split.swapped;
      stack.push_back(place_[static_cast<size_t>(swapped ? node.left : node.right)]);
      stack.push_back(place_[static_cast<size_t>(swapped ? node.right : node.left)]);
    }
    return found;
  }

 private:
  // Which node stands for this one, and whether all below it answer alike.
  void look_below(int32_t id) {
    const auto at = static_cast<size_t>(id);
    const auto& node = tree_.at(id);
    place_[at] = id;
    if (node.is_leaf()) {
      alike_[at] = 1;
      answer_[at] = node.answer;
      return;
    }
    const int32_t left = place_[static_cast<size_t>(node.left)];
    const int32_t right = place_[static_cast<size_t>(node.right)];
    const bool no_left = tree_.at(node.left).n_rows() == 0;
    const bool no_right = tree_.at(node.right).n_rows() == 0;
    if (node.split.kind == SplitKind::all_left || (no_right && !no_left)) {
      place_[at] = left;
    } else if (node.split.kind == SplitKind::all_right || no_left) {
      place_[at] = right;
    } else {
      const auto l = static_cast<size_t>(left), r = static_cast<size_t>(right);
      alike_[at] = alike_[l] && alike_[r] && !(answer_[l] < answer_[r]) &&
                   !(answer_[r] < answer_[l]) && !(keep_.size() > at && keep_[at]);
      answer_[at] = answer_[l];
    }
  }

  int32_t read_leaf(const TaoNode<Answer>& node, Growth<Target>& out) const {
    const uint32_t* rows = rows_.of(node);
    std::vector<Record> records;
    records.reserve(static_cast<size_t>(node.n_rows()));
    for (int64_t i = 0; i < node.n_rows(); ++i)
      records.push_back(make_record(0, rows[i]));  // ids are rows: no label bits
    return out.leaves.add(target_, records.data(),
                          static_cast<int64_t>(records.size()));
  }

  void write_split(const TaoNode<Answer>& node, Growth<Target>& out,
                   GrowingNode& into) const {
    const NodeSplit& split = node.split;
    into.column = split.column;
    into.threshold = split.kind == SplitKind::subset ? 0.0 : split.threshold;
    const bool missing_left = split.missing_left != split.swapped;
    into.missing = missing_left ? MissingSide::left : MissingSide::right;
    if (split.kind == SplitKind::sum) {
      SplitTerms terms;
      for (const Term& term : split.terms) {
        const FeatureInfo at = features_.info(term.feature);
        terms.push_back({at.column, at.level, term.weight});
      }
      into.terms = static_cast<int32_t>(out.terms.size());
      out.terms.push_back(std::move(terms));
      return;
    }
    GrowingSubset subset;
    subset.left = split.left_levels;
    subset.seen.assign(subset.left.size(), 0);
    if (split.kind == SplitKind::subset)  // bits beyond the last category stay 0
      for (auto level =
               static_cast<size_t>(n_levels_[static_cast<size_t>(split.column)]);
           level < 64 * subset.seen.size(); ++level)
        subset.seen[level / 64] |= uint64_t{1} << (level % 64);
    if (!see_values(node, subset)) into.missing = MissingSide::heavier;
    if (split.kind != SplitKind::subset) return;
    for (size_t word = 0; word < subset.left.size(); ++word)
      subset.left[word] &= subset.seen[word];  // those not seen go with the missing
    into.subset = static_cast<int32_t>(out.subsets.size());
    out.subsets.push_back(std::move(subset));
  }

  // Notes the categories that occur; says whether a value is missing.
  bool see_values(const TaoNode<Answer>& node, GrowingSubset& subset) const {
    const uint32_t* rows = rows_.of(node);
    constexpr int64_t block = 4096;
    std::vector<double> values(block);
    bool missing = false;
    for (int64_t begin = 0; begin < node.n_rows(); begin += block) {
      const int64_t n = std::min(block, node.n_rows() - begin);
      features_.gather_raw(node.split.column, rows + begin, n, values.data());
      for (int64_t i = 0; i < n; ++i) {
        const double value = values[static_cast<size_t>(i)];
        missing |= std::isnan(value);
        if (node.split.kind != SplitKind::subset || std::isnan(value)) continue;
        const auto level = static_cast<size_t>(value);
        subset.seen[level / 64] |= uint64_t{1} << (level % 64);
      }
    }
    return missing;
  }

  const TaoTree<Answer>& tree_;
  const NodeRows& rows_;
  const Features& features_;
  const std::vector<int32_t>& n_levels_;
  const Target& target_;
  const std::vector<uint8_t>& keep_;
  std::vector<int32_t> place_;
  std::vector<uint8_t> alike_;
  std::vector<Answer> answer_;
};

}  // namespace tanoak
