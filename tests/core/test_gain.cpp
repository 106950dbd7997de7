// Criteria against their definitions, while records move from right to left.
#include <string>

#include "check.hpp"
#include "gain.hpp"
#include "oracle.hpp"
#include "simd.hpp"

using namespace tanoak;

namespace {

Sample draw_sample(Random& random, size_t n_rows, int32_t n_classes, int largest) {
  Sample sample;
  sample.n_classes = n_classes;
  if (n_classes == 0) sample.purity = Purity::squared_error;
  for (size_t row = 0; row < n_rows; ++row) {
    sample.mass.push_back(random.whole(1, largest));
    if (n_classes > 0)
      sample.labels.push_back(static_cast<int32_t>(random.below(size_t(n_classes))));
    else
      sample.numbers.push_back(random.whole(-500, 500));
  }
  return sample;
}

ClassTarget class_target(const Sample& sample) {
  ClassTarget target;
  target.n_classes = sample.n_classes;
  while (1 << target.label_bits < sample.n_classes) ++target.label_bits;
  target.row_mass.assign(sample.mass.begin(), sample.mass.end());
  return target;
}

NumberTarget number_target(const Sample& sample, int64_t scale) {
  NumberTarget target;
  target.numbers = sample.numbers;
  target.row_mass.assign(sample.mass.begin(), sample.mass.end());
  for (size_t row = 0; row < sample.n_rows(); ++row)
    target.row_moment.push_back(static_cast<int64_t>(sample.numbers[row] + 17) * scale *
                                target.row_mass[row]);
  return target;
}

template <class Target>
std::vector<Record> records_of(const Sample& sample, const Target& target) {
  std::vector<Record> records;
  for (uint32_t row = 0; row < sample.n_rows(); ++row)
    records.push_back(make_record(
        row, target.make_id(row, sample.labels.empty() ? 0 : sample.labels[row])));
  return records;
}

template <class Criterion>
typename Criterion::Sums sums_of(const typename Criterion::Target& target,
                                 const std::vector<Record>& records, size_t begin,
                                 size_t end) {
  typename Criterion::Sums sums(target);
  for (size_t i = begin; i < end; ++i) sums.add(target, records[i]);
  return sums;
}

RowList range(size_t begin, size_t end) {
  RowList rows;
  for (size_t row = begin; row < end; ++row) rows.push_back(row);
  return rows;
}

// Moves all records one by one; after each, expected(decrease by definition, left sums,
// all sums) must be the score, and decrease() the definition times `unit`.
template <class Criterion, class Expected>
void check_states(const Sample& sample, const typename Criterion::Target& target,
                  Criterion criterion, double unit, double precision,
                  const Expected& expected) {
  const auto records = records_of(sample, target);
  const size_t n = records.size();
  const auto all = sums_of<Criterion>(target, records, 0, n);
  CHECK_EQUAL(all.rows, n);
  CHECK_EQUAL(static_cast<double>(all.mass), mass_of(sample, range(0, n)));
  criterion.start(all);
  CHECK_EQUAL(criterion.left_mass(), 0);
  CHECK_EQUAL(criterion.right_mass(), all.mass);
  const double scale = impurity(sample, range(0, n)) + 1;
  for (size_t i = 0; i + 1 < n; ++i) {
    criterion.move(records[i]);
    const auto left = sums_of<Criterion>(target, records, 0, i + 1);
    const auto right = sums_of<Criterion>(target, records, i + 1, n);
    CHECK_EQUAL(criterion.left_mass(), left.mass);
    CHECK_EQUAL(criterion.right_mass(), right.mass);
    const double gained = decrease(sample, range(0, i + 1), range(i + 1, n));
    CHECK_NEAR(criterion.decrease(all, left, right) / unit, gained, precision * scale);
    CHECK_NEAR(expected(criterion.score(), left.mass, right.mass), gained,
               precision * scale);
  }
}

template <class Squares>
void check_gini(const Sample& sample) {
  const ClassTarget target = class_target(sample);
  double parent = 0, mass = 0;
  for (const double m : class_masses(sample, range(0, sample.n_rows()))) {
    parent += m * m;
    mass += m;
  }
  const bool two = sample.n_classes == 2;
  check_states(sample, target, Gini<Squares>(target), 1.0, 1e-11,
               [&](double score, int64_t, int64_t) {
                 return two ? score * 2 / mass : score - parent / mass;
               });
}

void check_entropy(Sample sample) {
  sample.purity = Purity::entropy;
  const ClassTarget target = class_target(sample);
  const auto total = static_cast<int64_t>(mass_of(sample, range(0, sample.n_rows())));
  check_states(sample, target,
               Entropy(target, std::make_shared<const EntropyTable>(total)), 1.0, 1e-11,
               [](double score, int64_t, int64_t) { return score; });
}

}  // namespace

