// Criteria that know costs, against their definitions.
#include "gain_cost.hpp"
#include "moving.hpp"

using namespace tanoak;

namespace {

double least_cost(const ClassTarget& target, const std::vector<Record>& records,
                  size_t begin, size_t end) {
  const auto n = size_t(target.n_classes);
  double least = 1e300;
  for (size_t answer = 0; answer < n; ++answer) {
    double sum = 0;
    for (size_t i = begin; i < end; ++i)
      sum += target.row_costs.empty()
                 ? double(target.mass(records[i])) *
                       double(target.class_costs[size_t(target.label(records[i])) * n +
                                                 answer])
                 : double(target.row_costs[target.row(records[i]) * n + answer]);
    least = std::min(least, sum);
  }
  return least;
}

double generalized(const ClassTarget& target, const ClassSums& sums) {
  const size_t n = sums.masses.size();
  double impure = 0;
  for (size_t k = 0; k < n; ++k)
    for (size_t j = 0; j < n; ++j)
      impure += double(target.class_costs[k * n + j]) * double(sums.masses[k]) *
                double(sums.masses[j]) / double(sums.mass);
  return impure;
}

}  // namespace

TEST(expected_cost_is_its_definition_for_every_cut) {
  Random random(1);
  for (const int32_t n_classes : {2, 3, 7})
    for (const bool by_row : {false, true}) {
      auto node = draw_class_node(random, 40, n_classes, 6);
      node.target.cost_unit = 0.25;
      for (size_t i = 0; by_row && i < 40 * size_t(n_classes); ++i)
        node.target.row_costs.push_back(int64_t(random.whole(0, 50)));
      const auto& [target, records] = node;
      move_all(target, records, ExpectedCost(target),
               [&](const ExpectedCost& at, const auto& left, const auto& right,
                   const auto& all) {
                 const auto i = size_t(left.rows);
                 const double gained = least_cost(target, records, 0, 40) -
                                       least_cost(target, records, 0, i) -
                                       least_cost(target, records, i, 40);
                 CHECK_EQUAL(at.score(), gained);
                 CHECK_EQUAL(at.decrease(all, left, right), gained / 4);
               });
    }
}

TEST(a_node_is_done_when_one_answer_is_right_for_all) {
  ClassTarget target;
  target.n_classes = 2;
  target.label_bits = 1;
  target.class_mass = {1, 1};
  target.class_costs = {0, 0, 5, 0};  // a mistake on class 0 costs nothing
  CostSums sums(target);
  sums.add(target, make_record(0, target.make_id(0, 0)));
  sums.add(target, make_record(0, target.make_id(1, 1)));
  CHECK(sums.pure());
  target.class_costs = {0, 1, 5, 0};
  CostSums again(target);
  again.add(target, make_record(0, target.make_id(0, 0)));
  CHECK(again.pure());
  again.add(target, make_record(0, target.make_id(1, 1)));
  CHECK(!again.pure());
}

TEST(cost_sums_subtract_what_they_add) {
  Random random(2);
  const auto node = draw_class_node(random, 30, 4, 6);
  auto all = sums_between<CostSums>(node.target, node.records, 0, 30);
  const auto part = sums_between<CostSums>(node.target, node.records, 0, 12);
  auto rest = sums_between<CostSums>(node.target, node.records, 12, 30);
  all.subtract(part);
  CHECK(all.answers == rest.answers && all.masses == rest.masses);
  CHECK(all.least == rest.least);
  rest.add(part);
  CHECK_EQUAL(rest.rows, 30);
}

TEST(generalized_gini_is_its_definition_for_every_cut) {
  Random random(3);
  for (const int32_t n_classes : {2, 3, 7}) {
    const auto node = draw_class_node(random, 40, n_classes, 6);
    const auto& target = node.target;
    double dearest = 0;
    for (int32_t k = 0; k < n_classes; ++k)
      for (int32_t j = 0; j < n_classes; ++j)
        dearest =
            std::max(dearest, double(target.class_costs[size_t(k * n_classes + j)] +
                                     target.class_costs[size_t(j * n_classes + k)]));
    move_all(target, node.records, GeneralizedGini(target),
             [&](const GeneralizedGini& at, const auto& left, const auto& right,
                 const auto& all) {
               const double left_over =
                   generalized(target, left) + generalized(target, right);
               CHECK_NEAR(at.decrease(all, left, right),
                          generalized(target, all) - left_over, 1e-8);
               if (n_classes > 2)
                 CHECK_NEAR(at.score(), dearest * double(all.mass) - 2 * left_over,
                            1e-8);
             });
  }
}

TEST(generalized_gini_of_two_classes_compares_cuts_like_gini) {
  Random random(4);
  const auto node = draw_class_node(random, 60, 2, 6);
  Gini<uint64_t> gini(node.target);
  gini.start(sums_between<ClassSums>(node.target, node.records, 0, 60));
  size_t moved = 0;
  move_all(node.target, node.records, GeneralizedGini(node.target),
           [&](const GeneralizedGini& at, const auto&, const auto&, const auto&) {
             gini.move(node.records[moved++]);
             CHECK_SAME_BITS(at.score(), gini.score());
           });
}
