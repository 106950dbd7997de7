// Thresholds and weights moved to lower losses, against every place they could take.

#include "check.hpp"
#include "refine.hpp"
#include "samples.hpp"

using namespace tanoak;

namespace {

struct Case {
  Grid grid;
  Dense<double> dense;
  Workers workers{1};
  Features features;
  std::vector<uint32_t> rows;
  std::vector<int64_t> stake;

  Case(Random& random, size_t n, size_t d)
      : grid(draw_grid(random, n, d, 6, 0.1)),
        dense(grid, Layout::by_column),
        features(dense.view, std::vector<int32_t>(d, 0), std::vector<double>(d, 0.25),
                 workers, StopFlag()) {
    for (uint32_t row = 0; row < n; ++row) {
      rows.push_back(row);
      stake.push_back(int64_t(random.whole(1, 5)) * (random.chance(0.5) ? 1 : -1));
    }
  }
  CarePoints care() const { return {rows.data(), stake.data(), int64_t(rows.size())}; }
};

NodeChoice draw_choice(Random& random, const Case& made) {
  NodeChoice choice;
  choice.split.kind = SplitKind::sum;
  for (int32_t f = 0; f < made.features.count(); ++f)
    choice.split.terms.push_back({f, random.whole(-4, 3) + 0.5});
  choice.split.threshold = random.whole(-8, 8) / 4;
  choice.loss = loss_of(made.features, choice.split, made.care());
  return choice;
}

// The least loss over all thresholds.
int64_t least_by_threshold(const Case& made, NodeSplit split) {
  std::vector<double> value(made.rows.size());
  made.features.project(split.terms, made.rows.data(), int64_t(value.size()),
                        value.data());
  int64_t least = loss_of(made.features, split, made.care());
  for (const double place : value) {
    split.threshold = place;
    least = std::min(least, loss_of(made.features, split, made.care()));
  }
  return least;
}

}  // namespace

TEST(the_best_place_is_in_the_middle_of_the_widest_gap) {
  std::vector<Turn> turns{{1, -2}, {2, 1}, {6, -1}, {9, 3}, {9, 0}};
  const BestPlace best = best_place(turns, 0);
  CHECK_EQUAL(best.gain, 2);
  CHECK_EQUAL(best.place, 7.5);
  std::vector<Turn> same{{1, 2}, {2, -2}, {5, 1}};
  const BestPlace stays = best_place(same, 0);
  CHECK_EQUAL(stays.gain, 0);
  CHECK_EQUAL(stays.place, 0.0);
  std::vector<Turn> none;
  CHECK_EQUAL(best_place(none, 3).gain, 0);
}

TEST(no_threshold_loses_less) {
  Random random(1);
  for (int repeat = 0; repeat < 60; ++repeat) {
    const Case made(random, 40, 3);
    NodeChoice choice = draw_choice(random, made);
    const int64_t least = least_by_threshold(made, choice.split);
    const int64_t before = choice.loss;
    refine_threshold(made.features, made.care(), choice);
    CHECK_EQUAL(loss_of(made.features, choice.split, made.care()), choice.loss);
    CHECK(choice.loss <= before);
    // Beyond the last row nothing is looked for: that is a constant.
    CHECK(choice.loss == least ||
          best_constant(made.care()).loss <= std::max(least, choice.loss));
  }
}

TEST(no_weight_of_a_fine_grid_loses_less) {
  Random random(2);
  for (int repeat = 0; repeat < 30; ++repeat) {
    const Case made(random, 30, 2);
    NodeChoice choice = draw_choice(random, made);
    NodeSplit tried = choice.split;
    int64_t least = choice.loss;
    for (double weight = -20; weight <= 20; weight += 0.0137) {
      tried.terms[1].weight = weight;
      least = std::min(least, loss_of(made.features, tried, made.care()));
    }
    const int64_t before = choice.loss;
    const bool changed = refine_weight(made.features, made.care(), 1, choice);
    CHECK_EQUAL(changed, choice.loss < before);
    CHECK_EQUAL(loss_of(made.features, choice.split, made.care()), choice.loss);
    CHECK(choice.loss <= least);
  }
}

TEST(a_walk_over_the_weights_never_loses_more) {
  Random random(3);
  for (int repeat = 0; repeat < 30; ++repeat) {
    const Case made(random, 60, 5);
    NodeChoice choice = draw_choice(random, made);
    const int64_t before = choice.loss;
    refine_coordinates(made.features, made.care(), choice, StopFlag());
    CHECK(choice.loss <= before);
    CHECK_EQUAL(loss_of(made.features, choice.split, made.care()), choice.loss);
    NodeChoice again = choice;
    refine_threshold(made.features, made.care(), again);
    CHECK_EQUAL(again.loss, choice.loss);
  }
  StopFlag stop;
  stop.request();
  const Case made(random, 10, 2);
  NodeChoice choice = draw_choice(random, made);
  CHECK_THROWS(refine_coordinates(made.features, made.care(), choice, stop),
               Interrupted, "interrupted");
}
