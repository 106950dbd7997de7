"""Trees in; other answers out, against all 2^n labellings."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from labelings import all_labelings, answers, leaf_counts, leafy, paper, rates
from trees import QUICK, credit_tree

from tanoak import optimal_labelings, relabel
from tanoak.exceptions import ParameterError


@QUICK
@given(leaf_counts, st.floats(0.01, 100), st.floats(0.01, 100))
def test_no_labeling_is_cheaper_than_relabel_finds(counts, false_alarm, miss):
    tree = leafy(counts)
    matrix = np.array([[0, false_alarm], [miss, 0]])

    def cost_of(positive):
        masses = tree.masses[tree.is_leaf]
        return sum(
            mass @ matrix[:, int(one)]
            for mass, one in zip(masses, positive, strict=True)
        )

    cheapest = min(cost_of(x) for x in all_labelings(tree))
    found = relabel(tree, cost=matrix)
    assert cost_of(answers(found)) == pytest.approx(cheapest)
    assert found.cost.values.tolist() == matrix.tolist()


@QUICK
@given(leaf_counts, st.floats(0, 1))
def test_no_labeling_within_the_budget_finds_more(counts, max_fpr):
    tree = leafy(counts)
    points = [rates(tree, x) for x in all_labelings(tree)]
    best = max(tpr for fpr, tpr in points if fpr <= max_fpr)
    fpr, tpr = rates(tree, answers(relabel(tree, max_fpr=max_fpr)))
    assert fpr <= max_fpr
    assert tpr == pytest.approx(best)
    on_hull = relabel(tree, max_fpr=max_fpr, on_hull=True)
    fpr, tpr = rates(tree, answers(on_hull))
    corners = [x for x in optimal_labelings(tree) if x.fpr <= max_fpr]
    assert (fpr, tpr) == pytest.approx((corners[-1].fpr, corners[-1].tpr))


@pytest.mark.parametrize("negatives", [3, 10, 49, 100])
def test_a_budget_of_exactly_so_many_rows_is_used(negatives):
    tree = leafy([(1, 1)] * negatives)
    for allowed in range(negatives + 1):
        found = relabel(tree, max_fpr=allowed / negatives)
        assert sum(answers(found)) == allowed


def test_the_exact_choice_beats_the_hull_where_a_leaf_does_not_fit():
    tree = leafy([(6, 9), (5, 7), (5, 6), (4, 0)])
    exact, hull = relabel(tree, max_fpr=0.5), relabel(tree, max_fpr=0.5, on_hull=True)
    assert rates(tree, answers(exact)) == (10 / 20, 13 / 22)
    assert rates(tree, answers(hull)) == (6 / 20, 9 / 22)


def test_relabel_of_three_classes_reads_rows_as_true_classes():
    tree = credit_tree()
    cost = {
        "bad": {"fair": 1, "good": 90},
        "fair": {"bad": 2, "good": 1},
        "good": {"bad": 1, "fair": 1},
    }
    found = relabel(tree, cost=cost)
    # The leaf with 12 bad and 8 good rows: good would cost 1080, fair 20, bad 8.
    assert found.label[-1] == 0
    # 7 fair, 60 good: bad 74, fair 60, good 7.
    assert found.label[-2] == 2
    assert found.cost.values[0].tolist() == [0, 1, 90]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: relabel(paper()), "relabel takes one of cost, max_fpr and threshold"),
        (lambda: relabel(paper(), cost=[[0, 1], [1, 0]], max_fpr=0.1), "got cost and"),
        (
            lambda: relabel(paper(), max_fpr=1.5),
            "max_fpr must be a number >= 0 and <= 1",
        ),
        (lambda: relabel(credit_tree(), max_fpr=0.1), "this tree has 3"),
    ],
)
def test_what_is_refused(call, message):
    with pytest.raises(ParameterError, match=message):
        call()
