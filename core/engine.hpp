// The steps of growth on presorted columns: find the best cut of a node, move its rows
// to two children, read a leaf.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "frame.hpp"
#include "growth.hpp"
#include "parallel.hpp"
#include "split_sum.hpp"

namespace tanoak {

struct GrowSettings {
  int64_t max_depth = -1;   // -1: no limit
  int64_t max_leaves = -1;  // -1: no limit, and growth is depth first
  int64_t min_rows_split = 2;
  CutLimits limits;
  double min_decrease = 0;  // of impurity times mass
  int64_t max_sort_bytes = int64_t{1} << 30;
  MonotoneRules monotone;
};

// How many rows have reached their leaf; read by the caller's thread meanwhile.
using Progress = std::atomic<int64_t>;

// Below this many rows a subtree is grown by one worker with rows of its own numbering.
constexpr int64_t subtree_rows = 32768;
constexpr int64_t subtree_cells = int64_t{1} << 21;
// Searches of sums take longer: with less than this, workers share a node.
constexpr int64_t subtree_cells_of_sums = int64_t{1} << 14;

// What is the same for all nodes of a call.
template <class Criterion>
struct GrowContext {
  using Target = typename Criterion::Target;
  using Sums = typename Criterion::Sums;

  std::function<Criterion(const Target&)> make_criterion;
  const GrowSettings& settings;
  Workers& workers;
  const StopFlag& stop;
  Progress& progress;
  SumGrowth<Criterion> sums{};

  // Whatever the columns say, this node stays a leaf.
  bool closed(const OpenNode<Sums>& node) const {
    return node.sums.pure() || node.depth == settings.max_depth ||
           node.sums.rows < settings.min_rows_split ||
           node.sums.rows < 2 * settings.limits.min_rows;
  }
  bool may_split(const OpenNode<Sums>& node) const {
    return !node.segments.empty() && !closed(node);
  }
  // Without a limit even a cut that gains nothing by itself is made (as in XOR).
  bool too_small(double decrease) const {
    return settings.min_decrease > 0 && decrease < settings.min_decrease;
  }
};

template <class Sums>
struct Split {
  OpenNode<Sums> left, right;
  double decrease;
};

inline bool beats(const AxisCut& cut, const AxisCut& other) {
  if (cut.score != other.score) return cut.score > other.score;
  if (cut.second != other.second) return cut.second > other.second;
  return cut.column < other.column;
}

// The best of what several workers found: ties go to the lowest column.
inline AxisCut best_of(const std::vector<AxisCut>& cuts) {
  AxisCut winner = cuts[0];
  for (const AxisCut& cut : cuts)
    if (cut.found() && (!winner.found() || beats(cut, winner))) winner = cut;
  return winner;
}

// Where columns are compared by rank: of those whose cut scores at least the average
// the one of highest rank, ties as above. One cut a column, in the columns' order.
inline AxisCut pick_by_rank(const std::vector<AxisCut>& cuts) {
  double sum = 0, n = 0;
  for (const AxisCut& cut : cuts)
    if (cut.found()) sum += cut.score, ++n;
  constexpr double slack = 1 - 1e-9;  // the average of equal scores is rounded
  AxisCut winner;
  for (const AxisCut& cut : cuts)
    if (cut.found() && cut.score >= sum / n * slack &&
        (!winner.found() || cut.rank > winner.rank))
      winner = cut;
  return winner;
}

// Calls look(i, worker, best) for the columns of a node, by way of `run`; what it finds
// is kept by worker, or by column where columns are ranked.
template <class Criterion, class Run, class Look>
AxisCut find_axis(size_t n_columns, size_t n_workers, const Run& run,
                  const Look& look) {
  constexpr bool ranked = Criterion::ranks_columns;
  std::vector<AxisCut> best(ranked ? std::max<size_t>(1, n_columns) : n_workers);
  run([&](size_t i, size_t worker) { look(i, worker, best[ranked ? i : worker]); });
  return ranked ? pick_by_rank(best) : best_of(best);
}

// Hands the bounds of a node on to the children of a cut on one column.
template <class Sums>
void pass_bounds(const MonotoneRules& rules, const OpenNode<Sums>& node,
                 const AxisCut& cut, bool numeric, Split<Sums>& parts) {
  if (!rules.active()) return;
  const bool ordered = numeric && rank_of(cut.first_right) != missing_rank;
  pass_bounds(rules, ordered ? rules.sign(cut.column) : 0, answer_of(parts.left.sums),
              answer_of(parts.right.sums), node.bounds, parts.left.bounds,
              parts.right.bounds);
}

template <class Sums>
const Segment& segment_of(const OpenNode<Sums>& node, int32_t column) {
  return *std::find_if(node.segments.begin(), node.segments.end(),
                       [&](const Segment& s) { return s.column == column; });
}

// The terms of a sum as the tree keeps them.
inline SplitTerms describe_terms(const Features& features,
                                 const std::vector<Term>& terms) {
  SplitTerms described;
  for (const Term& term : terms) {
    const FeatureInfo info = features.info(term.feature);
    described.push_back({info.column, info.level, term.weight});
  }
  return described;
}

template <class Criterion>
class SortedEngine {
 public:
  using Target = typename Criterion::Target;
  using Sums = typename Criterion::Sums;
  using Node = OpenNode<Sums>;
  using Context = GrowContext<Criterion>;

