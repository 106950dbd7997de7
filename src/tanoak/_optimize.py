"""In: a `Table`, targets, costs and a start; out: a `Tree` optimized node by node."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tanoak import _core
from tanoak._grow import (
    _fields,
    _level_counts,
    _stated,
    _sum_by_node,
    _take,
    _used_rows,
)
from tanoak._table import Table, for_core
from tanoak._tao_state import (
    Drawn,
    NodeLock,
    Pass,
    State,
    core_locks,
    known_fill,
    stalled,
    state_of,
)
from tanoak._tree import Tree
from tanoak.costs import Costs

__all__ = [
    "OptimizeSettings",
    "Optimized",
    "Pass",
    "Stopped",
    "optimize_classes",
    "optimize_numbers",
]

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class OptimizeSettings:
    """What nodes may ask, what that costs, and when to stop.

    Attributes
    ----------
    split : {"axis", "pair", "oblique", "auto"}
        What a node may ask: one feature, one or two, a weighted sum of many, or any.
    split_penalty : float
        Price of a split on one feature, in what is at stake on an average row; for
        weighted sums the price of their weights while they are fitted.
    pair_cost : float
        Price of a split on two features, as a multiple of `split_penalty`.
    feature_costs : array of float64, shape (d,), or None
        Price of each column besides, paid by every node that uses it.
    max_iter : int
        Most passes.
    refine : {"threshold", "coordinates"} or None
        Whether a fitted sum is moved on to a smaller loss.
    exact : bool
        Whether splits on two features are searched among all pairs to the end.
    tol : float
        Stop once a pass lowers the objective by less than this share of it.
    all_losses : bool
        Whether each node's least loss with one feature is found even where it could
        not win, so that `Optimized.node_losses` is complete.
    locks : tuple of NodeLock
        What some nodes of the start may not do.
    n_threads : int
        Threads to use; the tree does not depend on it.
    on_pass : callable or None
        Called with each `Pass`.
    """

    split: str = "axis"
    split_penalty: float = 1.0
    pair_cost: float = 1.25
    feature_costs: FloatArray | None = None
    max_iter: int = 20
    tol: float = 0.0
    refine: str | None = None
    exact: bool = False
    all_losses: bool = False
    locks: tuple[NodeLock, ...] = ()
    n_threads: int = 1
    on_pass: Callable[[Pass], None] | None = None

    def for_core(self, n_columns: int) -> dict[str, Any]:
        """Return the settings by the core's names."""
        # Sums alone pay for their weights while they are fitted, and nothing later.
        one = 0.0 if self.split == "oblique" else float(self.split_penalty)
        prices = [] if self.feature_costs is None else self.feature_costs.tolist()
        return {
            "axis": self.split != "oblique",
            "pair": self.split in {"pair", "auto"},
            "exact": self.exact,
            "oblique": self.split in {"oblique", "auto"},
            "penalty": float(self.split_penalty),
            "refine_threshold": self.refine is not None,
            "refine_coordinates": self.refine == "coordinates",
            "all_losses": self.all_losses,
            "axis_price": one,
            "pair_price": self.pair_cost * one,
            "term_price": one,
            "column_prices": prices,
            "locks": core_locks(self.locks, n_columns),
        }


@dataclass(frozen=True, kw_only=True)
class Optimized:
    """An optimized tree and how it came about.

    Attributes
    ----------
    tree : Tree
        What training rows reach of it.
    history : tuple of Pass
        The start and every pass.
    converged : bool
        Whether the last pass changed nothing, or less than `tol`.
    state : dict of str to ndarray
        All nodes, to go on from: see `resume`.
    node_losses : ndarray of float64, shape (n_nodes, 4)
        Least loss found at each node of `tree` on the rows that care, with no split,
        one feature, two, and many; -1 where it was not looked for.
    mean_stake : float
        What is at stake on an average row: the unit of prices.
    """

    tree: Tree
    history: tuple[Pass, ...]
    converged: bool
    state: State = field(repr=False)
    node_losses: FloatArray = field(repr=False)
    mean_stake: float


