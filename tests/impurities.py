"""Helpers: impurity of trees, summed by depth."""

from __future__ import annotations

import numpy as np


def impurity_by_depth(total, impurity, depth):
    """Sum impurity times weight over all nodes of each depth."""
    return np.bincount(depth, total * impurity)


def depths_of(tree):
    """Depth of each node of scikit-learn's tree."""
    depth = np.zeros(tree.node_count, dtype=int)
    for node in range(tree.node_count):
        for child in (tree.children_left[node], tree.children_right[node]):
            if child >= 0:
                depth[child] = depth[node] + 1
    return depth
