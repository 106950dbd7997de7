// More criteria for classes: gain ratio, Dietterich-Kearns-Mansour, errors, the area
// under the ROC curve, and Gini impurity where mistakes differ.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "gain.hpp"

namespace tanoak {

// The class masses of both sides. `Self` may hide shift() to keep more than these.
template <class Self>
class ClassState : public CriterionDefaults {
 public:
  using Target = ClassTarget;
  using Sums = ClassSums;

  explicit ClassState(const Target& target)
      : target_(target), left_(static_cast<size_t>(target.n_classes)), right_(left_) {}

  void start(const Sums& total) {
    left_mass_ = 0;
    right_mass_ = total.mass;
    std::fill(left_.begin(), left_.end(), 0);
    right_ = total.masses;
  }
  void move(Record record) {
    self().shift(static_cast<size_t>(target_.label(record)), target_.mass(record));
  }
  void move(const Sums& group) {
    for (size_t k = 0; k < left_.size(); ++k)
      if (group.masses[k]) self().shift(k, group.masses[k]);
  }
  int64_t left_mass() const { return left_mass_; }
  int64_t right_mass() const { return right_mass_; }
  void shift(size_t k, int64_t mass) {
    left_[k] += mass;
    right_[k] -= mass;
    left_mass_ += mass;
    right_mass_ -= mass;
  }

 protected:
  // The purity that Gini impurity sees, which decides between equal errors: these are
  // often equal, where no cut changes the answer of a side.
  double squared_shares() const {
    return squared_shares(left_, left_mass_) + squared_shares(right_, right_mass_);
  }
  static double squared_shares(const std::vector<int64_t>& masses, int64_t mass) {
    double sum = 0;
    for (const int64_t m : masses)
      sum += static_cast<double>(m) * static_cast<double>(m);
    return mass > 0 ? sum / static_cast<double>(mass) : 0.0;
  }

  const Target& target_;
  std::vector<int64_t> left_, right_;
  int64_t left_mass_ = 0, right_mass_ = 0;

 private:
  Self& self() { return static_cast<Self&>(*this); }
};

// Quinlan's gain ratio: each column offers its cut of largest gain; of those that gain
// at least the average, the one whose gain is largest beside the information of its
// sides is made.
class GainRatio : public Entropy {
 public:
  static constexpr bool ranks_columns = true;
  using Entropy::Entropy;

  double rank() const {
    return score() / log_table().value(std::max<int64_t>(1, split_information()));
  }
};

// --- Dietterich, Kearns and Mansour ---

// sqrt(m) in whole units of 2^-exponent.
class RootTable {
 public:
  RootTable(int64_t total_mass, int32_t n_classes)
      : exponent_(fixed_exponent(std::sqrt(static_cast<double>(total_mass) * n_classes),
                                 60)) {
    if (total_mass > largest_table) return;
    table_.reserve(static_cast<size_t>(total_mass) + 1);
    for (int64_t m = 0; m <= total_mass; ++m) table_.push_back(compute(m));
  }
  int64_t operator()(int64_t m) const {
    return static_cast<size_t>(m) < table_.size() ? table_[static_cast<size_t>(m)]
                                                  : compute(m);
  }
  // A difference of squares of such sums.
  double value_of_squares(int128 units) const {
    return std::ldexp(to_double(units), -2 * exponent_);
  }

 private:
  static constexpr int64_t largest_table = 1 << 22;

  int64_t compute(int64_t m) const {
    return std::llround(std::ldexp(std::sqrt(static_cast<double>(m)), exponent_));
  }

  std::vector<int64_t> table_;
  int exponent_ = 0;
};

// Impurity (sum of sqrt(p_k))^2 - 1, which for two classes is 2 sqrt(p_1 p_2).
class Dkm : public ClassState<Dkm> {
 public:
  Dkm(const Target& target, std::shared_ptr<const RootTable> roots)
      : ClassState(target), roots_(std::move(roots)) {}

