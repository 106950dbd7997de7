// Which pairs are ranked, and that the telling one comes first.
#include "check.hpp"
#include "pair_ranking.hpp"
#include "samples.hpp"

using namespace tanoak;

namespace {

struct Bench {
  Grid grid;
  Dense<double> table;
  Workers workers{2};
  StopFlag stop;
  Features features;
  ClassTarget target;
  std::vector<Record> records;
  std::vector<uint32_t> rows;
  ClassSums sums;
  AxisCut none;

  // Two classes by the sum of columns 3 and 6.
  Bench(Random& random, size_t n, size_t n_columns)
      : grid(draw_grid(random, n, n_columns, 100, 0)),
        table(grid, Layout::by_row),
        features(TableView(table.view), std::vector<int32_t>(n_columns, 0),
                 std::vector<double>(n_columns, 0.0), workers, stop),
        target(two_classes()),
        sums(target) {
    for (uint32_t row = 0; row < n; ++row) {
      const bool yes = 2 * grid(row, 3) + grid(row, 6) > random.whole(-2, 2);
      records.push_back(target.make_id(row, yes));
      rows.push_back(row);
      sums.add(target, records.back());
    }
  }

  std::vector<PairCandidate> rank(const PairSettings& settings, PairCount& count,
                                  bool together) {
    PairRanking ranking(features, settings, Crew(together ? &workers : nullptr), stop);
    count.possible = pairs_of(features);
    const SumQuestion<Gini<uint64_t>> node{
        target, sums, records.data(), rows.data(), int64_t(rows.size()), 0, none, 0};
    return ranking.rank(node, CutLimits(), 5, 0, count);
  }

 private:
  static ClassTarget two_classes() {
    ClassTarget target;
    target.n_classes = 2;
    target.label_bits = 1;
    target.class_mass = {1, 1};
    return target;
  }
};

}  // namespace

TEST(the_telling_pair_comes_first) {
  Random random(1);
  Bench bench(random, 600, 8);
  PairCount count;
  const auto best = bench.rank(PairSettings(), count, true);
  CHECK_EQUAL(best.size(), 5u);
  CHECK_EQUAL(best[0].one.feature, 3);
  CHECK_EQUAL(best[0].two.feature, 6);
  CHECK_NEAR(std::tan(best[0].angle), 0.5, 0.2);
  CHECK_EQUAL(count.possible, 28);
  CHECK_EQUAL(count.searched.load(), 28);
}

TEST(of_too_many_pairs_those_of_strong_features_are_ranked) {
  Random random(2);
  Bench bench(random, 600, 12);
  PairSettings settings;
  settings.max_pairs = 4;
  PairCount count;
  const auto best = bench.rank(settings, count, false);
  CHECK_EQUAL(count.searched.load(), 4);
  CHECK_EQUAL(count.possible, 66);
  CHECK_EQUAL(best[0].one.feature, 3);
  CHECK_EQUAL(best[0].two.feature, 6);
  const auto again = bench.rank(settings, count, true);
  CHECK_EQUAL(again.size(), best.size());
  for (size_t i = 0; i < best.size(); ++i) {
    CHECK_EQUAL(again[i].one.feature, best[i].one.feature);
    CHECK_EQUAL(again[i].two.feature, best[i].two.feature);
    CHECK_SAME_BITS(again[i].angle, best[i].angle);
  }
}

TEST(pairs_are_of_two_columns) {
  Workers workers(1);
  Grid grid(3, 3);
  const Dense<double> table(grid, Layout::by_row);
  const Features features(TableView(table.view), {4, 0, 3}, {-1, 0, -1}, workers,
                          StopFlag());
  CHECK_EQUAL(pairs_of(features), 4 * 1 + 4 * 3 + 1 * 3);
}

TEST(rows_and_directions_are_spread_evenly) {
  CHECK(spread_out(3, 10) == (std::vector<int64_t>{0, 1, 2}));
  CHECK(spread_out(10, 4) == (std::vector<int64_t>{0, 2, 5, 7}));
  for (const int64_t n : {1, 2, 5, 16, 60})
    for (int64_t h = 0; h < n; ++h) {
      const double angle = angle_of(h, n);
      CHECK(angle > 0 && angle < half_turn);
      CHECK(std::abs(angle - half_turn / 2) > 0.1 / double(n));
      if (h > 0) CHECK_NEAR(angle - angle_of(h - 1, n), half_turn / double(n), 1e-12);
    }
}
