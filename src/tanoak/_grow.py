"""In: a `Table`, what to separate and settings; out: a `Tree`, grown greedily."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tanoak import _core
from tanoak._medians import node_medians
from tanoak._monotone import ordered_means
from tanoak._stakes import read_stakes
from tanoak._table import Columns, Level, Table, for_core
from tanoak._tree import Tree
from tanoak.costs import CostMatrix, Costs

__all__ = ["GrowSettings", "grow_classes", "grow_numbers"]

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class GrowSettings:
    """When growth stops and what it may use.

    Attributes
    ----------
    criterion : str
        What a cut is chosen by: one of `CLASS_CRITERIA`, "squared_error" or
        "absolute_error".
    cost_mode : str
        How costs enter, one of `COST_MODES`.
    split_smoothing : {"laplace"} or float or None
        What criteria "auc" and "expected_error" add to the classes of each side.
    split : {"axis", "pair", "oblique"}
        How many features a cut weighs.
    n_orientations, pair_cost, max_pairs : int, float, int
        Of cuts by two features: directions that are tried, what they must gain in
        units of the best cut on one, and how many pairs are tried in a node.
    n_restarts, n_jumps, seed : int
        Of cuts by any number of features: climbs in a node, random moves tried from a
        top before one ends, and what both draw from.
    max_depth, max_leaf_nodes : int or None
        Limits; with `max_leaf_nodes` the best cut of the whole tree is made first.
    min_samples_split, min_samples_leaf : int
        Rows that a node must have to be cut, and that each child must keep.
    min_weight_fraction_leaf : float
        Share of the total weight that each child must keep.
    min_impurity_decrease : float
        Decrease of impurity, times the node's share of the weight, a cut must reach.
    monotone : tuple of int
        For each column 1 if answers may only rise along it, -1 if only fall, else 0;
        empty: none. Answers are means, or the share of the last of two classes.
    max_memory : int
        Bytes for the sorted columns; beyond, upper nodes are cut at quantiles.
    n_threads : int
        Threads to use; the tree does not depend on it.
    on_progress : callable or None
        Called now and then with the number of rows that have reached their leaf.
    on_pairs : callable or None
        Called once, for cuts by two features, with the number of pairs that there are
        and the most that were tried in a node.
    """

    criterion: str
    cost_mode: str = "altered_priors"
    split_smoothing: str | float | None = None
    split: str = "axis"
    n_orientations: int = 16
    pair_cost: float = 1.1
    max_pairs: int = 5000
    n_restarts: int = 20
    n_jumps: int = 20
    seed: int = 0
    max_depth: int | None = None
    max_leaf_nodes: int | None = None
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    min_weight_fraction_leaf: float = 0.0
    min_impurity_decrease: float = 0.0
    monotone: tuple[int, ...] = ()
    max_memory: int = 2**30
    n_threads: int = 1
    on_progress: Callable[[int], None] | None = None
    on_pairs: Callable[[int, int], None] | None = None

    def for_core(self) -> dict[str, Any]:
        """Return the settings by the core's names; -1 is no limit."""
        return {
            "split": self.split,
            "n_orientations": _bounded(self.n_orientations),
            "pair_cost": float(self.pair_cost),
            "max_pairs": _bounded(self.max_pairs),
            "n_restarts": _bounded(self.n_restarts),
            "n_jumps": _bounded(self.n_jumps),
            "seed": int(self.seed) % 2**64,
            "max_depth": _bounded(self.max_depth),
            "max_leaves": _bounded(self.max_leaf_nodes),
            "min_rows_split": _bounded(self.min_samples_split),
            "min_rows_leaf": _bounded(self.min_samples_leaf),
            "min_mass_fraction": float(self.min_weight_fraction_leaf),
            "min_impurity_decrease": float(self.min_impurity_decrease),
            "max_sort_bytes": _bounded(self.max_memory),
            "monotone": list(self.monotone),
        }


