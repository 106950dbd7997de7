"""In: rows and a way to grow; out: the tree of the size that costs least on other rows.

Each function also returns a table: columns by name, one entry for each subtree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tanoak._arrays import BoolArray, FloatArray, IntArray
from tanoak._folds import deal_folds, hold_out
from tanoak._held_out import Rows, Stretches, join, node_losses, stretches
from tanoak._prune import (
    leaf_costs,
    pessimistic_nodes,
    pruning_path,
    weakest_links,
)
from tanoak._tree import Tree

__all__ = [
    "PruningTable",
    "Splits",
    "at_price",
    "by_folds",
    "by_held_out",
    "deal_out",
    "on_rows",
    "pessimistic",
    "reduced_error",
    "reduced_on_rows",
]

Grow = Callable[[Rows], Tree]
Splits = list[tuple[IntArray, IntArray]]
PruningTable = dict[str, NDArray[Any]]

# Mean costs closer than this share of the largest one are rounding of the same cost.
_ROUNDING = 1e-12


def by_folds(
    rows: Rows, grow: Grow, splits: Splits, *, one_se: bool
) -> tuple[Tree, PruningTable]:
    """Choose the price of a leaf by cross-validation, and prune the tree of all rows.

    Breiman, Friedman, Olshen and Stone (1984), section 3.4.2: a tree is grown without
    each fold, pruned at the geometric middles of the price ranges of the whole tree,
    and pays for its answers on the fold.

    Parameters
    ----------
    rows : Rows
        All rows.
    grow : callable
        Grows a tree on some of them.
    splits : list of pairs of arrays of int
        Rows to grow on and rows to hold out; no row is held out twice.
    one_se : bool
        Take the smallest tree within a standard error of the cheapest one.

    Returns
    -------
    tuple of Tree and dict
        See `on_rows`; costs are means over the rows of all folds.
    """
    whole = grow(rows)
    alphas = _middles(pruning_path(whole).alphas)
    parts = []
    for grown_on, held in splits:
        tree = grow(rows.take(grown_on))
        links = weakest_links(tree, tree.cost)
        part = stretches(tree, rows.take(held), links, alphas)
        parts.append(replace(part, row=held[part.row]))
    weight = np.zeros(len(rows))
    for _, held in splits:
        weight[held] = rows.weight[held]
    return _choose(whole, join(parts), weight, one_se=one_se)


def deal_out(rows: Rows, n_folds: int, seed: int) -> Splits:
    """Deal rows out to folds: for each the rows outside and inside of it.

    Parameters
    ----------
    rows : Rows
        Those of weight 0 are in no fold.
    n_folds : int
        As many as rows where there are not so many.
    seed : int
        Decides who is where.

    Returns
    -------
    list of pairs of arrays of int64
        Empty where there are not two rows.
    """
    used = np.flatnonzero(rows.weighs)
    n_folds = min(n_folds, len(used))
    if n_folds == 1:
        return []
    fold = deal_folds(rows.target[used], n_folds, seed, by_class=rows.has_classes)
    return [(used[fold != k], used[fold == k]) for k in range(n_folds)]


def by_held_out(
    rows: Rows, grow: Grow, *, fraction: float, seed: int
) -> tuple[Tree, PruningTable]:
    """Choose the price of a leaf on a share of the rows, then grow on all of them.

    Parameters
    ----------
    rows, grow
        As for `by_folds`.
    fraction : float
        Share of the rows that are held out.
    seed : int
        Decides which.

    Returns
    -------
    tuple of Tree and dict
        The table is about the tree of the other rows.
    """
    grown_on, held = _parts(rows, fraction, seed)
    if held is None:
        return at_price(grow(rows), 0.0)
    _, table = on_rows(grow(grown_on), held, one_se=False)
    return grow(rows).prune(alpha=float(table["alpha"][table["chosen"]][0])), table


def reduced_error(
    rows: Rows, grow: Grow, *, fraction: float, seed: int
) -> tuple[Tree, PruningTable]:
    """Grow on a part of the rows and prune to what is cheapest on the others.

    Parameters
    ----------
    rows, grow, fraction, seed
        As for `by_held_out`. The tree is that of the rows that are not held out.

    Returns
    -------
    tuple of Tree and dict
        See `reduced_on_rows`.
    """
    grown_on, held = _parts(rows, fraction, seed)
    tree = grow(grown_on)
    return reduced_on_rows(tree, rows if held is None else held)


def on_rows(tree: Tree, rows: Rows, *, one_se: bool) -> tuple[Tree, PruningTable]:
    """Prune to the subtree of the path that is cheapest on some rows.

    Parameters
    ----------
    tree : Tree
        Any tree.
    rows : Rows
        Rows that it was not grown on.
    one_se : bool
        As for `by_folds`.

    Returns
    -------
    tuple of Tree and dict
        The subtree, and for each subtree of the path: `alpha`, the geometric middle of
        the prices at which it is cheapest in training (infinite for the root alone);
        `n_leaves`; `training_cost`; `cost` on the rows, with its `standard_error`;
        `excess` over the cheapest one, with its `excess_error`; whether it is
        `chosen`.
    """
    rows = _weighing(rows)
    alphas = _middles(pruning_path(tree).alphas)
    seen = stretches(tree, rows, weakest_links(tree, tree.cost), alphas)
    return _choose(tree, seen, rows.weight, one_se=one_se)


def reduced_on_rows(tree: Tree, rows: Rows) -> tuple[Tree, PruningTable]:
    """Prune to the subtree, of all there are, that is cheapest on some rows.

    Quinlan (1987): from the bottom up a node becomes a leaf if that costs no more.

    Parameters
    ----------
    tree, rows
        As for `on_rows`.

    Returns
    -------
    tuple of Tree and dict
        The smallest of the cheapest subtrees; the table has the tree before and after.
    """
    rows = _weighing(rows)
    weight = rows.weight.sum() or 1.0
    links = weakest_links(tree, tree.cost, node_losses(tree, rows) / weight)
    pruned = tree.prune(np.flatnonzero(links.price <= 0))
    table = _before_and_after(tree, pruned)
    paid = [node_losses(each, rows)[each.is_leaf].sum() for each in (tree, pruned)]
    return pruned, table | {"cost": np.array(paid) / weight}


def pessimistic(tree: Tree) -> tuple[Tree, PruningTable]:
    """Prune by Quinlan's pessimistic rule; see `pessimistic_nodes`."""
    pruned = tree.prune(pessimistic_nodes(tree, tree.cost))
    return pruned, _before_and_after(tree, pruned)


