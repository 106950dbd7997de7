// Prices of nodes against the cheapest subtree found by trying both ways at each node.
#include <algorithm>
#include <cmath>

#include "check.hpp"
#include "prune.hpp"
#include "samples.hpp"

using namespace tanoak;

namespace {

struct Shape {
  std::vector<int32_t> left, right;
  size_t size() const { return left.size(); }
};

// Appends a random tree of so many splits, in preorder, and returns its root.
int32_t append(Random& random, Shape& shape, size_t n_splits) {
  const auto node = static_cast<int32_t>(shape.size());
  shape.left.push_back(-1);
  shape.right.push_back(-1);
  if (n_splits == 0) return node;
  const size_t n_left = random.below(n_splits);
  const int32_t left = append(random, shape, n_left);
  const int32_t right = append(random, shape, n_splits - 1 - n_left);
  shape.left[size_t(node)] = left;
  shape.right[size_t(node)] = right;
  return node;
}

Shape draw(Random& random, size_t n_splits) {
  Shape shape;
  append(random, shape, n_splits);
  return shape;
}

// Whole numbers, so that sums have no rounding; parents are mostly dearer.
std::vector<double> draw_costs(Random& random, const Shape& shape, int lowest) {
  std::vector<double> cost(shape.size());
  for (size_t node = shape.size(); node-- > 0;) {
    cost[node] = random.whole(lowest, 6);
    if (shape.left[node] >= 0)
      cost[node] += cost[size_t(shape.left[node])] + cost[size_t(shape.right[node])];
  }
  return cost;
}

struct Best {
  double total;  // with the price of the leaves
  double cost;
  int32_t leaves;
  std::vector<size_t> ends;
};

// The cheapest subtree, and of equal ones the smallest.
Best best_below(const Shape& shape, const std::vector<double>& cost, double price,
                size_t node) {
  Best here{cost[node] + price, cost[node], 1, {node}};
  if (shape.left[node] < 0) return here;
  Best l = best_below(shape, cost, price, size_t(shape.left[node]));
  const Best r = best_below(shape, cost, price, size_t(shape.right[node]));
  if (here.total <= l.total + r.total) return here;
  l.ends.insert(l.ends.end(), r.ends.begin(), r.ends.end());
  return {l.total + r.total, l.cost + r.cost, l.leaves + r.leaves, l.ends};
}

// The leaves of the tree in which all nodes of at most this price are leaves.
void ends_at(const Shape& shape, const Links& links, double price, size_t node,
             std::vector<size_t>& ends) {
  if (shape.left[node] < 0 || links.price[node] <= price) {
    ends.push_back(node);
    return;
  }
  ends_at(shape, links, price, size_t(shape.left[node]), ends);
  ends_at(shape, links, price, size_t(shape.right[node]), ends);
}

Links links_of(const Shape& shape, const std::vector<double>& cost) {
  return weakest_links(shape.size(), shape.left.data(), shape.right.data(),
                       cost.data());
}

void check_at(const Shape& shape, const std::vector<double>& cost, const Links& links,
              double price) {
  const Best best = best_below(shape, cost, price, 0);
  std::vector<size_t> ends;
  ends_at(shape, links, price, 0, ends);
  CHECK(ends == best.ends);
  const Best full = best_below(shape, cost, -1e9, 0);
  double below = full.cost;
  int32_t leaves = full.leaves;
  for (size_t node = 0; node < shape.size(); ++node)
    if (links.price[node] <= price) {
      below += links.cost[node];
      leaves -= links.leaves[node];
    }
  CHECK_EQUAL(leaves, best.leaves);
  CHECK_NEAR(below, best.cost, 1e-9);
}

}  // namespace

TEST(the_cheapest_subtree_at_every_price) {
  Random random(1);
  for (int repeat = 0; repeat < 2000; ++repeat) {
    const Shape shape = draw(random, random.below(14));
    const auto cost = draw_costs(random, shape, repeat % 2 == 0 ? 0 : -3);
    const Links links = links_of(shape, cost);
    for (double price = -4.0; price < 10.0; price += 0.25)
      check_at(shape, cost, links, price);
    for (const double price : links.price)
      if (std::isfinite(price)) {
        check_at(shape, cost, links, price + 1e-9);
        check_at(shape, cost, links, price - 1e-9);
      }
  }
}

TEST(a_worked_example) {
  // Three leaves of cost 0, 3, 0; the lower split saves 2, both together 10.
  const Shape shape{{1, -1, 3, -1, -1}, {2, -1, 4, -1, -1}};
  const Links links = links_of(shape, {13, 0, 5, 3, 0});
  CHECK_EQUAL(links.price[2], 2.0);
  CHECK_EQUAL(links.cost[2], 2.0);
  CHECK_EQUAL(links.leaves[2], 1);
  CHECK_EQUAL(links.price[0], 8.0);
  CHECK_EQUAL(links.cost[0], 8.0);
  CHECK_EQUAL(links.leaves[0], 1);
  CHECK(std::isinf(links.price[1]));
}

TEST(a_node_may_take_those_below_with_it) {
  // The root pays less per leaf than the split below it: both go at once.
  const Shape shape{{1, -1, 3, -1, -1}, {2, -1, 4, -1, -1}};
  const Links links = links_of(shape, {7, 0, 5, 0, 0});
  CHECK_EQUAL(links.price[0], 3.5);
  CHECK_EQUAL(links.leaves[0], 2);
  CHECK(std::isinf(links.price[2]));
  CHECK_EQUAL(links.leaves[2], 0);
}

TEST(a_leaf_alone_has_no_step) {
  const Links links = links_of({{-1}, {-1}}, {4});
  CHECK(std::isinf(links.price[0]));
  CHECK_EQUAL(links.leaves[0], 0);
}

TEST(one_long_chain_is_no_trouble) {
  const int32_t n_splits = 100000;
  Shape shape;
  for (int32_t i = 0; i < n_splits; ++i) {
    shape.left.insert(shape.left.end(), {2 * i + 1, -1});
    shape.right.insert(shape.right.end(), {2 * i + 2, -1});
  }
  shape.left.push_back(-1);
  shape.right.push_back(-1);
  std::vector<double> rising(shape.size()), falling(shape.size());
  for (size_t node = 0; node < shape.size(); node += 2) {
    rising[node] = static_cast<double>(shape.size() - node) * 2.0;
    falling[node] = static_cast<double>(node);  // every split makes it worse
  }
  const Links one = links_of(shape, rising);
  CHECK_EQUAL(std::count(one.price.begin(), one.price.end(), 4.0), n_splits);
  const Links two = links_of(shape, falling);
  CHECK_EQUAL(std::count(two.price.begin(), two.price.end(), -2.0), n_splits);
}

TEST(sums_of_what_is_below) {
  Random random(2);
  for (int repeat = 0; repeat < 100; ++repeat) {
    const Shape shape = draw(random, random.below(20));
    const size_t width = 1 + random.below(3);
    std::vector<double> values(shape.size() * width);
    for (double& value : values) value = random.whole(-5, 5);
    const std::vector<double> before = values;
    add_up(shape.size(), shape.left.data(), shape.right.data(), width, values.data());
    for (size_t node = 0; node < shape.size(); ++node) {
      size_t last = node;  // of the subtree, which is a range of ids
      while (shape.left[last] >= 0) last = size_t(shape.right[last]);
      for (size_t k = 0; k < width; ++k) {
        double sum = 0;
        for (size_t below = node; below <= last; ++below)
          sum += before[below * width + k];
        CHECK_EQUAL(values[node * width + k], sum);
      }
    }
  }
}
