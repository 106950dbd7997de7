// Orders the categories of a node so that its best subset is a prefix.
//
// Two classes and numbers: by share or mean, which holds the best subset exactly, but
// for absolute error (by median) and smoothed errors. More classes: all subsets while
// there are few, else by the first principal component of the class shares
// (Coppersmith, Hong and Hosking 1999).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "gain_cost.hpp"
#include "gain_median.hpp"

namespace tanoak {

constexpr size_t largest_exhaustive = CriterionDefaults::most_exhaustive;

template <class Sums>
struct Category {
  uint32_t code;
  Sums sums;
};

template <class Sums>
void sort_by(std::vector<Category<Sums>>& groups, const std::vector<double>& keys) {
  std::vector<size_t> order(groups.size());
  for (size_t g = 0; g < order.size(); ++g) order[g] = g;
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return keys[a] < keys[b]; });
  std::vector<Category<Sums>> sorted;
  sorted.reserve(groups.size());
  for (const size_t g : order) sorted.push_back(std::move(groups[g]));
  groups = std::move(sorted);
}

inline double share(const ClassSums& sums, size_t k) {
  return sums.mass > 0
             ? static_cast<double>(sums.masses[k]) / static_cast<double>(sums.mass)
             : 0.0;
}

// Power iteration on the weighted covariance of the class shares. The start is the
// coordinate with the largest variance; sums run over categories in code order.
template <class Sums>
std::vector<double> principal_scores(const std::vector<Category<Sums>>& groups) {
  const size_t n_classes = groups[0].sums.masses.size();
  double total = 0;
  std::vector<double> mean(n_classes, 0.0);
  for (const auto& group : groups) {
    const auto mass = static_cast<double>(group.sums.mass);
    total += mass;
    for (size_t k = 0; k < n_classes; ++k) mean[k] += mass * share(group.sums, k);
  }
  for (double& m : mean) m /= total;
  auto project = [&](const ClassSums& sums, const std::vector<double>& direction) {
    double dot = 0;
    for (size_t k = 0; k < n_classes; ++k)
      dot += (share(sums, k) - mean[k]) * direction[k];
    return dot;
  };
  std::vector<double> variance(n_classes, 0.0);
  for (const auto& group : groups)
    for (size_t k = 0; k < n_classes; ++k) {
      const double off = share(group.sums, k) - mean[k];
      variance[k] += static_cast<double>(group.sums.mass) * off * off;
    }
  std::vector<double> direction(n_classes, 0.0);
  direction[static_cast<size_t>(std::max_element(variance.begin(), variance.end()) -
                                variance.begin())] = 1.0;
  constexpr int n_iterations = 50;
  for (int iteration = 0; iteration < n_iterations; ++iteration) {
    std::vector<double> next(n_classes, 0.0);
    for (const auto& group : groups) {
      const double pull =
          static_cast<double>(group.sums.mass) * project(group.sums, direction);
      for (size_t k = 0; k < n_classes; ++k)
        next[k] += pull * (share(group.sums, k) - mean[k]);
    }
    double length = 0;
    for (const double x : next) length += x * x;
    if (!(length > 0)) break;
    length = std::sqrt(length);
    for (size_t k = 0; k < n_classes; ++k) direction[k] = next[k] / length;
  }
  std::vector<double> scores;
  for (const auto& group : groups) scores.push_back(project(group.sums, direction));
  return scores;
}

// --- by what categories are ordered ---

inline double order_key(const ClassSums& sums) {
  return share(sums, sums.masses.size() - 1);
}
// By what the first answer costs more than the second, of two.
inline double order_key(const CostSums& sums) {
  return to_double(sums.answers.front() - sums.answers.back());
}
inline double order_key(const NumberSums& sums) {
  return static_cast<double>(sums.moment) /
         static_cast<double>(std::max<int64_t>(1, sums.mass));
}
inline double order_key(const MedianSums& sums) { return sums.median(); }

// Returns whether all subsets should be tried instead of prefixes.
template <class Sums>
bool order_categories(std::vector<Category<Sums>>& groups) {
  if (groups.empty()) return false;
  if constexpr (std::is_base_of_v<ClassSums, Sums>) {
    if (groups[0].sums.masses.size() > 2) {
      if (groups.size() <= largest_exhaustive) return true;
      sort_by(groups, principal_scores(groups));
      return false;
    }
  }
  std::vector<double> keys;
  for (const auto& group : groups) keys.push_back(order_key(group.sums));
  sort_by(groups, keys);
  return false;
}

}  // namespace tanoak
