// Splits on two features against every dichotomy by a line, and what they promise.
#include "check.hpp"
#include "pair_problems.hpp"
#include "solve_pair.hpp"

using namespace tanoak;

namespace {

struct Solution {
  PairResult result;
  NodeChoice best;
  int64_t routed = 0;
};

template <class View>
Solution solve(const PairProblem& problem, const View& view, const NodeRules& rules,
               const SolvePairSettings& settings, int n_threads, PairScratch& scratch,
               NodeChoice start) {
  Workers workers(n_threads);
  const StopFlag stop;
  const Features features(view, problem.n_levels, problem.fill, workers, stop);
  const Codes codes(features, workers, stop);
  Solution solution;
  solution.best = std::move(start);
  solution.result = solve_pair(features, codes, problem.care(), rules, settings,
                               workers, scratch, solution.best, stop);
  solution.routed = loss_of(features, solution.best.split, problem.care());
  return solution;
}

Solution solve(const PairProblem& problem, const NodeRules& rules,
               const SolvePairSettings& settings, int n_threads = 1) {
  const Dense<double> dense(problem.grid, Layout::by_column);
  PairScratch scratch;
  return solve(problem, dense.view, rules, settings, n_threads, scratch,
               best_constant(problem.care()));
}

SolvePairSettings exactly() {
  SolvePairSettings settings;
  settings.exact = true;
  return settings;
}

void check_against_all_lines(const PairProblem& problem) {
  const int64_t expected = slow_loss(problem);
  const Solution found = solve(problem, {}, exactly());
  CHECK_EQUAL(found.best.loss, expected);
  CHECK_EQUAL(found.routed, found.best.loss);
  CHECK(found.result.certificate == PairCertificate::optimal);
  CHECK_EQUAL(found.result.bound, expected);
  CHECK_EQUAL(found.result.n_searched, found.result.n_pairs);
}

void check_same(const Solution& a, const Solution& b) {
  CHECK_EQUAL(a.best.loss, b.best.loss);
  CHECK_EQUAL(a.best.split.terms.size(), b.best.split.terms.size());
  for (size_t i = 0; i < a.best.split.terms.size(); ++i) {
    CHECK_EQUAL(a.best.split.terms[i].feature, b.best.split.terms[i].feature);
    CHECK_SAME_BITS(a.best.split.terms[i].weight, b.best.split.terms[i].weight);
  }
  CHECK_SAME_BITS(a.best.split.threshold, b.best.split.threshold);
  CHECK_EQUAL(a.result.looks, b.result.looks);
  CHECK_EQUAL(a.result.bound, b.result.bound);
}

// Noisy sides of a line through the first two columns, among others.
PairProblem draw_line(Random& random, size_t n_rows, size_t n_columns, double noise) {
  PairProblem problem = draw_problem(random, n_rows, n_columns, 10000, 3);
  for (size_t i = 0; i < problem.rows.size(); ++i) {
    const size_t row = problem.rows[i];
    const bool left = 2 * problem.grid(row, 0) - 3 * problem.grid(row, 1) <= 1500;
    const int64_t size = std::abs(problem.stake[i]);
    problem.stake[i] = left != random.chance(noise) ? size : -size;
  }
  return problem;
}

}  // namespace

TEST(no_line_loses_less) {
  Random random(1);
  for (int repeat = 0; repeat < 300; ++repeat) {
    const int largest = repeat % 3 == 0 ? 2 : repeat % 3 == 1 ? 5 : 1000;
    check_against_all_lines(
        draw_problem(random, 3 + random.below(12), 2, largest, 1 + repeat % 4));
  }
}

TEST(no_line_loses_less_where_slopes_are_halved) {
  Random random(2);
  for (int repeat = 0; repeat < 45; ++repeat) {
    const int largest = repeat % 3 == 0 ? 3 : repeat % 3 == 1 ? 9 : 100000;
    check_against_all_lines(
        draw_problem(random, 20 + random.below(20), 2 + repeat % 2, largest, 3));
  }
}

TEST(nor_where_points_stand_in_rows) {
  Random random(3);
  for (int repeat = 0; repeat < 40; ++repeat) {
    PairProblem problem = draw_problem(random, 45, 2, 40, 1 + repeat % 3);
    for (size_t row = 0; row < problem.grid.n_rows; ++row) {
      if (repeat % 2 == 0 && random.chance(0.7)) problem.grid(row, 1) = 0;
      if (repeat % 2 == 1)
        problem.grid(row, 1) = 2 * problem.grid(row, 0) + random.whole(0, 2);
    }
    check_against_all_lines(problem);
  }
}

