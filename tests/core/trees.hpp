// A sample grown into a tree through the door of the core, and trees compared.
#pragma once

#include <cstring>
#include <string>

#include "grow_table.hpp"
#include "oracle.hpp"

// What the mass of a row is: one, that of its class, or its own.
enum class Weighing { none, by_class, by_row };

struct Setup {
  Weighing weighing = Weighing::none;
  tanoak::GrowOptions options;
  int n_workers = 1;
};

inline tanoak::TreeArrays grow(const Sample& sample, const tanoak::TableView& table,
                               const Setup& setup, const tanoak::StopFlag& stop,
                               tanoak::Progress& progress) {
  tanoak::Workers workers(setup.n_workers);
  const bool by_row = setup.weighing == Weighing::by_row;
  const double* row_mass = by_row ? sample.mass.data() : nullptr;
  if (sample.purity == Purity::squared_error)
    return grow_numbers(table, sample.n_levels, {sample.numbers.data(), row_mass},
                        setup.options, workers, stop, progress);
  std::vector<double> class_mass(static_cast<size_t>(sample.n_classes), 1.0);
  if (setup.weighing == Weighing::by_class)
    for (size_t row = 0; row < sample.n_rows(); ++row)
      class_mass[static_cast<size_t>(sample.labels[row])] = sample.mass[row];
  const auto criterion = sample.purity == Purity::gini
                             ? tanoak::ClassCriterion::gini
                             : tanoak::ClassCriterion::entropy;
  return grow_classes(table, sample.n_levels,
                      {sample.labels.data(), sample.n_classes, criterion,
                       class_mass.data(), row_mass, row_mass},
                      setup.options, workers, stop, progress);
}

inline tanoak::TreeArrays grow(const Sample& sample, const tanoak::TableView& table,
                               const Setup& setup) {
  tanoak::Progress progress{0};
  return grow(sample, table, setup, tanoak::StopFlag(), progress);
}

template <class T = double>
tanoak::TreeArrays grow_dense(const Sample& sample, const Setup& setup,
                              Layout layout = Layout::by_row) {
  return grow(sample, Dense<T>(sample.grid, layout).view, setup);
}

template <class T = double, class Index = int32_t>
tanoak::TreeArrays grow_sparse(const Sample& sample, const Setup& setup) {
  return grow(sample, compress_columns<T, Index>(sample.grid, true).view, setup);
}

// The only column of a split.
inline size_t column_of(const tanoak::TreeArrays& tree, size_t node) {
  return static_cast<size_t>(
      tree.term_column[static_cast<size_t>(tree.term_start[node])]);
}

// --- two trees ---

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

// The first thing in which the splits differ; "" if none.
inline std::string difference_of_splits(const tanoak::TreeArrays& a,
                                        const tanoak::TreeArrays& b) {
  if (!same_bits(a.left, b.left)) return "left";
  if (!same_bits(a.right, b.right)) return "right";
  if (!same_bits(a.term_start, b.term_start)) return "term_start";
  if (!same_bits(a.term_column, b.term_column)) return "term_column";
  if (!same_bits(a.term_level, b.term_level)) return "term_level";
  if (!same_bits(a.term_weight, b.term_weight)) return "term_weight";
  if (!same_bits(a.fill, b.fill)) return "fill";
  if (!same_bits(a.threshold, b.threshold)) return "threshold";
  if (!same_bits(a.missing_left, b.missing_left)) return "missing_left";
  if (!same_bits(a.subset_start, b.subset_start)) return "subset_start";
  if (!same_bits(a.subset_words, b.subset_words)) return "subset_words";
  return "";
}

inline std::string difference(const tanoak::TreeArrays& a,
                              const tanoak::TreeArrays& b) {
  const std::string splits = difference_of_splits(a, b);
  if (!splits.empty()) return splits;
  if (!same_bits(a.counts, b.counts)) return "counts";
  if (!same_bits(a.masses, b.masses)) return "masses";
  if (!same_bits(a.mean, b.mean)) return "mean";
  return same_bits(a.sse, b.sse) ? "" : "sse";
}

// --- samples ---

enum class Kinds { numeric, categorical, mixed, mostly_zero };

// n_classes 0: numbers. What is to be learnt depends on the first two columns, with
// noise; `largest` sets how many values a column has.
inline Sample draw_sample(Random& random, size_t n_rows, size_t n_columns,
                          int32_t n_classes, Kinds kinds, int largest) {
  Sample sample;
  sample.grid =
      draw_grid(random, n_rows, n_columns, largest, kinds == Kinds::numeric ? 0 : 0.1);
  for (size_t column = 0; column < n_columns; ++column) {
    const bool categorical =
        kinds == Kinds::categorical || (kinds == Kinds::mixed && column % 2 == 1);
    const int n_levels = categorical ? 2 + int(random.below(6)) : 0;
    const int step = random.chance(0.7) ? 1 : 29;  // codes of several words
    sample.n_levels.push_back(n_levels * step);
    for (size_t row = 0; row < n_rows; ++row) {
      double& cell = sample.grid(row, column);
      if (kinds == Kinds::mostly_zero && random.chance(0.7)) cell = 0;
      if (categorical && !std::isnan(cell)) cell = step * random.whole(0, n_levels - 1);
    }
  }
  sample.n_classes = n_classes;
  sample.purity = n_classes == 0 ? Purity::squared_error : Purity::gini;
  for (size_t row = 0; row < n_rows; ++row) {
    double signal = sample.grid(row, 0) + 100;
    if (n_columns > 1) signal += sample.grid(row, 1) > 0 ? 2 : 0;
    if (std::isnan(signal)) signal = 0;
    if (n_classes == 0) {
      sample.numbers.push_back(signal + random.whole(-8, 8) / 4);
    } else {
      const size_t k = random.chance(0.4) ? random.below(size_t(n_classes))
                                          : size_t(signal) % size_t(n_classes);
      sample.labels.push_back(static_cast<int32_t>(k));
    }
    sample.mass.push_back(1);
  }
  return sample;
}

// Gives rows (or classes) masses; whole ones, or with a fraction.
inline Weighing draw_mass(Random& random, Sample& sample, Weighing weighing,
                          bool whole) {
  auto draw = [&] { return whole ? random.whole(1, 5) : random.unit() * 3 + 0.1; };
  std::vector<double> of_class;
  for (int32_t k = 0; k < sample.n_classes; ++k) of_class.push_back(draw());
  if (sample.n_classes > 0 && random.chance(0.2))  // mistaking it costs nothing
    of_class[random.below(of_class.size())] = 0;
  for (size_t row = 0; row < sample.n_rows(); ++row) {
    if (weighing == Weighing::by_row) sample.mass[row] = draw();
    if (weighing == Weighing::by_class)
      sample.mass[row] = of_class[size_t(sample.labels[row])];
  }
  return weighing;
}
