// One node's problem handed to the solvers that it may use; the cheapest answer
// wins.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "codes.hpp"
#include "solve_axis.hpp"
#include "solve_oblique.hpp"
#include "solve_pair.hpp"
#include "tao_tree.hpp"

namespace tanoak {

struct SolverOptions {
  bool axis = true, pair = false, oblique = false;  // what nodes may ask
  // Look for the least loss with one column even where that cannot win.
  bool all_losses = false;
  SolveObliqueSettings oblique_settings;
  SolvePairSettings pair_settings;
};

class NodeSolver {
 public:
  NodeSolver(const Features& features, const std::vector<int32_t>& n_levels,
             const SolverOptions& options, Workers& workers, const StopFlag& stop)
      : features_(features),
        options_(options),
        pairs_(static_cast<size_t>(workers.count())) {
    if (options.axis || options.pair) codes_.emplace(features, workers, stop);
    if (options.axis) axis_.emplace(features, *codes_, n_levels, workers, stop);
    if (!options.oblique) return;
    scale_.emplace(features, false, workers, stop);
    const NodeRules none;
    for (int worker = 0; worker < workers.count(); ++worker)
      oblique_.emplace_back(
          ObliqueTask{features_, *scale_, none, options_.oblique_settings});
  }

  // `none` asks nothing, `current` is the node's split. Replaces `best` by what
  // beats it; the least losses that come to light are noted.
  struct Question {
    CarePoints care;
    const NodeRules& rules;
    const NodeChoice& none;
    const NodeSplit& current;
  };
  void solve(const Question& asked, size_t worker, Workers* inside,
             const StopFlag& stop, SolutionLosses& losses, NodeChoice& best) {
    if (axis_) {
      NodeChoice found = options_.all_losses ? asked.none : best;
      axis_->solve(asked.care, asked.rules, worker, inside, stop, found);
      if (found.split.n_terms() == 1) losses[with_one] = found.loss;
      if (found.beats(best)) best = std::move(found);
    }
    if (options_.pair) {
      NodeChoice found = best;
      Workers alone(1);
      solve_pair(features_, *codes_, asked.care, asked.rules, options_.pair_settings,
                 inside ? *inside : alone, pairs_[worker], found, stop);
      if (found.split.n_terms() == 2) {
        losses[with_two] = found.loss;
        if (obeys(asked.rules, features_, found.split) && found.beats(best))
          best = std::move(found);
      }
    }
    if (scale_) {
      NodeChoice found = best;
      const ObliqueTask task{features_, *scale_, asked.rules,
                             options_.oblique_settings};
      solve_oblique(task, asked.care, asked.current, oblique_[worker], found, stop);
      if (found.split.n_terms() > 2) losses[with_many] = found.loss;
      if (obeys(asked.rules, features_, found.split) && found.beats(best))
        best = std::move(found);
    }
  }

 private:
  const Features& features_;
  SolverOptions options_;
  std::optional<Codes> codes_;
  std::optional<AxisSolver> axis_;
  std::optional<Scale> scale_;
  std::vector<PairScratch> pairs_;       // by worker
  std::vector<ObliqueScratch> oblique_;  // by worker
};

}  // namespace tanoak
