// What a line loses, and the slope with the widest gap, against a fine grid of slopes.
#include "check.hpp"
#include "plane_line.hpp"
#include "samples.hpp"

using namespace tanoak;

namespace {

// Points above y = 0.4 x want right, those below left; none is close to the line.
PlanePoints draw_sides(Random& random, double* gap) {
  PlanePoints points;
  std::vector<std::pair<double, double>> above;
  while (points.n() + int64_t(above.size()) < 40 || above.empty() || !points.n()) {
    const double x = random.unit() * 2 - 1, y = random.unit() * 2 - 1;
    if (std::fabs(y - 0.4 * x) < *gap) continue;
    if (y > 0.4 * x) {
      above.emplace_back(x, y);
    } else {
      points.x.push_back(x), points.y.push_back(y);
    }
  }
  points.n_left = points.n();
  for (const auto& [x, y] : above) points.x.push_back(x), points.y.push_back(y);
  points.weight.assign(points.x.size(), 1);
  return points;
}

double gap_at(const PlanePoints& points, double slope) {
  double below = -1e9, above = 1e9;
  for (size_t i = 0; i < points.x.size(); ++i) {
    const double height = points.y[i] - slope * points.x[i];
    if (int64_t(i) < points.n_left)
      below = std::max(below, height);
    else
      above = std::min(above, height);
  }
  return (above - below) / std::sqrt(1 + slope * slope);
}

}  // namespace

TEST(all_four_ways_round) {
  PlanePoints points;
  points.x = {0, 2, 1}, points.y = {0, 1, 2};
  points.weight = {1, 10, 100};
  points.n_left = 2;
  points.conflict = 5;
  PlaneLine line;
  line.slope = 0.5, line.threshold = 0;  // below: the first two
  CHECK_EQUAL(loss_of(points, line), 5);
  line.flipped = true;
  CHECK_EQUAL(loss_of(points, line), 116);
  line.exchanged = true;  // x - y / 2: 0, 1.5, 0
  CHECK_EQUAL(loss_of(points, line), 6);
  line.flipped = false;
  CHECK_EQUAL(loss_of(points, line), 15 + 100);
}

TEST(no_slope_has_a_wider_gap) {
  Random random(1);
  for (int repeat = 0; repeat < 40; ++repeat) {
    double least = 0.05;
    const PlanePoints points = draw_sides(random, &least);
    PlaneLine line;
    line.slope = 0.4, line.threshold = 0;
    const double found = gap_at(points, WidestGap(points, line).slope(0.4));
    double widest = 0;
    for (int i = -4000; i <= 4000; ++i)
      widest = std::max(widest, gap_at(points, 0.4 + i / 1000.0));
    CHECK(found >= widest - 1e-9);
    CHECK(found <= widest + 2e-3);
    CHECK(found > 0.09);
  }
}

TEST(no_gap_where_a_side_is_empty) {
  PlanePoints points;
  points.x = {0, 1}, points.y = {0, 1};
  points.weight = {1, 1};
  PlaneLine line;
  line.slope = 0.25, line.threshold = 7;
  CHECK_EQUAL(WidestGap(points, line).slope(0.25), 0.25);
}
