// The steps of growth on one node: find, split, read a leaf.
#include "check.hpp"
#include "engine.hpp"
#include "trees.hpp"

using namespace tanoak;

namespace {

using Engine = SortedEngine<Gini<uint64_t>>;
using Node = OpenNode<ClassSums>;

// A sample of two classes on the bench, with an engine for it.
struct Bench {
  Sample sample;
  ClassTarget target;
  Workers workers;
  StopFlag stop;
  Progress progress{0};
  GrowSettings settings;
  GrowContext<Gini<uint64_t>> context;
  SortedColumns sorted;
  ValueOf value_of;
  Frame<ClassTarget> frame;

  Bench(Random& random, size_t n_rows, bool sparse, int n_workers)
      : sample(draw_sample(random, n_rows, 3, 2,
                           sparse ? Kinds::mostly_zero : Kinds::mixed, 5)),
        workers(n_workers),
        context{[](const ClassTarget& part) { return Gini<uint64_t>(part); }, settings,
                workers, stop, progress} {
    target.n_classes = 2;
    target.label_bits = 1;
    target.class_mass = {1, 1};
    std::vector<uint32_t> ids;
    for (uint32_t row = 0; row < n_rows; ++row)
      ids.push_back(target.make_id(row, sample.labels[row]));
    const RowIds rows{ids.data(), nullptr, int64_t(n_rows)};
    if (sparse)
      sorted = presort(compress_columns<double, int32_t>(sample.grid, false).view, rows,
                       workers, stop);
    else
      sorted = presort(Dense<double>(sample.grid, Layout::by_row).view, rows,
                       sample.n_levels, workers, stop);
    value_of = [this](int32_t column, int64_t row) {
      return sample.grid(size_t(row), size_t(column));
    };
    frame.pool = sorted.pool.data.get();
    frame.columns = &sorted.columns;
    frame.target = &target;
    frame.value_of = &value_of;
    frame.side.resize(n_rows);
    if (sparse) frame.list_rows(ids);
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  Node root() {
    Node node{
        0, 0, {}, {frame.lists_rows() ? -1 : 0, 0, frame.n_rows()}, ClassSums(target)};
    for (int32_t column = 0; column < 3; ++column) {
      const auto& info = sorted.columns[size_t(column)];
      const Segment segment{column, info.begin, info.end};
      if (varies(frame, segment, frame.n_rows())) node.segments.push_back(segment);
    }
    for (uint32_t row = 0; row < sample.n_rows(); ++row)
      node.sums.add(target, target.make_id(row, sample.labels[row]));
    return node;
  }

  RowList rows_of(const Node& node) {
    RowList rows;
    const Record* home = frame.home_of(node.home);
    for (int64_t i = 0; i < node.home.end - node.home.begin; ++i)
      rows.push_back(target.row(home[i]));
    std::sort(rows.begin(), rows.end());
    return rows;
  }
};

// A child holds what its rows say, and every column of it that still varies.
void check_child(Bench& bench, const Node& child, RowList expected) {
  std::sort(expected.begin(), expected.end());
  CHECK_EQUAL(bench.rows_of(child), expected);
  CHECK_EQUAL(child.depth, 1);
  CHECK_EQUAL(child.sums.rows, expected.size());
  ClassSums sums(bench.target);
  for (const size_t row : expected)
    sums.add(bench.target,
             bench.target.make_id(uint32_t(row), bench.sample.labels[row]));
  CHECK_EQUAL(child.sums.masses, sums.masses);
  if (bench.context.closed(child)) return;  // its columns may be left as they were
  for (size_t column = 0; column < 3; ++column) {
    const auto values = present_values(bench.sample, expected, column);
    size_t n_missing = 0, n_stored = 0;
    for (const size_t row : expected) {
      n_missing += std::isnan(bench.sample.grid(row, column));
      n_stored += !bench.frame.lists_rows() || bench.sample.grid(row, column) != 0.0;
    }
    const bool differs = values.size() + (n_missing > 0) > 1;
    const auto segment =
        std::find_if(child.segments.begin(), child.segments.end(),
                     [&](const Segment& s) { return size_t(s.column) == column; });
    CHECK_EQUAL(segment != child.segments.end(), differs);
    if (segment == child.segments.end()) continue;
    CHECK_EQUAL(segment->end - segment->begin, n_stored);
    for (int64_t at = segment->begin; at < segment->end; ++at) {
      const Record record = bench.frame.pool[at];
      CHECK(std::binary_search(expected.begin(), expected.end(),
                               size_t(bench.target.row(record))));
      if (at > segment->begin)
        CHECK(rank_of(bench.frame.pool[at - 1]) <= rank_of(record));
    }
  }
}

}  // namespace

TEST(the_best_of_several_cuts) {
  std::vector<AxisCut> cuts(5);
  CHECK(!best_of(cuts).found());
  cuts[3].score = 0;
  cuts[3].column = 7;
  CHECK_EQUAL(best_of(cuts).column, 7);
  cuts[1].score = cuts[2].score = cuts[4].score = 5;
  cuts[1].column = 6;
  cuts[2].column = 2;
  cuts[4].column = 4;
  CHECK_EQUAL(best_of(cuts).column, 2);
  cuts[4].score = 5.5;
  CHECK_EQUAL(best_of(cuts).column, 4);
}

TEST(what_stays_a_leaf) {
  Random random(1);
  Bench bench(random, 20, false, 1);
  Node node = bench.root();
  CHECK(!bench.context.closed(node) && bench.context.may_split(node));
  bench.settings.min_rows_split = 20;
  CHECK(!bench.context.closed(node));
  bench.settings.min_rows_split = 21;
  CHECK(bench.context.closed(node));
  bench.settings = {};
  bench.settings.limits.min_rows = 10;
  CHECK(!bench.context.closed(node));
  bench.settings.limits.min_rows = 11;
  CHECK(bench.context.closed(node));
  bench.settings = {};
  node.depth = 3;
  bench.settings.max_depth = 4;
  CHECK(!bench.context.closed(node));
  bench.settings.max_depth = 3;
  CHECK(bench.context.closed(node) && !bench.context.may_split(node));
  bench.settings = {};
  node.sums.masses[1] = 0;
  CHECK(bench.context.closed(node));
  node = bench.root();
  node.segments.clear();
  CHECK(!bench.context.closed(node) && !bench.context.may_split(node));
}

TEST(what_gains_too_little) {
  Random random(2);
  Bench bench(random, 5, false, 1);
  CHECK(!bench.context.too_small(0));
  CHECK(!bench.context.too_small(-1e-12));  // rounding, where there is no limit
  bench.settings.min_decrease = 0.5;
  CHECK(bench.context.too_small(0.4999));
  CHECK(!bench.context.too_small(0.5));
}

TEST(a_node_is_split_by_its_best_cut) {
  Random random(3);
  for (const bool sparse : {false, true})
    for (int repeat = 0; repeat < 60; ++repeat) {
      Bench bench(random, 2 + random.below(60), sparse, 1 + repeat % 3);
      Engine engine(bench.frame, bench.context, bench.workers.count());
      Node root = bench.root();
      RowList rows(bench.sample.n_rows());
      for (size_t row = 0; row < rows.size(); ++row) rows[row] = row;
      const double best = best_decrease(bench.sample, rows, {1, 1});
      const NodeCut cut = engine.find(root);
      CHECK_EQUAL(cut.found(), best >= 0);
      if (!cut.found()) continue;
      CHECK_NEAR(engine.decrease_of(root, cut), best, 1e-9 * (1 + best));
      const double promised = engine.decrease_of(root, cut);
      // Which rows go where, from the table.
      const double threshold =
          engine.n_levels(cut.axis.column) > 0 ? 0 : engine.threshold(cut.axis);
      const SlowCut slow =
          divide(bench.sample, rows, size_t(cut.axis.column), cut.axis.missing_left,
                 [&](double x) {
                   return engine.n_levels(cut.axis.column) > 0
                              ? std::count(cut.axis.left_codes.begin(),
                                           cut.axis.left_codes.end(), uint32_t(x)) > 0
                              : x <= threshold;
                 });
      const Split<ClassSums> parts = engine.split(root, cut);
      CHECK_SAME_BITS(parts.decrease, promised);
      check_child(bench, parts.left, slow.left);
      check_child(bench, parts.right, slow.right);
      ClassLeaves leaves(bench.target);
      CHECK_EQUAL(engine.read_leaf(parts.left, leaves), 0);
      CHECK_EQUAL(engine.read_leaf(parts.right, leaves), 1);
      CHECK_EQUAL(leaves.counts[0] + leaves.counts[1], slow.left.size());
      CHECK_EQUAL(leaves.counts[2] + leaves.counts[3], slow.right.size());
    }
}
