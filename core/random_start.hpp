// A complete tree of random splits to start from: each divides the rows of its
// node in halves.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "random.hpp"
#include "scale.hpp"
#include "tao_tree.hpp"

namespace tanoak {

// Nearly a standard normal number; sums and products only, the same on every
// machine.
inline double draw_normal(RandomStream& random) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += random.unit();
  return sum;
}

class RandomStart {
 public:
  // A split weighs `n_terms` features drawn at random, or all where that is 0;
  // one feature is compared as it is.
  RandomStart(const Features& features, const std::vector<int32_t>& n_levels,
              const Scale& scale, int64_t n_terms, uint64_t seed)
      : features_(features),
        n_levels_(n_levels),
        scale_(scale),
        n_terms_(n_terms),
        random_(seed) {}

  TaoTree<double> grow(int32_t depth, const StopFlag& stop) const {
    std::vector<uint32_t> rows(static_cast<size_t>(features_.n_rows()));
    for (size_t row = 0; row < rows.size(); ++row)
      rows[row] = static_cast<uint32_t>(row);
    TaoTree<double> tree;
    grow_below(rows, depth, tree, stop);
    tree.link();
    return tree;
  }

 private:
  int32_t grow_below(const std::vector<uint32_t>& rows, int32_t depth,
                     TaoTree<double>& tree, const StopFlag& stop) const {
    stop.check();
    const int32_t id = tree.count();
    tree.nodes.emplace_back();
    if (depth == 0) return id;
    RandomStream random = random_.at(static_cast<uint64_t>(id));
    NodeSplit split = n_terms_ == 1 ? draw_one(rows, random) : draw_sum(rows, random);
    std::vector<uint8_t> left(rows.size());
    mark_left(features_, split, rows.data(), static_cast<int64_t>(rows.size()),
              left.data());
    std::vector<uint32_t> sides[2];
    for (size_t i = 0; i < rows.size(); ++i) sides[left[i]].push_back(rows[i]);
    tree.at(id).split = std::move(split);
    const int32_t left_id = grow_below(sides[1], depth - 1, tree, stop);
    const int32_t right_id = grow_below(sides[0], depth - 1, tree, stop);
    tree.at(id).left = left_id;
    tree.at(id).right = right_id;
    return id;
  }

  static double median(std::vector<double> values) {
    values.erase(std::remove_if(values.begin(), values.end(),
                                [](double value) { return std::isnan(value); }),
                 values.end());
    if (values.empty()) return 0;
    const auto middle =
        values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
  }

  NodeSplit draw_one(const std::vector<uint32_t>& rows, RandomStream& random) const {
    NodeSplit split;
    split.column = static_cast<int32_t>(random.below(n_levels_.size()));
    split.missing_left = random.chance(0.5);
    const int32_t n_levels = n_levels_[static_cast<size_t>(split.column)];
    if (n_levels > 0) {
      split.kind = SplitKind::subset;
      split.left_levels.assign(static_cast<size_t>(n_levels + 63) / 64, 0);
      for (int32_t level = 0; level < n_levels; ++level)
        if (random.chance(0.5))
          split.left_levels[static_cast<size_t>(level / 64)] |= uint64_t{1}
                                                                << (level % 64);
      return split;
    }
    split.kind = SplitKind::axis;
    std::vector<double> values(rows.size());
    features_.gather_raw(split.column, rows.data(), static_cast<int64_t>(rows.size()),
                         values.data());
    split.threshold = median(std::move(values));
    return split;
  }

  NodeSplit draw_sum(const std::vector<uint32_t>& rows, RandomStream& random) const {
    const auto n_features = static_cast<uint32_t>(features_.count());
    const uint32_t wanted =
        n_terms_ == 0 ? n_features : static_cast<uint32_t>(n_terms_);
    NodeSplit split;
    split.kind = SplitKind::sum;
    for (const uint32_t feature : random.sample(n_features, wanted)) {
      const auto at = static_cast<int32_t>(feature);
      const double weight = draw_normal(random) * scale_.of(at).inverse;
      if (weight != 0) split.terms.push_back({at, weight});
    }
    if (split.terms.size() < 2) return draw_one(rows, random);
    std::vector<double> values(rows.size());
    features_.project(split.terms, rows.data(), static_cast<int64_t>(rows.size()),
                      values.data());
    split.threshold = median(std::move(values));
    return split;
  }

  const Features& features_;
  const std::vector<int32_t>& n_levels_;
  const Scale& scale_;
  int64_t n_terms_;
  RandomStream random_;
};

}  // namespace tanoak