class Stopped(KeyboardInterrupt):
    """Ctrl-C, with the best so far."""

    def __init__(self, partial: Optimized) -> None:
        super().__init__()
        self.partial = partial


def optimize_classes(
    table: Table,
    labels: NDArray[Any],
    costs: Costs | None,
    start: Tree | Optimized | Drawn,
    settings: OptimizeSettings,
    *,
    sample_weight: FloatArray | None = None,
) -> Optimized:
    """Optimize a classification tree.

    Parameters
    ----------
    table : Table
        Features of n rows.
    labels : array of int, shape (n,)
        Positions in the classes of the start.
    costs : Costs or None
        What answers cost; None: every mistake 1.
    start : Tree, Drawn or Optimized
        Where to start; what an earlier call gave goes on as if it had not stopped.
    settings : OptimizeSettings
        Families, prices, limits.
    sample_weight : array of float64, shape (n,), or None
        Not negative; rows of weight 0 take no part.

    Returns
    -------
    Optimized
        The tree and its history.

    Examples
    --------
    >>> import numpy as np
    >>> from tanoak._grow import GrowSettings, grow_classes
    >>> from tanoak._table import read_table
    >>> table = read_table(np.array([[0.0], [1.0], [2.0], [3.0], [4.0]]))
    >>> labels = np.array([0, 1, 0, 1, 1])
    >>> growth = GrowSettings(criterion="gini")
    >>> start = grow_classes(table, labels, None, growth, classes=("no", "yes"))
    >>> best = optimize_classes(table, labels, None, start, OptimizeSettings())
    >>> start.n_leaves, best.tree.n_leaves, best.history[-1].objective
    (4, 1, 2.0)
    """
    classes = start.tree.classes if isinstance(start, Optimized) else start.classes
    assert classes is not None
    rows = _used_rows(sample_weight)
    values = _take(table.values, rows)
    codes: NDArray[np.int32] = np.ascontiguousarray(_take(labels, rows), np.int32)
    weight = _take(sample_weight, rows)
    class_costs, row_costs = _cost_arrays(costs, codes, rows, len(classes))

    def make(by_class: FloatArray, by_row: FloatArray | None, state: Any) -> Any:
        return _core.optimize_classes(
            for_core(values, by_column=True),
            _level_counts(table.columns),
            codes,
            len(classes),
            by_class.ravel(),
            None if by_row is None else by_row.ravel(),
            weight,
            weight,
            _fill(start),
            settings.for_core(len(table.columns)),
            state,
            settings.n_threads,
        )

    core = make(class_costs, row_costs, _state(start))
    if isinstance(start, Drawn) and stalled(core.state()):
        # No row cares where it goes: one pass for classes that weigh alike.
        counts = np.maximum(np.bincount(codes, weight, len(classes)), 1e-300)
        other = make((1 - np.eye(len(classes))) / counts[:, None], None, _state(start))
        other.run_pass()
        state = other.state()
        core = make(class_costs, row_costs, state | {"solved": 0 * state["solved"]})

    def wrap(arrays: dict[str, Any]) -> Tree:
        return Tree(
            columns=table.columns,
            classes=classes,
            cost=_stated(costs),
            class_factor=None if costs is None else costs.class_factor,
            **_fields(arrays),
        )

    found = _run(core, start, settings, wrap)
    if row_costs is None:
        return found
    if weight is not None:
        row_costs = row_costs * weight[:, None]
    leaf = found.tree.apply(Table(values, table.columns))
    answer_costs = _sum_by_node(found.tree, leaf, row_costs)
    return replace(
        found, tree=replace(found.tree, answer_costs=answer_costs, label=None)
    )


