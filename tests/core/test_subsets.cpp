// The order of categories against all subsets of them.
#include <string>

#include "check.hpp"
#include "samples.hpp"
#include "subsets.hpp"

using namespace tanoak;

namespace {

using ClassGroups = std::vector<Category<ClassSums>>;
using NumberGroups = std::vector<Category<NumberSums>>;

ClassGroups draw_classes(Random& random, size_t n_groups, int32_t n_classes,
                         int largest) {
  ClassTarget target;
  target.n_classes = n_classes;
  ClassGroups groups;
  for (uint32_t code = 0; code < n_groups; ++code) {
    groups.push_back({3 * code + 1, ClassSums(target)});
    for (int64_t& mass : groups.back().sums.masses) {
      mass = int64_t(random.whole(0, largest));
      groups.back().sums.mass += mass;
    }
    groups.back().sums.rows = 1 + int64_t(random.below(9));
  }
  return groups;
}

NumberGroups draw_numbers(Random& random, size_t n_groups) {
  NumberGroups groups;
  for (uint32_t code = 0; code < n_groups; ++code) {
    groups.push_back({code, NumberSums(NumberTarget())});
    groups.back().sums.mass = 1 + int64_t(random.below(20));
    groups.back().sums.moment = int64_t(random.whole(-100, 100));
    groups.back().sums.rows = 1;
  }
  return groups;
}

// --- what a subset is worth: the sum over both sides ---

double gini_worth(const ClassSums& sums) {
  double squares = 0;
  for (const int64_t m : sums.masses) squares += double(m) * double(m);
  return sums.mass > 0 ? squares / double(sums.mass) : 0;
}

double entropy_worth(const ClassSums& sums) {
  auto log_term = [](int64_t m) { return m > 0 ? double(m) * std::log(double(m)) : 0; };
  double worth = -log_term(sums.mass);
  for (const int64_t m : sums.masses) worth += log_term(m);
  return worth;
}

double mean_worth(const NumberSums& sums) {
  const auto moment = static_cast<double>(sums.moment);
  return sums.mass > 0 ? moment * moment / double(sums.mass) : 0;
}

template <class Groups, class Worth>
double worth_of(const Groups& groups, unsigned subset, const Worth& worth) {
  auto left = groups[0].sums, right = groups[0].sums;
  bool any[2] = {false, false};
  for (size_t g = 0; g < groups.size(); ++g) {
    const bool is_left = (subset >> g & 1u) != 0;
    auto& side = is_left ? left : right;
    if (any[is_left])
      side.add(groups[g].sums);
    else
      side = groups[g].sums;
    any[is_left] = true;
  }
  return worth(left) + worth(right);
}

template <class Groups, class Worth>
void check_best_is_prefix(const Groups& sorted, const Worth& worth) {
  double best = -1e300, best_prefix = -1e300;
  for (unsigned subset = 1; subset + 1 < 1u << sorted.size(); ++subset) {
    const double value = worth_of(sorted, subset, worth);
    best = std::max(best, value);
    if ((subset & (subset + 1)) == 0) best_prefix = std::max(best_prefix, value);
  }
  CHECK_NEAR(best_prefix, best, 1e-9 * (1 + std::fabs(best)));
}

template <class Groups>
std::vector<uint32_t> codes_of(const Groups& groups) {
  std::vector<uint32_t> codes;
  for (const auto& group : groups) codes.push_back(group.code);
  return codes;
}

// The largest eigenvalue, from the covariance matrix raised to the power 2^20.
double largest_eigenvalue(const ClassGroups& groups) {
  const size_t k = groups[0].sums.masses.size();
  std::vector<double> mean(k, 0.0), covariance(k * k, 0.0);
  double total = 0;
  for (const auto& group : groups) total += double(group.sums.mass);
  for (const auto& group : groups)
    for (size_t i = 0; i < k; ++i)
      mean[i] += double(group.sums.mass) / total * share(group.sums, i);
  for (const auto& group : groups)
    for (size_t i = 0; i < k; ++i)
      for (size_t j = 0; j < k; ++j)
        covariance[i * k + j] += double(group.sums.mass) *
                                 (share(group.sums, i) - mean[i]) *
                                 (share(group.sums, j) - mean[j]);
  std::vector<double> power = covariance;
  for (int doubling = 0; doubling < 20; ++doubling) {
    std::vector<double> square(k * k, 0.0);
    double largest = 0;
    for (size_t i = 0; i < k * k; ++i) {
      for (size_t j = 0; j < k; ++j)
        square[i] += power[i / k * k + j] * power[j * k + i % k];
      largest = std::max(largest, std::fabs(square[i]));
    }
    for (size_t i = 0; i < k * k; ++i) power[i] = square[i] / largest;
  }
  // The trace of (covariance * projector) over the trace of the projector.
  double above = 0, below = 0;
  for (size_t i = 0; i < k; ++i) {
    below += power[i * k + i];
    for (size_t j = 0; j < k; ++j) above += covariance[i * k + j] * power[j * k + i];
  }
  return above / below;
}

}  // namespace

TEST(two_classes_the_best_subset_is_a_prefix) {
  Random random(1);
  for (int repeat = 0; repeat < 150; ++repeat) {
    auto groups = draw_classes(random, 2 + random.below(8), 2, repeat % 2 ? 4 : 1000);
    CHECK(!order_categories(groups));
    check_best_is_prefix(groups, gini_worth);
    check_best_is_prefix(groups, entropy_worth);
  }
}

