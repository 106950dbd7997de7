"""In: an optimized tree; out: prices of a split at which one of its nodes turns.

At a higher price a node may lose its split, and with it all below one side, or ask one
feature instead of two. What that loses is known: of one feature from the losses that
the optimization recorded, of no split by sending the node's rows down either side.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tanoak import _core
from tanoak._arrays import FloatArray, IntArray
from tanoak._held_out import Rows
from tanoak._optimize import Optimized, OptimizeSettings
from tanoak._routing import ROUTED
from tanoak._table import for_core
from tanoak._tree import Tree

__all__ = ["breakpoints", "node_prices", "one_sided_losses"]

_NONE, _ONE = 0, 1  # columns of the recorded losses


@dataclass(frozen=True)
class _Sides:
    """What the rows of a node lose as they are, and if all went to one side."""

    node: int
    now: float
    left: float
    right: float


def breakpoints(
    found: Optimized, rows: Rows, settings: OptimizeSettings
) -> list[float]:
    """List the prices of a split at which a node may change, others as they are.

    Parameters
    ----------
    found : Optimized
        A tree whose nodes are all at their best at its price, with `all_losses`.
    rows : Rows
        Those it was optimized on.
    settings : OptimizeSettings
        That it was optimized with.

    Returns
    -------
    list of float
        Rising; unit: what is at stake on an average row.
    """
    tree, unit = found.tree, found.mean_stake
    prices = node_prices(tree, settings)
    below = _sums_in_subtrees(tree, prices)
    turns: list[float] = []
    for sides in one_sided_losses(tree, rows):
        node = sides.node
        left, right = int(tree.left[node]), int(tree.right[node])
        for loss, gone in ((sides.left, right), (sides.right, left)):
            scaled, fixed = prices[node] + below[gone]
            turns.append(((loss - sides.now) / unit - fixed) / scaled)
        none, one = found.node_losses[node, [_NONE, _ONE]]
        if prices[node, 0] > 1 and one >= 0:
            # Recorded losses are about rows that care: compared with no split.
            more = min(sides.left, sides.right) - none + one - sides.now
            turns += _cheaper_columns(more / unit, prices[node], settings)
    return sorted(turn for turn in turns if turn > 0)


def node_prices(tree: Tree, settings: OptimizeSettings) -> FloatArray:
    """Return what each split costs, in prices of a split and besides.

    Parameters
    ----------
    tree : Tree
        Of splits on one or two features.
    settings : OptimizeSettings
        What features cost.

    Returns
    -------
    array of float64, shape (n_nodes, 2)
        0 at leaves.
    """
    n_terms = np.diff(tree.term_start)
    prices = np.zeros((tree.n_nodes, 2))
    prices[:, 0] = np.where(n_terms > 1, settings.pair_cost, 1.0)
    if settings.feature_costs is not None:
        for node in np.flatnonzero(~tree.is_leaf):
            terms = slice(tree.term_start[node], tree.term_start[node + 1])
            asked = np.unique(tree.term_column[terms])
            prices[node, 1] = settings.feature_costs[asked].sum()
    prices[tree.is_leaf] = 0
    return prices


def one_sided_losses(tree: Tree, rows: Rows) -> Iterator[_Sides]:
    """Send the rows of each node down either side, and sum what they lose there.

    Parameters
    ----------
    tree : Tree
        Any tree.
    rows : Rows
        Rows of the same columns and classes.

    Yields
    ------
    record
        For each split: `node`, and the losses `now`, all `left` and all `right`.
    """
    used = rows if rows.weighs.all() else rows.take(rows.weighs)
    leaf, ends = tree.apply(used.table), _ends(tree)
    weight, row = used.weight, np.arange(len(used))
    now = weight * used.losses(tree, row, leaf)
    for node in np.flatnonzero(~tree.is_leaf):
        here = np.flatnonzero((leaf >= node) & (leaf < ends[node]))
        part = used.take(here)
        totals = [
            weight[here]
            * used.losses(tree, here, _leaves_below(tree, side, ends, part))
            for side in (int(tree.left[node]), int(tree.right[node]))
        ]
        sums = [float(each.sum()) for each in (now[here], *totals)]
        yield _Sides(int(node), *sums)


def _cheaper_columns(
    more: float, price: FloatArray, settings: OptimizeSettings
) -> Iterator[float]:
    """Return when one feature beats two, by what that feature may cost besides."""
    costs = settings.feature_costs
    for fixed in [0.0] if costs is None else np.unique(costs):
        yield (more - (price[1] - fixed)) / (price[0] - 1)


def _leaves_below(tree: Tree, node: int, ends: IntArray, rows: Rows) -> IntArray:
    """Return the leaf that rows end in which start at some node."""
    end = int(ends[node])
    arrays = {name: getattr(tree, name) for name in ROUTED}
    for name in ("left", "right"):
        child = arrays[name][node:end]
        arrays[name] = np.where(child < 0, -1, child - node).astype(np.int32)
    for name in ("threshold", "missing_left"):
        arrays[name] = arrays[name][node:end]
    for name, parts in (
        ("term_start", ("term_column", "term_level", "term_weight")),
        ("subset_start", ("subset_words",)),
    ):
        start = arrays[name][node : end + 1]
        for part in parts:
            arrays[part] = arrays[part][start[0] : start[-1]]
        arrays[name] = start - start[0]
    router = _core.Router(*(np.ascontiguousarray(arrays[name]) for name in ROUTED))
    found = router.apply(for_core(rows.table.values), 1).astype(np.int64)
    return np.asarray(found + node, dtype=np.int64)


def _ends(tree: Tree) -> IntArray:
    """Return the node after the last one below each; nodes are in preorder."""
    ends = np.arange(1, tree.n_nodes + 1)
    for node in np.flatnonzero(~tree.is_leaf)[::-1]:
        ends[node] = ends[tree.right[node]]
    return ends


def _sums_in_subtrees(tree: Tree, values: FloatArray) -> FloatArray:
    """Sum values over each node and all below it."""
    sums = values.copy()
    for node in np.flatnonzero(~tree.is_leaf)[::-1]:
        sums[node] += sums[tree.left[node]] + sums[tree.right[node]]
    return sums
