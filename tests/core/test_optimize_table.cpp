// The door of the optimization: from arrays to arrays.
#include "check.hpp"
#include "optimize_table.hpp"
#include "taos.hpp"

using namespace tanoak;

TEST(prices_count_in_average_stakes) {
  Random random(1);
  TaoSample sample(random, 300);
  const TaoState start = write_state(sample.start(random, 3), sample.features);
  OptimizeOptions options;
  options.prices.axis = options.prices.term = 2;
  const ClassCosts costs{sample.labels.data(), 3, sample.costs.data(), nullptr,
                         nullptr};
  const OptimizeInput input{TableView(sample.dense.view), sample.levels, {}};
  const auto optimizer = optimize_classes(input, costs, nullptr, options, start,
                                          sample.workers, StopFlag());
  PassRecord record = optimizer->now();
  for (int pass = 0; pass < 10; ++pass)
    record = optimizer->pass(sample.workers, StopFlag());
  CHECK_NEAR(record.price, 2 * optimizer->mean_stake() * double(record.n_terms), 1e-9);
  CHECK_EQUAL(optimizer->origins().size(), optimizer->tree().left.size());
  CHECK_EQUAL(optimizer->solution_losses().size(),
              optimizer->state().left.size() * n_solutions);
}

TEST(numbers_get_their_means) {
  Random random(2);
  TaoSample sample(random, 200);
  std::vector<double> numbers;
  for (size_t row = 0; row < 200; ++row) numbers.push_back(random.unit());
  const TaoState start = write_state(sample.start(random, 2), sample.features);
  OptimizeOptions options;
  options.prices.axis = 0.01;
  const OptimizeInput input{TableView(sample.dense.view), sample.levels, {}};
  const auto optimizer = optimize_numbers(input, {numbers.data(), nullptr, false},
                                          options, start, sample.workers, StopFlag());
  optimizer->pass(sample.workers, StopFlag());
  const TreeArrays tree = optimizer->tree();
  double sse = 0;
  for (size_t node = 0; node < tree.left.size(); ++node)
    if (tree.left[node] < 0) sse += tree.sse[node];
  CHECK_NEAR(optimizer->now().loss, sse, 1e-9);
  CHECK_EQUAL(tree.fill.size(), size_t{3});
}

TEST(locks_close_columns) {
  Random random(3);
  TaoSample sample(random, 300);
  const TaoState start = write_state(sample.start(random, 2), sample.features);
  OptimizeOptions options;
  NodeLock lock;
  lock.closed = {0, 2};
  lock.must_ask = true;
  options.locks = {lock};
  const ClassCosts costs{sample.labels.data(), 3, sample.costs.data(), nullptr,
                         nullptr};
  const OptimizeInput input{TableView(sample.dense.view), sample.levels, {}};
  const auto optimizer = optimize_classes(input, costs, nullptr, options, start,
                                          sample.workers, StopFlag());
  for (int pass = 0; pass < 3; ++pass) optimizer->pass(sample.workers, StopFlag());
  const TaoState state = optimizer->state();
  for (int64_t term = state.term_start[0]; term < state.term_start[1]; ++term)
    CHECK_EQUAL(state.term_column[size_t(term)], 1);
}
