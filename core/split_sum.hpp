// The door for searches of cuts that weigh several features: what such a search is told
// about a node, and what it answers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "features.hpp"
#include "parallel.hpp"
#include "split_axis.hpp"

namespace tanoak {

// A row goes left if its sum of weight times value is not above the threshold. The sum
// is that of Features::project, to the bit, and a number for every row of the node.
struct SumCut {
  std::vector<Term> terms;  // ascend by feature
  double threshold = 0;

  bool found() const { return !terms.empty(); }
};

// The cut of a node: on one column, or on the sum if there is one.
struct NodeCut {
  AxisCut axis;
  SumCut sum;

  bool found() const { return sum.found() || axis.found(); }
};

// Who works on one node: all workers of the call, or the one that has its subtree.
class Crew {
 public:
  explicit Crew(Workers* workers) : workers_(workers) {}

  int count() const { return workers_ ? workers_->count() : 1; }
  void run(int64_t n_tasks, const std::function<void(int64_t, int)>& work) const {
    if (workers_) return workers_->run(n_tasks, work);
    for (int64_t task = 0; task < n_tasks; ++task) work(task, 0);
  }

 private:
  Workers* workers_;  // null: the calling one alone
};

// A node, as a search sees it. Whatever a search draws by chance it seeds by the rows
// and the depth, which do not depend on the order in which nodes are grown.
template <class Criterion>
struct SumQuestion {
  const typename Criterion::Target& target;  // asked by record
  const typename Criterion::Sums& sums;      // of the node
  const Record* records;                     // one for each row; ranks mean nothing
  const uint32_t* rows;                      // the same rows in the table; ascend
  int64_t n;
  int32_t depth;
  const AxisCut& axis;   // the best cut on one column, if there is any
  double axis_decrease;  // of impurity, by Criterion::decrease; 0 without a cut
};

// Both children of an answer keep the limits of the settings, with rows counted as
// project() puts them.
template <class Criterion>
class SumSearch {
 public:
  virtual ~SumSearch() = default;
  // A cut to make instead of the one on one column, or none.
  virtual SumCut find(const SumQuestion<Criterion>& node) = 0;
};

// What growth needs to cut nodes by sums; `make_search` is null where it does not. A
// search is made for a target and the workers it may use, and asked for many nodes.
template <class Criterion>
struct SumGrowth {
  using Target = typename Criterion::Target;

  std::function<std::unique_ptr<SumSearch<Criterion>>(const Target&, const Crew&)>
      make_search;
  const Features* features = nullptr;

  explicit operator bool() const { return static_cast<bool>(make_search); }
};

// Marks the rows that a sum sends left; `side` takes one byte for each.
inline void mark_left(const Features& features, const SumCut& cut, const uint32_t* rows,
                      int64_t n, uint8_t* side) {
  constexpr int64_t block = 4096;
  std::vector<double> sums(static_cast<size_t>(std::min(n, block)));
  for (int64_t begin = 0; begin < n; begin += block) {
    const int64_t size = std::min(block, n - begin);
    features.project(cut.terms, rows + begin, size, sums.data());
    for (int64_t i = 0; i < size; ++i)
      side[begin + i] = sums[static_cast<size_t>(i)] <= cut.threshold;
  }
}

}  // namespace tanoak
