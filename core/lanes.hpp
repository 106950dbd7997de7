// Sums and products over columns of float, as the oblique solver needs them: sixteen
// partial sums added in a fixed order, so every build and processor gives the same
// bits.
#pragma once

#include <cstdint>

namespace tanoak {

// Columns are padded with zeros to whole lanes.
constexpr int64_t n_lanes = 16;
// Rows that are added up in float; what tiles add up to is added in double.
constexpr int64_t tile_rows = 1024;

inline int64_t padded(int64_t n) { return (n + n_lanes - 1) / n_lanes * n_lanes; }

// out = (values cut off at low and high, less center) * inverse; any length.
struct LinearScale {
  double low, high;  // values are cut off here
  double center;
  double inverse;

  float apply(double value) const {
    value = value < low ? low : value;
    value = value > high ? high : value;
    return static_cast<float>((value - center) * inverse);
  }
};
void rescale(const double* values, int64_t n, const LinearScale& scale, float* out);

// All lengths below are multiples of n_lanes.

double dot(const float* a, const float* b, int64_t n);

// The sum of weight times x squared.
double weighted_square(const float* weight, const float* x, int64_t n);

// out += factor * x
void add_scaled(float* out, const float* x, float factor, int64_t n);

// out += factor * weight * x
void add_weighted(float* out, const float* weight, const float* x, float factor,
                  int64_t n);

// Part of X' D X: adds to sums[i * stride + j] what one tile of at most tile_rows rows
// gives for first <= j < count and i <= j. `columns` point at the tile's first row;
// `scratch` holds (count - first) * tile_rows floats.
void add_gram(const float* const* columns, int64_t first, int64_t count,
              const float* weight, int64_t n, float* scratch, double* sums,
              int64_t stride);

// A step along a column of a symmetric matrix: out += factor * x, any length.
void add_scaled(double* out, const double* x, double factor, int64_t n);

// The rows of a logistic loss: what each weighs and which side it wants (1 or -1).
struct LogisticRows {
  const float* weight;
  const float* side;
  int64_t n;
};

// Moves margin = start + step * direction; returns the sum of weight * log(1 +
// exp(-side * margin)) and writes its first and second derivatives by the margin.
struct LogisticPoint {
  double* margin;
  float* slope;
  float* curvature;
};
double move_margins(const LogisticRows& rows, const double* start,
                    const float* direction, double step, const LogisticPoint& point);

}  // namespace tanoak
