"""In: data and an optimized tree's settings; out: its trees at rising split prices."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tanoak._arrays import FloatArray
from tanoak._breakpoints import breakpoints
from tanoak._curve_table import to_frame
from tanoak._messages import shown
from tanoak._optimize import Optimized, OptimizeSettings
from tanoak._params import Integer, Number, check_params
from tanoak._tao_problem import Problem
from tanoak._tree import Tree
from tanoak.estimators import TAOTreeClassifier, TAOTreeRegressor
from tanoak.estimators._tao_data import read_problem
from tanoak.exceptions import ParameterError

__all__ = [
    "RegularizationPath",
    "read_penalties",
    "read_task",
    "regularization_path",
    "settled",
]

# A price this little above a turn is past it, whatever the turn was rounded to.
_NUDGE = 1 + 1e-9
_MOST_SETTLING = 20
# Prices for weighted sums, whose turns cannot be foreseen.
_SUM_PENALTIES = (0.0, *(0.01 * 2**step for step in range(16)))


@dataclass(frozen=True, eq=False)
class RegularizationPath:
    """Trees for rising prices of a split, each made from the one before.

    Attributes
    ----------
    penalties : ndarray of float64, shape (n_trees,)
        Lowest price at which each tree was found, rising from 0.
    trees : tuple of Tree
        The last is a single leaf, unless the prices or `max_trees` ended the path.
    losses : ndarray of float64, shape (n_trees,)
        Total cost of the answers on the training rows, or squared error.

    See Also
    --------
    regularization_path : Makes it.
    """

    penalties: FloatArray
    trees: tuple[Tree, ...]
    losses: FloatArray

    def __len__(self) -> int:
        """Return the number of trees."""
        return len(self.trees)

    def __getitem__(self, position: int) -> Tree:
        """Return one of the trees."""
        return self.trees[position]

    def __iter__(self) -> Iterator[Tree]:
        """Go through the trees, the largest first."""
        return iter(self.trees)

    def __repr__(self) -> str:
        """Return one line."""
        first, last = self.trees[0].n_leaves, self.trees[-1].n_leaves
        return f"<RegularizationPath: {len(self)} trees of {first} to {last} leaves>"

    def at(self, split_penalty: float) -> Tree:
        """Return the tree of a price.

        Parameters
        ----------
        split_penalty : float
            From 0 on.

        Returns
        -------
        Tree
            The one found at the highest price that is not above it.
        """
        check_params({"split_penalty": split_penalty}, {"split_penalty": Number(0)})
        place = int(np.searchsorted(self.penalties, split_penalty, side="right")) - 1
        return self.trees[max(place, 0)]

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the columns of a table, one row for each tree.

        Returns
        -------
        dict of str to list
            ``split_penalty``, ``n_leaves``, ``n_splits``, ``n_bivariate`` (splits on
            two features), ``features_per_split`` and ``loss``.
        """
        sizes = [np.diff(tree.term_start)[~tree.is_leaf] for tree in self.trees]
        return {
            "split_penalty": self.penalties.tolist(),
            "n_leaves": [tree.n_leaves for tree in self.trees],
            "n_splits": [len(each) for each in sizes],
            "n_bivariate": [int((each == 2).sum()) for each in sizes],  # noqa: PLR2004  # two features
            "features_per_split": [
                float(each.mean()) if len(each) else 0.0 for each in sizes
            ],
            "loss": self.losses.tolist(),
        }

    def to_frame(self) -> Any:
        """Return `to_dict` as a data frame, of pandas or else of polars.

        Returns
        -------
        DataFrame
            One row for each tree.
        """
        return to_frame(self.to_dict())


def regularization_path(  # noqa: PLR0913 the data, and how far the path goes
    X: Any,
    y: Any,
    *,
    estimator: TAOTreeClassifier | TAOTreeRegressor | None = None,
    sample_weight: Any = None,
    row_costs: Any = None,
    penalties: Sequence[float] | None = None,
    max_trees: int = 1000,
) -> RegularizationPath:
    """Optimize a tree at every price of a split that makes a difference.

    From price 0 up, each tree starts from the one before. Splits on one and two
    features: the next price is the smallest at which a node would lose its split, or
    ask one feature instead of two, by the losses of its rows in each case (Kairgeldin
    and Carreira-Perpinan, 2.1.2). Weighted sums have no such prices: theirs double,
    and each tree has the same start, as a sum once fitted does not get shorter.

    Parameters
    ----------
    X : array, sparse matrix or data frame of shape (n_rows, n_features)
        Training rows.
    y : array-like of shape (n_rows,)
        Classes or numbers.
    estimator : TAOTreeClassifier or TAOTreeRegressor, default=None
        All settings but the price, and the start; it is not fitted. None is
        ``TAOTreeClassifier(split="pair")``.
    sample_weight : array-like of shape (n_rows,), optional
        Weights of the rows.
    row_costs : array-like of shape (n_rows, n_classes), optional
        Cost of answering each class on each row.
    penalties : sequence of float, optional
        Prices to take instead.
    max_trees : int, default=1000
        Where the path ends at the latest.

    Returns
    -------
    RegularizationPath
        All trees, with a table of their sizes and losses.

    Examples
    --------
    >>> from tanoak import TAOTreeClassifier, regularization_path
    >>> X = [[float(i)] for i in range(10)]
    >>> y = [0, 0, 0, 1, 0, 1, 1, 1, 1, 1]
    >>> model = TAOTreeClassifier(split="axis")
    >>> regularization_path(X, y, estimator=model).to_dict()["split_penalty"]
    [0.0, 0.5, 3.0]
    """
    check_params({"max_trees": max_trees}, {"max_trees": Integer(1)})
    problem, start, settings = read_task(
        estimator, X, y, sample_weight=sample_weight, row_costs=row_costs
    )
    if penalties is not None:
        steps = _at_given(problem, start, settings, read_penalties(penalties))
    elif settings.split in {"oblique", "auto"}:
        steps = _at_given(problem, start, settings, _SUM_PENALTIES)
    else:
        steps = _at_turns(problem, start, settings)
    found: list[tuple[float, Optimized]] = []
    for penalty, step in steps:
        found.append((penalty, step))
        if len(found) == max_trees or step.tree.n_leaves == 1:
            break
    return RegularizationPath(
        penalties=np.array([penalty for penalty, _ in found]),
        trees=tuple(step.tree for _, step in found),
        losses=np.array([step.history[-1].loss for _, step in found]),
    )


