// Ranking scores against sums done by hand, on bins and between pivots.
#include "check.hpp"
#include "pair_rank.hpp"
#include "samples.hpp"

using namespace tanoak;

namespace {

struct Drawn {
  ClassTarget target;
  std::vector<Record> records;
  std::vector<int64_t> pick;
  std::vector<float> u, v;
  ClassSums sums;

  Drawn(Random& random, size_t n, int32_t n_classes, double share_of_first)
      : target(make_target(n_classes)), sums(target) {
    for (size_t i = 0; i < n; ++i) {
      const bool first = random.chance(share_of_first);
      const auto label = first ? 0 : int32_t(random.below(size_t(n_classes)));
      records.push_back(target.make_id(uint32_t(i), label));
      sums.add(target, records.back());
      pick.push_back(int64_t(i));
      u.push_back(float(random.whole(0, 20)));
      v.push_back(float(random.whole(0, 20)));
    }
  }

 private:
  static ClassTarget make_target(int32_t n_classes) {
    ClassTarget target;
    target.n_classes = n_classes;
    target.label_bits = 3;
    target.class_mass.assign(size_t(n_classes), 2);
    return target;
  }
};

// The best score of "bin not above b goes left", by its definition.
double slow_score(const Drawn& drawn, const std::vector<int>& bins, int n_bins) {
  const double unit = rank_total / double(drawn.sums.mass);
  double best = -1;
  for (int b = 0; b < n_bins; ++b) {
    std::vector<double> left(8, 0), right(8, 0);
    for (size_t i = 0; i < bins.size(); ++i)
      (bins[i] <= b ? left : right)[size_t(drawn.target.label(drawn.records[i]))] +=
          2 * unit;
    double score = 0;
    bool allowed = true;
    for (const auto* side : {&left, &right}) {
      double mass = 0, squares = 0;
      for (const double m : *side) mass += m, squares += m * m;
      allowed = allowed && mass > 0;
      score += squares / mass;
    }
    if (allowed) best = std::max(best, score);
  }
  return best;
}

float fast_score(const RankRows& rows, const RankLine& line, int n_bins) {
  std::vector<int32_t> bins(size_t(rows.n()));
  std::vector<int32_t> histogram(size_t(rows.n_channels * n_bins));
  return rank_line(rows, line, n_bins, bins.data(), histogram.data());
}

}  // namespace

TEST(scores_of_bins) {
  Random random(1);
  for (int repeat = 0; repeat < 40; ++repeat) {
    const Drawn drawn(random, 30 + random.below(300), 2 + repeat % 4, 0.2);
    int n_bins = 32;
    const RankRows rows =
        rank_rows(drawn.target, drawn.sums, drawn.records.data(), drawn.pick, n_bins);
    if (!rows.pivots.empty()) continue;
    CHECK_EQUAL(n_bins, 32);
    const RankLine line{drawn.u.data(), drawn.v.data(), 0.5F, -0.25F, 6.0F};
    std::vector<int> bins;
    for (size_t i = 0; i < drawn.u.size(); ++i)
      bins.push_back(std::min(31, int(0.5F * drawn.u[i] + -0.25F * drawn.v[i] + 6.0F)));
    const double expected = slow_score(drawn, bins, n_bins);
    CHECK_NEAR(double(fast_score(rows, line, n_bins)), expected, 1e-5 * expected);
  }
}

TEST(few_rows_of_other_classes_are_told_apart_exactly) {
  Random random(2);
  int n_with_pivots = 0;
  for (int repeat = 0; repeat < 40; ++repeat) {
    const Drawn drawn(random, 20 + random.below(200), 2 + repeat % 3, 0.97);
    if (drawn.sums.pure()) continue;
    int n_bins = 64;
    const RankRows rows =
        rank_rows(drawn.target, drawn.sums, drawn.records.data(), drawn.pick, n_bins);
    if (rows.pivots.empty()) continue;
    ++n_with_pivots;
    CHECK_EQUAL(n_bins, 2 * int(rows.pivots.size()) + 1);
    // Every cut between two values is a cut between bins, or worse than one.
    const RankLine line{drawn.u.data(), drawn.v.data(), 1.0F, 2.0F, 0.0F};
    std::vector<int> order;
    for (size_t i = 0; i < drawn.u.size(); ++i)
      order.push_back(int(drawn.u[i] + 2 * drawn.v[i]));
    const double expected = slow_score(drawn, order, 61);
    CHECK_NEAR(double(fast_score(rows, line, n_bins)), expected, 1e-5 * expected);
  }
  CHECK(n_with_pivots > 20);
}

TEST(scores_of_numbers) {
  Random random(3);
  NumberTarget target;
  std::vector<Record> records;
  std::vector<int64_t> pick;
  std::vector<float> u, v;
  for (uint32_t row = 0; row < 200; ++row) {
    target.numbers.push_back(random.unit());
    target.row_moment.push_back(std::llround((target.numbers[row] - 0.5) * 1e9));
    records.push_back(row);
    pick.push_back(row);
    u.push_back(float(random.below(32)));
    v.push_back(0);
  }
  NumberSums sums(target);
  for (const Record record : records) sums.add(target, record);
  int n_bins = 32;
  const RankRows rows = rank_rows(target, sums, records.data(), pick, n_bins);
  double mean = 0, spread = 0;
  for (const double x : target.numbers) mean += x / 200;
  for (const double x : target.numbers) spread += std::abs(x - mean);
  double expected = -1;
  for (int b = 0; b < 31; ++b) {
    double m = 0, moment = 0;
    for (size_t i = 0; i < 200; ++i)
      if (int(u[i]) <= b) m += 1, moment += target.numbers[i] - mean;
    if (m == 0 || m == 200) continue;
    expected = std::max(expected, moment * moment * (1 / m + 1 / (200 - m)));
  }
  expected *= rank_total / spread * (rank_total / spread) * (200 / rank_total);
  const float found = fast_score(rows, {u.data(), v.data(), 1.0F, 1.0F, 0.5F}, n_bins);
  CHECK_NEAR(double(found), expected, 1e-4 * expected);
}

TEST(spread_and_bins_of_a_feature) {
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i) values.push_back(i);
  values.push_back(1e9);
  NodeFeature at = measure(3, values);
  CHECK_EQUAL(at.feature, 3);
  CHECK_NEAR(at.low, 25, 0);
  CHECK_NEAR(at.scale, (975.0 - 25.0) / 2, 0.5);
  const std::vector<double> some{-1e9, 25, 975, 1e9};
  std::vector<float> scaled(4);
  scale_values(at, some.data(), 4, 0.5, scaled.data());
  CHECK_EQUAL(scaled[0], -0.5F);
  CHECK_NEAR(double(scaled[1]), 0, 1e-6);
  CHECK_NEAR(double(scaled[2]), 2, 1e-2);
  CHECK_EQUAL(scaled[3], 2.5F);
  // All rows lie in the bins, the outer ones in the first and the last.
  const RankLine line = line_of(at, scaled.data(), at, scaled.data(), 0.6, 0.8, 64);
  CHECK_EQUAL(int(line.a * -0.5F + line.b * -0.5F + line.c), 0);
  CHECK_EQUAL(int(line.a * 2.5F + line.b * 2.5F + line.c), 63);
  std::vector<double> same(50, 7.0);
  CHECK_EQUAL(measure(0, same).scale, 0.0);
  same[10] = 8;  // outside the middle: then all of the range counts
  CHECK_EQUAL(measure(0, same).scale, 0.5);
  std::vector<double> wide{-1.7e308, 1.7e308};
  CHECK(std::isfinite(measure(0, wide).scale));
}
