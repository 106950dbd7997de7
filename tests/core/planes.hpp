// A node of two or more classes, or of numbers, and hyperplanes scored from scratch.
#pragma once

#include <memory>
#include <numeric>

#include "features.hpp"
#include "gain.hpp"
#include "samples.hpp"
#include "split_axis.hpp"

// What a search of hyperplanes is asked about, and all that it borrows.
template <class Criterion>
struct PlaneNode {
  using Target = typename Criterion::Target;
  using Sums = typename Criterion::Sums;

  Target target;
  std::vector<tanoak::Record> records;
  std::vector<uint32_t> rows;
  std::unique_ptr<Sums> sums;

  int64_t n() const { return static_cast<int64_t>(records.size()); }

  void list_rows(const std::vector<uint32_t>& ids) {
    rows.resize(ids.size());
    std::iota(rows.begin(), rows.end(), 0u);
    sums = std::make_unique<Sums>(target);
    for (const uint32_t id : ids) {
      records.push_back(tanoak::make_record(0, id));
      sums->add(target, records.back());
    }
  }

  // The score of the rows of `left`, all moved one after the other.
  double score(const std::vector<bool>& left, const tanoak::CutLimits& limits) const {
    Criterion state(target);
    state.start(*sums);
    int64_t rows_left = 0;
    for (size_t i = 0; i < left.size(); ++i)
      if (left[i]) {
        state.move(records[i]);
        ++rows_left;
      }
    const bool allowed =
        rows_left >= limits.min_rows && n() - rows_left >= limits.min_rows &&
        state.left_mass() >= limits.min_mass && state.right_mass() >= limits.min_mass;
    return allowed ? state.score() : -1;
  }
};

using TwoClassNode = PlaneNode<tanoak::Gini<uint64_t>>;

// `by_row`: masses of rows instead of classes, which the fast scan does not take.
inline TwoClassNode node_of_labels(const std::vector<int32_t>& labels,
                                   int32_t n_classes, Random& random, bool by_row) {
  TwoClassNode node;
  node.target.n_classes = n_classes;
  while ((1 << node.target.label_bits) < n_classes) ++node.target.label_bits;
  for (int32_t k = 0; k < n_classes; ++k) node.target.class_mass.push_back(1 + k);
  std::vector<uint32_t> ids;
  for (uint32_t row = 0; row < labels.size(); ++row) {
    ids.push_back(node.target.make_id(row, labels[row]));
    if (by_row)
      node.target.row_mass.push_back(static_cast<int64_t>(1 + random.below(4)));
  }
  node.list_rows(ids);
  return node;
}

using NumberNode = PlaneNode<tanoak::SquaredError>;

inline NumberNode node_of_numbers(const std::vector<double>& numbers) {
  NumberNode node;
  node.target.numbers = numbers;
  for (const double number : numbers)
    node.target.row_moment.push_back(static_cast<int64_t>(number * 1024));
  std::vector<uint32_t> ids(numbers.size());
  std::iota(ids.begin(), ids.end(), 0u);
  node.list_rows(ids);
  return node;
}
