"""In: data as `fit` takes it; out: a `Problem`, and the classes for scikit-learn."""

from __future__ import annotations

from typing import Any

from sklearn.base import is_classifier

from tanoak._held_out import Rows
from tanoak._table import Table
from tanoak._tao_problem import Problem
from tanoak.costs import resolve_costs
from tanoak.estimators._targets import (
    read_classes,
    read_numbers,
    read_weight,
    warn_of_one_class,
)
from tanoak.exceptions import ParameterError

__all__ = ["read_problem"]


def read_problem(
    estimator: Any, table: Table, y: Any, sample_weight: Any, row_costs: Any = None
) -> tuple[Problem, Any]:
    """Read targets, weights and costs.

    Parameters
    ----------
    estimator : estimator
        Of classes, with `cost` and `priors`, or of numbers.
    table : Table
        Features of n rows.
    y, sample_weight, row_costs
        As for `fit`.

    Returns
    -------
    tuple of Problem and (array or None)
        The classes as scikit-learn wants them; None for numbers.
    """
    weight = read_weight(sample_weight, table.n_rows)
    if not is_classifier(estimator):
        if row_costs is not None:
            msg = "row_costs are about classes, but a regressor answers numbers"
            raise ParameterError(msg)
        targets = read_numbers(y, table.n_rows)
        rows = Rows(table=table, target=targets, sample_weight=weight)
        return Problem(rows, None), None
    codes, class_labels, classes = read_classes(y, table.n_rows)
    warn_of_one_class(codes, classes, weight)
    costs = None
    if len(classes) > 1:  # one class leaves nothing to mistake
        told = {"priors": estimator.priors, "row_costs": row_costs}
        costs = resolve_costs(
            estimator.cost, codes, classes, **told, sample_weight=weight
        )
    rows = Rows(table=table, target=codes, costs=costs, sample_weight=weight)
    return Problem(rows, classes), class_labels