TEST(nor_where_values_are_missing) {
  Random random(4);
  for (int repeat = 0; repeat < 20; ++repeat) {
    PairProblem problem = draw_problem(random, 25, 3, 6, 2);
    problem.fill = {1, -2, 40};
    for (double& cell : problem.grid.cells)
      if (random.chance(0.2)) cell = no_value;
    check_against_all_lines(problem);
  }
}

TEST(large_numbers_at_stake_are_added_exactly) {
  Random random(5);
  PairProblem problem = draw_problem(random, 30, 2, 50, 9);
  for (int64_t& stake : problem.stake) stake = stake * ((int64_t{1} << 52) + 3) + 1;
  check_against_all_lines(problem);
}

TEST(the_number_of_threads_does_not_matter) {
  Random random(6);
  for (const size_t n_rows : {60u, 400u, 3000u}) {
    const PairProblem problem = draw_line(random, n_rows, 7, 0.2);
    for (const bool exact : {false, n_rows == 400}) {
      SolvePairSettings settings;
      settings.exact = exact;
      const Solution one = solve(problem, {}, settings, 1);
      CHECK(one.best.split.kind == SplitKind::sum);
      CHECK_EQUAL(one.routed, one.best.loss);
      for (const int n_threads : {2, 4})
        check_same(solve(problem, {}, settings, n_threads), one);
    }
  }
}

TEST(memory_of_another_node_does_not_matter) {
  Random random(7);
  PairScratch scratch;
  for (int repeat = 0; repeat < 12; ++repeat) {
    const PairProblem problem =
        draw_line(random, 20 + random.below(2000), 3 + random.below(4), 0.1);
    const Dense<double> dense(problem.grid, Layout::by_row);
    check_same(
        solve(problem, dense.view, {}, {}, 1, scratch, best_constant(problem.care())),
        solve(problem, {}, {}));
  }
}

TEST(the_best_of_few_pairs_is_the_best_of_all) {
  Random random(8);
  for (const size_t n_rows : {300u, 3000u}) {
    const PairProblem problem = draw_line(random, n_rows, 12, 0.1);
    SolvePairSettings few;
    few.n_pairs = 3;
    const Solution some = solve(problem, {}, few), all = solve(problem, {}, exactly());
    CHECK_EQUAL(some.best.loss, all.best.loss);
    CHECK_EQUAL(some.result.n_searched, 3);
    CHECK(some.result.certificate == PairCertificate::none);
    CHECK(all.result.certificate == PairCertificate::optimal);
  }
}

TEST(what_was_there_stays_unless_it_is_beaten) {
  Random random(9);
  for (int repeat = 0; repeat < 30; ++repeat) {
    const PairProblem problem = draw_problem(random, 25, 2, 20, 3);
    const int64_t least = slow_loss(problem);
    NodeRules rules;
    rules.pair_price = 2;
    for (const int64_t objective : {least + 1, least + 2, least + 3}) {
      const Dense<double> dense(problem.grid, Layout::by_column);
      PairScratch scratch;
      NodeChoice start;
      start.split.kind = SplitKind::axis;
      start.split.column = 1;
      start.loss = objective;
      if (best_constant(problem.care()).loss <= objective) continue;
      const Solution found =
          solve(problem, dense.view, rules, exactly(), 1, scratch, start);
      CHECK_EQUAL(found.result.improved, objective == least + 3);
      CHECK_EQUAL(found.best.objective(), std::min(objective, least + 2));
      CHECK_EQUAL(found.result.bound, found.best.objective());
    }
  }
}

TEST(asking_nothing_is_better_than_a_dear_pair) {
  Random random(10);
  const PairProblem problem = draw_line(random, 50, 3, 0);
  NodeRules rules;
  rules.pair_price = 1000;
  const Solution found = solve(problem, rules, exactly());
  CHECK(found.best.split.is_constant());
  CHECK(found.result.certificate == PairCertificate::optimal);
  CHECK_EQUAL(found.result.looks, 0);
}

TEST(closed_columns_are_not_asked_and_dear_ones_cost) {
  Random random(11);
  const PairProblem problem = draw_line(random, 200, 4, 0);
  NodeRules rules;
  CHECK_EQUAL(solve(problem, rules, exactly()).best.objective(), 0);
  rules.column_price = {3, 4, 0, 0};
  rules.pair_price = 1;
  const Solution dear = solve(problem, rules, exactly());
  CHECK_EQUAL(dear.best.loss, 0);
  CHECK_EQUAL(dear.best.price, 8);
  rules.column_closed = {0, 1, 0, 0};
  for (const Term& term : solve(problem, rules, exactly()).best.split.terms)
    CHECK(term.feature != 1);
}

