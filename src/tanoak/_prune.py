"""In: a tree with its masses and costs; out: its cheapest subtrees, smallest last."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tanoak import _core
from tanoak._arrays import FloatArray, IntArray, TreeArrays
from tanoak._decisions import expected_costs
from tanoak._params import Integer, Number, OneOf, Rules, check_params
from tanoak.costs import CostMatrix
from tanoak.exceptions import ParameterError

if TYPE_CHECKING:
    from tanoak._tree import Tree

__all__ = [
    "Links",
    "PruningPath",
    "leaf_costs",
    "pessimistic_nodes",
    "pruned_nodes",
    "pruning_path",
    "weakest_links",
]

# Prices closer than this share of the root's cost are rounding of the same price.
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class PruningPath:
    """The nested subtrees that cost least on the training rows, the largest first.

    With a price of `alpha` for each leaf, subtree ``i`` is the cheapest of all subtrees
    from ``alphas[i]`` up to ``alphas[i + 1]``, and the smallest one among equals.

    Attributes
    ----------
    tree : Tree
        The tree that is pruned.
    alphas : ndarray of float64, shape (n_subtrees,)
        Rising from 0. Unit: mean cost of a training row (mean squared or
        absolute error for regression), per leaf.
    n_leaves : ndarray of int64, shape (n_subtrees,)
        Leaves of each subtree; falling, the last one is 1.
    costs : ndarray of float64, shape (n_subtrees,)
        Mean cost of a training row (mean squared or absolute error for regression).

    See Also
    --------
    pruning_path : Makes it.

    Examples
    --------
    >>> from tanoak import GreedyTreeClassifier, pruning_path
    >>> X, y = [[1], [2], [3], [4], [5], [6]], [0, 0, 1, 0, 1, 1]
    >>> path = pruning_path(GreedyTreeClassifier().fit(X, y).tree_)
    >>> for alpha, n_leaves, cost in zip(*path.to_dict().values()):
    ...     print(f"{alpha:.3f} {n_leaves} {cost:.3f}")
    0.000 4 0.000
    0.083 2 0.167
    0.333 1 0.500
    >>> path[1].n_leaves
    2
    """

    tree: Tree
    alphas: FloatArray
    n_leaves: IntArray
    costs: FloatArray

    def __len__(self) -> int:
        """Return the number of subtrees."""
        return len(self.alphas)

    def __getitem__(self, position: int) -> Tree:
        """Prune the tree to one of the subtrees."""
        return self.tree.prune(alpha=float(self.alphas[position]))

    def __iter__(self) -> Iterator[Tree]:
        """Go through the subtrees, the largest first."""
        return (self[position] for position in range(len(self)))

    def __repr__(self) -> str:
        """Return one line."""
        return (
            f"<PruningPath: {len(self)} subtrees of {self.n_leaves[0]} to "
            f"{self.n_leaves[-1]} leaves>"
        )

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the columns of a table, one row for each subtree.

        Returns
        -------
        dict of str to list
            ``alpha``, ``n_leaves`` and ``cost``; ``pandas.DataFrame`` and
            ``polars.DataFrame`` take it as it is.
        """
        columns = (self.alphas, self.n_leaves, self.costs)
        names = ("alpha", "n_leaves", "cost")
        return {
            name: column.tolist() for name, column in zip(names, columns, strict=True)
        }


def pruning_path(tree: Tree) -> PruningPath:
    """Return all subtrees that are cheapest for some price of a leaf.

    Weakest-link pruning (Breiman, Friedman, Olshen and Stone 1984, chapter 3) on what
    the answers of the tree cost: its cost matrix, the costs of rows, priors and weights
    as in training, or squared error for regression. No data is needed.

    Parameters
    ----------
    tree : Tree
        Any tree.

    Returns
    -------
    PruningPath
        One entry for each subtree. The first is the smallest one that costs no more
        than the whole tree, the last is the root alone.

    See Also
    --------
    Tree.prune : One of the subtrees, by `alpha` or by its size.

    Examples
    --------
    >>> from tanoak import GreedyTreeRegressor, pruning_path
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]], [1.0, 1.0, 5.0, 6.0]
    >>> path = pruning_path(GreedyTreeRegressor().fit(X, y).tree_)
    >>> path
    <PruningPath: 3 subtrees of 3 to 1 leaves>
    >>> path.costs
    array([0.    , 0.125 , 5.1875])
    """
    links = weakest_links(tree, tree.cost)
    alphas = np.unique(np.append(links.price[np.isfinite(links.price)], 0.0))
    ends = np.searchsorted(links.price[links.order], alphas, side="right")
    # Backwards from the root, so that its cost is met exactly.
    to_come = np.append(np.cumsum(links.cost[links.order][::-1])[::-1], 0.0)[ends]
    gone = np.append(0, np.cumsum(links.leaves[links.order]))[ends]
    root = float(leaf_costs(tree, tree.cost)[0])
    costs = np.maximum(root - to_come, 0.0)
    return PruningPath(tree, alphas, tree.n_leaves - gone, costs)


@dataclass(frozen=True, eq=False)
class Links:
    """The steps from a tree to its root, one array entry for each node.

    Attributes
    ----------
    price : array of float64
        Price of a leaf from which on the node is a leaf; infinite for leaves and for
        nodes that are gone before.
    cost : array of float64
        Mean cost of a row that this adds.
    leaves : array of int32
        Number of leaves that this removes.
    order : array of int64
        The nodes of finite price in the order in which they become leaves.
    """

    price: FloatArray
    cost: FloatArray
    leaves: IntArray
    order: IntArray


