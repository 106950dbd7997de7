// The pairs of features of a node in the order of their promise. Few pairs: all of them
// are ranked; more than that: those among the features that are best alone.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "pair_rank.hpp"
#include "split_sum.hpp"

namespace tanoak {

struct PairSettings {
  int64_t n_orientations = 16;
  double pair_cost = 1.1;    // a pair must gain more than this times the best column
  int64_t max_pairs = 5000;  // in each node
};

// How many pairs there are, and the most that were ranked in one node.
struct PairCount {
  int64_t possible = 0;
  std::atomic<int64_t> searched{0};

  void note(int64_t n) {
    int64_t known = searched.load();
    while (n > known && !searched.compare_exchange_weak(known, n)) {
    }
  }
};

// Two features of a node, and the direction in which they looked best.
struct PairCandidate {
  NodeFeature one, two;  // one comes first in the table
  double angle = 0;      // of the normal of the cut, in scaled values
  double score = -1;
};

// Every k-th of n, at most `most` of them, evenly spread.
inline std::vector<int64_t> spread_out(int64_t n, int64_t most) {
  std::vector<int64_t> pick(static_cast<size_t>(std::min(n, most)));
  const auto size = static_cast<int64_t>(pick.size());
  for (int64_t i = 0; i < size; ++i)
    pick[static_cast<size_t>(i)] = size == n ? i : i * n / size;
  return pick;
}

// Pairs of features of two columns.
inline int64_t pairs_of(const Features& features) {
  std::vector<int64_t> of_column(static_cast<size_t>(features.n_columns()), 0);
  for (int32_t f = 0; f < features.count(); ++f)
    ++of_column[static_cast<size_t>(features.info(f).column)];
  const auto pairs = [](int64_t n) { return n * (n - 1) / 2; };
  int64_t n_pairs = pairs(features.count());
  for (const int64_t n : of_column) n_pairs -= pairs(n);
  return n_pairs;
}

constexpr double half_turn = 3.14159265358979323846;

// Directions lie between those of the axes, which are no pairs.
inline double angle_of(int64_t orientation, int64_t n_orientations) {
  const double offset = n_orientations % 2 == 0 ? 0.5 : 0.25;
  return half_turn * (static_cast<double>(orientation) + offset) /
         static_cast<double>(n_orientations);
}

class PairRanking {
 public:
  PairRanking(const Features& features, const PairSettings& settings, const Crew& crew,
              const StopFlag& stop)
      : features_(features),
        settings_(settings),
        crew_(crew),
        stop_(stop),
        scratch_(static_cast<size_t>(crew.count())) {
    for (int64_t h = 0; h < settings.n_orientations; ++h) {
      const double angle = angle_of(h, settings.n_orientations);
      directions_.push_back({angle, std::cos(angle), std::sin(angle)});
    }
  }

  // The best `n_best` pairs of the node, each with its best direction, and the best
  // `n_more` of the others; how many pairs were ranked, into count.
  template <class Question>
  std::vector<PairCandidate> rank(const Question& node, const CutLimits& limits,
                                  size_t n_best, size_t n_more, PairCount& count) {
    constexpr int64_t most_rows = 65536;
    screening_ = count.possible > settings_.max_pairs;
    use_rows(node, limits,
             screening_ ? std::min(most_rows, rows_to_screen()) : most_rows);
    choose_features();
    if (screening_) {
      use_rows(node, limits, most_rows);
      measure_again();
    }
    list_pairs();
    // What does not vary in this node needs no trying.
    count.note(screening_ ? static_cast<int64_t>(pairs_.size()) : count.possible);
    rank_pairs();
    std::vector<PairCandidate> best = best_pairs(n_best);
    add_more(best, n_more);
    return best;
  }

 private:
  struct Direction {
    double angle, cosine, sine;
  };
  struct Pair {
    uint32_t one, two;  // of kept_
    float score = -1;
    uint32_t direction = 0;
  };
  struct Scratch {
    std::vector<double> values, some;
    std::vector<float> scaled;
    std::vector<int32_t> bins;
    std::vector<int32_t> histogram;
  };

  // Of very many columns fewer rows are looked at.
  int64_t rows_to_screen() const {
    constexpr int64_t most_cells = int64_t{1} << 28, fewest = 2048;
    return std::max(fewest, most_cells / features_.count());
  }

