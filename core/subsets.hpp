// Orders the categories of a node so that its best subset is a prefix.
//
// Two classes and numbers: by share or mean, which holds the best subset exactly. More
// classes: all subsets while there are few, else by the first principal component of
// the class shares (Coppersmith, Hong and Hosking 1999).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "gain.hpp"

namespace tanoak {

constexpr size_t largest_exhaustive = 8;  // 127 subsets

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
inline std::vector<double> principal_scores(
    const std::vector<Category<ClassSums>>& groups) {
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

// Returns whether all subsets should be tried instead of prefixes.
inline bool order_categories(std::vector<Category<ClassSums>>& groups) {
  if (groups.empty()) return false;
  const size_t n_classes = groups[0].sums.masses.size();
  if (n_classes > 2 && groups.size() <= largest_exhaustive) return true;
  std::vector<double> keys;
  if (n_classes > 2) {
    keys = principal_scores(groups);
  } else {
    for (const auto& group : groups) keys.push_back(share(group.sums, n_classes - 1));
  }
  sort_by(groups, keys);
  return false;
}

inline bool order_categories(std::vector<Category<NumberSums>>& groups) {
  std::vector<double> keys;
  for (const auto& group : groups)
    keys.push_back(static_cast<double>(group.sums.moment) /
                   static_cast<double>(std::max<int64_t>(1, group.sums.mass)));
  sort_by(groups, keys);
  return false;
}

}  // namespace tanoak
