#include "optimize_table.hpp"

#include <cmath>
#include <optional>
#include <utility>

#include "fill.hpp"
#include "random_start.hpp"
#include "tao_finish.hpp"

namespace tanoak {

namespace {

FixedWeights fixed_weights(const double* weight, int64_t n) {
  const std::vector<double> weights(weight, weight + n);
  double total = 0;
  for (const double each : weights) total += each;
  return fix_weights(weights, total);
}

std::pair<ClassTarget, int> target_of(const ClassCosts& costs, const double* weight,
                                      int64_t n) {
  ClassTarget target;
  target.n_classes = costs.n_classes;
  target.labels.assign(costs.labels, costs.labels + n);
  if (!weight) return {std::move(target), 0};
  FixedWeights fixed = fixed_weights(weight, n);
  target.row_weight = std::move(fixed.units);
  return {std::move(target), fixed.exponent};
}

std::pair<NumberTarget, int> target_of(const NumberCosts& costs, int64_t n) {
  NumberTarget target;
  double largest = 0;
  for (int64_t row = 0; row < n; ++row) {
    target.numbers.push_back(costs.numbers[row] + 0.0);
    largest = std::max(largest, std::abs(costs.numbers[row]));
  }
  auto mass = static_cast<double>(n);
  int exponent = 0;
  if (costs.weight) {
    FixedWeights fixed = fixed_weights(costs.weight, n);
    mass = 0;
    for (const int64_t units : fixed.units) mass += static_cast<double>(units);
    target.row_mass = std::move(fixed.units);
    exponent = fixed.exponent;
  }
  target.sum_exponent = fixed_exponent(largest * mass, 120);
  return {std::move(target), exponent};
}

// Prices in whole units of loss.
template <class Loss>
NodeRules rules_of(const OptimizePrices& prices, const Loss& loss) {
  auto units = [&](double price) {
    return loss.scale().price_units(price * loss.mean_stake());
  };
  NodeRules rules;
  rules.axis_price = units(prices.axis);
  rules.pair_price = units(prices.pair);
  rules.term_price = units(prices.term);
  for (const double price : prices.columns) rules.column_price.push_back(units(price));
  return rules;
}

NodeRules locked(NodeRules rules, const NodeLock& lock, size_t n_columns) {
  if (!lock.closed.empty()) rules.column_closed.assign(n_columns, 0);
  for (const int32_t column : lock.closed)
    rules.column_closed[static_cast<size_t>(column)] = 1;
  if (!lock.rising.empty() || !lock.falling.empty())
    rules.direction.assign(n_columns, 0);
  for (const int32_t column : lock.rising)
    rules.direction[static_cast<size_t>(column)] = 1;
  for (const int32_t column : lock.falling)
    rules.direction[static_cast<size_t>(column)] = -1;
  return rules;
}

template <class Loss>
OptimizeSettings settings_for(const OptimizeOptions& options, const Loss& loss,
                              size_t n_nodes, size_t n_columns) {
  OptimizeSettings settings;
  settings.rules = {rules_of(options.prices, loss)};
  if (options.locks.empty()) return settings;
  settings.rules_of.assign(n_nodes, 0);
  settings.fixed.assign(n_nodes, 0);
  settings.must_ask.assign(n_nodes, 0);
  for (const NodeLock& lock : options.locks) {
    const auto node = static_cast<size_t>(lock.node);
    settings.rules_of[node] = static_cast<int32_t>(settings.rules.size());
    settings.rules.push_back(locked(settings.rules[0], lock, n_columns));
    settings.fixed[node] = lock.fixed;
    settings.must_ask[node] = lock.must_ask || lock.fixed;
  }
  return settings;
}

template <class Loss, class Target>
class OneOptimizer : public TreeOptimizer {
 public:
  OneOptimizer(const OptimizeInput& input, Loss loss, std::pair<Target, int> target,
               const OptimizeOptions& options, const TaoState& start, Workers& workers,
               const StopFlag& stop)
      : loss_(std::move(loss)),
        target_(std::move(target.first)),
        weight_exponent_(target.second),
        n_levels_(input.n_levels),
        fill_(input.fill.empty()
                  ? learn_fill(input.table, input.n_levels, workers, stop)
                  : input.fill),
        features_(input.table, input.n_levels, fill_, workers, stop) {
    SolverOptions solvers = options.solvers;
    solvers.oblique_settings.penalty = options.penalty;
    solvers.oblique_settings.unit =
        std::max(1.0, loss_.mean_stake() * loss_.scale().factor);
    // Every row of a regression cares, and the last part of the loss takes longest.
    if (std::is_same_v<Loss, NumberLoss> && !solvers.pair_settings.exact)
      solvers.pair_settings.tolerance = 1e-3;
    solver_.emplace(features_, n_levels_, solvers, workers, stop);
    TaoTree<Answer> tree = read_state<Answer>(start, features_);
    if constexpr (std::is_same_v<Loss, NumberLoss>)
      for (auto& node : tree.nodes) node.answer = loss_.within(node.answer);
    optimizer_.emplace(
        features_, &*solver_, loss_,
        settings_for(options, loss_, tree.nodes.size(), input.n_levels.size()),
        std::move(tree), workers, stop);
  }

