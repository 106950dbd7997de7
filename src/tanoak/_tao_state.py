"""In: a `Tree`; out: the arrays an optimization starts from, and locks on its nodes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tanoak import _core
from tanoak._grow import _level_counts, _take, _used_rows
from tanoak._table import Level, Table, for_core
from tanoak._tree import Tree

__all__ = [
    "Drawn",
    "NodeLock",
    "Pass",
    "State",
    "core_locks",
    "draw_start",
    "known_fill",
    "stalled",
    "state_of",
]

# Arrays by name, as the core reads and writes them: see TaoState there.
State = Mapping[str, NDArray[Any]]

# Kinds of splits as the core numbers them.
_AXIS, _SUBSET, _SUM = 2, 3, 4


def state_of(tree: Tree) -> State:
    """Return the nodes of a tree as an optimization keeps them.

    Parameters
    ----------
    tree : Tree
        The start.

    Returns
    -------
    dict of str to ndarray
        All nodes in preorder; `solved` marks are 0, so every node will be looked at.

    Examples
    --------
    >>> from tanoak import GreedyTreeRegressor
    >>> tree = GreedyTreeRegressor(max_depth=1).fit([[1.0], [2.0]], [3.0, 4.0]).tree_
    >>> state_of(tree)["kind"], state_of(tree)["answer"]
    (array([2, 0, 0], dtype=uint8), array([3.5, 3. , 4. ]))
    """
    n_terms = np.diff(tree.term_start)
    first = np.minimum(tree.term_start[:-1], max(len(tree.term_column) - 1, 0))
    kind = np.zeros(tree.n_nodes, dtype=np.uint8)
    if len(tree.term_column):
        plain = (tree.term_level[first] < 0) & (tree.term_weight[first] == 1.0)
        kind = np.where((n_terms == 1) & plain, _AXIS, _SUM).astype(np.uint8)
        kind[np.diff(tree.subset_start) > 0] = _SUBSET
    kind[tree.is_leaf] = 0
    answer = tree.mean if tree.label is None else tree.label
    assert answer is not None
    return {
        "left": tree.left,
        "right": tree.right,
        "kind": kind,
        "swapped": np.zeros(tree.n_nodes, dtype=np.uint8),
        "missing_left": tree.missing_left.astype(np.uint8),
        "threshold": tree.threshold,
        "term_start": tree.term_start,
        "term_column": tree.term_column,
        "term_level": tree.term_level,
        "term_weight": tree.term_weight,
        "subset_start": tree.subset_start,
        "subset_words": tree.subset_words,
        "answer": np.asarray(answer, dtype=np.float64),
        "solved": np.zeros(tree.n_nodes, dtype=np.uint64),
    }


@dataclass(frozen=True)
class Pass:
    """What a tree came to after a pass over its nodes; the first is the start.

    Attributes
    ----------
    loss : float
        Total cost of the answers on the training rows (or squared error).
    price : float
        Price of the splits, in the same units.
    n_splits : int
        Splits that training rows reach.
    n_nonzeros : int
        Features that these ask, counted once for each split.
    seconds : float
        What the pass took.
    """

    loss: float
    price: float
    n_splits: int
    n_nonzeros: int
    seconds: float

    @property
    def objective(self) -> float:
        """What never rises: loss and price."""
        return self.loss + self.price

    @classmethod
    def read(cls, told: Mapping[str, Any], seconds: float) -> Pass:
        """Read the core's report.

        Examples
        --------
        >>> told = {"loss": 3.0, "price": 2.0, "n_splits": 2, "n_terms": 2}
        >>> Pass.read(told, 0.0).objective
        5.0
        """
        return cls(
            loss=told["loss"],
            price=told["price"],
            n_splits=told["n_splits"],
            n_nonzeros=told["n_terms"],
            seconds=seconds,
        )


@dataclass(frozen=True)
class Drawn:
    """A random tree to start from, and the classes it is to tell apart."""

    state: State
    classes: tuple[Level, ...] | None


def draw_start(
    table: Table,
    classes: tuple[Level, ...] | None,
    sample_weight: NDArray[np.float64] | None,
    *,
    depth: int,
    n_terms: int,
    seed: int,
) -> Drawn:
    """Draw a complete tree whose splits each halve the rows of their node.

    Parameters
    ----------
    table : Table
        Features of n rows.
    classes : tuple or None
        The K classes; None to predict numbers.
    sample_weight : array of float64, shape (n,), or None
        Rows of weight 0 take no part.
    depth : int
        Levels of splits.
    n_terms : int
        Features in each split, 0 for all of them with weights from a normal
        distribution.
    seed : int
        Draws the same tree again.

    Returns
    -------
    Drawn
        What `optimize_classes` and `optimize_numbers` can start from.

    Examples
    --------
    >>> import numpy as np
    >>> from tanoak._table import read_table
    >>> table = read_table(np.arange(8.0)[:, None])
    >>> start = draw_start(table, None, None, depth=1, n_terms=1, seed=0)
    >>> start.state["threshold"]
    array([3., 0., 0.])
    """
    values = _take(table.values, _used_rows(sample_weight))
    levels = _level_counts(table.columns)
    state = _core.random_start(
        for_core(values, by_column=True), levels, depth, n_terms, seed
    )
    return Drawn(state, classes)


@dataclass(frozen=True, kw_only=True)
class NodeLock:
    """What one node of the start may not do while the rest is optimized.

    Parameters
    ----------
    node : int
        Id of the node in the start, as ``tree.nodes()`` gives it.
    fixed : bool, default False
        Its split stays as it is. (A node above it may still be left out.)
    only : tuple of str or int, or None, default None
        Columns it may ask, by name or position; it asks one of them.
    never : tuple of str or int, default ()
        Columns it may not ask.
    rising, falling : tuple of str or int, default ()
        Columns whose larger values go right, or left.

    Examples
    --------
    >>> from tanoak import NodeLock
    >>> NodeLock(node=0, never=("age",)).never
    ('age',)
    """

    node: int
    fixed: bool = False
    only: tuple[Any, ...] | None = None
    never: tuple[Any, ...] = ()
    rising: tuple[Any, ...] = ()
    falling: tuple[Any, ...] = ()

    def closed(self, n_columns: int) -> list[int]:
        """List the columns that stay out."""
        allowed = range(n_columns) if self.only is None else self.only
        kept = set(allowed) - set(self.never)
        return [column for column in range(n_columns) if column not in kept]


def core_locks(locks: Iterable[NodeLock], n_columns: int) -> list[dict[str, Any]]:
    """Return locks by the core's names.

    Examples
    --------
    >>> core_locks([NodeLock(node=0, only=(1,))], n_columns=3)[0]["closed"]
    [0, 2]
    """
    return [
        {
            "node": lock.node,
            "fixed": lock.fixed,
            "must_ask": lock.only is not None,
            "closed": lock.closed(n_columns),
            "rising": list(lock.rising),
            "falling": list(lock.falling),
        }
        for lock in locks
    ]


def known_fill(tree: Tree) -> list[float]:
    """Return what stands for missing values in a tree's sums; nothing without sums."""
    sums = (np.diff(tree.term_start) > 1).any() or (tree.term_level >= 0).any()
    return tree.fill.tolist() if sums else []


def stalled(state: State) -> bool:
    """Tell whether all leaves answer alike, so that no row cares where it goes."""
    answers = state["answer"][state["left"] < 0]
    return len(answers) > 1 and bool((answers == answers[0]).all())
