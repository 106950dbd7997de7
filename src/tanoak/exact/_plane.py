"""In: rows of two classes and a ratio of costs; out: the best cut by two features."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tanoak import _core
from tanoak._arrays import Level
from tanoak._params import Integer, Number, check_params
from tanoak._tree import Tree
from tanoak.exact._problem import Problem, linear_tree, read_problem
from tanoak.exact._stump import exact_stump_curve

__all__ = ["PairSolution", "exact_pair"]

_UNIT = 2**30  # a miss, in whole units of the search
_LARGEST_RATIO = 2.0**20
_SEARCH_ALL = {"exact": True, "n_pairs": 0, "tolerance": 0.0, "effort": 0}


@dataclass(frozen=True, eq=False)
class PairSolution:
    """The best cut by at most two features, with a certificate.

    Attributes
    ----------
    tree : Tree
        One split on two columns or one, or a constant answer.
    fp, fn : int
        False alarms and misses of `tree` on the rows.
    cost : float
        ``fn + ratio * fp``.
    bound : float
        What no cut by two features can go below.
    certificate : {"optimal", "slope", "gap"}
        "optimal": proven; "slope": only lines of nearly the same slope are not ruled
        out; "gap": proven up to `bound`.
    """

    tree: Tree
    fp: int
    fn: int
    cost: float
    bound: float
    certificate: str


def exact_pair(
    X: Any,
    y: Any,
    *,
    ratio: float,
    positive: Level | None = None,
    n_threads: int = 1,
) -> PairSolution:
    """Find the cut by two features of least cost, over all pairs of columns.

    Branch and bound on slope intervals; thousands of rows and tens of columns take
    seconds.

    Parameters
    ----------
    X : array or data frame of numbers, shape (n_rows, n_features)
        Without missing values.
    y : array-like of shape (n_rows,)
        Two classes.
    ratio : float
        Cost of a false alarm over that of a miss.
    positive : label, optional
        The class that is to be found; by default the last.
    n_threads : int, default=1
        Threads; the result does not depend on it.

    Returns
    -------
    PairSolution
        The cut, what it errs, and the certificate.

    Examples
    --------
    >>> from tanoak.exact import exact_pair
    >>> X = [[0.0, 0.0], [1.0, 0.2], [0.3, 1.0], [1.0, 1.0], [0.9, 0.8], [0.1, 0.2]]
    >>> found = exact_pair(X, [0, 0, 0, 1, 1, 0], ratio=1)
    >>> found.fp + found.fn, found.certificate
    (0, 'optimal')
    """
    check_params(
        {"ratio": ratio, "n_threads": n_threads},
        {"ratio": Number(0, _LARGEST_RATIO), "n_threads": Integer(1)},
    )
    problem = read_problem(X, y, positive)
    stumps = exact_stump_curve(problem.values, problem.hit)
    best = stumps.cheapest(ratio)
    stump = _named(problem, stumps.models[best])
    fp, fn = int(stumps.fp[best]), int(stumps.fn[best])
    found = _search(problem, ratio, n_threads)
    if found is None:
        return PairSolution(stump, fp, fn, fn + ratio * fp, fn + ratio * fp, "optimal")
    tree, bound, certificate = found
    called = tree.predict(problem.values) == problem.classes[problem.target]
    pair_fp = int((called & ~problem.hit).sum())
    pair_fn = int((~called & problem.hit).sum())
    if pair_fn + ratio * pair_fp < fn + ratio * fp:
        stump, fp, fn = tree, pair_fp, pair_fn
    cost = fn + ratio * fp
    bound = min(bound, cost)
    settled = "optimal" if bound == cost else certificate
    return PairSolution(stump, fp, fn, cost, bound, settled)


def _search(
    problem: Problem, ratio: float, n_threads: int
) -> tuple[Tree, float, str] | None:
    """Search all pairs; None where there is no pair, or none that beats a constant."""
    n_columns = problem.values.shape[1]
    alarm = round(ratio * _UNIT)
    if n_columns < 2 or alarm == 0:  # noqa: PLR2004 a pair
        return None
    found = _core.solve_pair(
        problem.values,
        [0] * n_columns,
        [0.0] * n_columns,
        np.where(problem.hit, _UNIT, -alarm).astype(np.int64),
        0,
        _SEARCH_ALL,
        n_threads,
    )
    if not found["terms"]:
        return None
    weights = {column: weight for column, _, weight in found["terms"]}
    tree = linear_tree(problem, weights, found["threshold"], left_hit=True)
    return tree, found["bound"] / _UNIT, found["certificate"]


def _named(problem: Problem, stump: Tree) -> Tree:
    """Return a stump with the names and classes of the problem."""
    label = stump.label
    assert label is not None
    left_hit = bool(label[0] == 1) if stump.n_nodes == 1 else bool(label[1] == 1)
    weights = dict(
        zip(stump.term_column.tolist(), stump.term_weight.tolist(), strict=True)
    )
    threshold = float(stump.threshold[0])
    return linear_tree(problem, weights, threshold, left_hit=left_hit)
