// The logistic solver against long plain coordinate descent in double, and against the
// conditions every solution fulfils.
#include <functional>

#include "check.hpp"
#include "logistic.hpp"
#include "samples.hpp"

using namespace tanoak;

namespace {

struct Problem {
  Grid grid;
  std::vector<double> weight, side;
  double penalty = 1;
};

Problem draw_problem(Random& random, size_t n, size_t d) {
  Problem problem{Grid(n, d), {}, {}, 0.1 + 3 * random.unit()};
  for (double& cell : problem.grid.cells) cell = 2 * random.unit() - 1;
  for (size_t row = 0; row < n; ++row) {
    double sum = random.unit() * 2 - 1;
    for (size_t f = 0; f < d; f += 2) sum += problem.grid(row, f) * (double(f % 5) - 2);
    problem.side.push_back(sum > 0 ? 1 : -1);
    problem.weight.push_back(0.2 + 3 * random.unit());
  }
  problem.side[0] = 1, problem.side[1] = -1;
  return problem;
}

// Value and derivatives of the loss at w, the intercept last, all in double.
double loss_at(const Problem& problem, const std::vector<double>& w,
               std::vector<double>& slope) {
  const Grid& grid = problem.grid;
  const size_t d = grid.n_columns;
  slope.assign(d + 1, 0);
  double loss = 0;
  for (size_t row = 0; row < grid.n_rows; ++row) {
    double margin = w[d];
    for (size_t f = 0; f < d; ++f) margin += w[f] * double(float(grid(row, f)));
    const double m = margin * problem.side[row], power = std::exp(-std::abs(m));
    loss += problem.weight[row] * (std::log1p(power) + std::max(0.0, -m));
    const double share = m > 0 ? power / (1 + power) : 1 / (1 + power);
    const double part = -problem.side[row] * problem.weight[row] * share;
    for (size_t f = 0; f < d; ++f) slope[f] += part * double(float(grid(row, f)));
    slope[d] += part;
  }
  return loss;
}

double objective_of(const Problem& problem, const std::vector<double>& w) {
  std::vector<double> slope;
  double sum = loss_at(problem, w, slope);
  for (size_t f = 0; f + 1 < w.size(); ++f) sum += problem.penalty * std::abs(w[f]);
  return sum;
}

// The slow twin: each coordinate in turn goes down under a bound of the curvature.
std::vector<double> descend_slowly(const Problem& problem, int walks) {
  const Grid& grid = problem.grid;
  const size_t d = grid.n_columns;
  std::vector<double> w(d + 1, 0.0), margin(grid.n_rows, 0.0);
  for (int walk = 0; walk < walks; ++walk)
    for (size_t f = 0; f <= d; ++f) {
      double slope = 0, curvature = 0;
      for (size_t row = 0; row < grid.n_rows; ++row) {
        const double x = f < d ? double(float(grid(row, f))) : 1.0;
        const double share = 1 / (1 + std::exp(margin[row] * problem.side[row]));
        slope -= problem.side[row] * problem.weight[row] * share * x;
        curvature += problem.weight[row] * x * x / 4;
      }
      if (!(curvature > 0)) continue;
      const double aim = w[f] * curvature - slope;
      const double price = f < d ? problem.penalty : 0;
      const double next = std::copysign(std::max(0.0, std::abs(aim) - price), aim);
      const double step = next / curvature - w[f];
      w[f] += step;
      for (size_t row = 0; row < grid.n_rows; ++row)
        margin[row] += step * (f < d ? double(float(grid(row, f))) : 1.0);
    }
  return w;
}

struct Answer {
  std::vector<double> w;  // by feature, the intercept last
  double objective = 0;
  int steps = 0;
};

using Start = std::function<void(std::vector<double>&)>;

template <class View>
Answer solve_view(const Problem& problem, const View& view, LogisticSettings settings,
                  const Start& start) {
  const size_t d = problem.grid.n_columns;
  Workers workers(1);
  const Features features(TableView(view), std::vector<int32_t>(d, 0),
                          std::vector<double>(d, 0.0), workers, StopFlag());
  const Scale scale(features, true, workers, StopFlag());
  std::vector<uint32_t> rows(problem.grid.n_rows);
  std::iota(rows.begin(), rows.end(), 0u);
  NodeMatrix matrix;
  matrix.load(features, scale, NodeRules(),
              {rows.data(), nullptr, int64_t(rows.size())}, StopFlag());
  LogisticSolver solver(settings);
  solver.weight.assign(size_t(matrix.length()), 0.0f);
  solver.side = solver.weight;
  for (size_t row = 0; row < rows.size(); ++row) {
    solver.weight[row] = float(problem.weight[row]);
    solver.side[row] = float(problem.side[row]);
  }
  solver.penalty.assign(size_t(matrix.count()) + 1, problem.penalty);
  solver.penalty.back() = 0;
  solver.sign.assign(solver.penalty.size(), 0);
  solver.w.assign(solver.penalty.size(), 0);
  if (start) start(solver.w);
  Answer answer;
  answer.objective = solver.solve(matrix, StopFlag());
  answer.steps = solver.steps();
  answer.w.assign(d + 1, 0);
  for (int32_t k = 0; k < matrix.count(); ++k)
    answer.w[size_t(matrix.feature(k))] = solver.w[size_t(k)];
  answer.w[d] = solver.w.back();
  return answer;
}

Answer solve(const Problem& problem, LogisticSettings settings = {},
             const Start& start = nullptr) {
  const Dense<float> dense(problem.grid, Layout::by_column);
  return solve_view(problem, dense.view, settings, start);
}

LogisticSettings strict() {
  LogisticSettings settings;
  settings.tolerance = 1e-4;
  return settings;
}

// Every derivative is within `off` of what a minimum allows.
void check_conditions(const Problem& problem, const std::vector<double>& w,
                      double off) {
  std::vector<double> slope;
  loss_at(problem, w, slope);
  const size_t d = problem.grid.n_columns;
  CHECK_NEAR(slope[d], 0, off);
  for (size_t f = 0; f < d; ++f) {
    if (w[f] == 0)
      CHECK(std::abs(slope[f]) <= problem.penalty + off);
    else
      CHECK_NEAR(slope[f], w[f] > 0 ? -problem.penalty : problem.penalty, off);
  }
}

}  // namespace

