"""Labels and costs in; the mean cost out, alone and inside scikit-learn's tools."""

from __future__ import annotations

import doctest
import re

import hypothesis.extra.numpy as hnp
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference.slow_costs import slow_cost_loss, slow_row_cost_loss
from sklearn.metrics import zero_one_loss

import tanoak.metrics
from tanoak.costs import CostMatrix
from tanoak.exceptions import CostError
from tanoak.metrics import cost_loss

CLASSES = ("bad", "fair", "good")
VALUES = np.array([[0.0, 1.0, 20.0], [3.0, 0.0, 0.5], [7.0, 2.0, 0.0]])
MATRIX = CostMatrix(VALUES, CLASSES)
Y_TRUE = ["bad", "bad", "fair", "good", "good", "good"]
Y_PRED = ["good", "bad", "good", "bad", "good", "fair"]
ROW_COSTS = np.arange(18.0).reshape(6, 3) ** 2 % 13


def test_mean_cost_by_hand():
    assert cost_loss(Y_TRUE, Y_PRED, cost=MATRIX) == (20 + 0 + 0.5 + 7 + 0 + 2) / 6
    turned = CostMatrix(VALUES.T, CLASSES)
    assert cost_loss(Y_TRUE, Y_PRED, cost=turned) == (7 + 0 + 2 + 20 + 0 + 0.5) / 6


LABELS = st.lists(st.integers(0, 2), min_size=6, max_size=6)
WEIGHTS = st.lists(st.floats(0, 9), min_size=6, max_size=6).filter(
    lambda w: max(w) > 0.1
)


@given(LABELS, LABELS, WEIGHTS)
def test_cost_loss_is_the_slow_one(true, predicted, weights):
    y_true, y_pred = np.take(CLASSES, true), np.take(CLASSES, predicted)
    loss = cost_loss(y_true, y_pred, cost=MATRIX, sample_weight=weights)
    assert loss == pytest.approx(
        slow_cost_loss(y_true, y_pred, VALUES, CLASSES, weights)
    )
    loss = cost_loss(
        y_true, y_pred, row_costs=ROW_COSTS, classes=CLASSES, sample_weight=weights
    )
    assert loss == pytest.approx(
        slow_row_cost_loss(y_pred, ROW_COSTS, CLASSES, weights)
    )


@given(LABELS, LABELS, hnp.arrays(float, (3, 3), elements=st.integers(1, 9)))
def test_swapping_truth_and_answer_transposes_the_costs(true, predicted, values):
    values = values * (1 - np.eye(3))
    straight = cost_loss(true, predicted, cost=values, classes=range(3))
    assert straight == cost_loss(predicted, true, cost=values.T, classes=range(3))


@given(LABELS, LABELS)
def test_known_losses_are_special_cases(true, predicted):
    assert cost_loss(true, predicted) == pytest.approx(zero_one_loss(true, predicted))
    wrong = np.not_equal(true, predicted)
    share_wrong = [wrong[np.equal(true, label)].mean() for label in set(true)]
    balanced = cost_loss(true, predicted, cost="balanced")
    assert balanced == pytest.approx(np.mean(share_wrong))


@pytest.mark.parametrize(
    "cast",
    [
        np.array,
        lambda labels: np.array(labels, dtype=object),
        pd.Series,
        lambda labels: pd.Series(labels, index=range(9, 3, -1)),
        lambda labels: pd.Series(labels, dtype="category"),
        lambda labels: pd.Series(labels).astype("string"),
        pl.Series,
        lambda labels: pl.Series(labels, dtype=pl.Categorical),
        tuple,
        # Where all classes are text, whole numbers are positions.
        lambda labels: [CLASSES.index(label) for label in labels],
    ],
)
def test_labels_of_many_kinds(cast):
    assert cost_loss(cast(Y_TRUE), cast(Y_PRED), cost=MATRIX) == 29.5 / 6


@pytest.mark.parametrize(
    ("labels", "cast"),
    [
        ((-1, 0, 3), np.int8),
        ((-1, 0, 3), np.float32),
        ((0.25, 0.5, 0.75), float),
    ],
)
def test_labels_that_are_numbers(labels, cast):
    y_true = np.array([labels[CLASSES.index(name)] for name in Y_TRUE], dtype=cast)
    y_pred = np.array([labels[CLASSES.index(name)] for name in Y_PRED], dtype=cast)
    assert cost_loss(y_true, y_pred, cost=VALUES) == 29.5 / 6
    assert cost_loss(y_true, y_pred, cost=CostMatrix(VALUES, labels)) == 29.5 / 6


def test_labels_that_are_true_or_false():
    y_true, y_pred = np.array([True, True, False]), np.array([False, True, True])
    assert cost_loss(y_true, y_pred, cost={True: 5, False: 1}) == 2.0


def test_classes_come_from_the_costs_where_these_have_names():
    nested = {
        "good": {"bad": 7, "fair": 2},
        "bad": {"fair": 1, "good": 20},
        "fair": {"bad": 3, "good": 0.5},
    }
    assert cost_loss(Y_TRUE, Y_PRED, cost=nested) == 29.5 / 6
    assert cost_loss(["good"], ["fair"], cost=nested) == 2.0
    # Columns of row_costs are in the order of the sorted classes all the same.
    unsorted = CostMatrix(VALUES[::-1, ::-1], CLASSES[::-1])
    assert cost_loss(["good"], ["bad"], cost=unsorted, row_costs=[[1, 2, 0]]) == 1.0
    backwards = CLASSES[::-1]
    assert cost_loss(["good"], ["bad"], row_costs=[[0, 1, 4]], classes=backwards) == 4.0


