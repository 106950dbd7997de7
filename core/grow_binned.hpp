// Growth when the sorted columns would not fit: nodes are cut at quantiles until one is
// small enough, and exactly from there on.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "bins.hpp"
#include "grow.hpp"

namespace tanoak {

template <class Criterion, class T>
class BinnedEngine {
 public:
  using Target = typename Criterion::Target;
  using Sums = typename Criterion::Sums;
  using Node = OpenNode<Sums>;
  using Context = GrowContext<Criterion>;

  BinnedEngine(const DenseView<T>& table, const std::vector<int32_t>& n_levels,
               const Target& target, std::vector<uint32_t> ids, const Context& context)
      : table_(table),
        target_(target),
        context_(context),
        criterion_(context.make_criterion(target)),
        bins_(make_bins(table, n_levels, context.workers, context.stop)),
        ids_(std::move(ids)),
        side_(ids_.size()) {
    for (int i = 0; i < context.workers.count(); ++i)
      searches_.emplace_back(target, context.make_criterion(target),
                             context.settings.limits, &context.settings.monotone);
    if (context.sums)
      sum_search_ = context.sums.make_search(target, Crew(&context.workers));
  }

  Node root() {
    const auto n = static_cast<int64_t>(ids_.size());
    Node root{0, 0, {}, {-1, 0, n}, Sums(target_)};
    for (int32_t column = 0; column < table_.n_columns; ++column)
      root.segments.push_back({column, 0, 0});
    for (const uint32_t id : ids_) root.sums.add(target_, id);
    return root;
  }

  const Target& target() const { return target_; }
  SplitTerms describe(const std::vector<Term>& terms) const {
    return describe_terms(*context_.sums.features, terms);
  }
  int32_t n_levels(int32_t column) const {
    return bins_.columns[static_cast<size_t>(column)].n_levels;
  }

  double threshold(const AxisCut& cut) const {
    if (rank_of(cut.first_right) == missing_rank)
      return std::numeric_limits<double>::max();
    const auto& info = bins_.columns[static_cast<size_t>(cut.column)];
    return midpoint(info.highest[rank_of(cut.last_left)],
                    info.lowest[rank_of(cut.first_right)]);
  }

  NodeCut find(const Node& node) {
    for (auto& search : searches_) search.look_at(node.bounds);
    const AxisCut axis = find_axis<Criterion>(
        node.segments.size(), searches_.size(),
        [&](const auto& work) { for_columns(node, work); },
        [&](size_t i, size_t worker, AxisCut& best) {
          look(node, node.segments[i].column, searches_[worker], best);
        });
    NodeCut cut{axis, {}};
    if (sum_search_) cut.sum = find_sum(node, cut);
    return cut;
  }

  Split<Sums> split(Node& node, const NodeCut& cut) {
    Split<Sums> result{Node{0, node.depth + 1, node.segments, node.home, Sums(target_)},
                       Node{0, node.depth + 1, node.segments, node.home, Sums(target_)},
                       0};
    mark(node, cut, result.left.sums, result.right.sums);
    result.decrease =
        criterion_.decrease(node.sums, result.left.sums, result.right.sums);
    if (!cut.sum.found())
      pass_bounds(context_.settings.monotone, node, cut.axis,
                  n_levels(cut.axis.column) == 0, result);
    const auto first = ids_.begin() + node.home.begin;
    std::stable_partition(first, ids_.begin() + node.home.end,
                          [&](uint32_t id) { return side_[target_.row(id)] != 0; });
    result.left.home.end = result.right.home.begin =
        node.home.begin + result.left.sums.rows;
    return result;
  }

  double decrease_of(const Node& node, const NodeCut& cut) {
    Sums left(target_), right(target_);
    mark(node, cut, left, right);
    return criterion_.decrease(node.sums, left, right);
  }

  int32_t read_leaf(const Node& node, typename Growth<Target>::Leaves& leaves) {
    const std::vector<Record> records(ids_.begin() + node.home.begin,
                                      ids_.begin() + node.home.end);
    return leaves.add(target_, records.data(), static_cast<int64_t>(records.size()));
  }

  // The ids of a node's rows in the order of the table, which moving rows keeps.
  std::vector<uint32_t> ids_of(const Node& node) const {
    return {ids_.begin() + node.home.begin, ids_.begin() + node.home.end};
  }

 private:
  // Bin or category of a row; missing_rank if it has none.
  uint32_t group_of(int32_t column, const uint8_t* codes, uint32_t row) const {
    if (n_levels(column) == 0)
      return codes[row] == missing_bin ? missing_rank : codes[row];
    const T code = table_(row, column);
    return std::isnan(code) ? missing_rank : static_cast<uint32_t>(code);
  }

  size_t n_groups(int32_t column) const {
    const auto& info = bins_.columns[static_cast<size_t>(column)];
    return info.n_levels > 0 ? static_cast<size_t>(info.n_levels) : info.lowest.size();
  }

  template <class Work>
  void for_columns(const Node& node, const Work& work) const {
    context_.workers.run(static_cast<int64_t>(node.segments.size()),
                         [&](int64_t i, int worker) {
                           context_.stop.check();
                           work(static_cast<size_t>(i), static_cast<size_t>(worker));
                         });
  }