TEST(the_objective_is_that_of_long_descent) {
  Random random(1);
  for (int repeat = 0; repeat < 12; ++repeat) {
    const size_t d = 1 + random.below(20);
    const Problem problem = draw_problem(random, 30 + random.below(300), d);
    const Answer answer = solve(problem, strict());
    const double slow = objective_of(problem, descend_slowly(problem, 1500));
    const double found = objective_of(problem, answer.w);
    CHECK_NEAR(answer.objective / found, 1, 1e-6);
    CHECK(found <= slow * (1 + 1e-6));
    CHECK(found >= slow * (1 - 1e-3));  // the twin is slow indeed
    check_conditions(problem, answer.w, 0.01 * problem.penalty);
  }
}

// More columns than rows, columns twice, columns of zeros, and sides that a plane
// tells apart.
TEST(conditions_hold_on_awkward_tables) {
  Random random(2);
  for (const size_t n : {2u, 5u, 40u, 1500u})
    for (const size_t d : {1u, 3u, 120u}) {
      Problem problem = draw_problem(random, n, d);
      problem.penalty = 0.05;
      for (size_t row = 0; row < n && d >= 3; ++row) {
        problem.grid(row, 1) = problem.grid(row, 0);
        problem.grid(row, 2) = 0;
      }
      check_conditions(problem, solve(problem, strict()).w,
                       0.01 * problem.penalty + 1e-6 * double(n));
    }
}

TEST(reading_the_data_gives_what_products_give) {
  Random random(3);
  LogisticSettings no_products = strict();
  no_products.max_products = 0;
  for (int repeat = 0; repeat < 6; ++repeat) {
    const Problem problem = draw_problem(random, 400, 30);
    const Answer one = solve(problem, strict()), other = solve(problem, no_products);
    CHECK_NEAR(one.objective / other.objective, 1, 1e-6);
  }
}

