"""In: a regression tree and the rows in its leaves; out: the median of every node."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tanoak._arrays import FloatArray, TreeArrays

__all__ = ["node_medians"]

_WEIGHT_BITS, _SUM_BITS = 52, 61


def node_medians(
    tree: TreeArrays,
    leaf: NDArray[np.int64],
    targets: FloatArray,
    weight: FloatArray | None,
) -> tuple[FloatArray, FloatArray]:
    """Return the weighted median of every node, and the absolute errors around it.

    Parameters
    ----------
    tree : TreeArrays
        The splits are all that is read.
    leaf : array of int64, shape (n,)
        Leaf of each row; every leaf has one.
    targets : array of float64, shape (n,)
        Numbers.
    weight : array of float64, shape (n,), or None
        Weights above 0.

    Returns
    -------
    median : numpy.ndarray of shape (n_nodes,)
        Lowest number up to which half of the weight lies; halfway to the next one
        where that is exactly half.
    error : numpy.ndarray of shape (n_nodes,)
        Sum of weight times distance from it.
    """
    weight = np.ones(len(targets)) if weight is None else weight
    # What is equal in both is the same row twice: the order of rows does not show.
    order = np.lexsort((weight, targets))
    number, weight, node = targets[order], weight[order], leaf[order]
    units = _whole_units(weight)
    median, error = np.zeros(tree.n_nodes), np.zeros(tree.n_nodes)
    for depth in range(tree.depth, -1, -1):
        here = np.flatnonzero(tree.node_depth[node] == depth)
        here = here[np.argsort(node[here], kind="stable")]
        start = np.flatnonzero(np.diff(node[here], prepend=-1))
        at = node[here][start]
        middle = _middle(units[here], number[here], start)
        median[at] = middle
        distance = np.abs(number[here] - np.repeat(middle, _sizes(start, len(here))))
        error[at] = _exact_sums(distance * weight[here], start)
        node[here] = tree.parent[node[here]]
    return median, error


def _whole_units(weight: FloatArray) -> NDArray[np.int64]:
    """Weights as whole numbers: as they are, or by a power of two."""
    total = weight.sum()
    if (weight == np.floor(weight)).all() and total <= 2.0**_WEIGHT_BITS:
        return weight.astype(np.int64)
    scale = _WEIGHT_BITS - np.frexp(total)[1]
    units = np.maximum(1, np.rint(np.ldexp(weight, scale)))
    return np.asarray(units, dtype=np.int64)


def _sizes(start: NDArray[np.intp], n: int) -> NDArray[np.intp]:
    """Lengths of consecutive groups."""
    return np.diff(start, append=n)


def _middle(
    units: NDArray[np.int64], number: FloatArray, start: NDArray[np.intp]
) -> FloatArray:
    """Median of each group of sorted numbers."""
    sums = np.cumsum(units)
    before = sums[start] - units[start]
    total = np.add.reduceat(units, start)
    low = np.searchsorted(sums, before + (total + 1) // 2)
    high = np.searchsorted(sums, before + total // 2 + 1)
    middle: FloatArray = number[low] / 2 + number[high] / 2
    return np.where(number[low] == number[high], number[low], middle)


def _exact_sums(values: FloatArray, start: NDArray[np.intp]) -> FloatArray:
    """Add up groups, as whole numbers of a unit of their own: any order will do."""
    sizes = _sizes(start, len(values))
    largest = np.maximum.reduceat(values, start)
    scale = _SUM_BITS - np.frexp(largest * sizes)[1]
    whole = np.rint(np.ldexp(values, np.repeat(scale, sizes))).astype(np.int64)
    return np.asarray(np.ldexp(np.add.reduceat(whole, start).astype(float), -scale))
