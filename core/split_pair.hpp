// The best cut of a node by two features. All pairs are ranked on bins; the most
// promising are then scanned exactly in double, along the direction that looked best,
// along directions near it, and by turning the cut about a point of its own line.
//
// Directions are angles on features divided by their spread within the node. The weight
// of the first feature is 1, that of the second has as few digits as leave every row on
// its side.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

#include "order_scan.hpp"
#include "pair_ranking.hpp"
#include "split_sum.hpp"

namespace tanoak {

// A row goes left if x + ratio * y is not above the threshold.
struct PairLine {
  double ratio = 0;
  double threshold = 0;
  double score = -1;

  bool found() const { return score >= 0; }
};

// The most that any cut of a node could gain: no cut beats the best division of the
// classes themselves, as impurity is concave.
template <class Criterion>
double most_decrease(Criterion& criterion, const SumQuestion<Criterion>& node) {
  constexpr double unknown = std::numeric_limits<double>::infinity();
  if constexpr (std::is_same_v<typename Criterion::Sums, ClassSums>) {
    constexpr size_t most_classes = 5;
    const std::vector<int64_t>& masses = node.sums.masses;
    std::vector<size_t> present;
    for (size_t k = 0; k < masses.size(); ++k)
      if (masses[k] > 0) present.push_back(k);
    if (present.size() > most_classes) return unknown;
    double most = 0;
    for (unsigned subset = 1; subset < 1U << (present.size() - 1); ++subset) {
      ClassSums left(node.target), right = node.sums;
      for (size_t i = 0; i < present.size(); ++i)
        if (subset >> i & 1U) left.mass += left.masses[present[i]] = masses[present[i]];
      right.subtract(left);
      most = std::max(most, criterion.decrease(node.sums, left, right));
    }
    return most;
  }
  return unknown;
}

// --- slopes that read well ---

// `digits` significant decimal digits; the number itself where that is out of reach.
inline double round_to(double number, int digits) {
  constexpr double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                               1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                               1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const double size = std::abs(number);
  if (!(size >= 1e-15 && size < 1e15)) return number;
  int exponent = 0;  // size lies in [10^exponent, 10^(exponent + 1))
  while (exponent < 15 && size >= powers[exponent + 1]) ++exponent;
  while (size < 1 && exponent > -16 && size < 1 / powers[-exponent]) --exponent;
  const int shift = digits - 1 - exponent;
  if (shift > 22 || shift < -22) return number;
  return shift >= 0 ? std::round(number * powers[shift]) / powers[shift]
                    : std::round(number / powers[-shift]) * powers[-shift];
}

template <class Criterion>
class PairSearch : public SumSearch<Criterion> {
 public:
  using Target = typename Criterion::Target;
  using Sums = typename Criterion::Sums;
  using Question = SumQuestion<Criterion>;

  PairSearch(const Criterion& criterion, const Features& features,
             const PairSettings& settings, const CutLimits& limits, const Crew& crew,
             const StopFlag& stop, PairCount& count)
      : features_(features),
        settings_(settings),
        limits_(limits),
        crew_(crew),
        stop_(stop),
        count_(count),
        criterion_(criterion),
        ranking_(features, settings, crew, stop) {
    for (int worker = 0; worker < crew.count(); ++worker)
      desks_.push_back({OrderScan<Criterion>(criterion), {}, {}, {}});
  }

  SumCut find(const Question& node) override {
    constexpr size_t n_scanned = 32, n_turned = 8, n_final = 3;
    constexpr int64_t rows_scanned = 16384;
    const double bar = settings_.pair_cost * node.axis_decrease;
    if (!(most_decrease(criterion_, node) > bar)) return {};
    // In small nodes bins say little, and exact scans take no time.
    const auto n_more = static_cast<size_t>(rows_scanned / node.n);
    std::vector<PairCandidate> pairs =
        ranking_.rank(node, limits_, n_scanned, n_more, count_);
    look_at(node, most_fine_rows);
    improve(pairs, [&](Desk& desk, PairCandidate& pair) { scan(desk, pair); });
    keep_best_of_pairs(pairs, n_turned);
    improve(pairs, [&](Desk& desk, PairCandidate& pair) { turn(desk, pair); });
    keep_best(pairs, n_final);
    if (static_cast<int64_t>(rows_.size()) < node.n) {
      look_at(node, node.n);
      improve(pairs, [&](Desk& desk, PairCandidate& pair) { scan(desk, pair); });
      keep_best(pairs, 1);
    }
    return pairs.empty() ? SumCut() : finish(node, pairs[0], bar);
  }