TEST(sparse_tables_give_the_same) {
  Random random(4);
  Problem problem = draw_problem(random, 300, 40);
  for (double& cell : problem.grid.cells)
    if (random.chance(0.9)) cell = 0;
  const auto made = compress_columns<float, int32_t>(problem.grid, true);
  const Answer sparse = solve_view(problem, made.view, strict(), nullptr);
  CHECK_NEAR(sparse.objective / solve(problem, strict()).objective, 1, 1e-6);
  check_conditions(problem, sparse.w, 0.01 * problem.penalty);
}

TEST(a_warm_start_ends_where_a_cold_one_does_and_sooner) {
  Random random(5);
  for (int repeat = 0; repeat < 5; ++repeat) {
    Problem problem = draw_problem(random, 2000, 25);
    const Answer cold = solve(problem, strict());
    for (size_t row = 0; row < 2000; row += 50) problem.side[row] = -problem.side[row];
    const Answer again = solve(problem, strict());
    const Answer warm =
        solve(problem, strict(), [&](std::vector<double>& w) { w = cold.w; });
    CHECK_NEAR(warm.objective / again.objective, 1, 1e-6);
    CHECK(warm.steps < again.steps);
  }
}

// From a start of any size it is found back to the same objective.
TEST(a_bad_start_does_no_harm) {
  Random random(6);
  const Problem problem = draw_problem(random, 500, 12);
  const double cold = solve(problem, strict()).objective;
  for (const double size : {1.0, 30.0, 1000.0}) {
    const Answer answer = solve(problem, strict(), [&](std::vector<double>& w) {
      for (double& weight : w) weight = size * (random.unit() - 0.5);
    });
    CHECK_NEAR(answer.objective / cold, 1, 1e-5);
  }
}

TEST(a_high_penalty_leaves_nothing) {
  Random random(7);
  Problem problem = draw_problem(random, 200, 10);
  problem.penalty = 1e6;
  const Answer answer = solve(problem);
  for (size_t f = 0; f < 10; ++f) CHECK_EQUAL(answer.w[f], 0.0);
  double right = 0, left = 0;
  for (size_t row = 0; row < 200; ++row)
    (problem.side[row] > 0 ? right : left) += problem.weight[row];
  CHECK_NEAR(answer.w[10], std::log(right / left), 1e-2);
}

TEST(it_ends_without_a_penalty_too) {
  Random random(8);
  Problem problem = draw_problem(random, 60, 5);
  problem.penalty = 0;
  for (size_t row = 0; row < 60; ++row)  // a plane tells the sides apart
    problem.side[row] = problem.grid(row, 0) > 0 ? 1 : -1;
  LogisticSettings settings;
  const Answer answer = solve(problem, settings);
  CHECK(answer.steps <= settings.max_steps);
  for (const double weight : answer.w) CHECK(std::isfinite(weight));
  CHECK(answer.objective < 1);
}

TEST(the_same_call_gives_the_same_bits) {
  Random random(9);
  const Problem problem = draw_problem(random, 3000, 60);
  const Answer one = solve(problem), other = solve(problem);
  for (size_t f = 0; f < one.w.size(); ++f) CHECK_SAME_BITS(one.w[f], other.w[f]);
}

TEST(it_stops_when_asked) {
  Random random(10);
  const Problem problem = draw_problem(random, 100, 3);
  const Dense<float> dense(problem.grid, Layout::by_column);
  Workers workers(1);
  const Features features(TableView(dense.view), {0, 0, 0}, {0, 0, 0}, workers,
                          StopFlag());
  const Scale scale(features, true, workers, StopFlag());
  std::vector<uint32_t> rows(100);
  std::iota(rows.begin(), rows.end(), 0u);
  NodeMatrix matrix;
  matrix.load(features, scale, NodeRules(), {rows.data(), nullptr, 100}, StopFlag());
  LogisticSolver solver((LogisticSettings()));
  solver.weight.assign(size_t(matrix.length()), 1.0f);
  solver.side = solver.weight;
  solver.penalty.assign(4, 1);
  solver.sign.assign(4, 0);
  solver.w.assign(4, 0);
  StopFlag stop;
  stop.request();
  CHECK_THROWS(solver.solve(matrix, stop), Interrupted, "interrupted");
}
