"""In: a tree's masses and costs; out: what each answer costs at each node."""

from __future__ import annotations

import numpy as np

from tanoak._arrays import FloatArray, IntArray, TreeArrays
from tanoak.costs import CostMatrix

__all__ = ["cheapest", "expected_costs"]


def expected_costs(tree: TreeArrays, cost: CostMatrix | None) -> FloatArray:
    """Return the total cost of answering each class at each node.

    Parameters
    ----------
    tree : TreeArrays
        Arrays of a classification tree.
    cost : CostMatrix or None
        None is 1 for each mistake; costs per row in the tree come first.

    Returns
    -------
    numpy.ndarray of shape (n_nodes, n_classes)
        Totals over the training rows of a node.
    """
    if tree.answer_costs is not None:
        return tree.answer_costs
    weighted = _weighted(tree)
    if cost is None:
        total: FloatArray = weighted.sum(axis=1, keepdims=True) - weighted
        return total
    return cost.answer_costs(weighted)


def cheapest(tree: TreeArrays, cost: CostMatrix | None) -> IntArray:
    """Return the class that costs least at each node, the lowest one among equals.

    Parameters
    ----------
    tree, cost
        As for `expected_costs`.

    Returns
    -------
    numpy.ndarray of int32, shape (n_nodes,)
        Positions in the classes; closed for writing.
    """
    # Without costs the largest mass itself: a difference of sums could round two
    # masses to the same cost.
    if tree.answer_costs is not None:
        label = np.asarray(tree.answer_costs.argmin(axis=1))
    elif cost is None:
        label = np.asarray(_weighted(tree).argmax(axis=1))
    else:
        label = cost.labels(_weighted(tree))
    result = label.astype(np.int32)
    result.setflags(write=False)
    return result


def _weighted(tree: TreeArrays) -> FloatArray:
    """Return the masses as costs count them."""
    factor = tree.class_factor
    weighted: FloatArray = tree.masses if factor is None else tree.masses * factor
    return weighted
