"""In: the arrays of a tree and a matrix; out: the leaf of every row, by NumPy alone.

This is the twin of the compiled router and what `tanoak.serve` predicts with. The
arithmetic is part of the file format, see `Router`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tanoak._arrays import BoolArray, FloatArray, IntArray, TreeArrays

__all__ = ["AXIS", "LEAF", "LINEAR", "ROUTED", "SUBSET", "Router", "node_kinds"]

LEAF: Final = 0
AXIS: Final = 1
SUBSET: Final = 2
LINEAR: Final = 3

# The arrays that decide where rows go, in the order the compiled router takes them.
ROUTED: Final = (
    "left",
    "right",
    "threshold",
    "missing_left",
    "term_start",
    "term_column",
    "term_level",
    "term_weight",
    "subset_start",
    "subset_words",
    "fill",
)

N_LANES = 8
_BLOCK = 1 << 15  # rows at a time: the working arrays stay in the cache

# Gives the values at (rows, columns) as doubles.
Cells = Callable[[IntArray, IntArray], FloatArray]


class Router:
    """Send rows down a tree.

    The rule, at a node of each kind:

    * subset: the value is the code of a level and goes left if its bit is set; a
      value that is no code (missing, or outside of the words) follows `missing_left`;
    * axis (one term of weight 1 on a number): left if value <= threshold, compared as
      doubles; NaN follows `missing_left`;
    * linear (any other terms): NaN is replaced by the column's `fill`, a term of level
      l stands for 1.0 where the code equals l and else 0.0. The product of term and
      weight is added, in the order of the terms, to lane `column % 8`, and
      ``((l0+l4)+(l2+l6))+((l1+l5)+(l3+l7)) <= threshold`` goes left; a sum that is NaN
      (infinite products that cancel) follows `missing_left`.

    Parameters
    ----------
    tree : TreeArrays
        Checked arrays; see `tanoak._checks.check_tree`.
    """

    def __init__(self, tree: TreeArrays) -> None:
        self._tree = tree
        self._kind = node_kinds(tree)
        # Leaves have no first term; theirs is never looked at.
        first = np.minimum(tree.term_start[:-1], max(len(tree.term_column) - 1, 0))
        self._column = tree.term_column[first] if len(tree.term_column) else first

    def apply(self, values: Any, n_threads: int = 1) -> npt.NDArray[np.int32]:
        """Return the leaf of every row.

        Parameters
        ----------
        values : array of shape (n_rows, n_columns) or scipy.sparse CSR, CSC
            float32 or float64 in any memory order; sparse ones canonical.
        n_threads : int, default 1
            Taken for the sake of the compiled router; one thread does the work.

        Returns
        -------
        numpy.ndarray of int32, shape (n_rows,)
            Node ids.
        """
        cells = _cells(values)
        leaf = np.zeros(values.shape[0], dtype=np.int32)
        # Overflow in a product is part of the rule, not an accident.
        with np.errstate(over="ignore", invalid="ignore"):
            for start in range(0, len(leaf), _BLOCK):
                rows = np.arange(start, min(start + _BLOCK, len(leaf)))
                leaf[rows] = self._walk(cells, rows)
        return leaf

    def _walk(self, cells: Cells, rows: IntArray) -> npt.NDArray[np.int32]:
        """Step all rows down together until each is in a leaf."""
        node = np.zeros(len(rows), dtype=np.int32)
        active = np.arange(len(rows) if self._kind[0] != LEAF else 0)
        while active.size:
            here = node[active]
            left = self._sides(cells, rows[active], here)
            there = np.where(left, self._tree.left[here], self._tree.right[here])
            node[active] = there
            active = active[self._kind[there] != LEAF]
        return node

    def _sides(self, cells: Cells, rows: IntArray, node: IntArray) -> BoolArray:
        """Whether each row goes left at the node it is at."""
        kind = self._kind[node]
        left = np.zeros(len(rows), dtype=bool)
        rules = ((AXIS, self._axis), (SUBSET, self._subset), (LINEAR, self._linear))
        for this, rule in rules:
            chosen = np.flatnonzero(kind == this)
            if chosen.size:
                left[chosen] = rule(cells, rows[chosen], node[chosen])
        return left

    def _axis(self, cells: Cells, rows: IntArray, node: IntArray) -> BoolArray:
        """Compare one number with the threshold."""
        value = cells(rows, self._column[node])
        return self._or_missing(value <= self._tree.threshold[node], value, node)

    def _subset(self, cells: Cells, rows: IntArray, node: IntArray) -> BoolArray:
        """Look the code of a level up among those that go left."""
        tree = self._tree
        code = cells(rows, self._column[node])
        start = tree.subset_start[node]
        known = (code >= 0) & (code < 64 * (tree.subset_start[node + 1] - start))
        position = np.where(known, code, 0.0).astype(np.int64)
        word = tree.subset_words[start + (position >> 6)]
        bit = word >> (position & 63).astype(np.uint64) & np.uint64(1)
        return np.where(known, bit != 0, tree.missing_left[node])

    def _linear(self, cells: Cells, rows: IntArray, node: IntArray) -> BoolArray:
        """Compare a weighted sum with the threshold, adding in the order promised."""
        tree = self._tree
        lanes = np.zeros((N_LANES, len(rows)))
        end = tree.term_start[node + 1]
        term = tree.term_start[node].copy()
        active = np.arange(len(rows))
        while active.size:
            this = term[active]
            column = tree.term_column[this]
            value = self._term_values(cells(rows[active], column), this)
            lanes[column % N_LANES, active] += tree.term_weight[this] * value
            term[active] += 1
            active = active[this + 1 < end[active]]
        total = ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + (
            (lanes[1] + lanes[5]) + (lanes[3] + lanes[7])
        )
        return self._or_missing(total <= tree.threshold[node], total, node)

    def _term_values(self, value: FloatArray, term: IntArray) -> FloatArray:
        """Fill what is missing and turn levels into indicators."""
        tree = self._tree
        level = tree.term_level[term]
        value = np.where(np.isnan(value), tree.fill[tree.term_column[term]], value)
        return np.where(level >= 0, (value == level).astype(np.float64), value)

    def _or_missing(
        self, left: BoolArray, value: FloatArray, node: IntArray
    ) -> BoolArray:
        """Send NaN where the node says."""
        return np.where(np.isnan(value), self._tree.missing_left[node], left)


def node_kinds(tree: TreeArrays) -> npt.NDArray[np.int8]:
    """Return LEAF, AXIS, SUBSET or LINEAR for every node."""
    kind = np.full(tree.n_nodes, LINEAR, dtype=np.int8)
    start = tree.term_start[:-1]
    single = np.flatnonzero(np.diff(tree.term_start) == 1)
    term = start[single]
    plain = (tree.term_weight[term] == 1.0) & (tree.term_level[term] == -1)
    kind[single[plain]] = AXIS
    kind[np.diff(tree.subset_start) > 0] = SUBSET
    kind[tree.left < 0] = LEAF
    return kind


def _cells(values: Any) -> Cells:
    """Return how to look single values up, whatever holds them."""
    if hasattr(values, "tocsr"):
        return _sparse_cells(values.tocsr())

    def dense(rows: IntArray, columns: IntArray) -> FloatArray:
        return np.asarray(values[rows, columns], dtype=np.float64)

    return dense


def _sparse_cells(values: Any) -> Cells:
    """Look values up by bisection; what is not stored is 0.0."""
    n_rows, n_columns = values.shape
    stored = np.asarray(values.data, dtype=np.float64)
    # Rows and sorted columns make one rising sequence of positions.
    filled = np.repeat(np.arange(n_rows, dtype=np.int64), np.diff(values.indptr))
    positions = filled * n_columns + values.indices

    def sparse(rows: IntArray, columns: IntArray) -> FloatArray:
        wanted = rows.astype(np.int64) * n_columns + columns
        at = np.searchsorted(positions, wanted)
        found = at < len(positions)
        found[found] = positions[at[found]] == wanted[found]
        result = np.zeros(len(wanted))
        result[found] = stored[at[found]]
        return result

    return sparse
