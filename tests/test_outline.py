"""Trees in; what ``print(tree)`` shows out: 20 lines at most, raw counts first."""

from __future__ import annotations

import textwrap

import numpy as np
import pytest
from hypothesis import given
from trees import (
    QUICK,
    Leaf,
    axis,
    build,
    cases,
    chain,
    columns_of,
    complete,
    credit_tree,
    lone_leaf,
    regression_tree,
    subset,
)

from tanoak._outline import outline
from tanoak.costs import CostMatrix

NOTE = "(missing values and new levels follow the larger branch unless noted)"
COST = CostMatrix([[0, 5], [1, 0]], ("bad", "good"))


def lines(tree):
    """Return the printed lines."""
    return str(tree).splitlines()


def two_leaves(left, right, *, missing_left=False, **more):
    """Build a tree of one split for the classes bad and good."""
    root = axis(0, 26.5, Leaf(left), Leaf(right), missing_left=missing_left)
    return build(root, columns_of(None, names=["age"]), ("bad", "good"), **more)


def test_a_whole_tree():
    expected = """\
        Classification tree from 168 training rows: 3 splits, 4 leaves, depth 2
        all rows: 55 bad, 42 fair, 71 good
        |- age <= 26.5 or missing: 43 bad, 35 fair, 3 good
        |  |- purpose in {car, tv} => bad: 40 bad, 5 fair, 1 good
        |  |- purpose not in {car, tv} or missing => fair: 3 bad, 30 fair, 2 good
        |- age > 26.5: 12 bad, 7 fair, 68 good
        |  |- 0.5 * age - 4 * (purpose = radio) + 0.001 * amount <= 20 => good: \
0 bad, 7 fair, 60 good
        |  |- 0.5 * age - 4 * (purpose = radio) + 0.001 * amount > 20 => bad: \
12 bad, 0 fair, 8 good
        """
    assert str(credit_tree()) == textwrap.dedent(expected) + NOTE


def test_a_regression_tree():
    expected = """\
        Regression tree from 45 training rows: 2 splits, 3 leaves, depth 2
        all rows: 45 rows, mean 0.7222, spread 2.697
        |- x0 <= 3: 40 rows, mean -0.1875, spread 0.851
        |  |- x1 <= -0.5 => -1.5: 10 rows, spread 0.4472
        |  |- x1 > -0.5 => 0.25: 30 rows, spread 0.3651
        |- x0 > 3 or missing => 8: 5 rows, spread 0.3162
        """
    assert str(regression_tree()) == textwrap.dedent(expected) + NOTE


def test_a_lone_leaf():
    assert lines(lone_leaf()) == [
        "Classification tree from 8 training rows: 0 splits, 1 leaf, depth 0",
        "all rows => yes: 3 no, 5 yes",
    ]


def test_costs_give_the_reason():
    # By the counts both leaves are good; a missed bad one costs five times as much.
    tree = two_leaves([30, 80], [2, 90], cost=COST)
    head, costs, _, left, right, _ = lines(tree)
    assert head.endswith("1 split, 2 leaves, depth 1")
    assert costs == (
        "Costs: calling a 'bad' row 'good' costs 5; calling a 'good' row 'bad' costs 1"
    )
    assert left.endswith("=> bad: 30 bad, 80 good (costs 80, good would cost 150)")
    assert right.endswith("=> good: 2 bad, 90 good (costs 10, bad would cost 90)")


def test_the_next_best_of_three_is_compared():
    cost = CostMatrix([[0, 4, 9], [1, 0, 3], [2, 5, 0]], ("bad", "fair", "good"))
    tree = credit_tree(cost=cost)
    assert "; ... (see .cost)" in lines(tree)[1]
    # Calling them bad costs 5 + 2, fair 4 * 40 + 5, good 9 * 40 + 3 * 5.
    assert lines(tree)[4].endswith("(costs 7, fair would cost 165)")


def test_priors_and_weights_are_told():
    tree = two_leaves([30, 80], [2, 90], class_factor=[5.0, 0.5])
    assert lines(tree)[1] == "Rows count by class: bad x 5, good x 0.5"
    assert lines(tree)[3].endswith("(costs 40, good would cost 150)")
    tree = two_leaves([3, 8], [2, 9], masses=[[50.0, 17.0], [30.0, 8.0], [20.0, 9.0]])
    assert lines(tree)[1] == "Answers weigh the rows by sample_weight; counts do not"
    assert lines(tree)[3].endswith(
        "=> bad: 3 bad, 8 good (costs 8, good would cost 30)"
    )


