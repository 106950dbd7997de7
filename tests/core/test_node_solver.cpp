// The cheapest of what several solvers find.
#include "check.hpp"
#include "taos.hpp"

using namespace tanoak;

namespace {

struct Case {
  TaoSample sample;
  std::vector<uint32_t> rows;
  std::vector<int64_t> stakes;
  NodeRules rules;

  explicit Case(Random& random) : sample(random, 200) {
    for (uint32_t row = 0; row < 200; ++row) {
      const double sum = sample.grid(row, 0) + sample.grid(row, 2);
      const bool left = (sum > 0.3) != random.chance(0.05);
      rows.push_back(row);
      stakes.push_back((left ? 1 : -1) * int64_t(random.whole(1, 9)));
    }
  }
  CarePoints care() const { return {rows.data(), stakes.data(), int64_t(rows.size())}; }
  NodeChoice ask(const SolverOptions& options, SolutionLosses& losses) {
    NodeSolver solver(sample.features, sample.levels, options, sample.workers,
                      StopFlag());
    const NodeChoice none = best_constant(care());
    NodeChoice best = none;
    losses.fill(not_looked_for);
    solver.solve({care(), rules, none, none.split}, 0, nullptr, StopFlag(), losses,
                 best);
    return best;
  }
};

}  // namespace

TEST(more_solvers_cost_no_more) {
  Random random(1);
  for (int repeat = 0; repeat < 15; ++repeat) {
    Case one(random);
    one.rules.axis_price = repeat % 3;
    one.rules.pair_price = one.rules.term_price = repeat % 4;
    SolverOptions options;
    SolutionLosses losses;
    const NodeChoice axis = one.ask(options, losses);
    options.oblique = true;
    const NodeChoice both = one.ask(options, losses);
    CHECK(both.objective() <= axis.objective());
    options.oblique = false, options.pair = true;
    const NodeChoice pair = one.ask(options, losses);
    CHECK(pair.objective() <= axis.objective());
    CHECK_EQUAL(pair.loss, loss_of(one.sample.features, pair.split, one.care()));
    CHECK_EQUAL(both.loss, loss_of(one.sample.features, both.split, one.care()));
    CHECK_EQUAL(both.price, price_of(one.rules, one.sample.features, both.split));
  }
}

TEST(the_least_loss_with_one_column_on_request) {
  Random random(2);
  Case one(random);
  SolverOptions options;
  SolutionLosses losses;
  const NodeChoice free = one.ask(options, losses);
  options.all_losses = true;
  one.ask(options, losses);
  CHECK_EQUAL(losses[with_one], free.loss);
}

TEST(closed_columns_are_not_asked) {
  Random random(3);
  Case one(random);
  one.rules.column_closed = {1, 0, 0};
  SolverOptions options;
  options.oblique = true;
  SolutionLosses losses;
  CHECK(obeys(one.rules, one.sample.features, one.ask(options, losses).split));
}
