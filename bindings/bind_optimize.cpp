#include <nanobind/stl/optional.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "border.hpp"
#include "optimize_table.hpp"
#include "tree_dict.hpp"

namespace tanoak {
namespace {

template <class T>
std::vector<T> list_of(const nb::dict& given, const char* name) {
  const auto array = nb::cast<Vector<T>>(given[name], false);
  return std::vector<T>(array.data(), array.data() + array.size());
}

TaoState read_state(const nb::dict& given) {
  TaoState state;
  state.left = list_of<int32_t>(given, "left");
  state.right = list_of<int32_t>(given, "right");
  state.kind = list_of<uint8_t>(given, "kind");
  state.swapped = list_of<uint8_t>(given, "swapped");
  state.missing_left = list_of<uint8_t>(given, "missing_left");
  state.threshold = list_of<double>(given, "threshold");
  state.term_start = list_of<int64_t>(given, "term_start");
  state.term_column = list_of<int32_t>(given, "term_column");
  state.term_level = list_of<int32_t>(given, "term_level");
  state.term_weight = list_of<double>(given, "term_weight");
  state.subset_start = list_of<int64_t>(given, "subset_start");
  state.subset_words = list_of<uint64_t>(given, "subset_words");
  state.answer = list_of<double>(given, "answer");
  state.solved = list_of<uint64_t>(given, "solved");
  return state;
}

template <class T>
nb::object flat(std::vector<T>&& values) {
  const size_t n = values.size();
  return to_array(std::move(values), {n});
}

nb::dict to_dict(TaoState&& state) {
  nb::dict arrays;
  arrays["left"] = flat(std::move(state.left));
  arrays["right"] = flat(std::move(state.right));
  arrays["kind"] = flat(std::move(state.kind));
  arrays["swapped"] = flat(std::move(state.swapped));
  arrays["missing_left"] = flat(std::move(state.missing_left));
  arrays["threshold"] = flat(std::move(state.threshold));
  arrays["term_start"] = flat(std::move(state.term_start));
  arrays["term_column"] = flat(std::move(state.term_column));
  arrays["term_level"] = flat(std::move(state.term_level));
  arrays["term_weight"] = flat(std::move(state.term_weight));
  arrays["subset_start"] = flat(std::move(state.subset_start));
  arrays["subset_words"] = flat(std::move(state.subset_words));
  arrays["answer"] = flat(std::move(state.answer));
  arrays["solved"] = flat(std::move(state.solved));
  return arrays;
}

nb::dict to_dict(const PassRecord& record) {
  nb::dict told;
  told["changed"] = record.changed;
  told["loss"] = record.loss;
  told["price"] = record.price;
  told["n_splits"] = record.n_splits;
  told["n_terms"] = record.n_terms;
  return told;
}

OptimizeOptions read_options(const nb::dict& given) {
  OptimizeOptions options;
  SolverOptions& solvers = options.solvers;
  solvers.axis = nb::cast<bool>(given["axis"]);
  solvers.pair = nb::cast<bool>(given["pair"]);
  solvers.oblique = nb::cast<bool>(given["oblique"]);
  solvers.all_losses = nb::cast<bool>(given["all_losses"]);
  solvers.oblique_settings.refine_threshold = nb::cast<bool>(given["refine_threshold"]);
  solvers.oblique_settings.refine_coordinates =
      nb::cast<bool>(given["refine_coordinates"]);
  solvers.pair_settings.exact = nb::cast<bool>(given["exact"]);
  options.penalty = nb::cast<double>(given["penalty"]);
  options.prices.axis = nb::cast<double>(given["axis_price"]);
  options.prices.pair = nb::cast<double>(given["pair_price"]);
  options.prices.term = nb::cast<double>(given["term_price"]);
  options.prices.columns = nb::cast<std::vector<double>>(given["column_prices"]);
  for (const nb::handle each : nb::cast<nb::list>(given["locks"])) {
    const auto told = nb::cast<nb::dict>(each);
    NodeLock lock;
    lock.node = nb::cast<int32_t>(told["node"]);
    lock.fixed = nb::cast<bool>(told["fixed"]);
    lock.must_ask = nb::cast<bool>(told["must_ask"]);
    lock.closed = nb::cast<std::vector<int32_t>>(told["closed"]);
    lock.rising = nb::cast<std::vector<int32_t>>(told["rising"]);
    lock.falling = nb::cast<std::vector<int32_t>>(told["falling"]);
    options.locks.push_back(std::move(lock));
  }
  return options;
}

// An optimizer with the arrays it looks at.
struct Held {
  Handed handed;
  std::vector<nb::object> arrays;
  bool is_long = false;
  bool of_numbers = false;
  size_t n_outputs = 1;
  int n_workers = 1;
  std::unique_ptr<TreeOptimizer> optimizer;

