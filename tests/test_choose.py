"""Rows and a way to grow in; the tree of the best size out, against slow twins."""

from __future__ import annotations

import numpy as np
import pytest
from growing import make_table
from reference.slow_prune import (
    cheapest_on,
    cheapest_subtree,
    losses_at,
    table_of,
)

from tanoak import CostMatrix
from tanoak._choose import (
    at_price,
    by_folds,
    by_held_out,
    deal_out,
    on_rows,
    pessimistic,
    reduced_error,
)
from tanoak._folds import deal_folds, hold_out
from tanoak._grow import GrowSettings, grow_classes, grow_numbers
from tanoak._held_out import Rows
from tanoak._prune import pessimistic_nodes, pruning_path
from tanoak.costs import Costs

CLASSES = ("a", "b", "c")
COST = [[0.0, 5.0, 1.0], [2.0, 0.0, 3.0], [9.0, 4.0, 0.0]]
KINDS = ["plain", "matrix", "rows", "weights and priors", "numbers"]


def problem(kind, seed=0, n_rows=60):
    """Rows that overlap, and a way to grow small trees on them."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, 3)).round(1)
    score = X[:, 0] + random.normal(size=n_rows)
    held, settings = make_table(X), GrowSettings(criterion="gini", max_leaf_nodes=6)
    if kind == "numbers":
        settings = GrowSettings(criterion="squared_error", max_leaf_nodes=6)
        return Rows(table=held, target=score), lambda part: grow_numbers(
            part.table, part.target, settings, sample_weight=part.sample_weight
        )
    target = np.digitize(score, [-0.7, 0.4])
    weight = costs = None
    if kind != "plain":
        by_row = random.random((n_rows, 3)) * 9 if kind == "rows" else None
        factor = np.array([0.5, 2.0, 1.0]) if "priors" in kind else None
        costs = Costs(CostMatrix(COST, CLASSES), by_row, factor)
    if "weights" in kind:
        weight = random.integers(0, 4, n_rows).astype(float)
    rows = Rows(table=held, target=target, costs=costs, sample_weight=weight)
    return rows, lambda part: grow_classes(
        part.table,
        part.target,
        part.costs,
        settings,
        classes=CLASSES,
        sample_weight=part.sample_weight,
    )


def slow_losses(tree, rows, ends):
    """Return what each row costs if the given nodes are the leaves."""
    y = rows.target.tolist()
    if rows.has_classes:
        y = [CLASSES[code] for code in y]
    cost = None if rows.costs is None else COST
    by_row = None if rows.costs is None else rows.costs.row_costs
    return losses_at(tree, ends, rows.table, y, cost, by_row)


def middles(alphas):
    """Geometric middles of neighbours; None stands for the root alone."""
    return [*np.sqrt(alphas[:-1] * alphas[1:]), None]


def ends_at(tree, alpha):
    """Leaves of the best subtree at a price, by trying all."""
    return (0,) if alpha is None else cheapest_subtree(tree, alpha)[1]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", KINDS)
def test_cross_validation_is_that_of_the_slow_twin(kind, seed):
    rows, grow = problem(kind, seed)
    used = rows if rows.sample_weight is None else rows.take(rows.sample_weight > 0)
    whole = grow(rows)
    prices = middles(pruning_path(whole).alphas)
    fold = deal_folds(used.target, 4, seed, by_class=kind != "numbers")
    losses = [[0.0] * len(used) for _ in prices]
    for k in range(4):
        held, tree = np.flatnonzero(fold == k), grow(used.take(fold != k))
        for step, alpha in enumerate(prices):
            paid = slow_losses(tree, used.take(held), ends_at(tree, alpha))
            for row, loss in zip(held, paid, strict=True):
                losses[step][row] = loss
    expected, best, within = table_of(losses, used.weight.tolist())
    for one_se, chosen in ((False, best), (True, within)):
        pruned, found = by_folds(rows, grow, deal_out(rows, 4, seed), one_se=one_se)
        assert pruned == whole.prune(ends_at(whole, prices[chosen]))
        assert found["chosen"].tolist().index(True) == chosen
        assert found["n_leaves"].tolist() == pruning_path(whole).n_leaves.tolist()
        for name, column in expected.items():
            np.testing.assert_allclose(found[name], column, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", KINDS)
def test_held_out_rows_choose_as_the_slow_twin_does(kind, seed):
    rows, grow = problem(kind, seed)
    used = rows if rows.sample_weight is None else rows.take(rows.sample_weight > 0)
    held = hold_out(used.target, 0.3, seed, by_class=kind != "numbers")
    tree, whole = grow(used.take(~held)), grow(rows)
    prices = middles(pruning_path(tree).alphas)
    part = used.take(held)
    losses = [slow_losses(tree, part, ends_at(tree, alpha)) for alpha in prices]
    expected, best, within = table_of(losses, part.weight.tolist())
    pruned, found = by_held_out(rows, grow, fraction=0.3, seed=seed)
    for name, column in expected.items():
        np.testing.assert_allclose(found[name], column, rtol=1e-6, atol=1e-7)
    assert pruned == whole.prune(ends_at(whole, prices[best]))
    smaller, _ = on_rows(tree, part, one_se=True)
    assert smaller == tree.prune(ends_at(tree, prices[within]))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", KINDS)
def test_reduced_error_pruning_finds_the_best_of_all_subtrees(kind, seed):
    rows, grow = problem(kind, seed)
    used = rows if rows.sample_weight is None else rows.take(rows.sample_weight > 0)
    held = hold_out(used.target, 0.3, seed, by_class=kind != "numbers")
    tree, part = grow(used.take(~held)), used.take(held)
    weight = part.weight.tolist()
    ends = cheapest_on(tree, lambda ends: slow_losses(tree, part, ends), weight)
    pruned, found = reduced_error(rows, grow, fraction=0.3, seed=seed)
    assert pruned == tree.prune(ends)
    assert found["n_leaves"].tolist() == [tree.n_leaves, len(ends)]
    paid = np.dot(weight, slow_losses(tree, part, ends)) / sum(weight)
    assert found["cost"][1] == pytest.approx(paid)
    assert found["cost"][1] <= found["cost"][0]


def test_the_same_again_and_another_with_another_seed():
    rows, grow = problem("matrix", n_rows=200)
    costs = []
    for seed in (1, 1, 2):
        _, found = by_folds(rows, grow, deal_out(rows, 5, seed), one_se=True)
        costs.append(found["cost"].tolist())
    assert costs[0] == costs[1] != costs[2]


def test_equal_costs_go_to_the_smaller_tree():
    # The feature says nothing, so larger trees are chance.
    X, y = np.arange(40.0)[:, None], np.tile([0, 1], 20)
    settings = GrowSettings(criterion="gini")
    rows = Rows(table=make_table(X), target=y)
    grow = lambda part: grow_classes(  # noqa: E731  # as the estimators pass it
        part.table, part.target, None, settings, classes=(0, 1)
    )
    pruned, found = by_folds(rows, grow, deal_out(rows, 5, 0), one_se=False)
    equal = np.flatnonzero(found["cost"] == found["cost"].min())
    assert found["chosen"][equal[-1]]
    assert pruned.n_leaves == found["n_leaves"][equal[-1]]


def test_a_row_or_two():
    rows, grow = problem("plain")
    for n_rows in (1, 2):
        few = rows.take(np.arange(n_rows))
        for pruned, _ in (
            by_folds(few, grow, deal_out(few, 10, 0), one_se=True),
            by_held_out(few, grow, fraction=0.1, seed=0),
            reduced_error(few, grow, fraction=0.1, seed=0),
        ):
            assert pruned.n_leaves <= n_rows


def test_a_price_that_is_given():
    rows, grow = problem("matrix")
    tree = grow(rows)
    path = pruning_path(tree)
    for place, alpha in enumerate(path.alphas):
        pruned, found = at_price(tree, float(alpha))
        assert pruned == path[place]
        assert found["chosen"].tolist().index(True) == place
        again = tree.prune(alpha=float(found["alpha"][place]))
        assert again == pruned
    assert found["alpha"][-1] == np.inf


def test_the_pessimistic_rule():
    rows, grow = problem("matrix")
    tree = grow(rows)
    pruned, found = pessimistic(tree)
    assert pruned == tree.prune(pessimistic_nodes(tree, tree.cost))
    assert found["n_leaves"].tolist() == [tree.n_leaves, pruned.n_leaves]
    assert found["training_cost"][0] <= found["training_cost"][1]
