// Quadratics with an l1 penalty against long plain descent, and systems against their
// products.
#include "check.hpp"
#include "quadratic.hpp"
#include "samples.hpp"

using namespace tanoak;

namespace {

// X' X of a random X whose columns are alike, so that descent alone is slow.
std::vector<double> draw_products(Random& random, size_t count, double alike) {
  const size_t n = 3 * count;
  std::vector<double> x(n * count), h(count * count, 0.0);
  for (size_t row = 0; row < n; ++row) {
    const double common = random.unit() - 0.5;
    for (size_t k = 0; k < count; ++k)
      x[row * count + k] = alike * common + (1 - alike) * (random.unit() - 0.5);
  }
  for (size_t i = 0; i < count; ++i)
    for (size_t j = 0; j < count; ++j)
      for (size_t row = 0; row < n; ++row)
        h[i * count + j] += x[row * count + i] * x[row * count + j];
  return h;
}

Quadratic draw_problem(Random& random, size_t count) {
  Quadratic problem;
  problem.resize(count);
  for (size_t k = 0; k < count; ++k) {
    problem.start[k] = random.chance(0.5) ? 0 : random.unit() - 0.5;
    problem.value[k] = problem.start[k];
    problem.gradient[k] = 4 * (random.unit() - 0.5);
    problem.penalty[k] = k == 0 ? 0 : random.unit();
  }
  return problem;
}

void fill_products(Products& products, const std::vector<double>& h, size_t count) {
  products.grow(count);
  const size_t width = size_t(std::lround(std::sqrt(double(h.size()))));
  for (size_t i = 0; i < count; ++i)
    for (size_t j = std::max(i, products.count()); j < count; ++j)
      products.upper()[i * products.stride() + j] += h[i * width + j] / 4;
  products.complete(count, 4);
}

// How far the derivatives are from zero.
double worst_of(const Quadratic& problem, const std::vector<double>& h) {
  double worst = 0;
  for (size_t k = 0; k < problem.count(); ++k) {
    double slope = problem.gradient[k];
    for (size_t j = 0; j < problem.count(); ++j)
      slope += h[k * problem.count() + j] * problem.change(j);
    const double now = problem.value[k], price = problem.penalty[k];
    worst = std::max(worst, now == 0 ? std::max(0.0, std::abs(slope) - price)
                                     : std::abs(slope + std::copysign(price, now)));
  }
  return worst;
}

}  // namespace

TEST(a_system_is_solved) {
  Random random(1);
  for (const size_t m : {1u, 2u, 9u, 30u}) {
    const auto h = draw_products(random, m, 0.3);
    std::vector<double> wanted(m), x(m, 0.0);
    for (auto& entry : wanted) entry = random.unit();
    for (size_t i = 0; i < m; ++i)
      for (size_t j = 0; j < m; ++j) x[i] += h[i * m + j] * wanted[j];
    auto matrix = h;
    CHECK(solve_symmetric(matrix, x));
    for (size_t i = 0; i < m; ++i) CHECK_NEAR(x[i], wanted[i], 1e-9);
  }
  std::vector<double> flat{0.0}, x{1.0};
  CHECK(!solve_symmetric(flat, x));
}

TEST(no_derivative_is_off_at_the_minimum) {
  Random random(2);
  for (int repeat = 0; repeat < 60; ++repeat) {
    const size_t count = 1 + random.below(40);
    const auto h = draw_products(random, count, repeat % 3 == 0 ? 0.98 : 0.5);
    Quadratic problem = draw_problem(random, count);
    Products products;
    fill_products(products, h, count);
    products.minimize(problem, 1e-9);
    CHECK_NEAR(worst_of(problem, h), 0, 1e-5);
    double bend = 0;
    for (size_t i = 0; i < count; ++i)
      for (size_t j = 0; j < count; ++j)
        bend += problem.change(i) * h[i * count + j] * problem.change(j);
    CHECK_NEAR(products.bend(problem), bend, 1e-9 * (1 + bend));
  }
}

TEST(products_may_come_in_parts) {
  Random random(3);
  const auto h = draw_products(random, 20, 0.5);
  Products once, parts;
  fill_products(once, h, 20);
  for (const size_t count : {3u, 4u, 11u, 20u}) fill_products(parts, h, count);
  Quadratic one = draw_problem(random, 20), other = one;
  once.minimize(one, 1e-9);
  parts.minimize(other, 1e-9);
  for (size_t k = 0; k < 20; ++k) CHECK_SAME_BITS(one.value[k], other.value[k]);
  parts.forget();
  CHECK_EQUAL(parts.count(), size_t(0));
}

TEST(columns_of_zeros_stay_out) {
  Quadratic problem;
  problem.resize(2);
  problem.start = {0, 0};
  problem.gradient = {-3, -3};
  problem.penalty = {1, 1};
  Products products;
  fill_products(products, {2, 0, 0, 0}, 2);
  products.minimize(problem, 1e-12);
  CHECK_NEAR(problem.value[0], 1, 1e-5);
  CHECK_EQUAL(problem.value[1], 0.0);
}

TEST(signs_are_kept) {
  Random random(4);
  for (int repeat = 0; repeat < 30; ++repeat) {
    const auto h = draw_products(random, 12, 0.5);
    Quadratic problem = draw_problem(random, 12);
    for (size_t k = 0; k < 12; ++k) {
      problem.sign[k] = int8_t(random.whole(-1, 1));
      if (problem.start[k] * problem.sign[k] < 0)
        problem.start[k] = problem.value[k] = -problem.start[k];
    }
    Products products;
    fill_products(products, h, 12);
    products.minimize(problem, 1e-9);
    for (size_t k = 0; k < 12; ++k) {
      CHECK(problem.value[k] * problem.sign[k] >= 0);
      double slope = problem.gradient[k];
      for (size_t j = 0; j < 12; ++j) slope += h[k * 12 + j] * problem.change(j);
      const double price = problem.penalty[k], now = problem.value[k];
      if (now != 0) CHECK_NEAR(slope, -std::copysign(price, now), 1e-5);
      if (now == 0 && problem.sign[k] >= 0) CHECK(slope >= -price - 1e-5);
      if (now == 0 && problem.sign[k] <= 0) CHECK(slope <= price + 1e-5);
    }
  }
}