TEST(categories_of_one_column_are_not_paired) {
  Random random(12);
  PairProblem problem = draw_problem(random, 60, 2, 8, 2);
  problem.n_levels = {4, 0};
  for (size_t row = 0; row < problem.grid.n_rows; ++row)
    problem.grid(row, 0) = random.whole(0, 3);
  const Solution found = solve(problem, {}, exactly());
  CHECK_EQUAL(found.result.n_pairs, 4);
  CHECK_EQUAL(found.best.loss, found.routed);
  // Against each category as a column of its own.
  int64_t least = best_constant(problem.care()).loss;
  for (int level = 0; level < 4; ++level) {
    PairProblem one = problem;
    for (size_t row = 0; row < one.grid.n_rows; ++row)
      one.grid(row, 0) = problem.grid(row, 0) == level;
    least = std::min(least, slow_loss(one));
  }
  CHECK_EQUAL(found.best.loss, least);
}

TEST(sparse_tables_give_the_same) {
  Random random(13);
  PairProblem problem = draw_line(random, 500, 6, 0.1);
  for (double& cell : problem.grid.cells)
    if (random.chance(0.6)) cell = 0;
  const auto sparse = compress_columns<double, int32_t>(problem.grid, true);
  PairScratch scratch;
  const Solution dense = solve(problem, {}, {});
  check_same(
      solve(problem, sparse.view, {}, {}, 1, scratch, best_constant(problem.care())),
      dense);
  SolvePairSettings screened;
  screened.most_features = 3;
  const Solution few = solve(problem, sparse.view, {}, screened, 1, scratch,
                             best_constant(problem.care()));
  CHECK_EQUAL(few.result.n_pairs, 15);
  CHECK_EQUAL(few.result.n_searched, 3);
  CHECK_EQUAL(few.best.loss, few.routed);
}

TEST(bounds_hold_where_the_search_is_cut_short) {
  Random random(14);
  for (int repeat = 0; repeat < 20; ++repeat) {
    const PairProblem problem = draw_problem(random, 35, 2, 1000, 4);
    const int64_t least = slow_loss(problem);
    SolvePairSettings loose = exactly(), hasty = exactly();
    loose.tolerance = 0.2;
    hasty.effort = 1;
    for (const SolvePairSettings& settings : {loose, hasty}) {
      const Solution found = solve(problem, {}, settings);
      CHECK(found.result.bound <= least);
      CHECK(found.best.loss >= least);
      const bool closed = found.result.bound == found.best.loss;
      CHECK_EQUAL(closed, found.result.certificate == PairCertificate::optimal);
      if (!closed) CHECK(found.result.certificate == PairCertificate::gap);
    }
    const Solution found = solve(problem, {}, loose);
    CHECK(double(found.result.bound) >= 0.79 * double(found.best.loss) - 2);
  }
}

TEST(values_of_any_size_are_routed_as_promised) {
  Random random(15);
  for (const double size : {1e-200, 1e-30, 1e30, 1e160}) {
    PairProblem problem = draw_line(random, 80, 2, 0.1);
    for (size_t row = 0; row < problem.grid.n_rows; ++row) {
      problem.grid(row, 0) *= size;
      problem.grid(row, 1) += 1e9;
    }
    const Solution found = solve(problem, {}, exactly());
    CHECK_EQUAL(found.best.loss, found.routed);
    if (size == 1e-200 || size == 1e160) {
      CHECK(found.best.split.is_constant());
      CHECK(found.result.certificate == PairCertificate::gap);
    } else {
      CHECK(found.best.split.kind == SplitKind::sum);
    }
  }
}

TEST(it_stops_when_asked) {
  Random random(16);
  const PairProblem problem = draw_line(random, 500, 4, 0.3);
  const Dense<double> dense(problem.grid, Layout::by_column);
  Workers workers(2);
  StopFlag stop;
  const Features features(dense.view, problem.n_levels, problem.fill, workers, stop);
  const Codes codes(features, workers, stop);
  stop.request();
  PairScratch scratch;
  NodeChoice best = best_constant(problem.care());
  CHECK_THROWS(
      solve_pair(features, codes, problem.care(), {}, {}, workers, scratch, best, stop),
      Interrupted, "interrupted");
}

TEST(no_points_and_one_point) {
  PairProblem problem(3, 2);
  const Solution none = solve(problem, {}, exactly());
  CHECK_EQUAL(none.best.loss, 0);
  problem.rows = {1}, problem.stake = {-4};
  CHECK_EQUAL(solve(problem, {}, exactly()).best.loss, 0);
}
