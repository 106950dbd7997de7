// What a cut is worth, straight from the definitions, and all cuts there are.
#pragma once

#include <algorithm>
#include <cmath>
#include <set>

#include "samples.hpp"

enum class Purity { gini, entropy, squared_error };

// What is to be separated, in plain numbers.
struct Sample {
  Purity purity = Purity::gini;
  Grid grid{0, 0};
  std::vector<int32_t> n_levels;  // by column; 0: numeric
  std::vector<int32_t> labels;    // classes...
  int32_t n_classes = 0;
  std::vector<double> numbers;  // ...or numbers
  std::vector<double> mass;     // of each row

  size_t n_rows() const { return mass.size(); }
};

using RowList = std::vector<size_t>;

struct Limits {
  size_t min_rows = 1;
  double min_mass = 0;
};

struct SlowCut {
  size_t column;
  RowList left, right;
  double decrease;
};

// --- impurity, times mass ---

inline double mass_of(const Sample& sample, const RowList& rows) {
  double sum = 0;
  for (const size_t row : rows) sum += sample.mass[row];
  return sum;
}

inline std::vector<double> class_masses(const Sample& sample, const RowList& rows) {
  std::vector<double> masses(static_cast<size_t>(sample.n_classes), 0.0);
  for (const size_t row : rows)
    masses[static_cast<size_t>(sample.labels[row])] += sample.mass[row];
  return masses;
}

inline double squared_error(const Sample& sample, const RowList& rows) {
  double mean = 0, error = 0;
  for (const size_t row : rows) mean += sample.mass[row] * sample.numbers[row];
  mean /= mass_of(sample, rows);
  for (const size_t row : rows)
    error +=
        sample.mass[row] * (sample.numbers[row] - mean) * (sample.numbers[row] - mean);
  return error;
}

inline double impurity(const Sample& sample, const RowList& rows) {
  const double mass = mass_of(sample, rows);
  if (!(mass > 0)) return 0;
  if (sample.purity == Purity::squared_error) return squared_error(sample, rows);
  double impure = 0;
  for (const double m : class_masses(sample, rows)) {
    const double share = m / mass;
    if (sample.purity == Purity::gini)
      impure += share * (1 - share);
    else if (share > 0)
      impure -= share * std::log2(share);
  }
  return mass * impure;
}

inline double decrease(const Sample& sample, const RowList& left,
                       const RowList& right) {
  RowList both = left;
  both.insert(both.end(), right.begin(), right.end());
  return impurity(sample, both) - impurity(sample, left) - impurity(sample, right);
}

// --- cuts ---

// Rows for which is_left(value) holds, and the others; missing values to one side.
template <class IsLeft>
SlowCut divide(const Sample& sample, const RowList& rows, size_t column,
               bool missing_left, const IsLeft& is_left) {
  SlowCut cut{column, {}, {}, 0};
  for (const size_t row : rows) {
    const double value = sample.grid(row, column);
    const bool left = std::isnan(value) ? missing_left : is_left(value);
    (left ? cut.left : cut.right).push_back(row);
  }
  return cut;
}

inline std::vector<double> present_values(const Sample& sample, const RowList& rows,
                                          size_t column) {
  std::set<double> values;
  for (const size_t row : rows)
    if (!std::isnan(sample.grid(row, column)))
      values.insert(sample.grid(row, column) + 0.0);
  return {values.begin(), values.end()};
}

// All subsets of the categories that occur; there must be few.
inline std::vector<std::set<double>> left_sets(const Sample& sample,
                                               const RowList& rows, size_t column) {
  std::vector<std::set<double>> sets;
  const std::vector<double> codes = present_values(sample, rows, column);
  for (unsigned subset = 1; subset < 1u << codes.size(); ++subset) {
    std::set<double> chosen;
    for (size_t i = 0; i < codes.size(); ++i)
      if (subset >> i & 1u) chosen.insert(codes[i]);
    sets.push_back(chosen);
  }
  return sets;
}

inline bool allowed(const Sample& sample, const SlowCut& cut, const Limits& limits) {
  return cut.left.size() >= limits.min_rows && cut.right.size() >= limits.min_rows &&
         std::min(mass_of(sample, cut.left), mass_of(sample, cut.right)) >=
             limits.min_mass;
}

// Every cut of these rows on one column that the limits allow.
inline std::vector<SlowCut> all_cuts(const Sample& sample, const RowList& rows,
                                     size_t column, const Limits& limits) {
  std::vector<SlowCut> cuts;
  for (const bool missing_left : {false, true}) {
    if (sample.n_levels[column] > 0) {
      for (const auto& codes : left_sets(sample, rows, column))
        cuts.push_back(divide(sample, rows, column, missing_left,
                              [&](double x) { return codes.count(x) > 0; }));
    } else {
      for (const double last : present_values(sample, rows, column))
        cuts.push_back(divide(sample, rows, column, missing_left,
                              [&](double x) { return x <= last; }));
    }
  }
  std::vector<SlowCut> good;
  for (SlowCut& cut : cuts) {
    if (cut.left.empty() || cut.right.empty() || !allowed(sample, cut, limits))
      continue;
    cut.decrease = decrease(sample, cut.left, cut.right);
    good.push_back(cut);
  }
  return good;
}

// The largest decrease any column can give; -1 where no cut is allowed.
inline double best_decrease(const Sample& sample, const RowList& rows,
                            const Limits& limits) {
  double best = -1;
  for (size_t column = 0; column < sample.grid.n_columns; ++column)
    for (const SlowCut& cut : all_cuts(sample, rows, column, limits))
      best = std::max({best, cut.decrease, 0.0});
  return best;
}
