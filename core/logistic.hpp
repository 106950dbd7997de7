// Weighted logistic regression with an l1 penalty: Newton's method on a working set of
// columns, each step a quadratic solved by coordinate descent, from any start.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "lanes.hpp"
#include "node_matrix.hpp"
#include "quadratic.hpp"

namespace tanoak {

struct LogisticSettings {
  // Solved once no derivative is off by more than this share of the penalty.
  double tolerance = 0.01;
  int max_steps = 100;  // of Newton's method in all
  // Above this many columns coordinate descent reads the data rather than products of
  // columns, which take a square of them.
  int64_t max_products = 2000;
};

// minimize  sum over rows of weight * log(1 + exp(-side * (w.x + b))) +
//           sum over columns of penalty * |w|
// The column of ones carries b; its penalty is zero.
class LogisticSolver {
 public:
  explicit LogisticSolver(const LogisticSettings& settings) : settings_(settings) {}

  // For `length()` rows each, zeros in the padding.
  std::vector<float> weight, side;
  // For each column and the column of ones.
  std::vector<double> penalty, w;
  std::vector<int8_t> sign;  // what w may be: 0 any, else of this sign, or zero

  // In: the vectors above, w to start from; out: w, and the objective.
  double solve(const NodeMatrix& x, const StopFlag& stop);
  int steps() const { return steps_; }

 private:
  struct Point {
    std::vector<double> margin;
    std::vector<float> slope, curvature;
  };

  bool use_products() const {
    return !x_->is_sparse() &&
           static_cast<int64_t>(set_.size()) <= settings_.max_products;
  }
  void begin(const NodeMatrix& x);
  double objective_at(const NodeMatrix& x);
  static size_t at(int32_t column) { return static_cast<size_t>(column); }
  double violation(int32_t column) const;
  double penalty_of_w() const;
  void move(const Point& from, double step, Point& to, double& loss);
  void take_gradient(const std::vector<int32_t>& columns);
  double worst_of(const std::vector<int32_t>& columns) const;
  void choose_set(double worst);
  bool improve(double worst, double tolerance);
  void sample_tiles();
  void make_products();
  void minimize(double tolerance);
  bool search();

