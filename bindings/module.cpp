// Contents of tanoak._core.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_grow(nb::module_& m);
void bind_logistic(nb::module_& m);
void bind_prune(nb::module_& m);
void bind_route(nb::module_& m);
void bind_solve(nb::module_& m);
void bind_table(nb::module_& m);

NB_MODULE(_core, m) {
  m.doc() = "The native core of tanoak: arrays in, arrays out.";
  bind_table(m);
  bind_route(m);
  bind_grow(m);
  bind_prune(m);
  bind_logistic(m);
  bind_solve(m);
}
