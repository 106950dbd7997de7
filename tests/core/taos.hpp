// Trees to optimize, for the tests: a random complete tree on random rows.
#pragma once

#include "optimize.hpp"
#include "samples.hpp"

struct TaoSample {
  tanoak::Workers workers{1};
  std::vector<int32_t> levels{0, 4, 0};
  Grid grid;
  std::vector<int32_t> labels;
  std::vector<double> costs{0, 5, 1, 2, 0, 1, 1, 7, 0};
  Dense<double> dense;
  tanoak::Features features;
  tanoak::Codes codes;
  tanoak::ClassLoss loss;

  TaoSample(Random& random, size_t n)
      : grid(draw(random, n)),
        labels(draw_labels(random, grid)),
        dense(grid, Layout::by_row),
        features(dense.view, levels, {0.25, -1, -0.5}, workers, tanoak::StopFlag()),
        codes(features, workers, tanoak::StopFlag()),
        loss({labels.data(), 3, costs.data(), nullptr, nullptr}, int64_t(n)) {}

  tanoak::TaoTree<int32_t> start(Random& random, int depth) const {
    tanoak::TaoTree<int32_t> tree;
    grow(random, depth, tree);
    tree.link();
    return tree;
  }
  tanoak::NodeSolver solver(bool oblique = false) {
    tanoak::SolverOptions options;
    options.oblique = oblique;
    options.oblique_settings.unit = loss.scale().factor;
    return {features, levels, options, workers, tanoak::StopFlag()};
  }
  // The leaf of a row, by walking.
  int32_t walk(const tanoak::TaoTree<int32_t>& tree, uint32_t row) const {
    int32_t id = 0;
    while (!tree.at(id).is_leaf()) {
      uint8_t left = 0;
      tanoak::mark_left(features, tree.at(id).split, &row, 1, &left);
      id = left ? tree.at(id).left : tree.at(id).right;
    }
    return id;
  }

 private:
  static Grid draw(Random& random, size_t n) {
    Grid made = draw_grid(random, n, 3, 9, 0.1);
    for (size_t row = 0; row < n; ++row)
      made(row, 1) = random.chance(0.2) ? no_value : random.whole(0, 3);
    return made;
  }
  static std::vector<int32_t> draw_labels(Random& random, const Grid& grid) {
    std::vector<int32_t> made;
    for (size_t row = 0; row < grid.n_rows; ++row) {
      const int32_t side = grid(row, 0) > 0 ? 1 : 0;
      made.push_back(random.chance(0.2) ? 2 : side + (grid(row, 2) > 0.5 ? 1 : 0));
    }
    return made;
  }
  int32_t grow(Random& random, int depth, tanoak::TaoTree<int32_t>& tree) const {
    const auto id = tree.count();
    tree.nodes.emplace_back();
    tree.at(id).answer = int32_t(random.below(3));
    if (depth == 0) return id;
    tanoak::NodeSplit split;
    split.missing_left = random.chance(0.5);
    const size_t kind = random.below(4);
    if (kind == 0) {
      split.kind = tanoak::SplitKind::subset;
      split.column = 1;
      split.left_levels = {uint64_t(random.whole(1, 14))};
    } else if (kind == 1) {
      split.kind = tanoak::SplitKind::sum;
      split.terms = {{0, random.unit() - 0.5}, {2, 1.0}, {5, random.unit()}};
      split.threshold = random.unit() - 0.5;
    } else {
      split.kind = tanoak::SplitKind::axis;
      split.column = random.chance(0.5) ? 0 : 2;
      split.threshold = random.whole(-4, 4) / 4;
      split.swapped = random.chance(0.5);
    }
    tree.at(id).split = split;
    const int32_t left = grow(random, depth - 1, tree);
    const int32_t right = grow(random, depth - 1, tree);
    tree.at(id).left = left;
    tree.at(id).right = right;
    return id;
  }
};
