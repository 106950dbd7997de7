// The best cut of one node on one column: a threshold or a subset of categories, and
// the side of rows whose value is missing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <vector>

#include "gain.hpp"
#include "monotone.hpp"
#include "presort.hpp"
#include "simd.hpp"
#include "subsets.hpp"

namespace tanoak {

struct AxisCut {
  double score = -1;   // all real scores are >= 0
  double second = -1;  // decides between equal scores, where the criterion says so
  double rank = 0;     // what columns are compared by, where that is not the score
  int32_t column = -1;
  bool missing_left = false;
  bool missing_seen = false;              // else missing_left is decided by the masses
  Record last_left = 0, first_right = 0;  // numeric: the records on both sides
  std::vector<uint32_t> left_codes, right_codes;  // categorical: present in the node

  bool found() const { return column >= 0; }
};

struct CutLimits {
  int64_t min_rows = 1;  // in each child
  int64_t min_mass = 1;
};

// One column of one node.
struct Segment {
  int32_t column;
  int64_t begin, end;  // in the pool
};

// Looks for cuts of one node; one per worker, used again for every node.
template <class Criterion>
class AxisSearch {
 public:
  using Target = typename Criterion::Target;
  using Sums = typename Criterion::Sums;

  AxisSearch(const Target& target, Criterion criterion, const CutLimits& limits,
             const MonotoneRules* monotone = nullptr)
      : target_(target),
        state_(std::move(criterion)),
        limits_(limits),
        guard_(monotone) {}

  // Bounds of the node that is searched next.
  void look_at(const AnswerBounds& bounds) { guard_.look_at(bounds); }

  // Replaces `best` by a strictly better cut of this segment, if there is one.
  void search(const Record* pool, const SortedColumn& info, const Segment& segment,
              const Sums& node, AxisCut& best) {
    const Record* records = pool + segment.begin;
    const int64_t n = segment.end - segment.begin;
    const int64_t n_present = n - count_missing(records, n);
    column_ = segment.column;
    if (info.n_levels > 0)
      search_categories(records, n_present, n, node, best);
    else
      search_numbers(info, records, n_present, n, node, best);
  }

  // The same for rows that are summed up by category, or by bin of a numeric column.
  void search_groups(int32_t column, std::vector<Category<Sums>> groups,
                     const Sums& missing, const Sums& node, bool categorical,
                     AxisCut& best) {
    column_ = column;
    if (groups.empty()) return;
    // The order holds the best subset only where every subset is allowed.
    const bool limited = limits_.min_rows > 1 || limits_.min_mass > 1;
    const bool few = groups.size() <= Criterion::most_exhaustive;
    const bool exhaustive =
        categorical &&
        ((few && (limited || !state_.best_is_prefix())) || order_categories(groups));
    for (const bool missing_left : {false, true}) {
      if (missing_left && missing.rows == 0) break;
      const bool with_all = missing.rows > 0 && !missing_left;
      auto start = [&] {
        start_node(node);
        if (missing_left) move(missing);
        return missing_left ? missing.rows : 0;
      };
      auto consider = [&](int64_t rows_left, auto&& is_left) {
        const bool ordered = !categorical && !is_left(groups.size() - 1);
        if (!improves(rows_left, node.rows, ordered, best)) return;
        best.missing_left = missing_left;
        best.missing_seen = missing.rows > 0;
        note_groups(groups, is_left, best);
      };
      if (exhaustive)
        try_subsets(groups, with_all, start, consider);
      else
        try_prefixes(groups, with_all, start, consider);
    }
  }

 private:
  // Codes by side; for bins, which are in order, the cut lies between the two.
  template <class IsLeft>
  static void note_groups(const std::vector<Category<Sums>>& groups,
                          const IsLeft& is_left, AxisCut& best) {
    best.left_codes.clear();
    best.right_codes.clear();
    for (size_t g = 0; g < groups.size(); ++g)
      (is_left(g) ? best.left_codes : best.right_codes).push_back(groups[g].code);
    best.last_left =
        make_record(best.left_codes.empty() ? 0 : best.left_codes.back(), 0);
    best.first_right = make_record(
        best.right_codes.empty() ? missing_rank : best.right_codes.front(), 0);
  }

