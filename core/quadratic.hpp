// One Newton step of the logistic solver: a quadratic with an l1 penalty, minimized by
// coordinate descent and, where the products of columns are at hand, by leaps.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "lanes.hpp"

namespace tanoak {

// minimize over value  gradient . change + 1/2 change' H change +
//                      sum of penalty * |value|,   change = value - start
// An entry for each column of the working set.
struct Quadratic {
  std::vector<double> start, gradient, penalty, second;  // second: the diagonal of H
  std::vector<int8_t> sign;   // what the value may be: 0 any, else of this sign, or 0
  std::vector<double> value;  // first the start, then the answer

  size_t count() const { return start.size(); }
  double change(size_t k) const { return value[k] - start[k]; }
  // After a part of the change.
  double at(size_t k, double part) const {
    return part == 1 ? value[k] : start[k] + part * change(k);
  }

  void resize(size_t count) {
    for (auto* numbers : {&start, &gradient, &penalty, &second, &value})
      numbers->assign(count, 0);
    sign.assign(count, 0);
  }

  // At most so many walks over the coordinates: `slope(k)` is what the change so far
  // adds to a derivative, `move(k, step)` is told of each step. Between walks over all
  // columns, those in use are walked alone. Says whether no step was left that matters.
  template <class Slope, class Move>
  bool descend(int max_walks, double tolerance, const Slope& slope, const Move& move);
};

template <class Slope, class Move>
bool Quadratic::descend(int max_walks, double tolerance, const Slope& slope,
                        const Move& move) {
  bool all = true;
  for (int walk = 0; walk < max_walks; ++walk) {
    double worst = 0;
    for (size_t k = 0; k < count(); ++k) {
      const double here = value[k];
      if ((here == 0 && !all && penalty[k] > 0) || !(second[k] > 0)) continue;
      const double aim = here * second[k] - gradient[k] - slope(k);
      const double cut = std::max(0.0, std::abs(aim) - penalty[k]);
      value[k] = aim * sign[k] < 0 ? 0 : std::copysign(cut, aim) / second[k];
      const double step = value[k] - here;
      if (step == 0) continue;
      worst = std::max(worst, std::abs(step) * second[k]);
      move(k, step);
    }
    if (worst > tolerance)
      all = false;
    else if (all)
      return true;
    else
      all = true;
  }
  return false;
}

// Solves a symmetric positive system given by its upper half, which it overwrites;
// `x` holds the right-hand side and then the solution. False if it is not positive.
inline bool solve_symmetric(std::vector<double>& matrix, std::vector<double>& x) {
  const size_t m = x.size();
  for (size_t k = 0; k < m; ++k) {
    double* row = matrix.data() + k * m;
    if (!(row[k] > 0)) return false;
    const double inverse = 1 / std::sqrt(row[k]);
    for (size_t j = k; j < m; ++j) row[j] *= inverse;
    for (size_t i = k + 1; i < m; ++i)
      add_scaled(matrix.data() + i * m + i, row + i, -row[i],
                 static_cast<int64_t>(m - i));
    x[k] *= inverse;
    add_scaled(x.data() + k + 1, row + k + 1, -x[k], static_cast<int64_t>(m - k - 1));
  }
  for (size_t k = m; k-- > 0;) {
    const double* row = matrix.data() + k * m;
    for (size_t j = k + 1; j < m; ++j) x[k] -= row[j] * x[j];
    x[k] /= row[k];
  }
  return true;
}

// H itself, and the minimization with it.
class Products {
 public:
  size_t count() const { return count_; }  // columns whose products are known
  void forget() { count_ = 0; }

  // Makes room for the products of this many columns in all, zeros for new ones.
  void grow(size_t count);
  double* upper() { return products_.data(); }  // row by row, stride() apart
  size_t stride() const { return stride_; }
  // Once the upper half is filled in; new products are multiplied by the factor.
  void complete(size_t count, double factor);

  void minimize(Quadratic& problem, double tolerance);
  // What the last minimization foretells of the quadratic's part: change' H change.
  double bend(const Quadratic& problem) const;

 private:
  bool leap(Quadratic& problem, bool& turned);
  double gain_of(const Quadratic& problem, const std::vector<double>& step) const;
  void move(size_t k, double step) {
    add_scaled(slope_.data(), products_.data() + k * stride_, step,
               static_cast<int64_t>(count_));
  }

