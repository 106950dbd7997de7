#include "border.hpp"
#include "prune.hpp"

namespace tanoak {
namespace {

nb::tuple weakest_links_of(const Vector<int32_t>& left, const Vector<int32_t>& right,
                           const Vector<double>& cost) {
  Links links;
  const size_t n = left.size();
  run(false, [&](const StopFlag&) {
    links = weakest_links(n, left.data(), right.data(), cost.data());
  });
  return nb::make_tuple(to_array(std::move(links.price), {n}),
                        to_array(std::move(links.cost), {n}),
                        to_array(std::move(links.leaves), {n}));
}

nb::object sums_below(const Vector<int32_t>& left, const Vector<int32_t>& right,
                      const nb::ndarray<const double, nb::ndim<2>, nb::c_contig,
                                        nb::device::cpu>& values) {
  const size_t n = left.size(), width = values.shape(1);
  std::vector<double> sums(values.data(), values.data() + n * width);
  run(false, [&](const StopFlag&) {
    add_up(n, left.data(), right.data(), width, sums.data());
  });
  return to_array(std::move(sums), {n, width});
}

}  // namespace
}  // namespace tanoak

void bind_prune(nb::module_& m) {
  using namespace tanoak;
  m.def(
      "weakest_links", &weakest_links_of, nb::arg("left").noconvert(),
      nb::arg("right").noconvert(), nb::arg("cost").noconvert(),
      "Price of a leaf at which each node becomes one, cost added and leaves removed.");
  m.def("sums_below", &sums_below, nb::arg("left").noconvert(),
        nb::arg("right").noconvert(), nb::arg("values").noconvert(),
        "Rows of numbers of each node and all nodes below it, added up.");
}
