// Cuts by two features: never worse than the directions tried, and scored as routing
// would find them.
#include "check.hpp"
#include "samples.hpp"
#include "split_pair.hpp"

using namespace tanoak;

namespace {

struct Bench {
  Grid grid;
  Dense<double> table;
  Workers workers{1};
  StopFlag stop;
  Features features;
  ClassTarget target;
  std::vector<Record> records;
  std::vector<uint32_t> rows;
  ClassSums sums;
  AxisCut none;

  Bench(Random& random, size_t n, double noise)
      : grid(draw_grid(random, n, 4, 50, 0)),
        table(grid, Layout::by_row),
        features(TableView(table.view), {0, 0, 0, 0}, {0, 0, 0, 0}, workers, stop),
        target(three_classes()),
        sums(target) {
    for (uint32_t row = 0; row < n; ++row) {
      const double sum = grid(row, 1) - 3 * grid(row, 2);
      const int label = random.chance(noise) ? int(random.below(3)) : sum > 0 ? 2 : 0;
      records.push_back(target.make_id(row, label));
      rows.push_back(row);
      sums.add(target, records.back());
    }
  }

  SumCut find(const PairSettings& settings, const CutLimits& limits,
              double axis_decrease, const StopFlag& flag) {
    PairCount count;
    count.possible = pairs_of(features);
    PairSearch<Gini<uint64_t>> search(Gini<uint64_t>(target), features, settings,
                                      limits, Crew(nullptr), flag, count);
    return search.find({target, sums, records.data(), rows.data(), int64_t(rows.size()),
                        0, none, axis_decrease});
  }

  // What the rows that routing sends left and right come to.
  double decrease_of(const SumCut& cut, const CutLimits& limits) const {
    std::vector<uint8_t> side(rows.size());
    mark_left(features, cut, rows.data(), int64_t(rows.size()), side.data());
    ClassSums left(target), right(target);
    for (size_t i = 0; i < rows.size(); ++i)
      (side[i] ? left : right).add(target, records[i]);
    CHECK(std::min(left.rows, right.rows) >= limits.min_rows);
    return Gini<uint64_t>::decrease(sums, left, right);
  }

  // The best cut of one direction, by trying all.
  double slow_best(const std::vector<Term>& terms, const CutLimits& limits) const {
    std::vector<double> values(rows.size());
    features.project(terms, rows.data(), int64_t(rows.size()), values.data());
    double best = 0;
    for (const double at : values) {
      ClassSums left(target), right(target);
      for (size_t i = 0; i < rows.size(); ++i)
        (values[i] <= at ? left : right).add(target, records[i]);
      if (std::min(left.rows, right.rows) >= limits.min_rows)
        best = std::max(best, Gini<uint64_t>::decrease(sums, left, right));
    }
    return best;
  }

 private:
  static ClassTarget three_classes() {
    ClassTarget target;
    target.n_classes = 3;
    target.label_bits = 2;
    target.class_mass = {1, 4, 1};
    return target;
  }
};

}  // namespace

TEST(no_direction_of_any_pair_is_better) {
  Random random(1);
  for (int repeat = 0; repeat < 12; ++repeat) {
    Bench bench(random, 20 + random.below(100), repeat % 2 ? 0.05 : 0.3);
    const CutLimits limits{1 + repeat % 3, 1};
    const SumCut cut = bench.find(PairSettings(), limits, 0, bench.stop);
    CHECK(cut.found());
    CHECK_EQUAL(cut.terms.size(), 2u);
    CHECK(cut.terms[0].feature < cut.terms[1].feature);
    CHECK_EQUAL(cut.terms[0].weight, 1.0);
    const double found = bench.decrease_of(cut, limits);
    for (int32_t one = 0; one < 4; ++one)
      for (int32_t two = one + 1; two < 4; ++two)
        for (const double ratio : {0.1, 0.33, 1.0, 3.0, 10.0})
          for (const double sign : {1.0, -1.0})
            CHECK(found >=
                  bench.slow_best({{one, 1}, {two, sign * ratio}}, limits) - 1e-9);
  }
}

TEST(a_pair_must_pay_its_price) {
  Random random(2);
  Bench bench(random, 200, 0.1);
  PairSettings settings;
  const SumCut cut = bench.find(settings, {}, 0, bench.stop);
  const double gain = bench.decrease_of(cut, {});
  CHECK(bench.find(settings, {}, gain / 1.1001, bench.stop).found());
  CHECK(!bench.find(settings, {}, gain / 1.0999, bench.stop).found());
  settings.pair_cost = 1;
  CHECK(bench.find(settings, {}, gain / 1.0999, bench.stop).found());
  CHECK(!bench.find(settings, {}, gain, bench.stop).found());
}

TEST(a_search_stops_when_it_is_told) {
  Random random(3);
  Bench bench(random, 50, 0.1);
  StopFlag told;
  told.request();
  bool stopped = false;
  try {
    bench.find(PairSettings(), {}, 0, told);
  } catch (const Interrupted&) {
    stopped = true;
  }
  CHECK(stopped);
}

TEST(slopes_are_rounded_to_digits) {
  CHECK_EQUAL(round_to(0.6934, 1), 0.7);
  CHECK_EQUAL(round_to(0.6934, 2), 0.69);
  CHECK_EQUAL(round_to(-0.06934, 3), -0.0693);
  CHECK_EQUAL(round_to(68213.0, 2), 68000.0);
  CHECK_EQUAL(round_to(9.99, 1), 10.0);
  CHECK_EQUAL(round_to(1.0, 1), 1.0);
  CHECK_EQUAL(round_to(1e-300, 1), 1e-300);
  CHECK_EQUAL(round_to(3.7e20, 1), 3.7e20);
}

TEST(values_beyond_any_sum_are_left_alone) {
  Random random(4);
  Bench bench(random, 40, 0.1);
  Grid grid = bench.grid;
  for (double& cell : grid.cells) cell *= 1.4e307;
  const Dense<double> table(grid, Layout::by_row);
  const Features features(TableView(table.view), {0, 0, 0, 0}, {0, 0, 0, 0},
                          bench.workers, bench.stop);
  PairCount count;
  PairSettings settings;
  PairSearch<Gini<uint64_t>> search(Gini<uint64_t>(bench.target), features, settings,
                                    {}, Crew(nullptr), bench.stop, count);
  const SumCut cut = search.find({bench.target, bench.sums, bench.records.data(),
                                  bench.rows.data(), 40, 0, bench.none, 0});
  std::vector<double> sums(40);
  features.project(cut.terms, bench.rows.data(), 40, sums.data());
  for (const double sum : sums) CHECK(std::isfinite(sum));
}
