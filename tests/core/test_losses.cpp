// Losses in whole units against the costs they come from.
#include "check.hpp"
#include "losses.hpp"
#include "samples.hpp"

using namespace tanoak;

namespace {

const std::vector<double> uneven{0, 5, 1, 2, 0.5, 1, 1, 7, 0};

}  // namespace

TEST(whole_costs_stay_whole) {
  const std::vector<int32_t> labels{0, 1, 2, 1};
  const std::vector<double> costs{0, 5, 1, 2, 0, 1, 1, 7, 0};
  const ClassLoss loss({labels.data(), 3, costs.data(), nullptr, nullptr}, 4);
  for (uint32_t row = 0; row < 4; ++row)
    for (int32_t answer = 0; answer < 3; ++answer)
      CHECK_EQUAL(loss.scale().value(loss.loss(row, answer)),
                  costs[size_t(labels[row] * 3 + answer)]);
  CHECK_EQUAL(loss.mean_stake(), (5 + 2 + 7 + 2) / 4.0);
}

TEST(the_best_class_costs_least) {
  Random random(3);
  for (int repeat = 0; repeat < 100; ++repeat) {
    const size_t n = 1 + random.below(20);
    std::vector<int32_t> labels;
    std::vector<double> weight, by_row;
    std::vector<uint32_t> rows;
    for (size_t row = 0; row < n; ++row) {
      labels.push_back(int32_t(random.below(3)));
      weight.push_back(random.whole(0, 3));
      rows.push_back(uint32_t(row));
      for (int k = 0; k < 3; ++k) by_row.push_back(random.unit());
    }
    const ClassCosts forms[] = {
        {labels.data(), 3, uneven.data(), nullptr, nullptr},
        {labels.data(), 3, uneven.data(), nullptr, weight.data()},
        {labels.data(), 3, nullptr, by_row.data(), weight.data()}};
    for (const ClassCosts& costs : forms) {
      const ClassLoss loss(costs, int64_t(n));
      const auto [answer, lost] = loss.best(rows.data(), int64_t(n), 2);
      for (int32_t other = 0; other < 3; ++other) {
        int64_t sum = 0;
        double value = 0;
        for (const uint32_t row : rows) {
          sum += loss.loss(row, other);
          const double* of_row = costs.by_row ? by_row.data() + 3 * row
                                              : uneven.data() + 3 * size_t(labels[row]);
          value += (costs.weight ? weight[row] : 1.0) * of_row[other];
        }
        CHECK_NEAR(loss.scale().value(sum), value, 1e-12 * double(n));
        CHECK(sum > lost || (sum == lost && other >= answer));
      }
    }
  }
}

TEST(without_rows_the_answer_stays) {
  const int32_t label = 1;
  const double costs[] = {0, 1, 1, 0};
  const ClassLoss loss({&label, 2, costs, nullptr, nullptr}, 1);
  CHECK_EQUAL(loss.best(nullptr, 0, 1).first, 1);
}

TEST(numbers_answer_their_mean_or_median) {
  const std::vector<double> numbers{1, 2, 9, 0.1, 0.1};
  const uint32_t first[] = {0, 1, 2}, same[] = {3, 4};
  const NumberLoss squared({numbers.data(), nullptr, false}, 5);
  CHECK_EQUAL(squared.best(first, 3, 0.5).first, 4.0);
  CHECK_NEAR(squared.scale().value(squared.best(first, 3, 0.5).second), 38, 1e-9);
  CHECK_EQUAL(squared.best(same, 2, 5.0).first, 0.1);
  CHECK_EQUAL(squared.best(same, 2, 5.0).second, 0);
  const NumberLoss absolute({numbers.data(), nullptr, true}, 5);
  CHECK_EQUAL(absolute.best(first, 3, 0.5).first, 2.0);
  const std::vector<double> weight{1, 1, 3, 1, 1};
  const NumberLoss weighed({numbers.data(), weight.data(), true}, 5);
  CHECK_EQUAL(weighed.best(first, 3, 0.5).first, 9.0);
}

TEST(all_losses_fit) {
  const std::vector<double> numbers{-1e100, 1e100, 3};
  const NumberLoss loss({numbers.data(), nullptr, false}, 3);
  int64_t sum = 0;
  for (uint32_t row = 0; row < 3; ++row) sum += loss.loss(row, loss.within(2e100));
  CHECK(sum > 0);
  CHECK(sum < int64_t{1} << 61);
}
