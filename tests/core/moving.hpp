// Random nodes of classes or numbers whose rows are moved from right to left, and what
// both sides hold.
#pragma once

#include <memory>

#include "check.hpp"
#include "gain_cost.hpp"
#include "gain_median.hpp"
#include "samples.hpp"

struct ClassNode {
  tanoak::ClassTarget target;
  std::vector<tanoak::Record> records;
};

inline ClassNode draw_class_node(Random& random, size_t n_rows, int32_t n_classes,
                                 int largest) {
  ClassNode node;
  node.target.n_classes = n_classes;
  while (1 << node.target.label_bits < n_classes) ++node.target.label_bits;
  for (uint32_t row = 0; row < n_rows; ++row) {
    const auto label = static_cast<int32_t>(random.below(size_t(n_classes)));
    node.target.row_mass.push_back(int64_t(random.whole(1, largest)));
    node.records.push_back(tanoak::make_record(row, node.target.make_id(row, label)));
  }
  for (int32_t k = 0; k < n_classes * n_classes; ++k)
    node.target.class_costs.push_back(
        k % (n_classes + 1) == 0 ? 0 : int64_t(random.whole(0, 9)));
  return node;
}

template <class Sums, class Target>
Sums sums_between(const Target& target, const std::vector<tanoak::Record>& records,
                  size_t begin, size_t end) {
  Sums sums(target);
  for (size_t i = begin; i < end; ++i) sums.add(target, records[i]);
  return sums;
}

// Moves all records one by one and calls check(state, left, right, all) after each; a
// copy that moves groups instead must have the same bits.
template <class Criterion, class Check>
void move_all(const typename Criterion::Target& target,
              const std::vector<tanoak::Record>& records, Criterion state,
              const Check& check) {
  using Sums = typename Criterion::Sums;
  const size_t n = records.size();
  const auto all = sums_between<Sums>(target, records, 0, n);
  Criterion at_once = state;
  state.start(all);
  for (size_t i = 0; i + 1 < n; ++i) {
    state.move(records[i]);
    const auto left = sums_between<Sums>(target, records, 0, i + 1);
    const auto right = sums_between<Sums>(target, records, i + 1, n);
    CHECK_EQUAL(state.left_mass(), left.mass);
    CHECK_EQUAL(state.right_mass(), right.mass);
    CHECK(state.score() >= 0);
    at_once.start(all);
    at_once.move(left);
    CHECK_SAME_BITS(at_once.score(), state.score());
    check(state, left, right, all);
  }
}

inline std::vector<double> masses_of(const tanoak::ClassSums& sums) {
  return {sums.masses.begin(), sums.masses.end()};
}