def grow_classes(
    table: Table,
    labels: NDArray[Any],
    costs: Costs | None,
    settings: GrowSettings,
    *,
    classes: tuple[Level, ...],
    sample_weight: FloatArray | None = None,
) -> Tree:
    """Grow a tree that separates classes and answers at least expected cost.

    Parameters
    ----------
    table : Table
        Features of n rows.
    labels : array of int, shape (n,)
        Positions in `classes`.
    costs : Costs or None
        What mistakes cost; `cost_mode` says how that enters. None: 1 each.
    settings : GrowSettings
        With one of the criteria for classes.
    classes : tuple
        The K classes.
    sample_weight : array of float64, shape (n,), or None
        Not negative; rows of weight 0 take no part.

    Returns
    -------
    Tree
        With counts and masses at every node.

    Examples
    --------
    >>> import numpy as np
    >>> from tanoak._table import read_table
    >>> table = read_table(np.array([[1.0], [2.0], [3.0]]))
    >>> labels, settings = np.array([0, 0, 1]), GrowSettings(criterion="gini")
    >>> tree = grow_classes(table, labels, None, settings, classes=("no", "yes"))
    >>> tree.threshold[0], tree.n_leaves
    (np.float64(2.5), 2)
    """
    rows = _used_rows(sample_weight)
    values = _take(table.values, rows)
    codes: NDArray[np.int32] = np.ascontiguousarray(_take(labels, rows), np.int32)
    weight = _take(sample_weight, rows)
    if costs is not None:
        costs = replace(costs, row_costs=_take(costs.row_costs, rows))
    modes = (settings.criterion, settings.cost_mode, settings.split_smoothing)
    stakes = read_stakes(codes, costs, modes, n_classes=len(classes), weight=weight)
    arrays = _core.grow_classes(
        for_core(values, by_column=True),
        _level_counts(table.columns),
        codes,
        len(classes),
        stakes.criterion,
        stakes.class_mass,
        stakes.row_mass,
        weight,
        stakes.class_costs,
        stakes.row_costs,
        stakes.added_mass,
        settings.for_core(),
        settings.n_threads,
        settings.on_progress,
    )
    _note_pairs(arrays, settings)
    tree = Tree(
        columns=table.columns,
        classes=classes,
        cost=_stated(costs),
        class_factor=None if costs is None else costs.class_factor,
        **_fields(arrays),
    )
    if costs is None or (costs.row_costs is None and settings.cost_mode != "weights"):
        return tree
    return _with_answers(tree, values, codes, costs, (settings.cost_mode, weight))


def grow_numbers(
    table: Table,
    targets: FloatArray,
    settings: GrowSettings,
    *,
    sample_weight: FloatArray | None = None,
) -> Tree:
    """Grow a tree of least squared or absolute error.

    Parameters
    ----------
    table : Table
        Features of n rows.
    targets : array of float64, shape (n,)
        Finite.
    settings : GrowSettings
        With criterion "squared_error" or "absolute_error".
    sample_weight : array of float64, shape (n,), or None
        Not negative; rows of weight 0 take no part.

    Returns
    -------
    Tree
        With counts, weights, mean (or median) and errors at every node.

    Examples
    --------
    >>> import numpy as np
    >>> from tanoak._table import read_table
    >>> table = read_table(np.array([[1.0], [2.0], [3.0]]))
    >>> settings = GrowSettings(criterion="squared_error", max_depth=1)
    >>> grow_numbers(table, np.array([5.0, 5.0, 9.0]), settings).mean
    array([6.33333333, 5.        , 9.        ])
    """
    rows = _used_rows(sample_weight)
    values, weight = _take(table.values, rows), _take(sample_weight, rows)
    numbers = np.ascontiguousarray(_take(targets, rows), dtype=np.float64)
    arrays = _core.grow_numbers(
        for_core(values, by_column=True),
        _level_counts(table.columns),
        numbers,
        settings.criterion,
        weight,
        settings.for_core(),
        settings.n_threads,
        settings.on_progress,
    )
    _note_pairs(arrays, settings)
    tree = Tree(columns=table.columns, **_fields(arrays))
    if any(settings.monotone):
        tree = replace(tree, mean=ordered_means(tree, settings.monotone))
    if settings.criterion == "squared_error":
        return tree
    assert tree.mean is not None
    assert tree.sse is not None
    median, sae = node_medians(
        tree, tree.apply(Table(values, tree.columns)), numbers, weight
    )
    sse = tree.sse + tree.masses[:, 0] * (tree.mean - median) ** 2
    return replace(tree, mean=median, sse=sse, sae=sae)