def weakest_links(
    tree: TreeArrays, cost: CostMatrix | None, risk: FloatArray | None = None
) -> Links:
    """Find the price of a leaf at which each node becomes one.

    Parameters
    ----------
    tree : TreeArrays
        Arrays of a tree.
    cost : CostMatrix or None
        As for `expected_costs`.
    risk : array of float64, shape (n_nodes,), or None
        What each node costs as a leaf; None: on the training rows, as a mean.

    Returns
    -------
    Links
        Prices below 0 (a split that makes it worse) are 0.
    """
    risk = leaf_costs(tree, cost) if risk is None else risk
    price, added, leaves = _core.weakest_links(tree.left, tree.right, risk)
    price = _without_rounding(price, _ROUNDING * float(np.abs(risk).max()))
    steps = np.flatnonzero(np.isfinite(price))
    # Of equal prices the nodes below come first: theirs are the larger ids.
    order = steps[np.lexsort((-steps, price[steps]))]
    return Links(price, added, leaves, order)


def pruned_nodes(
    tree: TreeArrays, cost: CostMatrix | None, *, alpha: Any, n_leaves: Any
) -> IntArray:
    """Return which nodes become leaves at a price, or to have so many leaves.

    Parameters
    ----------
    tree, cost
        As for `weakest_links`.
    alpha : float or None
        Price of a leaf; infinite leaves the root alone.
    n_leaves : int or None
        Most leaves. Steps are taken one by one until there are no more.

    Returns
    -------
    array of int64
        Node ids.
    """
    if (alpha is None) == (n_leaves is None):
        found = "both" if n_leaves is not None else "neither"
        msg = f"pruning needs either alpha or n_leaves, got {found}"
        raise ParameterError(msg)
    prices = (None, Number(0), OneOf(math.inf))
    rules: Rules = {"alpha": prices, "n_leaves": (None, Integer(1))}
    check_params({"alpha": alpha, "n_leaves": n_leaves}, rules)
    links = weakest_links(tree, cost)
    if n_leaves is None:
        return np.flatnonzero((links.price <= alpha) & np.isfinite(links.price))
    gone = np.append(0, np.cumsum(links.leaves[links.order]))
    n_steps = int(np.argmax(tree.n_leaves - gone <= n_leaves))
    return links.order[:n_steps]


def leaf_costs(tree: TreeArrays, cost: CostMatrix | None) -> FloatArray:
    """Return what each node would cost as a leaf with its own answer.

    Parameters
    ----------
    tree, cost
        As for `expected_costs`; regression trees have no cost.

    Returns
    -------
    array of float64, shape (n_nodes,)
        Over the weight of all training rows: means, if added up over leaves.
    """
    if tree.sse is not None:
        total: FloatArray = tree.sse if tree.sae is None else tree.sae
    else:
        assert tree.label is not None
        total = expected_costs(tree, cost)[np.arange(tree.n_nodes), tree.label]
    factor = 1.0 if tree.class_factor is None else tree.class_factor
    weight = float((tree.masses[0] * factor).sum())
    return np.ascontiguousarray(total / weight if weight > 0 else total)


def pessimistic_nodes(tree: TreeArrays, cost: CostMatrix | None) -> IntArray:
    """Return where splits are not worth their leaves by Quinlan's pessimistic rule.

    Each leaf is charged half a mistake. A node becomes a leaf if it then makes at most
    one standard error more mistakes than the leaves below it (Quinlan 1987). Where
    mistakes cost, a row counts as the mean cost of the wrong answers to it, over that
    of all rows: with equal costs these are rows and mistakes.

    Parameters
    ----------
    tree : TreeArrays
        Arrays of a classification tree; a row of weight 2 counts as two rows.
    cost : CostMatrix or None
        As for `expected_costs`.

    Returns
    -------
    array of int64
        Node ids.
    """
    answers = expected_costs(tree, cost)
    assert tree.label is not None
    rows = answers.sum(axis=1) / max(answers.shape[1] - 1, 1)
    if not rows[0] > 0:
        return np.zeros(1, dtype=np.int64)
    factor = 1.0 if tree.class_factor is None else tree.class_factor
    unit = rows[0] / float((tree.masses[0] * factor).sum())
    mistakes = answers[np.arange(tree.n_nodes), tree.label] / unit
    at_leaves = np.where(tree.is_leaf, mistakes + 0.5, 0.0)[:, None]
    below = np.asarray(_core.sums_below(tree.left, tree.right, at_leaves))[:, 0]
    rows = rows / unit
    spread = np.maximum(below * (rows - below), 0.0) / np.where(rows > 0, rows, 1.0)
    return np.flatnonzero(~tree.is_leaf & (mistakes + 0.5 <= below + np.sqrt(spread)))


def _without_rounding(price: FloatArray, tolerance: float) -> FloatArray:
    """Make prices equal that differ by rounding, and 0 what is not above it."""
    order = np.argsort(price, kind="stable")
    ranked = np.where(price > tolerance, price, 0.0)[order]
    with np.errstate(invalid="ignore"):  # infinity less itself
        apart = ~(np.diff(ranked) <= np.maximum(tolerance, _ROUNDING * ranked[:-1]))
    group = np.append(0, np.cumsum(apart & np.isfinite(ranked[:-1])))
    last = np.flatnonzero(np.append(np.diff(group), 1))
    result = np.empty_like(price)
    result[order] = ranked[last[group]]
    return result
