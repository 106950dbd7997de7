// Orders of keys, and the best cut of an order against all cuts.
#include <numeric>

#include "check.hpp"
#include "order_scan.hpp"
#include "samples.hpp"

using namespace tanoak;

namespace {

// Keys at which careless sorting goes wrong: ties, tiny distances, huge outliers.
std::vector<double> draw_keys(Random& random, size_t n) {
  std::vector<double> keys;
  const size_t kind = random.below(4);
  for (size_t i = 0; i < n; ++i) {
    double key = random.unit();
    if (kind == 1) key = random.whole(-3, 3);
    if (kind == 2) key = 1e6 + key * 1e-7;
    if (kind == 3 && random.chance(0.1)) key = random.chance(0.5) ? 1e300 : -1e307;
    keys.push_back(key);
  }
  return keys;
}

}  // namespace

TEST(rows_are_sorted_by_key_then_number) {
  Random random(1);
  KeyOrder sorter;
  for (int repeat = 0; repeat < 60; ++repeat) {
    const std::vector<double> keys = draw_keys(random, random.below(1200));
    std::vector<uint32_t> expected(keys.size());
    std::iota(expected.begin(), expected.end(), 0U);
    std::stable_sort(expected.begin(), expected.end(),
                     [&](uint32_t a, uint32_t b) { return keys[a] < keys[b]; });
    CHECK(sorter.sort(keys.data(), int64_t(keys.size())) == expected);
  }
}

TEST(the_best_cut_of_an_order) {
  Random random(2);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (int repeat = 0; repeat < 80; ++repeat) {
    const size_t n = 2 + random.below(repeat % 10 == 0 ? 600 : 40);
    ClassTarget target;
    target.n_classes = 3;
    target.label_bits = 2;
    target.class_mass = {1, 3, 2};
    std::vector<double> keys = draw_keys(random, n);
    std::vector<Record> records;
    ClassSums sums(target);
    for (size_t i = 0; i < n; ++i) {
      if (random.chance(0.1)) keys[i] = random.chance(0.5) ? infinity : -infinity;
      records.push_back(target.make_id(uint32_t(i), int32_t(random.below(3))));
      sums.add(target, records.back());
    }
    const CutLimits limits{1 + int64_t(random.below(4)), 1 + int64_t(random.below(6))};
    Gini<uint64_t> state(target);
    double best = -1;
    for (const double at : keys) {
      if (!std::isfinite(at)) continue;
      ClassSums left(target);
      state.start(sums);
      bool any_above = false;
      for (size_t i = 0; i < n; ++i) {
        any_above = any_above || (keys[i] > at && keys[i] < infinity);
        if (!(keys[i] <= at)) continue;
        state.move(records[i]);
        left.add(target, records[i]);
      }
      const int64_t fewest = std::min(left.rows, sums.rows - left.rows);
      const int64_t lightest = std::min(left.mass, sums.mass - left.mass);
      if (any_above && fewest >= limits.min_rows && lightest >= limits.min_mass)
        best = std::max(best, state.score());
    }
    OrderScan<Gini<uint64_t>> scan{Gini<uint64_t>(target)};
    const OrderCut cut =
        scan.best(sums, records.data(), keys.data(), int64_t(n), limits, -1);
    CHECK_EQUAL(cut.found(), best >= 0);
    if (!cut.found()) continue;
    CHECK_NEAR(cut.score, best, 1e-12 * best);
    CHECK(cut.last_left < cut.first_right);
    // A cut must be better than what is known already.
    CHECK(!scan.best(sums, records.data(), keys.data(), int64_t(n), limits, cut.score)
               .found());
  }
}
