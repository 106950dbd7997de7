#include "grow_table.hpp"

#include "grow_any.hpp"

namespace tanoak {

namespace {

TreeArrays grow_by_gini(const ClassJob& job) {
  if (job.ready.total_mass < (int64_t{1} << 31))
    return grow_by(job,
                   [](const ClassTarget& target) { return Gini<uint64_t>(target); });
  return grow_by(job, [](const ClassTarget& target) { return Gini<uint128>(target); });
}

TreeArrays grow_by_squares(const NumberJob& job) {
  return grow_by(job, [](const NumberTarget& target) { return SquaredError(target); });
}

TreeArrays grow_by_medians(const NumberJob& job) {
  return grow_by(job, [](const NumberTarget& target) { return AbsoluteError(target); });
}

}  // namespace

TreeArrays grow_classes(const TableView& table, const std::vector<int32_t>& n_levels,
                        const ClassInput& input, GrowOptions options, Workers& workers,
                        const StopFlag& stop, Progress& progress) {
  const int64_t n_rows = n_rows_of(table);
  const PreparedClasses ready = prepare(input, n_rows);
  options.settings.limits.min_mass =
      at_least(options.min_mass_fraction, ready.total_mass);
  options.settings.min_decrease =
      options.min_impurity_decrease * static_cast<double>(ready.total_mass);
  std::vector<uint32_t> ids(static_cast<size_t>(n_rows));
  for (size_t row = 0; row < ids.size(); ++row)
    ids[row] = ready.target.make_id(static_cast<uint32_t>(row), input.labels[row]);
  const ClassJob job{table, n_levels, ready, ids, options, workers, stop, progress};
  return input.criterion == ClassCriterion::gini
             ? grow_by_gini(job)
             : grow_classes_by(input.criterion, job);
}

TreeArrays grow_numbers(const TableView& table, const std::vector<int32_t>& n_levels,
                        const NumberInput& input, GrowOptions options, Workers& workers,
                        const StopFlag& stop, Progress& progress) {
  const int64_t n_rows = n_rows_of(table);
  const PreparedNumbers ready = prepare(input, n_rows);
  const bool by_median = input.criterion == NumberCriterion::absolute_error;
  options.settings.limits.min_mass =
      at_least(options.min_mass_fraction, ready.total_mass);
  options.settings.min_decrease =
      std::ldexp(options.min_impurity_decrease * static_cast<double>(ready.total_mass),
                 (by_median ? 1 : 2) * ready.moment_exponent);
  double largest = 0;
  for (size_t row = 0; row < ready.target.numbers.size(); ++row)
    largest =
        std::max(largest, std::abs(static_cast<double>(ready.target.row_moment[row])) /
                              (ready.target.row_mass.empty()
                                   ? 1.0
                                   : static_cast<double>(ready.target.row_mass[row])));
  options.settings.monotone.shift =
      monotone_shift(largest, static_cast<double>(ready.total_mass));
  std::vector<uint32_t> ids(static_cast<size_t>(n_rows));
  for (size_t row = 0; row < ids.size(); ++row) ids[row] = static_cast<uint32_t>(row);
  const NumberJob job{table, n_levels, ready, ids, options, workers, stop, progress};
  return by_median ? grow_by_medians(job) : grow_by_squares(job);
}

}  // namespace tanoak
