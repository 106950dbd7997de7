// The best threshold of a weighted sum, on sums as routing adds them up: what is
// promised of a cut is what its rows do.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "split_sum.hpp"

namespace tanoak {

struct PlacedSum {
  SumCut cut;
  double score = -1;
};

template <class Criterion>
class SumPlace {
 public:
  using Target = typename Criterion::Target;

  SumPlace(const Target& target, const Features& features, Criterion criterion,
           const CutLimits& limits, const StopFlag& stop)
      : features_(features),
        search_(target, std::move(criterion), limits),
        stop_(stop) {}

  // No terms where the limits allow no cut, or where a sum is not a number.
  PlacedSum best(const SumQuestion<Criterion>& node, std::vector<Term> terms) {
    if (terms.empty() || !project(node, terms)) return {};
    rank(node);
    AxisCut cut;
    search_.search(ranked_.data(), SortedColumn{}, {0, 0, node.n}, node.sums, cut);
    if (!cut.found()) return {};
    const double low = values_[rank_of(cut.last_left)];
    const double high = values_[rank_of(cut.first_right)];
    const double middle = low / 2 + high / 2;
    const double threshold = (middle >= low && middle < high ? middle : low) + 0.0;
    return {{std::move(terms), threshold}, cut.score};
  }

 private:
  bool project(const SumQuestion<Criterion>& node, const std::vector<Term>& terms) {
    constexpr int64_t block = 4096;
    sums_.resize(static_cast<size_t>(node.n));
    for (int64_t begin = 0; begin < node.n; begin += block) {
      stop_.check();
      features_.project(terms, node.rows + begin, std::min(block, node.n - begin),
                        sums_.data() + begin);
    }
    return std::all_of(sums_.begin(), sums_.end(),
                       [](double sum) { return std::isfinite(sum); });
  }

  // The sums as a sorted column, and the sum of each rank.
  void rank(const SumQuestion<Criterion>& node) {
    const size_t n = sums_.size();
    items_.resize(n);
    scratch_.resize(n);
    ranked_.resize(n);
    for (size_t i = 0; i < n; ++i)
      items_[i] = WideItem::make(sort_key(sums_[i]), static_cast<uint32_t>(i));
    assign_ranks(radix_sort(items_.data(), scratch_.data(), node.n, stop_), node.n,
                 ranked_.data());
    values_.clear();
    for (Record& record : ranked_) {
      const uint32_t at = id_of(record);
      if (rank_of(record) == values_.size()) values_.push_back(sums_[at]);
      record = make_record(rank_of(record), id_of(node.records[at]));
    }
  }

  const Features& features_;
  AxisSearch<Criterion> search_;
  const StopFlag& stop_;
  std::vector<double> sums_, values_;
  std::vector<WideItem> items_, scratch_;
  std::vector<Record> ranked_;
};

}  // namespace tanoak
