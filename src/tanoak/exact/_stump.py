"""In: rows of two classes; out: every optimal tree of one split, by enumeration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tanoak._arrays import FloatArray, IntArray, Level
from tanoak._roc import front_positions
from tanoak._tree import Tree
from tanoak.exact._front import ExactCurve
from tanoak.exact._problem import Problem, linear_tree, read_problem

__all__ = ["exact_stump_curve"]


@dataclass(frozen=True, eq=False)
class _Cuts:
    """Rules on one column: what is at most a threshold is positive, or the reverse."""

    column: int
    threshold: FloatArray
    left_hit: NDArray[np.bool_]
    fp: IntArray
    fn: IntArray


def exact_stump_curve(X: Any, y: Any, *, positive: Level | None = None) -> ExactCurve:
    """Find every optimal decision stump: all columns, all cuts, both directions.

    Parameters
    ----------
    X : array or data frame of numbers, shape (n_rows, n_features)
        Without missing values.
    y : array-like of shape (n_rows,)
        Two classes.
    positive : label, optional
        The class that is to be found; by default the last.

    Returns
    -------
    ExactCurve
        Every Pareto point of (false alarms, misses), the two constant answers
        included, each with a tree that attains it.

    Examples
    --------
    >>> from tanoak.exact import exact_stump_curve
    >>> curve = exact_stump_curve([[1.0], [2.0], [3.0], [4.0]], [0, 1, 0, 1])
    >>> curve.fp, curve.fn
    (array([0, 1]), array([1, 0]))
    >>> curve.models[1].predict([[1.0], [3.0]])
    array([0, 1])
    """
    problem = read_problem(X, y, positive)
    n_positive, n_negative = problem.n_positive, problem.n_negative
    cuts = [_cuts_of(problem, column) for column in range(problem.values.shape[1])]
    fp = np.concatenate([[0, n_negative], *(c.fp for c in cuts)])
    fn = np.concatenate([[n_positive, 0], *(c.fn for c in cuts)])
    found = front_positions(np.column_stack((fp / n_negative, 1 - fn / n_positive)))
    models = tuple(_tree_at(problem, cuts, int(place)) for place in found)
    return ExactCurve(fp[found], fn[found], n_negative, n_positive, models)


def _cuts_of(problem: Problem, column: int) -> _Cuts:
    """Count what every cut of a column errs, in both directions."""
    values = problem.values[:, column]
    order = np.argsort(values, kind="stable")
    ascending, hit = values[order], problem.hit[order]
    ends = np.flatnonzero(ascending[1:] > ascending[:-1])
    hits_left = np.cumsum(hit)[ends]
    others_left = ends + 1 - hits_left
    low, high = ascending[ends], ascending[ends + 1]
    middle = low + (high - low) / 2
    threshold = np.where(middle < high, middle, low)
    return _Cuts(
        column,
        np.concatenate((threshold, threshold)),
        np.repeat([True, False], len(ends)),
        np.concatenate((others_left, problem.n_negative - others_left)),
        np.concatenate((problem.n_positive - hits_left, hits_left)),
    )


def _tree_at(problem: Problem, cuts: list[_Cuts], place: int) -> Tree:
    """Make the tree of one rule; the first two are the constant answers."""
    if place < 2:  # noqa: PLR2004 two constants
        return linear_tree(problem, {}, 0.0, left_hit=place == 1)
    place -= 2
    for rules in cuts:
        if place < len(rules.fp):
            break
        place -= len(rules.fp)
    left_hit = bool(rules.left_hit[place])
    threshold = float(rules.threshold[place])
    return linear_tree(problem, {rules.column: 1.0}, threshold, left_hit=left_hit)