  PassRecord pass(Workers& workers, const StopFlag& stop) override {
    optimizer_->pass(workers, stop);
    return now();
  }
  PassRecord now() const override {
    const PassReport& report = optimizer_->report();
    return {report.changed, value(report.loss), value(report.price), report.n_splits,
            report.n_terms};
  }
  TaoState state() const override { return write_state(optimizer_->tree(), features_); }
  TreeArrays tree() const override {
    TreeArrays arrays = finish(finisher().growth(), weight_exponent_);
    arrays.fill = fill_;
    return arrays;
  }
  std::vector<int32_t> origins() const override { return finisher().origins(); }
  std::vector<double> solution_losses() const override {
    std::vector<double> losses;
    for (const auto& node : optimizer_->tree().nodes)
      for (const int64_t loss : node.losses)
        losses.push_back(loss == not_looked_for ? -1.0 : value(loss));
    return losses;
  }
  double mean_stake() const override { return loss_.mean_stake(); }

 private:
  using Answer = typename Loss::Answer;

  double value(int64_t units) const { return loss_.scale().value(units); }
  TaoFinisher<Answer, Target> finisher() const {
    return {optimizer_->tree(),
            optimizer_->rows(),
            features_,
            n_levels_,
            target_,
            optimizer_->settings().must_ask};
  }

  Loss loss_;
  Target target_;
  int weight_exponent_;
  std::vector<int32_t> n_levels_;
  std::vector<double> fill_;
  Features features_;
  std::optional<NodeSolver> solver_;
  std::optional<Optimizer<Loss>> optimizer_;
};

}  // namespace

std::unique_ptr<TreeOptimizer> optimize_classes(const OptimizeInput& input,
                                                const ClassCosts& costs,
                                                const double* weight,
                                                const OptimizeOptions& options,
                                                const TaoState& start, Workers& workers,
                                                const StopFlag& stop) {
  const int64_t n =
      std::visit([](const auto& view) { return view.n_rows; }, input.table);
  return std::make_unique<OneOptimizer<ClassLoss, ClassTarget>>(
      input, ClassLoss(costs, n), target_of(costs, weight, n), options, start, workers,
      stop);
}

std::unique_ptr<TreeOptimizer> optimize_numbers(const OptimizeInput& input,
                                                const NumberCosts& costs,
                                                const OptimizeOptions& options,
                                                const TaoState& start, Workers& workers,
                                                const StopFlag& stop) {
  const int64_t n =
      std::visit([](const auto& view) { return view.n_rows; }, input.table);
  return std::make_unique<OneOptimizer<NumberLoss, NumberTarget>>(
      input, NumberLoss(costs, n), target_of(costs, n), options, start, workers, stop);
}

TaoState random_start(const OptimizeInput& input, const RandomTree& wanted,
                      Workers& workers, const StopFlag& stop) {
  const Features features(input.table, input.n_levels,
                          learn_fill(input.table, input.n_levels, workers, stop),
                          workers, stop);
  const Scale scale(features, false, workers, stop);
  const RandomStart start(features, input.n_levels, scale, wanted.n_terms, wanted.seed);
  return write_state(start.grow(wanted.depth, stop), features);
}

}  // namespace tanoak
