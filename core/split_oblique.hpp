// Cuts by hyperplanes: climbs from several starts, in the way of OC1 (Murthy, Kasif and
// Salzberg 1994). Where none of them beats the best cut on one column, that one stays,
// so there is always a cut where there was one.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "climb.hpp"
#include "digits.hpp"
#include "sum_place.hpp"

namespace tanoak {

struct ObliqueSettings {
  int64_t n_restarts = 20;
  uint64_t seed = 0;
  ClimbSettings climb;
  // Of a larger node some rows are climbed on, drawn by chance; thresholds are exact
  // for all rows nevertheless.
  int64_t max_rows = 20000;
  int64_t max_cells = int64_t{1} << 22;  // rows times features, if above 2000 rows

  int64_t rows_climbed(int64_t n_rows, int64_t n_features) const {
    constexpr int64_t enough = 2000;
    const int64_t fit = std::max(enough, max_cells / std::max<int64_t>(1, n_features));
    return std::min({n_rows, max_rows, fit});
  }
};

template <class Criterion>
class ObliqueSearch : public SumSearch<Criterion> {
 public:
  using Target = typename Criterion::Target;
  using Sums = typename Criterion::Sums;
  using Question = SumQuestion<Criterion>;

  ObliqueSearch(const Criterion& criterion, const Target& target,
                const Features& features, const ObliqueSettings& settings,
                const CutLimits& limits, const Crew& crew, const StopFlag& stop)
      : features_(features),
        settings_(settings),
        limits_(limits),
        crew_(crew),
        stop_(stop),
        place_(target, features, criterion, limits, stop) {
    for (int i = 0; i < crew.count(); ++i)
      climbs_.emplace_back(target, criterion, stop);
  }

  SumCut find(const Question& node) override {
    const RandomStream random = stream_of(node);
    const std::unique_ptr<Sample> sample = draw(node, random.at(0));
    read_columns(sample->rows);
    if (columns_.size() < 2) return {};
    const ClimbRows<Sums> ground{sample->records.data(),
                                 static_cast<int64_t>(sample->records.size()),
                                 sample->sums, sample->limits, columns_};
    std::vector<Hyperplane> planes(static_cast<size_t>(settings_.n_restarts));
    crew_.run(settings_.n_restarts, [&](int64_t i, int worker) {
      RandomStream stream = random.at(static_cast<uint64_t>(i) + 1);
      Hyperplane& plane = planes[static_cast<size_t>(i)];
      plane = start(node, sample->records, i, stream);
      auto& climb = climbs_[static_cast<size_t>(worker)];
      climb.open(ground);
      climb.run(plane, settings_.climb, stream);
    });
    climbs_[0].open(ground);
    return best_of(node, std::move(planes));
  }

 private:
  // The rows that are climbed on.
  struct Sample {
    std::vector<uint32_t> rows;
    std::vector<Record> records;
    Sums sums;
    CutLimits limits;
  };

  // By what tells nodes of a tree apart, whoever asks and when.
  RandomStream stream_of(const Question& node) const {
    return RandomStream(settings_.seed)
        .at(static_cast<uint64_t>(node.depth))
        .at(node.rows[0])
        .at(static_cast<uint64_t>(node.n));
  }

  std::unique_ptr<Sample> draw(const Question& node, RandomStream random) const {
    const int64_t n = settings_.rows_climbed(node.n, features_.count());
    auto sample = std::make_unique<Sample>(Sample{{}, {}, Sums(node.target), limits_});
    for (const uint32_t i :
         random.sample(static_cast<uint32_t>(node.n), static_cast<uint32_t>(n))) {
      sample->rows.push_back(node.rows[i]);
      sample->records.push_back(node.records[i]);
      sample->sums.add(node.target, node.records[i]);
    }
    const double share = static_cast<double>(n) / static_cast<double>(node.n);
    for (int64_t* limit : {&sample->limits.min_rows, &sample->limits.min_mass})
      if (n < node.n)
        *limit = std::max<int64_t>(
            1, static_cast<int64_t>(static_cast<double>(*limit) * share));
    return sample;
  }

  void read_columns(const std::vector<uint32_t>& rows) {
    std::vector<ClimbColumn> read(static_cast<size_t>(features_.count()));
    crew_.run(features_.count(), [&](int64_t i, int) {
      stop_.check();
      const auto feature = static_cast<int32_t>(i);
      std::vector<double> values(rows.size());
      features_.gather(feature, rows.data(), static_cast<int64_t>(rows.size()),
                       values.data());
      read[static_cast<size_t>(i)] = climb_column(feature, values);
    });
    columns_.clear();
    for (ClimbColumn& column : read)
      if (!column.positions.empty()) columns_.push_back(std::move(column));
  }

  // --- where climbs start ---

