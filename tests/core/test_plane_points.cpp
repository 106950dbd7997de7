// Scales of features, and points merged by hand.
#include <map>

#include "check.hpp"
#include "plane_points.hpp"
#include "samples.hpp"

using namespace tanoak;

TEST(outliers_do_not_stretch_the_scale) {
  std::vector<double> values, sample;
  for (int i = 0; i < 101; ++i) values.push_back(i);
  values[100] = 1e9;
  const PlaneScale scale = scale_of(values.data(), 101, sample);
  CHECK_EQUAL(scale.centre, 50.0);
  CHECK_EQUAL(scale.unit, 45.0);
  CHECK_EQUAL(scale(95), 1.0);
}

TEST(where_most_values_are_the_same_the_range_is_the_scale) {
  std::vector<double> values(100, 3.0), sample;
  values[7] = -1;
  const PlaneScale scale = scale_of(values.data(), 100, sample);
  CHECK_EQUAL(scale.centre, 1.0);
  CHECK_EQUAL(scale.unit, 2.0);
}

TEST(features_without_a_scale) {
  std::vector<double> sample;
  const std::vector<double> same{4, 4}, huge{-1e300, 1e300}, tiny{0, 1e-200};
  CHECK_EQUAL(scale_of(same.data(), 2, sample).unit, 0.0);
  CHECK(!scale_of(huge.data(), 2, sample).usable());
  CHECK(scale_of(huge.data(), 2, sample).unit < 0);
  CHECK(scale_of(tiny.data(), 2, sample).unit < 0);
  const std::vector<double> two{0, 1};
  CHECK(scale_of(two.data(), 2, sample).usable());
}

TEST(points_in_one_place_become_one) {
  Random random(1);
  for (int repeat = 0; repeat < 50; ++repeat) {
    const size_t n = 1 + random.below(200);
    std::vector<double> x, y;
    std::vector<uint32_t> rows(n);
    std::vector<int64_t> stake;
    std::map<std::pair<double, double>, std::pair<int64_t, int64_t>> places;
    for (size_t i = 0; i < n; ++i) {
      x.push_back(random.whole(-3, 3)), y.push_back(random.whole(-3, 3));
      if (x[i] == 0 && random.chance(0.5)) x[i] = -0.0;
      stake.push_back(int64_t(random.whole(1, 4)) * (random.chance(0.5) ? 1 : -1));
      auto& place = places[{x[i], y[i]}];
      (stake[i] > 0 ? place.first : place.second) += std::abs(stake[i]);
    }
    PlaneMerger merger;
    PlanePoints points;
    merger.merge({0, x.data(), {0, 2}}, {1, y.data(), {1, 1}},
                 {rows.data(), stake.data(), int64_t(n)}, points);
    int64_t conflict = 0, left = 0, right = 0, n_points = 0;
    for (const auto& [at, wants] : places) {
      conflict += std::min(wants.first, wants.second);
      left += std::max<int64_t>(wants.first - wants.second, 0);
      right += std::max<int64_t>(wants.second - wants.first, 0);
      n_points += wants.first != wants.second;
    }
    CHECK_EQUAL(points.conflict, conflict);
    CHECK_EQUAL(points.left_total, left);
    CHECK_EQUAL(points.right_total, right);
    CHECK_EQUAL(points.n(), n_points);
    for (int64_t i = 0; i < points.n(); ++i) {
      const auto at = size_t(i);
      const auto& wants = places[{points.x[at] * 2, points.y[at] + 1}];
      CHECK_EQUAL(points.weight[at], std::abs(wants.first - wants.second));
      CHECK_EQUAL(wants.first > wants.second, i < points.n_left);
    }
  }
}
