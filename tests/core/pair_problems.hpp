// Problems of a node on few columns, and the best line among all dichotomies.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "node.hpp"
#include "samples.hpp"

struct PairProblem {
  Grid grid;
  std::vector<int32_t> n_levels;
  std::vector<double> fill;
  std::vector<uint32_t> rows;
  std::vector<int64_t> stake;

  PairProblem(size_t n_rows, size_t n_columns)
      : grid(n_rows, n_columns), n_levels(n_columns, 0), fill(n_columns, 0.0) {}
  tanoak::CarePoints care() const {
    return {rows.data(), stake.data(), int64_t(rows.size())};
  }
  double value(size_t row, size_t column) const {
    const double cell = grid(row, column);
    return cell != cell ? fill[column] : cell;
  }
};

// Whole numbers; one row of ten does not care.
inline PairProblem draw_problem(Random& random, size_t n_rows, size_t n_columns,
                                int largest, int most_at_stake) {
  PairProblem problem(n_rows, n_columns);
  for (size_t row = 0; row < n_rows; ++row) {
    for (size_t column = 0; column < n_columns; ++column)
      problem.grid(row, column) = random.whole(-largest, largest);
    if (random.chance(0.1)) continue;
    problem.rows.push_back(uint32_t(row));
    problem.stake.push_back(int64_t(random.whole(1, most_at_stake)) *
                            (random.chance(0.5) ? 1 : -1));
  }
  return problem;
}

// --- every dichotomy, in whole numbers ---

struct Direction {
  int64_t x, y;
};

inline bool turns_earlier(const Direction& a, const Direction& b) {
  const auto second_half = [](const Direction& d) {
    return d.y < 0 || (d.y == 0 && d.x < 0);
  };
  if (second_half(a) != second_half(b)) return second_half(b);
  return a.x * b.y - a.y * b.x > 0;
}

// Those at which points change places, and one between each two of them.
inline std::vector<Direction> all_directions(const std::vector<Direction>& points) {
  std::vector<Direction> critical{{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  for (const auto& p : points)
    for (const auto& q : points)
      if (p.x != q.x || p.y != q.y) critical.push_back({p.y - q.y, q.x - p.x});
  std::sort(critical.begin(), critical.end(), turns_earlier);
  std::vector<Direction> all = critical;
  for (size_t i = 0; i < critical.size(); ++i) {
    const auto &a = critical[i], &b = critical[(i + 1) % critical.size()];
    if (a.x * b.y != a.y * b.x) all.push_back({a.x + b.x, a.y + b.y});
  }
  return all;
}

// What the best line loses in the plane of two columns; nothing asked counts as one.
inline int64_t slow_loss(const PairProblem& problem, size_t first, size_t second) {
  std::vector<Direction> points;
  for (const uint32_t row : problem.rows)
    points.push_back(
        {int64_t(problem.value(row, first)), int64_t(problem.value(row, second))});
  int64_t best = tanoak::best_constant(problem.care()).loss;
  for (const Direction& d : all_directions(points)) {
    for (const Direction& last : points) {
      const int64_t threshold = d.x * last.x + d.y * last.y;
      int64_t loss = 0;
      for (size_t i = 0; i < points.size(); ++i) {
        const bool left = d.x * points[i].x + d.y * points[i].y <= threshold;
        if (left != (problem.stake[i] > 0)) loss += std::abs(problem.stake[i]);
      }
      best = std::min(best, loss);
    }
  }
  return best;
}

// A line through a column that is the same everywhere depends on the other one only.
inline bool varies(const PairProblem& problem, size_t column) {
  return std::any_of(problem.rows.begin(), problem.rows.end(), [&](uint32_t row) {
    return problem.value(row, column) != problem.value(problem.rows[0], column);
  });
}

// The least over all pairs of columns that vary.
inline int64_t slow_loss(const PairProblem& problem) {
  int64_t least = tanoak::best_constant(problem.care()).loss;
  for (size_t i = 0; i < problem.grid.n_columns; ++i)
    for (size_t j = i + 1; j < problem.grid.n_columns; ++j)
      if (varies(problem, i) && varies(problem, j))
        least = std::min(least, slow_loss(problem, i, j));
  return least;
}
