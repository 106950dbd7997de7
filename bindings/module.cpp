// Contents of tanoak._core.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_grow(nb::module_& m);
void bind_logistic(nb::module_& m);
void bind_optimize(nb::module_& m);
void bind_prune(nb::module_& m);
void bind_route(nb::module_& m);
void bind_solve(nb::module_& m);
void bind_table(nb::module_& m);

NB_MODULE(_core, m) {
  // A tree that a thread or a cache still holds when Python ends is no leak of ours;
  // that what nobody holds is given back, the tests look at.
  nb::set_leak_warnings(false);
  m.doc() = "The native core of tanoak: arrays in, arrays out.";
  bind_table(m);
  bind_route(m);
  bind_grow(m);
  bind_optimize(m);
  bind_prune(m);
  bind_logistic(m);
  bind_solve(m);
}
