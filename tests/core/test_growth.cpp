// Growing trees: leaves, grafts, and the flat arrays at the end.
#include "check.hpp"
#include "growth.hpp"
#include "samples.hpp"

using namespace tanoak;

namespace {

ClassTarget class_target(Random& random, size_t n_rows, bool weighted) {
  ClassTarget target;
  target.n_classes = 3;
  for (size_t row = 0; row < n_rows; ++row) {
    target.labels.push_back(int32_t(random.below(3)));
    if (weighted) target.row_weight.push_back(int64_t(random.below(50)));
  }
  return target;
}

// Numbers of two places, with masses, in units fine enough for both.
NumberTarget number_target(Random& random, size_t n_rows, bool weighted) {
  NumberTarget target;
  for (size_t row = 0; row < n_rows; ++row) {
    target.numbers.push_back(random.whole(-400, 400) / 8);
    if (weighted) target.row_mass.push_back(1 + int64_t(random.below(9)));
  }
  target.row_moment.assign(n_rows, 0);
  target.sum_exponent = 90;
  return target;
}

std::vector<Record> records_between(size_t begin, size_t end) {
  std::vector<Record> records;
  for (size_t row = begin; row < end; ++row)
    records.push_back(make_record(uint32_t(row % 7), uint32_t(row)));
  return records;
}

// Splits rows begin..end at random places until `n_leaves` are made; each split has its
// own column and threshold, every third a subset.
template <class Target>
void grow_randomly(Random& random, const Target& target, Growth<Target>& growth,
                   int32_t node, size_t begin, size_t end, int depth) {
  const auto at = size_t(node);
  if (end - begin < 2 || depth == 0) {
    const auto records = records_between(begin, end);
    growth.nodes[at].leaf =
        growth.leaves.add(target, records.data(), int64_t(records.size()));
    return;
  }
  const size_t middle = begin + 1 + random.below(end - begin - 1);
  growth.nodes[at].column = int32_t(random.below(100));
  if (random.chance(0.3)) {
    growth.nodes[at].terms = int32_t(growth.terms.size());
    SplitTerms terms;
    for (size_t n_terms = 1 + random.below(4); n_terms > 0; --n_terms)
      terms.push_back(
          {int32_t(random.below(100)), int32_t(random.below(4)) - 1, random.unit()});
    growth.terms.push_back(terms);
  }
  constexpr MissingSide sides[] = {MissingSide::left, MissingSide::right,
                                   MissingSide::heavier};
  growth.nodes[at].missing = sides[random.below(3)];
  if (random.chance(0.3)) {
    growth.nodes[at].subset = int32_t(growth.subsets.size());
    GrowingSubset subset;
    for (size_t n_words = 1 + random.below(3); n_words > 0; --n_words) {
      subset.seen.push_back(random.word());
      subset.left.push_back(random.word() & subset.seen.back());
    }
    growth.subsets.push_back(subset);
  } else {
    growth.nodes[at].threshold = random.unit();
  }
  const int32_t left = growth.add_node(), right = growth.add_node();
  growth.nodes[at].left = left;
  growth.nodes[at].right = right;
  // Right first, now and then: places need not be in preorder.
  if (random.chance(0.5)) {
    grow_randomly(random, target, growth, right, middle, end, depth - 1);
    grow_randomly(random, target, growth, left, begin, middle, depth - 1);
  } else {
    grow_randomly(random, target, growth, left, begin, middle, depth - 1);
    grow_randomly(random, target, growth, right, middle, end, depth - 1);
  }
}

template <class Target>
Growth<Target> random_growth(Random& random, const Target& target, size_t begin,
                             size_t end) {
  Growth<Target> growth(target);
  growth.add_node();
  grow_randomly(random, target, growth, 0, begin, end, 6);
  return growth;
}

// --- what must come out, by recursion ---

template <class Target, class Visit>
void walk(const Growth<Target>& growth, int32_t node, size_t& next,
          const Visit& visit) {
  const auto& at = growth.nodes[size_t(node)];
  const size_t place = next++;
  if (at.left < 0) {
    visit(at, place, 0, 0);
    return;
  }
  const size_t left = next;
  walk(growth, at.left, next, visit);
  const size_t right = next;
  walk(growth, at.right, next, visit);
  visit(at, place, left, right);
}

// What is reported of a node, all classes together.
double mass_at(const TreeArrays& tree, size_t node) {
  const size_t width = tree.counts.size() / tree.left.size();
  double mass = 0;
  for (size_t i = node * width; i < (node + 1) * width; ++i)
    mass += tree.masses.empty() ? double(tree.counts[i]) : tree.masses[i];
  return mass;
}

template <class Target>
void check_terms(const Growth<Target>& growth, const GrowingNode& node,
                 const TreeArrays& tree, size_t at) {
  SplitTerms expected;
  if (node.left >= 0) expected.push_back({node.column, -1, 1.0});
  if (node.terms >= 0) expected = growth.terms[size_t(node.terms)];
  const auto begin = size_t(tree.term_start[at]);
  CHECK_EQUAL(size_t(tree.term_start[at + 1]) - begin, expected.size());
  for (size_t t = 0; t < expected.size(); ++t) {
    CHECK_EQUAL(tree.term_column[begin + t], expected[t].column);
    CHECK_EQUAL(tree.term_level[begin + t], expected[t].level);
    CHECK_SAME_BITS(tree.term_weight[begin + t], expected[t].weight);
  }
}

template <class Target>
void check_structure(const Growth<Target>& growth, const TreeArrays& tree) {
  size_t n_nodes = 0;
  walk(growth, 0, n_nodes,
       [&](const GrowingNode& node, size_t at, size_t left, size_t right) {
         const bool leaf = node.left < 0;
         CHECK_EQUAL(tree.left[at], leaf ? -1 : int32_t(left));
         CHECK_EQUAL(tree.right[at], leaf ? -1 : int32_t(right));
         check_terms(growth, node, tree, at);
         CHECK_SAME_BITS(tree.threshold[at], node.threshold);
         bool missing_left = node.missing == MissingSide::left;
         if (node.missing == MissingSide::heavier)
           missing_left = !leaf && mass_at(tree, left) >= mass_at(tree, right);
         CHECK_EQUAL(tree.missing_left[at], int(!leaf && missing_left));
         std::vector<uint64_t> words;
         if (node.subset >= 0) {
           const GrowingSubset& subset = growth.subsets[size_t(node.subset)];
           words = subset.left;
           for (size_t bit = 0; bit < 64 * words.size(); ++bit)
             if (missing_left && !(subset.seen[bit / 64] >> (bit % 64) & 1))
               words[bit / 64] |= uint64_t{1} << (bit % 64);
         }
         CHECK_EQUAL(std::vector<uint64_t>(
                         tree.subset_words.begin() + tree.subset_start[at],
                         tree.subset_words.begin() + tree.subset_start[at + 1]),
                     words);
       });
  CHECK_EQUAL(tree.left.size(), n_nodes);
  CHECK_EQUAL(tree.subset_start.size(), n_nodes + 1);
  CHECK_EQUAL(tree.subset_words.size(), tree.subset_start.back());
}

}  // namespace