  template <class Question>
  void use_rows(const Question& node, const CutLimits& limits, int64_t most) {
    n_bins_ = node.n < 256 ? most_rank_bins / 2 : most_rank_bins;
    pick_ = spread_out(node.n, most);
    rank_rows_ = rank_rows(node.target, node.sums, node.records, pick_, n_bins_);
    const double share =
        static_cast<double>(limits.min_rows) / static_cast<double>(node.n);
    rank_rows_.least_mass =
        static_cast<float>(limits.min_rows > 1 ? 0.5 * share * rank_total : 0.0);
    rows_.clear();
    for (const int64_t at : pick_) rows_.push_back(node.rows[at]);
  }

  // --- features ---

  void choose_features() {
    const auto n_features = static_cast<size_t>(features_.count());
    std::vector<NodeFeature> measured(n_features);
    std::vector<float> alone(n_features, 0);
    if (!screening_) pool_.resize(n_features * rows_.size());
    each_feature(features_.count(), [&](size_t f, Scratch& scratch) {
      float* out = pool_.data() + f * rows_.size();
      if (screening_) {
        scratch.scaled.resize(rows_.size());
        out = scratch.scaled.data();
      }
      measured[f] = measure_feature(static_cast<int32_t>(f), out, scratch);
      if (screening_ && measured[f].scale > 0)
        alone[f] = score(measured[f], out, measured[f], out, {0, 1, 0}, scratch);
    });
    order_.clear();
    for (uint32_t f = 0; f < n_features; ++f)
      if (measured[f].scale > 0) order_.push_back(f);
    if (screening_) {
      std::stable_sort(order_.begin(), order_.end(),
                       [&](uint32_t a, uint32_t b) { return alone[a] > alone[b]; });
      // Pairs with one more feature would be too many.
      size_t n_kept = 2;
      while (static_cast<int64_t>(n_kept * (n_kept - 1) / 2) < settings_.max_pairs)
        ++n_kept;
      if (order_.size() > n_kept) order_.resize(n_kept);
    }
    kept_.clear();
    for (const uint32_t f : order_) kept_.push_back(measured[f]);
  }

  NodeFeature measure_feature(int32_t feature, float* out, Scratch& scratch) const {
    const auto n = static_cast<int64_t>(rows_.size());
    scratch.values.resize(rows_.size());
    features_.gather(feature, rows_.data(), n, scratch.values.data());
    scratch.some.clear();
    for (const int64_t at : spread_out(n, 1024))
      scratch.some.push_back(scratch.values[static_cast<size_t>(at)]);
    NodeFeature found = measure(feature, scratch.some);
    if (found.scale > 0) {
      scale_values(found, scratch.values.data(), n, reach(), out);
      return found;
    }
    // The few rows that were looked at agree; do all?
    scratch.some = scratch.values;
    found = measure(feature, scratch.some);
    if (found.scale > 0) scale_values(found, scratch.values.data(), n, reach(), out);
    return found;
  }

  // Outliers would stretch the bins; what is told apart exactly has none.
  double reach() const { return rank_rows_.pivots.empty() ? 0.5 : 1e6; }

  template <class Work>
  void each_feature(int64_t n, const Work& work) {
    crew_.run(n, [&](int64_t f, int worker) {
      stop_.check();
      work(static_cast<size_t>(f), scratch_[static_cast<size_t>(worker)]);
    });
  }

  // --- pairs ---

  // The features that were chosen, on all rows of the ranking.
  void measure_again() {
    pool_.resize(kept_.size() * rows_.size());
    each_feature(static_cast<int64_t>(kept_.size()), [&](size_t k, Scratch& scratch) {
      kept_[k] =
          measure_feature(kept_[k].feature, pool_.data() + k * rows_.size(), scratch);
    });
  }

  // In the order of the weaker feature, so that the first ones are of strong features.
  void list_pairs() {
    pairs_.clear();
    for (uint32_t two = 1; two < kept_.size(); ++two)
      for (uint32_t one = 0; one < two; ++one) {
        if (static_cast<int64_t>(pairs_.size()) == settings_.max_pairs) return;
        if (kept_[one].scale > 0 && kept_[two].scale > 0 && !same_column(one, two))
          pairs_.push_back({one, two});
      }
  }

  // Two categories of one column are a subset, which is an axis cut.
  bool same_column(uint32_t one, uint32_t two) const {
    return features_.info(kept_[one].feature).column ==
           features_.info(kept_[two].feature).column;
  }

