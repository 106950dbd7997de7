"""In: a tree and rows it was not grown on; out: what its subtrees cost on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tanoak import _core
from tanoak._arrays import BoolArray, FloatArray, IntArray
from tanoak._prune import Links
from tanoak._table import Table
from tanoak._tree import Tree
from tanoak.costs import Costs

__all__ = ["Rows", "Stretches", "join", "node_losses", "stretches"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Rows:
    """Rows with their targets, and what answers to them cost.

    Attributes
    ----------
    table : Table
        Features.
    target : array of shape (n,)
        Positions of their classes, or numbers.
    costs : Costs or None
        Of these rows; None: each mistake costs 1, or its squared error.
    sample_weight : array of float64, shape (n,), or None
        None is 1 each.
    """

    table: Table
    target: NDArray[Any]
    costs: Costs | None = None
    sample_weight: FloatArray | None = None

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.target)

    @property
    def has_classes(self) -> bool:
        """Whether the targets are classes."""
        return self.target.dtype.kind != "f"

    @property
    def weighs(self) -> BoolArray:
        """Which rows take part: those of a weight above 0."""
        if self.sample_weight is None:
            return np.ones(len(self), dtype=np.bool_)
        return np.asarray(self.sample_weight > 0)

    @property
    def weight(self) -> FloatArray:
        """What each row counts in a mean: its weight times what priors make of it."""
        weight = (
            np.ones(len(self)) if self.sample_weight is None else self.sample_weight
        )
        factor = None if self.costs is None else self.costs.class_factor
        return weight if factor is None else weight * factor[self.target]

    def take(self, chosen: IntArray | BoolArray) -> Rows:
        """Return some of the rows, by position or by a mask."""
        values, costs, weight = self.table.values, self.costs, self.sample_weight
        picked = values if isinstance(values, np.ndarray) else values.tocsr()
        if costs is not None and costs.row_costs is not None:
            costs = replace(costs, row_costs=costs.row_costs[chosen])
        return Rows(
            table=Table(picked[chosen], self.table.columns),
            target=self.target[chosen],
            costs=costs,
            sample_weight=None if weight is None else weight[chosen],
        )

    def losses(self, tree: Tree, row: IntArray, node: IntArray) -> FloatArray:
        """Return what rows cost that get the answers of nodes, in pairs."""
        if tree.mean is not None:
            away = np.asarray(self.target[row] - tree.mean[node])
            return np.square(away) if tree.sae is None else np.abs(away)
        assert tree.label is not None
        return self.paid(row, tree.label[node])

    def paid(self, row: IntArray, answer: IntArray) -> FloatArray:
        """Return what classes cost as answers to rows, in pairs."""
        if self.costs is None:
            return np.asarray(self.target[row] != answer, dtype=np.float64)
        if self.costs.row_costs is not None:
            return np.asarray(self.costs.row_costs[row, answer])
        return np.asarray(self.costs.matrix.values[self.target[row], answer])


def node_losses(tree: Tree, rows: Rows) -> FloatArray:
    """Return what the rows that pass a node would cost if it were a leaf.

    Parameters
    ----------
    tree : Tree
        Any tree.
    rows : Rows
        Rows of the same columns and classes.

    Returns
    -------
    array of float64, shape (n_nodes,)
        Sums with the weights of the rows, 0 where no row comes by.
    """
    leaf, weight = tree.apply(rows.table), rows.weight
    if tree.mean is not None and tree.sae is not None:
        return _absolute_errors(leaf, rows.target, weight, tree)
    if tree.mean is not None:
        # About the mean of all, or small errors would be lost beside large squares.
        shift = float(tree.mean[0])
        away = rows.target - shift
        sums = _sums_below(tree, leaf, [weight, weight * away, weight * away**2])
        mean = tree.mean - shift
        total = sums[:, 2] - 2 * mean * sums[:, 1] + mean**2 * sums[:, 0]
        return np.maximum(total, 0.0)
    assert tree.label is not None
    n_classes = tree.masses.shape[1]
    row = np.arange(len(rows))
    paid = [weight * rows.paid(row, np.full_like(row, k)) for k in range(n_classes)]
    return _sums_below(tree, leaf, paid)[np.arange(tree.n_nodes), tree.label]


def _absolute_errors(
    leaf: IntArray, target: FloatArray, weight: FloatArray, tree: Tree
) -> FloatArray:
    """Sum how far rows lie from the answer of each node they pass."""
    total = np.zeros(tree.n_nodes)
    node = leaf
    assert tree.mean is not None
    while len(node):
        total += np.bincount(
            node, weight * np.abs(target - tree.mean[node]), len(total)
        )
        node = tree.parent[node]
        below = node >= 0
        node, target, weight = node[below], target[below], weight[below]
    return total


def _sums_below(
    tree: Tree, leaf: IntArray, columns: Sequence[FloatArray]
) -> FloatArray:
    """Sum values of rows at their leaf and at all nodes above it."""
    each_leaf = [np.bincount(leaf, column, tree.n_nodes) for column in columns]
    sums: FloatArray = np.column_stack(each_leaf).astype(np.float64)
    return np.asarray(_core.sums_below(tree.left, tree.right, sums))


@dataclass(frozen=True, eq=False)
class Stretches:
    """What rows cost while a tree is pruned step by step.

    Row ``row[i]`` costs ``loss[i]`` from step ``first[i]`` to before ``last[i]``; the
    stretches of a row cover all steps.

    Attributes
    ----------
    row, first, last : array of int64, shape (n_stretches,)
    loss : array of float64, shape (n_stretches,)
    """

    row: IntArray
    first: IntArray
    last: IntArray
    loss: FloatArray

    def at(self, step: int, n_rows: int) -> FloatArray:
        """Return what each row costs at one step."""
        here = (self.first <= step) & (step < self.last)
        loss = np.zeros(n_rows)
        loss[self.row[here]] = self.loss[here]
        return loss

    def means(
        self, weight: FloatArray, n_steps: int, base: FloatArray | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """Return the mean cost at each step and its standard error.

        Parameters
        ----------
        weight : array of float64, shape (n_rows,)
            Of all rows.
        n_steps : int
            Number of steps.
        base : array of float64, shape (n_rows,), or None
            What to take off from the cost of each row before.

        Returns
        -------
        tuple of two arrays of float64, shape (n_steps,)
            Rows count as drawn one by one: the error is that of a weighted mean.
        """
        value = self.loss if base is None else self.loss - base[self.row]
        w = weight / (weight.sum() or 1.0)
        of_row = w[self.row]
        mean = self._along(of_row * value, n_steps)
        squares = self._along(np.square(of_row * value), n_steps)
        products = self._along(np.square(of_row) * value, n_steps)
        variance = squares - 2 * mean * products + mean**2 * np.square(w).sum()
        return mean, np.sqrt(np.maximum(variance, 0.0))

    def _along(self, value: FloatArray, n_steps: int) -> FloatArray:
        """Sum a value of each stretch at each of the steps that it covers."""
        change = np.bincount(self.first, value, n_steps + 1)
        change = change - np.bincount(self.last, value, n_steps + 1)
        return np.asarray(np.cumsum(change)[:n_steps], dtype=np.float64)


def stretches(tree: Tree, rows: Rows, links: Links, alphas: FloatArray) -> Stretches:
    """Follow rows while a tree is pruned at rising prices of a leaf.

    Parameters
    ----------
    tree : Tree
        The tree to prune.
    rows : Rows
        Rows of the same columns and classes.
    links : Links
        The price at which each node becomes a leaf.
    alphas : array of float64, shape (n_steps,)
        Prices, rising; the last one may be infinite, and then all but the root goes.

    Returns
    -------
    Stretches
        One for each row and cost that it has, one after the other.
    """
    n_steps = len(alphas)
    goes = np.isfinite(links.price)
    step = np.where(goes, np.searchsorted(alphas, links.price), n_steps)
    above = _next_above(tree, goes)
    at, row = tree.apply(rows.table), np.arange(len(rows))
    first, parts = np.zeros_like(row), []
    while len(row):
        top = above[at] < 0
        last = np.where(top, n_steps, step[above[at]])
        some = last > first
        losses = rows.losses(tree, row[some], at[some])
        parts.append(Stretches(row[some], first[some], last[some], losses))
        on = ~top & (last < n_steps)
        row, at, first = row[on], above[at[on]], last[on]
    return join(parts)


def join(parts: Sequence[Stretches]) -> Stretches:
    """Put stretches one after the other."""
    names = ("row", "first", "last", "loss")
    if not parts:
        nothing = np.zeros(0, dtype=np.int64)
        return Stretches(nothing, nothing, nothing, np.zeros(0))
    joined = (np.concatenate([getattr(part, name) for part in parts]) for name in names)
    return Stretches(*joined)


def _next_above(tree: Tree, goes: BoolArray) -> IntArray:
    """Return the nearest node above each that becomes a leaf in its turn; -1: none."""
    above: IntArray = tree.parent.astype(np.int64)
    while True:
        skipped = (above >= 0) & ~goes[above]
        if not skipped.any():
            return above
        # What is skipped may have skipped some itself: the ways double each time.
        above[skipped] = above[above[skipped]]
