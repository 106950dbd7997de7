// Rankings of pairs: directions over cells against the same over points.
#include "check.hpp"
#include "pair_problems.hpp"
#include "plane_rank.hpp"

using namespace tanoak;

TEST(stakes_keep_their_proportions) {
  const std::vector<uint32_t> rows{0, 1, 2};
  const std::vector<int64_t> small{3, -4, 5};
  PlaneStakes cut;
  cut_stakes({rows.data(), small.data(), 3}, cut);
  CHECK_EQUAL(cut.stake, (std::vector<int32_t>{3, -4, 5}));
  CHECK_EQUAL(cut.left_total, 8);
  CHECK_EQUAL(cut.right_total, 4);
  std::vector<int64_t> large = small;
  for (int64_t& stake : large) stake *= int64_t{1} << 55;
  cut_stakes({rows.data(), large.data(), 3}, cut);
  CHECK_EQUAL(cut.stake[0] / 3, cut.stake[2] / 5);
  CHECK(cut.left_total + cut.right_total < int64_t{1} << 29);
  CHECK_EQUAL(int64_t(cut.stake[2]) << cut.shift, large[2]);
}

TEST(bins_hold_like_many_points) {
  Random random(1);
  std::vector<double> middles;
  for (int i = 0; i < 100; ++i) middles.push_back(i * i);
  std::vector<uint8_t> codes;
  for (int i = 0; i < 5000; ++i)
    codes.push_back(uint8_t(20 + random.below(30) + random.below(30)));
  PlaneBins feature;
  bin_codes(codes, middles, 16, feature);
  CHECK(feature.place.size() <= 16);
  CHECK(feature.place.size() >= 14);
  std::vector<int64_t> count(feature.place.size());
  for (size_t i = 0; i < codes.size(); ++i) {
    ++count[feature.bin[i]];
    for (size_t j = 0; j < i; j += 501)
      CHECK((codes[i] < codes[j]) <= (feature.bin[i] <= feature.bin[j]));
  }
  for (const int64_t n : count) CHECK(n > 100 && n < 700);
  CHECK(std::is_sorted(feature.place.begin(), feature.place.end()));
}

TEST(a_clean_line_loses_next_to_nothing) {
  Random random(2);
  const size_t n = 4000;
  std::vector<float> x, y;
  PlaneStakes stakes;
  for (size_t i = 0; i < n; ++i) {
    x.push_back(float(random.unit() * 2 - 1)),
        y.push_back(float(random.unit() * 2 - 1));
    const bool left = 0.8f * x[i] + 0.6f * y[i] < 0.1f;
    stakes.stake.push_back(left ? 2 : -1);
    (left ? stakes.left_total : stakes.right_total) += left ? 2 : 1;
  }
  PlaneRanking scratch;
  const int64_t clean =
      rank_loss(x.data(), y.data(), stakes.stake.data(), n, 24, stakes, scratch);
  CHECK(clean >= 0);
  CHECK(clean < 200);
  for (int32_t& stake : stakes.stake) stake = -stake;  // the other way round
  std::swap(stakes.left_total, stakes.right_total);
  CHECK_EQUAL(
      rank_loss(x.data(), y.data(), stakes.stake.data(), n, 24, stakes, scratch),
      clean);
  random.shuffle(stakes.stake);
  CHECK(rank_loss(x.data(), y.data(), stakes.stake.data(), n, 24, stakes, scratch) >
        1000);
}

TEST(cells_add_up_to_the_points) {
  Random random(3);
  PlaneBins across, up;
  across.place = {-1, 0, 1}, up.place = {-2, 2};
  PlaneStakes stakes;
  int64_t sums[2][3] = {};
  for (int i = 0; i < 100; ++i) {
    across.bin.push_back(uint8_t(random.below(3))), up.bin.push_back(uint8_t(i % 2));
    stakes.stake.push_back(int32_t(random.whole(-3, 3)));
    sums[i % 2][across.bin.back()] += stakes.stake.back();
  }
  PlaneRanking scratch;
  fill_cells(across, up, stakes, scratch);
  size_t n_cells = 0;
  for (const auto& row : sums)
    for (const int64_t sum : row) n_cells += sum != 0;
  CHECK_EQUAL(scratch.cells.x.size(), n_cells);
  for (size_t i = 0; i < n_cells; ++i)
    CHECK_EQUAL(
        scratch.cells.stake[i],
        sums[scratch.cells.y[i] > 0][static_cast<size_t>(scratch.cells.x[i] + 1)]);
}

TEST(what_a_feature_gains_alone) {
  Random random(4);
  for (int repeat = 0; repeat < 30; ++repeat) {
    PairProblem problem = draw_problem(random, 60, 1, repeat % 2 == 0 ? 40 : 1, 3);
    Workers workers(1);
    const StopFlag stop;
    const Dense<double> dense(problem.grid, Layout::by_row);
    const Features features(dense.view, problem.n_levels, problem.fill, workers, stop);
    const Codes codes(features, workers, stop);
    const CarePoints care = problem.care();
    int64_t least = best_constant(care).loss;
    const int64_t most = least;
    NodeSplit split;
    split.kind = SplitKind::axis;
    split.column = 0;
    for (const uint32_t row : problem.rows)
      for (const bool swapped : {false, true}) {
        split.threshold = problem.grid(row, 0), split.swapped = swapped;
        least = std::min(least, loss_of(features, split, care));
      }
    std::vector<uint8_t> buffer;
    CHECK_EQUAL(gain_alone(features, codes, 0, care, buffer), 2 * (most - least));
    const auto compressed = compress_columns<double, int32_t>(problem.grid, false);
    const Features sparse(compressed.view, problem.n_levels, problem.fill, workers,
                          stop);
    const Codes sparse_codes(sparse, workers, stop);
    const int64_t gain = gain_alone(sparse, sparse_codes, 0, care, buffer);
    CHECK(gain <= 2 * (most - least));
    if (repeat % 2 == 1) CHECK_EQUAL(gain, 2 * (most - least));
  }
}
