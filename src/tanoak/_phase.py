"""In: data and prices of splits on one and two features; out: what trees ask there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from tanoak._arrays import BoolArray, FloatArray
from tanoak._curve_table import to_frame
from tanoak._folds import hold_out
from tanoak._held_out import Rows
from tanoak._messages import shown
from tanoak._optimize import OptimizeSettings
from tanoak._params import Integer, Number, check_params
from tanoak._regularization import read_penalties, read_task
from tanoak._tao_problem import Problem
from tanoak._tree import Tree
from tanoak.estimators import TAOTreeClassifier, TAOTreeRegressor
from tanoak.exceptions import ParameterError

__all__ = ["PhaseDiagram", "phase_diagram"]

_PENALTIES = (1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0)
# For numbers, in shares of the squared error about the mean.
_SHARES = (1e-4, 2e-4, 4e-4, 1e-3, 2e-3, 4e-3, 1e-2, 2e-2, 4e-2)
_PAIR_COSTS = (1.0, 1.1, 1.25, 1.5, 2.0, 3.0, 5.0, 10.0)
_HELD_OUT = 0.25


@dataclass(frozen=True, eq=False)
class PhaseDiagram:
    """What trees ask, and cost, for each price of a split and of a second feature.

    Attributes
    ----------
    split_penalties : ndarray of float64, shape (n_penalties,)
        Rising.
    pair_costs : ndarray of float64, shape (n_pair_costs,)
        Rising.
    bivariate, univariate : ndarray of float64, shape (n_pair_costs, n_penalties)
        Share of the splits that ask two features, or one; both 0 for a single leaf.
    n_splits : ndarray of int64, shape (n_pair_costs, n_penalties)
        Decision nodes.
    test_cost : ndarray of float64, shape (n_pair_costs, n_penalties)
        Mean cost of a row held out: share of mistakes, cost or squared error.

    See Also
    --------
    phase_diagram : Makes it.
    """

    split_penalties: FloatArray
    pair_costs: FloatArray
    bivariate: FloatArray
    univariate: FloatArray
    n_splits: NDArray[np.int64]
    test_cost: FloatArray

    def __repr__(self) -> str:
        """Return one line."""
        n_rows, n_columns = self.n_splits.shape
        return f"<PhaseDiagram: {n_rows} pair costs x {n_columns} split penalties>"

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the columns of a table, one row for each pair of prices.

        Returns
        -------
        dict of str to list
            ``pair_cost``, ``split_penalty``, ``bivariate``, ``univariate``,
            ``n_splits`` and ``test_cost``.
        """
        costs, penalties = np.meshgrid(
            self.pair_costs, self.split_penalties, indexing="ij"
        )
        names = ("bivariate", "univariate", "n_splits", "test_cost")
        columns = {name: getattr(self, name) for name in names}
        columns = {"pair_cost": costs, "split_penalty": penalties} | columns
        return {name: column.ravel().tolist() for name, column in columns.items()}

    def to_frame(self) -> Any:
        """Return `to_dict` as a data frame, of pandas or else of polars.

        Returns
        -------
        DataFrame
            One row for each pair of prices.
        """
        return to_frame(self.to_dict())


