#include <nanobind/stl/vector.h>

#include "border.hpp"
#include "solve_pair.hpp"

namespace tanoak {
namespace {

const char* name_of(PairCertificate certificate) {
  switch (certificate) {
    case PairCertificate::optimal:
      return "optimal";
    case PairCertificate::slope:
      return "slope";
    case PairCertificate::gap:
      return "gap";
    case PairCertificate::none:
      break;
  }
  return "none";
}

nb::dict to_dict(const Features& features, const NodeChoice& best,
                 const PairResult& found) {
  nb::dict result;
  nb::list terms;
  for (const Term& term : best.split.terms) {
    const FeatureInfo at = features.info(term.feature);
    terms.append(nb::make_tuple(at.column, at.level, term.weight));
  }
  result["terms"] = terms;
  result["all_left"] = best.split.kind == SplitKind::all_left;
  result["threshold"] = best.split.threshold;
  result["loss"] = best.loss;
  result["price"] = best.price;
  result["certificate"] = name_of(found.certificate);
  result["bound"] = found.bound;
  result["n_pairs"] = found.n_pairs;
  result["n_searched"] = found.n_searched;
  result["looks"] = found.looks;
  return result;
}

SolvePairSettings read_settings(const nb::dict& given) {
  SolvePairSettings settings;
  settings.exact = nb::cast<bool>(given["exact"]);
  settings.n_pairs = nb::cast<int64_t>(given["n_pairs"]);
  settings.tolerance = nb::cast<double>(given["tolerance"]);
  settings.effort = nb::cast<int64_t>(given["effort"]);
  return settings;
}

nb::dict solve_pair_of(nb::handle table, const std::vector<int32_t>& n_levels,
                       const std::vector<double>& fill, const Vector<int64_t>& stakes,
                       int64_t pair_price, const nb::dict& given, int n_threads) {
  const Handed handed = take_table(table);
  const auto shape = std::visit(
      [](const auto& view) { return std::pair(view.n_rows, view.n_columns); },
      handed.view);
  if (static_cast<int64_t>(stakes.size()) != shape.first ||
      static_cast<int64_t>(fill.size()) != shape.second ||
      n_levels.size() != fill.size())
    throw nb::value_error(
        "stakes must have an entry for each row, n_levels and fill for each column");
  const SolvePairSettings settings = read_settings(given);
  NodeRules rules;
  rules.pair_price = pair_price;
  std::vector<uint32_t> rows;
  std::vector<int64_t> stake;
  for (size_t row = 0; row < stakes.size(); ++row)
    if (stakes.data()[row] != 0) {
      rows.push_back(static_cast<uint32_t>(row));
      stake.push_back(stakes.data()[row]);
    }
  const CarePoints care{rows.data(), stake.data(), static_cast<int64_t>(rows.size())};
  std::optional<Features> features;
  NodeChoice best = best_constant(care);
  PairResult found;
  run(true, [&](const StopFlag& stop) {
    Workers workers(n_threads);
    features.emplace(handed.view, n_levels, fill, workers, stop);
    const Codes codes(*features, workers, stop);
    PairScratch scratch;
    found = solve_pair(*features, codes, care, rules, settings, workers, scratch, best,
                       stop);
  });
  return to_dict(*features, best, found);
}

}  // namespace
}  // namespace tanoak

void bind_solve(nb::module_& m) {
  m.def("solve_pair", &tanoak::solve_pair_of, nb::arg("table"), nb::arg("n_levels"),
        nb::arg("fill").noconvert(), nb::arg("stakes").noconvert(),
        nb::arg("pair_price"), nb::arg("settings"), nb::arg("n_threads") = 1,
        "The split on two features on whose wrong side least is at stake.");
}
