"""How fast do rows find their leaf, beside scikit-learn's tree and one thread?

One-feature trees are scikit-learn's own, brought over node by node. Two-feature and
oblique trees are complete, of depth 6, with every weight drawn; they are compared with
a one-feature tree of the same depth in scikit-learn. Ratios above 1 are in our favour.
"""

from __future__ import annotations

import numpy as np
from shared_data import noisy_interactions
from shared_report import best_seconds, finish
from sklearn.tree import DecisionTreeClassifier

from tanoak import Tree
from tanoak._table import read_table


def brought_over(theirs, table, classes=(0, 1)):
    """Make our tree of scikit-learn's; its nodes are in preorder too."""
    inner = theirs.children_left >= 0
    n_rows = theirs.n_node_samples[:, None]
    counts = np.rint(theirs.value[:, 0] * n_rows).astype(np.int64)
    return Tree(
        columns=table.columns,
        classes=classes,
        left=theirs.children_left.astype(np.int32),
        right=theirs.children_right.astype(np.int32),
        threshold=np.where(inner, theirs.threshold, 0.0),
        missing_left=np.zeros(len(inner), dtype=bool),
        term_start=np.concatenate(([0], np.cumsum(inner))),
        term_column=theirs.feature[inner].astype(np.int32),
        term_level=np.full(inner.sum(), -1, dtype=np.int32),
        term_weight=np.ones(inner.sum()),
        subset_start=np.zeros(len(inner) + 1, dtype=np.int64),
        subset_words=np.zeros(0, dtype=np.uint64),
        fill=np.zeros(len(table.columns)),
        counts=counts,
        masses=counts.astype(float),
    )


def weighing(depth, table, n_weighed, seed=0):
    """Make a complete tree whose splits weigh some columns each."""
    random = np.random.default_rng(seed)
    n_columns = len(table.columns)
    left, right = [], []

    def grow(level):
        node = len(left)
        left.append(-1)
        right.append(-1)
        if level < depth:
            left[node] = grow(level + 1)
            right[node] = grow(level + 1)
        return node

    grow(0)
    inner = np.array(left) >= 0
    n_terms = int(inner.sum()) * n_weighed
    chosen = [random.permutation(n_columns)[:n_weighed] for _ in range(inner.sum())]
    counts = np.zeros((len(left), 2), dtype=np.int64)
    for node in reversed(range(len(left))):
        is_leaf = left[node] < 0
        below = [] if is_leaf else [counts[left[node]], counts[right[node]]]
        counts[node] = [1, 1] if is_leaf else np.sum(below, axis=0)
    return Tree(
        columns=table.columns,
        classes=(0, 1),
        left=np.array(left, dtype=np.int32),
        right=np.array(right, dtype=np.int32),
        threshold=np.where(inner, random.normal(size=len(left)), 0.0),
        missing_left=np.zeros(len(left), dtype=bool),
        term_start=np.concatenate(([0], np.cumsum(inner * n_weighed))),
        term_column=np.sort(chosen, axis=1).ravel().astype(np.int32),
        term_level=np.full(n_terms, -1, dtype=np.int32),
        term_weight=random.normal(size=n_terms),
        subset_start=np.zeros(len(left) + 1, dtype=np.int64),
        subset_words=np.zeros(0, dtype=np.uint64),
        fill=np.zeros(n_columns),
        counts=counts,
        masses=counts.astype(float),
    )


# Kind of tree, rows, columns, depth (None: to purity), least ratio.
CASES = [
    ("one feature", 1_000_000, 18, 6, 1.5),
    ("one feature", 1_000_000, 18, None, None),
    ("one feature", 200_000, 64, 6, None),
    ("two features", 1_000_000, 18, 6, None),
    ("oblique", 1_000_000, 18, 6, 1.0),
    ("oblique", 500_000, 50, 6, 1.0),
    ("oblique", 500_000, 64, 6, 1.0),
    ("oblique", 60_000, 784, 6, None),
]


def measure(kind, n_rows, n_columns, depth, floor):
    """Time both trees on the same rows; both check nothing but the type."""
    X, y = noisy_interactions(n_rows, n_columns)
    part = slice(0, min(n_rows, 100_000))
    theirs = DecisionTreeClassifier(max_depth=depth, random_state=0)
    theirs.fit(X[part], y[part])
    table = read_table(X)
    if kind == "one feature":
        tree = brought_over(theirs.tree_, table)
        assert np.array_equal(tree.apply(X), theirs.tree_.apply(X))
    else:
        tree = weighing(depth, table, 2 if kind == "two features" else n_columns)
    seconds = best_seconds(lambda: tree.apply(table), 7)
    checked = best_seconds(lambda: tree.apply(X), 7)
    their_seconds = best_seconds(lambda: theirs.tree_.apply(X), 7)
    return {
        "tree": kind,
        "rows x columns": f"{n_rows} x {n_columns}",
        "depth": tree.depth,
        "tanoak ns/row": seconds / n_rows * 1e9,
        "with checks ns/row": checked / n_rows * 1e9,
        "scikit-learn ns/row": their_seconds / n_rows * 1e9,
        "ratio": their_seconds / seconds,
        "floor": floor,
    }


if __name__ == "__main__":
    finish("predict", [measure(*case) for case in CASES])