  void look(const Node& node, int32_t column, AxisSearch<Criterion>& search,
            AxisCut& best) {
    const uint8_t* codes = bins_.of(column);
    std::vector<Sums> sums(n_groups(column), Sums(target_));
    Sums missing(target_);
    for (int64_t i = node.home.begin; i < node.home.end; ++i) {
      const uint32_t id = ids_[static_cast<size_t>(i)];
      const uint32_t group = group_of(column, codes, target_.row(id));
      (group == missing_rank ? missing : sums[group]).add(target_, id);
    }
    std::vector<Category<Sums>> groups;
    for (size_t g = 0; g < sums.size(); ++g)
      if (sums[g].rows > 0)
        groups.push_back({static_cast<uint32_t>(g), std::move(sums[g])});
    search.search_groups(column, std::move(groups), missing, node.sums,
                         n_levels(column) > 0, best);
  }

  SumCut find_sum(const Node& node, const NodeCut& axis) {
    const double decrease = axis.found() ? decrease_of(node, axis) : 0;
    const std::vector<uint32_t> rows = rows_of(node);
    const std::vector<Record> records(ids_.begin() + node.home.begin,
                                      ids_.begin() + node.home.end);
    return sum_search_->find({target_, node.sums, records.data(), rows.data(),
                              node.sums.rows, node.depth, axis.axis, decrease});
  }

  std::vector<uint32_t> rows_of(const Node& node) const {
    std::vector<uint32_t> rows;
    for (int64_t i = node.home.begin; i < node.home.end; ++i)
      rows.push_back(target_.row(ids_[static_cast<size_t>(i)]));
    return rows;
  }

  void mark(const Node& node, const NodeCut& cut, Sums& left, Sums& right) {
    if (cut.sum.found())
      mark_sum(node, cut.sum, left, right);
    else
      mark_axis(node, cut.axis, left, right);
  }

  void mark_sum(const Node& node, const SumCut& cut, Sums& left, Sums& right) {
    const std::vector<uint32_t> rows = rows_of(node);
    std::vector<uint8_t> is_left(rows.size());
    mark_left(*context_.sums.features, cut, rows.data(),
              static_cast<int64_t>(rows.size()), is_left.data());
    for (size_t i = 0; i < rows.size(); ++i) {
      side_[rows[i]] = is_left[i];
      (is_left[i] ? left : right)
          .add(target_, ids_[static_cast<size_t>(node.home.begin) + i]);
    }
  }

  void mark_axis(const Node& node, const AxisCut& cut, Sums& left, Sums& right) {
    const uint8_t* codes = bins_.of(cut.column);
    const SideTest goes_left(cut, n_levels(cut.column));
    for (int64_t i = node.home.begin; i < node.home.end; ++i) {
      const uint32_t id = ids_[static_cast<size_t>(i)];
      const uint32_t row = target_.row(id);
      const bool is_left = goes_left(group_of(cut.column, codes, row));
      side_[row] = is_left;
      (is_left ? left : right).add(target_, id);
    }
  }

  const DenseView<T>& table_;
  const Target& target_;
  const Context& context_;
  Criterion criterion_;
  BinnedColumns bins_;
  std::vector<uint32_t> ids_;  // by node
  std::vector<uint8_t> side_;
  std::vector<AxisSearch<Criterion>> searches_;
  std::unique_ptr<SumSearch<Criterion>> sum_search_;  // null: axis cuts only
};

// The rows of a node, presorted by themselves.
template <class Criterion, class Target, class T>
Growth<Target> grow_part(const DenseView<T>& table,
                         const std::vector<int32_t>& n_levels, const Target& target,
                         const std::vector<uint32_t>& ids, int32_t depth,
                         const AnswerBounds& bounds,
                         const GrowContext<Criterion>& context) {
  std::vector<uint32_t> rows, new_ids;
  for (const uint32_t id : ids) {
    new_ids.push_back(target.renumber(id, static_cast<uint32_t>(rows.size())));
    rows.push_back(target.row(id));
  }
  const Target part = target.subset(rows);
  const ValueOf value_of = [&table](int32_t column, int64_t row) {
    return static_cast<double>(table(row, column));
  };
  const RowIds row_ids{new_ids.data(), rows.data(), static_cast<int64_t>(rows.size())};
  SortedColumns sorted =
      presort(table, row_ids, n_levels, context.workers, context.stop);
  Frame<Target> frame;
  frame.pool = sorted.pool.data.get();
  frame.columns = &sorted.columns;
  frame.target = &part;
  frame.value_of = &value_of;
  frame.side.resize(rows.size());
  frame.table_row = std::move(rows);
  if (context.sums) frame.list_rows(new_ids);
  return grow_sorted(frame, context, depth, bounds);
}

template <class Criterion, class Target, class T>
Growth<Target> grow_binned(const DenseView<T>& table,
                           const std::vector<int32_t>& n_levels, const Target& target,
                           const std::vector<uint32_t>& ids,
                           const GrowContext<Criterion>& context) {
  using Node = OpenNode<typename Criterion::Sums>;
  BinnedEngine<Criterion, T> engine(table, n_levels, target, ids, context);
  Growth<Target> out(target);
  Node root = engine.root();
  root.id = out.add_node();
  if (context.settings.max_leaves > 0) {
    grow_best_first(engine, context, std::move(root), out);
    return out;
  }
  std::vector<Node> parts;
  grow_depth_first(engine, context, std::move(root), out, [&](Node& node) {
    const auto bytes =
        node.sums.rows * table.n_columns * static_cast<int64_t>(sizeof(Record));
    const bool fits = bytes <= context.settings.max_sort_bytes;
    if (fits) parts.push_back(std::move(node));
    return fits;
  });
  for (const Node& node : parts)
    out.graft(node.id, grow_part(table, n_levels, target, engine.ids_of(node),
                                 node.depth, node.bounds, context));
  return out;
}

}  // namespace tanoak
