// One node's problem solved with weighted features: a sparse logistic surrogate on the
// training's scale, kept if the split it gives, read off the rows as routing reads
// them, costs less than the best one known.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "logistic.hpp"
#include "node.hpp"
#include "node_matrix.hpp"
#include "refine.hpp"
#include "scale.hpp"

namespace tanoak {

struct SolveObliqueSettings {
  double penalty = 1;  // of the weights, in losses of one row of weight 1
  double unit = 1;     // stake of a row of weight 1
  bool refine_threshold = false;
  bool refine_coordinates = false;
  LogisticSettings logistic;
};

// What stays the same for all nodes of a training.
struct ObliqueTask {
  const Features& features;
  const Scale& scale;
  const NodeRules& rules;
  SolveObliqueSettings settings;
};

// Memory of one worker, used again for every node.
struct ObliqueScratch {
  explicit ObliqueScratch(const ObliqueTask& task) : solver(task.settings.logistic) {}
  NodeMatrix matrix;
  LogisticSolver solver;
};

// A sum of one term as the split on one column that it is.
inline NodeSplit split_of_term(const Features& features, const Term& term,
                               double threshold) {
  const FeatureInfo info = features.info(term.feature);
  NodeSplit split;
  split.column = info.column;
  if (info.level < 0) {
    split.kind = SplitKind::axis;
    split.threshold = threshold / term.weight;
    split.swapped = term.weight < 0;
    const bool below = features.fill(info.column) <= split.threshold;
    split.missing_left = below != split.swapped;
    return split;
  }
  const bool with_left = term.weight <= threshold, without_left = 0 <= threshold;
  if (with_left == without_left) {
    split.kind = with_left ? SplitKind::all_left : SplitKind::all_right;
    return split;
  }
  int32_t n_levels = info.level + 1;
  for (int32_t next = term.feature + 1; next < features.count(); ++next)
    if (features.info(next).column == info.column)
      n_levels = features.info(next).level + 1;
    else
      break;
  split.kind = SplitKind::subset;
  split.missing_left = without_left;
  split.left_levels.assign(static_cast<size_t>(n_levels + 63) / 64, 0);
  for (int32_t level = 0; level < n_levels; ++level)
    if ((level == info.level) == with_left)
      split.left_levels[static_cast<size_t>(level / 64)] |= uint64_t{1} << (level % 64);
  return split;
}

// The solver's weights as a split of the table's own values.
inline NodeSplit split_of_weights(const ObliqueTask& task, const NodeMatrix& matrix,
                                  const std::vector<double>& w) {
  NodeSplit split;
  double threshold = -w.back();
  for (int32_t k = 0; k < matrix.count(); ++k) {
    const double weight = w[static_cast<size_t>(k)];
    if (weight == 0) continue;
    const FeatureScale& scale = task.scale.of(matrix.feature(k));
    split.terms.push_back({matrix.feature(k), weight * scale.inverse});
    threshold += weight * scale.inverse * scale.center;
  }
  if (split.terms.empty()) {
    split.kind = 0 <= threshold ? SplitKind::all_left : SplitKind::all_right;
    return split;
  }
  if (split.terms.size() == 1)
    return split_of_term(task.features, split.terms[0], threshold);
  split.kind = SplitKind::sum;
  split.threshold = threshold;
  return split;
}

// --- the surrogate ---

// Rows as the solver wants them: right is 1, weights in rows of weight 1.
inline void pose(const CarePoints& care, double unit, const NodeMatrix& matrix,
                 LogisticSolver& solver) {
  const auto length = static_cast<size_t>(matrix.length());
  solver.weight.assign(length, 0);
  solver.side.assign(length, 0);
  for (int64_t i = 0; i < care.n; ++i) {
    const auto row = static_cast<size_t>(i);
    const double weight = std::abs(static_cast<double>(care.stake[i])) / unit;
    solver.weight[row] = static_cast<float>(weight);
    solver.side[row] = care.stake[i] < 0 ? 1.0f : -1.0f;
  }
}

// The weights of a split on the solver's scale, as far as its columns are open. A split
// that is no weighted sum gives none.
inline void start_from(const ObliqueTask& task, const NodeMatrix& matrix,
                       const NodeSplit& split, std::vector<double>& w) {
  if (split.kind != SplitKind::sum) return;
  double intercept = -split.threshold;
  for (const Term& term : split.terms) {
    const FeatureScale& scale = task.scale.of(term.feature);
    const int32_t column = matrix.find(term.feature);
    const int wanted = task.rules.direction_of(task.features.info(term.feature).column);
    if (column < 0 || !(scale.inverse > 0) || term.weight * wanted < 0) continue;
    w[static_cast<size_t>(column)] = term.weight / scale.inverse;
    intercept += term.weight * scale.center;
  }
  w.back() = intercept;
  for (double& weight : w)
    if (!std::isfinite(weight)) weight = 0;
}

// What a column costs besides is paid in the surrogate by its weight; where larger
// values have to go one way, so does the weight.
inline void set_limits(const ObliqueTask& task, const NodeMatrix& matrix,
                       LogisticSolver& solver) {
  const NodeRules& rules = task.rules;
  solver.penalty.assign(static_cast<size_t>(matrix.count()) + 1, 0);
  solver.sign.assign(solver.penalty.size(), 0);
  for (int32_t k = 0; k < matrix.count(); ++k) {
    const FeatureInfo at = task.features.info(matrix.feature(k));
    const auto price = static_cast<double>(rules.price_of(at.column));
    solver.penalty[static_cast<size_t>(k)] =
        task.settings.penalty + price / task.settings.unit;
    if (at.level < 0)
      solver.sign[static_cast<size_t>(k)] =
          static_cast<int8_t>(rules.direction_of(at.column));
  }
}

inline NodeSplit fit_surrogate(const ObliqueTask& task, const CarePoints& care,
                               const NodeSplit& current, ObliqueScratch& scratch,
                               const StopFlag& stop) {
  NodeMatrix& matrix = scratch.matrix;
  LogisticSolver& solver = scratch.solver;
  matrix.load(task.features, task.scale, task.rules, care, stop);
  pose(care, task.settings.unit, matrix, solver);
  set_limits(task, matrix, solver);
  solver.w.assign(solver.penalty.size(), 0);
  start_from(task, matrix, current, solver.w);
  solver.solve(matrix, stop);
  return split_of_weights(task, matrix, solver.w);
}

// Puts the surrogate's split into `best` if it beats it. `current` is where the solver
// starts from. Splits that ask nothing are the caller's matter, so where all rows want
// to go to one side there is nothing to look for.
inline void solve_oblique(const ObliqueTask& task, const CarePoints& care,
                          const NodeSplit& current, ObliqueScratch& scratch,
                          NodeChoice& best, const StopFlag& stop) {
  if (best_constant(care).loss == 0) return;
  NodeChoice choice;
  choice.split = fit_surrogate(task, care, current, scratch, stop);
  if (choice.split.is_constant()) return;
  choice.loss = loss_of(task.features, choice.split, care);
  if (choice.split.kind == SplitKind::sum) {
    if (task.settings.refine_coordinates)
      refine_coordinates(task.features, care, choice, stop);
    if (task.settings.refine_threshold) refine_threshold(task.features, care, choice);
  }
  choice.price = price_of(task.rules, task.features, choice.split);
  if (choice.beats(best)) best = std::move(choice);
}

// All nodes of a training: what they share, and memory for each worker.
class ObliqueSolver {
 public:
  ObliqueSolver(const Features& features, const SolveObliqueSettings& settings,
                Workers& workers, const StopFlag& stop)
      : features_(&features),
        settings_(settings),
        scale_(features, false, workers, stop),
        scratch_(static_cast<size_t>(workers.count())) {}

  const Scale& scale() const { return scale_; }

  void solve(const CarePoints& care, const NodeRules& rules, const NodeSplit& current,
             size_t worker, const StopFlag& stop, NodeChoice& best) {
    const ObliqueTask task{*features_, scale_, rules, settings_};
    auto& scratch = scratch_[worker];
    if (!scratch) scratch = std::make_unique<ObliqueScratch>(task);
    solve_oblique(task, care, current, *scratch, best, stop);
  }

 private:
  const Features* features_;
  SolveObliqueSettings settings_;
  Scale scale_;
  std::vector<std::unique_ptr<ObliqueScratch>> scratch_;
};

}  // namespace tanoak