TEST(gini_is_its_definition_for_every_cut) {
  Random random(1);
  for (const int32_t n_classes : {2, 3, 4, 5, 9, 17, 50})
    for (const size_t n_rows : {2, 3, 20, 100})
      for (const int largest : {1, 5, 10000}) {
        const Sample sample = draw_sample(random, n_rows, n_classes, largest);
        check_gini<uint64_t>(sample);
        check_gini<uint128>(sample);
      }
}

TEST(gini_of_large_masses_is_exact_in_wide_sums) {
  Random random(2);
  for (const int32_t n_classes : {2, 3, 50}) {
    Sample sample = draw_sample(random, 60, n_classes, 1000000);
    for (double& mass : sample.mass) mass *= 0x1p25 + 1;  // the total has 50 bits
    check_gini<uint128>(sample);
    check_entropy(sample);
  }
}

TEST(both_widths_of_gini_have_the_same_bits) {
  Random random(3);
  for (const int32_t n_classes : {2, 3, 11}) {
    const Sample sample = draw_sample(random, 200, n_classes, 1000);
    const ClassTarget target = class_target(sample);
    const auto records = records_of(sample, target);
    Gini<uint64_t> narrow(target);
    Gini<uint128> wide(target);
    const auto all = sums_of<Gini<uint64_t>>(target, records, 0, records.size());
    narrow.start(all);
    wide.start(all);
    for (size_t i = 0; i + 1 < records.size(); ++i) {
      narrow.move(records[i]);
      wide.move(records[i]);
      CHECK_SAME_BITS(narrow.score(), wide.score());
    }
  }
}

TEST(gini_of_two_classes_has_the_bits_of_the_vector_loop) {
  Random random(4);
  for (const int largest : {1, 7, 100000}) {
    Sample sample = draw_sample(random, 150, 2, 1);
    ClassTarget target = class_target(sample);
    target.row_mass.clear();
    target.class_mass = {int64_t(random.whole(1, largest)),
                         int64_t(random.whole(1, largest))};
    auto records = records_of(sample, target);
    records.push_back(make_record(missing_rank, 0));
    const auto all = sums_of<Gini<uint64_t>>(target, records, 0, 150);
    TwoClassScan scan;
    for (size_t k = 0; k < 2; ++k) {
      scan.mass[k] = static_cast<double>(target.class_mass[k]);
      scan.total[k] = all.masses[k] / target.class_mass[k];
    }
    Gini<uint64_t> gini(target);
    gini.start(all);
    for (int64_t i = 0; i < 149; ++i) {
      gini.move(records[size_t(i)]);
      const auto cut = best_two_class_cut(records.data(), i, i + 1, scan, -1);
      CHECK_EQUAL(cut.position, i);
      CHECK_SAME_BITS(gini.score(), cut.score);
    }
  }
}

TEST(entropy_is_its_definition_for_every_cut) {
  Random random(5);
  for (const int32_t n_classes : {2, 3, 10, 50})
    for (const size_t n_rows : {2, 3, 20, 100})
      for (const int largest : {1, 5, 10000, 1000000})  // beyond the table at last
        check_entropy(draw_sample(random, n_rows, n_classes, largest));
}

