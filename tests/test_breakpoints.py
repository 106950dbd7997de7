"""Prices at which trees turn, against trees changed by hand and prices in between."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tanoak._breakpoints import breakpoints, node_prices, one_sided_losses
from tanoak._grow import GrowSettings
from tanoak._held_out import Rows
from tanoak._optimize import OptimizeSettings
from tanoak._regularization import settled
from tanoak._table import read_table
from tanoak._tao_problem import Problem
from tanoak.costs import resolve_costs

COST = np.array([[0, 1, 9], [2, 0, 3], [5, 4, 0.0]])


def draw(seed, *, classes=True, priors=None):
    """Draw a small noisy problem, with weights and asymmetric costs of classes."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(60, 3)).round(1)
    number = X[:, 0] + X[:, 1] + random.normal(size=60) / 2
    weight = random.integers(0, 4, 60).astype(float)
    table = read_table(X)
    if not classes:
        return Problem(Rows(table=table, target=number, sample_weight=weight), None)
    codes = np.digitize(number, [-0.5, 0.7]).astype(np.int32)
    costs = resolve_costs(COST, codes, (0, 1, 2), priors=priors, sample_weight=weight)
    rows = Rows(table=table, target=codes, costs=costs, sample_weight=weight)
    return Problem(rows, (0, 1, 2))


def total(problem, tree):
    """Sum what the answers of a tree cost on all rows."""
    rows = problem.rows
    paid = rows.losses(tree, np.arange(len(rows)), tree.apply(rows.table))
    return float(rows.weight @ paid)


@pytest.mark.parametrize("classes", [True, False])
def test_losses_of_one_side_are_those_of_a_cut_that_sends_all_there(classes):
    problem = draw(0, classes=classes, priors=[0.2, 0.3, 0.5] if classes else None)
    tree = problem.grow(GrowSettings(criterion="", max_leaf_nodes=9))
    told = list(one_sided_losses(tree, problem.rows))
    assert [each.node for each in told] == np.flatnonzero(~tree.is_leaf).tolist()
    for each in told:
        for loss, threshold in ((each.left, 1e9), (each.right, -1e9)):
            bent = tree.threshold.copy()
            bent[each.node] = threshold
            more = total(problem, replace(tree, threshold=bent)) - total(problem, tree)
            assert loss - each.now == pytest.approx(more, abs=1e-9)


def test_prices_of_nodes_are_those_the_optimizer_counts():
    problem = draw(1)
    costs = np.array([0.5, 0.25, 2.0])
    told = OptimizeSettings(split="pair", split_penalty=0.5, feature_costs=costs)
    found = problem.optimize(problem.grow(GrowSettings(criterion="")), told)
    prices = node_prices(found.tree, told)
    assert (prices[:, 0] == 1.25).any()
    scaled, fixed = prices.sum(axis=0)
    expected = (0.5 * scaled + fixed) * found.mean_stake
    assert found.history[-1].price == pytest.approx(expected)


@pytest.mark.parametrize("costs", [None, [0.5, 0.0, 0.25]], ids=["free", "priced"])
@pytest.mark.parametrize("classes", [True, False], ids=["classes", "numbers"])
@pytest.mark.parametrize("split", ["axis", "pair"])
def test_below_the_first_turn_nothing_changes_and_at_it_something_does(
    split, classes, costs
):
    turned = 0
    for seed in range(4):
        problem = draw(seed, classes=classes)
        prices = None if costs is None else np.array(costs)
        told = OptimizeSettings(
            split=split, exact=True, all_losses=True, feature_costs=prices
        )
        start = problem.grow(GrowSettings(criterion=""))
        for penalty in (0.0, 0.4, 1.1):
            priced = replace(told, split_penalty=penalty)
            found = settled(problem, start, priced)
            if found.tree.n_leaves == 1:
                continue
            turns = breakpoints(found, problem.rows, priced)
            first = min(turn for turn in turns if turn > penalty)
            for part in (0.1, 0.5, 0.9, 0.9999):
                between = penalty + part * (first - penalty)
                same = replace(told, split_penalty=between)
                assert settled(problem, found.tree, same).tree == found.tree
            past = replace(told, split_penalty=first * (1 + 1e-9))
            turned += settled(problem, found.tree, past).tree != found.tree
            # Of dear features the cheapest may not be the one that would do.
            assert turned or costs is not None
    assert turned
