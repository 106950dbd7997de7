// The door of growth: a table, what to separate and the settings in; a tree's arrays
// out.
#pragma once

#include <cstdint>
#include <vector>

#include "grow.hpp"
#include "pair_ranking.hpp"
#include "split_oblique.hpp"
#include "table.hpp"

namespace tanoak {

enum class ClassCriterion {
  gini,
  entropy,
  gain_ratio,
  dkm,
  error,  // with added_mass: the error to be expected
  auc,
  cost,
  generalized_gini
};
enum class NumberCriterion { squared_error, absolute_error };

struct ClassInput {
  const int32_t* labels;
  int32_t n_classes;
  ClassCriterion criterion;
  const double* class_mass;  // what a row of each class weighs in the search...
  const double* row_mass;    // ...or each row; null if the class decides
  const double* row_weight;  // what is reported; null: one
  // What answers cost, K x K by true class and answer, or n x K with all weights in it;
  // null where the criterion does not ask.
  const double* class_costs = nullptr;
  const double* row_costs = nullptr;
  const double* added_mass = nullptr;  // by class, to each side of a cut; null: none
};

struct NumberInput {
  const double* numbers;
  const double* row_weight;  // null: one
  NumberCriterion criterion = NumberCriterion::squared_error;
};

// How many features a cut may weigh.
enum class SplitFamily { axis, pair, oblique };

struct GrowOptions {
  GrowSettings settings;
  SplitFamily family = SplitFamily::axis;
  PairSettings pair;
  ObliqueSettings oblique;
  double min_mass_fraction = 0;      // of the total mass, in each child
  double min_impurity_decrease = 0;  // of impurity, times the node's share of the mass
};

// `n_levels` has an entry for each column: 0, or how many categories its codes name.
TreeArrays grow_classes(const TableView& table, const std::vector<int32_t>& n_levels,
                        const ClassInput& input, GrowOptions options, Workers& workers,
                        const StopFlag& stop, Progress& progress);

TreeArrays grow_numbers(const TableView& table, const std::vector<int32_t>& n_levels,
                        const NumberInput& input, GrowOptions options, Workers& workers,
                        const StopFlag& stop, Progress& progress);

}  // namespace tanoak