  const float* values_of(uint32_t kept) const {
    const size_t place = screening_ ? kept : order_[kept];
    return pool_.data() + place * rows_.size();
  }

  float score(const NodeFeature& one, const float* u, const NodeFeature& two,
              const float* v, const Direction& direction, Scratch& scratch) const {
    const RankLine line =
        line_of(one, u, two, v, direction.cosine, direction.sine, n_bins_);
    scratch.bins.resize(rows_.size());
    scratch.histogram.resize(static_cast<size_t>(rank_rows_.n_channels * n_bins_));
    return rank_line(rank_rows_, line, n_bins_, scratch.bins.data(),
                     scratch.histogram.data());
  }

  void rank_pairs() {
    constexpr int64_t chunk = 8;
    const auto n_pairs = static_cast<int64_t>(pairs_.size());
    scores_.resize(pairs_.size() * directions_.size());
    crew_.run((n_pairs + chunk - 1) / chunk, [&](int64_t task, int worker) {
      stop_.check();
      Scratch& scratch = scratch_[static_cast<size_t>(worker)];
      const int64_t end = std::min(n_pairs, (task + 1) * chunk);
      for (int64_t p = task * chunk; p < end; ++p) {
        Pair& pair = pairs_[static_cast<size_t>(p)];
        float* scores = scores_.data() + static_cast<size_t>(p) * directions_.size();
        for (uint32_t h = 0; h < directions_.size(); ++h) {
          const float found =
              score(kept_[pair.one], values_of(pair.one), kept_[pair.two],
                    values_of(pair.two), directions_[h], scratch);
          scores[h] = found;
          if (!(found > pair.score)) continue;
          pair.score = found;
          pair.direction = h;
        }
      }
    });
  }

  // The places of the n highest scores, of equal ones the first.
  template <class ScoreOf>
  static std::vector<uint32_t> highest(size_t n, size_t n_all,
                                       const ScoreOf& score_of) {
    std::vector<uint32_t> order(n_all);
    std::iota(order.begin(), order.end(), 0U);
    n = std::min(n, n_all);
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(n),
                      order.end(), [&](uint32_t a, uint32_t b) {
                        return score_of(a) != score_of(b) ? score_of(a) > score_of(b)
                                                          : a < b;
                      });
    order.resize(n);
    while (!order.empty() && score_of(order.back()) < 0) order.pop_back();
    return order;
  }

  PairCandidate candidate_of(const Pair& pair, size_t direction) const {
    PairCandidate candidate{kept_[pair.one], kept_[pair.two],
                            directions_[direction].angle};
    if (candidate.one.feature > candidate.two.feature) {
      std::swap(candidate.one, candidate.two);
      candidate.angle = half_turn / 2 - candidate.angle;
      if (candidate.angle <= 0) candidate.angle += half_turn;
    }
    return candidate;
  }

  std::vector<PairCandidate> best_pairs(size_t n_best) {
    std::vector<PairCandidate> best;
    for (const uint32_t p : highest(n_best, pairs_.size(),
                                    [&](uint32_t at) { return pairs_[at].score; })) {
      best.push_back(candidate_of(pairs_[p], pairs_[p].direction));
      scores_[p * directions_.size() + pairs_[p].direction] = -1;  // it is taken
    }
    return best;
  }

  void add_more(std::vector<PairCandidate>& best, size_t n_more) const {
    if (n_more == 0) return;
    for (const uint32_t at : highest(n_more, scores_.size(),
                                     [&](uint32_t place) { return scores_[place]; }))
      best.push_back(
          candidate_of(pairs_[at / directions_.size()], at % directions_.size()));
  }

  const Features& features_;
  const PairSettings& settings_;
  Crew crew_;
  const StopFlag& stop_;
  std::vector<Scratch> scratch_;  // by worker
  std::vector<Direction> directions_;
  // Of the node at hand:
  bool screening_ = false;
  int n_bins_ = most_rank_bins;
  std::vector<int64_t> pick_;
  std::vector<uint32_t> rows_;
  RankRows rank_rows_;
  std::vector<float> pool_;      // scaled values, feature by feature
  std::vector<uint32_t> order_;  // features that are kept
  std::vector<NodeFeature> kept_;
  std::vector<Pair> pairs_;
  std::vector<float> scores_;  // of each pair, by direction
};

}  // namespace tanoak
