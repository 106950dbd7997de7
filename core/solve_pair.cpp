#include "solve_pair.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "plane_split.hpp"

namespace tanoak {
namespace {

// Up to here lines are ranked over the points themselves.
constexpr int64_t few_points = 1024;

struct PricedPair {
  PlanePair pair;
  int64_t price;
  int64_t rank;  // loss and price by the ranking, in its own units
};

struct FoundLine {
  SlopeAnswer answer;
  int64_t objective = std::numeric_limits<int64_t>::max();
  int64_t bound = std::numeric_limits<int64_t>::max();  // of the objective
};

class PairSolver {
 public:
  PairSolver(const Features& features, const Codes& codes, const CarePoints& care,
             const NodeRules& rules, const SolvePairSettings& settings,
             Workers& workers, PairScratch& scratch, NodeChoice& best,
             const StopFlag& stop)
      : features_(features),
        codes_(codes),
        care_(care),
        rules_(rules),
        settings_(settings),
        workers_(workers),
        s_(scratch),
        best_(best),
        stop_(stop) {
    if (s_.workers.size() < static_cast<size_t>(workers.count()))
      s_.workers.resize(static_cast<size_t>(workers.count()));
  }

  PairResult run();

 private:
  bool nothing_to_gain() const;
  void list_features();
  void screen_features();
  void read_column(size_t place, PairScratch::Worker& worker);
  void read_codes(size_t place, PairScratch::Worker& worker);
  void list_pairs();
  void rank_pairs();
  void rank_pair(PricedPair& candidate, PairScratch::Worker& worker);
  int64_t price_of(int32_t first, int32_t second) const;
  int64_t limit_of(int64_t price) const;
  void search_round(size_t begin, size_t end);
  void search_one(const PricedPair& candidate, FoundLine& found,
                  PairScratch::Worker& worker);
  bool accept(const PricedPair& candidate, const PlaneLine& line);
  void conclude(PairResult& result) const;
  int64_t n_to_search() const;
  PlaneFeature node_feature(int32_t place) const {
    const auto& column = s_.columns[static_cast<size_t>(place)];
    return {s_.features[static_cast<size_t>(place)], column.values.data(),
            column.scale};
  }

