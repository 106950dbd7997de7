// More criteria for classes, against their definitions.
#include "gain_classes.hpp"
#include "moving.hpp"
#include "simd.hpp"

using namespace tanoak;

namespace {

std::shared_ptr<const ClassPrior> prior_of(const ClassNode& node,
                                           std::vector<double> added) {
  const auto all =
      sums_between<ClassSums>(node.target, node.records, 0, node.records.size());
  return std::make_shared<const ClassPrior>(
      ClassPrior{std::move(added), all.masses, all.mass});
}

double dkm(const ClassSums& sums) {
  double impure = 0;
  for (size_t k = 0; k < sums.masses.size(); ++k)
    for (size_t j = 0; j < k; ++j)
      impure += 2 * std::sqrt(double(sums.masses[k]) * double(sums.masses[j]));
  return impure;
}

double entropy(const std::vector<int64_t>& masses, int64_t mass) {
  double sum = 0;
  for (const int64_t m : masses)
    if (m > 0) sum -= double(m) * std::log2(double(m) / double(mass));
  return sum;
}

double errors(const ClassSums& sums, const std::vector<double>& added) {
  double largest = 0, all = 0;
  for (size_t k = 0; k < sums.masses.size(); ++k) {
    const double m = double(sums.masses[k]) + (added.empty() ? 0 : added[k]);
    largest = std::max(largest, m);
    all += m;
  }
  return double(sums.mass) * (all - largest) / all;
}

// Area under the curve of two leaves: chance that a row of `one` is in the leaf that
// comes first, beside a row of `other`.
double area(const std::vector<double>& left, const std::vector<double>& right,
            size_t one, size_t other) {
  double left_mass = 0, right_mass = 0;
  for (const double m : left) left_mass += m;
  for (const double m : right) right_mass += m;
  const double cross = left[one] * right_mass - right[one] * left_mass;
  const double side = cross > 0 ? 1 : cross < 0 ? -1 : 0;
  const double lead =
      left[one] / (left[one] + right[one]) - left[other] / (left[other] + right[other]);
  return 0.5 + side * lead / 2;
}

double auc(std::vector<double> left, std::vector<double> right,
           const std::vector<double>& added) {
  double sum = 0;
  int n_pairs = 0;
  std::vector<size_t> present;
  for (size_t k = 0; k < left.size(); ++k)
    if (left[k] + right[k] > 0) present.push_back(k);
  for (size_t k = 0; k < left.size(); ++k) {
    const bool here = left[k] + right[k] > 0;
    left[k] += here && !added.empty() ? added[k] : 0;
    right[k] += here && !added.empty() ? added[k] : 0;
  }
  for (const size_t one : present)
    for (const size_t other : present)
      if (one != other) sum += area(left, right, one, other), ++n_pairs;
  return n_pairs ? sum / n_pairs : 0.5;
}

std::vector<double> draw_added(Random& random, int32_t n_classes, bool some) {
  std::vector<double> added;
  for (int32_t k = 0; some && k < n_classes; ++k) added.push_back(random.unit() * 3);
  return added;
}

}  // namespace

TEST(dkm_is_its_definition_for_every_cut) {
  Random random(1);
  for (const int32_t n_classes : {2, 3, 7})
    for (const int largest : {1, 9, 10000000}) {  // beyond the table at last
      const auto node = draw_class_node(random, 40, n_classes, largest);
      const int64_t mass = prior_of(node, {})->total;
      const Dkm state(node.target, std::make_shared<const RootTable>(mass, n_classes));
      move_all(
          node.target, node.records, state,
          [&](const Dkm& at, const auto& left, const auto& right, const auto& all) {
            const double gained = dkm(all) - dkm(left) - dkm(right);
            CHECK_NEAR(at.score(), gained, 1e-9 * double(mass));
            CHECK_NEAR(at.decrease(all, left, right), gained, 1e-9 * double(mass));
          });
    }
}

TEST(gain_ratio_is_gain_beside_the_information_of_the_sides) {
  Random random(2);
  for (const int32_t n_classes : {2, 5}) {
    const auto node = draw_class_node(random, 40, n_classes, 5);
    const GainRatio state(node.target, std::make_shared<const EntropyTable>(200));
    move_all(
        node.target, node.records, state,
        [&](const GainRatio& at, const auto& left, const auto& right, const auto& all) {
          const double gained = entropy(all.masses, all.mass) -
                                entropy(left.masses, left.mass) -
                                entropy(right.masses, right.mass);
          CHECK_NEAR(at.score(), gained, 1e-9);
          const double sides = entropy({left.mass, right.mass}, all.mass);
          CHECK_NEAR(at.rank(), gained / sides, 1e-9);
        });
  }
}