  // Big nodes are searched and moved by all workers, column by column; a subtree is
  // the business of one.
  SortedEngine(Frame<Target>& frame, const Context& context, int n_workers)
      : frame_(frame),
        context_(context),
        criterion_(context.make_criterion(*frame.target)),
        scratch_(static_cast<size_t>(n_workers)) {
    for (int i = 0; i < n_workers; ++i)
      searches_.emplace_back(*frame.target, context.make_criterion(*frame.target),
                             context.settings.limits, &context.settings.monotone);
    const Crew crew(n_workers > 1 ? &context.workers : nullptr);
    if (context.sums) sum_search_ = context.sums.make_search(*frame.target, crew);
  }

  const Target& target() const { return *frame_.target; }
  double threshold(const AxisCut& cut) const { return frame_.threshold(cut); }
  int32_t n_levels(int32_t column) const { return info(column).n_levels; }
  SplitTerms describe(const std::vector<Term>& terms) const {
    return describe_terms(*context_.sums.features, terms);
  }

  NodeCut find(const Node& node) {
    for (auto& search : searches_) search.look_at(node.bounds);
    const AxisCut axis = find_axis<Criterion>(
        node.segments.size(), searches_.size(),
        [&](const auto& work) { for_columns(node, work); },
        [&](size_t i, size_t worker, AxisCut& best) {
          const Segment& segment = node.segments[i];
          searches_[worker].search(frame_.pool, info(segment.column), segment,
                                   node.sums, best);
        });
    NodeCut cut{axis, {}};
    if (sum_search_) cut.sum = find_sum(node, cut);
    return cut;
  }

  Split<Sums> split(Node& node, const NodeCut& cut) {
    // Where rows are not listed, the records of the column that is cut tell them.
    const Segment home =
        frame_.lists_rows() ? node.home : segment_of(node, cut.axis.column);
    Split<Sums> result{Node{0, node.depth + 1, {}, home, Sums(target())},
                       Node{0, node.depth + 1, {}, home, Sums(target())}, 0};
    Node &left = result.left, &right = result.right;
    mark(node, cut, left.sums, right.sums);
    result.decrease = criterion_.decrease(node.sums, left.sums, right.sums);
    if (!cut.sum.found())
      pass_bounds(context_.settings.monotone, node, cut.axis,
                  n_levels(cut.axis.column) == 0, result);
    if (context_.closed(left) && context_.closed(right))
      move_rows(home);
    else
      move_columns(node, left, right);
    left.home.end = right.home.begin = left.home.begin + left.sums.rows;
    return result;
  }

  double decrease_of(const Node& node, const NodeCut& cut) {
    Sums left(target()), right(target());
    mark(node, cut, left, right);
    return criterion_.decrease(node.sums, left, right);
  }

  int32_t read_leaf(const Node& node, typename Growth<Target>::Leaves& leaves) {
    return leaves.add(target(), frame_.home_of(node.home),
                      node.home.end - node.home.begin);
  }

 private:
  const SortedColumn& info(int32_t column) const {
    return (*frame_.columns)[static_cast<size_t>(column)];
  }

  template <class Work>
  void for_columns(const Node& node, const Work& work) const {
    const auto n_columns = static_cast<int64_t>(node.segments.size());
    auto checked = [&](int64_t i, int worker) {
      if (node.sums.rows > subtree_rows) context_.stop.check();
      work(static_cast<size_t>(i), static_cast<size_t>(worker));
    };
    if (searches_.size() > 1)
      context_.workers.run(n_columns, checked);
    else
      for (int64_t i = 0; i < n_columns; ++i) checked(i, 0);
  }

  SumCut find_sum(const Node& node, const NodeCut& axis) {
    const double decrease = axis.found() ? decrease_of(node, axis) : 0;
    const std::vector<uint32_t> rows = table_rows(frame_, node);
    return sum_search_->find({target(), node.sums, frame_.home_of(node.home),
                              rows.data(), node.sums.rows, node.depth, axis.axis,
                              decrease});
  }

  void mark(const Node& node, const NodeCut& cut, Sums& left, Sums& right) {
    if (cut.sum.found())
      mark_sides(frame_, node, cut.sum, *context_.sums.features, left, right);
    else
      mark_sides(frame_, node, cut.axis, segment_of(node, cut.axis.column), left,
                 right);
  }

  // Two leaves need no columns any more, only to know their rows.
  void move_rows(const Segment& home) {
    partition_segment(frame_, frame_.home_of(home), home.end - home.begin, scratch_[0]);
  }

  void move_columns(const Node& node, Node& left, Node& right) {
    std::vector<int64_t> n_left(node.segments.size());
    for_columns(node, [&](size_t i, size_t worker) {
      const Segment& segment = node.segments[i];
      n_left[i] = partition_segment(frame_, frame_.pool + segment.begin,
                                    segment.end - segment.begin, scratch_[worker]);
    });
    for (size_t i = 0; i < node.segments.size(); ++i) {
      const Segment& segment = node.segments[i];
      const int64_t middle = segment.begin + n_left[i];
      add_segment(left, {segment.column, segment.begin, middle});
      add_segment(right, {segment.column, middle, segment.end});
    }
    if (frame_.lists_rows()) move_rows(node.home);
  }

  void add_segment(Node& node, const Segment& segment) const {
    if (varies(frame_, segment, node.sums.rows)) node.segments.push_back(segment);
  }

  Frame<Target>& frame_;
  const Context& context_;
  Criterion criterion_;
  std::vector<AxisSearch<Criterion>> searches_;       // by worker
  std::unique_ptr<SumSearch<Criterion>> sum_search_;  // null: axis cuts only
  std::vector<std::vector<Record>> scratch_;          // by worker
};

}  // namespace tanoak
