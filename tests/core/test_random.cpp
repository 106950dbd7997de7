#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "check.hpp"
#include "random.hpp"
#include "samples.hpp"

using tanoak::RandomStream;

namespace {

// Sum over equally likely outcomes of (seen - expected)^2 / expected.
template <class Counts>
double chi_square(const Counts& seen, double expected) {
  double sum = 0;
  for (const auto count : seen) {
    const double off = static_cast<double>(count) - expected;
    sum += off * off / expected;
  }
  return sum;
}

}  // namespace

TEST(words_are_those_of_splitmix64) {
  RandomStream stream(1234567);
  CHECK_EQUAL(stream.word(), uint64_t{6457827717110365317u});
  CHECK_EQUAL(stream.word(), uint64_t{3203168211198807973u});
  CHECK_EQUAL(stream.word(), uint64_t{9817491932198370423u});
  Random other(99);
  RandomStream same(99);
  for (int i = 0; i < 1000; ++i) CHECK_EQUAL(same.word(), other.word());
}

TEST(streams_of_places_do_not_depend_on_what_was_drawn) {
  RandomStream used(7);
  const uint64_t before = used.at(3).word();
  for (int i = 0; i < 10; ++i) used.word();
  CHECK_EQUAL(used.at(3).word(), before);
}

TEST(streams_of_places_differ) {
  // Words of many neighbouring places, their children and seeds: no two are equal.
  std::set<uint64_t> words;
  size_t n_drawn = 0;
  for (uint64_t seed = 0; seed < 8; ++seed)
    for (uint64_t place = 0; place < 50; ++place)
      for (uint64_t child = 0; child < 10; ++child) {
        RandomStream outer = RandomStream(seed).at(place);
        RandomStream inner = outer.at(child);
        for (int i = 0; i < 5; ++i) words.insert(inner.word());
        n_drawn += 5;
      }
  CHECK_EQUAL(words.size(), n_drawn);
  // First words of places 0, 1, 2, ... are as even as the words of one stream.
  std::array<int, 16> first{};
  for (uint64_t place = 0; place < 16000; ++place)
    ++first[RandomStream(0).at(place).word() >> 60];
  CHECK(chi_square(first, 1000) < 37.7);  // exceeded once in 1000
}

TEST(below_is_even) {
  RandomStream stream(2);
  for (const uint64_t n : {1u, 2u, 3u, 7u, 10u}) {
    std::vector<int> seen(static_cast<size_t>(n), 0);
    for (uint64_t i = 0; i < 1000 * n; ++i) {
      const uint64_t drawn = stream.below(n);
      CHECK(drawn < n);
      ++seen[static_cast<size_t>(drawn)];
    }
    CHECK(chi_square(seen, 1000) < 27.9);  // for n = 10, exceeded once in 1000
  }
}

TEST(below_is_even_where_the_product_is_not) {
  // Of four neighbouring words two lead to the same multiple of 3, if none is refused.
  const uint64_t n = uint64_t{3} << 62;
  RandomStream stream(4);
  std::array<int, 3> seen{};
  for (int i = 0; i < 30000; ++i) ++seen[stream.below(n) % 3];
  CHECK(chi_square(seen, 10000) < 13.9);
}

TEST(fractions_lie_where_asked) {
  RandomStream stream(5);
  std::array<int, 10> seen{};
  int n_true = 0;
  for (int i = 0; i < 10000; ++i) {
    const double unit = stream.unit();
    CHECK(unit >= 0 && unit < 1);
    ++seen[static_cast<size_t>(unit * 10)];
    const double between = stream.between(-3, 5);
    CHECK(between >= -3 && between < 5);
    n_true += stream.chance(0.25);
  }
  CHECK(chi_square(seen, 1000) < 27.9);
  CHECK_NEAR(n_true, 2500, 143);  // 3.3 standard deviations
}

TEST(permutations_are_even) {
  RandomStream stream(6);
  std::map<std::vector<int>, int> seen;
  for (int i = 0; i < 6000; ++i) {
    std::vector<int> items{0, 1, 2};
    stream.permute(items);
    ++seen[items];
  }
  std::vector<int> counts;
  for (const auto& [order, count] : seen) counts.push_back(count);
  CHECK_EQUAL(counts.size(), 6);
  CHECK(chi_square(counts, 1000) < 20.5);
}

TEST(samples_ascend_and_are_even) {
  RandomStream stream(8);
  std::map<std::vector<uint32_t>, int> seen;
  for (int i = 0; i < 10000; ++i) ++seen[stream.sample(5, 2)];
  std::vector<int> counts;
  for (const auto& [chosen, count] : seen) {
    CHECK(chosen.size() == 2 && chosen[0] < chosen[1] && chosen[1] < 5);
    counts.push_back(count);
  }
  CHECK_EQUAL(counts.size(), 10);
  CHECK(chi_square(counts, 1000) < 27.9);
}

TEST(samples_of_all_or_none) {
  RandomStream stream(9);
  CHECK_EQUAL(stream.sample(4, 4), (std::vector<uint32_t>{0, 1, 2, 3}));
  CHECK_EQUAL(stream.sample(3, 9), (std::vector<uint32_t>{0, 1, 2}));
  CHECK(stream.sample(4, 0).empty());
  CHECK(stream.sample(0, 4).empty());
}
