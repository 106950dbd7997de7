#include "pair_rank.hpp"

#include "vectors.hpp"

namespace tanoak {

namespace {

TANOAK_CLONES
void find_bins(const RankLine& line, int64_t n, int32_t last, int32_t* bins) {
  const float* u = line.u;
  const float* v = line.v;
  const float a = line.a, b = line.b, c = line.c;
  for (int64_t i = 0; i < n; ++i) {
    const auto bin = static_cast<int32_t>(a * u[i] + b * v[i] + c);
    const int32_t not_above = bin < last ? bin : last;
    bins[i] = not_above > 0 ? not_above : 0;
  }
}

// Twice the number of pivots below a row, one more if it lies level with one.
TANOAK_CLONES
void find_places(const RankLine& line, int64_t n, const float* levels, size_t n_levels,
                 int32_t* bins) {
  const float* u = line.u;
  const float* v = line.v;
  const float a = line.a, b = line.b;
  for (int64_t i = 0; i < n; ++i) {
    const float sum = a * u[i] + b * v[i];
    int32_t bin = 0;
    for (size_t k = 0; k < n_levels; ++k) bin += (sum > levels[k]) + (sum >= levels[k]);
    bins[i] = bin;
  }
}

void find_places(const RankLine& line, const RankRows& rows, int32_t* bins) {
  float levels[most_pivots];
  for (size_t k = 0; k < rows.pivots.size(); ++k) {
    const int32_t at = rows.pivots[k];
    levels[k] = line.a * line.u[at] + line.b * line.v[at];
  }
  find_places(line, rows.n(), levels, rows.pivots.size(), bins);
}

// Running sums along the bins.
void add_up(int32_t* counts, int n_bins) {
  int32_t sum = 0;
  for (int b = 0; b < n_bins; ++b) counts[b] = sum += counts[b];
}

struct Sides {
  float left[most_rank_bins], right[most_rank_bins];  // sums of squares
  float mass[most_rank_bins];                         // of the left side
};

TANOAK_CLONES
void add_squares(const int32_t* counts, float total, int n_bins, Sides& sides) {
  for (int b = 0; b < n_bins; ++b) {
    const auto l = static_cast<float>(counts[b]);
    const float r = total - l;
    sides.left[b] += l * l;
    sides.right[b] += r * r;
  }
}

TANOAK_CLONES
void add_mass(const int32_t* counts, int n_bins, Sides& sides) {
  for (int b = 0; b < n_bins; ++b) sides.mass[b] += static_cast<float>(counts[b]);
}

TANOAK_CLONES
float best_of_sides(const Sides& sides, float total, float least, int n_bins) {
  float score[most_rank_bins];
  for (int b = 0; b < n_bins; ++b) {
    const float l = sides.mass[b], r = total - l;
    const float value = sides.left[b] / l + sides.right[b] / r;
    score[b] = (l >= least) & (r >= least) ? value : -1.0F;
  }
  float best = -1;
  for (int b = 0; b < n_bins; ++b) best = score[b] > best ? score[b] : best;
  return best;
}

}  // namespace

float rank_line(const RankRows& rows, const RankLine& line, int n_bins, int32_t* bins,
                int32_t* histogram) {
  const int64_t n = rows.n();
  if (rows.pivots.empty())
    find_bins(line, n, n_bins - 1, bins);
  else
    find_places(line, rows, bins);
  std::fill(histogram, histogram + rows.n_channels * n_bins, 0);
  const int32_t* mass = rows.mass.data();
  if (rows.numbers) {
    const int32_t* moment = rows.moment.data();
    for (int64_t i = 0; i < n; ++i) {
      histogram[bins[i]] += mass[i];
      histogram[n_bins + bins[i]] += moment[i];
    }
  } else {
    const int32_t* first = rows.first_bin.data();
    for (int64_t i = 0; i < n; ++i) histogram[first[i] + bins[i]] += mass[i];
  }
  Sides sides{};
  float total = 0;
  for (int k = 0; k < rows.n_channels; ++k) {
    int32_t* counts = histogram + k * n_bins;
    const float of_channel = rows.totals[static_cast<size_t>(k)];
    add_up(counts, n_bins);
    const bool is_mass = !rows.numbers || k == 0;
    if (is_mass) add_mass(counts, n_bins, sides);
    if (is_mass) total += of_channel;
    if (!rows.numbers || k == 1) add_squares(counts, of_channel, n_bins, sides);
  }
  return best_of_sides(sides, total, std::max(rows.least_mass, 0.5F), n_bins);
}

}  // namespace tanoak
