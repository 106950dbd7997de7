"""In: a tree's arrays; out: the arrays with some nodes made leaves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from tanoak._arrays import IntArray, TreeArrays
from tanoak._messages import shown
from tanoak.exceptions import ParameterError

__all__ = ["agreeing_nodes", "collapse", "merge"]

_PER_NODE = ("counts", "masses", "answer_costs", "label", "mean", "sse", "sae")


def collapse(tree: TreeArrays, node_ids: Iterable[Any]) -> dict[str, Any]:
    """Return the arrays of the tree without what is below the given nodes.

    Parameters
    ----------
    tree : TreeArrays
        Checked arrays.
    node_ids : iterable of int
        Nodes to become leaves; one that is a leaf, or below another one, is fine.

    Returns
    -------
    dict
        The arrays that change, by name.
    """
    chosen = _read_ids(node_ids, tree.n_nodes)
    kept = np.flatnonzero(~_below(tree, chosen))
    # Preorder survives dropping subtrees, so new ids are positions among the kept.
    new_id = np.full(tree.n_nodes, -1, dtype=np.int32)
    new_id[kept] = np.arange(len(kept), dtype=np.int32)
    ends = tree.is_leaf.copy()
    ends[chosen] = True
    leaf = ends[kept]
    arrays: dict[str, Any] = {
        "left": np.where(leaf, -1, new_id[tree.left[kept]]),
        "right": np.where(leaf, -1, new_id[tree.right[kept]]),
        "threshold": np.where(leaf, 0.0, tree.threshold[kept]),
        "missing_left": ~leaf & tree.missing_left[kept],
    }
    splits = np.zeros(tree.n_nodes, dtype=bool)
    splits[kept[~leaf]] = True
    start, chosen_terms = _pieces(tree.term_start, splits, kept)
    arrays["term_start"] = start
    for name in ("term_column", "term_level", "term_weight"):
        arrays[name] = getattr(tree, name)[chosen_terms]
    arrays["subset_start"], words = _pieces(tree.subset_start, splits, kept)
    arrays["subset_words"] = tree.subset_words[words]
    for name in _PER_NODE:
        array = getattr(tree, name)
        arrays[name] = None if array is None else array[kept]
    return arrays


def merge(tree: TreeArrays) -> dict[str, Any]:
    """Return the arrays of the tree with leaves merged that give the same answer.

    Parameters
    ----------
    tree : TreeArrays
        Checked arrays.

    Returns
    -------
    dict
        The arrays that change, by name.
    """
    nodes, leaves = agreeing_nodes(tree)
    arrays = collapse(tree, nodes)
    kept = np.flatnonzero(~_below(tree, nodes))
    name = "label" if tree.mean is None else "mean"
    # The answer of the leaves: where it was set by hand, the node has another one.
    answer = np.array(getattr(tree, name))
    answer[nodes] = answer[leaves]
    arrays[name] = answer[kept]
    return arrays


def agreeing_nodes(tree: TreeArrays) -> tuple[IntArray, IntArray]:
    """Return the highest nodes below which all leaves answer alike, and a leaf of each.

    Parameters
    ----------
    tree : TreeArrays
        Checked arrays.

    Returns
    -------
    tuple of two arrays of int64
        Node ids of one length; none is that of a leaf in the first.
    """
    answer = tree.label if tree.mean is None else tree.mean
    assert answer is not None
    leaves = np.flatnonzero(tree.is_leaf)
    # Leaves are in preorder: where the answer changes from one leaf to the next.
    changes = np.append(0, np.cumsum(answer[leaves[1:]] != answer[leaves[:-1]]))
    first = np.searchsorted(leaves, np.arange(tree.n_nodes))
    last = np.searchsorted(leaves, tree.subtree_end) - 1
    alike = changes[first] == changes[last]
    above = np.append(False, alike[tree.parent[1:]])
    nodes = np.flatnonzero(alike & ~above & ~tree.is_leaf)
    return nodes, leaves[first[nodes]]


def _read_ids(node_ids: Iterable[Any], n_nodes: int) -> IntArray:
    """Return node ids as an array, refusing what is no id of this tree."""
    ids = np.asarray(
        node_ids if isinstance(node_ids, np.ndarray) else list(node_ids)
    ).reshape(-1)
    if ids.size == 0:
        return np.zeros(0, dtype=np.int64)
    if ids.dtype.kind not in "iu":
        msg = f"node ids must be integers, got {shown(ids[0])} ({ids.dtype})"
        raise ParameterError(msg)
    bad = (ids < 0) | (ids >= n_nodes)
    if bad.any():
        msg = (
            f"there is no node {ids[bad.argmax()]}: the nodes of this tree are "
            f"0 to {n_nodes - 1}"
        )
        raise ParameterError(msg)
    return ids.astype(np.int64)


def _below(tree: TreeArrays, chosen: IntArray) -> npt.NDArray[np.bool_]:
    """Which nodes are strictly below a chosen one."""
    # Opening and closing brackets around each subtree; inside is where some are open.
    change = np.zeros(tree.n_nodes + 1, dtype=np.int64)
    np.add.at(change, chosen + 1, 1)
    np.add.at(change, tree.subtree_end[chosen], -1)
    inside: npt.NDArray[np.bool_] = np.cumsum(change)[:-1] > 0
    return inside


def _pieces(
    start: IntArray, splits: npt.NDArray[np.bool_], kept: IntArray
) -> tuple[IntArray, npt.NDArray[np.bool_]]:
    """Return the new starts of a side array and which of its entries stay."""
    length = np.diff(start)
    stays = np.repeat(splits, length)
    new_length = np.where(splits, length, 0)[kept]
    return np.concatenate([[0], np.cumsum(new_length)]).astype(np.int64), stays
