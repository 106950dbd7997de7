"""In: a grown tree and its training data; out: nothing, or the rule it breaks.

Every node is looked at by definition: its rows are found by walking, all cuts of all
columns are listed, and the one taken must be as good as the best.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from reference.slow_criteria import (
    REGRESSION,
    Rows,
    gain,
    gain_ratio,
    impurity,
    weighted_median,
)
from reference.slow_routing import path_of

TOLERANCE = 1e-9
TIES_BY_GINI = ("misclassification", "cost")


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


def gains_by_column(criterion, X, rows, categorical, min_rows):
    """All allowed cuts of each column that has any, as (gain, mask of the left)."""
    found = []
    for column in range(X.shape[1]):
        cuts = []
        for left in sides(X[:, column], column in categorical):
            if min(left.sum(), (~left).sum()) < max(1, min_rows):
                continue
            value = gain(criterion, rows, left)
            if value is not None:
                cuts.append((value, left))
        if cuts:
            found.append(cuts)
    return found


def check_cut(criterion, rows, columns, left):
    """Assert that a cut is as good as the best."""
    scale = rows.mass.sum() * max(1.0, impurity_scale(criterion, rows))
    close = TOLERANCE * scale
    taken = gain(criterion, rows, left)
    best = [max(value for value, _ in cuts) for cuts in columns]
    if not best:  # a sum of columns may cut where no column alone is allowed to
        return
    if criterion == "gain_ratio":
        check_ratio(rows, columns, left, close)
        return
    assert taken >= max(best) - close, f"{taken} < {max(best)}"
    # Ties are ties to the bit only where weights are not rounded.
    tie = taken <= max(best) + close  # a sum of columns may be better
    if criterion in TIES_BY_GINI and tie and (rows.mass == np.floor(rows.mass)).all():
        equal = [
            gain("gini", rows, other)
            for cuts in columns
            for value, other in cuts
            if value >= max(best) - close
        ]
        assert gain("gini", rows, left) >= max(equal) - close


def check_ratio(rows, columns, left, close):
    """Assert C4.5's rule: the best ratio among best cuts of at least average gain."""
    best = [max(value for value, _ in cuts) for cuts in columns]
    average = sum(best) / len(best)
    taken = gain("entropy", rows, left)
    assert taken >= average - close
    assert any(taken >= value - close for value in best)
    for value, cuts in zip(best, columns, strict=True):
        if value < average + close:
            continue
        offered = [
            gain_ratio(rows, cut) for gained, cut in cuts if gained >= value - close
        ]
        assert gain_ratio(rows, left) >= min(offered) - TOLERANCE


def impurity_scale(criterion, rows):
    """Impurity of a node per mass, which rounding is measured by."""
    if criterion == "auc":
        return 0.0
    return impurity(criterion, rows) / rows.mass.sum()


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
    **asked,
):
    """Assert that every node of a depth-first tree is what the definition says.

    `asked` are the fields of `Rows` that a criterion wants besides masses.
    """
    n_classes = 0 if criterion in REGRESSION else int(y.max()) + 1
    weight = np.ones(len(y)) if weight is None else weight
    mass = weight if class_mass is None else weight * class_mass[y]
    n_known = n_classes and tree.counts.shape[1]
    everything = Rows(y=y, mass=mass, n_classes=n_known, **asked)
    rows = rows_by_node(tree, X)
    for node in range(tree.n_nodes):
        at = np.array(rows[node])
        here = everything.take(at)
        check_missing(tree, node, np.isnan(X[at]))
        check_totals(tree, node, y[at], weight[at], n_classes)
        columns = []
        small = len(at) < max(min_split, 2 * min_rows)
        deep = max_depth is not None and tree.node_depth[node] >= max_depth
        if not (is_pure(criterion, here) or small or deep):
            columns = gains_by_column(criterion, X[at], here, categorical, min_rows)
        if tree.left[node] < 0:
            assert not columns, f"leaf {node} could be cut"
            continue
        is_sum = tree.term_start[node + 1] - tree.term_start[node] > 1
        assert columns or is_sum, f"node {node} should be a leaf"
        left = np.isin(at, rows[tree.left[node]])
        assert min(left.sum(), (~left).sum()) >= min_rows
        check_cut(criterion, here, columns, left)


def is_pure(criterion, rows):
    """Whether nothing is left to separate."""
    if criterion == "cost":
        if rows.row_costs is not None:
            least = rows.row_costs.min(axis=1).sum()
        else:
            least = (rows.mass * rows.costs.min(axis=1)[rows.y]).sum()
        return math.isclose(impurity("cost", rows), least, rel_tol=1e-9, abs_tol=1e-12)
    return len(np.unique(rows.y[rows.mass > 0])) <= 1


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
        if tree.sae is not None:
            check_median(tree, node, y, weight)
            mean = tree.mean[node]
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


def check_median(tree, node, y, weight):
    """Assert that a node's answer is a median of its rows, and its absolute error."""
    half = weight.sum() / 2 * (1 + 1e-12)
    assert weight[y < tree.mean[node]].sum() <= half
    assert weight[y > tree.mean[node]].sum() <= half
    median = weighted_median(y, weight)
    error = (weight * abs(y - median)).sum()
    np.testing.assert_allclose(tree.sae[node], error, rtol=1e-9, atol=1e-9)