TEST(numbers_the_best_subset_is_a_prefix) {
  Random random(2);
  for (int repeat = 0; repeat < 200; ++repeat) {
    auto groups = draw_numbers(random, 2 + random.below(8));
    CHECK(!order_categories(groups));
    check_best_is_prefix(groups, mean_worth);
  }
}

TEST(two_classes_are_ordered_by_share) {
  Random random(3);
  for (int repeat = 0; repeat < 100; ++repeat) {
    auto groups = draw_classes(random, 1 + random.below(30), 2, 5);
    auto expected = codes_of(groups);
    auto of_code = [&](uint32_t code) { return groups[(code - 1) / 3].sums; };
    // Insertion sort, which keeps the order of what is equal.
    for (size_t i = 1; i < expected.size(); ++i)
      for (size_t at = i; at > 0 && share(of_code(expected[at]), 1) <
                                        share(of_code(expected[at - 1]), 1);
           --at)
        std::swap(expected[at], expected[at - 1]);
    order_categories(groups);
    CHECK_EQUAL(codes_of(groups), expected);
  }
}

TEST(a_category_without_mass_has_share_zero) {
  Random random(4);
  auto groups = draw_classes(random, 3, 2, 5);
  groups[2].sums.masses = {0, 0};
  groups[2].sums.mass = 0;
  CHECK_EQUAL(share(groups[2].sums, 1), 0.0);
  groups[0].sums.masses = groups[1].sums.masses = {1, 1};
  groups[0].sums.mass = groups[1].sums.mass = 2;
  order_categories(groups);
  CHECK_EQUAL(codes_of(groups), (std::vector<uint32_t>{7, 1, 4}));
}

TEST(numbers_are_ordered_by_mean) {
  Random random(5);
  for (int repeat = 0; repeat < 100; ++repeat) {
    auto groups = draw_numbers(random, 1 + random.below(30));
    order_categories(groups);
    for (size_t g = 1; g < groups.size(); ++g) {
      const auto &low = groups[g - 1].sums, &high = groups[g].sums;
      CHECK(low.moment * high.mass <= high.moment * low.mass);
      if (low.moment * high.mass == high.moment * low.mass)
        CHECK(groups[g - 1].code < groups[g].code);
    }
  }
}

TEST(few_categories_of_many_classes_are_left_to_all_subsets) {
  Random random(6);
  for (const size_t n_groups : {size_t{1}, size_t{5}, largest_exhaustive}) {
    auto groups = draw_classes(random, n_groups, 3, 9);
    const auto before = codes_of(groups);
    CHECK(order_categories(groups));
    CHECK_EQUAL(codes_of(groups), before);
  }
  auto many = draw_classes(random, largest_exhaustive + 1, 3, 9);
  CHECK(!order_categories(many));
}

TEST(nothing_to_order) {
  ClassGroups classes;
  NumberGroups numbers;
  CHECK(!order_categories(classes));
  CHECK(!order_categories(numbers));
}

TEST(many_classes_are_ordered_along_the_principal_component) {
  Random random(7);
  for (const int32_t n_classes : {3, 4, 8, 20})
    for (int repeat = 0; repeat < 20; ++repeat) {
      auto groups = draw_classes(random, 9 + random.below(30), n_classes, 50);
      const auto scores = principal_scores(groups);
      double spread = 0;
      for (size_t g = 0; g < groups.size(); ++g)
        spread += double(groups[g].sums.mass) * scores[g] * scores[g];
      // Fifty rounds may stop between two eigenvectors of nearly the same length.
      const double largest = largest_eigenvalue(groups);
      CHECK(spread >= 0.97 * largest);
      CHECK(spread <= largest * (1 + 1e-9));
      std::vector<size_t> order(groups.size());
      for (size_t g = 0; g < order.size(); ++g) order[g] = g;
      std::stable_sort(order.begin(), order.end(),
                       [&](size_t a, size_t b) { return scores[a] < scores[b]; });
      const ClassGroups before = groups;
      CHECK(!order_categories(groups));
      for (size_t g = 0; g < order.size(); ++g) {
        CHECK_EQUAL(groups[g].code, before[order[g]].code);
        CHECK_EQUAL(groups[g].sums.masses, before[order[g]].sums.masses);
      }
    }
}

TEST(shares_on_a_line_are_ordered_along_it) {
  Random random(8);
  for (int repeat = 0; repeat < 50; ++repeat) {
    auto groups = draw_classes(random, 12, 3, 1);
    std::vector<int64_t> places;
    for (int64_t g = 0; g < 12; ++g) places.push_back(g);
    random.shuffle(places);
    for (size_t g = 0; g < 12; ++g) {
      groups[g].sums.masses = {10 + 2 * places[g], 40 - places[g], 50 - places[g]};
      groups[g].sums.mass = 100;
      groups[g].code = uint32_t(places[g]);
    }
    order_categories(groups);
    auto codes = codes_of(groups);
    if (codes[0] > codes[11]) std::reverse(codes.begin(), codes.end());
    for (uint32_t g = 0; g < 12; ++g) CHECK_EQUAL(codes[g], g);
  }
}

TEST(equal_shares_keep_their_order) {
  Random random(9);
  auto groups = draw_classes(random, 15, 4, 9);
  for (auto& group : groups) {
    group.sums.masses = {1, 2, 3, 4};
    group.sums.mass = 10;
  }
  const auto before = codes_of(groups);
  CHECK(!order_categories(groups));
  CHECK_EQUAL(codes_of(groups), before);
}