def _bounded(limit: int | None) -> int:
    """Fit a limit into the core's 64 bits, with room to double it; -1 is none."""
    return -1 if limit is None else min(int(limit), 2**53)


def _stated(costs: Costs | None) -> CostMatrix | None:
    """Return what mistakes cost; None if all cost 1, which needs no words."""
    if costs is None:
        return None
    n_classes = len(costs.matrix.classes)
    is_plain = np.array_equal(costs.matrix.values, 1 - np.eye(n_classes))
    return None if is_plain else costs.matrix


def _used_rows(sample_weight: FloatArray | None) -> NDArray[np.intp] | None:
    """Rows that weigh something; None if all do."""
    if sample_weight is None or np.all(sample_weight > 0):
        return None
    return np.flatnonzero(sample_weight > 0)


def _take(values: Any, rows: NDArray[np.intp] | None) -> Any:
    """Pick some of the rows; without a copy if it is all of them."""
    if rows is None or values is None:
        return values
    if isinstance(values, np.ndarray):
        return np.ascontiguousarray(values[rows])
    return values.tocsr()[rows]


def _level_counts(columns: Columns) -> list[int]:
    """Count the categories of each column, 0 for numbers."""
    return [0 if levels is None else len(levels) for levels in columns.levels]


def _with_answers(
    tree: Tree,
    values: Any,
    codes: NDArray[np.int32],
    costs: Costs,
    how: tuple[str, FloatArray | None],
) -> Tree:
    """Add what answers cost where rows differ, and labels that are not the cheapest."""
    cost_mode, weight = how
    stakes = None
    if costs.row_costs is not None:
        leaf = tree.apply(Table(values, tree.columns))
        each = 1.0 if weight is None else weight[:, None]
        tree = replace(
            tree, answer_costs=_sum_by_node(tree, leaf, costs.row_costs * each)
        )
        of_class = codes[:, None] == np.arange(len(costs.matrix.classes))
        at_stake = np.asarray(costs.row_weight)[:, None] * each
        if cost_mode == "weights":
            stakes = _sum_by_node(tree, leaf, of_class * at_stake)
    elif cost_mode == "weights":
        stakes = tree.masses * costs.growth_factor
    if stakes is None:
        return replace(tree, label=None)
    return replace(tree, label=stakes.argmax(axis=1).astype(np.int32))


def _note_pairs(arrays: dict[str, Any], settings: GrowSettings) -> None:
    """Take out how many pairs were tried, and pass it on."""
    n_pairs, n_searched = arrays.pop("n_pairs"), arrays.pop("n_pairs_searched")
    if settings.on_pairs is not None and settings.split == "pair":
        settings.on_pairs(n_pairs, n_searched)


def _fields(arrays: dict[str, Any]) -> dict[str, Any]:
    """Turn what the core gives into fields of a Tree."""
    masses = arrays.get("masses", arrays["counts"])
    missing_left = arrays["missing_left"].astype(bool)
    return arrays | {"masses": masses, "missing_left": missing_left}


def _sum_by_node(
    tree: Tree, leaf: NDArray[np.int64], row_values: FloatArray
) -> FloatArray:
    """Sum rows of values at their leaf and at all nodes above it."""
    sums: FloatArray = np.column_stack(
        [np.bincount(leaf, column, tree.n_nodes) for column in row_values.T]
    )
    for depth in range(tree.depth, 0, -1):
        nodes = np.flatnonzero(tree.node_depth == depth)
        np.add.at(sums, tree.parent[nodes], sums[nodes])
    return sums
