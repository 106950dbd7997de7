"""Trees in; what ``print(tree)`` shows out: 20 lines at most, raw counts first."""

from __future__ import annotations

import dataclasses
import re
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
    linear,
    lone_leaf,
    regression_tree,
    subset,
)

from tanoak._outline import outline
from tanoak.costs import CostMatrix

NOTE = (
    "(missing values and new levels follow the branch with more rows, the first of "
    "equals, unless noted)"
)
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
        all rows [bad: 55 | fair: 42 | good: 71]
        |- age <= 26.5 or missing [bad: 43 | fair: 35 | good: 3]
        |  |- purpose in {car, tv} => bad [bad: 40 | fair: 5 | good: 1]
        |  |- purpose not in {car, tv} or missing => fair [bad: 3 | fair: 30 | good: 2]
        |- age > 26.5 [bad: 12 | fair: 7 | good: 68]
        |  |- 0.5 * age - 4 * (purpose = radio) + 0.001 * amount <= 20 => good \
[fair: 7 | good: 60]
        |  |- 0.5 * age - 4 * (purpose = radio) + 0.001 * amount > 20 => bad \
[bad: 12 | good: 8]
        """
    assert str(credit_tree()) == textwrap.dedent(expected) + NOTE


def test_a_regression_tree():
    expected = """\
        Regression tree from 45 training rows: 2 splits, 3 leaves, depth 2
        all rows [45 rows | mean 0.7222 | spread 2.697]
        |- x0 <= 3 [40 rows | mean -0.1875 | spread 0.851]
        |  |- x1 <= -0.5 => -1.5 [10 rows | spread 0.4472]
        |  |- x1 > -0.5 => 0.25 [30 rows | spread 0.3651]
        |- x0 > 3 or missing => 8 [5 rows | spread 0.3162]
        """
    assert str(regression_tree()) == textwrap.dedent(expected) + NOTE


def test_a_lone_leaf():
    assert lines(lone_leaf()) == [
        "Classification tree from 8 training rows: 0 splits, 1 leaf, depth 0",
        "all rows => yes [no: 3 | yes: 5]",
    ]


def test_costs_give_the_reason():
    # By the counts both leaves are good; a missed bad one costs five times as much.
    tree = two_leaves([30, 80], [2, 90], cost=COST)
    head, costs, _, left, right, _ = lines(tree)
    assert head.endswith("1 split, 2 leaves, depth 1")
    assert costs == (
        "Costs: calling a 'bad' row 'good' costs 5; calling a 'good' row 'bad' costs 1"
    )
    assert left.endswith("=> bad [bad: 30 | good: 80] (costs 80; as good: 150)")
    assert right.endswith("=> good [bad: 2 | good: 90] (costs 10; as bad: 90)")


def test_the_next_best_of_three_is_compared():
    cost = CostMatrix([[0, 4, 9], [1, 0, 3], [2, 5, 0]], ("bad", "fair", "good"))
    tree = credit_tree(cost=cost)
    assert "; ... (see .cost)" in lines(tree)[1]
    # Calling them bad costs 5 + 2, fair 4 * 40 + 5, good 9 * 40 + 3 * 5.
    assert lines(tree)[4].endswith("(costs 7; as fair: 165)")


def test_priors_and_weights_are_told():
    tree = two_leaves([30, 80], [2, 900], class_factor=[5.0, 0.5])
    assert lines(tree)[1] == "Priors: a row counts as [bad: 5 | good: 0.5]"
    assert lines(tree)[3].endswith("=> bad [bad: 30 | good: 80] (weighs 150; good: 40)")
    tree = two_leaves([3, 8], [2, 9], masses=[[38.0, 17.0], [30.0, 8.0], [8.0, 9.0]])
    assert lines(tree)[1] == "Answers weigh the rows by sample_weight; counts do not"
    assert lines(tree)[3].endswith("=> bad [bad: 3 | good: 8] (weighs 30; good: 8)")


def test_costs_per_row_are_told():
    costs = [[6.0, 8.0], [2.5, 1.5], [3.5, 6.5]]
    tree = two_leaves([3, 8], [2, 9], answer_costs=costs)
    assert lines(tree)[1] == "Costs: every row had its own"
    assert lines(tree)[3].endswith(
        "=> good [bad: 3 | good: 8] (costs 1.5; as bad: 2.5)"
    )


def test_an_answer_that_is_not_the_majority_is_explained():
    tree = two_leaves([3, 8], [2, 9], label=[1, 0, 1])
    assert lines(tree)[2].endswith("=> bad [bad: 3 | good: 8] (weighs 3; good: 8)")
    assert lines(tree)[3].endswith("=> good [bad: 2 | good: 9]")


def test_nothing_is_said_about_costs_where_none_were_given():
    weighted = two_leaves([3, 8], [2, 9], masses=[[38.0, 17], [30, 8], [8, 9]])
    with_priors = two_leaves([30, 80], [2, 900], class_factor=[5.0, 0.5])
    for tree in (two_leaves([3, 8], [2, 9]), weighted, with_priors):
        assert "cost" not in str(tree).lower()


@pytest.mark.parametrize(
    ("left", "right", "missing_left", "noted"),
    [
        ([1, 1], [5, 5], True, "left"),
        ([1, 1], [5, 5], False, None),
        ([5, 5], [1, 1], True, None),
        ([5, 5], [1, 1], False, "right"),
        ([2, 2], [2, 2], True, None),
        ([2, 2], [2, 2], False, "right"),
    ],
)
def test_missing_values_are_noted_where_they_take_the_smaller_branch(
    left, right, missing_left, noted
):
    printed = lines(two_leaves(left, right, missing_left=missing_left, label=[0, 0, 1]))
    assert ("or missing" in printed[2]) == (noted == "left")
    assert ("or missing" in printed[3]) == (noted == "right")
    assert printed[-1] == NOTE


@pytest.mark.parametrize(("missing_left", "noted"), [(True, "left"), (False, None)])
def test_the_larger_branch_is_the_one_of_more_weight(missing_left, noted):
    masses = [[6.0, 26.0], [5.0, 1.0], [1.0, 25.0]]
    tree = two_leaves([9, 9], [1, 1], missing_left=missing_left, masses=masses)
    printed = lines(tree)
    assert ("or missing" in printed[3]) == (noted == "left")
    assert "or missing" not in printed[4]
    assert printed[-1] == NOTE.replace("more rows", "more weight")


def test_no_note_where_nothing_can_be_missing_from_a_side():
    root = subset(0, {0, 1}, Leaf([1, 0]), Leaf([0, 2]))
    tree = build(root, columns_of(("a", "b"), names=["kind"]), ("no", "yes"))
    assert lines(tree)[2:] == [
        "|- kind not missing => no [no: 1]",
        "|- kind missing => yes [yes: 2]",
    ]


def test_many_classes_are_summed_up():
    classes = tuple(f"class {k}" for k in range(1000))
    counts = [k % 7 for k in range(1000)]
    printed = lines(build(Leaf(counts), columns_of(None), classes))
    shown = "class 6: 6 | class 13: 6 | class 20: 6"
    more = sum(counts) - 18
    assert printed[1] == f"all rows => class 6 [{shown} | {more} in 854 more classes]"


@pytest.mark.parametrize(
    ("classes", "counts", "tally"),
    [
        ((0, 1, 2), [1724, 0, 811], "0: 1724 | 2: 811"),
        ((1, 2, 3), [1724, 1714, 811], "1: 1724 | 2: 1714 | 3: 811"),
        ((1.0, 2.0), [3, 4], "1.0: 3 | 2.0: 4"),
        ((False, True), [3, 4], "False: 3 | True: 4"),
        (("1", "2"), [3, 4], "'1': 3 | '2': 4"),
        (("a|b", "c: 4"), [3, 4], "'a|b': 3 | 'c: 4': 4"),
        ((1, 2), [0, 0], "no rows"),
        ((1, 2), [9_999, 10_000], "1: 9999 | 2: 10,000"),
        ((1, 2, 3, 4), [1, 2, 3, 4], "1: 1 | 2: 2 | 3: 3 | 4: 4"),
        ((1, 2, 3, 4, 5), [1, 2, 3, 4, 5], "5: 5 | 4: 4 | 3: 3 | 3 in 2 more classes"),
        (
            ("x" * 24, "y" * 24, "z" * 24),
            [1, 2, 3],
            f"{'z' * 24}: 3 | 3 in 2 more classes",
        ),
        (("x" * 24, "y" * 24), [1, 2], f"{'x' * 24}: 1 | {'y' * 24}: 2"),
    ],
)
def test_labels_and_counts_cannot_be_confused(classes, counts, tally):
    printed = lines(build(Leaf(counts), columns_of(None), classes))
    assert printed[1].endswith(f" [{tally}]")


def test_labels_that_are_numbers_are_no_counts_anywhere():
    tree = complete(6)
    numbered = dataclasses.replace(tree, classes=(1, 2))
    priors = dataclasses.replace(numbered, class_factor=[1.0, 3.0], label=None)
    cost = CostMatrix([[0, 5], [1, 0]], (1, 2))
    costly = dataclasses.replace(numbered, cost=cost, label=None)
    for printed in map(str, (numbered, priors, costly)):
        # A label is what `:` follows, or the answer behind an arrow, or a class.
        text = re.sub(r"[12]: ([\d,.]+)| => [12]|class [12]", "", printed)
        assert re.search(r"(?<![\d.,<>= x-])[12](?![\d.,])(?! lea)", text) is None
    assert ", by answer [1: " in str(numbered)


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
    shut = [line for line in printed if " leaves below" in line]
    assert shut
    opened = [line for line in printed if "=>" not in line and " below" not in line]
    assert len(opened) == 8 + 2  # splits, the head and the note


def test_what_is_not_shown_is_counted():
    tree = complete(6)
    printed = [line for line in lines(tree) if " leaves below" in line]
    assert printed
    for line in printed:
        n_leaves, answers = re.search(
            r"(\d+) leaves below, by answer (.*)", line
        ).groups()
        assert int(n_leaves) == sum(map(int, re.findall(r": (\d+)", answers)))


def test_a_regression_tree_that_is_not_shown_whole():
    below = Leaf([1], 20.0)
    for step in range(20):
        below = axis(0, float(20 - step), Leaf([1], float(step)), below)
    printed = str(build(below, columns_of(None)))
    assert "13 leaves below, 0 to 20" in printed


def test_large_numbers_are_not_cut_short():
    tree = two_leaves([123_456, 7], [0, 9], cost=COST)
    assert "[bad: 123,456 | good: 7] (costs 7; as good: 617,280)" in str(tree)
    assert lines(tree)[0].startswith("Classification tree from 123,472 training rows:")
    empty = build(Leaf([0], 5.0), columns_of(None))
    assert "[0 rows | spread unknown]" in str(empty)


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
    assert "=> bad [bad: 3] (weighs" in str(tree)
    assert "all rows [bad: 3 | good: 4]" in str(tree)


# --- leaves that answer alike ---


def test_leaves_that_answer_alike_are_shown_as_one():
    low = axis(0, 1.0, Leaf([9, 1]), axis(0, 1.5, Leaf([5, 4]), Leaf([7, 0])))
    high = axis(0, 3.0, Leaf([0, 4]), Leaf([3, 1]))
    tree = build(axis(0, 2.0, low, high), columns_of(None), ("bad", "good"), cost=COST)
    assert lines(tree)[0].endswith("4 splits, 5 leaves, depth 3")
    assert lines(tree)[2:-1] == [
        "all rows [bad: 24 | good: 10]",
        "|- x0 <= 2 => bad [bad: 21 | good: 5] in 3 leaves (costs 5; as good: 105)",
        "|- x0 > 2 or missing [bad: 3 | good: 5]",
        "|  |- x0 <= 3 => good [good: 4] (costs 0; as bad: 4)",
        "|  |- x0 > 3 or missing => bad [bad: 3 | good: 1] (costs 1; as good: 15)",
    ]


def test_one_answer_everywhere_is_one_line():
    tree = two_leaves([3, 8], [2, 9])
    assert lines(tree)[1:] == ["all rows => good [bad: 5 | good: 17] in 2 leaves"]


def test_the_answer_shown_is_that_of_the_leaves():
    tree = two_leaves([3, 8], [2, 9], label=[1, 0, 0])
    expected = "all rows => bad [bad: 5 | good: 17] in 2 leaves (weighs 5; good: 17)"
    assert lines(tree)[1:] == [expected]


def test_equal_means_are_one_answer():
    root = axis(0, 0.0, Leaf([3], 2.0, 1.0), Leaf([4], 2.0, 3.0))
    printed = lines(build(root, columns_of(None)))
    assert printed[1:] == ["all rows => 2 [7 rows | spread 0.7559] in 2 leaves"]


# --- what does not fit ---

LONG = ("appliances and radio", "used furniture", "holidays", "education")
LEVELS = ", ".join(LONG)


def wide(name, levels):
    """Split on levels that fill a line; return the lines of the leaves."""
    codes = set(range(len(levels) // 2))
    root = subset(0, codes, Leaf([7, 132]), Leaf([132, 7]))
    tree = build(root, columns_of(levels, names=[name]), ("bad", "good"), cost=COST)
    return lines(tree)[3:5]


def test_the_reason_is_left_out_first():
    levels = (*LONG, "car", "tv", "boat", "shop")
    said = " => good [bad: 7 | good: 132]"
    left, _ = wide("p", levels)
    assert left == f"|- p in {{{LEVELS}}}{said} (costs 35; as bad: 132)"
    left, right = wide("purpose", levels)
    assert left == f"|- purpose in {{{LEVELS}}}{said}"
    said = " => bad [bad: 132 | good: 7]"
    assert right == f"|- purpose not in {{{LEVELS}}} or missing{said}"


def test_levels_are_left_out_next():
    left, right = wide(
        "what the credit is wanted for", (*LONG, "car", "tv", "boat", "shop")
    )
    some = "{appliances and radio, ... 3 more}"
    said = " => good [bad: 7 | good: 132]"
    assert left == f"|- what the credit is wanted for in {some}{said}"
    said = " => bad [bad: 132 | good: 7]"
    assert right == f"|- what the credit is wanted for not in {some} or missing{said}"


def test_a_rule_keeps_its_ends():
    names = [f"{letter * 37}" for letter in "abcd"]
    terms = [(column, -1, 0.5) for column in range(4)]
    root = linear(terms, 1.25, Leaf([700, 0]), Leaf([0, 500]))
    tree = build(root, columns_of(*[None] * 4, names=names), ("bad", "good"))
    assert (
        lines(tree)[2]
        == f"|- 0.5 * {names[0]} + 3 more terms <= 1.25 => bad [bad: 700]"
    )
    deep = axis(0, 0.0, root, Leaf([1, 1]))
    for _ in range(6):
        deep = axis(0, 0.0, deep, Leaf([1, 1]))
    classes = ("bad" * 8, "good" * 6)
    tree = build(deep, columns_of(*[None] * 4, names=names), classes)
    line = next(line for line in lines(tree) if "<= 1.25" in line)
    assert 118 <= len(line) <= 120
    assert line.endswith(f"<= 1.25 => {classes[0]} [{classes[0]}: 700]")
    assert "|- 0.5 * aaaa" in line


@pytest.mark.parametrize(
    ("n_letters", "condition"),
    [
        (1, "p {e1: +3, e0: +2} + 0.5 * x - 2.5 * y - z"),
        (8, "{p} {{e1: +3, ...}} - 2.5 * {y} + 3 more terms"),
        (19, "{p} {{e1: +3, ...}} + 4 more terms"),
    ],
)
def test_both_sides_of_a_long_sum_name_the_same_terms(n_letters, condition):
    names = [letter * n_letters for letter in "pxyz"]
    terms = [(0, 0, 2.0), (0, 1, 3.0), (1, -1, 0.5), (2, -1, -2.5), (3, -1, -1.0)]
    root = linear(terms, 1.25, Leaf([2000, 0]), Leaf([300, 500]))
    columns = columns_of(("e0", "e1"), None, None, None, names=names)
    tree = build(root, columns, ("bad credits", "good credits"))
    shown = condition if n_letters == 1 else condition.format(p=names[0], y=names[2])
    left, right = (line.split(" => ")[0] for line in lines(tree)[2:])
    assert (left, right) == (f"|- {shown} <= 1.25", f"|- {shown} > 1.25")


def test_costs_of_long_classes_take_one_sentence():
    classes = ("b" * 30, "g" * 30)
    tree = build(
        Leaf([1, 1]), columns_of(None), classes, cost=CostMatrix(COST.values, classes)
    )
    assert lines(tree)[1].endswith(" costs 5; ... (see .cost)")