TEST(a_tree_is_laid_out_in_preorder) {
  Random random(1);
  for (int repeat = 0; repeat < 50; ++repeat) {
    const size_t n_rows = 1 + random.below(60);
    const ClassTarget target = class_target(random, n_rows, repeat % 2 == 0);
    const auto growth = random_growth(random, target, 0, n_rows);
    const TreeArrays tree = finish(growth, 3);
    check_structure(growth, tree);
    CHECK_EQUAL(tree.masses.empty(), repeat % 2 != 0);
  }
}

TEST(counts_and_masses_of_a_parent_are_those_of_its_children) {
  Random random(2);
  for (int repeat = 0; repeat < 50; ++repeat) {
    const size_t n_rows = 1 + random.below(60);
    const ClassTarget target = class_target(random, n_rows, true);
    const TreeArrays tree = finish(random_growth(random, target, 0, n_rows), 3);
    std::vector<int64_t> counts(3, 0), weights(3, 0);
    for (size_t row = 0; row < n_rows; ++row) {
      ++counts[size_t(target.labels[row])];
      weights[size_t(target.labels[row])] += target.row_weight[row];
    }
    for (size_t k = 0; k < 3; ++k) {
      CHECK_EQUAL(tree.counts[k], counts[k]);
      CHECK_EQUAL(tree.masses[k], double(weights[k]) / 8);  // 2^-3
    }
    for (size_t node = 0; node < tree.left.size(); ++node) {
      if (tree.left[node] < 0) continue;
      const auto left = size_t(tree.left[node]), right = size_t(tree.right[node]);
      for (size_t k = 0; k < 3; ++k) {
        CHECK_EQUAL(tree.counts[node * 3 + k],
                    tree.counts[left * 3 + k] + tree.counts[right * 3 + k]);
        CHECK_EQUAL(tree.masses[node * 3 + k],
                    tree.masses[left * 3 + k] + tree.masses[right * 3 + k]);
      }
    }
  }
}

