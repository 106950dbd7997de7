"""In: the leaf of each row; out: all nodes the row passes on its way there."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from tanoak._arrays import IntArray, TreeArrays

__all__ = ["passed_nodes"]


def passed_nodes(tree: TreeArrays, leaf: IntArray) -> sparse.csr_array:
    """Return an indicator of the nodes from the root to each leaf.

    Parameters
    ----------
    tree : TreeArrays
        Checked arrays.
    leaf : array of int, shape (n_rows,)
        Node each row ends in.

    Returns
    -------
    scipy.sparse.csr_array of bool, shape (n_rows, n_nodes)
        Its column indices are sorted.
    """
    n_passed = tree.node_depth[leaf].astype(np.int64) + 1
    start = np.concatenate([[0], np.cumsum(n_passed)])
    passed = np.empty(start[-1], dtype=np.int64)
    node, end = leaf, start[1:].copy()
    # All rows take one step towards the root at a time, written from the back.
    while node.size:
        end -= 1
        passed[end] = node
        node = tree.parent[node]
        node, end = node[node >= 0], end[node >= 0]
    data = np.ones(len(passed), dtype=bool)
    return sparse.csr_array((data, passed, start), shape=(len(leaf), tree.n_nodes))
