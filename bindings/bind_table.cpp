#include "border.hpp"

namespace tanoak {
namespace {

nb::tuple scan(nb::handle table, int n_threads) {
  const Handed handed = take_table(table);
  std::vector<ColumnFaults> faults;
  run(false, [&](const StopFlag&) {
    Workers workers(n_threads);
    std::visit(
        [&](const auto& view) {
          using View = std::decay_t<decltype(view)>;
          if constexpr (std::is_same_v<View, DenseView<float>> ||
                        std::is_same_v<View, DenseView<double>>)
            faults = scan_columns(view, workers);
        },
        handed.view);
  });
  std::vector<int64_t> infinite, missing;
  for (const auto& fault : faults) {
    infinite.push_back(fault.first_infinite);
    missing.push_back(fault.n_missing);
  }
  const size_t n = faults.size();
  return nb::make_tuple(to_array(std::move(infinite), {n}),
                        to_array(std::move(missing), {n}));
}

}  // namespace
}  // namespace tanoak

void bind_table(nb::module_& m) {
  m.def("scan_columns", &tanoak::scan, nb::arg("table"), nb::arg("n_threads") = 1,
        "First infinite row (-1: none) and number of missing values of each column of "
        "a dense table.");
}