  void start(const Sums& total) {
    ClassState::start(total);
    left_roots_ = 0;
    right_roots_ = sum_of_roots(total);
    whole_ = square(right_roots_);
  }
  void shift(size_t k, int64_t mass) {
    const auto& roots = *roots_;
    left_roots_ += roots(left_[k] + mass) - roots(left_[k]);
    right_roots_ += roots(right_[k] - mass) - roots(right_[k]);
    ClassState::shift(k, mass);
  }
  double score() const {
    const int128 gained = whole_ - square(left_roots_) - square(right_roots_);
    return roots_->value_of_squares(std::max<int128>(0, gained));
  }
  double decrease(const Sums& total, const Sums& left, const Sums& right) const {
    return roots_->value_of_squares(square(sum_of_roots(total)) -
                                    square(sum_of_roots(left)) -
                                    square(sum_of_roots(right)));
  }

 private:
  static int128 square(int64_t x) { return static_cast<int128>(x) * x; }
  int64_t sum_of_roots(const Sums& sums) const {
    int64_t sum = 0;
    for (const int64_t m : sums.masses) sum += (*roots_)(m);
    return sum;
  }

  std::shared_ptr<const RootTable> roots_;
  int64_t left_roots_ = 0, right_roots_ = 0;
  int128 whole_ = 0;
};

// --- counts that are smoothed ---

// What is known of the whole training set before a node is looked at.
struct ClassPrior {
  std::vector<double> added;   // mass added to each class on each side; empty: none
  std::vector<int64_t> whole;  // of each class at the root
  int64_t total = 0;

  double added_to(size_t k) const { return added.empty() ? 0.0 : added[k]; }
};

// Rows that a side mistakes if it answers its largest class. With masses added it is
// the error to be expected by Laplace's rule or the m-estimate.
class ErrorRate : public ClassState<ErrorRate> {
 public:
  static constexpr bool has_second = true;

  ErrorRate(const Target& target, std::shared_ptr<const ClassPrior> prior)
      : ClassState(target), prior_(std::move(prior)) {
    for (const double mass : prior_->added) added_ += mass;
  }

  bool best_is_prefix() const { return added_ == 0; }
  double score() const {
    return static_cast<double>(left_mass_ + right_mass_) - errors(left_, left_mass_) -
           errors(right_, right_mass_);
  }
  double second() const { return squared_shares(); }
  double decrease(const Sums& total, const Sums& left, const Sums& right) const {
    return errors(total.masses, total.mass) - errors(left.masses, left.mass) -
           errors(right.masses, right.mass);
  }

 private:
  double errors(const std::vector<int64_t>& masses, int64_t total) const {
    const auto mass = static_cast<double>(total);
    if (added_ == 0)
      return mass -
             static_cast<double>(*std::max_element(masses.begin(), masses.end()));
    double largest = 0;
    for (size_t k = 0; k < masses.size(); ++k)
      largest = std::max(largest, static_cast<double>(masses[k]) + prior_->added_to(k));
    return mass * (mass + added_ - largest) / (mass + added_);
  }

  std::shared_ptr<const ClassPrior> prior_;
  double added_ = 0;
};

// The area under the ROC curve of the two sides, ordered by their share of a class
// (Ferri, Flach and Hernandez-Orallo 2002, definition 8). More than two classes: the
// mean over all pairs, each from both ends, of Hand and Till (2001).
class Auc : public ClassState<Auc> {
 public:
  static constexpr bool two_class_scan = true;

  Auc(const Target& target, std::shared_ptr<const ClassPrior> prior)
      : ClassState(target),
        prior_(std::move(prior)),
        per_product_(left_.size()),
        total_(left_.size()),
        added_(left_.size()),
        place_(left_.size()) {}

  // What the fast scan has to know: mass added to each class.
  double added_to(size_t k) const { return prior_->added_to(k); }