def phase_diagram(  # noqa: PLR0913 the data, two grids, and the rows to test on
    X: Any,
    y: Any,
    *,
    estimator: TAOTreeClassifier | TAOTreeRegressor | None = None,
    sample_weight: Any = None,
    row_costs: Any = None,
    split_penalties: Sequence[float] | None = None,
    pair_costs: Sequence[float] = _PAIR_COSTS,
    test_rows: Any = None,
    random_state: int = 0,
) -> PhaseDiagram:
    """Optimize trees at many prices of a split and of a second feature.

    Figure 1 of Kairgeldin and Carreira-Perpinan on bivariate trees: where splits are
    dear there are none, where a second feature is dear all ask one, and trees that mix
    both lie in between. For each pair cost trees start from one another, from the
    lowest price of a split up.

    Parameters
    ----------
    X : array, sparse matrix or data frame of shape (n_rows, n_features)
        Rows to train and to test on.
    y : array-like of shape (n_rows,)
        Classes or numbers.
    estimator : TAOTreeClassifier or TAOTreeRegressor, default=None
        All other settings, with ``split="pair"``; it is not fitted.
    sample_weight : array-like of shape (n_rows,), optional
        Weights of the rows.
    row_costs : array-like of shape (n_rows, n_classes), optional
        Cost of answering each class on each row.
    split_penalties : sequence of float, optional
        1 to 32, or for numbers shares of the squared error about the mean.
    pair_costs : sequence of float
        Prices of a split on two features, as multiples of that on one.
    test_rows : array of int or bool, optional
        Rows to test on, by position or as a mask, which are not trained on. None is a
        quarter of all.
    random_state : int, default=0
        Decides which quarter.

    Returns
    -------
    PhaseDiagram
        Shares of splits on one and two features, their number, and cost on test rows.

    Examples
    --------
    >>> import numpy as np
    >>> from tanoak import phase_diagram
    >>> X = np.random.default_rng(0).uniform(size=(200, 2))
    >>> told = {"split_penalties": [10, 100], "pair_costs": [2, 50]}
    >>> phase_diagram(X, X.sum(axis=1) > 1, **told).n_splits
    array([[1, 0],
           [2, 0]])
    """
    check_params({"random_state": random_state}, {"random_state": Integer(0)})
    if estimator is None:
        estimator = TAOTreeClassifier(split="pair")
    if getattr(estimator, "split", "pair") != "pair":
        msg = f"a phase diagram is about split='pair', got split={estimator.split!r}"
        raise ParameterError(msg)
    whole, start, settings = read_task(
        estimator, X, y, sample_weight=sample_weight, row_costs=row_costs
    )
    held = _held_out(whole.rows, test_rows, random_state)
    problem, tested = whole.take(~held), whole.rows.take(held)
    if not isinstance(estimator.init, str):
        begin = start
    else:  # the whole problem's start has seen the test rows
        weight = problem.rows.sample_weight
        begin = problem.grow(estimator._growth("", len(problem.rows), weight))
    penalties = _penalties(problem, split_penalties)
    ratios = _pair_costs(pair_costs)
    alone = replace(settings, n_threads=1, all_losses=False)
    lines = Parallel(n_jobs=settings.n_threads, prefer="threads")(
        delayed(_line)(problem, begin, replace(alone, pair_cost=ratio), penalties)
        for ratio in ratios
    )
    grid = np.array([[_measures(tree, tested) for tree in line] for line in lines])
    return PhaseDiagram(
        split_penalties=np.array(penalties),
        pair_costs=np.array(ratios),
        bivariate=grid[:, :, 0],
        univariate=grid[:, :, 1],
        n_splits=grid[:, :, 2].astype(np.int64),
        test_cost=grid[:, :, 3],
    )


def _line(
    problem: Problem,
    tree: Tree,
    settings: OptimizeSettings,
    penalties: Sequence[float],
) -> list[Tree]:
    """Return the trees of rising prices, each from the one before."""
    trees = []
    for penalty in penalties:
        tree = problem.optimize(tree, replace(settings, split_penalty=penalty)).tree
        trees.append(tree)
    return trees


def _measures(tree: Tree, rows: Rows) -> tuple[float, float, float, float]:
    """Return shares of splits on two and one features, their number, and the cost."""
    sizes = np.diff(tree.term_start)[~tree.is_leaf]
    two = float((sizes == 2).mean()) if len(sizes) else 0.0  # noqa: PLR2004  # two features
    one = 1.0 - two if len(sizes) else 0.0
    leaf, weight = tree.apply(rows.table), rows.weight
    paid = rows.losses(tree, np.arange(len(rows)), leaf)
    return two, one, float(len(sizes)), float(weight @ paid / (weight.sum() or 1.0))


def _held_out(rows: Rows, test_rows: Any, seed: int) -> BoolArray:
    """Return which rows to test on."""
    n_rows = len(rows)
    if test_rows is None:
        if n_rows < 2:  # noqa: PLR2004  # one to train on, one to test
            msg = "X has one row: a phase diagram needs rows to train on and to test"
            raise ParameterError(msg)
        return hold_out(rows.target, _HELD_OUT, seed, by_class=rows.has_classes)
    given = np.asarray(test_rows)
    held = np.zeros(n_rows, dtype=np.bool_)
    by_mask = given.dtype == bool and given.shape == (n_rows,)
    by_place = given.dtype.kind in "iu" and given.ndim == 1 and given.size > 0
    if by_mask or (by_place and given.min() >= 0 and given.max() < n_rows):
        held[given] = True
    if not held.any() or not rows.weighs[~held].any():
        msg = (
            f"test_rows is {shown(test_rows)}: give positions from 0 to {n_rows - 1}, "
            "or a mask, of some of the rows but not of all"
        )
        raise ParameterError(msg)
    return held


def _penalties(problem: Problem, given: Any) -> tuple[float, ...]:
    """Return prices of a split, rising."""
    if given is not None:
        return read_penalties(given)
    if problem.classes is None:
        return tuple(share * problem.mass for share in _SHARES)
    return _PENALTIES


def _pair_costs(given: Any) -> tuple[float, ...]:
    """Check prices of a second feature and put them in order."""
    listed = list(given) if hasattr(given, "__iter__") else []
    if not listed or not all(map(Number(1).allows, listed)):
        msg = f"pair_costs is {shown(given)}: give a list of numbers >= 1"
        raise ParameterError(msg)
    return tuple(sorted({float(one) for one in listed}))
