#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <string>

#include "border.hpp"
#include "tree_dict.hpp"

namespace tanoak {
namespace {

nb::dict with_pairs(TreeArrays&& tree, size_t n_outputs) {
  const int64_t n_pairs = tree.n_pairs, n_searched = tree.n_pairs_searched;
  nb::dict arrays = to_dict(std::move(tree), n_outputs);
  arrays["n_pairs"] = n_pairs;
  arrays["n_pairs_searched"] = n_searched;
  return arrays;
}

GrowOptions read_options(const nb::dict& given) {
  GrowOptions options;
  GrowSettings& settings = options.settings;
  settings.max_depth = nb::cast<int64_t>(given["max_depth"]);
  settings.max_leaves = nb::cast<int64_t>(given["max_leaves"]);
  settings.min_rows_split = nb::cast<int64_t>(given["min_rows_split"]);
  settings.limits.min_rows = nb::cast<int64_t>(given["min_rows_leaf"]);
  settings.max_sort_bytes = nb::cast<int64_t>(given["max_sort_bytes"]);
  settings.monotone.signs = nb::cast<std::vector<int8_t>>(given["monotone"]);
  const auto family = nb::cast<std::string>(given["split"]);
  options.family = family == "pair"      ? SplitFamily::pair
                   : family == "oblique" ? SplitFamily::oblique
                                         : SplitFamily::axis;
  options.pair.n_orientations = nb::cast<int64_t>(given["n_orientations"]);
  options.pair.pair_cost = nb::cast<double>(given["pair_cost"]);
  options.pair.max_pairs = nb::cast<int64_t>(given["max_pairs"]);
  options.oblique.n_restarts = nb::cast<int64_t>(given["n_restarts"]);
  options.oblique.climb.n_jumps = nb::cast<int64_t>(given["n_jumps"]);
  options.oblique.seed = nb::cast<uint64_t>(given["seed"]);
  options.min_mass_fraction = nb::cast<double>(given["min_mass_fraction"]);
  options.min_impurity_decrease = nb::cast<double>(given["min_impurity_decrease"]);
  return options;
}

ClassCriterion class_criterion(const std::string& name) {
  static const std::map<std::string, ClassCriterion> known = {
      {"gini", ClassCriterion::gini},
      {"entropy", ClassCriterion::entropy},
      {"gain_ratio", ClassCriterion::gain_ratio},
      {"dkm", ClassCriterion::dkm},
      {"misclassification", ClassCriterion::error},
      {"expected_error", ClassCriterion::error},
      {"auc", ClassCriterion::auc},
      {"cost", ClassCriterion::cost},
      {"generalized_gini", ClassCriterion::generalized_gini}};
  return known.at(name);
}

using OnProgress = std::optional<std::function<void(int64_t)>>;

template <class Grow>
TreeArrays grow_any(const Handed& handed, const GrowOptions& options, int n_threads,
                    const OnProgress& on_progress, const Grow& grow) {
  // A value takes part in many pairs.
  const int64_t times = options.family == SplitFamily::axis ? 1 : 100;
  const auto work =
      std::visit([&](const auto& view) { return times * view.n_rows * view.n_columns; },
                 handed.view);
  Progress progress{0};
  TreeArrays tree;
  constexpr int64_t long_work = 100000;
  run(
      work > long_work,
      [&](const StopFlag& stop) {
        Workers workers(work > long_work ? n_threads : 1);
        tree = grow(workers, stop, progress);
      },
      on_progress ? std::function<void()>([&] { (*on_progress)(progress.load()); })
                  : nullptr);
  return tree;
}

nb::dict classes(nb::handle table, const std::vector<int32_t>& n_levels,
                 const Vector<int32_t>& labels, int32_t n_classes,
                 const std::string& criterion, const Vector<double>& class_mass,
                 const std::optional<Vector<double>>& row_mass,
                 const std::optional<Vector<double>>& row_weight,
                 const std::optional<Vector<double>>& class_costs,
                 const std::optional<Vector<double>>& row_costs,
                 const std::optional<Vector<double>>& added_mass,
                 const nb::dict& options, int n_threads,
                 const OnProgress& on_progress) {
  const Handed handed = take_table(table);
  const ClassInput input{labels.data(),
                         n_classes,
                         class_criterion(criterion),
                         class_mass.data(),
                         optional_data(row_mass),
                         optional_data(row_weight),
                         optional_data(class_costs),
                         optional_data(row_costs),
                         optional_data(added_mass)};
  const GrowOptions settings = read_options(options);
  return with_pairs(
      grow_any(handed, settings, n_threads, on_progress,
               [&](Workers& workers, const StopFlag& stop, Progress& progress) {
                 return grow_classes(handed.view, n_levels, input, settings, workers,
                                     stop, progress);
               }),
      static_cast<size_t>(n_classes));
}

nb::dict numbers(nb::handle table, const std::vector<int32_t>& n_levels,
                 const Vector<double>& targets, const std::string& criterion,
                 const std::optional<Vector<double>>& row_weight,
                 const nb::dict& options, int n_threads,
                 const OnProgress& on_progress) {
  const Handed handed = take_table(table);
  const NumberInput input{targets.data(), optional_data(row_weight),
                          criterion == "absolute_error"
                              ? NumberCriterion::absolute_error
                              : NumberCriterion::squared_error};
  const GrowOptions settings = read_options(options);
  return with_pairs(
      grow_any(handed, settings, n_threads, on_progress,
               [&](Workers& workers, const StopFlag& stop, Progress& progress) {
                 return grow_numbers(handed.view, n_levels, input, settings, workers,
                                     stop, progress);
               }),
      1);
}

}  // namespace
}  // namespace tanoak

void bind_grow(nb::module_& m) {
  m.def("grow_classes", &tanoak::classes, nb::arg("table"), nb::arg("n_levels"),
        nb::arg("labels").noconvert(), nb::arg("n_classes"), nb::arg("criterion"),
        nb::arg("class_mass").noconvert(), nb::arg("row_mass").noconvert().none(),
        nb::arg("row_weight").noconvert().none(),
        nb::arg("class_costs").noconvert().none(),
        nb::arg("row_costs").noconvert().none(),
        nb::arg("added_mass").noconvert().none(), nb::arg("options"),
        nb::arg("n_threads") = 1, nb::arg("on_progress") = nb::none(),
        "Grow a tree that separates classes; a dictionary of its arrays.");
  m.def("grow_numbers", &tanoak::numbers, nb::arg("table"), nb::arg("n_levels"),
        nb::arg("targets").noconvert(), nb::arg("criterion"),
        nb::arg("row_weight").noconvert().none(), nb::arg("options"),
        nb::arg("n_threads") = 1, nb::arg("on_progress") = nb::none(),
        "Grow a tree of least error; a dictionary of its arrays.");
}