  static int64_t count_missing(const Record* records, int64_t n) {
    if (n == 0 || rank_of(records[n - 1]) != missing_rank) return 0;
    const Record first_missing = make_record(missing_rank, 0);
    return records + n -
           std::lower_bound(records, records + n, first_missing,
                            [](Record a, Record b) { return rank_of(a) < rank_of(b); });
  }

  bool allowed(int64_t rows_left, int64_t rows) const {
    return rows_left >= limits_.min_rows && rows - rows_left >= limits_.min_rows &&
           state_.left_mass() >= limits_.min_mass &&
           state_.right_mass() >= limits_.min_mass;
  }

  void start_node(const Sums& node) {
    state_.start(node);
    if (guard_.active()) guard_.start(answer_of(node));
  }
  void move(const Sums& group) {
    state_.move(group);
    if (guard_.active()) guard_.move(answer_of(group));
  }
  void move(Record record) {
    state_.move(record);
    if (guard_.active()) guard_.move(answer_of(target_, record));
  }

  // `ordered`: a cut between two numbers, and not between known and missing ones.
  bool improves(int64_t rows_left, int64_t rows, bool ordered, AxisCut& best) {
    if (!allowed(rows_left, rows)) return false;
    const double score = state_.score();
    if (!is_better(score, best)) return false;
    if (guard_.active() && !guard_.allows(column_, ordered)) return false;
    best.score = score;
    best.column = column_;
    if constexpr (Criterion::has_second) best.second = state_.second();
    if constexpr (Criterion::ranks_columns) best.rank = state_.rank();
    return true;
  }

  bool is_better(double score, const AxisCut& best) const {
    if constexpr (Criterion::has_second)
      if (score == best.score) return state_.second() > best.second;
    return score > best.score;
  }

  // --- thresholds ---

  void search_numbers(const SortedColumn& info, const Record* records,
                      int64_t n_present, int64_t n, const Sums& node, AxisCut& best) {
    if constexpr (Criterion::two_class_scan) {
      if (target_.label_bits == 1 && target_.row_mass.empty() && !info.sparse &&
          limits_.min_mass <= 1 && !guard_.active()) {
        scan_two_classes(records, n_present, n, node, best);
        return;
      }
    }
    Sums missing(target_);
    for (int64_t i = n_present; i < n; ++i) missing.add(target_, records[i]);
    Sums zero(target_);
    if (info.sparse) zero = zeros_of(records, n, node);
    scan_numbers(info, records, n_present, node, missing, zero, false, best);
    if (missing.rows > 0)
      scan_numbers(info, records, n_present, node, missing, zero, true, best);
  }

  // The rows of the node without a record in a sparse column.
  Sums zeros_of(const Record* records, int64_t n, const Sums& node) {
    Sums zero = node;
    Sums stored(target_);
    for (int64_t i = 0; i < n; ++i) stored.add(target_, records[i]);
    zero.subtract(stored);
    return zero;
  }

  void scan_numbers(const SortedColumn& info, const Record* records, int64_t n_present,
                    const Sums& node, const Sums& missing, const Sums& zero,
                    bool missing_left, AxisCut& best) {
    start_node(node);
    int64_t rows_left = 0;
    if (missing_left) {
      move(missing);
      rows_left = missing.rows;
    }
    bool any = false;
    Record previous = 0;
    auto consider = [&](Record next) {
      if (!any || rank_of(previous) == rank_of(next)) return;
      const bool ordered = rank_of(next) != missing_rank;
      if (!improves(rows_left, node.rows, ordered, best)) return;
      best.missing_left = missing_left;
      best.missing_seen = missing.rows > 0;
      best.last_left = previous;
      best.first_right = next;
    };
    bool zero_pending = zero.rows > 0;
    const Record zero_record = make_record(info.zero_rank, 0);
    auto move_zeros = [&] {
      consider(zero_record);
      move(zero);
      rows_left += zero.rows;
      previous = zero_record;
      any = true;
      zero_pending = false;
    };
    for (int64_t i = 0; i < n_present; ++i) {
      const Record record = records[i];
      if (zero_pending && rank_of(record) > info.zero_rank) move_zeros();
      consider(record);
      move(record);
      ++rows_left;
      previous = record;
      any = true;
    }
    if (zero_pending) move_zeros();
    if (!missing_left && missing.rows > 0) consider(make_record(missing_rank, 0));
  }

