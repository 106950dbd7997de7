"""Trees and rows they were not grown on in; what subtrees cost on these out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference.slow_prune import cheapest_subtree, losses_at, mean_and_error
from trees import QUICK, Leaf, axis, build, cases, chain, columns_of, table

from tanoak import CostMatrix, Tree, pruning_path
from tanoak._held_out import Rows, join, node_losses, stretches
from tanoak._prune import weakest_links
from tanoak._table import Table
from tanoak.costs import Costs


def rows_for(tree, values, seed, kind):
    """Wrap rows with targets, weights, and costs of some kind."""
    random = np.random.default_rng(seed)
    n_rows = len(values)
    weight = random.integers(1, 5, n_rows).astype(float)
    held = table(tree, values)
    if tree.classes is None:
        target = random.normal(size=n_rows)
        return tree, Rows(table=held, target=target, sample_weight=weight)
    n_classes = len(tree.classes)
    target = random.integers(0, n_classes, n_rows)
    if n_classes == 1 or kind == "none":
        return tree, Rows(table=held, target=target, sample_weight=weight)
    square = random.integers(1, 9, (n_classes, n_classes)) * (1.0 - np.eye(n_classes))
    matrix = CostMatrix(square, tree.classes)
    by_row = random.random((n_rows, n_classes)) if kind == "rows" else None
    costs = Costs(matrix, by_row, tree.class_factor)
    arrays = {**tree.arrays(), "label": None}
    tree = Tree(columns=tree.columns, classes=tree.classes, cost=matrix, **arrays)
    return tree, Rows(table=held, target=target, costs=costs, sample_weight=weight)


def slow_losses(tree, rows, ends):
    """Return what each row costs if the given nodes are the leaves."""
    y, cost, by_row = rows.target.tolist(), None, None
    if rows.has_classes:
        y = [tree.classes[code] for code in y]
    if rows.costs is not None:
        cost, by_row = rows.costs.matrix.values.tolist(), rows.costs.row_costs
    return losses_at(tree, ends, rows.table, y, cost, by_row)


KINDS = st.sampled_from(["none", "matrix", "rows"])


@QUICK
@given(cases(n_splits=6), st.integers(0, 2**32 - 1), KINDS)
def test_costs_of_all_subtrees_of_a_path(drawn, seed, kind):
    tree, rows = rows_for(*drawn, seed, kind)
    alphas = np.append(pruning_path(tree).alphas, np.inf)
    seen = stretches(tree, rows, weakest_links(tree, tree.cost), alphas)
    means, errors = seen.means(rows.weight, len(alphas))
    base = np.random.default_rng(seed).random(len(rows))
    below, below_errors = seen.means(rows.weight, len(alphas), base)
    for step, alpha in enumerate(alphas):
        ends = (0,) if np.isinf(alpha) else cheapest_subtree(tree, alpha)[1]
        losses = slow_losses(tree, rows, ends)
        np.testing.assert_allclose(seen.at(step, len(rows)), losses, rtol=1e-12)
        expected = mean_and_error(losses, rows.weight.tolist())
        assert means[step] == pytest.approx(expected[0], rel=1e-9, abs=1e-9)
        assert errors[step] == pytest.approx(expected[1], rel=1e-6, abs=1e-7)
        expected = mean_and_error((losses - base).tolist(), rows.weight.tolist())
        assert below[step] == pytest.approx(expected[0], rel=1e-9, abs=1e-9)
        assert below_errors[step] == pytest.approx(expected[1], rel=1e-6, abs=1e-7)


@QUICK
@given(cases(n_splits=6), st.integers(0, 2**32 - 1), KINDS)
def test_costs_of_each_node_as_a_leaf(drawn, seed, kind):
    tree, rows = rows_for(*drawn, seed, kind)
    found = node_losses(tree, rows)
    passed = tree.decision_path(rows.table).toarray()
    for node in range(tree.n_nodes):
        here = np.flatnonzero(passed[:, node])
        losses = rows.losses(tree, here, np.full(len(here), node))
        expected = (rows.weight[here] * losses).sum()
        assert found[node] == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_some_of_the_rows():
    random = np.random.default_rng(0)
    drawn = chain(3), random.normal(size=(6, 1))
    _, rows = rows_for(*drawn, 1, "rows")
    for chosen in (np.array([4, 1]), np.arange(6) % 2 == 0):
        part = rows.take(chosen)
        assert len(part) == len(rows.target[chosen])
        np.testing.assert_array_equal(part.table.values, rows.table.values[chosen])
        np.testing.assert_array_equal(part.weight, rows.weight[chosen])
        np.testing.assert_array_equal(
            part.costs.row_costs, rows.costs.row_costs[chosen]
        )
    assert rows.take(np.zeros(0, dtype=int)).table.n_rows == 0


def test_squared_errors_far_from_zero_keep_their_digits():
    root = axis(0, 0.0, Leaf([1], 1e8 - 1), Leaf([1], 1e8 + 1))
    tree = build(root, columns_of(None))
    fields = {**tree.arrays(), "mean": [1e8, 1e8 - 1, 1e8 + 1], "sse": [2.0, 0.0, 0.0]}
    tree = Tree(columns=tree.columns, **fields)
    values = np.array([[-1.0], [1.0]])
    rows = Rows(table=Table(values, tree.columns), target=np.array([1e8, 1e8 + 1.5]))
    np.testing.assert_allclose(node_losses(tree, rows), [2.25, 1.0, 0.25], rtol=1e-12)


def test_no_rows_cost_nothing():
    tree = chain(2)
    nothing = Table(np.zeros((0, 1)), tree.columns)
    rows = Rows(table=nothing, target=np.zeros(0, dtype=np.int64))
    assert node_losses(tree, rows).tolist() == [0.0] * 5
    alphas = np.array([0.0, np.inf])
    seen = stretches(tree, rows, weakest_links(tree, None), alphas)
    assert seen.means(rows.weight, 2)[0].tolist() == [0.0, 0.0]
    assert len(join([]).row) == 0