  const Features& features_;
  const Codes& codes_;
  const CarePoints& care_;
  const NodeRules& rules_;
  const SolvePairSettings& settings_;
  Workers& workers_;
  PairScratch& s_;
  NodeChoice& best_;
  const StopFlag& stop_;
  std::vector<PricedPair> candidates_;
  std::vector<FoundLine> found_;
  PairResult result_;
  // The smallest objectives that were not ruled out: for want of resolution of slopes,
  // and for other reasons.
  int64_t open_slopes_ = std::numeric_limits<int64_t>::max();
  int64_t open_ = std::numeric_limits<int64_t>::max();
};

PairResult PairSolver::run() {
  if (care_.n > 0) {
    const NodeChoice constant = best_constant(care_);
    if (constant.beats(best_)) best_ = constant, result_.improved = true;
  }
  if (!nothing_to_gain()) {
    list_features();
    list_pairs();
    const int64_t n_search = n_to_search();
    if (n_search > 0) {
      rank_pairs();
      candidates_.resize(static_cast<size_t>(n_search));
    }
    // Within a round all pairs have to beat the same split, so that it does not matter
    // which is searched first.
    constexpr size_t largest_round = 16;
    size_t begin = 0, size = 1;
    while (begin < candidates_.size()) {
      const size_t end = std::min(candidates_.size(), begin + size);
      search_round(begin, end);
      if (begin > 0) size = std::min(size * 2, largest_round);
      begin = end;
    }
    result_.n_searched = n_search;
  }
  conclude(result_);
  return result_;
}

void PairSolver::conclude(PairResult& result) const {
  const bool all = result.n_searched == result.n_pairs;
  const int64_t found = best_.objective();
  result.bound =
      std::min(found, all ? std::min(open_, open_slopes_) : rules_.pair_price);
  if (result.bound == found)
    result.certificate = PairCertificate::optimal;
  else if (!all)
    result.certificate = PairCertificate::none;
  else
    result.certificate = open_ < found ? PairCertificate::gap : PairCertificate::slope;
}

bool PairSolver::nothing_to_gain() const { return limit_of(rules_.pair_price) < 0; }

// The most that a pair of this price may lose and still beat the best.
int64_t PairSolver::limit_of(int64_t price) const {
  return best_.objective() - price - (best_.split.n_terms() > 2 ? 0 : 1);
}

int64_t PairSolver::price_of(int32_t first, int32_t second) const {
  const int32_t a = features_.info(first).column, b = features_.info(second).column;
  return rules_.pair_price + rules_.price_of(a) + (a == b ? 0 : rules_.price_of(b));
}

// --- features ---

void PairSolver::list_features() {
  s_.features.clear();
  for (int32_t feature = 0; feature < features_.count(); ++feature)
    if (rules_.open(features_.info(feature).column) && codes_.count(feature) > 1)
      s_.features.push_back(feature);
  const auto n = static_cast<int64_t>(s_.features.size());
  if (!settings_.exact && n > std::max<int64_t>(settings_.most_features, 2))
    screen_features();
  if (s_.columns.size() < s_.features.size()) {
    s_.columns.resize(s_.features.size());
    s_.ranked.resize(s_.features.size());
  }
  for (size_t place = 0; place < s_.features.size(); ++place)
    s_.columns[place].values.clear();
}

void PairSolver::screen_features() {
  std::vector<std::pair<int64_t, int32_t>> gains(s_.features.size());
  workers_.run(static_cast<int64_t>(gains.size()), [&](int64_t task, int worker) {
    stop_.check();
    const auto at = static_cast<size_t>(task);
    gains[at] = {-gain_alone(features_, codes_, s_.features[at], care_,
                             s_.workers[static_cast<size_t>(worker)].codes),
                 s_.features[at]};
  });
  std::sort(gains.begin(), gains.end());
  const auto n_all = static_cast<int64_t>(gains.size());
  const int64_t n_kept = std::max<int64_t>(settings_.most_features, 2);
  gains.resize(static_cast<size_t>(n_kept));
  s_.features.clear();
  for (const auto& [gain, feature] : gains) s_.features.push_back(feature);
  std::sort(s_.features.begin(), s_.features.end());
  // Of the others no pair is searched.
  result_.n_pairs = n_all * (n_all - 1) / 2 - n_kept * (n_kept - 1) / 2;
}

void PairSolver::read_column(size_t place, PairScratch::Worker& worker) {
  auto& column = s_.columns[place];
  column.values.resize(static_cast<size_t>(care_.n));
  features_.gather(s_.features[place], care_.rows, care_.n, column.values.data());
  column.scale = scale_of(column.values.data(), care_.n, worker.sample);
}

void PairSolver::read_codes(size_t place, PairScratch::Worker& worker) {
  const int32_t feature = s_.features[place];
  worker.codes.resize(static_cast<size_t>(care_.n));
  codes_.gather(feature, care_.rows, care_.n, worker.codes.data());
  const int64_t n_bins = care_.n < 8192 ? 32 : 64;
  bin_codes(worker.codes, codes_.middles(feature), n_bins, s_.ranked[place]);
}

// --- pairs ---

void PairSolver::list_pairs() {
  candidates_.clear();
  const auto n = static_cast<int32_t>(s_.features.size());
  for (int32_t i = 0; i < n; ++i)
    for (int32_t j = i + 1; j < n; ++j) {
      const int32_t first = s_.features[static_cast<size_t>(i)];
      const int32_t second = s_.features[static_cast<size_t>(j)];
      // Of one column only its categories: two of them say less than a subset.
      if (features_.info(first).column == features_.info(second).column) continue;
      const int64_t price = price_of(first, second);
      if (limit_of(price) >= 0) candidates_.push_back({{i, j}, price, 0});
    }
  result_.n_pairs += static_cast<int64_t>(candidates_.size());
}

int64_t PairSolver::n_to_search() const {
  const auto n = static_cast<int64_t>(candidates_.size());
  if (settings_.exact) return n;
  int64_t wanted = settings_.n_pairs;
  if (wanted <= 0) wanted = care_.n <= 20000 ? 30 : care_.n <= 100000 ? 10 : 3;
  return std::min(n, wanted);
}

void PairSolver::rank_pairs() {
  cut_stakes(care_, s_.stakes);
  const bool by_points = care_.n <= few_points;
  workers_.run(static_cast<int64_t>(s_.features.size()), [&](int64_t task, int worker) {
    stop_.check();
    const auto place = static_cast<size_t>(task);
    auto& memory = s_.workers[static_cast<size_t>(worker)];
    if (!by_points) return read_codes(place, memory);
    read_column(place, memory);
    const auto& column = s_.columns[place];
    auto& position = s_.ranked[place].position;
    position.resize(column.values.size());
    for (size_t i = 0; i < position.size(); ++i)
      position[i] =
          column.scale.usable() ? rank_coordinate(column.scale(column.values[i])) : 0;
  });
  if (candidates_.size() > 1) {
    constexpr int64_t block = 8;
    const auto n = static_cast<int64_t>(candidates_.size());
    workers_.run((n + block - 1) / block, [&](int64_t task, int worker) {
      stop_.check();
      for (int64_t i = task * block; i < std::min(n, (task + 1) * block); ++i)
        rank_pair(candidates_[static_cast<size_t>(i)],
                  s_.workers[static_cast<size_t>(worker)]);
    });
  }
  std::stable_sort(
      candidates_.begin(), candidates_.end(),
      [](const PricedPair& a, const PricedPair& b) { return a.rank < b.rank; });
}

void PairSolver::rank_pair(PricedPair& candidate, PairScratch::Worker& worker) {
  const PlaneBins& first = s_.ranked[static_cast<size_t>(candidate.pair.first)];
  const PlaneBins& second = s_.ranked[static_cast<size_t>(candidate.pair.second)];
  int64_t loss = 0;
  if (care_.n <= few_points) {
    const int n_directions = care_.n < 256 ? 12 : 16;
    loss =
        rank_loss(first.position.data(), second.position.data(), s_.stakes.stake.data(),
                  s_.stakes.stake.size(), n_directions, s_.stakes, worker.rank);
  } else {
    fill_cells(first, second, s_.stakes, worker.rank);
    const PlaneCells& cells = worker.rank.cells;
    loss = rank_loss(cells.x.data(), cells.y.data(), cells.stake.data(),
                     cells.stake.size(), 24, s_.stakes, worker.rank);
  }
  candidate.rank = loss + (candidate.price >> s_.stakes.shift);
}

// --- lines ---

void PairSolver::search_round(size_t begin, size_t end) {
  for (size_t i = begin; i < end; ++i)
    for (const int32_t place : {candidates_[i].pair.first, candidates_[i].pair.second})
      if (s_.columns[static_cast<size_t>(place)].values.empty())
        read_column(static_cast<size_t>(place), s_.workers[0]);
  found_.assign(end - begin, FoundLine());
  workers_.run(static_cast<int64_t>(end - begin), [&](int64_t task, int worker) {
    const auto at = static_cast<size_t>(task);
    search_one(candidates_[begin + at], found_[at],
               s_.workers[static_cast<size_t>(worker)]);
  });
  for (const FoundLine& found : found_) {
    result_.looks += found.answer.looks;
    const bool slopes = !found.answer.given_up && settings_.tolerance == 0;
    int64_t& open = slopes ? open_slopes_ : open_;
    open = std::min(open, found.bound);
  }
  // The cheapest first; among equals the first features.
  std::vector<size_t> order;
  for (size_t i = 0; i < found_.size(); ++i)
    if (found_[i].answer.found) order.push_back(i);
  auto earlier = [&](size_t a, size_t b) {
    if (found_[a].objective != found_[b].objective)
      return found_[a].objective < found_[b].objective;
    const PlanePair &p = candidates_[begin + a].pair, &q = candidates_[begin + b].pair;
    return std::make_pair(p.first, p.second) < std::make_pair(q.first, q.second);
  };
  std::sort(order.begin(), order.end(), earlier);
  for (const size_t i : order) {
    if (found_[i].objective > best_.objective()) break;
    if (!accept(candidates_[begin + i], found_[i].answer.line))
      open_slopes_ = std::min(open_slopes_, found_[i].objective);
  }
}

void PairSolver::search_one(const PricedPair& candidate, FoundLine& found,
                            PairScratch::Worker& worker) {
  const int64_t limit = limit_of(candidate.price);
  if (limit < 0) return;
  const PlaneFeature across = node_feature(candidate.pair.first);
  const PlaneFeature up = node_feature(candidate.pair.second);
  if (!across.scale.usable() || !up.scale.usable()) {
    // On a feature that is constant here no line depends.
    if (across.scale.unit != 0 && up.scale.unit != 0) {
      found.bound = candidate.price;
      found.answer.given_up = true;
    }
    return;
  }
  worker.merger.merge(across, up, care_, worker.points);
  SlopeRules rules;
  rules.limit = limit;
  rules.tolerance = settings_.tolerance;
  rules.effort = settings_.effort;
  if (!settings_.exact && rules.effort == 0)
    rules.effort = care_.n <= 5000 ? 400 : std::max<int64_t>(60, 2000000 / care_.n);
  SlopeSearch search(worker.points, rules, worker.lines, stop_);
  found.answer = search.run();
  found.bound = found.answer.bound + candidate.price;
  if (found.answer.found) found.objective = found.answer.line.loss + candidate.price;
}

// --- from a line to a split ---

// True if the split keeps what the line promised.
bool PairSolver::accept(const PricedPair& candidate, const PlaneLine& line) {
  PairScratch::Worker& worker = s_.workers[0];
  const PlaneFeature across = node_feature(candidate.pair.first);
  const PlaneFeature up = node_feature(candidate.pair.second);
  worker.merger.merge(across, up, care_, worker.points);
  const std::vector<uint8_t> left = sides_of(line, across, up, care_.n);
  const double widest = WidestGap(worker.points, line).slope(line.slope);
  // A slope of nothing would weigh one feature only.
  for (const double slope : {widest, line.slope, widest + 1e-6, widest - 1e-6,
                             line.slope + 1e-9, line.slope - 1e-9}) {
    NodeChoice choice;
    choice.price = candidate.price;
    choice.split = split_along(line, slope, across, up);
    if (choice.split.terms.empty()) continue;
    if (!place_threshold(features_, care_, left, choice.split)) continue;
    choice.loss = loss_of(features_, choice.split, care_);
    if (!choice.beats(best_)) continue;
    best_ = std::move(choice);
    result_.improved = true;
    return best_.loss <= line.loss;
  }
  return false;
}

}  // namespace

PairResult solve_pair(const Features& features, const Codes& codes,
                      const CarePoints& care, const NodeRules& rules,
                      const SolvePairSettings& settings, Workers& workers,
                      PairScratch& scratch, NodeChoice& best, const StopFlag& stop) {
  return PairSolver(features, codes, care, rules, settings, workers, scratch, best,
                    stop)
      .run();
}

}  // namespace tanoak
