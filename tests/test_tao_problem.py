"""A problem's trees are those of the functions behind it."""

from __future__ import annotations

import numpy as np
import pytest

from tanoak._grow import GrowSettings, grow_classes, grow_numbers
from tanoak._held_out import Rows
from tanoak._optimize import OptimizeSettings, optimize_classes, optimize_numbers
from tanoak._table import read_table
from tanoak._tao_problem import Problem
from tanoak.costs import resolve_costs

OPTIONS = OptimizeSettings(split="pair", split_penalty=1.5)


@pytest.fixture
def drawn():
    random = np.random.default_rng(0)
    X = random.normal(size=(80, 3))
    weight = random.integers(1, 4, 80).astype(float)
    return read_table(X), X[:, 0] + X[:, 1] ** 2, weight


def test_classes_keep_their_costs_and_weights(drawn):
    table, number, weight = drawn
    codes = np.digitize(number, [0.0, 1.0]).astype(np.int32)
    classes = ("low", "middle", "high")
    cost = [[0, 1, 9], [2, 0, 3], [5, 4, 0]]
    costs = resolve_costs(cost, codes, classes, sample_weight=weight)
    rows = Rows(table=table, target=codes, costs=costs, sample_weight=weight)
    problem = Problem(rows, classes)
    gini = GrowSettings(criterion="gini")
    start = grow_classes(
        table, codes, costs, gini, classes=classes, sample_weight=weight
    )
    assert problem.grow(GrowSettings(criterion="")) == start
    best = optimize_classes(table, codes, costs, start, OPTIONS, sample_weight=weight)
    assert problem.optimize(start, OPTIONS).tree == best.tree
    assert problem.mass == weight.sum()


def test_numbers_keep_their_weights(drawn):
    table, number, weight = drawn
    rows = Rows(table=table, target=number, sample_weight=weight)
    problem = Problem(rows, None)
    growth = GrowSettings(criterion="squared_error", max_leaf_nodes=9)
    start = grow_numbers(table, number, growth, sample_weight=weight)
    assert problem.grow(GrowSettings(criterion="", max_leaf_nodes=9)) == start
    best = optimize_numbers(table, number, start, OPTIONS, sample_weight=weight)
    assert problem.optimize(start, OPTIONS).tree == best.tree


def test_some_of_the_rows_are_a_problem_of_their_own(drawn):
    table, number, _ = drawn
    some = np.arange(0, 80, 2)
    problem = Problem(Rows(table=table, target=number), None).take(some)
    alone = Problem(
        Rows(table=read_table(table.values[some]), target=number[some]), None
    )
    growth = GrowSettings(criterion="", max_depth=2)
    assert problem.grow(growth).threshold.tolist() == (
        alone.grow(growth).threshold.tolist()
    )
    assert problem.mass == 40
