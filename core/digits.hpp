// Numbers with as few decimal digits as will do, for people to read.
#pragma once

#include <cmath>

namespace tanoak {

// The number nearest to x with that many significant decimal digits, the last of its
// bits aside; x itself where it is very large or very small.
inline double round_to_digits(double x, int digits) {
  constexpr double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                               1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                               1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  constexpr int most = 15;
  const double size = std::abs(x);
  if (!(size >= 1 / powers[most] && size < powers[most])) return x;
  int exponent = -most;  // of the first digit
  while (exponent < most) {
    const int next = exponent + 1;
    if (size < (next < 0 ? 1 / powers[-next] : powers[next])) break;
    exponent = next;
  }
  const int shift = digits - 1 - exponent;
  if (shift > 22) return x;
  return shift >= 0 ? std::round(x * powers[shift]) / powers[shift]
                    : std::round(x / powers[-shift]) * powers[-shift];
}

}  // namespace tanoak
