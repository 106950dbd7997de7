"""In: rows of two classes and a ratio of costs; out: the best linear rule, proven."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

from tanoak._arrays import FloatArray, Level
from tanoak._params import Number, check_params
from tanoak._tree import Tree
from tanoak.exact._problem import Problem, linear_tree, read_problem
from tanoak.exceptions import ParameterError

__all__ = ["LineSolution", "exact_line"]

# Smallest distance from the line at which a row counts as on a side, in a box of
# half-width 1. HiGHS takes 1e-6 for zero.
_MARGIN = 1e-4


@dataclass(frozen=True, eq=False)
class LineSolution:
    """A linear rule with a certificate.

    Attributes
    ----------
    tree : Tree
        One split on a weighted sum of columns, or a constant answer.
    fp, fn : int
        False alarms and misses of `tree` on the rows.
    cost : float
        ``fn + ratio * fp``; `fn` alone with a limit on false alarms.
    bound : float
        What no linear rule of margin 1e-4, in a box of half-width 1, can go below.
    gap : float
        ``(cost - bound) / cost``; 0 is proven optimal.
    """

    tree: Tree
    fp: int
    fn: int
    cost: float
    bound: float
    gap: float


def exact_line(
    X: Any,
    y: Any,
    *,
    ratio: float | None = None,
    max_fp: int | None = None,
    positive: Level | None = None,
    time_limit: float = 60.0,
) -> LineSolution:
    """Find the linear rule of least cost, or of fewest misses within a limit.

    A mixed-integer program with a binary variable for each row, solved by branch and
    bound (HiGHS, through SciPy). Meant for about a hundred rows.

    Parameters
    ----------
    X : array or data frame of numbers, shape (n_rows, n_features)
        Without missing values.
    y : array-like of shape (n_rows,)
        Two classes.
    ratio : float, optional
        Cost of a false alarm over that of a miss.
    max_fp : int, optional
        Instead of it, the most false alarms.
    positive : label, optional
        The class that is to be found; by default the last.
    time_limit : float, default=60.0
        Seconds; the best rule so far comes back, with its gap.

    Returns
    -------
    LineSolution
        The rule, what it errs, and how far it may be from optimal.

    Examples
    --------
    >>> from tanoak.exact import exact_line
    >>> X = [[0, 0], [1, 1], [0, 1], [1, 0], [0.1, 0.1], [0.9, 0.9]]
    >>> found = exact_line(X, [0, 0, 1, 1, 0, 0], ratio=1)
    >>> found.fp + found.fn, found.gap
    (1, 0.0)
    """
    check_params(
        {"ratio": ratio, "max_fp": max_fp, "time_limit": time_limit},
        {
            "ratio": (None, Number(0)),
            "max_fp": (None, Number(0)),
            "time_limit": Number(0, above=True),
        },
    )
    if (ratio is None) == (max_fp is None):
        msg = "exact_line takes one of ratio and max_fp"
        raise ParameterError(msg)
    problem = read_problem(X, y, positive)
    center, scale = _box(problem.values)
    unit = (problem.values - center) / scale
    found = _solve(unit, problem.hit, ratio, max_fp, time_limit)
    candidates = [
        linear_tree(problem, {}, 0.0, left_hit=False),
        linear_tree(problem, {}, 0.0, left_hit=True),
    ]
    if found.x is not None:
        weights, offset = found.x[: unit.shape[1]], found.x[unit.shape[1]]
        candidates.append(_to_tree(problem, weights / scale, center, offset))
    scored = [_score(problem, tree, ratio, max_fp) for tree in candidates]
    best = int(np.argmin([cost for cost, _, _ in scored]))
    cost, fp, fn = scored[best]
    bound = min(cost, _bound(found.mip_dual_bound, ratio))
    gap = (cost - bound) / cost if cost > 0 else 0.0
    return LineSolution(candidates[best], fp, fn, cost, bound, gap)


def _solve(
    unit: FloatArray,
    hit: Any,
    ratio: float | None,
    max_fp: int | None,
    time_limit: float,
) -> Any:
    """Minimize errors over weights in a box; a row errs if it is not clearly right."""
    n_rows, n_columns = unit.shape
    side = np.where(hit, 1.0, -1.0)
    reach = np.abs(unit).sum(axis=1)
    widest = float(reach.max()) + _MARGIN
    big = reach + widest + _MARGIN
    rows = np.hstack([side[:, None] * unit, side[:, None], np.diag(big)])
    constraints = [LinearConstraint(rows, lb=_MARGIN)]
    paid = np.where(hit, 1.0, 0.0 if ratio is None else ratio)
    if max_fp is not None:
        alarms = np.concatenate((np.zeros(n_columns + 1), np.where(hit, 0.0, 1.0)))
        constraints.append(LinearConstraint(alarms[None], ub=math.floor(max_fp)))
    low = np.concatenate((-np.ones(n_columns), [-widest], np.zeros(n_rows)))
    high = np.concatenate((np.ones(n_columns), [widest], np.ones(n_rows)))
    return milp(
        np.concatenate((np.zeros(n_columns + 1), paid)),
        constraints=constraints,
        bounds=Bounds(low, high),
        integrality=np.repeat([0, 1], [n_columns + 1, n_rows]),
        options={"time_limit": time_limit, "mip_rel_gap": 0.0},
    )


def _to_tree(
    problem: Problem, weights: FloatArray, center: FloatArray, offset: float
) -> Tree:
    """Write ``weights . x + offset > 0`` in the units of the columns."""
    used = {j: -float(w) for j, w in enumerate(weights) if w != 0.0}
    threshold = float(offset) - float(weights @ center)
    if not used:
        return linear_tree(problem, {}, 0.0, left_hit=offset > 0)
    return linear_tree(problem, used, threshold, left_hit=True)


def _score(
    problem: Problem, tree: Tree, ratio: float | None, max_fp: int | None
) -> tuple[float, int, int]:
    """Count what a tree errs, by its own routing; infinite beyond the limit."""
    called = tree.predict(problem.values) == problem.classes[problem.target]
    fp = int((called & ~problem.hit).sum())
    fn = int((~called & problem.hit).sum())
    if max_fp is not None:
        return (float(fn) if fp <= max_fp else math.inf), fp, fn
    assert ratio is not None
    return fn + ratio * fp, fp, fn


def _bound(found: float | None, ratio: float | None) -> float:
    """Round a lower bound up to what counts can attain."""
    if found is None or not math.isfinite(found):
        return 0.0
    whole = ratio is None or float(ratio).is_integer()
    return float(math.ceil(found - 1e-6)) if whole else max(0.0, found)


def _box(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Center and half-width of each column; a constant one has half-width 1."""
    low, high = values.min(axis=0), values.max(axis=0)
    half = (high - low) / 2
    return low + half, np.where(half > 0, half, 1.0)