 private:
  static constexpr int64_t most_fine_rows = 16384;

  struct Desk {  // of a worker
    OrderScan<Criterion> scan;
    std::vector<double> x, y, keys;
  };

  // --- the rows that are looked at ---

  void look_at(const Question& node, int64_t most) {
    rows_.clear();
    records_.clear();
    for (const int64_t at : spread_out(node.n, most)) {
      rows_.push_back(node.rows[at]);
      records_.push_back(node.records[at]);
    }
    sums_ = std::make_unique<Sums>(node.target);
    near_limits_ = limits_;
    if (static_cast<int64_t>(rows_.size()) == node.n) {
      *sums_ = node.sums;
      return;
    }
    for (const Record record : records_) sums_->add(node.target, record);
    const double share =
        static_cast<double>(rows_.size()) / static_cast<double>(node.n);
    auto part = [&](int64_t limit) {
      return std::max<int64_t>(1, std::llround(static_cast<double>(limit) * share));
    };
    near_limits_ = {part(limits_.min_rows), part(limits_.min_mass)};
  }

  template <class Work>
  void improve(std::vector<PairCandidate>& pairs, const Work& work) {
    crew_.run(static_cast<int64_t>(pairs.size()), [&](int64_t at, int worker) {
      stop_.check();
      Desk& desk = desks_[static_cast<size_t>(worker)];
      PairCandidate& pair = pairs[static_cast<size_t>(at)];
      gather(desk, pair);
      work(desk, pair);
    });
  }

  void gather(Desk& desk, const PairCandidate& pair) const {
    const auto n = static_cast<int64_t>(rows_.size());
    for (auto* values : {&desk.x, &desk.y, &desk.keys}) values->resize(rows_.size());
    features_.gather(pair.one.feature, rows_.data(), n, desk.x.data());
    features_.gather(pair.two.feature, rows_.data(), n, desk.y.data());
  }

