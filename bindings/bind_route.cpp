#include <nanobind/stl/optional.h>

#include "border.hpp"
#include "route.hpp"

namespace tanoak {
namespace {

using Leaves = nb::ndarray<nb::numpy, int32_t, nb::ndim<1>>;

Leaves apply(const Router& router, nb::handle table, int n_threads) {
  const Handed handed = take_table(table);
  const auto n_rows =
      std::visit([](const auto& view) { return view.n_rows; }, handed.view);
  std::vector<int32_t> leaves(static_cast<size_t>(n_rows));
  constexpr int64_t long_work = 500000;
  run(n_rows > long_work, [&](const StopFlag& stop) {
    Workers workers(n_threads);
    std::visit(
        [&](const auto& view) { router.apply(view, leaves.data(), workers, stop); },
        handed.view);
  });
  const auto n = leaves.size();
  return nb::cast<Leaves>(to_array(std::move(leaves), {n}));
}

}  // namespace
}  // namespace tanoak

void bind_route(nb::module_& m) {
  using namespace tanoak;
  nb::class_<Router>(m, "Router", "Routes rows to the leaves of one tree.")
      .def(
          "__init__",
          [](Router* self, const Vector<int32_t>& left, const Vector<int32_t>& right,
             const Vector<double>& threshold, const Vector<bool>& missing_left,
             const Vector<int64_t>& term_start, const Vector<int32_t>& term_column,
             const Vector<int32_t>& term_level, const Vector<double>& term_weight,
             const Vector<int64_t>& subset_start, const Vector<uint64_t>& subset_words,
             const Vector<double>& fill) {
            new (self) Router(TreeView{
                static_cast<int64_t>(left.size()), static_cast<int64_t>(fill.size()),
                left.data(), right.data(), threshold.data(),
                reinterpret_cast<const uint8_t*>(missing_left.data()),
                term_start.data(), term_column.data(), term_level.data(),
                term_weight.data(), subset_start.data(), subset_words.data(),
                fill.data()});
          },
          nb::arg("left").noconvert(), nb::arg("right").noconvert(),
          nb::arg("threshold").noconvert(), nb::arg("missing_left").noconvert(),
          nb::arg("term_start").noconvert(), nb::arg("term_column").noconvert(),
          nb::arg("term_level").noconvert(), nb::arg("term_weight").noconvert(),
          nb::arg("subset_start").noconvert(), nb::arg("subset_words").noconvert(),
          nb::arg("fill").noconvert())
      .def("apply", &apply, nb::arg("table"), nb::arg("n_threads") = 1,
           "Leaf of each row of a dense table, or of a compressed one by rows.");
}
