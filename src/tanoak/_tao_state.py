"""In: a `Tree`; out: the arrays an optimization starts from, and locks on its nodes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tanoak._tree import Tree

__all__ = ["NodeLock", "State", "core_locks", "state_of"]

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


@dataclass(frozen=True, kw_only=True)
class NodeLock:
    """What one node of the start may not do while the rest is optimized.

    Parameters
    ----------
    node : int
        Id of the node in the start.
    fixed : bool, default False
        Its split stays as it is.
    only : tuple of int or None, default None
        Columns it may ask; it asks one of them.
    never : tuple of int, default ()
        Columns it may not ask.
    rising, falling : tuple of int, default ()
        Columns whose larger values go right, or left.
    """

    node: int
    fixed: bool = False
    only: tuple[int, ...] | None = None
    never: tuple[int, ...] = ()
    rising: tuple[int, ...] = ()
    falling: tuple[int, ...] = ()

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
