// What growth is asked to separate, in whole units.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "gain_classes.hpp"
#include "grow_table.hpp"

namespace tanoak {

inline int64_t n_rows_of(const TableView& table) {
  return std::visit([](const auto& view) { return view.n_rows; }, table);
}

inline std::vector<double> copy_of(const double* numbers, int64_t n) {
  return numbers ? std::vector<double>(numbers, numbers + n) : std::vector<double>();
}

// Whole numbers add up without error in any order, and so does what is near to them;
// this sum only decides the scale of the units.
inline double total_of(const std::vector<double>& numbers) {
  const double largest = *std::max_element(numbers.begin(), numbers.end());
  if (!(largest > 0)) return 0;
  const int exponent =
      fixed_exponent(largest * static_cast<double>(numbers.size()), 120);
  int128 sum = 0;
  for (const double number : numbers) sum += to_fixed(number, exponent);
  return std::ldexp(to_double(sum), -exponent);
}

inline int64_t at_least(double fraction, int64_t total) {
  return std::max<int64_t>(
      1, std::llround(std::ceil(fraction * static_cast<double>(total))));
}

// --- classes ---

struct PreparedClasses {
  ClassTarget target;
  std::shared_ptr<const ClassPrior> prior;
  int weight_exponent = 0;
  int64_t total_mass = 0;
};

inline unsigned label_bits(int64_t n_rows, int32_t n_classes) {
  unsigned bits = 0;
  while ((int64_t{1} << bits) < n_classes) ++bits;
  // The last id stays free: it marks rows that take no part.
  const bool fits = ((n_rows + 1) << bits) < (int64_t{1} << 32);
  return fits ? bits : 0;
}

// Costs in whole units: those of classes are multiplied by masses of up to 52 bits.
inline void fix_costs(const ClassInput& input, int64_t n_rows, int mass_exponent,
                      ClassTarget& target) {
  const auto fix = [](const std::vector<double>& costs, double total) {
    const int exponent = fixed_exponent(total, 60);
    std::vector<int64_t> units;
    for (const double cost : costs)
      units.push_back(std::llround(std::ldexp(cost, exponent)));
    return std::pair(units, exponent);
  };
  if (input.row_costs) {
    const auto costs = copy_of(input.row_costs, n_rows * input.n_classes);
    const auto [units, exponent] = fix(costs, total_of(costs));
    target.row_costs = units;
    target.cost_unit = std::ldexp(1.0, mass_exponent - exponent);
  } else if (input.class_costs) {
    const auto costs =
        copy_of(input.class_costs, int64_t{input.n_classes} * input.n_classes);
    const auto [units, exponent] =
        fix(costs, *std::max_element(costs.begin(), costs.end()));
    target.class_costs = units;
    target.cost_unit = std::ldexp(1.0, -exponent);
  }
}

// What a class weighs in all, and what smoothing adds to it, in units of mass.
inline std::shared_ptr<const ClassPrior> make_prior(const ClassInput& input,
                                                    int64_t n_rows, int mass_exponent,
                                                    const ClassTarget& target) {
  ClassPrior prior;
  prior.whole.assign(static_cast<size_t>(input.n_classes), 0);
  for (int64_t row = 0; row < n_rows; ++row) {
    const auto at = static_cast<size_t>(row);
    const auto label = static_cast<size_t>(input.labels[row]);
    prior.whole[label] +=
        target.row_mass.empty() ? target.class_mass[label] : target.row_mass[at];
  }
  for (const int64_t mass : prior.whole) prior.total += mass;
  for (const double mass : copy_of(input.added_mass, input.n_classes))
    prior.added.push_back(std::ldexp(mass, mass_exponent));
  return std::make_shared<const ClassPrior>(std::move(prior));
}

inline PreparedClasses prepare(const ClassInput& input, int64_t n_rows) {
  PreparedClasses ready;
  ClassTarget& target = ready.target;
  target.n_classes = input.n_classes;
  target.label_bits = label_bits(n_rows, input.n_classes);
  if (target.label_bits == 0) target.labels.assign(input.labels, input.labels + n_rows);
  const auto class_mass = copy_of(input.class_mass, input.n_classes);
  std::vector<int64_t> counts(class_mass.size(), 0);
  for (int64_t row = 0; row < n_rows; ++row)
    ++counts[static_cast<size_t>(input.labels[row])];
  double total = 0;
  for (size_t k = 0; k < counts.size(); ++k)
    total += static_cast<double>(counts[k]) * class_mass[k];
  FixedWeights masses = fix_weights(class_mass, total);
  target.class_mass = masses.units;
  for (size_t k = 0; k < counts.size(); ++k)
    ready.total_mass += counts[k] * target.class_mass[k];
  if (input.row_mass) {
    const auto row_mass = copy_of(input.row_mass, n_rows);
    masses = fix_weights(row_mass, total_of(row_mass));
    target.row_mass = masses.units;
    ready.total_mass = 0;
    for (const int64_t mass : target.row_mass) ready.total_mass += mass;
  }
  if (input.row_weight) {
    const auto weights = copy_of(input.row_weight, n_rows);
    const FixedWeights fixed = fix_weights(weights, total_of(weights));
    target.row_weight = fixed.units;
    ready.weight_exponent = fixed.exponent;
  }
  ready.prior = make_prior(input, n_rows, masses.exponent, target);
  fix_costs(input, n_rows, masses.exponent, target);
  return ready;
}

// --- numbers ---

struct PreparedNumbers {
  NumberTarget target;
  int weight_exponent = 0;
  int64_t total_mass = 0;
  int moment_exponent = 0;
};

// Sum of mass * f(number), exact in units of 2^-exponent.
template <class F>
int128 fixed_sum(const NumberTarget& target, int exponent, const F& f) {
  int128 sum = 0;
  for (size_t row = 0; row < target.numbers.size(); ++row) {
    const int64_t mass = target.row_mass.empty() ? 1 : target.row_mass[row];
    sum += to_fixed(f(target.numbers[row]), exponent) * mass;
  }
  return sum;
}

inline PreparedNumbers prepare(const NumberInput& input, int64_t n_rows) {
  PreparedNumbers ready;
  NumberTarget& target = ready.target;
  target.numbers = copy_of(input.numbers, n_rows);
  for (double& number : target.numbers) number += 0.0;  // -0.0 is no other number
  ready.total_mass = n_rows;
  if (input.row_weight) {
    const auto weights = copy_of(input.row_weight, n_rows);
    const FixedWeights fixed = fix_weights(weights, total_of(weights));
    target.row_mass = fixed.units;
    ready.weight_exponent = fixed.exponent;
    ready.total_mass = 0;
    for (const int64_t mass : target.row_mass) ready.total_mass += mass;
  }
  double largest = 0;
  for (const double number : target.numbers)
    largest = std::max(largest, std::abs(number));
  const auto mass = static_cast<double>(ready.total_mass);
  target.sum_exponent = fixed_exponent(largest * mass, 120);
  const int128 sum =
      fixed_sum(target, target.sum_exponent, [](double number) { return number; });
  const double center = std::ldexp(to_double(sum), -target.sum_exponent) / mass;
  // The search works with distances from the mean whose sum is known to fit.
  const int spread_exponent = target.sum_exponent - 1;
  const double spread = std::ldexp(
      to_double(fixed_sum(target, spread_exponent,
                          [&](double number) { return std::abs(number - center); })),
      -spread_exponent);
  ready.moment_exponent = fixed_exponent(spread, 61);
  const bool whole = ready.weight_exponent == 0;
  target.row_moment.reserve(target.numbers.size());
  for (size_t row = 0; row < target.numbers.size(); ++row) {
    const int64_t units = target.row_mass.empty() ? 1 : target.row_mass[row];
    const double off = std::ldexp(target.numbers[row] - center, ready.moment_exponent);
    target.row_moment.push_back(whole ? units * std::llround(off)
                                      : std::llround(static_cast<double>(units) * off));
  }
  if (input.criterion == NumberCriterion::absolute_error) target.rank_numbers();
  return ready;
}

}  // namespace tanoak
