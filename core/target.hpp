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
  // The same for some of the rows, renumbered 0, 1, ...
  ClassTarget subset(const std::vector<uint32_t>& rows) const {
    ClassTarget part{n_classes, label_bits, {}, {}, class_mass, {}};
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
    return part;
  }
  uint32_t renumber(Record, uint32_t row) const { return row; }
};

}  // namespace tanoak
