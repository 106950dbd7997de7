// Masses, costs and priors in whole units.
#include "check.hpp"
#include "prepare.hpp"

using namespace tanoak;

TEST(costs_of_classes_keep_their_ratios) {
  const int32_t labels[] = {0, 1, 2, 1};
  const double mass[] = {1, 1, 1};
  const double costs[] = {0, 2, 1, 8, 0, 4, 1, 1, 0};
  ClassInput input{labels, 3, ClassCriterion::cost, mass, nullptr, nullptr, costs};
  const auto ready = prepare(input, 4);
  for (size_t i = 0; i < 9; ++i)
    CHECK_EQUAL(double(ready.target.class_costs[i]) * ready.target.cost_unit, costs[i]);
  CHECK(ready.target.row_costs.empty());
}

TEST(costs_of_rows_are_in_units_of_the_masses) {
  const int32_t labels[] = {0, 1};
  const double mass[] = {1, 1}, row_mass[] = {0.5, 0.25};
  const double costs[] = {0, 3, 1.5, 0};
  ClassInput input{labels,  2,    ClassCriterion::cost, mass, row_mass, nullptr,
                   nullptr, costs};
  const auto ready = prepare(input, 2);
  const double unit = double(ready.target.row_mass[0]) / 0.5;
  for (size_t i = 0; i < 4; ++i)
    CHECK_EQUAL(double(ready.target.row_costs[i]) * ready.target.cost_unit / unit,
                costs[i]);
}

TEST(a_prior_counts_all_rows_and_scales_what_is_added) {
  const int32_t labels[] = {0, 1, 1};
  const double mass[] = {2, 5}, added[] = {2, 5};
  ClassInput input{labels,  2,    ClassCriterion::auc, mass, nullptr, nullptr, nullptr,
                   nullptr, added};
  const auto ready = prepare(input, 3);
  CHECK_EQUAL(ready.prior->whole[0], 2);
  CHECK_EQUAL(ready.prior->whole[1], 10);
  CHECK_EQUAL(ready.prior->total, 12);
  CHECK_EQUAL(ready.prior->added_to(1), 5.0);
}

TEST(numbers_are_ranked_only_for_medians) {
  const double numbers[] = {3, 1, 2};
  NumberInput input{numbers, nullptr, NumberCriterion::absolute_error};
  const auto ready = prepare(input, 3);
  CHECK(ready.target.place == (std::vector<uint32_t>{2, 0, 1}));
  CHECK(ready.target.row_at == (std::vector<uint32_t>{1, 2, 0}));
  input.criterion = NumberCriterion::squared_error;
  CHECK(prepare(input, 3).target.place.empty());
}