def read_task(
    estimator: Any, X: Any, y: Any, *, sample_weight: Any, row_costs: Any
) -> tuple[Problem, Tree, OptimizeSettings]:
    """Return what an estimator would optimize, where it would start, and how."""
    if estimator is None:
        estimator = TAOTreeClassifier(split="pair")
    if not isinstance(estimator, TAOTreeClassifier | TAOTreeRegressor):
        msg = (
            f"estimator is {shown(estimator)}: give a TAOTreeClassifier or a "
            "TAOTreeRegressor"
        )
        raise ParameterError(msg)
    if isinstance(estimator.init, str) and estimator.init == "random":
        msg = "init='random' starts no path: give 'greedy', a tree or a fitted one"
        raise ParameterError(msg)
    if estimator.locks is not None:
        msg = "locks are about the nodes of one start, but a path has many trees"
        raise ParameterError(msg)
    twin = copy.copy(estimator)  # so that the caller's stays fitted, or not
    twin.warm_start = False
    init = twin._begin()
    table = twin._read_table(X, init)
    problem, _ = read_problem(twin, table, y, sample_weight, row_costs)
    if init is not None and repr(init.classes) != repr(problem.classes):
        known, wanted = shown(init.classes), shown(problem.classes)
        msg = f"the tree to start from has the classes {known}, but y holds {wanted}"
        raise ParameterError(msg)
    weight = problem.rows.sample_weight
    n_classes = len(problem.classes or (0,))
    growth = twin._growth("", len(problem.rows), weight, n_classes)
    start = problem.grow(growth) if init is None else init
    settings = replace(twin._settings(table.columns, None), all_losses=True)
    return problem, start, settings


def read_penalties(penalties: Any) -> tuple[float, ...]:
    """Check prices and put them in order."""
    try:
        listed = list(penalties)
    except TypeError:
        listed = []
    if not listed or not all(map(Number(0).allows, listed)):
        msg = f"penalties is {shown(penalties)}: give a list of numbers >= 0"
        raise ParameterError(msg)
    return tuple(sorted({float(one) for one in listed}))


def settled(problem: Problem, start: Tree, settings: OptimizeSettings) -> Optimized:
    """Optimize until a tree of no dead branches stays as it is."""
    found = problem.optimize(start, settings)
    for _ in range(_MOST_SETTLING):
        again = problem.optimize(found.tree, settings)
        if again.tree == found.tree:
            return again
        found = again
    return found


def _at_given(
    problem: Problem,
    tree: Tree,
    settings: OptimizeSettings,
    penalties: Sequence[float],
) -> Iterator[tuple[float, Optimized]]:
    """Yield the trees of given prices."""
    warm = settings.split in {"axis", "pair"}
    for penalty in penalties:
        found = problem.optimize(tree, replace(settings, split_penalty=penalty))
        tree = found.tree if warm else tree
        yield penalty, found


def _at_turns(
    problem: Problem, start: Tree, settings: OptimizeSettings
) -> Iterator[tuple[float, Optimized]]:
    """Yield a tree for each price at which a node turns."""
    penalty = 0.0
    priced = replace(settings, split_penalty=penalty)
    found = settled(problem, start, priced)
    yield penalty, found
    while found.tree.n_leaves > 1:
        for turn in breakpoints(found, problem.rows, priced):
            step = _turned(problem, found.tree, settings, turn, above=penalty)
            if step is not None:
                break
        else:  # no node ever turns: a split that costs nothing, or must stay
            return
        penalty, found = step
        priced = replace(settings, split_penalty=penalty)
        yield penalty, found


def _turned(
    problem: Problem,
    tree: Tree,
    settings: OptimizeSettings,
    turn: float,
    *,
    above: float,
) -> tuple[float, Optimized] | None:
    """Return the tree of a price, and the price, if it is another tree."""
    for penalty in (turn, turn * _NUDGE):
        if penalty <= above or not math.isfinite(penalty):
            continue
        found = settled(problem, tree, replace(settings, split_penalty=penalty))
        if found.tree != tree:
            return penalty, found
    return None
