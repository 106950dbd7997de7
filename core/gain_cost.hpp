// Criteria that know what each answer costs: the expected cost of both sides, and Gini
// impurity whose pairs of classes weigh what mistaking them costs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "gain_classes.hpp"

namespace tanoak {

// Class masses, and the cost of giving one answer to all rows.
struct CostSums : ClassSums {
  std::vector<int128> answers;
  int128 least = 0;  // if every row could have the answer that is cheapest for it

  explicit CostSums(const ClassTarget& target)
      : ClassSums(target), answers(static_cast<size_t>(target.n_classes), 0) {}

  void add(const ClassTarget& target, Record record) {
    ClassSums::add(target, record);
    least += target.add_costs(record, answers.data());
  }
  void add(const CostSums& other) {
    ClassSums::add(other);
    for (size_t k = 0; k < answers.size(); ++k) answers[k] += other.answers[k];
    least += other.least;
  }
  void subtract(const CostSums& other) {
    ClassSums::subtract(other);
    for (size_t k = 0; k < answers.size(); ++k) answers[k] -= other.answers[k];
    least -= other.least;
  }
  int128 cheapest() const { return *std::min_element(answers.begin(), answers.end()); }
  // One answer is right for all rows.
  bool pure() const { return cheapest() == least; }
};

// Expected cost: each side gives the answer that is cheapest for it.
class ExpectedCost : public ClassState<ExpectedCost> {
 public:
  using Base = ClassState<ExpectedCost>;
  using Sums = CostSums;
  static constexpr bool has_second = true;

  explicit ExpectedCost(const Target& target)
      : Base(target), left_costs_(left_.size()), right_costs_(left_.size()) {}

  void start(const Sums& total) {
    Base::start(total);
    whole_ = total.cheapest();
    std::fill(left_costs_.begin(), left_costs_.end(), 0);
    right_costs_ = total.answers;
  }
  void move(Record record) {
    Base::move(record);
    target_.add_costs(record, left_costs_.data());
    target_.add_costs(record, right_costs_.data(), -1);
  }
  void move(const Sums& group) {
    Base::move(group);
    for (size_t k = 0; k < left_costs_.size(); ++k) {
      left_costs_[k] += group.answers[k];
      right_costs_[k] -= group.answers[k];
    }
  }
  double score() const {
    return to_double(whole_ - cheapest(left_costs_) - cheapest(right_costs_));
  }
  double second() const { return squared_shares(); }
  double decrease(const Sums& total, const Sums& left, const Sums& right) const {
    return to_double(total.cheapest() - left.cheapest() - right.cheapest()) *
           target_.cost_unit;
  }

 private:
  static int128 cheapest(const std::vector<int128>& costs) {
    return *std::min_element(costs.begin(), costs.end());
  }

  std::vector<int128> left_costs_, right_costs_;
  int128 whole_ = 0;
};

// Generalized Gini impurity: sum over pairs of classes of cost * p_k * p_l.
class GeneralizedGini : public ClassState<GeneralizedGini> {
 public:
  using Base = ClassState<GeneralizedGini>;

  explicit GeneralizedGini(const Target& target)
      : Base(target), left_pulls_(left_.size()), right_pulls_(left_.size()) {
    const size_t n = left_.size();
    both_ways_.resize(n * n);
    for (size_t k = 0; k < n; ++k)
      for (size_t other = 0; other < n; ++other) {
        both_ways_[k * n + other] =
            target.class_costs[k * n + other] + target.class_costs[other * n + k];
        dearest_ = std::max(dearest_, static_cast<double>(both_ways_[k * n + other]));
      }
  }

  void start(const Sums& total) {
    Base::start(total);
    if (left_.size() == 2) return;
    std::fill(left_pulls_.begin(), left_pulls_.end(), 0);
    right_pulls_ = pulls_of(total.masses);
  }
  void shift(size_t k, int64_t mass) {
    Base::shift(k, mass);
    const size_t n = left_.size();
    if (n == 2) return;
    for (size_t other = 0; other < n; ++other) {
      const int128 pull = static_cast<int128>(both_ways_[k * n + other]) * mass;
      left_pulls_[other] += pull;
      right_pulls_[other] -= pull;
    }
  }
  // Two classes: the costs are one factor, and cuts compare as without them. More: the
  // impurity may rise, so its distance from the worst possible one is compared.
  double score() const {
    if (left_.size() == 2) return two_class_gini(left_, right_);
    return dearest_ * static_cast<double>(left_mass_ + right_mass_) -
           impurity(left_, left_pulls_, left_mass_) -
           impurity(right_, right_pulls_, right_mass_);
  }
  double decrease(const Sums& total, const Sums& left, const Sums& right) const {
    return (impurity(total) - impurity(left) - impurity(right)) / 2 * target_.cost_unit;
  }

 private:
  std::vector<int128> pulls_of(const std::vector<int64_t>& masses) const {
    const size_t n = masses.size();
    std::vector<int128> pulls(n, 0);
    for (size_t k = 0; k < n; ++k)
      for (size_t other = 0; masses[k] > 0 && other < n; ++other)
        pulls[other] += static_cast<int128>(both_ways_[k * n + other]) * masses[k];
    return pulls;
  }
  // Twice the impurity, times mass.
  static double impurity(const std::vector<int64_t>& masses,
                         const std::vector<int128>& pulls, int64_t mass) {
    double sum = 0;
    for (size_t k = 0; k < masses.size(); ++k)
      if (masses[k] > 0) sum += static_cast<double>(masses[k]) * to_double(pulls[k]);
    return mass > 0 ? sum / static_cast<double>(mass) : 0.0;
  }
  double impurity(const Sums& sums) const {
    return impurity(sums.masses, pulls_of(sums.masses), sums.mass);
  }

  std::vector<int64_t> both_ways_;  // cost of mistaking k for l and l for k
  double dearest_ = 0;
  std::vector<int128> left_pulls_, right_pulls_;
};

}  // namespace tanoak