// Rows stand in order, so every node holds a run of them.
TEST(means_and_errors_are_those_of_the_rows_below) {
  Random random(3);
  for (int repeat = 0; repeat < 50; ++repeat) {
    const size_t n_rows = 1 + random.below(60);
    const NumberTarget target = number_target(random, n_rows, repeat % 2 == 0);
    const TreeArrays tree = finish(random_growth(random, target, 0, n_rows), 2);
    std::vector<size_t> begin(tree.left.size(), 0);
    for (size_t node = 0; node < tree.left.size(); ++node) {
      const size_t end = begin[node] + size_t(tree.counts[node]);
      if (tree.left[node] >= 0) {
        begin[size_t(tree.left[node])] = begin[node];
        begin[size_t(tree.right[node])] =
            begin[node] + size_t(tree.counts[size_t(tree.left[node])]);
      }
      double mass = 0, sum = 0, sse = 0;
      for (size_t row = begin[node]; row < end; ++row) {
        mass += double(target.mass(row));
        sum += double(target.mass(row)) * target.numbers[row];
      }
      for (size_t row = begin[node]; row < end; ++row)
        sse += double(target.mass(row)) * (target.numbers[row] - sum / mass) *
               (target.numbers[row] - sum / mass);
      CHECK_EQUAL(tree.masses[node], mass / 4);  // 2^-2
      CHECK_NEAR(tree.mean[node], sum / mass, 1e-15 * (1 + std::fabs(sum / mass)));
      CHECK_NEAR(tree.sse[node], sse / 4, 1e-12 * (1 + sse));
    }
  }
}

TEST(the_order_of_records_does_not_change_a_leaf) {
  Random random(4);
  NumberTarget target = number_target(random, 40, true);
  for (double& number : target.numbers) number += random.unit();
  auto records = records_between(0, 40);
  NumberLeaves leaves(target);
  leaves.add(target, records.data(), 40);
  for (int repeat = 0; repeat < 20; ++repeat) {
    random.shuffle(records);
    const auto leaf = size_t(leaves.add(target, records.data(), 40));
    CHECK(leaves.leaves[leaf].sum == leaves.leaves[0].sum);
    CHECK_SAME_BITS(leaves.leaves[leaf].mean, leaves.leaves[0].mean);
    CHECK_SAME_BITS(leaves.leaves[leaf].sse, leaves.leaves[0].sse);
  }
}

TEST(a_graft_stands_where_the_node_was) {
  Random random(5);
  auto check = [&](auto make_target) {
    const auto target = make_target();
    for (int repeat = 0; repeat < 30; ++repeat) {
      // Two rows stay for a root with two leaves, which are then replaced.
      auto growth = random_growth(random, target, 0, 2);
      const auto left = random_growth(random, target, 0, 20);
      const auto right = random_growth(random, target, 20, 45);
      const int32_t root_left = growth.nodes[0].left,
                    root_right = growth.nodes[0].right;
      growth.graft(root_left, left);
      growth.graft(root_right, right);
      const TreeArrays whole = finish(growth, 0);
      check_structure(growth, whole);
      const TreeArrays part = finish(right, 0);
      const auto at = size_t(whole.right[0]);
      CHECK_EQUAL(whole.left.size(),
                  1 + finish(left, 0).left.size() + part.left.size());
      for (size_t node = 0; node < part.left.size(); ++node) {
        CHECK_SAME_BITS(whole.threshold[at + node], part.threshold[node]);
        CHECK_EQUAL(whole.right[at + node] < 0, part.right[node] < 0);
      }
      const size_t width = part.counts.size() / part.left.size();
      for (size_t i = 0; i < part.counts.size(); ++i)
        CHECK_EQUAL(whole.counts[at * width + i], part.counts[i]);
    }
  };
  check([&] { return class_target(random, 45, false); });
  check([&] { return class_target(random, 45, true); });
  check([&] { return number_target(random, 45, true); });
}

TEST(a_very_deep_tree_is_finished_without_recursion) {
  Random random(6);
  const ClassTarget target = class_target(random, 1, false);
  const auto records = records_between(0, 1);
  Growth<ClassTarget> growth(target);
  growth.add_node();
  int32_t last = 0;
  for (int depth = 0; depth < 200000; ++depth) {
    const int32_t left = growth.add_node(), right = growth.add_node();
    auto& node = growth.nodes[size_t(last)];
    node.left = left;
    node.right = right;
    growth.nodes[size_t(depth % 2 ? left : right)].leaf =
        growth.leaves.add(target, records.data(), 1);
    last = depth % 2 ? right : left;
  }
  growth.nodes[size_t(last)].leaf = growth.leaves.add(target, records.data(), 1);
  const TreeArrays tree = finish(growth, 0);
  CHECK_EQUAL(tree.left.size(), 400001);
  CHECK_EQUAL(tree.counts[0] + tree.counts[1] + tree.counts[2], 200001);
}
