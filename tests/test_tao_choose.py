"""Candidates pay on held-out rows what their trees cost there, counted plainly."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tanoak._choose import deal_out
from tanoak._grow import GrowSettings
from tanoak._held_out import Rows
from tanoak._optimize import OptimizeSettings
from tanoak._table import read_table
from tanoak._tao_choose import Chain, chosen_place, compare, refit
from tanoak._tao_problem import Problem
from tanoak.costs import resolve_costs

COST = np.array([[0, 1, 9], [2, 0, 3], [5, 4, 0.0]])
TOLD = OptimizeSettings(split="pair")
CHAINS = [
    Chain(penalties=(1.0, 3.0, 10.0)),
    Chain(start="pair", penalties=(1.0, 3.0, 10.0)),
    Chain(max_leaf_nodes=4, penalties=(2.0, 5.0), warm=False, full_leaves=True),
]


def draw(*, by_row=False, classes=True, seed=0):
    """Noisy rows with weights and, for classes, asymmetric costs."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(150, 4))
    number = X[:, 0] + X[:, 1] + random.normal(size=150) / 2
    weight = random.integers(0, 4, 150).astype(float)
    table = read_table(X)
    if not classes:
        return Problem(Rows(table=table, target=number, sample_weight=weight), None)
    codes = np.digitize(number, [-0.5, 0.7]).astype(np.int32)
    names = ("a", "b", "c")
    rows = COST[codes] * random.uniform(1, 3, (150, 1)) if by_row else None
    costs = resolve_costs(
        None if by_row else COST, codes, names, row_costs=rows, sample_weight=weight
    )
    told = Rows(table=table, target=codes, costs=costs, sample_weight=weight)
    return Problem(told, names)


def plainly(problem, chain, splits):
    """Sum what each price costs on held-out rows, fit by fit and row by row."""
    rows = problem.rows
    paid = np.zeros((len(chain.penalties), len(rows)))
    for train, held in splits:
        part = problem.take(train)
        growth = chain.growth(part.mass, 1)
        start = part.grow(growth)
        for place, penalty in enumerate(chain.penalties):
            tree = part.optimize(start, replace(TOLD, split_penalty=penalty)).tree
            if chain.warm:
                start = tree
            answers = tree.predict(rows.table.values)
            for row in held:
                if problem.classes is None:
                    paid[place, row] = (rows.target[row] - answers[row]) ** 2
                    continue
                answer = problem.classes.index(answers[row])
                by_row = rows.costs.row_costs
                costs = COST[rows.target[row]] if by_row is None else by_row[row]
                paid[place, row] = costs[answer]
    return paid


@pytest.mark.parametrize(
    "told", [{}, {"by_row": True}, {"classes": False}], ids=["matrix", "rows", "number"]
)
def test_costs_are_those_of_a_plain_count(told):
    problem = draw(**told)
    splits = deal_out(problem.rows, 3, 5)
    table = compare(problem, CHAINS, TOLD, splits)
    paid = np.concatenate([plainly(problem, chain, splits) for chain in CHAINS])
    weight = problem.rows.sample_weight
    mean = (paid * weight).sum(axis=1) / weight.sum()
    np.testing.assert_allclose(table["cost"], mean, rtol=1e-12)
    best = table["cost"].argmin()
    away = paid - paid[best]
    excess = (away * weight).sum(axis=1) / weight.sum()
    error = np.sqrt(np.square((away - excess[:, None]) * weight).sum(axis=1))
    np.testing.assert_allclose(table["excess"], excess, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(
        table["excess_error"], error / weight.sum(), rtol=1e-9, atol=1e-12
    )
    assert table["split_penalty"].tolist() == [1, 3, 10, 1, 3, 10, 2, 5]
    assert table["max_leaf_nodes"].tolist() == [0] * 6 + [4] * 2


def test_threads_do_not_matter():
    problem = draw()
    splits = deal_out(problem.rows, 4, 0)
    tables = [compare(problem, CHAINS, TOLD, splits, n_jobs=n) for n in (1, 2, 4)]
    for table in tables[1:]:
        for name, column in table.items():
            assert column.tolist() == tables[0][name].tolist(), name


def table_of(n_leaves, penalty, excess, error):
    """Say what a comparison came to."""
    names = ("n_leaves", "split_penalty", "excess", "excess_error")
    columns = (n_leaves, penalty, excess, error)
    return {name: np.array(c) for name, c in zip(names, columns, strict=True)}


def test_of_equals_the_smallest_tree_and_then_the_highest_price_wins():
    table = table_of([9, 4, 4, 2], [1, 1, 2, 9], [0, 0, 0, 3.0], [0, 1, 1, 2])
    assert chosen_place(table, one_se=False) == 2
    assert chosen_place(table, one_se=True) == 2
    table["excess_error"][3] = 3
    assert chosen_place(table, one_se=True) == 3


def test_all_rows_are_trained_on_along_the_warm_chain():
    problem = draw()
    chain = CHAINS[1]
    found = refit(problem, chain, 3.0, TOLD)
    growth = GrowSettings(criterion="", split="pair", pair_cost=1.1)
    tree = problem.grow(growth)
    for penalty in (1.0, 3.0):
        tree = problem.optimize(tree, replace(TOLD, split_penalty=penalty)).tree
    assert found.tree == tree


def test_a_cold_chain_goes_to_its_price_at_once():
    problem = draw()
    found = refit(problem, CHAINS[2], 5.0, TOLD)
    start = problem.grow(CHAINS[2].growth(problem.mass, 1))
    assert start.n_leaves == 4
    alone = problem.optimize(start, replace(TOLD, split_penalty=5.0))
    assert found.tree == alone.tree


def test_without_held_out_rows_the_highest_price_is_taken():
    table = compare(draw(), CHAINS[:1], TOLD, [])
    assert table["cost"].tolist() == [0, 0, 0]
    assert chosen_place(table, one_se=True) == 2