def at_price(tree: Tree, alpha: float) -> tuple[Tree, PruningTable]:
    """Prune at a price of a leaf, in mean cost of a training row."""
    path = pruning_path(tree)
    table: PruningTable = {
        "alpha": _middles(path.alphas),
        "n_leaves": path.n_leaves,
        "training_cost": path.costs,
    }
    last = int(np.flatnonzero(path.alphas <= alpha)[-1])
    return tree.prune(alpha=alpha), table | {"chosen": _only(last, len(path))}


def _choose(
    tree: Tree, seen: Stretches, weight: FloatArray, *, one_se: bool
) -> tuple[Tree, PruningTable]:
    """Prune to the cheapest subtree, or the smallest one that may be as cheap."""
    _, table = at_price(tree, 0.0)
    n_steps = len(table["alpha"])
    cost, error = seen.means(weight, n_steps)
    tolerance = _ROUNDING * float(np.abs(cost).max())
    chosen = _last(cost <= cost.min() + tolerance)
    # Paired: on the same rows, a difference is known better than either cost.
    excess, excess_error = seen.means(weight, n_steps, seen.at(chosen, len(weight)))
    excess = np.where(excess <= tolerance, 0.0, excess)
    if one_se:
        chosen = _last(excess <= excess_error)
    table |= {"cost": cost, "standard_error": error}
    table |= {"excess": excess, "excess_error": excess_error}
    table["chosen"] = _only(chosen, n_steps)
    return tree.prune(alpha=float(table["alpha"][chosen])), table


def _before_and_after(tree: Tree, pruned: Tree) -> PruningTable:
    """Describe a tree and what pruning has left of it."""
    both = (tree, pruned)
    paid = [leaf_costs(each, each.cost)[each.is_leaf].sum() for each in both]
    return {
        "n_leaves": np.array([each.n_leaves for each in both]),
        "training_cost": np.array(paid),
        "chosen": _only(1, 2),
    }


def _middles(alphas: FloatArray) -> FloatArray:
    """Return the geometric middle of the prices at which each subtree is cheapest."""
    roots = np.sqrt(alphas)  # of each, as a product may leave a double
    return np.append(roots[:-1] * roots[1:], np.inf)


def _parts(rows: Rows, fraction: float, seed: int) -> tuple[Rows, Rows | None]:
    """Split rows into those to grow on and those held out, None if there is but one."""
    used = _weighing(rows)
    if len(used) < 2:  # noqa: PLR2004  # a part each
        return rows, None
    held = hold_out(used.target, fraction, seed, by_class=used.has_classes)
    return used.take(~held), used.take(held)


def _weighing(rows: Rows) -> Rows:
    """Leave out rows of weight 0."""
    return rows if rows.weighs.all() else rows.take(rows.weighs)


def _last(fits: BoolArray) -> int:
    """Return the last place where something is true."""
    return int(np.flatnonzero(fits)[-1])


def _only(place: int, length: int) -> BoolArray:
    """Return a mask that is true at one place."""
    mask: BoolArray = np.arange(length) == place
    return mask