  // The first at the best cut on one column, the others by turns between two rows to
  // be kept apart and anywhere.
  Hyperplane start(const Question& node, const std::vector<Record>& records,
                   int64_t restart, RandomStream& random) const {
    Hyperplane plane;
    plane.weights.assign(columns_.size(), 0.0);
    if (restart == 0 && node.axis.found())
      start_at(node.axis, plane);
    else if (restart % 2 == 1)
      start_between(node.target, records, plane, random);
    else
      for (double& weight : plane.weights) weight = random.between(-1, 1);
    return plane;
  }

  void start_at(const AxisCut& axis, Hyperplane& plane) const {
    const auto& right = axis.right_codes;
    for (size_t c = 0; c < columns_.size(); ++c) {
      const FeatureInfo info = features_.info(columns_[c].feature);
      if (info.column != axis.column) continue;
      const auto level = static_cast<uint32_t>(info.level);
      const bool weighs =
          info.level < 0 || std::find(right.begin(), right.end(), level) != right.end();
      if (weighs) plane.weights[c] = 1 / columns_[c].scale;
    }
  }

  // Across the way from one row to another with a different target.
  void start_between(const Target& target, const std::vector<Record>& records,
                     Hyperplane& plane, RandomStream& random) const {
    constexpr int n_tries = 30;
    const auto one = static_cast<uint32_t>(random.below(records.size()));
    auto other = one;
    for (int i = 0; i < n_tries && alike(target, records[one], records[other]); ++i)
      other = static_cast<uint32_t>(random.below(records.size()));
    for (size_t c = 0; c < columns_.size(); ++c)
      plane.weights[c] = slope_of(columns_[c], other) - slope_of(columns_[c], one);
  }

  static double slope_of(const ClimbColumn& column, uint32_t position) {
    const auto& all = column.positions;
    const auto at = std::lower_bound(all.begin(), all.end(), position);
    if (at == all.end() || *at != position) return 0;
    return static_cast<double>(column.slopes[static_cast<size_t>(at - all.begin())]);
  }

  static bool alike(const Target& target, Record one, Record other) {
    if constexpr (std::is_same_v<Target, ClassTarget>)
      return target.label(one) == target.label(other);
    else
      return target.numbers[target.row(one)] == target.numbers[target.row(other)];
  }

  // --- the answer ---

  // The best three are compared on all rows, with sums as routing adds them up.
  SumCut best_of(const Question& node, std::vector<Hyperplane> planes) {
    constexpr size_t n_finalists = 3;
    std::stable_sort(
        planes.begin(), planes.end(),
        [](const Hyperplane& a, const Hyperplane& b) { return a.score > b.score; });
    PlacedSum best;
    best.score = node.axis.found() ? node.axis.score : -1;
    for (size_t i = 0; i < std::min(planes.size(), n_finalists); ++i) {
      if (!(planes[i].score >= 0)) continue;
      climbs_[0].simplify(planes[i]);
      PlacedSum placed = place_.best(node, terms_of(planes[i]));
      if (placed.score > best.score) best = std::move(placed);
    }
    if (best.cut.found()) shorten(node, best);
    return best.cut;
  }

  // In units of the columns; the weight that moves rows most becomes 1 or -1.
  std::vector<Term> terms_of(const Hyperplane& plane) const {
    const auto most =
        std::max_element(plane.weights.begin(), plane.weights.end(),
                         [](double a, double b) { return std::abs(a) < std::abs(b); });
    const auto at = static_cast<size_t>(most - plane.weights.begin());
    const double unit = std::abs(*most * columns_[at].scale);
    std::vector<Term> terms;
    for (size_t c = 0; c < columns_.size(); ++c) {
      const double weight = plane.weights[c] * columns_[c].scale / unit;
      if (std::abs(plane.weights[c]) > 1e-9 * std::abs(*most) && std::isfinite(weight))
        terms.push_back({columns_[c].feature, weight});
    }
    // A single term asks what a cut on one column asks, which was found without it.
    if (terms.size() < 2) terms.clear();
    return terms;
  }

  // Weights with the fewest digits that lose nothing.
  void shorten(const Question& node, PlacedSum& placed) {
    constexpr int most_digits = 6;
    for (int digits = 1; digits <= most_digits; ++digits) {
      std::vector<Term> terms = placed.cut.terms;
      for (Term& term : terms) term.weight = round_to_digits(term.weight, digits);
      PlacedSum shorter = place_.best(node, std::move(terms));
      if (!(shorter.score >= placed.score)) continue;
      placed = std::move(shorter);
      return;
    }
  }

  const Features& features_;
  const ObliqueSettings& settings_;
  CutLimits limits_;
  Crew crew_;
  const StopFlag& stop_;
  SumPlace<Criterion> place_;
  std::vector<Climb<Criterion>> climbs_;  // by worker
  std::vector<ClimbColumn> columns_;      // of the node at hand
};

}  // namespace tanoak