  size_t count_ = 0, stride_ = 0;
  std::vector<double> products_, slope_, factor_, leap_, kept_;
  std::vector<size_t> used_;
};

inline void Products::grow(size_t count) {
  if (count_ == 0) {
    stride_ = count;
    products_.assign(count * count, 0.0);
  } else if (stride_ < count) {
    const size_t stride = 2 * count;
    std::vector<double> moved(stride * stride, 0.0);
    for (size_t i = 0; i < count_; ++i)
      std::copy_n(products_.data() + i * stride_, count_, moved.data() + i * stride);
    products_.swap(moved);
    stride_ = stride;
  } else {
    for (size_t i = 0; i < count; ++i)
      std::fill(products_.data() + i * stride_ + (i < count_ ? count_ : 0),
                products_.data() + i * stride_ + count, 0.0);
  }
}

inline void Products::complete(size_t count, double factor) {
  for (size_t j = count_; j < count; ++j)
    for (size_t i = 0; i <= j; ++i) {
      products_[i * stride_ + j] *= factor;
      products_[j * stride_ + i] = products_[i * stride_ + j];
    }
  count_ = count;
}

inline void Products::minimize(Quadratic& problem, double tolerance) {
  slope_.assign(count_, 0);
  // A little more than it is: no column is then the exact sum of others.
  for (size_t k = 0; k < count_; ++k)
    problem.second[k] = products_[k * stride_ + k] * (1 + 1e-6);
  auto slope = [&](size_t k) { return slope_[k]; };
  auto step = [&](size_t k, double size) { move(k, size); };
  bool turned = false;  // then the next leap is from where this one ended
  constexpr int max_leaps = 40;
  for (int leaps = 0; leaps < max_leaps; ++leaps) {
    if (!turned && problem.descend(5, tolerance, slope, step)) return;
    if (!leap(problem, turned)) break;
  }
  problem.descend(100, tolerance, slope, step);
}

inline double Products::bend(const Quadratic& problem) const {
  double sum = 0;
  for (size_t k = 0; k < count_; ++k) sum += problem.change(k) * slope_[k];
  return sum;
}

// What a further step of the columns in use adds to the objective.
inline double Products::gain_of(const Quadratic& problem,
                                const std::vector<double>& step) const {
  double sum = 0;
  for (size_t i = 0; i < used_.size(); ++i) {
    const size_t k = used_[i];
    double bent = 0;
    for (size_t j = 0; j < used_.size(); ++j)
      bent += products_[k * stride_ + used_[j]] * step[j];
    const double here = problem.value[k];
    sum += step[i] * (problem.gradient[k] + slope_[k] + 0.5 * bent) +
           problem.penalty[k] * (std::abs(here + step[i]) - std::abs(here));
  }
  return sum;
}

// Solves the quadratic exactly for the columns in use while they keep their signs. If
// some would not, they become zero; if that gains nothing, the step ends where the
// first of them does. False if there was nothing to gain.
inline bool Products::leap(Quadratic& problem, bool& turned) {
  turned = false;
  constexpr size_t most = 1024;  // a cube of them is to be worked off
  used_.clear();
  for (size_t k = 0; k < count_; ++k)
    if (problem.value[k] != 0 && problem.second[k] > 0) used_.push_back(k);
  const size_t m = used_.size();
  if (m == 0 || m > most) return false;
  factor_.resize(m * m);
  leap_.resize(m);
  for (size_t i = 0; i < m; ++i) {
    const size_t k = used_[i];
    leap_[i] = -(problem.gradient[k] + slope_[k] +
                 std::copysign(problem.penalty[k], problem.value[k]));
    for (size_t j = i; j < m; ++j)
      factor_[i * m + j] = products_[k * stride_ + used_[j]];
    factor_[i * m + i] = problem.second[k];
  }
  if (!solve_symmetric(factor_, leap_)) return false;
  double reach = 1;
  auto keep = [&] {
    for (size_t i = 0; i < m; ++i) {
      const double here = problem.value[used_[i]], wanted = here + reach * leap_[i];
      const bool turns = problem.penalty[used_[i]] > 0 && here * wanted <= 0;
      kept_[i] = turns ? -here : reach * leap_[i];
    }
    return gain_of(problem, kept_) < 0;
  };
  kept_.resize(m);
  if (!keep()) {
    for (size_t i = 0; i < m; ++i)
      if (kept_[i] != leap_[i]) reach = std::min(reach, kept_[i] / leap_[i]);
    if (!keep()) return false;
  }
  for (size_t i = 0; i < m; ++i) {
    if (kept_[i] == 0) continue;
    turned = turned || kept_[i] != leap_[i];
    problem.value[used_[i]] += kept_[i];  // exactly zero where it turns
    move(used_[i], kept_[i]);
  }
  return true;
}

}  // namespace tanoak