  void start(const Sums& total) {
    ClassState::start(total);
    if (left_.size() > 2) set_totals(total);
  }
  void shift(size_t k, int64_t mass) {
    ClassState::shift(k, mass);
    if (left_.size() > 2 && mass > 0) shares_[place_[k]] = share_left(k);
  }
  // Two classes: |difference of cross products|, which orders cuts of a node alike.
  double score() const {
    if (left_.size() == 2) return two_class_score();
    const auto n = static_cast<double>(n_present_);
    return n_present_ < 2 ? 0.5 : 0.5 + excess() / (2 * n * (n - 1));
  }
  // By how much the cut raises the area of the whole tree, times its mass.
  double decrease(const Sums& total, const Sums& left, const Sums&) {
    start(total);
    if (left_.size() == 2) set_totals(total);
    for (size_t k = 0; k < left_.size(); ++k) shift(k, left.masses[k]);
    double weights = 0, weighted_leads = 0, gained = 0, n = 0;
    for (size_t k = 0; k < left_.size(); ++k) {
      n += prior_->whole[k] > 0;
      weights += weight(k);
      weighted_leads += weight(k) * lead(k);
    }
    for (size_t k = 0; k < left_.size(); ++k)
      gained += weight(k) * sign(lead(k)) * (lead(k) * weights - weighted_leads);
    return n < 2 ? 0.0
                 : gained / (2 * n * (n - 1)) * static_cast<double>(prior_->total);
  }

 private:
  // The formula, and the bits, of AreaScore in simd.cpp.
  double two_class_score() const {
    const auto a = static_cast<double>(left_[0]), b = static_cast<double>(left_[1]);
    const auto total_a = static_cast<double>(left_[0] + right_[0]);
    const auto total_b = static_cast<double>(left_[1] + right_[1]);
    const double more_a = total_a + 2 * added_to(0);
    const double more_b = total_b + 2 * added_to(1);
    const double offset = added_to(1) * total_a - added_to(0) * total_b;
    return std::abs(b * more_a - a * more_b + offset);
  }
  void set_totals(const Sums& total) {
    n_present_ = 0;
    shares_.clear();
    total_mass_ = static_cast<double>(total.mass);
    added_mass_ = 0;
    for (size_t k = 0; k < left_.size(); ++k) {
      const bool present = total.masses[k] > 0;
      n_present_ += present;
      added_[k] = present ? added_to(k) : 0.0;
      total_[k] = present ? static_cast<double>(total.masses[k]) + 2 * added_[k] : 0.0;
      added_mass_ += added_[k];
      place_[k] = shares_.size();
      if (present) shares_.push_back(share_left(k));
    }
    total_mass_ += 2 * added_mass_;
    for (size_t k = 0; k < left_.size(); ++k)
      per_product_[k] = total_[k] > 0 ? 1 / (total_[k] * total_mass_) : 0.0;
  }
  double share_left(size_t k) const {
    return (static_cast<double>(left_[k]) + added_[k]) / total_[k];
  }
  // How far the share of a class that is left lies above the share of all mass.
  double lead(size_t k) const {
    const double mass = static_cast<double>(left_mass_) + added_mass_;
    const double cross =
        (static_cast<double>(left_[k]) + added_[k]) * total_mass_ - total_[k] * mass;
    return cross * per_product_[k];
  }
  static double sign(double x) {
    return static_cast<double>(x > 0) - static_cast<double>(x < 0);
  }
  double weight(size_t k) const {
    return static_cast<double>(left_[k] + right_[k]) /
           static_cast<double>(std::max<int64_t>(1, prior_->whole[k]));
  }
  // Sum over ordered pairs (i, j) of sign(lead(i)) * (lead(i) - lead(j)): the side
  // with the larger share of class i comes first.
  double excess() const {
    const double mean = (static_cast<double>(left_mass_) + added_mass_) / total_mass_;
    double leads = 0, sizes = 0;
    int signs = 0;
    for (const double share : shares_) {
      const double at = share - mean;
      leads += at;
      sizes += std::abs(at);
      signs += (at > 0) - (at < 0);
    }
    return static_cast<double>(n_present_) * sizes - leads * signs;
  }

  std::shared_ptr<const ClassPrior> prior_;
  std::vector<double> per_product_, total_, added_;  // by class, of the node
  std::vector<size_t> place_;                        // of a class in shares_
  std::vector<double> shares_;  // left of each class that the node has, three or more
  double total_mass_ = 0, added_mass_ = 0;
  int64_t n_present_ = 0;
};

}  // namespace tanoak
