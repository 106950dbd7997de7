// Vectors of a fixed size, whatever the processor has: the compiler splits them where
// it must. They never cross a call that is not inlined.
#pragma once

#include <cstdint>
#include <cstring>

// A function compiled twice, once for newer processors. Not under a sanitizer: which
// build to take is decided before it has started.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__) &&        \
    !defined(__SANITIZE_THREAD__) && !defined(TANOAK_NO_CLONES)
#define TANOAK_CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
// Where a loop has enough to do for the widest vectors too.
#define TANOAK_WIDE_CLONES \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define TANOAK_CLONES
#define TANOAK_WIDE_CLONES
#endif

// Part of each build of its caller, not a function with a build of its own.
#if defined(__GNUC__)
#define TANOAK_INLINE __attribute__((always_inline)) inline
#else
#define TANOAK_INLINE inline
#endif

// The elements of two vectors in a new order; those of the second count on.
#if defined(__clang__)
#define TANOAK_SHUFFLE(Whole, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define TANOAK_SHUFFLE(Whole, a, b, ...) __builtin_shuffle(a, b, Whole{__VA_ARGS__})
#endif

namespace tanoak {

using Four = double __attribute__((vector_size(32)));
using FourInts = int64_t __attribute__((vector_size(32)));
using Eight = float __attribute__((vector_size(32)));
using EightInts = int32_t __attribute__((vector_size(32)));

template <class Vector, class Value>
TANOAK_INLINE Vector load(const Value* from) {
  Vector vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

template <class Vector, class Value>
TANOAK_INLINE void store(const Vector& vector, Value* into) {
  std::memcpy(into, &vector, sizeof vector);
}

TANOAK_INLINE FourInts reinterpret_bits(Four x) { return (FourInts)x; }
TANOAK_INLINE Four reinterpret_bits(FourInts x) { return (Four)x; }

// The lanes moved up by one (by two), zeros coming in.
TANOAK_INLINE Four up_one(Four x) {
  return TANOAK_SHUFFLE(FourInts, x, Four{}, 4, 0, 1, 2);
}
TANOAK_INLINE Four up_two(Four x) {
  return TANOAK_SHUFFLE(FourInts, x, Four{}, 4, 5, 0, 1);
}

TANOAK_INLINE bool any(FourInts x) { return (x[0] | x[1] | x[2] | x[3]) != 0; }
TANOAK_INLINE bool any(EightInts x) { return any((FourInts)x); }

TANOAK_INLINE Eight absolute(Eight x) {
  constexpr int32_t bits = 0x7FFFFFFF;
  return (Eight)((EightInts)x & bits);
}

// --- the sums of eight vectors, as one ---

TANOAK_INLINE Eight add_pairs(Eight a, Eight b) {
  return TANOAK_SHUFFLE(EightInts, a, b, 0, 8, 1, 9, 4, 12, 5, 13) +
         TANOAK_SHUFFLE(EightInts, a, b, 2, 10, 3, 11, 6, 14, 7, 15);
}
TANOAK_INLINE Eight add_quads(Eight a, Eight b) {
  return TANOAK_SHUFFLE(EightInts, a, b, 0, 1, 8, 9, 4, 5, 12, 13) +
         TANOAK_SHUFFLE(EightInts, a, b, 2, 3, 10, 11, 6, 7, 14, 15);
}
TANOAK_INLINE Eight add_each(const Eight* rows) {
  const Eight low = add_quads(add_pairs(rows[0], rows[1]), add_pairs(rows[2], rows[3]));
  const Eight high =
      add_quads(add_pairs(rows[4], rows[5]), add_pairs(rows[6], rows[7]));
  return TANOAK_SHUFFLE(EightInts, low, high, 0, 1, 2, 3, 8, 9, 10, 11) +
         TANOAK_SHUFFLE(EightInts, low, high, 4, 5, 6, 7, 12, 13, 14, 15);
}

}  // namespace tanoak