  template <class Make>
  void make(int n_threads, const Make& call) {
    const auto cells = std::visit(
        [](const auto& view) { return view.n_rows * view.n_columns; }, handed.view);
    is_long = cells > 20000;
    run(is_long, [&](const StopFlag& stop) {
      Workers workers(is_long ? n_threads : 1);
      n_workers = workers.count();
      optimizer = call(workers, stop);
    });
  }
  nb::dict pass() {
    PassRecord record;
    run(is_long, [&](const StopFlag& stop) {
      Workers workers(n_workers);
      record = optimizer->pass(workers, stop);
    });
    return to_dict(record);
  }
  nb::dict tree() {
    TreeArrays made;
    run(is_long, [&](const StopFlag&) { made = optimizer->tree(); });
    return tanoak::to_dict(std::move(made), n_outputs);
  }
};

std::unique_ptr<Held> of_classes(nb::handle table, std::vector<int32_t> n_levels,
                                 const Vector<int32_t>& labels, int32_t n_classes,
                                 const Vector<double>& class_costs,
                                 const std::optional<Vector<double>>& row_costs,
                                 const std::optional<Vector<double>>& row_mass,
                                 const std::optional<Vector<double>>& row_weight,
                                 std::vector<double> fill, const nb::dict& options,
                                 const nb::dict& start, int n_threads) {
  auto held = std::make_unique<Held>();
  held->handed = take_table(table);
  held->arrays = {nb::cast(labels), nb::cast(class_costs), nb::cast(row_costs),
                  nb::cast(row_mass), nb::cast(row_weight)};
  held->n_outputs = static_cast<size_t>(n_classes);
  const ClassCosts costs{labels.data(), n_classes, class_costs.data(),
                         optional_data(row_costs), optional_data(row_mass)};
  const OptimizeInput input{held->handed.view, std::move(n_levels), std::move(fill)};
  const OptimizeOptions wanted = read_options(options);
  const TaoState from = read_state(start);
  held->make(n_threads, [&](Workers& workers, const StopFlag& stop) {
    return optimize_classes(input, costs, optional_data(row_weight), wanted, from,
                            workers, stop);
  });
  return held;
}

std::unique_ptr<Held> of_numbers(nb::handle table, std::vector<int32_t> n_levels,
                                 const Vector<double>& targets,
                                 const std::optional<Vector<double>>& row_weight,
                                 bool absolute, std::vector<double> fill,
                                 const nb::dict& options, const nb::dict& start,
                                 int n_threads) {
  auto held = std::make_unique<Held>();
  held->handed = take_table(table);
  held->arrays = {nb::cast(targets), nb::cast(row_weight)};
  const NumberCosts costs{targets.data(), optional_data(row_weight), absolute};
  const OptimizeInput input{held->handed.view, std::move(n_levels), std::move(fill)};
  const OptimizeOptions wanted = read_options(options);
  const TaoState from = read_state(start);
  held->make(n_threads, [&](Workers& workers, const StopFlag& stop) {
    return optimize_numbers(input, costs, wanted, from, workers, stop);
  });
  return held;
}

nb::dict draw_start(nb::handle table, std::vector<int32_t> n_levels, int32_t depth,
                    int64_t n_terms, uint64_t seed, int n_threads) {
  const Handed handed = take_table(table);
  const OptimizeInput input{handed.view, std::move(n_levels), {}};
  TaoState state;
  run(true, [&](const StopFlag& stop) {
    Workers workers(n_threads);
    state = random_start(input, {depth, n_terms, seed}, workers, stop);
  });
  return to_dict(std::move(state));
}

}  // namespace
}  // namespace tanoak

void bind_optimize(nb::module_& m) {
  using namespace tanoak;
  nb::class_<Held>(m, "TreeOptimizer", "A tree that gets better pass by pass.")
      .def("run_pass", &Held::pass, "Optimize every node once; what that came to.")
      .def("now", [](const Held& held) { return to_dict(held.optimizer->now()); })
      .def(
          "state", [](const Held& held) { return to_dict(held.optimizer->state()); },
          "All nodes, to go on from later.")
      .def("tree", &Held::tree, "What is reached, with counts, as arrays of a tree.")
      .def(
          "origins", [](const Held& held) { return flat(held.optimizer->origins()); },
          "Of each node of the tree the node of the start it comes from.")
      .def(
          "solution_losses",
          [](const Held& held) {
            auto losses = held.optimizer->solution_losses();
            const size_t n = losses.size() / n_solutions;
            return to_array(std::move(losses), {n, size_t{n_solutions}});
          },
          "Least losses by node and kind of solution; -1 if not looked for.")
      .def_prop_ro("mean_stake",
                   [](const Held& held) { return held.optimizer->mean_stake(); });
  m.def("optimize_classes", &of_classes, nb::arg("table"), nb::arg("n_levels"),
        nb::arg("labels").noconvert(), nb::arg("n_classes"),
        nb::arg("class_costs").noconvert(), nb::arg("row_costs").noconvert().none(),
        nb::arg("row_mass").noconvert().none(),
        nb::arg("row_weight").noconvert().none(), nb::arg("known_fill"),
        nb::arg("options"), nb::arg("first_state"), nb::arg("n_threads") = 1,
        "Start to optimize a tree that answers classes.");
  m.def("optimize_numbers", &of_numbers, nb::arg("table"), nb::arg("n_levels"),
        nb::arg("targets").noconvert(), nb::arg("row_weight").noconvert().none(),
        nb::arg("absolute"), nb::arg("known_fill"), nb::arg("options"),
        nb::arg("first_state"), nb::arg("n_threads") = 1,
        "Start to optimize a tree that answers numbers.");
  m.def("random_start", &draw_start, nb::arg("table"), nb::arg("n_levels"),
        nb::arg("depth"), nb::arg("n_terms"), nb::arg("seed"), nb::arg("n_threads") = 1,
        "A complete tree of random splits, to start from.");
}