def optimize_numbers(
    table: Table,
    targets: FloatArray,
    start: Tree | Optimized | Drawn,
    settings: OptimizeSettings,
    *,
    sample_weight: FloatArray | None = None,
) -> Optimized:
    """Optimize a regression tree for squared error.

    Parameters
    ----------
    table : Table
        Features of n rows.
    targets : array of float64, shape (n,)
        Finite.
    start, settings
        As for `optimize_classes`.
    sample_weight : array of float64, shape (n,), or None
        Not negative; rows of weight 0 take no part.

    Returns
    -------
    Optimized
        The tree and its history.

    Examples
    --------
    >>> import numpy as np
    >>> from tanoak._grow import GrowSettings, grow_numbers
    >>> from tanoak._table import read_table
    >>> table = read_table(np.array([[0.0], [1.0], [2.0], [3.0]]))
    >>> targets = np.array([1.0, 2.0, 8.0, 9.0])
    >>> start = grow_numbers(table, targets, GrowSettings(criterion="squared_error"))
    >>> best = optimize_numbers(table, targets, start, OptimizeSettings())
    >>> start.n_leaves, best.tree.n_leaves, best.tree.mean
    (4, 2, array([5. , 1.5, 8.5]))
    """
    rows = _used_rows(sample_weight)
    numbers = np.ascontiguousarray(_take(targets, rows), dtype=np.float64)
    core = _core.optimize_numbers(
        for_core(_take(table.values, rows), by_column=True),
        _level_counts(table.columns),
        numbers,
        _take(sample_weight, rows),
        False,
        _fill(start),
        settings.for_core(len(table.columns)),
        _state(start),
        settings.n_threads,
    )

    def wrap(arrays: dict[str, Any]) -> Tree:
        return Tree(columns=table.columns, **_fields(arrays))

    return _run(core, start, settings, wrap)


def _cost_arrays(
    costs: Costs | None,
    codes: NDArray[np.int32],
    rows: NDArray[np.intp] | None,
    n_classes: int,
) -> tuple[FloatArray, FloatArray | None]:
    """Return costs by class and by row, with what priors make of them."""
    if costs is None:
        return 1 - np.eye(n_classes), None
    factor = costs.class_factor
    by_class = costs.matrix.values
    by_row = _take(costs.row_costs, rows)
    if factor is not None:
        by_class = by_class * factor[:, None]
        by_row = None if by_row is None else by_row * factor[codes][:, None]
    return by_class, by_row


def _fill(start: Tree | Optimized | Drawn) -> list[float]:
    """Return what stands for missing values in the start's sums; none: learn it."""
    if isinstance(start, Drawn):
        return []
    return known_fill(start if isinstance(start, Tree) else start.tree)


def _state(start: Tree | Optimized | Drawn) -> dict[str, Any]:
    """Return the nodes to start from."""
    return dict(state_of(start) if isinstance(start, Tree) else start.state)


def _run(
    core: Any,
    start: Tree | Optimized | Drawn,
    settings: OptimizeSettings,
    wrap: Callable[[dict[str, Any]], Tree],
) -> Optimized:
    """Make passes until nothing changes; what Ctrl-C interrupts is not lost."""
    history = list(start.history) if isinstance(start, Optimized) else []
    if not history:
        history.append(Pass.read(core.now(), 0.0))
    converged = False
    arrays, state = core.tree(), core.state()
    origins, losses = core.origins(), core.solution_losses()

    def gather() -> Optimized:
        return Optimized(
            tree=wrap(arrays),
            history=tuple(history),
            converged=converged,
            state=state,
            node_losses=losses[origins],
            mean_stake=core.mean_stake,
        )

    try:
        while len(history) <= settings.max_iter and not converged:
            began = time.perf_counter()
            told = core.run_pass()
            arrays, state = core.tree(), core.state()
            origins, losses = core.origins(), core.solution_losses()
            history.append(Pass.read(told, time.perf_counter() - began))
            before, after = history[-2].objective, history[-1].objective
            # It rises where a lock forbids what the start asks: that is no end.
            small = 0 <= before - after < settings.tol * before
            converged = not told["changed"] or small
            if settings.on_pass is not None:
                settings.on_pass(history[-1])
    except KeyboardInterrupt:
        raise Stopped(gather()) from None
    return gather()
