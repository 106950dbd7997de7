// The best step along a line against every step that moves a row.
#include "check.hpp"
#include "line_search.hpp"
#include "planes.hpp"

using namespace tanoak;

namespace {

struct RandomLine {
  std::vector<double> heights;
  std::vector<uint32_t> positions;
  std::vector<float> slopes;

  // Quarters, so that rows share their turning points.
  RandomLine(Random& random, size_t n, double share_listed) {
    for (size_t i = 0; i < n; ++i) {
      heights.push_back(random.whole(-12, 12) / 4);
      if (!random.chance(share_listed)) continue;
      positions.push_back(static_cast<uint32_t>(i));
      slopes.push_back(static_cast<float>(random.whole(1, 4) / 2));
    }
  }
  Line line() const {
    return {positions.data(), slopes.data(), static_cast<int64_t>(positions.size())};
  }
  std::vector<bool> left_after(double step) const {
    std::vector<double> moved = heights;
    for (size_t i = 0; i < positions.size(); ++i)
      moved[positions[i]] += step * static_cast<double>(slopes[i]);
    std::vector<bool> left;
    for (const double height : moved) left.push_back(height <= 0);
    return left;
  }
};

// The best score of any step, tried between and beyond all turning points.
template <class Node>
double best_by_trial(const Node& node, const RandomLine& at, const CutLimits& limits) {
  std::vector<double> turns;
  for (size_t i = 0; i < at.positions.size(); ++i)
    turns.push_back(-at.heights[at.positions[i]] / static_cast<double>(at.slopes[i]));
  std::sort(turns.begin(), turns.end());
  double best = -1;
  auto attempt = [&](double step) {
    best = std::max(best, node.score(at.left_after(step), limits));
  };
  if (turns.empty()) return best;
  attempt(turns.front() - 1);
  attempt(turns.back() + 1);
  for (size_t i = 1; i < turns.size(); ++i) attempt((turns[i - 1] + turns[i]) / 2);
  for (const double turn : turns) attempt(turn);
  return best;
}

template <class Criterion>
void check_line(Random& random, const PlaneNode<Criterion>& node,
                const CutLimits& limits) {
  const RandomLine at(random, node.records.size(), random.chance(0.3) ? 1.0 : 0.4);
  LineSearch<Criterion> search(node.target, Criterion(node.target));
  search.open(node.records.data(), node.n(), *node.sums, limits);
  const LineStep step = search.best(at.line(), at.heights.data(), -1);
  const double expected = best_by_trial(node, at, limits);
  CHECK_EQUAL(step.found(), expected >= 0);
  CHECK_NEAR(step.score, expected, 1e-9 * std::abs(expected));
  if (!step.found()) return;
  CHECK_NEAR(node.score(at.left_after(step.step), limits), step.score,
             1e-9 * step.score);
  CHECK(!search.best(at.line(), at.heights.data(), step.score).found());
  const double floor = step.score * (1 - 1e-6) - 1e-9;
  CHECK_SAME_BITS(search.best(at.line(), at.heights.data(), floor).score, step.score);
}

CutLimits draw_limits(Random& random) {
  if (random.chance(0.5)) return {};
  return {random.chance(0.5) ? 3 : 1, random.chance(0.5) ? 7 : 1};
}

}  // namespace

TEST(words_are_sorted_by_rank) {
  Random random(1);
  for (const size_t n : {1u, 2u, 50u, 192u, 193u, 1000u, 5000u}) {
    std::vector<Record> words, scratch(n);
    const bool narrow = random.chance(0.5);  // digits in which all agree
    for (size_t i = 0; i < n; ++i)
      words.push_back(make_record(
          static_cast<uint32_t>(random.word()) & (narrow ? 0xFF00u : 0xFFFFFFFFu),
          static_cast<uint32_t>(i)));
    std::vector<Record> sorted = words;
    std::sort(sorted.begin(), sorted.end());
    sort_by_rank(words.data(), scratch.data(), static_cast<int64_t>(n));
    CHECK(words == sorted);
  }
}

TEST(keys_turn_back_into_numbers) {
  for (const float x : {0.0f, 1.5f, -1.5f, 3e38f, -3e38f, 1e-40f, -1e-40f})
    CHECK_SAME_BITS(value_of_key(sort_key(x)), x);
}

TEST(lines_through_two_classes) {
  Random random(2);
  for (int repeat = 0; repeat < 600; ++repeat) {
    std::vector<int32_t> labels(2 + random.below(40));
    for (int32_t& label : labels) label = random.chance(0.4);
    check_line(random, node_of_labels(labels, 2, random, repeat % 3 == 0),
               draw_limits(random));
  }
}

TEST(lines_through_many_rows) {
  Random random(3);
  std::vector<int32_t> labels(700);
  for (int32_t& label : labels) label = random.chance(0.4);
  for (const bool by_row : {false, true})
    check_line(random, node_of_labels(labels, 2, random, by_row), draw_limits(random));
}

TEST(lines_through_more_classes) {
  Random random(4);
  for (int repeat = 0; repeat < 200; ++repeat) {
    std::vector<int32_t> labels(2 + random.below(40));
    for (int32_t& label : labels) label = static_cast<int32_t>(random.below(4));
    check_line(random, node_of_labels(labels, 4, random, repeat % 2 == 0),
               draw_limits(random));
  }
}

TEST(lines_through_numbers) {
  Random random(5);
  for (int repeat = 0; repeat < 200; ++repeat) {
    std::vector<double> numbers(2 + random.below(40));
    for (double& number : numbers) number = random.whole(-8, 8) / 4;
    check_line(random, node_of_numbers(numbers), draw_limits(random));
  }
}

TEST(heights_of_any_size) {
  Random random(6);
  const TwoClassNode node = node_of_labels({0, 0, 1, 1}, 2, random, false);
  LineSearch<Gini<uint64_t>> search(node.target, Gini<uint64_t>(node.target));
  search.open(node.records.data(), node.n(), *node.sums, {});
  const std::vector<uint32_t> positions{0, 1, 2, 3};
  const std::vector<float> slopes{1e-30f, 1e-30f, 1e-30f, 1e-30f};
  const std::vector<double> heights{-1e300, -1e-9, 1e-9, 1e300};
  const Line line{positions.data(), slopes.data(), 4};
  const LineStep step = search.best(line, heights.data(), -1);
  CHECK(std::isfinite(step.step));
  CHECK_NEAR(step.score, node.score({true, true, false, false}, {}), 1e-12);
}