def test_costs_per_row_are_told():
    costs = [[9.0, 5.0], [2.5, 1.5], [6.5, 3.5]]
    tree = two_leaves([3, 8], [2, 9], answer_costs=costs)
    assert lines(tree)[1] == "Costs: every row had its own"
    assert lines(tree)[3].endswith(
        "=> good: 3 bad, 8 good (costs 1.5, bad would cost 2.5)"
    )


def test_an_answer_that_is_not_the_majority_is_explained():
    tree = two_leaves([3, 8], [2, 9], label=[1, 0, 1])
    assert lines(tree)[2].endswith("=> bad: 3 bad, 8 good (costs 8, good would cost 3)")
    assert lines(tree)[3].endswith("=> good: 2 bad, 9 good")


@pytest.mark.parametrize(
    ("left", "right", "missing_left", "noted"),
    [
        ([1, 1], [5, 5], True, "left"),
        ([1, 1], [5, 5], False, None),
        ([5, 5], [1, 1], True, None),
        ([5, 5], [1, 1], False, "right"),
        ([2, 2], [2, 2], True, "left"),
        ([2, 2], [2, 2], False, "right"),
    ],
)
def test_missing_values_are_noted_where_they_take_the_smaller_branch(
    left, right, missing_left, noted
):
    printed = lines(two_leaves(left, right, missing_left=missing_left))
    assert ("or missing" in printed[2]) == (noted == "left")
    assert ("or missing" in printed[3]) == (noted == "right")
    assert printed[-1] == NOTE


def test_no_note_where_nothing_can_be_missing_from_a_side():
    root = subset(0, {0, 1}, Leaf([1]), Leaf([2]))
    tree = build(root, columns_of(("a", "b"), names=["kind"]), ("yes",))
    assert lines(tree)[2:] == [
        "|- kind not missing => yes: 1 yes",
        "|- kind missing => yes: 2 yes",
    ]


def test_many_classes_are_summed_up():
    classes = tuple(f"class {k}" for k in range(1000))
    counts = [k % 7 for k in range(1000)]
    printed = lines(build(Leaf(counts), columns_of(None), classes))
    shown = "6 class 6, 6 class 13, 6 class 20"
    more = sum(counts) - 18
    assert printed[1] == f"all rows => class 6: {shown}, {more} in 854 more classes"


@QUICK
@given(cases(n_splits=40))
def test_never_more_than_20_lines_of_120_characters(drawn):
    printed = lines(drawn[0])
    assert len(printed) <= 20
    assert max(map(len, printed)) <= 120


@pytest.mark.parametrize("tree", [complete(12), chain(3000)], ids=["wide", "deep"])
def test_the_largest_parts_are_opened_and_the_rest_is_summed_up(tree):
    printed = lines(tree)
    assert 18 <= len(printed) <= 20
    shut = [line for line in printed if " leaves below: " in line]
    assert shut
    opened = [line for line in printed if "=>" not in line and " below" not in line]
    assert len(opened) == 8 + 2  # splits, the head and the note


def test_what_is_not_shown_is_counted():
    tree = complete(6)
    printed = [line for line in lines(tree) if " leaves below: " in line]
    for line in printed:
        words = line.split("... ")[1].split()
        answers = [int(w) for w in words if w.isdigit()]
        assert answers[0] == sum(answers[1:])


def test_a_regression_tree_that_is_not_shown_whole():
    below = Leaf([1], 20.0)
    for step in range(20):
        below = axis(0, float(20 - step), Leaf([1], float(step)), below)
    printed = str(build(below, columns_of(None)))
    assert "13 leaves below, 0 to 20" in printed


def test_large_numbers_are_not_cut_short():
    tree = two_leaves([123_456, 7], [0, 9], cost=COST)
    assert "(costs 7, good would cost 617280)" in str(tree)
    empty = build(Leaf([0], 5.0), columns_of(None))
    assert "0 rows, spread unknown" in str(empty)


def test_hostile_names_cannot_break_lines_or_terminals():
    name = "\n" * 5 + "\x1b[31m" + "x" * 10_000 + "\ud800"
    root = subset(0, {0}, Leaf([1, 0]), Leaf([0, 1]))
    tree = build(root, columns_of((name, "b"), names=[name]), (name, "no"))
    printed = outline(tree)
    printed.encode()
    assert all(line.isprintable() for line in printed.splitlines())
    assert len(printed.splitlines()) == 5


def test_weights_do_not_get_into_counts():
    masses = np.array([[0.5, 0.25], [0.5, 0.0], [0.0, 0.25]])
    tree = two_leaves([3, 0], [0, 4], masses=masses)
    assert "3 bad, 0 good" in str(tree)
    assert "all rows: 3 bad, 4 good" in str(tree)
