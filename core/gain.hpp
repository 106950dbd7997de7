// Criteria: how much purer two children are than their parent.
//
// A criterion has Sums (what a set of rows adds up to: a node, a category, the rows
// with the value missing) and a state that rows are moved through from right to left,
// whose score() compares cuts of one node; greater is better. Here are the usual ones;
// others are in gain_classes.hpp, gain_cost.hpp and gain_median.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "base.hpp"
#include "target.hpp"

namespace tanoak {

// What most criteria say of themselves.
struct CriterionDefaults {
  static constexpr bool two_class_scan = false;  // simd.cpp knows it
  static constexpr bool has_second = false;  // second() decides between equal scores
  // Columns are compared by rank() instead of score(): see pick_by_rank.
  static constexpr bool ranks_columns = false;
  // Up to so many categories all subsets are tried, where no order holds the best one.
  static constexpr size_t most_exhaustive = 8;  // 127 subsets
  // For two classes and numbers: whether the order of categories holds the best subset.
  bool best_is_prefix() const { return true; }
};

// --- classes ---

struct ClassSums {
  // Whether the sums name rows, and so change when rows are numbered anew.
  static constexpr bool holds_rows = false;
  int64_t rows = 0;
  int64_t mass = 0;
  std::vector<int64_t> masses;

  explicit ClassSums(const ClassTarget& target)
      : masses(static_cast<size_t>(target.n_classes), 0) {}

  void add(const ClassTarget& target, Record record) {
    const int64_t m = target.mass(record);
    ++rows;
    mass += m;
    masses[static_cast<size_t>(target.label(record))] += m;
  }
  void add(const ClassSums& other) {
    rows += other.rows;
    mass += other.mass;
    for (size_t k = 0; k < masses.size(); ++k) masses[k] += other.masses[k];
  }
  void subtract(const ClassSums& other) {
    rows -= other.rows;
    mass -= other.mass;
    for (size_t k = 0; k < masses.size(); ++k) masses[k] -= other.masses[k];
  }
  bool pure() const {
    return std::count_if(masses.begin(), masses.end(),
                         [](int64_t m) { return m > 0; }) < 2;
  }
};

// What orders the cuts of a node by Gini impurity if there are two classes: the
// formula, and the bits, of best_two_class_cut in simd.cpp.
inline double two_class_gini(const std::vector<int64_t>& left_masses,
                             const std::vector<int64_t>& right_masses) {
  const auto a = static_cast<double>(left_masses[0]);
  const auto b = static_cast<double>(left_masses[1]);
  const auto total_a = static_cast<double>(left_masses[0] + right_masses[0]);
  const auto total_b = static_cast<double>(left_masses[1] + right_masses[1]);
  const double left = a + b, total = total_a + total_b;
  const double cross = b * total_a - a * total_b;
  return cross * cross / (left * (total - left));
}

// Gini impurity: a cut is scored by the sum of squared class masses over the mass of
// each side, whose increase is the decrease of impurity. Squares is wide enough to hold
// the square of the total mass, so that the sums are exact.
template <class Squares>
class Gini : public CriterionDefaults {
 public:
  using Target = ClassTarget;
  using Sums = ClassSums;
  static constexpr bool two_class_scan = true;

  explicit Gini(const Target& target)
      : target_(target), left_(static_cast<size_t>(target.n_classes)), right_(left_) {}

  void start(const Sums& total) {
    left_mass_ = 0;
    right_mass_ = total.mass;
    left_squares_ = 0;
    std::fill(left_.begin(), left_.end(), 0);
    right_ = total.masses;
    right_squares_ = squares(right_);
  }
  void move(Record record) {
    move(static_cast<size_t>(target_.label(record)), target_.mass(record));
  }
  void move(const Sums& group) {
    for (size_t k = 0; k < left_.size(); ++k)
      if (group.masses[k]) move(k, group.masses[k]);
  }
  int64_t left_mass() const { return left_mass_; }
  int64_t right_mass() const { return right_mass_; }
  double score() const {
    if (left_.size() == 2) return two_class_gini(left_, right_);
    return to_double(left_squares_) / static_cast<double>(left_mass_) +
           to_double(right_squares_) / static_cast<double>(right_mass_);
  }
  // Decrease of impurity times mass, for pruning rules and best-first growth.
  static double decrease(const Sums& total, const Sums& left, const Sums& right) {
    return purity(left) + purity(right) - purity(total);
  }

