// The split of a node on two features: pairs ranked on a grid, then lines searched in
// the best of them, or in all.
#pragma once

#include <cstdint>
#include <vector>

#include "codes.hpp"
#include "node.hpp"
#include "parallel.hpp"
#include "plane_rank.hpp"
#include "slope_search.hpp"

namespace tanoak {

struct SolvePairSettings {
  bool exact = false;          // all pairs of all features, each to the end
  int64_t n_pairs = 0;         // else so many pairs; 0: fewer where rows are many
  int64_t most_features = 64;  // else pairs of these, the best by themselves
  double tolerance = 0;        // part of the loss that a better line may be better by
  int64_t effort = 0;          // else times a pair's points are looked at; 0: by rows
};

enum class PairCertificate : uint8_t {
  none,     // some pairs were not searched
  gap,      // no pair is cheaper than `bound`
  slope,    // the same; only lines that slope nearly alike could be
  optimal,  // no pair is cheaper
};

struct PairResult {
  PairCertificate certificate = PairCertificate::optimal;
  bool improved = false;
  int64_t bound = 0;  // no split on a pair has a smaller objective
  int64_t n_pairs = 0, n_searched = 0;
  int64_t looks = 0;  // points looked at in the search
};

// Memory that is kept from node to node; one for each call at a time.
struct PairScratch {
  struct Column {
    std::vector<double> values;  // of the care points; empty: not read yet
    PlaneScale scale;
  };
  struct Worker {
    SlopeScratch lines;
    PlaneRanking rank;
    PlaneMerger merger;
    PlanePoints points;
    std::vector<uint8_t> codes;
    std::vector<double> sample;
  };
  std::vector<int32_t> features;
  std::vector<Column> columns;  // parallel to `features`, as are these
  std::vector<PlaneBins> ranked;
  PlaneStakes stakes;
  std::vector<Worker> workers;
};

// `best` comes in as the cheapest split known and is replaced if a pair beats it (or,
// before, if asking nothing does). Its loss is what routing would count.
PairResult solve_pair(const Features& features, const Codes& codes,
                      const CarePoints& care, const NodeRules& rules,
                      const SolvePairSettings& settings, Workers& workers,
                      PairScratch& scratch, NodeChoice& best, const StopFlag& stop);

}  // namespace tanoak
