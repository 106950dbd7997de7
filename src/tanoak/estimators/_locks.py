"""In: locks on nodes of a start; out: the same by position, and what they cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tanoak._messages import shown
from tanoak._optimize import Optimized, OptimizeSettings
from tanoak._table import Columns
from tanoak._tao_state import NodeLock
from tanoak._tree import Tree
from tanoak.exceptions import ParameterError

__all__ = ["LockCost", "Run", "read_locks", "weigh_locks"]

Run = Callable[[Any, OptimizeSettings], Optimized]


@dataclass(frozen=True)
class LockCost:
    """What locks cost on the training rows, prices of splits included.

    Attributes
    ----------
    locked : float
        Loss + price of the tree that obeys the locks.
    free : float
        Loss + price of the better of two trees without locks: optimized from the same
        start, and from the tree that obeys them. Never above `locked`.
    free_tree : Tree
        That tree.
    """

    locked: float
    free: float
    free_tree: Tree

    @property
    def cost(self) -> float:
        """What the locks cost: never below 0."""
        return self.locked - self.free


def read_locks(
    locks: Any, start: Tree | None, columns: Columns
) -> tuple[NodeLock, ...]:
    """Check locks against the start and name their columns by position.

    Parameters
    ----------
    locks : None or sequence of NodeLock
        As the user gave them.
    start : Tree or None
        The tree whose nodes they name; None if there is none to name.
    columns : Columns
        Columns of the training rows.

    Returns
    -------
    tuple of NodeLock
        The locks, columns by position.

    Examples
    --------
    >>> from tanoak import GreedyTreeRegressor
    >>> tree = GreedyTreeRegressor(max_depth=1).fit([[1.0], [2.0]], [3.0, 4.0]).tree_
    >>> read_locks([NodeLock(node=0, fixed=True)], tree, tree.columns)[0].fixed
    True
    """
    if locks is None:
        return ()
    if not isinstance(locks, Sequence) or not all(
        isinstance(lock, NodeLock) for lock in locks
    ):
        msg = f"locks is {shown(locks)}: give a list of tanoak.NodeLock"
        raise ParameterError(msg)
    if locks and start is None:
        msg = (
            "locks name nodes of the tree to start from, and there is none: give a "
            "Tree or a fitted estimator as init="
        )
        raise ParameterError(msg)
    seen: set[int] = set()
    for lock in locks:
        _check_node(lock.node, start, seen)
        seen.add(lock.node)
    return tuple(_by_position(lock, columns) for lock in locks)


def _check_node(node: Any, start: Tree | None, seen: set[int]) -> None:
    """Refuse nodes that are not there, ask nothing, or are locked already."""
    assert start is not None
    inner = [int(i) for i in (start.left >= 0).nonzero()[0]]
    if isinstance(node, bool) or node not in inner:
        msg = f"locks holds the node {shown(node)}, the splits of the start are {inner}"
        raise ParameterError(msg)
    if node in seen:
        msg = f"locks holds the node {node} twice: put all about it in one NodeLock"
        raise ParameterError(msg)


def _by_position(lock: NodeLock, columns: Columns) -> NodeLock:
    """Name the columns of a lock by position."""

    def places(names: Sequence[Any]) -> tuple[int, ...]:
        if isinstance(names, str):
            names = (names,)
        return tuple(_place(name, columns) for name in names)

    told = replace(
        lock,
        only=None if lock.only is None else places(lock.only),
        never=places(lock.never),
        rising=places(lock.rising),
        falling=places(lock.falling),
    )
    both = set(told.rising) & set(told.falling)
    if both:
        msg = f"the lock of node {lock.node} wants a column both rising and falling"
        raise ParameterError(msg)
    if len(told.closed(len(columns))) == len(columns) and not lock.fixed:
        msg = f"the lock of node {lock.node} leaves it no column: allow one"
        raise ParameterError(msg)
    return told


def _place(name: Any, columns: Columns) -> int:
    """Find a column by name, or by position."""
    if columns.named and name in columns.names:
        return columns.names.index(name)
    is_place = isinstance(name, int) and not isinstance(name, bool)
    if is_place and 0 <= name < len(columns):
        return int(name)
    msg = f"locks names the column {shown(name)}, which X does not have"
    raise ParameterError(msg)


def weigh_locks(
    run: Run, start: Any, found: Optimized, settings: OptimizeSettings
) -> LockCost:
    """Optimize without the locks, from the same start and from what came of it.

    Parameters
    ----------
    run : callable
        Optimizes a start with settings.
    start : Tree, Drawn or Optimized
        Where the locked optimization started.
    found : Optimized
        What came of it.
    settings : OptimizeSettings
        With the locks.

    Returns
    -------
    LockCost
        Both objectives, and the tree without locks.

    Examples
    --------
    >>> from tanoak import GreedyTreeRegressor, TAOTreeRegressor
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [1.0, 1.0, 5.0, 5.0]
    >>> start = GreedyTreeRegressor(max_depth=1).fit(X, y)
    >>> lock = NodeLock(node=0, falling=(0,))
    >>> told = {"split": "axis", "split_penalty": 0.5}
    >>> model = TAOTreeRegressor(init=start, locks=[lock], **told).fit(X, y)
    >>> model.lock_cost_.locked, model.lock_cost_.free
    (16.0, 2.0)
    """
    free = replace(settings, locks=(), on_pass=None)
    others = [run(start, free), run(found.tree, free)]
    best = min(others, key=lambda each: each.history[-1].objective)
    locked = found.history[-1].objective
    return LockCost(locked, min(best.history[-1].objective, locked), best.tree)
