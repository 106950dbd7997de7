// Random numbers that depend on a seed and a place alone: each node, restart or row has
// a stream of its own, so that results do not depend on who draws first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base.hpp"

namespace tanoak {

// SplitMix64 (Steele, Lea and Flood 2014): the i-th word is a scrambled multiple of i.
// Whole numbers and divisions by powers of two only: the same draws on every machine.
class RandomStream {
 public:
  explicit RandomStream(uint64_t seed) : key_(seed) {}

  // The stream of a place within this one, whatever has been drawn here.
  RandomStream at(uint64_t place) const {
    return RandomStream(scramble(scramble(key_ + step) ^ scramble(~place)));
  }

  uint64_t word() { return scramble(key_ + step * ++n_drawn_); }

  // 0 <= x < n, each as likely as the others; n > 0.
  uint64_t below(uint64_t n) {
    // High word of a product (Lemire 2019); the few low words that would favour some
    // numbers are drawn again.
    const uint64_t uneven = (0 - n) % n;
    uint128 product = 0;
    do {
      product = static_cast<uint128>(word()) * n;
    } while (static_cast<uint64_t>(product) < uneven);
    return static_cast<uint64_t>(product >> 64);
  }

  // 0 <= x < 1, in steps of 2^-53.
  double unit() { return static_cast<double>(word() >> 11) * 0x1p-53; }
  double between(double low, double high) { return low + (high - low) * unit(); }
  bool chance(double share) { return unit() < share; }

  template <class T>
  void permute(std::vector<T>& items) {
    for (size_t i = items.size(); i > 1; --i)
      std::swap(items[i - 1], items[static_cast<size_t>(below(i))]);
  }

  // `n_wanted` of the numbers 0, 1, ..., n - 1, ascending; all of them if there are not
  // as many.
  std::vector<uint32_t> sample(uint32_t n, uint32_t n_wanted) {
    std::vector<uint32_t> chosen;
    chosen.reserve(n_wanted < n ? n_wanted : n);
    for (uint32_t i = 0; i < n && n_wanted > 0; ++i) {
      if (n_wanted < n - i && below(n - i) >= n_wanted) continue;
      chosen.push_back(i);
      --n_wanted;
    }
    return chosen;
  }

 private:
  static constexpr uint64_t step = 0x9E3779B97F4A7C15u;

  static uint64_t scramble(uint64_t word) {
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
    return word ^ (word >> 31);
  }

  uint64_t key_;
  uint64_t n_drawn_ = 0;
};

}  // namespace tanoak