def test_costs_of_rows_take_the_place_of_the_matrix():
    loss = cost_loss(Y_TRUE, Y_PRED, cost=MATRIX, row_costs=ROW_COSTS)
    assert loss == slow_row_cost_loss(Y_PRED, ROW_COSTS, CLASSES, [1] * 6)
    frame = pd.DataFrame(ROW_COSTS[:, ::-1], columns=CLASSES[::-1])
    assert cost_loss(Y_TRUE, Y_PRED, row_costs=frame) == loss


def test_one_class_in_a_fold():
    assert cost_loss(["a", "a"], ["a", "a"]) == 0.0
    assert cost_loss(["a", "a"], ["a", "a"], cost="balanced") == 0.0
    assert cost_loss(["good", "good"], ["bad", "good"], cost=MATRIX) == 3.5


def test_huge_and_tiny_weights():
    for scale in (1e307, 1e-300):
        weights = np.array([1, 2, 3, 1, 2, 3]) * scale
        loss = cost_loss(Y_TRUE, Y_PRED, cost=MATRIX, sample_weight=weights)
        assert loss == pytest.approx((20 + 3 * 0.5 + 7 + 3 * 2) / 12)


AMONG = "which is none of the classes 'bad', 'fair', 'good'"
CODES = "which is none of the classes 0, 1, 2: rename or drop it"
RENAME = f"{AMONG}: rename or drop it"
LABEL = (
    "cannot be a class label: labels are text, whole or finite numbers, True or False"
)
ONE_LABEL = "give one label for each row, at least one"
KINDS = "labels are text, numbers, True or False"
MIXED = "make all of them text or all of them numbers"
OCCUR = (
    "but in y_true and y_pred occur 2 classes ('a', 'b'): "
    "name all classes with classes="
)
SHAPE = (
    "but there are 6 rows and the 3 classes 'bad', 'fair', 'good': "
    "give one cost for each row and each answer"
)
REFUSED = [
    (Y_TRUE, ["goood"] * 6, {}, f"y_pred names 'goood', {AMONG}; did you mean 'good'?"),
    (["ugly"] * 6, Y_PRED, {}, f"y_true names 'ugly', {RENAME}"),
    (Y_TRUE, [0, 1, 2, 0, 1, 2], {}, f"y_pred names 0, {RENAME}"),
    ([0, 2], [1, 3], {}, f"y_pred names 3, {CODES}"),
    (
        *(Y_TRUE, Y_PRED[:5], {}),
        "y_true has 6 rows and y_pred 5: give one prediction for each row",
    ),
    ([], [], {}, f"y_true has shape (0,): {ONE_LABEL}"),
    ([Y_TRUE], Y_PRED, {}, f"y_true has shape (1, 6): {ONE_LABEL}"),
    ("bad", "bad", {}, f"y_true has shape (): {ONE_LABEL}"),
    (Y_TRUE, np.ones(6) * 1j, {}, f"y_pred has dtype complex128: {KINDS}"),
    (Y_TRUE, np.zeros(6, "M8[D]"), {}, f"y_pred has dtype datetime64[D]: {KINDS}"),
    ([1.0, np.nan], [1.0, 1.0], {"cost": None}, f"nan {LABEL}"),
    (["a", None], ["a", "a"], {"cost": None}, f"None {LABEL}"),
    (
        ["a", 1.5],
        ["a", "a"],
        {"cost": None},
        f"classes mix text and numbers ('a', 1.5): {MIXED}",
    ),
    (
        ["a", "b"],
        [1, 2],
        {"cost": None},
        f"classes mix text and numbers ('a', 'b', 1, 2): {MIXED}",
    ),
    (["a", "b"], ["a", "a"], {"cost": VALUES}, f"cost has the shape (3, 3), {OCCUR}"),
    (
        *(["a", "b"], ["a", "a"], {"cost": None, "row_costs": np.ones((2, 3))}),
        f"row_costs has the shape (2, 3), {OCCUR}",
    ),
    (
        *(Y_TRUE, Y_PRED, {"row_costs": ROW_COSTS[:5]}),
        f"row_costs has shape (5, 3), {SHAPE}",
    ),
    (
        *(Y_TRUE, Y_PRED, {"sample_weight": [1, 1]}),
        "sample_weight has shape (2,), but there are 6 rows: "
        "give one number for each row",
    ),
    (
        *(Y_TRUE, Y_PRED, {"cost": "gini"}),
        "cost is the text 'gini': the only word allowed is 'balanced'",
    ),
]


@pytest.mark.parametrize(("y_true", "y_pred", "given", "message"), REFUSED)
def test_refused(y_true, y_pred, given, message):
    with pytest.raises(CostError, match=f"^{re.escape(message)}$"):
        cost_loss(y_true, y_pred, **{"cost": MATRIX} | given)


def test_labels_that_cannot_be_compared():
    labels = np.array([["a"], ["b"], None], dtype=object)[:2]
    with pytest.raises(CostError, match=r"^y_true holds something that is not a label"):
        cost_loss(labels, labels)


def test_examples_in_the_documentation():
    result = doctest.testmod(tanoak.metrics)
    assert result.attempted >= 5
    assert result.failed == 0
