"""In: a grown tree and its training data; out: nothing, or the rule it breaks.

Every node is looked at by definition: its rows are found by walking, all cuts of all
columns are listed, and the one taken must be as good as the best.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from reference.slow_routing import path_of

TOLERANCE = 1e-9


def impurity(criterion, y, weight, n_classes):
    """Impurity of some rows, by its definition."""
    total = weight.sum()
    if criterion == "squared_error":
        mean = (weight * y).sum() / total
        return (weight * (y - mean) ** 2).sum() / total
    shares = [weight[y == k].sum() / total for k in range(n_classes)]
    if criterion == "gini":
        return 1 - sum(p * p for p in shares)
    return -sum(p * math.log2(p) for p in shares if p > 0)


def decrease(criterion, y, weight, n_classes, left):
    """Decrease of impurity times weight, or None if a side weighs nothing."""
    if weight[left].sum() == 0 or weight[~left].sum() == 0:
        return None
    return (
        weight.sum() * impurity(criterion, y, weight, n_classes)
        - weight[left].sum() * impurity(criterion, y[left], weight[left], n_classes)
        - weight[~left].sum() * impurity(criterion, y[~left], weight[~left], n_classes)
    )


def sides(values, is_categorical):
    """List all ways to cut one column: masks of the rows that go left."""
    missing = np.isnan(values)
    present = np.unique(values[~missing])
    if is_categorical:
        groups = [
            set(some)
            for size in range(1, len(present) + 1)
            for some in itertools.combinations(present, size)
        ]
        cuts = [np.isin(values, list(group)) for group in groups]
    else:
        cuts = [values <= value for value in present]
    for cut in cuts:
        yield cut & ~missing
        if missing.any():
            yield cut | missing


def best_decrease(criterion, X, y, weight, n_classes, categorical, min_rows):  # noqa: PLR0913, PLR0917  # all that a node is
    """Largest decrease over all allowed cuts; None if there is none."""
    found = []
    for column in range(X.shape[1]):
        for left in sides(X[:, column], column in categorical):
            if min(left.sum(), (~left).sum()) < max(1, min_rows):
                continue
            gain = decrease(criterion, y, weight, n_classes, left)
            if gain is not None:
                found.append(gain)
    return max(found, default=None)


def rows_by_node(tree, X):
    """Rows that pass each node, by walking one after the other."""
    rows = [[] for _ in range(tree.n_nodes)]
    for i, row in enumerate(X):
        for node in path_of(tree, row):
            rows[node].append(i)
    return rows


def check_growth(  # noqa: PLR0913  # the settings of a tree
    tree,
    X,
    y,
    criterion,
    *,
    weight=None,
    class_mass=None,
    categorical=(),
    min_rows=1,
    max_depth=None,
    min_split=2,
):
    """Assert that every node of a depth-first tree is what the definition says."""
    n_classes = 0 if criterion == "squared_error" else int(y.max()) + 1
    weight = np.ones(len(y)) if weight is None else weight
    mass = weight if class_mass is None else weight * class_mass[y]
    rows = rows_by_node(tree, X)
    for node in range(tree.n_nodes):
        at = np.array(rows[node])
        check_missing(tree, node, np.isnan(X[at]))
        check_totals(tree, node, y[at], weight[at], n_classes)
        best = None
        pure = impurity(criterion, y[at], mass[at], n_classes) == 0 or (
            len(np.unique(y[at])) == 1
        )
        small = len(at) < max(min_split, 2 * min_rows)
        deep = max_depth is not None and tree.node_depth[node] >= max_depth
        if not (pure or small or deep):
            best = best_decrease(
                criterion, X[at], y[at], mass[at], n_classes, categorical, min_rows
            )
        if tree.left[node] < 0:
            assert best is None, f"leaf {node} could be cut"
            continue
        assert best is not None, f"node {node} should be a leaf"
        left = np.isin(at, rows[tree.left[node]])
        taken = decrease(criterion, y[at], mass[at], n_classes, left)
        assert min(left.sum(), (~left).sum()) >= min_rows
        scale = mass[at].sum() * max(
            1.0, impurity(criterion, y[at], mass[at], n_classes)
        )
        assert taken >= best - TOLERANCE * scale, f"node {node}: {taken} < {best}"


def check_missing(tree, node, missing):
    """Assert that a side no row asked for is the heavier one."""
    if tree.left[node] < 0 or missing[:, tree.term_column[tree.term_start[node]]].any():
        return
    left, right = tree.masses[tree.left[node]], tree.masses[tree.right[node]]
    assert tree.missing_left[node] == (left.sum() >= right.sum())


def check_totals(tree, node, y, weight, n_classes):
    """Assert what a node says of its rows."""
    if n_classes == 0:
        mean = (weight * y).sum() / weight.sum()
        spread = (weight * (y - mean) ** 2).sum()
        assert tree.counts[node, 0] == len(y)
        assert math.isclose(tree.masses[node, 0], weight.sum(), rel_tol=1e-12)
        np.testing.assert_allclose(tree.mean[node], mean, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(tree.sse[node], spread, rtol=1e-9, atol=1e-9)
        return
    n = tree.counts.shape[1]
    assert tree.counts[node].tolist() == np.bincount(y, minlength=n).tolist()
    np.testing.assert_allclose(
        tree.masses[node], np.bincount(y, weight, n), rtol=1e-12, atol=1e-12
    )
