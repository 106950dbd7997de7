// A tree by any criterion from any kind of table: what grow_table.cpp and its like
// compile, a few criteria each.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "fill.hpp"
#include "grow_binned.hpp"
#include "prepare.hpp"
#include "split_oblique.hpp"
#include "split_pair.hpp"

namespace tanoak {

// Everything that growth needs besides its criterion.
template <class Prepared>
struct GrowJob {
  const TableView& table;
  const std::vector<int32_t>& n_levels;
  const Prepared& ready;
  const std::vector<uint32_t>& ids;
  const GrowOptions& options;
  Workers& workers;
  const StopFlag& stop;
  Progress& progress;
};
using ClassJob = GrowJob<PreparedClasses>;
using NumberJob = GrowJob<PreparedNumbers>;

// Without splits on several columns nothing is filled in.
inline std::vector<double> plain_fill(const std::vector<int32_t>& n_levels) {
  std::vector<double> fill;
  for (const int32_t n : n_levels) fill.push_back(n > 0 ? -1.0 : 0.0);
  return fill;
}

template <class Criterion, class Target, class T>
Growth<Target> grow_on(const DenseView<T>& table, const std::vector<int32_t>& n_levels,
                       const Target& target, const std::vector<uint32_t>& ids,
                       const GrowContext<Criterion>& context) {
  const auto bytes =
      table.n_rows * table.n_columns * static_cast<int64_t>(sizeof(Record));
  if (bytes > context.settings.max_sort_bytes)
    return grow_binned(table, n_levels, target, ids, context);
  const RowIds rows{ids.data(), nullptr, table.n_rows};
  SortedColumns sorted = presort(table, rows, n_levels, context.workers, context.stop);
  const ValueOf value_of = [&table](int32_t column, int64_t row) {
    return static_cast<double>(table(row, column));
  };
  Frame<Target> frame;
  frame.pool = sorted.pool.data.get();
  frame.columns = &sorted.columns;
  frame.target = &target;
  frame.value_of = &value_of;
  frame.side.resize(ids.size());
  if (context.sums) frame.list_rows(ids);
  return grow_sorted(frame, context, 0);
}

template <class Criterion, class Target, class T, class Index>
Growth<Target> grow_on(const SparseView<T, Index>& table, const std::vector<int32_t>&,
                       const Target& target, const std::vector<uint32_t>& ids,
                       const GrowContext<Criterion>& context) {
  const RowIds rows{ids.data(), nullptr, table.n_rows};
  SortedColumns sorted = presort(table, rows, context.workers, context.stop);
  Frame<Target> frame;
  frame.list_rows(ids);
  frame.pool = sorted.pool.data.get();
  frame.columns = &sorted.columns;
  frame.target = &target;
  frame.side.resize(ids.size());
  return grow_sorted(frame, context, 0);
}

// With the family of cuts that is asked for.
template <class Prepared, class MakeCriterion>
TreeArrays grow_by(const GrowJob<Prepared>& job, const MakeCriterion& make_criterion) {
  using Criterion = decltype(make_criterion(job.ready.target));
  using Target = typename Criterion::Target;
  GrowContext<Criterion> context{make_criterion, job.options.settings, job.workers,
                                 job.stop, job.progress};
  std::vector<double> fill = plain_fill(job.n_levels);
  std::unique_ptr<Features> features;
  PairCount pairs;
  if (job.options.family != SplitFamily::axis) {
    fill = learn_fill(job.table, job.n_levels, job.workers, job.stop);
    features = std::make_unique<Features>(job.table, job.n_levels, fill, job.workers,
                                          job.stop);
    context.sums.features = features.get();
  }
  if (job.options.family == SplitFamily::pair) {
    pairs.possible = pairs_of(*features);
    context.sums.make_search = [&](const Target& part, const Crew& crew) {
      return std::make_unique<PairSearch<Criterion>>(
          make_criterion(part), *features, job.options.pair,
          job.options.settings.limits, crew, job.stop, pairs);
    };
  }
  if (job.options.family == SplitFamily::oblique)
    context.sums.make_search = [&](const Target& part, const Crew& crew) {
      return std::make_unique<ObliqueSearch<Criterion>>(
          make_criterion(part), part, *features, job.options.oblique,
          job.options.settings.limits, crew, job.stop);
    };
  TreeArrays tree = std::visit(
      [&](const auto& view) {
        return finish(grow_on(view, job.n_levels, job.ready.target, job.ids, context),
                      job.ready.weight_exponent);
      },
      job.table);
  tree.fill = std::move(fill);
  tree.n_pairs = pairs.possible;
  tree.n_pairs_searched = pairs.searched;
  return tree;
}

// Every criterion but Gini impurity.
TreeArrays grow_classes_by(ClassCriterion criterion, const ClassJob& job);

}  // namespace tanoak
