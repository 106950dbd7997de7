#include "grow_table.hpp"

#include <cmath>
#include <memory>
#include <string>

#include "grow_binned.hpp"

namespace tanoak {

namespace {

int64_t n_rows_of(const TableView& table) {
  return std::visit([](const auto& view) { return view.n_rows; }, table);
}

std::vector<double> copy_of(const double* numbers, int64_t n) {
  return numbers ? std::vector<double>(numbers, numbers + n) : std::vector<double>();
}

// Whole numbers add up without error in any order, and so does what is near to them;
// this sum only decides the scale of the units.
double total_of(const std::vector<double>& numbers) {
  const double largest = *std::max_element(numbers.begin(), numbers.end());
  if (!(largest > 0)) return 0;
  const int exponent =
      fixed_exponent(largest * static_cast<double>(numbers.size()), 120);
  int128 sum = 0;
  for (const double number : numbers) sum += to_fixed(number, exponent);
  return std::ldexp(to_double(sum), -exponent);
}

int64_t at_least(double fraction, int64_t total) {
  return std::max<int64_t>(
      1, std::llround(std::ceil(fraction * static_cast<double>(total))));
}

// --- classes ---

struct PreparedClasses {
  ClassTarget target;
  int weight_exponent = 0;
  int64_t total_mass = 0;
};

unsigned label_bits(int64_t n_rows, int32_t n_classes) {
  unsigned bits = 0;
  while ((int64_t{1} << bits) < n_classes) ++bits;
  // The last id stays free: it marks rows that take no part.
  const bool fits = ((n_rows + 1) << bits) < (int64_t{1} << 32);
  return fits ? bits : 0;
}

PreparedClasses prepare(const ClassInput& input, int64_t n_rows) {
  PreparedClasses ready;
  ClassTarget& target = ready.target;
  target.n_classes = input.n_classes;
  target.label_bits = label_bits(n_rows, input.n_classes);
  if (target.label_bits == 0) target.labels.assign(input.labels, input.labels + n_rows);
  const auto class_mass = copy_of(input.class_mass, input.n_classes);
  std::vector<int64_t> counts(class_mass.size(), 0);
  for (int64_t row = 0; row < n_rows; ++row)
    ++counts[static_cast<size_t>(input.labels[row])];
  double total = 0;
  for (size_t k = 0; k < counts.size(); ++k)
    total += static_cast<double>(counts[k]) * class_mass[k];
  target.class_mass = fix_weights(class_mass, total).units;
  for (size_t k = 0; k < counts.size(); ++k)
    ready.total_mass += counts[k] * target.class_mass[k];
  if (input.row_mass) {
    const auto row_mass = copy_of(input.row_mass, n_rows);
    target.row_mass = fix_weights(row_mass, total_of(row_mass)).units;
    ready.total_mass = 0;
    for (const int64_t mass : target.row_mass) ready.total_mass += mass;
  }
  if (input.row_weight) {
    const auto weights = copy_of(input.row_weight, n_rows);
    const FixedWeights fixed = fix_weights(weights, total_of(weights));
    target.row_weight = fixed.units;
    ready.weight_exponent = fixed.exponent;
  }
  return ready;
}

// --- numbers ---

struct PreparedNumbers {
  NumberTarget target;
  int weight_exponent = 0;
  int64_t total_mass = 0;
  int moment_exponent = 0;
};

// Sum of mass * f(number), exact in units of 2^-exponent.
template <class F>
int128 fixed_sum(const NumberTarget& target, int exponent, const F& f) {
  int128 sum = 0;
  for (size_t row = 0; row < target.numbers.size(); ++row) {
    const int64_t mass = target.row_mass.empty() ? 1 : target.row_mass[row];
    sum += to_fixed(f(target.numbers[row]), exponent) * mass;
  }
  return sum;
}

PreparedNumbers prepare(const NumberInput& input, int64_t n_rows) {
  PreparedNumbers ready;
  NumberTarget& target = ready.target;
  target.numbers = copy_of(input.numbers, n_rows);
  for (double& number : target.numbers) number += 0.0;  // -0.0 is no other number
  ready.total_mass = n_rows;
  if (input.row_weight) {
    const auto weights = copy_of(input.row_weight, n_rows);
    const FixedWeights fixed = fix_weights(weights, total_of(weights));
    target.row_mass = fixed.units;
    ready.weight_exponent = fixed.exponent;
    ready.total_mass = 0;
    for (const int64_t mass : target.row_mass) ready.total_mass += mass;
  }
  double largest = 0;
  for (const double number : target.numbers)
    largest = std::max(largest, std::abs(number));
  const auto mass = static_cast<double>(ready.total_mass);
  target.sum_exponent = fixed_exponent(largest * mass, 120);
  const int128 sum =
      fixed_sum(target, target.sum_exponent, [](double number) { return number; });
  const double center = std::ldexp(to_double(sum), -target.sum_exponent) / mass;
  // The search works with distances from the mean whose sum is known to fit.
  const int spread_exponent = target.sum_exponent - 1;
  const double spread = std::ldexp(
      to_double(fixed_sum(target, spread_exponent,
                          [&](double number) { return std::abs(number - center); })),
      -spread_exponent);
  ready.moment_exponent = fixed_exponent(spread, 61);
  const bool whole = ready.weight_exponent == 0;
  target.row_moment.reserve(target.numbers.size());
  for (size_t row = 0; row < target.numbers.size(); ++row) {
    const int64_t units = target.row_mass.empty() ? 1 : target.row_mass[row];
    const double off = std::ldexp(target.numbers[row] - center, ready.moment_exponent);
    target.row_moment.push_back(whole ? units * std::llround(off)
                                      : std::llround(static_cast<double>(units) * off));
  }
  return ready;
}

// --- growing ---

// Without splits on several columns nothing is filled in.
std::vector<double> plain_fill(const std::vector<int32_t>& n_levels) {
  std::vector<double> fill;
  for (const int32_t n : n_levels) fill.push_back(n > 0 ? -1.0 : 0.0);
  return fill;
}

template <class Criterion, class Target, class T>
Growth<Target> grow_on(const DenseView<T>& table, const std::vector<int32_t>& n_levels,
                       const Target& target, const std::vector<uint32_t>& ids,
                       const GrowContext<Criterion>& context) {
  const auto bytes =
      table.n_rows * table.n_columns * static_cast<int64_t>(sizeof(Record));
  if (bytes > context.settings.max_sort_bytes)
    return grow_binned(table, n_levels, target, ids, context);
  const RowIds rows{ids.data(), nullptr, table.n_rows};
  SortedColumns sorted = presort(table, rows, n_levels, context.workers, context.stop);
  const ValueOf value_of = [&table](int32_t column, int64_t row) {
    return static_cast<double>(table(row, column));
  };
  Frame<Target> frame;
  frame.pool = sorted.pool.data.get();
  frame.columns = &sorted.columns;
  frame.target = &target;
  frame.value_of = &value_of;
  frame.side.resize(ids.size());
  if (context.sums) frame.list_rows(ids);
  return grow_sorted(frame, context, 0);
}

template <class Criterion, class Target, class T, class Index>
Growth<Target> grow_on(const SparseView<T, Index>& table, const std::vector<int32_t>&,
                       const Target& target, const std::vector<uint32_t>& ids,
                       const GrowContext<Criterion>& context) {
  const RowIds rows{ids.data(), nullptr, table.n_rows};
  SortedColumns sorted = presort(table, rows, context.workers, context.stop);
  Frame<Target> frame;
  frame.list_rows(ids);
  frame.pool = sorted.pool.data.get();
  frame.columns = &sorted.columns;
  frame.target = &target;
  frame.side.resize(ids.size());
  return grow_sorted(frame, context, 0);
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
  auto grow = [&](auto make_criterion) {
    using Criterion = decltype(make_criterion(ready.target));
    const GrowContext<Criterion> context{make_criterion, options.settings, workers,
                                         stop, progress};
    return std::visit(
        [&](const auto& view) {
          TreeArrays tree = finish(grow_on(view, n_levels, ready.target, ids, context),
                                   ready.weight_exponent);
          tree.fill = plain_fill(n_levels);
          return tree;
        },
        table);
  };
  if (input.criterion == ClassCriterion::entropy) {
    auto logs = std::make_shared<const EntropyTable>(ready.total_mass);
    return grow([logs](const ClassTarget& target) { return Entropy(target, logs); });
  }
  if (ready.total_mass < (int64_t{1} << 31))
    return grow([](const ClassTarget& target) { return Gini<uint64_t>(target); });
  return grow([](const ClassTarget& target) { return Gini<uint128>(target); });
}

TreeArrays grow_numbers(const TableView& table, const std::vector<int32_t>& n_levels,
                        const NumberInput& input, GrowOptions options, Workers& workers,
                        const StopFlag& stop, Progress& progress) {
  const int64_t n_rows = n_rows_of(table);
  const PreparedNumbers ready = prepare(input, n_rows);
  options.settings.limits.min_mass =
      at_least(options.min_mass_fraction, ready.total_mass);
  options.settings.min_decrease =
      std::ldexp(options.min_impurity_decrease * static_cast<double>(ready.total_mass),
                 2 * ready.moment_exponent);
  std::vector<uint32_t> ids(static_cast<size_t>(n_rows));
  for (size_t row = 0; row < ids.size(); ++row) ids[row] = static_cast<uint32_t>(row);
  const GrowContext<SquaredError> context{
      [](const NumberTarget& target) { return SquaredError(target); }, options.settings,
      workers, stop, progress};
  return std::visit(
      [&](const auto& view) {
        TreeArrays tree = finish(grow_on(view, n_levels, ready.target, ids, context),
                                 ready.weight_exponent);
        tree.fill = plain_fill(n_levels);
        return tree;
      },
      table);
}

}  // namespace tanoak
