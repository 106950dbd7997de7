// Absolute error against its definition.
#include "gain_median.hpp"
#include "moving.hpp"

using namespace tanoak;

namespace {

NumberTarget draw_numbers(Random& random, size_t n_rows, int largest, bool weighted) {
  NumberTarget target;
  for (size_t row = 0; row < n_rows; ++row) {
    target.numbers.push_back(random.whole(-largest, largest));
    const auto mass = int64_t(random.whole(1, 5));
    if (weighted) target.row_mass.push_back(mass);
    target.row_moment.push_back(int64_t(target.numbers.back()) * (weighted ? mass : 1));
  }
  target.rank_numbers();
  return target;
}

// The least there is, over all centers that can be best.
double error_between(const NumberTarget& target, size_t begin, size_t end) {
  double least = end > begin ? 1e300 : 0;
  for (size_t center = begin; center < end; ++center) {
    double sum = 0;
    for (size_t row = begin; row < end; ++row)
      sum += (target.row_mass.empty() ? 1.0 : double(target.row_mass[row])) *
             std::abs(target.numbers[row] - target.numbers[center]);
    least = std::min(least, sum);
  }
  return least;
}

std::vector<Record> records_in_order(size_t n) {
  std::vector<Record> records;
  for (uint32_t row = 0; row < n; ++row) records.push_back(make_record(row, row));
  return records;
}

}  // namespace

TEST(absolute_error_is_its_definition_for_every_cut) {
  Random random(1);
  for (const size_t n : {2, 3, 31, 32, 33, 90})
    for (const int largest : {2, 1000})
      for (const bool weighted : {false, true}) {
        const auto target = draw_numbers(random, n, largest, weighted);
        move_all(target, records_in_order(n), AbsoluteError(target),
                 [&](const AbsoluteError& at, const auto& left, const auto& right,
                     const auto& all) {
                   const auto i = size_t(left.rows);
                   const double gained = error_between(target, 0, n) -
                                         error_between(target, 0, i) -
                                         error_between(target, i, n);
                   CHECK_EQUAL(at.score(), gained);
                   CHECK_EQUAL(at.decrease(all, left, right), gained);
                 });
      }
}

// A state is used for one node after the other, large and small ones.
TEST(a_state_forgets_the_node_before) {
  Random random(2);
  const auto target = draw_numbers(random, 200, 50, true);
  const auto records = records_in_order(200);
  AbsoluteError used(target);
  for (int repeat = 0; repeat < 60; ++repeat) {
    const size_t begin = random.below(190), n = 2 + random.below(199 - begin);
    const auto node = sums_between<MedianSums>(target, records, begin, begin + n);
    AbsoluteError fresh(target);
    used.start(node);
    fresh.start(node);
    for (size_t i = begin; i + 1 < begin + n; ++i) {
      used.move(records[i]);
      fresh.move(records[i]);
      CHECK_SAME_BITS(used.score(), fresh.score());
    }
  }
}

TEST(sums_know_their_rows_and_their_median) {
  Random random(3);
  const auto target = draw_numbers(random, 40, 9, true);
  const auto records = records_in_order(40);
  auto all = sums_between<MedianSums>(target, records, 0, 40);
  all.subtract(sums_between<MedianSums>(target, records, 0, 15));
  const auto rest = sums_between<MedianSums>(target, records, 15, 40);
  CHECK_EQUAL(all.rows, 25);
  CHECK_EQUAL(all.median(), rest.median());
  double below = 0, above = 0;
  for (size_t row = 15; row < 40; ++row) {
    if (target.numbers[row] < rest.median()) below += double(target.row_mass[row]);
    if (target.numbers[row] > rest.median()) above += double(target.row_mass[row]);
  }
  CHECK(2 * below <= double(rest.mass) && 2 * above <= double(rest.mass));
}
