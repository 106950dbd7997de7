// Points of a problem on two columns, and a search among them.
#pragma once

#include "pair_problems.hpp"
#include "slope_search.hpp"

inline tanoak::PlanePoints plane_of(const PairProblem& problem) {
  std::vector<double> x, y, sample;
  for (const uint32_t row : problem.rows) {
    x.push_back(problem.value(row, 0));
    y.push_back(problem.value(row, 1));
  }
  const auto care = problem.care();
  tanoak::PlaneMerger merger;
  tanoak::PlanePoints points;
  merger.merge({0, x.data(), tanoak::scale_of(x.data(), care.n, sample)},
               {1, y.data(), tanoak::scale_of(y.data(), care.n, sample)}, care, points);
  return points;
}

// A line must lose less than asking nothing.
inline tanoak::SlopeRules start_of(const tanoak::PlanePoints& points) {
  tanoak::SlopeRules rules;
  rules.limit = points.conflict + std::min(points.left_total, points.right_total) - 1;
  return rules;
}

inline tanoak::SlopeAnswer search(const tanoak::PlanePoints& points,
                                  const tanoak::SlopeRules& rules) {
  tanoak::SlopeScratch scratch;
  const tanoak::StopFlag stop;
  return tanoak::SlopeSearch(points, rules, scratch, stop).run();
}