 private:
  static Squares squares(const std::vector<int64_t>& masses) {
    Squares sum = 0;
    for (const int64_t m : masses)
      sum += static_cast<Squares>(m) * static_cast<Squares>(m);
    return sum;
  }
  static double purity(const Sums& sums) {
    return to_double(squares(sums.masses)) / static_cast<double>(sums.mass);
  }
  void move(size_t k, int64_t m) {
    const auto mass = static_cast<Squares>(m);
    left_squares_ += mass * static_cast<Squares>(2 * left_[k] + m);
    right_squares_ -= mass * static_cast<Squares>(2 * right_[k] - m);
    left_[k] += m;
    right_[k] -= m;
    left_mass_ += m;
    right_mass_ -= m;
  }

  const Target& target_;
  std::vector<int64_t> left_, right_;
  int64_t left_mass_ = 0, right_mass_ = 0;
  Squares left_squares_ = 0, right_squares_ = 0;
};

// m * log2(m) in whole units of 2^-exponent: sums of it do not depend on their order.
class EntropyTable {
 public:
  explicit EntropyTable(int64_t total_mass) {
    const auto total = static_cast<double>(total_mass);
    exponent_ = fixed_exponent(total * std::max(1.0, std::log2(total)), 60);
    if (total_mass > largest_table) return;
    table_.reserve(static_cast<size_t>(total_mass) + 1);
    for (int64_t m = 0; m <= total_mass; ++m) table_.push_back(compute(m));
  }
  int64_t operator()(int64_t m) const {
    return static_cast<size_t>(m) < table_.size() ? table_[static_cast<size_t>(m)]
                                                  : compute(m);
  }
  double value(int64_t units) const {
    return std::ldexp(static_cast<double>(units), -exponent_);
  }

 private:
  static constexpr int64_t largest_table = 1 << 22;

  int64_t compute(int64_t m) const {
    if (m <= 1) return 0;
    const auto mass = static_cast<double>(m);
    return std::llround(std::ldexp(mass * std::log2(mass), exponent_));
  }

  std::vector<int64_t> table_;
  int exponent_ = 0;
};

// Information gain: the sum of m_k log m_k - m log m over both sides, less the node's.
class Entropy : public CriterionDefaults {
 public:
  using Target = ClassTarget;
  using Sums = ClassSums;

  Entropy(const Target& target, std::shared_ptr<const EntropyTable> table)
      : target_(target),
        table_(std::move(table)),
        left_(static_cast<size_t>(target.n_classes)),
        right_(left_) {}

  void start(const Sums& total) {
    left_mass_ = 0;
    right_mass_ = total.mass;
    std::fill(left_.begin(), left_.end(), 0);
    right_ = total.masses;
    inner_ = 0;
    for (const int64_t m : right_) inner_ += (*table_)(m);
    whole_ = inner_ - (*table_)(right_mass_);
  }
  void move(Record record) {
    move(static_cast<size_t>(target_.label(record)), target_.mass(record));
  }
  void move(const Sums& group) {
    for (size_t k = 0; k < left_.size(); ++k)
      if (group.masses[k]) move(k, group.masses[k]);
  }
  int64_t left_mass() const { return left_mass_; }
  int64_t right_mass() const { return right_mass_; }
  double score() const {
    const int64_t parts = inner_ - (*table_)(left_mass_) - (*table_)(right_mass_);
    return table_->value(std::max<int64_t>(0, parts - whole_));
  }
  double decrease(const Sums& total, const Sums& left, const Sums& right) const {
    return table_->value(purity(left) + purity(right) - purity(total));
  }

