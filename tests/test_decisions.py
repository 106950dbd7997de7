"""Masses and costs in; what each answer costs at each node, and the cheapest, out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from reference.slow_costs import slow_answer_costs
from trees import QUICK, Leaf, axis, build, cases, columns_of, credit_tree

from tanoak._decisions import cheapest, expected_costs
from tanoak.costs import CostMatrix

# Rows are true classes: calling a bad row good costs 9, a good one bad 2.
COST = CostMatrix([[0, 4, 9], [1, 0, 3], [2, 5, 0]], ("bad", "fair", "good"))


def test_rows_of_the_matrix_are_true_classes():
    counts = credit_tree().counts
    costs = expected_costs(credit_tree(), COST)
    bad, fair, good = counts[0].tolist()
    assert costs[0].tolist() == [
        fair + 2 * good,
        4 * bad + 5 * good,
        9 * bad + 3 * fair,
    ]


def test_without_costs_a_mistake_costs_one():
    costs = expected_costs(credit_tree(), None)
    assert costs[2].tolist() == [6.0, 41.0, 45.0]
    assert cheapest(credit_tree(), None).tolist() == [2, 0, 0, 1, 2, 2, 0]


def test_priors_multiply_the_rows_of_their_class():
    tree = credit_tree(class_factor=[10.0, 1.0, 0.5])
    assert expected_costs(tree, None)[4].tolist() == [7 + 34, 120 + 34, 127]
    assert cheapest(tree, None)[4] == 0


def test_costs_per_row_come_before_the_matrix():
    given_costs = np.array([[3.0, 2.0, 2.0]] * 7)
    tree = credit_tree(answer_costs=given_costs, cost=COST)
    assert expected_costs(tree, COST) is tree.answer_costs
    assert cheapest(tree, COST).tolist() == [1] * 7


def test_among_equals_the_lowest_class():
    root = axis(0, 0.0, Leaf([2, 2, 0]), Leaf([0, 3, 3]))
    tree = build(root, columns_of(None), ("a", "b", "c"))
    assert cheapest(tree, None).tolist() == [1, 0, 1]


def test_rounding_does_not_decide_between_equal_masses():
    # 0.1 + 0.2 + 0.3 - 0.3 is less than 0.1 + 0.2 + 0.3 - 0.2 only by accident.
    masses = [[0.3, 0.1, 0.3]]
    tree = build(Leaf([1, 1, 1]), columns_of(None), ("a", "b", "c"), masses=masses)
    assert cheapest(tree, None).tolist() == [0]


@QUICK
@given(cases(n_classes=3, weighted=False))
def test_costs_are_those_of_the_definition(drawn):
    tree, _ = drawn
    expected = slow_answer_costs(COST.values.tolist(), tree.masses.tolist())
    costs = expected_costs(tree, COST)
    assert costs.tolist() == [[float(x) for x in node] for node in expected]
    for node, label in enumerate(cheapest(tree, COST)):
        assert expected[node][label] == min(expected[node])


@pytest.mark.parametrize("cost", [None, COST])
def test_labels_are_closed_numbers_of_classes(cost):
    label = cheapest(credit_tree(), cost)
    assert label.dtype == np.int32
    assert not label.flags.writeable
