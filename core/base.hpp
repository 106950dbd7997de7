// What every stage shares: integer types, exact fixed-point sums, the stop flag.
#pragma once

#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>

namespace tanoak {

__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

// Thrown inside the core when the caller asked to stop; the border turns it into
// the pending Python exception.
struct Interrupted : std::exception {
  const char* what() const noexcept override { return "interrupted"; }
};

// Set by the caller's thread, read by the workers between pieces of work.
class StopFlag {
 public:
  void request() noexcept { stop_.store(true, std::memory_order_relaxed); }
  void check() const {
    if (stop_.load(std::memory_order_relaxed)) throw Interrupted();
  }

 private:
  std::atomic<bool> stop_{false};
};

// Sums of integers do not depend on their order, so trees do not depend on the order
// of rows or on the number of threads. Two words, because the compiler's own
// conversion to double is a slow library call.
inline double to_double(uint128 value) {
  constexpr double word = 18446744073709551616.0;  // 2^64
  return static_cast<double>(static_cast<uint64_t>(value >> 64)) * word +
         static_cast<double>(static_cast<uint64_t>(value));
}

inline double to_double(int128 value) {
  return value < 0 ? -to_double(static_cast<uint128>(-value))
                   : to_double(static_cast<uint128>(value));
}

inline double to_double(uint64_t value) { return static_cast<double>(value); }

// x * 2^exponent as an integer; what lies below one unit is cut off.
inline int128 to_fixed(double x, int exponent) {
  return static_cast<int128>(std::ldexp(x, exponent));
}

// The exponent e for which total * 2^e lies in (2^(bits-1), 2^bits].
inline int fixed_exponent(double total, int bits) {
  if (!(total > 0)) return 0;
  return bits - std::ilogb(total) - 1;
}

}  // namespace tanoak
