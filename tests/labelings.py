"""Helpers: trees with given leaves, and all ways to label them."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import strategies as st
from trees import Leaf, axis, build, columns_of


def leafy(counts, classes=("-", "+"), **more):
    """Make a tree with these leaves from left to right, rows of leaf i at x0 = i."""
    root = Leaf(list(counts[-1]))
    for place in reversed(range(len(counts) - 1)):
        root = axis(0, place + 0.5, Leaf(list(counts[place])), root)
    return build(root, columns_of(None), classes, **more)


def paper():
    """Make the tree of auc-split, section 2.3; counts are (negative, positive)."""
    return leafy([(5, 3), (1, 5), (2, 4)])


def answers(tree):
    """Which leaves are positive, from left to right."""
    return (tree.label[tree.is_leaf] == 1).tolist()


def rates(tree, positive):
    """FPR and TPR on the training rows of a choice of leaves."""
    masses = tree.masses[tree.is_leaf]
    chosen = masses[np.array(positive, dtype=bool)].sum(axis=0)
    return tuple((chosen / masses.sum(axis=0)).tolist())


def all_labelings(tree):
    """Every way to make leaves positive."""
    return list(product([False, True], repeat=tree.n_leaves))


leaf_counts = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=7
).filter(lambda counts: np.all(np.sum(counts, axis=0) > 0))
