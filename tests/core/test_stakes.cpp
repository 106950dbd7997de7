// Stakes by threshold and by category, on rows that are counted by hand.
#include "check.hpp"
#include "samples.hpp"
#include "stakes.hpp"

using namespace tanoak;

TEST(categories_go_to_their_cheaper_side) {
  const uint32_t rows[] = {0, 1, 2, 3, 4, 5};
  const int64_t stake[] = {3, -1, -4, 2, 5, -2};
  const CarePoints care{rows, stake, 6};
  LevelStakes levels;
  levels.fill({0, 0, 1, 1, no_value, 2}, care, 4);
  CHECK_EQUAL(levels.best_loss(), 1 + 2);
  const NodeSplit split = levels.best_split(7);
  CHECK(split.kind == SplitKind::subset);
  CHECK_EQUAL(split.column, 7);
  CHECK(split.missing_left);
  // Category 3 has nothing at stake and follows the side that has more.
  CHECK_EQUAL(split.left_levels[0], 9u);
}

TEST(one_side_for_all_is_no_split) {
  const uint32_t rows[] = {0, 1};
  const int64_t stake[] = {3, 1};
  LevelStakes levels;
  levels.fill({0, 1}, {rows, stake, 2}, 2);
  CHECK(levels.best_split(0).is_constant());
}

TEST(cuts_in_both_directions) {
  Stakes present, missing;
  present.up = 10, present.down = 6;
  missing.up = 2, missing.down = 5;
  AxisFound best;
  const CutScan either(present, missing, 0);
  either.consider(4, 1, 2, best);
  CHECK_EQUAL(best.loss, 2 + 10 - 4);
  CHECK(!best.swapped);
  either.consider(-4, 2, 5, best);
  CHECK_EQUAL(best.loss, 2 + 6 - 4);
  CHECK(best.swapped);
  CHECK_EQUAL(either.best_loss(7, -4), 2 + 6 - 4);
  AxisFound rising;
  const CutScan upright(present, missing, 1);
  upright.consider(-4, 2, 5, rising);
  CHECK_EQUAL(rising.loss, 2 + 14);
  CHECK_EQUAL(upright.best_loss(4, -6), 2 + 6);
}

TEST(of_equal_cuts_the_widest_gap) {
  Stakes present, missing;
  present.up = 5;
  AxisFound best;
  const CutScan scan(present, missing, 0);
  scan.consider(3, 1, 2, best);
  scan.consider(3, 2, 4, best);
  scan.consider(3, 4, 6, best);
  CHECK_EQUAL(best.low, 2.0);
}

TEST(missing_values_alone_on_a_side) {
  Stakes present, missing;
  present.up = 5, present.down = 1;
  missing.down = 3;
  AxisFound best;
  CutScan(present, missing, 0).consider_missing(best);
  CHECK_EQUAL(best.loss, 1);
  CHECK(!best.swapped);
  CHECK(best.any());
}

TEST(columns_with_missing_values_are_found) {
  Grid grid(5, 3);
  grid(4, 1) = no_value;
  const std::vector<int32_t> levels{0, 0, 0};
  Workers workers(2);
  const Dense<double> dense(grid, Layout::by_row);
  const Features features(dense.view, levels, {0, 0, 0}, workers, StopFlag());
  CHECK_EQUAL(int(find_missing(features, workers, StopFlag())[0]), 0);
  CHECK_EQUAL(int(find_missing(features, workers, StopFlag())[1]), 1);
  const auto columns = compress_columns<double, int32_t>(grid, false);
  const Features stored(columns.view, levels, {0, 0, 0}, workers, StopFlag());
  CHECK_EQUAL(int(find_missing(stored, workers, StopFlag())[1]), 1);
  CHECK_EQUAL(int(find_missing(stored, workers, StopFlag())[2]), 0);
}