 private:
  int64_t purity(const Sums& sums) const {
    int64_t sum = -(*table_)(sums.mass);
    for (const int64_t m : sums.masses) sum += (*table_)(m);
    return sum;
  }
  void move(size_t k, int64_t m) {
    const auto& table = *table_;
    inner_ +=
        table(left_[k] + m) - table(left_[k]) + table(right_[k] - m) - table(right_[k]);
    left_[k] += m;
    right_[k] -= m;
    left_mass_ += m;
    right_mass_ -= m;
  }

  const Target& target_;
  std::shared_ptr<const EntropyTable> table_;
  std::vector<int64_t> left_, right_;
  int64_t left_mass_ = 0, right_mass_ = 0;

 protected:
  // What the sides add up to beyond their classes, and what that of the node is.
  int64_t split_information() const {
    const auto& table = *table_;
    return table(left_mass_ + right_mass_) - table(left_mass_) - table(right_mass_);
  }
  const EntropyTable& log_table() const { return *table_; }

 private:
  int64_t inner_ = 0, whole_ = 0;
};

// --- numbers ---

struct NumberSums {
  static constexpr bool holds_rows = false;
  int64_t rows = 0;
  int64_t mass = 0;
  int64_t moment = 0;
  double low = std::numeric_limits<double>::infinity();
  double high = -low;

  explicit NumberSums(const NumberTarget&) {}

  void add(const NumberTarget& target, Record record) {
    const uint32_t row = target.row(record);
    ++rows;
    mass += target.mass(record);
    moment += target.row_moment[row];
    low = std::min(low, target.numbers[row]);
    high = std::max(high, target.numbers[row]);
  }
  void add(const NumberSums& other) {
    rows += other.rows;
    mass += other.mass;
    moment += other.moment;
    low = std::min(low, other.low);
    high = std::max(high, other.high);
  }
  // Keeps the range, which is an upper bound then.
  void subtract(const NumberSums& other) {
    rows -= other.rows;
    mass -= other.mass;
    moment -= other.moment;
  }
  bool pure() const { return !(low < high); }
};

// Squared error: a cut is scored by D^2 / (m_left * m_right), D the exact difference of
// cross products, which is the decrease of squared error up to a constant of the node.
class SquaredError : public CriterionDefaults {
 public:
  using Target = NumberTarget;
  using Sums = NumberSums;

  explicit SquaredError(const Target& target) : target_(target) {}

  void start(const Sums& total) {
    left_mass_ = left_moment_ = 0;
    right_mass_ = mass_ = total.mass;
    moment_ = total.moment;
  }
  void move(Record record) {
    move(target_.mass(record), target_.row_moment[target_.row(record)]);
  }
  void move(const Sums& group) { move(group.mass, group.moment); }
  int64_t left_mass() const { return left_mass_; }
  int64_t right_mass() const { return right_mass_; }
  double score() const {
    const double cross = to_double(static_cast<int128>(left_moment_) * mass_ -
                                   static_cast<int128>(moment_) * left_mass_);
    // The masses are multiplied first: both sides of a cut count alike, to the bit.
    return cross * cross /
           (static_cast<double>(left_mass_) * static_cast<double>(right_mass_));
  }
  static double decrease(const Sums& total, const Sums& left, const Sums& right) {
    const double cross = to_double(static_cast<int128>(left.moment) * total.mass -
                                   static_cast<int128>(total.moment) * left.mass);
    const auto mass = static_cast<double>(total.mass);
    return (cross / mass) * (cross / mass) /
           (static_cast<double>(left.mass) * static_cast<double>(right.mass)) * mass;
  }

 private:
  void move(int64_t mass, int64_t moment) {
    left_mass_ += mass;
    right_mass_ -= mass;
    left_moment_ += moment;
  }

  const Target& target_;
  int64_t left_mass_ = 0, right_mass_ = 0, mass_ = 0;
  int64_t left_moment_ = 0, moment_ = 0;
};

}  // namespace tanoak
