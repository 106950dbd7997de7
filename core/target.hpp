// What growth separates: classes or numbers, with the weight of each row as an integer.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base.hpp"
#include "presort.hpp"

namespace tanoak {

// Weights in whole units. Whole weights stay as they are, so that a weight of 3 is
// three rows to the bit; others are scaled by a power of two so that the total has 52
// bits and is exact as a double.
struct FixedWeights {
  std::vector<int64_t> units;
  int exponent = 0;  // weight = units * 2^-exponent

  double value(int64_t sum) const {
    return std::ldexp(static_cast<double>(sum), -exponent);
  }
};

inline FixedWeights fix_weights(const std::vector<double>& weights, double total) {
  FixedWeights fixed;
  const bool whole = total <= 4503599627370496.0 &&  // 2^52
                     std::all_of(weights.begin(), weights.end(),
                                 [](double w) { return w == std::floor(w); });
  fixed.exponent = whole ? 0 : fixed_exponent(total, 52);
  fixed.units.reserve(weights.size());
  for (const double weight : weights) {
    const int64_t units = std::llround(std::ldexp(weight, fixed.exponent));
    fixed.units.push_back(weight > 0 && units == 0 ? 1 : units);
  }
  return fixed;
}

// Classes: the id of a row is row << label_bits | label, or the row alone where that
// would not fit in 32 bits.
struct ClassTarget {
  int32_t n_classes = 0;
  unsigned label_bits = 0;
  std::vector<int32_t> labels;      // by row; read only when label_bits is 0
  std::vector<int64_t> row_mass;    // empty: class_mass[label]
  std::vector<int64_t> class_mass;  // by class
  // What is reported, without costs and priors; empty: every row counts one.
  std::vector<int64_t> row_weight;
  // For criteria that ask what answers cost, in whole units of `cost_unit`: K x K by
  // true class and answer and per unit of mass, or, where not empty, of each row.
  std::vector<int64_t> class_costs, row_costs;
  double cost_unit = 1;

  uint32_t make_id(uint32_t row, int32_t label) const {
    return row << label_bits | (label_bits ? static_cast<uint32_t>(label) : 0u);
  }
  uint32_t row(Record record) const { return id_of(record) >> label_bits; }
  int32_t label(Record record) const {
    const uint32_t mask = (1u << label_bits) - 1;
    return label_bits ? static_cast<int32_t>(id_of(record) & mask)
                      : labels[id_of(record)];
  }
  int64_t mass(Record record) const {
    return row_mass.empty() ? class_mass[static_cast<size_t>(label(record))]
                            : row_mass[row(record)];
  }
  // Adds the cost of each answer to a row, times `sign`; returns that of the cheapest.
  int128 add_costs(Record record, int128* answers, int sign = 1) const {
    const auto n = static_cast<size_t>(n_classes);
    const bool by_row = !row_costs.empty();
    const int64_t* costs = by_row
                               ? &row_costs[row(record) * n]
                               : &class_costs[static_cast<size_t>(label(record)) * n];
    const int128 mass_here = sign * (by_row ? 1 : mass(record));
    int64_t least = costs[0];
    for (size_t k = 0; k < n; ++k) {
      answers[k] += mass_here * costs[k];
      least = std::min(least, costs[k]);
    }
    return mass_here * least;
  }
  // The same for some of the rows, renumbered 0, 1, ...
  ClassTarget subset(const std::vector<uint32_t>& rows) const {
    ClassTarget part{n_classes, label_bits, {}, {}, class_mass, {}, {}, {}, cost_unit};
    part.class_costs = class_costs;
    const auto n = row_costs.empty() ? 0 : n_classes;
    for (const uint32_t row : rows)
      part.row_costs.insert(part.row_costs.end(), row_costs.begin() + int64_t{row} * n,
                            row_costs.begin() + (int64_t{row} + 1) * n);
    if (label_bits == 0)
      for (const uint32_t row : rows) part.labels.push_back(labels[row]);
    if (!row_mass.empty())
      for (const uint32_t row : rows) part.row_mass.push_back(row_mass[row]);
    if (!row_weight.empty())
      for (const uint32_t row : rows) part.row_weight.push_back(row_weight[row]);
    return part;
  }
  uint32_t renumber(Record record, uint32_t row) const {
    const uint32_t mask = (1u << label_bits) - 1;
    return row << label_bits | (id_of(record) & mask);
  }
};

// Numbers: the search sums them in units that cannot overflow 63 bits.
struct NumberTarget {
  std::vector<double> numbers;      // by row
  std::vector<int64_t> row_mass;    // empty: 1
  std::vector<int64_t> row_moment;  // mass times (number - mean), in search units
  int sum_exponent = 0;             // leaf sums are kept in units of 2^-sum_exponent
  // For criteria that ask for medians: the place of each row in the order of the
  // numbers, and the row at each place; else empty.
  std::vector<uint32_t> place, row_at;

  // Equal numbers are ordered by mass, so that the order of rows does not show.
  void rank_numbers() {
    row_at.resize(numbers.size());
    place.resize(numbers.size());
    for (uint32_t row = 0; row < row_at.size(); ++row) row_at[row] = row;
    std::sort(row_at.begin(), row_at.end(), [&](uint32_t a, uint32_t b) {
      if (numbers[a] != numbers[b]) return numbers[a] < numbers[b];
      if (!row_mass.empty() && row_mass[a] != row_mass[b])
        return row_mass[a] < row_mass[b];
      return a < b;
    });
    for (uint32_t at = 0; at < row_at.size(); ++at) place[row_at[at]] = at;
  }
  uint32_t make_id(uint32_t row, int32_t) const { return row; }
  uint32_t row(Record record) const { return id_of(record); }
  int64_t mass(Record record) const {
    return row_mass.empty() ? 1 : row_mass[id_of(record)];
  }
  NumberTarget subset(const std::vector<uint32_t>& rows) const {
    NumberTarget part;
    part.sum_exponent = sum_exponent;
    for (const uint32_t row : rows) {
      part.numbers.push_back(numbers[row]);
      part.row_moment.push_back(row_moment[row]);
      if (!row_mass.empty()) part.row_mass.push_back(row_mass[row]);
    }
    if (!place.empty()) part.rank_numbers();
    return part;
  }
  uint32_t renumber(Record, uint32_t row) const { return row; }
};

}  // namespace tanoak