TEST(squared_error_is_its_definition_for_every_cut) {
  Random random(6);
  for (const size_t n_rows : {2, 3, 20, 100})
    for (const int largest : {1, 5, 10000})
      for (const int64_t scale : {int64_t{1}, int64_t{1} << 24}) {
        const Sample sample = draw_sample(random, n_rows, 0, largest);
        const NumberTarget target = number_target(sample, scale);
        const double unit = static_cast<double>(scale) * static_cast<double>(scale);
        const double mass = mass_of(sample, range(0, n_rows));
        check_states(
            sample, target, SquaredError(target), unit, 1e-11,
            [&](double score, int64_t, int64_t) { return score / unit / mass; });
      }
}

TEST(a_group_moves_like_its_records) {
  Random random(7);
  for (int repeat = 0; repeat < 50; ++repeat) {
    const size_t n_rows = 2 + random.below(50), n_moved = 1 + random.below(n_rows - 1);
    const Sample classes = draw_sample(random, n_rows, 2 + int(random.below(6)), 9);
    const Sample numbers = draw_sample(random, n_rows, 0, 9);
    auto check = [&](const Sample& sample, const auto& target, auto one_by_one) {
      using Criterion = decltype(one_by_one);
      auto at_once = one_by_one;
      const auto records = records_of(sample, target);
      const auto all = sums_of<Criterion>(target, records, 0, n_rows);
      one_by_one.start(all);
      at_once.start(all);
      for (size_t i = 0; i < n_moved; ++i) one_by_one.move(records[i]);
      at_once.move(sums_of<Criterion>(target, records, 0, n_moved));
      CHECK_EQUAL(at_once.left_mass(), one_by_one.left_mass());
      CHECK_EQUAL(at_once.right_mass(), one_by_one.right_mass());
      CHECK_SAME_BITS(at_once.score(), one_by_one.score());
    };
    const ClassTarget class_part = class_target(classes);
    const NumberTarget number_part = number_target(numbers, 3);
    const auto logs = std::make_shared<const EntropyTable>(1000);
    check(classes, class_part, Gini<uint64_t>(class_part));
    check(classes, class_part, Gini<uint128>(class_part));
    check(classes, class_part, Entropy(class_part, logs));
    check(numbers, number_part, SquaredError(number_part));
  }
}

// Else a column and its mirror image would be told apart by rounding.
TEST(a_cut_is_worth_the_same_from_both_sides) {
  Random random(11);
  for (int repeat = 0; repeat < 60; ++repeat) {
    const size_t n_rows = 2 + random.below(40);
    const Sample classes = draw_sample(random, n_rows, 2 + repeat % 4, 99);
    const Sample numbers = draw_sample(random, n_rows, 0, 99);
    auto check = [&](const Sample& sample, const auto& target, auto forth) {
      using Criterion = decltype(forth);
      const auto records = records_of(sample, target);
      const auto all = sums_of<Criterion>(target, records, 0, n_rows);
      forth.start(all);
      for (size_t i = 0; i + 1 < n_rows; ++i) {
        forth.move(records[i]);
        const auto left = sums_of<Criterion>(target, records, 0, i + 1);
        const auto right = sums_of<Criterion>(target, records, i + 1, n_rows);
        Criterion back = forth;
        back.start(all);
        back.move(right);
        CHECK_SAME_BITS(back.score(), forth.score());
        CHECK_SAME_BITS(forth.decrease(all, right, left),
                        forth.decrease(all, left, right));
      }
    };
    const ClassTarget class_part = class_target(classes);
    const NumberTarget number_part = number_target(numbers, 12345);
    check(classes, class_part, Gini<uint64_t>(class_part));
    check(classes, class_part,
          Entropy(class_part, std::make_shared<const EntropyTable>(10000)));
    check(numbers, number_part, SquaredError(number_part));
  }
}

