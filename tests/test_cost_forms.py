"""Costs and priors in every accepted form in; the same numbers out."""

from __future__ import annotations

import decimal
from collections import OrderedDict

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from reference.slow_costs import slow_balanced

from tanoak._cost_forms import (
    class_factor,
    read_form,
    read_priors,
    read_row_costs,
    stated_classes,
)
from tanoak.costs import CostMatrix
from tanoak.exceptions import CostError

CLASSES = ("a", "b", "c")
VALUES = [[0.0, 1.0, 2.0], [3.0, 0.0, 4.0], [5.0, 6.0, 0.0]]
ARRAY = np.array(VALUES)
PANDAS = pd.DataFrame(VALUES, index=CLASSES, columns=CLASSES)
BY_COLUMN = {
    "true class": ["c", "a", "b"],
    "b": [6.0, 1.0, 0.0],
    "a": [5.0, 0.0, 3.0],
    "c": [0.0, 2.0, 4.0],
}

ACCEPTED = {
    "lists": VALUES,
    "tuples": tuple(map(tuple, VALUES)),
    "whole numbers": ARRAY.astype(np.int8),
    "big-endian": ARRAY.astype(">f4"),
    "float16": ARRAY.astype(np.float16),
    "long double": ARRAY.astype(np.longdouble),
    "Fortran order": np.asfortranarray(ARRAY),
    "sliced": np.kron(ARRAY, np.ones((2, 2)))[::2, ::2],
    "objects": np.array(
        [[0, 1, 2], [3, 0, decimal.Decimal(4)], [5, 6, 0]], dtype=object
    ),
    "masked array": np.ma.array(ARRAY, mask=False),
    "nested dict": {
        "a": {"b": 1, "c": 2},
        "b": {"a": 3, "c": 4},
        "c": {"a": 5, "b": 6},
    },
    "nested dict, other order": OrderedDict(
        c={"b": 6, "a": 5, "c": 0}, a={"c": 2, "b": 1}, b={"c": np.float32(4), "a": 3}
    ),
    "dict of Series": {name: PANDAS.loc[name] for name in CLASSES},
    "pandas": PANDAS,
    "pandas, other order": PANDAS.loc[["c", "a", "b"], ["b", "c", "a"]],
    "pandas, categories": PANDAS.set_index(pd.CategoricalIndex(CLASSES)),
    "pandas, nullable": PANDAS.convert_dtypes(),
    "pandas, Arrow": PANDAS.convert_dtypes(dtype_backend="pyarrow"),
    "pandas, first column": pd.DataFrame(BY_COLUMN),
    "polars": pl.DataFrame(BY_COLUMN),
    "polars, categories": pl.DataFrame(BY_COLUMN).with_columns(
        pl.col("true class").cast(pl.Categorical)
    ),
    "pyarrow": pa.table(BY_COLUMN),
    "pyarrow, dictionary": pa.table(
        {**BY_COLUMN, "true class": pa.array(["c", "a", "b"]).dictionary_encode()}
    ),
    "CostMatrix": CostMatrix(VALUES, CLASSES),
    "CostMatrix, other order": CostMatrix(ARRAY[::-1, ::-1], CLASSES[::-1]),
}


@pytest.mark.parametrize("form", ACCEPTED)
def test_every_form_gives_the_same_matrix(form):
    matrix = CostMatrix.from_any(ACCEPTED[form], CLASSES)
    assert matrix.values.tolist() == VALUES
    assert matrix.classes == CLASSES


@pytest.mark.parametrize(
    "form", [{"c": 7, "a": 1, "b": 2}, pd.Series({"b": 2.0, "c": 7.0, "a": 1.0})]
)
def test_one_cost_a_class_is_that_of_mistaking_its_rows(form):
    expected = [[0.0, 1.0, 1.0], [2.0, 0.0, 2.0], [7.0, 7.0, 0.0]]
    assert CostMatrix.from_any(form, CLASSES).values.tolist() == expected


def test_right_answers_may_have_their_price_in_every_form():
    values = ARRAY + np.diag([0.5, 0.25, 1.5])
    frame = pd.DataFrame(values, index=CLASSES, columns=CLASSES)
    for form in (frame, frame.T.to_dict(), frame.reset_index(), values.tolist()):
        assert CostMatrix.from_any(form, CLASSES).values.tolist() == values.tolist()


def test_no_statement_makes_every_mistake_cost_one():
    assert read_form(None, CLASSES).tolist() == (1 - np.eye(3)).tolist()


def test_balanced_by_hand():
    # n / (K n_k) is 100 / (4 * 10), 100 / (4 * 50) and twice 100 / (4 * 20).
    values = read_form("balanced", ("a", "b", "c", "d"), [10, 50, 20, 20])
    assert values.tolist() == [
        [0.0, 2.5, 2.5, 2.5],
        [0.5, 0.0, 0.5, 0.5],
        [1.25, 1.25, 0.0, 1.25],
        [1.25, 1.25, 1.25, 0.0],
    ]
    np.testing.assert_allclose(values, slow_balanced([10, 50, 20, 20]))


def test_balanced_counts_only_classes_that_occur():
    values = read_form("balanced", CLASSES, [3, 0, 1])
    assert values[0, 1] == pytest.approx(4 / (2 * 3))
    assert values[2, 0] == pytest.approx(4 / (2 * 1))
    assert np.isfinite(values).all()


