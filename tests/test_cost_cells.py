"""Arrays of costs in; the sentences and the refusals they deserve out."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tanoak._cost_cells import check_cells, check_row_costs, sentences, spell
from tanoak.exceptions import CostError

CLASSES = ("bad", "fair", "good")
VALUES = np.array([[0.0, 1.0, 20.0], [3.0, 0.0, 0.5], [7.0, 2.0 / 3.0, 0.0]])


def test_every_mistake_has_its_sentence_with_the_true_class_first():
    assert sentences(VALUES, CLASSES) == [
        "calling a 'bad' row 'fair' costs 1",
        "calling a 'bad' row 'good' costs 20",
        "calling a 'fair' row 'bad' costs 3",
        "calling a 'fair' row 'good' costs 0.5",
        "calling a 'good' row 'bad' costs 7",
        "calling a 'good' row 'fair' costs 0.666667",
    ]


def test_right_answers_are_mentioned_when_they_cost_something():
    values = VALUES + np.diag([0.0, 0.25, 0.0])
    assert sentences(values, CLASSES)[6:] == [
        "calling a 'fair' row 'fair' (the right answer) costs 0.25"
    ]


def test_numbers_as_labels_cannot_be_taken_for_amounts():
    assert sentences(np.array([[0.0, 5.0], [1e6, 0.0]]), (0, 1)) == [
        "calling a class 0 row class 1 costs 5",
        "calling a class 1 row class 0 costs 1000000",
    ]


def test_four_classes_are_spelt_out():
    assert len(sentences(1.0 - np.eye(4), ("a", "b", "c", "d"))) == 12


def test_of_many_classes_the_dearest_mistakes_are_shown():
    values = 1.0 - np.eye(10)
    values[7, 2], values[0, 9] = 30.0, 40.0
    lines = sentences(values, tuple("abcdefghij"))
    assert len(lines) == 13
    assert lines[:3] == [
        "calling a 'a' row 'j' costs 40",
        "calling a 'h' row 'c' costs 30",
        "calling a 'a' row 'b' costs 1",
    ]
    assert lines[-1] == "and 78 more"


def test_right_answers_that_are_left_out_are_counted():
    values = np.where(np.eye(10) == 1, 0.5, 1.0)
    last = sentences(values, tuple("abcdefghij"))[-1]
    assert last == "and 88 more, 10 of them for right answers"


@pytest.mark.parametrize("label", ["x" * 10_000, "a\nb", "\udc80", "</script>", "'"])
def test_hostile_labels_stay_on_one_short_line(label):
    text = spell(label, "b")
    assert len(text) < 100
    assert text.isprintable()


@pytest.mark.parametrize(
    ("cell", "number"), [((0, 2), -1.0), ((2, 1), np.nan), ((1, 0), np.inf)]
)
def test_a_wrong_cell_is_named_as_true_then_predicted(cell, number):
    values = VALUES.copy()
    values[cell] = number
    true, predicted = CLASSES[cell[0]], CLASSES[cell[1]]
    start = f"the cost of calling a '{true}' row '{predicted}' is "
    with pytest.raises(CostError, match="^" + re.escape(start)):
        check_cells(values, CLASSES)


def test_a_row_may_be_free_and_right_answers_may_cost_as_much_as_mistakes():
    check_cells(np.array([[0.0, 0.0, 0.0], [3.0, 3.0, 4.0], [5.0, 6.0, 1.0]]), CLASSES)


def test_only_a_transpose_that_helps_is_proposed():
    swapped = np.array([[2.0, 9.0, 1.0], [7.0, 0.0, 4.0], [5.0, 6.0, 0.0]])
    with pytest.raises(
        CostError, match=r"the transpose \(values\.T\) would be accepted$"
    ):
        check_cells(swapped, CLASSES)
    check_cells(swapped.T, CLASSES)
    hopeless = np.array([[5.0, 1.0, 9.0], [2.0, 0.0, 4.0], [3.0, 6.0, 0.0]])
    with pytest.raises(CostError, match=r"lower the diagonal"):
        check_cells(hopeless, CLASSES)
    with pytest.raises(CostError, match=r"lower the diagonal"):
        check_cells(hopeless.T, CLASSES)


def test_costs_of_rows_name_row_and_answer():
    row_costs = np.ones((4, 3))
    check_row_costs(row_costs, CLASSES)
    row_costs[3, 1] = np.nan
    message = (
        r"^in row_costs the cost of answering 'fair' on row 3 is missing \(nan\): "
    )
    with pytest.raises(CostError, match=message):
        check_row_costs(row_costs, CLASSES)
