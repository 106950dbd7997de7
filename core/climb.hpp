// Hill climbing to a good hyperplane of one node: each weight in turn takes its best
// value with the others held, as in OC1 (Murthy, Kasif and Salzberg 1994).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "features.hpp"
#include "line_search.hpp"
#include "random.hpp"

namespace tanoak {

// A feature within a node, counted from one of its ends in standard deviations: from
// the end where more rows are, which are not listed. So no value is below 0, and a
// column of few different values takes little room and time.
struct ClimbColumn {
  int32_t feature;
  double end, scale;  // slope = (value - end) * scale; scale < 0 from the upper end
  std::vector<uint32_t> positions;
  std::vector<float> slopes;

  Line line() const {
    return {positions.data(), slopes.data(), static_cast<int64_t>(positions.size())};
  }
};

// Nothing is listed if all values are equal.
inline ClimbColumn climb_column(int32_t feature, const std::vector<double>& values) {
  ClimbColumn column{feature, 0, 0, {}, {}};
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const double low = *least, high = *most;
  if (!(low < high)) return column;
  const auto n = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double value : values) sum += value - low;
  const double mean = sum / n;
  for (const double value : values)
    squares += (value - low - mean) * (value - low - mean);
  const bool from_top = std::count(values.begin(), values.end(), high) >
                        std::count(values.begin(), values.end(), low);
  column.end = from_top ? high : low;
  column.scale = (from_top ? -1 : 1) / std::sqrt(squares / n);
  if (!std::isfinite(column.scale)) return column;  // beyond what doubles tell apart
  for (size_t i = 0; i < values.size(); ++i) {
    const auto slope = static_cast<float>((values[i] - column.end) * column.scale);
    if (!(slope > 0)) continue;
    column.positions.push_back(static_cast<uint32_t>(i));
    column.slopes.push_back(slope);
  }
  return column;
}

// A row's height is offset + sum of weight times slope; left where it is not above 0.
struct Hyperplane {
  std::vector<double> weights;  // by column of the climb
  double offset = 0;
  double score = -1;
};

struct ClimbSettings {
  int64_t n_jumps = 20;  // that may fail, from each top
  int32_t max_sweeps = 20;
  double least_gain = 1e-6;  // of the score, for a weight to be changed
};

// The rows climbed on, which must outlive the climb.
template <class Sums>
struct ClimbRows {
  const Record* records;
  int64_t n;
  const Sums& sums;
  CutLimits limits;
  const std::vector<ClimbColumn>& columns;
};

template <class Criterion>
class Climb {
 public:
  using Target = typename Criterion::Target;
  using Sums = typename Criterion::Sums;

  Climb(const Target& target, Criterion criterion, const StopFlag& stop)
      : search_(target, std::move(criterion)), stop_(stop) {}

  void open(const ClimbRows<Sums>& rows) {
    columns_ = &rows.columns;
    search_.open(rows.records, rows.n, rows.sums, rows.limits);
    heights_.resize(static_cast<size_t>(rows.n));
    everyone_.resize(static_cast<size_t>(rows.n));
    std::iota(everyone_.begin(), everyone_.end(), 0u);
    ones_.assign(static_cast<size_t>(rows.n), 1.0f);
  }

  // Climbs from the weights given; their best offset is found first.
  void run(Hyperplane& plane, const ClimbSettings& settings, RandomStream& random) {
    place(plane);
    sweep_to_the_top(plane, settings, random);
    int64_t n_failed = 0;
    for (int64_t i = 0; i < most_tops * settings.n_jumps; ++i) {
      if (n_failed == settings.n_jumps) return;
      const bool better =
          i % 2 == 0 ? jump(plane, settings, random) : shake(plane, settings, random);
      n_failed = better ? 0 : n_failed + 1;
      if (better) sweep_to_the_top(plane, settings, random);
    }
  }

  // Sets weights to zero, the smallest first, where that takes nothing from the score.
  void simplify(Hyperplane& plane) {
    std::vector<size_t> used;
    for (size_t c = 0; c < columns_->size(); ++c)
      if (plane.weights[c] != 0) used.push_back(c);
    std::sort(used.begin(), used.end(), [&](size_t a, size_t b) {
      const double x = std::abs(plane.weights[a]), y = std::abs(plane.weights[b]);
      return x != y ? x < y : a < b;
    });
    for (const size_t c : used) {
      stop_.check();
      Hyperplane less = plane;
      less.weights[c] = 0;
      place(less);
      if (less.score >= plane.score) plane = std::move(less);
    }
  }

  // The best offset for the weights.
  void place(Hyperplane& plane) {
    plane.score = -1;
    set_heights(plane);
    shift(plane, -1);
  }

 private:
  static constexpr int64_t most_tops = 10;

  void set_heights(const Hyperplane& plane) {
    std::fill(heights_.begin(), heights_.end(), plane.offset);
    for (size_t c = 0; c < columns_->size(); ++c)
      if (plane.weights[c] != 0) raise((*columns_)[c].line(), plane.weights[c]);
  }

