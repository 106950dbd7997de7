// Weights in whole units, and what an id tells about its row.
#include "check.hpp"
#include "samples.hpp"
#include "target.hpp"

using namespace tanoak;

namespace {

double sum_of(const std::vector<double>& numbers) {
  double sum = 0;
  for (const double number : numbers) sum += number;
  return sum;
}

int64_t sum_of(const std::vector<int64_t>& numbers) {
  int64_t sum = 0;
  for (const int64_t number : numbers) sum += number;
  return sum;
}

}  // namespace

TEST(whole_weights_stay_as_they_are) {
  const FixedWeights fixed = fix_weights({3, 0, 1, 4503599627370000}, 4503599627370004);
  CHECK_EQUAL(fixed.exponent, 0);
  CHECK_EQUAL(fixed.units, (std::vector<int64_t>{3, 0, 1, 4503599627370000}));
}

TEST(other_weights_are_rounded_to_units_of_52_bits) {
  Random random(1);
  for (const double scale : {1e-300, 1e-9, 1.0, 3.7, 1e9, 1e290})
    for (const size_t n : {1, 2, 10, 1000}) {
      std::vector<double> weights;
      for (size_t i = 0; i < n; ++i) weights.push_back((random.unit() + 0.01) * scale);
      const FixedWeights fixed = fix_weights(weights, sum_of(weights));
      const double unit = std::ldexp(1.0, -fixed.exponent);
      for (size_t i = 0; i < n; ++i) {
        const double value = std::ldexp(double(fixed.units[i]), -fixed.exponent);
        CHECK_NEAR(value, weights[i], unit / 2);
      }
      // 52 bits, give or take the rounding of each.
      const int64_t total = sum_of(fixed.units);
      CHECK(total >= (int64_t{1} << 51) - int64_t(n));
      CHECK(total <= (int64_t{1} << 52) + int64_t(n));
      CHECK_NEAR(fixed.value(total), sum_of(weights), sum_of(weights) * 1e-12);
    }
}

TEST(whole_weights_beyond_52_bits_are_rounded_too) {
  const FixedWeights fixed = fix_weights({0x1p60, 0x1p59}, 0x1p60 + 0x1p59);
  CHECK(fixed.exponent < 0);
  CHECK_EQUAL(fixed.units[0], 2 * fixed.units[1]);
  CHECK(sum_of(fixed.units) <= int64_t{1} << 52);
  CHECK_EQUAL(fixed.value(fixed.units[0]), 0x1p60);
}

TEST(a_weight_is_zero_only_if_it_was) {
  const FixedWeights fixed = fix_weights({0.0, 1e-30, 0.5, 1e6}, 1000000.5);
  CHECK_EQUAL(fixed.units[0], 0);
  CHECK_EQUAL(fixed.units[1], 1);
  CHECK(fixed.units[2] > 1);
}

TEST(a_power_of_two_changes_the_exponent_only) {
  const std::vector<double> weights = {0.1, 0.7, 2.3, 0.0};
  std::vector<double> larger = weights;
  for (double& weight : larger) weight *= 0x1p40;
  const FixedWeights a = fix_weights(weights, 3.1),
                     b = fix_weights(larger, 3.1 * 0x1p40);
  CHECK_EQUAL(a.units, b.units);
  CHECK_EQUAL(a.exponent, b.exponent + 40);
}

TEST(an_id_tells_row_and_class) {
  for (unsigned bits = 1; bits <= 6; ++bits) {
    ClassTarget target;
    target.n_classes = 1 << bits;
    target.label_bits = bits;
    for (const uint32_t row : {0u, 1u, 5000u, (1u << (32 - bits)) - 2})
      for (int32_t label = 0; label < target.n_classes; ++label) {
        const Record record = make_record(99, target.make_id(row, label));
        CHECK_EQUAL(target.row(record), row);
        CHECK_EQUAL(target.label(record), label);
        const Record moved = make_record(99, target.renumber(record, 3));
        CHECK_EQUAL(target.row(moved), 3);
        CHECK_EQUAL(target.label(moved), label);
      }
  }
}

TEST(classes_that_do_not_fit_into_the_id_are_looked_up) {
  ClassTarget target;
  target.n_classes = 3;
  target.labels = {2, 0, 1};
  target.class_mass = {10, 20, 30};
  for (uint32_t row = 0; row < 3; ++row) {
    const Record record = make_record(7, target.make_id(row, target.labels[row]));
    CHECK_EQUAL(target.row(record), row);
    CHECK_EQUAL(target.label(record), target.labels[row]);
    CHECK_EQUAL(target.mass(record), 10 * (target.labels[row] + 1));
    CHECK_EQUAL(target.renumber(record, 1), 1);
  }
  CHECK_EQUAL(target.make_id(0xFFFFFFFEu, 2), 0xFFFFFFFEu);
}

TEST(the_mass_of_a_row_goes_before_that_of_its_class) {
  ClassTarget target;
  target.n_classes = 2;
  target.label_bits = 1;
  target.class_mass = {5, 9};
  CHECK_EQUAL(target.mass(target.make_id(1, 1)), 9);
  CHECK_EQUAL(target.mass(target.make_id(1, 0)), 5);
  target.row_mass = {100, 200};
  CHECK_EQUAL(target.mass(target.make_id(1, 1)), 200);
  CHECK_EQUAL(target.mass(target.make_id(0, 1)), 100);
}

TEST(some_rows_of_classes_keep_what_they_had) {
  for (const unsigned bits : {0u, 2u}) {
    ClassTarget target;
    target.n_classes = 3;
    target.label_bits = bits;
    if (bits == 0) target.labels = {0, 1, 2, 1};
    target.class_mass = {1, 2, 3};
    target.row_mass = {11, 12, 13, 14};
    target.row_weight = {21, 22, 23, 24};
    const ClassTarget part = target.subset({3, 0});
    CHECK_EQUAL(part.n_classes, 3);
    CHECK_EQUAL(part.label_bits, bits);
    CHECK_EQUAL(part.class_mass, target.class_mass);
    CHECK_EQUAL(part.row_mass, (std::vector<int64_t>{14, 11}));
    CHECK_EQUAL(part.row_weight, (std::vector<int64_t>{24, 21}));
    CHECK_EQUAL(part.label(part.make_id(0, 1)), 1);
    CHECK_EQUAL(part.label(part.make_id(1, 0)), 0);
  }
}

TEST(some_rows_of_numbers_keep_what_they_had) {
  NumberTarget target;
  target.numbers = {0.5, 1.5, 2.5};
  target.row_moment = {-10, 0, 10};
  target.sum_exponent = 33;
  CHECK_EQUAL(target.mass(2), 1);
  CHECK_EQUAL(target.subset({1}).mass(0), 1);
  target.row_mass = {4, 5, 6};
  const NumberTarget part = target.subset({2, 0});
  CHECK_EQUAL(part.numbers, (std::vector<double>{2.5, 0.5}));
  CHECK_EQUAL(part.row_moment, (std::vector<int64_t>{10, -10}));
  CHECK_EQUAL(part.row_mass, (std::vector<int64_t>{6, 4}));
  CHECK_EQUAL(part.sum_exponent, 33);
  CHECK_EQUAL(part.mass(part.make_id(1, 0)), 4);
  CHECK_EQUAL(part.row(part.renumber(make_record(1, 2), 0)), 0);
}
