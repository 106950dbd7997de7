#include "lanes.hpp"

#include <algorithm>
#include <cstring>

#include "simd.hpp"
#include "vectors.hpp"

namespace tanoak {

// Vectors of one length, whatever the processor has: the compiler splits them where it
// must, and each lane sums the same numbers in the same order.
using Floats = float __attribute__((vector_size(64)));
using Doubles = double __attribute__((vector_size(64)));
using Words = int64_t __attribute__((vector_size(64)));
using HalfFloats = float __attribute__((vector_size(32)));

namespace {

TANOAK_INLINE Floats load(const float* from) {
  Floats vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

TANOAK_INLINE void store(float* to, const Floats& vector) {
  std::memcpy(to, &vector, sizeof vector);
}

TANOAK_INLINE Doubles load(const double* from) {
  Doubles vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

TANOAK_INLINE Doubles widen(const float* from) {
  HalfFloats vector;
  std::memcpy(&vector, from, sizeof vector);
  return __builtin_convertvector(vector, Doubles);
}

TANOAK_INLINE void narrow(float* to, const Doubles& vector) {
  const HalfFloats half = __builtin_convertvector(vector, HalfFloats);
  std::memcpy(to, &half, sizeof half);
}

TANOAK_INLINE double add_up(const Floats& sums) {
  float lanes[n_lanes];
  std::memcpy(lanes, &sums, sizeof sums);
  for (int64_t half = n_lanes / 2; half > 0; half /= 2)
    for (int64_t i = 0; i < half; ++i) lanes[i] += lanes[i + half];
  return static_cast<double>(lanes[0]);
}

TANOAK_INLINE double add_up(const Doubles& sums) {
  double lanes[8];
  std::memcpy(lanes, &sums, sizeof sums);
  return add_lanes(lanes);
}

TANOAK_INLINE Doubles spread(double x) { return Doubles{} + x; }
TANOAK_INLINE Floats spread(float x) { return Floats{} + x; }

TANOAK_INLINE Doubles choose(const Words& which, const Doubles& yes,
                             const Doubles& no) {
  return (Doubles)((which & (Words)yes) | (~which & (Words)no));
}

// exp(x) for -708 <= x <= 0, within two units in the last place.
TANOAK_INLINE Doubles exp_below_zero(const Doubles& x) {
  constexpr double round = 0x1.8p52;  // adding it leaves a whole number in the low bits
  const Doubles shifted = x * 0x1.71547652b82fep0 + round;
  const Doubles whole = shifted - round;
  const Doubles rest =
      (x - whole * 0x1.62e42fefa3800p-1) - whole * 0x1.ef35793c76730p-45;
  Doubles power = spread(1.0 / 479001600);
  constexpr double inverse_factorials[] = {
      1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720,
      1.0 / 120,      1.0 / 24,      1.0 / 6,      1.0 / 2,     1.0,        1.0};
  for (const double factor : inverse_factorials) power = power * rest + factor;
  const Words bits = (Words)shifted - (Words)spread(round);
  return power * (Doubles)((bits + 1023) << 52);
}

// log(1 + x) for 0 <= x <= 1: twice the inverse hyperbolic tangent of x / (2 + x).
TANOAK_INLINE Doubles log_one_plus(const Doubles& x) {
  const Doubles s = x / (x + 2.0);
  const Doubles square = s * s;
  Doubles series = spread(1.0 / 33);
  constexpr double odd[] = {31, 29, 27, 25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1};
  for (const double below : odd) series = series * square + 1.0 / below;
  return 2.0 * s * series;
}

// Two columns by two columns of one tile.
TANOAK_INLINE void dots_of_four(const float* const* left, const float* const* right,
                                int64_t n, double* out) {
  Floats a = {}, b = {}, c = {}, d = {};
  for (int64_t i = 0; i < n; i += n_lanes) {
    const Floats x = load(left[0] + i), y = load(left[1] + i);
    const Floats u = load(right[0] + i), v = load(right[1] + i);
    a += x * u;
    b += x * v;
    c += y * u;
    d += y * v;
  }
  out[0] = add_up(a), out[1] = add_up(b), out[2] = add_up(c), out[3] = add_up(d);
}

}  // namespace

TANOAK_WIDE_CLONES
void rescale(const double* values, int64_t n, const LinearScale& scale, float* out) {
  const LinearScale at = scale;
  for (int64_t i = 0; i < n; ++i) out[i] = at.apply(values[i]);
}

TANOAK_WIDE_CLONES
double dot(const float* a, const float* b, int64_t n) {
  double total = 0;
  for (int64_t begin = 0; begin < n; begin += tile_rows) {
    const int64_t end = std::min(n, begin + tile_rows);
    Floats sums = {};
    for (int64_t i = begin; i < end; i += n_lanes) sums += load(a + i) * load(b + i);
    total += add_up(sums);
  }
  return total;
}

TANOAK_WIDE_CLONES
double weighted_square(const float* weight, const float* x, int64_t n) {
  double total = 0;
  for (int64_t begin = 0; begin < n; begin += tile_rows) {
    const int64_t end = std::min(n, begin + tile_rows);
    Floats sums = {};
    for (int64_t i = begin; i < end; i += n_lanes) {
      const Floats value = load(x + i);
      sums += load(weight + i) * value * value;
    }
    total += add_up(sums);
  }
  return total;
}

TANOAK_WIDE_CLONES
void add_scaled(float* out, const float* x, float factor, int64_t n) {
  for (int64_t i = 0; i < n; i += n_lanes)
    store(out + i, load(out + i) + factor * load(x + i));
}

TANOAK_WIDE_CLONES
void add_weighted(float* out, const float* weight, const float* x, float factor,
                  int64_t n) {
  const Floats factors = spread(factor);
  for (int64_t i = 0; i < n; i += n_lanes)
    store(out + i, load(out + i) + factors * load(weight + i) * load(x + i));
}

TANOAK_WIDE_CLONES
void add_scaled(double* out, const double* x, double factor, int64_t n) {
  int64_t i = 0;
  for (; i + 8 <= n; i += 8) {
    const Doubles sum = load(out + i) + factor * load(x + i);
    std::memcpy(out + i, &sum, sizeof sum);
  }
  for (; i < n; ++i) out[i] += factor * x[i];
}

TANOAK_WIDE_CLONES
void add_gram(const float* const* columns, int64_t first, int64_t count,
              const float* weight, int64_t n, float* scratch, double* sums,
              int64_t stride) {
  for (int64_t j = first; j < count; ++j)
    for (int64_t i = 0; i < n; i += n_lanes)
      store(scratch + (j - first) * tile_rows + i,
            load(weight + i) * load(columns[j] + i));
  for (int64_t j = first; j < count; j += 2) {
    const int64_t next = std::min(j + 1, count - 1);
    const float* right[] = {scratch + (j - first) * tile_rows,
                            scratch + (next - first) * tile_rows};
    for (int64_t i = 0; i <= next; i += 2) {
      const int64_t below = std::min(i + 1, count - 1);
      const float* left[] = {columns[i], columns[below]};
      double part[4];
      dots_of_four(left, right, n, part);
      // Each pair once: where the corner of four is cut, or meets the diagonal.
      if (i <= j) sums[i * stride + j] += part[0];
      if (next > j) sums[i * stride + next] += part[1];
      if (below > i && below <= j) sums[below * stride + j] += part[2];
      if (below > i && next > j && below <= next)
        sums[below * stride + next] += part[3];
    }
  }
}

TANOAK_WIDE_CLONES
double move_margins(const LogisticRows& rows, const double* start,
                    const float* direction, double step, const LogisticPoint& point) {
  double total = 0;
  for (int64_t begin = 0; begin < rows.n; begin += tile_rows) {
    const int64_t end = std::min(rows.n, begin + tile_rows);
    Doubles sums = {};
    for (int64_t i = begin; i < end; i += 8) {
      const Doubles margin = load(start + i) + step * widen(direction + i);
      std::memcpy(point.margin + i, &margin, sizeof margin);
      const Doubles weight = widen(rows.weight + i), side = widen(rows.side + i);
      const Doubles right = margin * side;
      const Words is_right = right >= 0;
      const Doubles magnitude = choose(is_right, right, -right);
      const Doubles power =
          exp_below_zero(choose(magnitude < 708, -magnitude, spread(-708.0)));
      const Doubles share = 1.0 / (1.0 + power);  // of the likelier side
      const Doubles rest = power * share;
      sums += weight * (log_one_plus(power) + choose(is_right, Doubles{}, magnitude));
      narrow(point.slope + i, -side * weight * choose(is_right, rest, share));
      narrow(point.curvature + i, weight * rest * share);
    }
    total += add_up(sums);
  }
  return total;
}

}  // namespace tanoak