  void raise(const Line& line, double step) {
    for (int64_t i = 0; i < line.n; ++i)
      heights_[line.positions[i]] += step * static_cast<double>(line.slopes[i]);
  }

  bool take(const LineStep& step, const Line& line, Hyperplane& plane) {
    if (!step.found()) return false;
    raise(line, step.step);
    plane.score = step.score;
    return true;
  }

  bool shift(Hyperplane& plane, double floor) {
    const Line line{everyone_.data(), ones_.data(),
                    static_cast<int64_t>(heights_.size())};
    const LineStep step = search_.best(line, heights_.data(), floor);
    if (!take(step, line, plane)) return false;
    plane.offset += step.step;
    return true;
  }

  bool turn(Hyperplane& plane, size_t column, double floor) {
    const Line line = (*columns_)[column].line();
    const LineStep step = search_.best(line, heights_.data(), floor);
    if (!take(step, line, plane)) return false;
    plane.weights[column] += step.step;
    return true;
  }

  // The same about the other end of the column, where few rows are.
  bool turn_about_far_end(Hyperplane& plane, size_t column, double floor) {
    direction_.assign(columns_->size(), 0.0);
    direction_[column] = -1;
    return go(plane, floor);
  }

  static double better_than(const Hyperplane& plane, const ClimbSettings& settings) {
    return plane.score * (1 + settings.least_gain);
  }

  void sweep_to_the_top(Hyperplane& plane, const ClimbSettings& settings,
                        RandomStream& random) {
    std::vector<size_t> order(columns_->size());
    std::iota(order.begin(), order.end(), size_t{0});
    for (int32_t sweep = 0; sweep < settings.max_sweeps; ++sweep) {
      random.permute(order);
      bool better = false;
      for (const size_t column : order) {
        stop_.check();
        const double floor = better_than(plane, settings);
        better |= turn(plane, column, floor) ||
                  (is_dense(column) && turn_about_far_end(plane, column, floor));
      }
      better |= shift(plane, better_than(plane, settings));
      if (!better) return;
    }
  }

  bool is_dense(size_t column) const {
    return 2 * (*columns_)[column].positions.size() > heights_.size();
  }

  // A step in a random direction, all weights at once; if it is better.
  bool jump(Hyperplane& plane, const ClimbSettings& settings, RandomStream& random) {
    stop_.check();
    direction_.resize(columns_->size());
    for (double& weight : direction_) weight = random.between(-1, 1);
    return go(plane, better_than(plane, settings));
  }

  // Other weights, near or far, and the best offset for them; if that is better.
  bool shake(Hyperplane& plane, const ClimbSettings& settings, RandomStream& random) {
    stop_.check();
    double size = 0;
    for (const double weight : plane.weights) size = std::max(size, std::abs(weight));
    size = std::ldexp(size, -static_cast<int>(random.below(10)));
    Hyperplane other = plane;
    const auto one = static_cast<size_t>(random.below(columns_->size()));
    const bool all = random.chance(0.5);
    for (size_t c = 0; c < other.weights.size(); ++c)
      if (all || c == one) other.weights[c] += random.between(-size, size);
    place(other);
    const bool better = other.score > better_than(plane, settings);
    if (better)
      plane = std::move(other);
    else
      set_heights(plane);
    return better;
  }

  // The best step in direction_.
  bool go(Hyperplane& plane, double floor) {
    double least = 0;
    const Line line = line_towards(direction_, least);
    const LineStep step = search_.best(line, heights_.data(), floor);
    if (!take(step, line, plane)) return false;
    plane.offset -= step.step * least;
    for (size_t c = 0; c < direction_.size(); ++c)
      plane.weights[c] += step.step * direction_[c];
    return true;
  }

  // All weights change with the step. The offset takes `least` times the step back, so
  // that no row sinks.
  Line line_towards(const std::vector<double>& direction, double& least) {
    rises_.assign(heights_.size(), 0.0);
    for (size_t c = 0; c < direction.size(); ++c) {
      if (direction[c] == 0) continue;
      const Line line = (*columns_)[c].line();
      for (int64_t i = 0; i < line.n; ++i)
        rises_[line.positions[i]] += direction[c] * static_cast<double>(line.slopes[i]);
    }
    least = *std::min_element(rises_.begin(), rises_.end());
    jumping_.clear();
    jump_slopes_.clear();
    for (size_t i = 0; i < rises_.size(); ++i) {
      const auto slope = static_cast<float>(rises_[i] - least);
      if (!(slope > 0)) continue;
      jumping_.push_back(static_cast<uint32_t>(i));
      jump_slopes_.push_back(slope);
    }
    return {jumping_.data(), jump_slopes_.data(),
            static_cast<int64_t>(jumping_.size())};
  }

  LineSearch<Criterion> search_;
  const StopFlag& stop_;
  const std::vector<ClimbColumn>* columns_ = nullptr;
  std::vector<double> heights_;
  std::vector<uint32_t> everyone_, jumping_;
  std::vector<float> ones_, jump_slopes_;
  std::vector<double> direction_, rises_;
};

}  // namespace tanoak
