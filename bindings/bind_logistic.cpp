#include <nanobind/stl/optional.h>

#include "border.hpp"
#include "features.hpp"
#include "logistic.hpp"
#include "scale.hpp"

namespace tanoak {
namespace {

// Every row, the table's features as they are; side is 1 or -1.
nb::tuple l1_logistic_of(nb::handle table, const Vector<double>& side,
                         const Vector<double>& weight, double penalty, double tolerance,
                         const std::optional<Vector<double>>& start) {
  const Handed handed = take_table(table);
  LogisticSettings settings;
  settings.tolerance = tolerance;
  LogisticSolver solver(settings);
  double objective = 0;
  size_t n_features = 0;
  std::vector<double> w;
  run(true, [&](const StopFlag& stop) {
    Workers workers(1);
    const auto [n_rows, n_columns] = std::visit(
        [](const auto& view) { return std::pair(view.n_rows, view.n_columns); },
        handed.view);
    const Features features(
        handed.view, std::vector<int32_t>(static_cast<size_t>(n_columns), 0),
        std::vector<double>(static_cast<size_t>(n_columns), 0.0), workers, stop);
    const Scale scale(features, true, workers, stop);
    std::vector<uint32_t> rows(static_cast<size_t>(n_rows));
    std::iota(rows.begin(), rows.end(), 0u);
    NodeMatrix matrix;
    matrix.load(features, scale, NodeRules(), {rows.data(), nullptr, n_rows}, stop);
    n_features = static_cast<size_t>(n_columns);
    const auto length = static_cast<size_t>(matrix.length());
    solver.side.assign(length, 0);
    solver.weight.assign(length, 0);
    std::copy_n(side.data(), rows.size(), solver.side.begin());
    std::copy_n(weight.data(), rows.size(), solver.weight.begin());
    solver.penalty.assign(static_cast<size_t>(matrix.count()) + 1, penalty);
    solver.penalty.back() = 0;
    solver.sign.assign(solver.penalty.size(), 0);
    solver.w.assign(solver.penalty.size(), 0);
    if (start)
      for (int32_t k = 0; k <= matrix.count(); ++k)
        solver.w[static_cast<size_t>(k)] =
            start->data()[k < matrix.count() ? static_cast<size_t>(matrix.feature(k))
                                             : n_features];
    objective = solver.solve(matrix, stop);
    w.assign(n_features + 1, 0);
    for (int32_t k = 0; k < matrix.count(); ++k)
      w[static_cast<size_t>(matrix.feature(k))] = solver.w[static_cast<size_t>(k)];
    w.back() = solver.w.back();
  });
  return nb::make_tuple(to_array(std::move(w), {n_features + 1}), objective,
                        solver.steps());
}

}  // namespace
}  // namespace tanoak

void bind_logistic(nb::module_& m) {
  using namespace tanoak;
  m.def("l1_logistic", &l1_logistic_of, nb::arg("table"), nb::arg("side").noconvert(),
        nb::arg("weight").noconvert(), nb::kw_only(), nb::arg("penalty"),
        nb::arg("tolerance"), nb::arg("start").noconvert() = nb::none(),
        "Weights and intercept of a weighted logistic regression with an l1 penalty, "
        "its objective, and how many Newton steps it took.");
}