  static void keep_best(std::vector<PairCandidate>& pairs, size_t n) {
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const PairCandidate& a, const PairCandidate& b) {
                       return a.score > b.score;
                     });
    while (!pairs.empty() && (pairs.size() > n || pairs.back().score < 0))
      pairs.pop_back();
  }

  // The same, but at most two directions of a pair.
  static void keep_best_of_pairs(std::vector<PairCandidate>& pairs, size_t n) {
    keep_best(pairs, pairs.size());
    std::vector<PairCandidate> kept;
    for (const PairCandidate& pair : pairs) {
      const auto n_same =
          std::count_if(kept.begin(), kept.end(), [&](const auto& other) {
            return other.one.feature == pair.one.feature &&
                   other.two.feature == pair.two.feature;
          });
      if (n_same < 2) kept.push_back(pair);
      if (kept.size() == n) break;
    }
    pairs = std::move(kept);
  }

  // --- exact cuts ---

  static double ratio_of(const PairCandidate& pair) {
    return std::tan(pair.angle) * (pair.one.scale / pair.two.scale);
  }
  static double angle_of_ratio(const PairCandidate& pair, double ratio) {
    const double angle = std::atan(ratio * (pair.two.scale / pair.one.scale));
    return angle > 0 ? angle : angle + half_turn;
  }

  OrderCut best_by_keys(Desk& desk, double floor) const {
    return desk.scan.best(*sums_, records_.data(), desk.keys.data(),
                          static_cast<int64_t>(records_.size()), near_limits_, floor);
  }

  // The best line of a ratio, if it scores more than `floor`.
  PairLine line_at(Desk& desk, double ratio, double floor) const {
    if (!std::isfinite(ratio) || ratio == 0) return {};
    bool finite = true;
    for (size_t i = 0; i < rows_.size(); ++i) {
      desk.keys[i] = desk.x[i] + ratio * desk.y[i];
      finite &= std::isfinite(desk.keys[i]);
    }
    if (!finite) return {};
    const OrderCut cut = best_by_keys(desk, floor);
    if (!cut.found()) return {};
    return {ratio, midpoint(cut.last_left, cut.first_right), cut.score};
  }

  void scan(Desk& desk, PairCandidate& pair) const {
    pair.score = line_at(desk, ratio_of(pair), -1).score;
  }

  // Angles nearer and nearer to the best one, then turns about points of the line.
  void turn(Desk& desk, PairCandidate& pair) const {
    constexpr int n_halvings = 5, n_rounds = 3;
    double step = half_turn / static_cast<double>(2 * settings_.n_orientations);
    for (int halving = 0; halving < n_halvings; ++halving, step /= 2)
      for (const double side : {step, -step}) {
        PairCandidate near = pair;
        near.angle += side;
        const PairLine line = line_at(desk, ratio_of(near), pair.score);
        if (!line.found()) continue;
        pair.angle = near.angle;
        pair.score = line.score;
        break;
      }
    PairLine line = line_at(desk, ratio_of(pair), -1);
    bool better = line.found();
    for (int round = 0; round < n_rounds && better; ++round) {
      better = false;
      for (const bool about_y : {true, false})
        for (const bool at_top : {false, true}) {
          const double ratio = turned(desk, line, about_y, at_top);
          const PairLine next = line_at(desk, ratio, line.score);
          if (!next.found()) continue;
          line = next;
          better = true;
        }
    }
    if (!line.found()) return;
    pair.angle = angle_of_ratio(pair, line.ratio);
    pair.score = line_at(desk, ratio_of(pair), -1).score;
  }

  // The line turned about the point in which it meets an edge of the box around the
  // rows: every row changes its side at one slope, so the best one is found by a scan.
  // The ratio to try, 0 if none is better.
  double turned(Desk& desk, const PairLine& line, bool about_y, bool at_top) const {
    const std::vector<double>& along = about_y ? desk.y : desk.x;
    const std::vector<double>& across = about_y ? desk.x : desk.y;
    const auto ends = std::minmax_element(along.begin(), along.end());
    const double edge = at_top ? *ends.second : *ends.first;
    // Where the line has the edge's coordinate.
    const double meet = about_y ? line.threshold - line.ratio * edge
                                : (line.threshold - edge) / line.ratio;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < rows_.size(); ++i) {
      const double reach = at_top ? edge - along[i] : along[i] - edge;
      const double off = across[i] - meet;
      const double key = off / reach;
      desk.keys[i] = std::isfinite(key) ? key : off <= 0 ? -infinity : infinity;
    }
    const OrderCut cut = best_by_keys(desk, line.score);
    if (!cut.found()) return 0;
    const double slope = midpoint(cut.last_left, cut.first_right);
    const double ratio = at_top ? slope : -slope;
    return about_y ? ratio : 1 / ratio;
  }

  // --- the answer ---

  // Fewer digits of the ratio, if there is a gap of the same rows along it too.
  PairLine rounded(const Desk& desk, const PairLine& line) const {
    constexpr int most_digits = 6;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (int digits = 1; digits <= most_digits; ++digits) {
      const double ratio = round_to(line.ratio, digits);
      double highest_left = -infinity, lowest_right = infinity;
      for (size_t i = 0; i < rows_.size(); ++i) {
        const double sum = desk.x[i] + ratio * desk.y[i];
        if (desk.x[i] + line.ratio * desk.y[i] <= line.threshold)
          highest_left = std::max(highest_left, sum);
        else
          lowest_right = std::min(lowest_right, sum);
      }
      if (ratio != 0 && highest_left < lowest_right && std::isfinite(highest_left) &&
          std::isfinite(lowest_right))
        return {ratio, midpoint(highest_left, lowest_right), line.score};
    }
    return line;
  }

  SumCut finish(const Question& node, const PairCandidate& pair, double bar) {
    Desk& desk = desks_[0];
    gather(desk, pair);
    PairLine line = line_at(desk, ratio_of(pair), -1);
    if (!line.found() || (node.axis.found() && !(line.score > node.axis.score)))
      return {};
    Sums left(node.target), right(node.target);
    for (size_t i = 0; i < rows_.size(); ++i)
      (desk.x[i] + line.ratio * desk.y[i] <= line.threshold ? left : right)
          .add(node.target, records_[i]);
    if (!(criterion_.decrease(node.sums, left, right) > bar)) return {};
    line = rounded(desk, line);
    return {{{pair.one.feature, 1.0}, {pair.two.feature, line.ratio}}, line.threshold};
  }

  const Features& features_;
  const PairSettings& settings_;
  CutLimits limits_;
  Crew crew_;
  const StopFlag& stop_;
  PairCount& count_;
  Criterion criterion_;
  PairRanking ranking_;
  std::vector<Desk> desks_;  // by worker
  // Of the node at hand:
  std::vector<uint32_t> rows_;
  std::vector<Record> records_;
  std::unique_ptr<Sums> sums_;
  CutLimits near_limits_;
};

}  // namespace tanoak
