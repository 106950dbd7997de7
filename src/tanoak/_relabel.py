"""In: a tree, and costs or a limit on false alarms; out: it with other answers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tanoak._arrays import BoolArray, IntArray, Level
from tanoak._knapsack import best_subset
from tanoak._labels import (
    binary_positive,
    classes_of,
    local_accuracy,
    optimal_labelings,
)
from tanoak._params import Number, check_params
from tanoak._tree import Tree
from tanoak.costs import CostMatrix
from tanoak.exceptions import ParameterError

__all__ = ["relabel"]


def relabel(
    tree: Tree,
    *,
    cost: object = None,
    max_fpr: float | None = None,
    threshold: float | None = None,
    on_hull: bool = False,
    positive: Level | None = None,
) -> Tree:
    """Return the tree with other answers at its leaves; its splits stay.

    Parameters
    ----------
    tree : Tree
        A classification tree; `max_fpr` and `threshold` need two classes.
    cost : array, dict, data frame or CostMatrix, optional
        Each node gives the answer of least expected cost.
    max_fpr : float, optional
        The most true positives of all labellings whose false positive rate on the
        training rows is within this budget: a knapsack problem, solved exactly.
    threshold : float, optional
        Positive where the local positive accuracy is at least this.
    on_hull : bool, default=False
        With `max_fpr`: choose among `optimal_labelings` only. These stay optimal on
        other rows of the same leaves, while the exact choice fits the training rows.
    positive : label, optional
        The class to find; by default the last one.

    Returns
    -------
    Tree
        Of the same nodes; ``tree.cost`` is the cost given, or as it was.

    Examples
    --------
    >>> from tanoak import GreedyTreeClassifier, relabel
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]], [0, 1, 0, 0]
    >>> tree = GreedyTreeClassifier(max_depth=1).fit(X, y).tree_
    >>> relabel(tree, cost={0: 9, 1: 1}).predict(X).tolist()
    [0, 0, 0, 0]
    >>> relabel(tree, max_fpr=0.5).predict(X).tolist()
    [1, 1, 0, 0]
    """
    wishes = {"cost": cost, "max_fpr": max_fpr, "threshold": threshold}
    given = [name for name, value in wishes.items() if value is not None]
    if len(given) != 1:
        told = " and ".join(given) or "none of them"
        msg = f"relabel takes one of cost, max_fpr and threshold, got {told}"
        raise ParameterError(msg)
    if cost is not None:
        classes = classes_of(tree)
        matrix = CostMatrix.from_any(cost, classes, tree.masses[0])
        return replace(tree, cost=matrix, answer_costs=None, label=None)
    target = binary_positive(tree, positive)
    if max_fpr is not None:
        check_params({"max_fpr": max_fpr}, {"max_fpr": Number(0, 1)})
        if not on_hull:
            return _with_positive(tree, target, _most_positive(tree, target, max_fpr))
        labelings = optimal_labelings(tree, positive=positive)
        threshold = [x.threshold for x in labelings if x.fpr <= max_fpr][-1]
    assert threshold is not None
    return _with_positive(tree, target, local_accuracy(tree, target) >= threshold)


def _most_positive(tree: Tree, target: int, max_fpr: float) -> BoolArray:
    """Choose the nodes to be positive: the best leaves within the limit."""
    leaves = np.flatnonzero(tree.is_leaf)
    hits = tree.masses[leaves, target]
    others = tree.masses[leaves, 1 - target]
    total = others.sum() or 1.0
    budget = max_fpr * total
    # A count is within the limit if its rate, as divided, is; the product is rounded.
    whole = np.rint(budget)
    is_within = whole / total <= max_fpr
    budget = max(budget, whole) if is_within else min(budget, np.nextafter(whole, 0))
    chosen = np.zeros(tree.n_nodes, dtype=np.bool_)
    chosen[leaves] = best_subset(hits, others, budget)
    # An inner node answers as the heavier part of its leaves does.
    return _spread_up(tree, chosen)


def _spread_up(tree: Tree, chosen: BoolArray) -> BoolArray:
    """Answer at inner nodes as most of the training mass below is answered."""
    mass = tree.masses.sum(axis=1) * tree.is_leaf
    signed = np.where(chosen, mass, -mass)
    sums = np.concatenate(([0.0], np.cumsum(signed)))
    below = sums[tree.subtree_end] - sums[:-1]
    return np.where(tree.is_leaf, chosen, below > 0)


def _with_positive(tree: Tree, target: int, positive: BoolArray) -> Tree:
    """Return the tree that answers the positive class at some nodes."""
    label: IntArray = np.where(positive, target, 1 - target).astype(np.int32)
    return replace(tree, label=label)
