// Growth by every criterion for classes but Gini impurity, which is compiled elsewhere.
#include "grow_any.hpp"

namespace tanoak {

namespace {

TreeArrays grow_by_logs(const ClassJob& job, bool as_ratio) {
  auto logs = std::make_shared<const EntropyTable>(job.ready.total_mass);
  if (as_ratio)
    return grow_by(
        job, [logs](const ClassTarget& target) { return GainRatio(target, logs); });
  return grow_by(job,
                 [logs](const ClassTarget& target) { return Entropy(target, logs); });
}

TreeArrays grow_by_roots(const ClassJob& job) {
  auto roots = std::make_shared<const RootTable>(job.ready.total_mass,
                                                 job.ready.target.n_classes);
  return grow_by(job,
                 [roots](const ClassTarget& target) { return Dkm(target, roots); });
}

TreeArrays grow_by_errors(const ClassJob& job) {
  return grow_by(job, [prior = job.ready.prior](const ClassTarget& target) {
    return ErrorRate(target, prior);
  });
}

TreeArrays grow_by_area(const ClassJob& job) {
  return grow_by(job, [prior = job.ready.prior](const ClassTarget& target) {
    return Auc(target, prior);
  });
}

TreeArrays grow_by_cost(const ClassJob& job) {
  return grow_by(job, [](const ClassTarget& target) { return ExpectedCost(target); });
}

TreeArrays grow_by_pairs_of_classes(const ClassJob& job) {
  return grow_by(job,
                 [](const ClassTarget& target) { return GeneralizedGini(target); });
}

}  // namespace

TreeArrays grow_classes_by(ClassCriterion criterion, const ClassJob& job) {
  switch (criterion) {
    case ClassCriterion::entropy:
      return grow_by_logs(job, false);
    case ClassCriterion::gain_ratio:
      return grow_by_logs(job, true);
    case ClassCriterion::dkm:
      return grow_by_roots(job);
    case ClassCriterion::error:
      return grow_by_errors(job);
    case ClassCriterion::auc:
      return grow_by_area(job);
    case ClassCriterion::cost:
      return grow_by_cost(job);
    default:
      return grow_by_pairs_of_classes(job);
  }
}

}  // namespace tanoak