  LogisticSettings settings_;
  const NodeMatrix* x_ = nullptr;
  const StopFlag* stop_ = nullptr;
  Point here_, there_;
  double loss_ = 0, ratio_ = 0;
  int steps_ = 0;
  std::vector<double> gradient_;  // by column; exact for those in the set
  std::vector<int32_t> all_, set_, rest_;
  std::vector<uint8_t> in_set_;
  Quadratic quadratic_;
  Products products_;
  bool may_sample_ = true, is_sampled_ = false;  // products are of some tiles
  std::vector<int64_t> tiles_;                   // their first rows
  double factor_ = 1;  // what they are multiplied by to stand for all
  std::vector<float> direction_, old_curvature_, scratch_;
};

// --- the whole ---

inline double LogisticSolver::penalty_of_w() const {
  double sum = 0;
  for (size_t j = 0; j < w.size(); ++j)
    if (w[j] != 0) sum += penalty[j] * std::abs(w[j]);
  return sum;
}

inline void LogisticSolver::move(const Point& from, double step, Point& to,
                                 double& loss) {
  const auto n = static_cast<size_t>(x_->length());
  to.margin.resize(n), to.slope.resize(n), to.curvature.resize(n);
  loss = move_margins({weight.data(), side.data(), x_->length()}, from.margin.data(),
                      direction_.data(), step,
                      {to.margin.data(), to.slope.data(), to.curvature.data()});
}

inline double LogisticSolver::objective_at(const NodeMatrix& x) {
  x_ = &x;
  direction_.assign(static_cast<size_t>(x.length()), 0.0f);
  there_.margin.assign(static_cast<size_t>(x.length()), 0.0);
  for (int32_t j = 0; j <= x.ones(); ++j)
    if (w[at(j)] != 0) x.add_scaled(j, static_cast<float>(w[at(j)]), direction_.data());
  move(there_, 1, here_, loss_);
  return loss_ + penalty_of_w();
}

// From w, or from nothing but the intercept if that is better: far out the loss is as
// good as straight and says nothing about how far to come back.
inline void LogisticSolver::begin(const NodeMatrix& x) {
  double right = 0, left = 0;
  for (size_t i = 0; i < weight.size(); ++i)
    (side[i] > 0 ? right : left) += static_cast<double>(weight[i]);
  const double nothing =
      right * std::log1p(left / right) + left * std::log1p(right / left);
  const double start = objective_at(x);
  if (start < nothing || !(right > 0 && left > 0)) return;
  w.assign(w.size(), 0);
  w.back() = std::log(right / left);
  objective_at(x);
}

inline double LogisticSolver::solve(const NodeMatrix& x, const StopFlag& stop) {
  stop_ = &stop;
  begin(x);
  const size_t n_columns = w.size();
  gradient_.assign(n_columns, 0);
  in_set_.assign(n_columns, 0);
  all_.resize(n_columns);
  std::iota(all_.begin(), all_.end(), 0);
  set_.clear();
  products_.forget();
  may_sample_ = true;
  steps_ = 0, ratio_ = 0;
  double least = penalty[0], mass = 0;
  for (int32_t j = 0; j < x.count(); ++j) least = std::min(least, penalty[at(j)]);
  for (const float part : weight) mass += static_cast<double>(part);
  // Sums of float know no more than the second.
  const double tolerance =
      settings_.tolerance * std::clamp(least, 1e-4 * mass, 1e-2 * mass);
  while (steps_ < settings_.max_steps) {
    take_gradient(all_);
    const double worst = worst_of(all_);
    if (worst <= tolerance) break;
    choose_set(worst);
    if (!improve(worst, tolerance)) break;
  }
  return loss_ + penalty_of_w();
}

// --- which columns ---

// How far zero is from the derivatives of the objective by w.
inline double LogisticSolver::violation(int32_t column) const {
  const double slope = gradient_[at(column)], price = penalty[at(column)];
  const double weight_here = w[at(column)];
  if (weight_here == 0 && slope * sign[at(column)] > 0) return 0;  // it may not grow
  if (weight_here == 0) return std::max(0.0, std::abs(slope) - price);
  return std::abs(slope + (weight_here > 0 ? price : -price));
}

inline void LogisticSolver::take_gradient(const std::vector<int32_t>& columns) {
  for (size_t k = 0; k < columns.size(); ++k) {
    if (k % 64 == 0) stop_->check();
    gradient_[at(columns[k])] = x_->dot(columns[k], here_.slope.data());
  }
}

inline double LogisticSolver::worst_of(const std::vector<int32_t>& columns) const {
  double worst = 0;
  for (const int32_t column : columns) worst = std::max(worst, violation(column));
  return worst;
}

// Columns in use and as many of the worst others; those whose products are known stay
// in front. Ties go to the lower column.
inline void LogisticSolver::choose_set(double worst) {
  const double least = 0.01 * worst;
  rest_.clear();
  size_t n_used = 0;
  auto wanted = [&](int32_t column) {
    return column == x_->ones() || w[at(column)] != 0;
  };
  for (const int32_t column : all_) {
    n_used += wanted(column);
    if (!in_set_[at(column)] && !wanted(column) && violation(column) > least)
      rest_.push_back(column);
  }
  const size_t n_more = std::max<size_t>(32, n_used);
  if (rest_.size() > n_more) {
    std::nth_element(rest_.begin(), rest_.begin() + static_cast<ptrdiff_t>(n_more),
                     rest_.end(), [&](int32_t a, int32_t b) {
                       const double one = violation(a), other = violation(b);
                       return one != other ? one > other : a < b;
                     });
    rest_.resize(n_more);
    std::sort(rest_.begin(), rest_.end());
  }
  for (const int32_t column : all_)
    if (!in_set_[at(column)] && wanted(column)) {
      set_.push_back(column);
      in_set_[at(column)] = 1;
    }
  for (const int32_t column : rest_) {
    set_.push_back(column);
    in_set_[at(column)] = 1;
  }
}

// --- one working set ---

// Newton steps until the set is in better order than what lies outside it. False if
// no step finds a lower objective.
inline bool LogisticSolver::improve(double worst, double tolerance) {
  const double goal = std::max(0.2 * worst, 0.5 * tolerance);
  double found = worst;
  for (bool first = true; steps_ < settings_.max_steps; first = false) {
    stop_->check();
    if (!first) {
      take_gradient(set_);
      found = worst_of(set_);
      if (found <= goal) return true;
    }
    ++steps_;
    constexpr int patience = 15;  // with steps that only come near
    if (steps_ > patience && is_sampled_) may_sample_ = false;
    if (is_sampled_ && !may_sample_) products_.forget();
    if (!use_products() || ratio_ < 0.75 || ratio_ > 1.33) products_.forget();
    const bool is_fresh = products_.count() == 0;
    if (use_products()) make_products();
    minimize(std::max(0.01 * found, 0.05 * tolerance));
    if (search()) continue;
    if (is_fresh && !(use_products() && is_sampled_)) return false;
    may_sample_ = may_sample_ && !is_fresh;
    products_.forget();  // they were too old, or of too few rows
  }
  return true;
}

// Many rows tell in part what all would: tiles spread evenly stand for the others, by
// their share of the curvature, until a step fails or there are many of them.
inline void LogisticSolver::sample_tiles() {
  const int64_t n_tiles = (x_->length() + tile_rows - 1) / tile_rows;
  const auto enough =
      std::max<int64_t>(8, static_cast<int64_t>(set_.size()) * 64 / tile_rows);
  const int64_t stride = may_sample_ ? std::max<int64_t>(1, n_tiles / enough) : 1;
  tiles_.clear();
  double all = 0, taken = 0;
  for (int64_t tile = 0; tile < n_tiles; ++tile) {
    const int64_t begin = tile * tile_rows;
    double sum = 0;
    for (int64_t i = begin; i < std::min(begin + tile_rows, x_->length()); ++i)
      sum += static_cast<double>(old_curvature_[static_cast<size_t>(i)]);
    all += sum;
    if (tile % stride != stride / 2) continue;
    tiles_.push_back(begin);
    taken += sum;
  }
  is_sampled_ = stride > 1 && taken > 0;
  factor_ = is_sampled_ ? all / taken : 1;
}

// Products of columns under the curvature of an earlier point serve as long as they
// foretell what a step gains; then all are made anew, of the columns still in use.
inline void LogisticSolver::make_products() {
  if (products_.count() == 0) {
    old_curvature_ = here_.curvature;
    sample_tiles();
    size_t kept = 0;
    for (const int32_t column : set_) {
      const bool stays =
          column == x_->ones() || w[at(column)] != 0 || violation(column) > 0;
      in_set_[at(column)] = stays;
      if (stays) set_[kept++] = column;
    }
    set_.resize(kept);
  }
  const size_t first = products_.count(), count = set_.size();
  if (first == count) return;
  products_.grow(count);
  std::vector<const float*> columns(count);
  scratch_.resize((count - first) * static_cast<size_t>(tile_rows));
  for (const int64_t begin : tiles_) {
    stop_->check();
    for (size_t k = 0; k < count; ++k) columns[k] = x_->column(set_[k]) + begin;
    add_gram(columns.data(), static_cast<int64_t>(first), static_cast<int64_t>(count),
             old_curvature_.data() + begin, std::min(tile_rows, x_->length() - begin),
             scratch_.data(), products_.upper(),
             static_cast<int64_t>(products_.stride()));
  }
  products_.complete(count, factor_);
}

// The change of the set's weights that is best for the quadratic.
inline void LogisticSolver::minimize(double tolerance) {
  quadratic_.resize(set_.size());
  for (size_t k = 0; k < set_.size(); ++k) {
    quadratic_.start[k] = quadratic_.value[k] = w[at(set_[k])];
    quadratic_.sign[k] = sign[at(set_[k])];
    quadratic_.gradient[k] = gradient_[at(set_[k])];
    quadratic_.penalty[k] = penalty[at(set_[k])];
  }
  if (use_products()) {
    products_.minimize(quadratic_, tolerance);
    return;
  }
  const float* curvature = here_.curvature.data();
  for (size_t k = 0; k < set_.size(); ++k)
    quadratic_.second[k] = x_->weighted_square(set_[k], curvature) * (1 + 1e-6);
  scratch_.assign(static_cast<size_t>(x_->length()), 0.0f);
  quadratic_.descend(
      200, tolerance,
      [&](size_t k) {
        if (k == 0) stop_->check();
        return x_->dot(set_[k], scratch_.data());
      },
      [&](size_t k, double step) {
        x_->add_weighted(set_[k], curvature, static_cast<float>(step), scratch_.data());
      });
}

// Goes as far along the change as the objective falls, halving the step. Says whether
// it fell, and remembers what share of the foretold gain was had.
inline bool LogisticSolver::search() {
  std::fill(direction_.begin(), direction_.end(), 0.0f);
  double linear = 0, before = 0;
  for (size_t k = 0; k < set_.size(); ++k) {
    const double change = quadratic_.change(k);
    if (change == 0) continue;
    linear += quadratic_.gradient[k] * change;
    before += quadratic_.penalty[k] * std::abs(quadratic_.start[k]);
    x_->add_scaled(set_[k], static_cast<float>(change), direction_.data());
  }
  const double rounding = 1e-10 * loss_;
  ratio_ = 0;
  double step = 1;
  for (int halving = 0; halving < 12; ++halving, step /= 2) {
    double after = 0, loss = 0;
    for (size_t k = 0; k < set_.size(); ++k)
      if (quadratic_.change(k) != 0)
        after += quadratic_.penalty[k] * std::abs(quadratic_.at(k, step));
    const double foretold = step * linear + after - before;
    move(here_, step, there_, loss);
    const double gained = loss - loss_ + after - before;  // below zero
    if (!(gained <= 1e-4 * foretold + rounding)) continue;
    if (gained > -rounding) return false;
    for (size_t k = 0; k < set_.size(); ++k) w[at(set_[k])] = quadratic_.at(k, step);
    std::swap(here_, there_);
    loss_ = loss;
    if (step == 1 && products_.count() > 0)
      ratio_ = gained / (foretold + 0.5 * products_.bend(quadratic_));
    return true;
  }
  return false;
}

}  // namespace tanoak