@pytest.mark.parametrize(
    ("classes", "form"),
    [
        ((0, 1), {1: {0: 2}, 0: {1: 5}}),
        ((0.0, 1.0), {np.int64(1): {0: 2}, 0: {1: 5}}),
        ((False, True), {True: {False: 2}, False: {True: 5}}),
        ((0, 1), pd.DataFrame([[0, 5], [2, 0]])),
        ((0, 1), pl.DataFrame({"true": [1, 0], "1": [0, 5], "0": [2, 0]})),
        (
            (False, True),
            pl.DataFrame({"t": [True, False], "True": [0, 5], "False": [2, 0]}),
        ),
    ],
)
def test_labels_that_are_no_text(classes, form):
    matrix = CostMatrix.from_any(form, classes)
    assert matrix.values.tolist() == [[0.0, 5.0], [2.0, 0.0]]
    assert matrix.classes == classes


def test_a_matrix_keeps_no_hold_of_what_was_given():
    given = ARRAY.copy()
    matrix = CostMatrix.from_any(given, CLASSES)
    given[0, 1] = 99.0
    assert matrix.values[0, 1] == 1.0


def test_nothing_the_user_gave_is_changed():
    nested = {"a": {"b": 1, "c": 2}, "b": {"a": 3, "c": 4}, "c": {"a": 5, "b": 6}}
    read_form(nested, CLASSES)
    assert nested == {
        "a": {"b": 1, "c": 2},
        "b": {"a": 3, "c": 4},
        "c": {"a": 5, "b": 6},
    }


def test_forms_with_names_state_their_classes():
    assert stated_classes({"b": 1, "a": 2}) == ("a", "b")
    assert stated_classes(pl.DataFrame(BY_COLUMN)) == ("a", "b", "c")
    assert stated_classes(PANDAS) == ("a", "b", "c")
    assert stated_classes(PANDAS[::-1]) == ("a", "b", "c")
    assert stated_classes(VALUES) is None
    assert stated_classes("balanced") is None


def test_a_class_without_a_row_is_named_and_a_typing_error_is_not():
    assert stated_classes({"bad": {"good": 5}}) == ("bad", "good")
    nested = {"bad": {"goood": 5}, "good": {"bad": 1}}
    assert stated_classes(nested) == ("bad", "good")


@pytest.mark.parametrize(
    "priors",
    [
        [0.2, 0.3, 0.5],
        {"c": 0.5, "a": 0.2, "b": 0.3},
        # As value_counts gives them: by frequency, not in the order of the classes.
        pd.Series(["c"] * 5 + ["b"] * 3 + ["a"] * 2).value_counts(normalize=True),
    ],
)
def test_priors_in_all_forms(priors):
    assert read_priors(priors, CLASSES).tolist() == [0.2, 0.3, 0.5]


def test_priors_may_miss_one_by_a_millionth():
    assert read_priors([0.333333, 0.333333, 0.3333335], CLASSES) is not None
    with pytest.raises(CostError, match=r"^priors sum to 0\.999998, not to 1: divide"):
        read_priors([0.333333, 0.333333, 0.333332], CLASSES)


def test_class_factor_is_prior_over_share():
    factor = class_factor([0.1, 0.3, 0.6], np.array([5.0, 3.0, 2.0]), CLASSES)
    np.testing.assert_allclose(factor, [0.1 / 0.5, 0.3 / 0.3, 0.6 / 0.2])
    absent = class_factor([0.4, 0.6, 0.0], np.array([5.0, 5.0, 0.0]), CLASSES)
    np.testing.assert_allclose(absent, [0.8, 1.2, 0.0])
    assert class_factor(None, np.array([5.0, 3.0, 2.0]), CLASSES) is None


@pytest.mark.parametrize(
    "given",
    [
        [[0, 1, 2], [3, 0, 4]],
        pd.DataFrame({"c": [2, 4], "a": [0, 3], "b": [1, 0]}),
        pd.DataFrame([[0, 1, 2], [3, 0, 4]], index=[17, 4]),
        pl.DataFrame({"c": [2, 4], "a": [0, 3], "b": [1, 0]}),
        pa.table({"c": [2, 4], "a": [0, 3], "b": [1, 0]}),
        np.array([[2, 1, 0], [4, 0, 3]], dtype=np.float32)[:, ::-1],
    ],
)
def test_costs_of_rows_have_the_order_of_the_classes(given):
    values = read_row_costs(given, 2, CLASSES)
    assert values.tolist() == [[0.0, 1.0, 2.0], [3.0, 0.0, 4.0]]
    assert values.flags.c_contiguous
    assert values.dtype == np.float64


def test_whole_numbers_in_a_header_are_classes_where_they_can_be():
    frame = pd.DataFrame([[9, 1], [9, 0]], columns=[1, 0])
    assert read_row_costs(frame, 2, (0, 1)).tolist() == [[1.0, 9.0], [0.0, 9.0]]
    assert read_row_costs(frame[[0, 1]], 2, (0, 1)).tolist() == [[1.0, 9.0], [0.0, 9.0]]


def test_large_costs_of_rows_are_not_copied():
    given = np.array([[0.0, 1.0, 2.0], [3.0, 0.0, 4.0]])
    assert np.shares_memory(read_row_costs(given, 2, CLASSES), given)