TEST(a_state_can_start_again) {
  Random random(8);
  const Sample sample = draw_sample(random, 30, 3, 9);
  const ClassTarget target = class_target(sample);
  const auto records = records_of(sample, target);
  const auto all = sums_of<Gini<uint64_t>>(target, records, 0, 30);
  Gini<uint64_t> used(target), fresh(target);
  used.start(all);
  for (const Record record : records) used.move(record);
  const auto some = sums_of<Gini<uint64_t>>(target, records, 0, 10);
  used.start(some);
  fresh.start(some);
  used.move(records[0]);
  fresh.move(records[0]);
  CHECK_SAME_BITS(used.score(), fresh.score());
}

TEST(sums_are_added_and_subtracted) {
  Random random(9);
  const Sample sample = draw_sample(random, 20, 4, 9);
  const ClassTarget target = class_target(sample);
  const auto records = records_of(sample, target);
  const auto all = sums_of<Entropy>(target, records, 0, 20);
  auto left = sums_of<Entropy>(target, records, 0, 8);
  const auto right = sums_of<Entropy>(target, records, 8, 20);
  left.add(right);
  CHECK_EQUAL(left.masses, all.masses);
  left.subtract(right);
  CHECK_EQUAL(left.masses, sums_of<Entropy>(target, records, 0, 8).masses);
  CHECK_EQUAL(left.rows, 8);
  CHECK_EQUAL(left.mass + right.mass, all.mass);
}

TEST(sums_of_numbers_know_their_range) {
  Random random(10);
  const Sample sample = draw_sample(random, 20, 0, 9);
  const NumberTarget target = number_target(sample, 1);
  const auto records = records_of(sample, target);
  auto left = sums_of<SquaredError>(target, records, 0, 8);
  left.add(sums_of<SquaredError>(target, records, 8, 20));
  const auto& numbers = sample.numbers;
  CHECK_EQUAL(left.low, *std::min_element(numbers.begin(), numbers.end()));
  CHECK_EQUAL(left.high, *std::max_element(numbers.begin(), numbers.end()));
  CHECK_EQUAL(left.moment, sums_of<SquaredError>(target, records, 0, 20).moment);
}

TEST(one_class_or_one_number_is_pure) {
  ClassTarget classes;
  classes.n_classes = 3;
  classes.label_bits = 2;
  classes.class_mass = {2, 0, 5};
  ClassSums sums(classes);
  CHECK(sums.pure());
  sums.add(classes, classes.make_id(0, 0));
  CHECK(sums.pure());
  sums.add(classes, classes.make_id(1, 1));  // weighs nothing
  CHECK(sums.pure());
  sums.add(classes, classes.make_id(2, 2));
  CHECK(!sums.pure());
  NumberTarget numbers;
  numbers.numbers = {0.5, 0.5, 0.25};
  numbers.row_moment = {1, 1, 0};
  NumberSums values(numbers);
  CHECK(values.pure());
  values.add(numbers, 0);
  values.add(numbers, 1);
  CHECK(values.pure());
  values.add(numbers, 2);
  CHECK(!values.pure());
}

TEST(the_table_of_logarithms_is_its_formula) {
  for (const int64_t total : {int64_t{1}, int64_t{2}, int64_t{1000}, int64_t{1} << 22,
                              (int64_t{1} << 22) + 1, int64_t{1} << 52}) {
    const EntropyTable table(total);
    CHECK_EQUAL(table(0), 0);
    CHECK_EQUAL(table(1), 0);
    for (int64_t m = 2; m <= total; m = m * 2 + 1) {
      const auto mass = static_cast<double>(m);
      CHECK_NEAR(table.value(table(m)), mass * std::log2(mass),
                 1e-15 * static_cast<double>(total) * 52);
    }
    CHECK(table(total) <= int64_t{1} << 60);
  }
}