TEST(errors_are_counted_or_expected) {
  Random random(3);
  for (const int32_t n_classes : {2, 3, 7})
    for (const bool smoothed : {false, true}) {
      const auto node = draw_class_node(random, 40, n_classes, 6);
      const auto added = draw_added(random, n_classes, smoothed);
      const ErrorRate state(node.target, prior_of(node, added));
      CHECK_EQUAL(state.best_is_prefix(), !smoothed);
      move_all(node.target, node.records, state,
               [&](const ErrorRate& at, const auto& left, const auto& right,
                   const auto& all) {
                 const double left_over = errors(left, added) + errors(right, added);
                 CHECK_NEAR(at.score(), double(all.mass) - left_over, 1e-9);
                 CHECK_NEAR(at.decrease(all, left, right),
                            errors(all, added) - left_over, 1e-9);
               });
    }
}

// The example of a thesis on losses: 400 and 400 rows, cut into (300, 100) and
// (100, 300), or into (200, 0) and (200, 400).
TEST(equal_errors_are_told_apart_by_gini) {
  ClassTarget target;
  target.n_classes = 2;
  target.label_bits = 1;
  target.class_mass = {1, 1};
  auto sums = [&](int64_t a, int64_t b) {
    ClassSums made(target);
    made.rows = made.mass = a + b;
    made.masses = {a, b};
    return made;
  };
  auto prior = std::make_shared<const ClassPrior>(ClassPrior{{}, {400, 400}, 800});
  ErrorRate one(target, prior), two(target, prior);
  one.start(sums(400, 400));
  two.start(sums(400, 400));
  one.move(sums(300, 100));
  two.move(sums(200, 0));
  CHECK_EQUAL(one.score(), 600.0);
  CHECK_EQUAL(two.score(), 600.0);
  CHECK(two.second() > one.second());
}

TEST(auc_is_its_definition_for_every_cut) {
  Random random(4);
  for (const int32_t n_classes : {2, 3, 7, 30})
    for (const bool smoothed : {false, true}) {
      const auto node = draw_class_node(random, 60, n_classes, 6);
      const auto added = draw_added(random, n_classes, smoothed);
      const auto prior = prior_of(node, added);
      move_all(
          node.target, node.records, Auc(node.target, prior),
          [&](const Auc& at, const auto& left, const auto& right, const auto& all) {
            const double expected = auc(masses_of(left), masses_of(right), added);
            double found = at.score();
            if (n_classes == 2) {
              const double a = double(all.masses[0]), b = double(all.masses[1]);
              const double more_a = added.empty() ? a : a + 2 * added[0];
              const double more_b = added.empty() ? b : b + 2 * added[1];
              found = 0.5 + found / (2 * more_a * more_b);
            }
            CHECK_NEAR(found, expected, 1e-12);
            // At the root the tree's area is that of the cut.
            if (n_classes == 2)
              CHECK_NEAR(Auc(at).decrease(all, left, right) / double(all.mass),
                         expected - 0.5, 1e-12);
          });
    }
}

TEST(auc_of_two_classes_has_the_bits_of_the_vector_loop) {
  Random random(5);
  for (const double added : {0.0, 1.0, 2.7}) {
    auto node = draw_class_node(random, 150, 2, 1);
    node.target.row_mass.clear();
    node.target.class_mass = {3, 7};
    auto records = node.records;
    records.push_back(make_record(missing_rank, 0));
    const auto all = sums_between<ClassSums>(node.target, records, 0, 150);
    const auto prior = std::make_shared<const ClassPrior>(
        ClassPrior{{3 * added, 7 * added}, all.masses, all.mass});
    TwoClassScan scan;
    scan.rule = TwoClassRule::area;
    for (size_t k = 0; k < 2; ++k) {
      scan.mass[k] = static_cast<double>(node.target.class_mass[k]);
      scan.total[k] = all.masses[k] / node.target.class_mass[k];
      scan.added[k] = prior->added[k];
    }
    Auc auc_state(node.target, prior);
    auc_state.start(all);
    for (int64_t i = 0; i < 149; ++i) {
      auc_state.move(records[size_t(i)]);
      const auto cut = best_two_class_cut(records.data(), i, i + 1, scan, -1);
      CHECK_EQUAL(cut.position, i);
      CHECK_SAME_BITS(auc_state.score(), cut.score);
    }
  }
}
