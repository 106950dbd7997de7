"""In: a learner and training data; out: `CostCurve`, trees for a range of costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from tanoak._arrays import FloatArray, Level
from tanoak._checkpoint import open_checkpoint
from tanoak._path_costs import matrix_of, ratio_of
from tanoak._path_curve import curve_of, with_labelings
from tanoak._path_fits import Learner, takes_costs
from tanoak._path_input import read_rows, with_folds
from tanoak._path_rows import PathRows
from tanoak._path_run import PathSettings, Run, make_path
from tanoak._path_tune import tuned
from tanoak.costs import CostMatrix
from tanoak.curve import CostCurve
from tanoak.exceptions import ParameterError

__all__ = ["cost_optimal_curve"]


def cost_optimal_curve(  # noqa: PLR0913 the public door to all settings of a path
    estimator: Any,
    X: Any,
    y: Any,
    *,
    positive: Level | None = None,
    sample_weight: Any = None,
    path: Literal["fresh", "warm"] = "fresh",
    beta: float = 1.5,
    max_trees: int = 40,
    cost_range: tuple[float, float] | None = None,
    resolution: float | None = 0.1,
    costs: Sequence[Any] | None = None,
    cv: Any = 5,
    tune: Mapping[str, Sequence[Any]] | Literal["auto"] | None = "auto",
    labelings: bool = False,
    random_state: int = 0,
    n_jobs: int | None = None,
    verbose: int = 0,
    checkpoint: Any = None,
) -> CostCurve:
    """Make a tree for each of many trade-offs between false alarms and misses.

    The costs of a false alarm start where both classes weigh the same and go up and
    down by a factor of `beta`, until there is nothing left to trade: no false alarms,
    or no misses, on the training rows and out of fold. Then costs between neighbours
    are added where a rate makes a large step. The two constant answers end the curve.

    Parameters
    ----------
    estimator : estimator
        A tree of this package, or any classifier that takes `sample_weight`.
    X : array, sparse matrix or data frame of shape (n_rows, n_features)
        Training rows.
    y : array-like of shape (n_rows,)
        Their classes.
    positive : label, optional
        The class that is to be found; by default the last of two.
    sample_weight : array-like of shape (n_rows,), optional
        Weights of the rows.
    path : {"fresh", "warm"}, default="fresh"
        "fresh" makes every tree anew, which was better on rows not seen; "warm" starts
        each from its neighbour, so that neighbours are alike. "warm" needs an estimator
        that can start from a tree.
    beta : float, default=1.5
        Factor from one cost to the next.
    max_trees : int, default=40
        Most trees, without the two constant answers and further labellings.
    cost_range : tuple of float, optional
        Least and largest cost of a false alarm over that of a miss; by default a
        thousandth to a thousand times the base cost.
    resolution : float or None, default=0.1
        Largest step of either rate between neighbours; None adds no costs between.
    costs : sequence of cost matrices, optional
        Take these instead of a path; any number of classes.
    cv : int, iterable of (train, test) or None, default=5
        Folds to count answers out of; None counts on training rows only.
    tune : dict of str to sequence, "auto" or None, default="auto"
        Parameters to choose once, on a quarter of the rows held out, at the base cost.
        "auto" takes what the estimator recommends.
    labelings : bool, default=False
        Also label each tree's leaves for the costs of all others.
    random_state : int, default=0
        Of the folds and the rows held out.
    n_jobs : int, default=None
        Fits at once, as for joblib. The result does not depend on it.
    verbose : int, default=0
        Above 0: a line on stderr for each step.
    checkpoint : path-like, optional
        Folder for finished fits; a run that was stopped goes on from there.

    Returns
    -------
    CostCurve
        Every tree with its costs, its objective and its rates.

    Examples
    --------
    >>> from tanoak import GreedyTreeClassifier, cost_optimal_curve
    >>> X = [[float(i)] for i in range(60)]
    >>> y = [int(i > 30 or i % 7 == 0) for i in range(60)]
    >>> curve = cost_optimal_curve(GreedyTreeClassifier(max_depth=2), X, y, cv=3)
    >>> curve.held_out.source
    'out of fold (3 folds)'
    """
    settings = PathSettings(
        path=path,
        beta=beta,
        max_trees=max_trees,
        cost_range=cost_range,
        resolution=resolution,
        n_jobs=n_jobs,
        verbose=verbose,
    )
    rows = read_rows(estimator, X, y, positive=positive, sample_weight=sample_weight)
    rows = with_folds(rows, cv, random_state)
    learner = _learner(estimator, settings)
    masses = rows.class_mass()
    base_ratio = float(masses[rows.positive] / (masses.sum() - masses[rows.positive]))
    base = _base_costs(estimator, rows)
    first = matrix_of(base_ratio, rows.classes, rows.positive, base)
    learner = tuned(learner, rows, first, tune, seed=random_state, n_jobs=n_jobs)
    told = {"settings": settings.path, "params": learner.estimator.get_params()}
    folder = open_checkpoint(checkpoint, rows, told | {"folds": len(rows.folds)})
    run = Run(rows, learner, settings, folder)
    if costs is None:
        entries = make_path(run, base_ratio, base)
    else:
        matrices = [CostMatrix.from_any(c, rows.classes, masses) for c in costs]
        entries = run.fit([(ratio_of(m, rows.positive), m, None) for m in matrices])
    return curve_of(rows, with_labelings(rows, entries) if labelings else entries)


def _learner(estimator: Any, settings: PathSettings) -> Learner:
    """Find out how an estimator is started from a tree, if the path needs it."""
    if settings.path == "fresh":
        return Learner(estimator)
    if "init" not in estimator.get_params(deep=False):
        msg = (
            f"path='warm' starts each tree from its neighbour, which "
            f"{type(estimator).__name__} cannot; use path='fresh'"
        )
        raise ParameterError(msg)
    return Learner(estimator, "init")


def _base_costs(estimator: Any, rows: PathRows) -> FloatArray:
    """Costs at a ratio of 1: those of the estimator, or 1 for every mistake."""
    n_classes = len(rows.classes)
    cost = getattr(estimator, "cost", None) if takes_costs(estimator) else None
    if cost is None:
        return 1.0 - np.eye(n_classes)
    if n_classes == 2:  # noqa: PLR2004 two classes
        msg = (
            "the curve sets the costs of both mistakes itself: leave cost of the "
            "estimator None, and give your costs to select(cost=...)"
        )
        raise ParameterError(msg)
    return CostMatrix.from_any(cost, rows.classes, rows.class_mass()).values
