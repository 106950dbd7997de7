// Passes over random trees: what never rises, counted row by row.
#include "check.hpp"
#include "taos.hpp"

using namespace tanoak;

namespace {

int64_t loss_by_walking(const TaoSample& sample, const TaoTree<int32_t>& tree) {
  int64_t loss = 0;
  for (uint32_t row = 0; row < sample.grid.n_rows; ++row)
    loss += sample.loss.loss(row, tree.at(sample.walk(tree, row)).answer);
  return loss;
}

int64_t price_by_visiting(const TaoSample& sample, const TaoTree<int32_t>& tree,
                          const NodeRules& rules) {
  int64_t price = 0;
  tree.visit_reached([&](int32_t id) {
    if (!tree.at(id).is_leaf())
      price += price_of(rules, sample.features, tree.at(id).split);
  });
  return price;
}

OptimizeSettings priced(const ClassLoss& loss, double price) {
  OptimizeSettings settings;
  settings.rules[0].axis_price = loss.scale().units(price);
  settings.rules[0].pair_price = loss.scale().units(1.25 * price);
  settings.rules[0].term_price = loss.scale().units(price);
  settings.rules[0].column_price = {loss.scale().units(price), 0, 0};
  return settings;
}

}  // namespace

TEST(the_objective_never_rises) {
  Random random(1);
  for (int repeat = 0; repeat < 30; ++repeat) {
    TaoSample sample(random, 20 + random.below(200));
    NodeSolver solver = sample.solver(repeat % 2 == 0);
    const OptimizeSettings settings = priced(sample.loss, repeat % 3);
    Optimizer<ClassLoss> optimizer(sample.features, &solver, sample.loss, settings,
                                   sample.start(random, 1 + repeat % 4), sample.workers,
                                   StopFlag());
    PassReport before = optimizer.report();
    for (int pass = 0; pass < 10; ++pass) {
      const PassReport after = optimizer.pass(sample.workers, StopFlag());
      CHECK(after.loss + after.price <= before.loss + before.price);
      CHECK_EQUAL(after.loss, loss_by_walking(sample, optimizer.tree()));
      CHECK_EQUAL(after.price,
                  price_by_visiting(sample, optimizer.tree(), settings.rules[0]));
      before = after;
      if (!after.changed) break;
    }
    CHECK(!optimizer.pass(sample.workers, StopFlag()).changed);
  }
}

TEST(any_number_of_workers_makes_the_same_tree) {
  Random random(2);
  TaoSample sample(random, 500);
  const auto start = sample.start(random, 4);
  std::vector<TaoState> states;
  for (const int n : {1, 2, 4}) {
    Workers workers(n);
    NodeSolver solver(sample.features, sample.levels, {}, workers, StopFlag());
    Optimizer<ClassLoss> optimizer(sample.features, &solver, sample.loss,
                                   priced(sample.loss, 1), start, workers, StopFlag());
    for (int pass = 0; pass < 4; ++pass) optimizer.pass(workers, StopFlag());
    states.push_back(write_state(optimizer.tree(), sample.features));
  }
  for (const TaoState& state : states) {
    CHECK(state.kind == states[0].kind);
    CHECK(state.threshold == states[0].threshold);
    CHECK(state.term_column == states[0].term_column);
    CHECK(state.answer == states[0].answer);
    CHECK(state.solved == states[0].solved);
  }
}

TEST(fixed_nodes_keep_their_split) {
  Random random(3);
  for (int repeat = 0; repeat < 10; ++repeat) {
    TaoSample sample(random, 200);
    NodeSolver solver = sample.solver();
    const auto start = sample.start(random, 3);
    OptimizeSettings settings = priced(sample.loss, 2);
    settings.fixed.assign(start.nodes.size(), 0);
    settings.fixed[0] = settings.fixed[1] = 1;
    Optimizer<ClassLoss> optimizer(sample.features, &solver, sample.loss, settings,
                                   start, sample.workers, StopFlag());
    for (int pass = 0; pass < 3; ++pass) optimizer.pass(sample.workers, StopFlag());
    for (const int32_t id : {0, 1}) {
      CHECK(optimizer.tree().at(id).split.kind == start.at(id).split.kind);
      CHECK_EQUAL(optimizer.tree().at(id).split.threshold,
                  start.at(id).split.threshold);
    }
  }
}

TEST(without_solvers_only_leaves_and_constants_change) {
  Random random(4);
  TaoSample sample(random, 300);
  const auto start = sample.start(random, 3);
  Optimizer<ClassLoss> optimizer(sample.features, nullptr, sample.loss,
                                 priced(sample.loss, 5), start, sample.workers,
                                 StopFlag());
  for (int pass = 0; pass < 3; ++pass) optimizer.pass(sample.workers, StopFlag());
  for (int32_t id = 0; id < start.count(); ++id)
    if (!start.at(id).is_leaf() && !optimizer.tree().at(id).split.is_constant())
      CHECK(optimizer.tree().at(id).split.kind == start.at(id).split.kind);
}

TEST(passes_stop_when_asked) {
  Random random(5);
  TaoSample sample(random, 300);
  NodeSolver solver = sample.solver();
  Optimizer<ClassLoss> optimizer(sample.features, &solver, sample.loss,
                                 priced(sample.loss, 1), sample.start(random, 3),
                                 sample.workers, StopFlag());
  StopFlag stop;
  stop.request();
  CHECK_THROWS(optimizer.pass(sample.workers, stop), Interrupted, "interrupted");
}
