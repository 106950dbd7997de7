// The door of tree alternating optimization: a table, what answers cost, a
// start and prices in; pass by pass a better tree out.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "growth.hpp"
#include "losses.hpp"
#include "optimize.hpp"

namespace tanoak {

// Prices are multiples of what is at stake on an average row of weight 1.
struct OptimizePrices {
  double axis = 0, pair = 0, term = 0;
  std::vector<double> columns;  // besides, by column; empty: none
};

// What some nodes of the start may do, by node; nodes without a lock are free.
struct NodeLock {
  int32_t node = 0;
  bool fixed = false;     // its split stays as it is
  bool must_ask = false;  // it is not left out
  std::vector<int32_t> closed;
  std::vector<int32_t> rising, falling;  // columns: larger values go right, left
};

struct OptimizeOptions {
  SolverOptions solvers;
  double penalty = 1;  // of the weights of a split on many features
  OptimizePrices prices;
  std::vector<NodeLock> locks;
};

struct OptimizeInput {
  TableView table;
  std::vector<int32_t> n_levels;  // by column: 0, or how many categories
  std::vector<double> fill;       // by column; empty: to be learned
};

// A pass in the units of the caller.
struct PassRecord {
  bool changed = false;
  double loss = 0, price = 0;
  int64_t n_splits = 0, n_terms = 0;
};

class TreeOptimizer {
 public:
  virtual ~TreeOptimizer() = default;
  virtual PassRecord pass(Workers& workers, const StopFlag& stop) = 0;
  virtual PassRecord now() const = 0;
  virtual TaoState state() const = 0;
  // What is reached by training rows, with counts.
  virtual TreeArrays tree() const = 0;
  // Of each node of `tree()` the node of the start it comes from.
  virtual std::vector<int32_t> origins() const = 0;
  // Least losses by node of the start and kind of solution, in the units of the
  // caller; -1 where they were not looked for.
  virtual std::vector<double> solution_losses() const = 0;
  virtual double mean_stake() const = 0;
};

// `weight` says what is reported; what the search weighs is in `costs`. The
// views stay in use as long as the optimizer.
std::unique_ptr<TreeOptimizer> optimize_classes(const OptimizeInput& input,
                                                const ClassCosts& costs,
                                                const double* weight,
                                                const OptimizeOptions& options,
                                                const TaoState& start, Workers& workers,
                                                const StopFlag& stop);

std::unique_ptr<TreeOptimizer> optimize_numbers(const OptimizeInput& input,
                                                const NumberCosts& costs,
                                                const OptimizeOptions& options,
                                                const TaoState& start, Workers& workers,
                                                const StopFlag& stop);

// What a random tree looks like.
struct RandomTree {
  int32_t depth = 4;
  int64_t n_terms = 0;  // features in each split; 0: all
  uint64_t seed = 0;
};

TaoState random_start(const OptimizeInput& input, const RandomTree& wanted,
                      Workers& workers, const StopFlag& stop);

}  // namespace tanoak