  void scan_two_classes(const Record* records, int64_t n_present, int64_t n,
                        const Sums& node, AxisCut& best) {
    TwoClassScan scan;
    scan.mass[0] = static_cast<double>(target_.class_mass[0]);
    scan.mass[1] = static_cast<double>(target_.class_mass[1]);
    // Rows by class, from their masses: class 1 is counted where class 0 weighs
    // nothing.
    int64_t ones = 0;
    if (target_.class_mass[1] > 0)
      ones = node.masses[1] / target_.class_mass[1];
    else
      ones = node.rows - node.masses[0] / target_.class_mass[0];
    scan.total[0] = node.rows - ones;
    scan.total[1] = ones;
    if constexpr (std::is_same_v<Criterion, Auc>) {
      scan.rule = TwoClassRule::area;
      scan.added[0] = state_.added_to(0);
      scan.added[1] = state_.added_to(1);
    }
    scan_two_classes(records, n_present, n, false, scan, best);
    if (n_present == n) return;
    for (int64_t i = n_present; i < n; ++i) ++scan.left[records[i] & 1];
    scan_two_classes(records, n_present, n, true, scan, best);
  }

  void scan_two_classes(const Record* records, int64_t n_present, int64_t n,
                        bool missing_left, const TwoClassScan& scan, AxisCut& best) {
    const int64_t n_missing = n - n_present;
    const int64_t before = missing_left ? n_missing : 0;
    // With missing rows on the right, `present | missing` is a cut like any other.
    const int64_t last = !missing_left && n_missing > 0 ? n_present : n_present - 1;
    const int64_t begin = std::max<int64_t>(0, limits_.min_rows - before - 1);
    const int64_t end = std::min(last, n - before - limits_.min_rows);
    if (begin >= end) return;
    const TwoClassCut cut = best_two_class_cut(records, begin, end, scan, best.score);
    if (cut.position < 0) return;
    best.score = cut.score;
    best.column = column_;
    best.missing_left = missing_left;
    best.missing_seen = n_missing > 0;
    best.last_left = records[cut.position];
    best.first_right = records[cut.position + 1];
  }

  // --- categories ---

  void search_categories(const Record* records, int64_t n_present, int64_t n,
                         const Sums& node, AxisCut& best) {
    std::vector<Category<Sums>> groups;
    for (int64_t i = 0; i < n_present; ++i) {
      const uint32_t code = rank_of(records[i]);
      if (groups.empty() || groups.back().code != code)
        groups.push_back({code, Sums(target_)});
      groups.back().sums.add(target_, records[i]);
    }
    Sums missing(target_);
    for (int64_t i = n_present; i < n; ++i) missing.add(target_, records[i]);
    search_groups(column_, std::move(groups), missing, node, true, best);
  }

  // Every subset; the last group stays right, as the mirrored cut is the same one.
  template <class Start, class Consider>
  void try_subsets(const std::vector<Category<Sums>>& groups, bool with_all,
                   const Start& start, const Consider& consider) {
    const unsigned n_subsets = 1u << (groups.size() - 1);
    auto attempt = [&](unsigned subset) {
      int64_t rows_left = start();
      for (size_t g = 0; g < groups.size(); ++g) {
        if (!(subset >> g & 1u)) continue;
        move(groups[g].sums);
        rows_left += groups[g].sums.rows;
      }
      consider(rows_left, [&](size_t g) { return (subset >> g & 1u) != 0; });
    };
    for (unsigned subset = 1; subset < n_subsets; ++subset) attempt(subset);
    if (with_all) attempt(2 * n_subsets - 1);
  }

  template <class Start, class Consider>
  void try_prefixes(const std::vector<Category<Sums>>& groups, bool with_all,
                    const Start& start, const Consider& consider) {
    int64_t rows_left = start();
    const size_t n_cuts = groups.size() - (with_all ? 0 : 1);
    for (size_t g = 0; g < n_cuts; ++g) {
      move(groups[g].sums);
      rows_left += groups[g].sums.rows;
      consider(rows_left, [&](size_t other) { return other <= g; });
    }
  }

  const Target& target_;
  Criterion state_;
  CutLimits limits_;
  MonotoneGuard guard_;
  int32_t column_ = -1;
};

}  // namespace tanoak
