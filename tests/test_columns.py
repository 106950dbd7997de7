"""Names and levels in; `Columns`, orders of columns and exact refusals out."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tanoak._columns import (
    Columns,
    check_width,
    forced_positions,
    match_names,
    numbered_names,
    read_names,
)
from tanoak.exceptions import ParameterError, TableError

HOSTILE = [
    "",
    " ",
    "a\nb",
    "\x00",
    "\ud800\udfff",
    "x" * 10_000,
    "<script>alert(1)</script>",
    "{{x}}",
    "%s%n",
    "'; DROP TABLE t; --",
    "\u202eevil",
    "age",
    "Age",
]


def named(*names):
    return Columns(names, (None,) * len(names), named=True)


def test_columns_know_their_kinds():
    columns = Columns(("a", "b", "c"), (None, ("x", "y"), ()), named=True)
    assert len(columns) == 3
    assert columns.categorical == (1, 2)
    assert [columns.is_categorical(j) for j in range(3)] == [False, True, True]
    assert [columns.n_levels(j) for j in range(3)] == [0, 2, 0]


def test_numeric_columns_are_numbered():
    columns = Columns.numeric(3)
    assert columns.names == ("x0", "x1", "x2")
    assert columns.levels == (None, None, None)
    assert not columns.named


def test_names_and_levels_go_together():
    with pytest.raises(TableError, match=r"^2 names but 1 levels of columns$"):
        Columns(("a", "b"), (None,), named=True)


@pytest.mark.parametrize(
    "other",
    [
        Columns(("a",), ((True, False),), named=True),
        Columns(("a",), ((1.0, 0.0),), named=True),
        Columns(("a",), ((0, 1),), named=True),
        Columns(("a",), (None,), named=True),
        Columns(("b",), ((1, 0),), named=True),
        Columns(("a",), ((1, 0),), named=False),
        "a",
    ],
)
def test_equal_means_equal_in_every_type(other):
    columns = Columns(("a",), ((1, 0),), named=True)
    assert columns != other
    assert columns == pickle.loads(pickle.dumps(columns))
    assert hash(columns) == hash(pickle.loads(pickle.dumps(columns)))


@pytest.mark.parametrize(
    ("labels", "names", "is_named"),
    [
        (["a", "b"], ("a", "b"), True),
        ([np.str_("a")], ("a",), True),
        (range(2), ("x0", "x1"), False),
        ([np.int64(7), 3], ("x0", "x1"), False),
        ([], (), False),
        (HOSTILE, tuple(HOSTILE), True),
    ],
)
def test_labels_become_names(labels, names, is_named):
    assert read_names(labels) == (names, is_named)
    assert all(type(name) is str for name in read_names(labels)[0])


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (
            ["a", 1],
            "column names must be strings, or integers for all columns, got 1 (int) "
            "for column 1; make every name a string, such as '1'",
        ),
        (
            [("a", "b"), ("a", "c")],
            "column names must be strings, or integers for all columns, got "
            "('a', 'b') (tuple) for column 0; make every name a string, such as "
            "\"('a', 'b')\"",
        ),
        (
            [0.5],
            "column names must be strings, or integers for all columns, got 0.5 "
            "(float) for column 0; make every name a string, such as '0.5'",
        ),
        (
            ["b", "a", "b", "b"],
            "column names must be distinct, 'b' is there 3 times; rename or drop the "
            "repeated columns",
        ),
    ],
)
def test_labels_that_are_no_names_are_refused(labels, message):
    with pytest.raises(TableError) as caught:
        read_names(labels)
    assert str(caught.value) == message


@given(st.permutations(HOSTILE))
def test_names_are_matched_in_any_order(names):
    order = match_names(names, named(*HOSTILE))
    assert [names[position] for position in order] == HOSTILE


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (
            ["age", "Income"],
            "The feature names should match those that were passed during fit.\n"
            "Feature names unseen at fit time:\n- Income\n"
            "Feature names seen at fit time, yet now missing:\n- income\n"
            "Did you mean 'income' instead of 'Income'?\n",
        ),
        (
            ["age"],
            "The feature names should match those that were passed during fit.\n"
            "Feature names seen at fit time, yet now missing:\n- income\n",
        ),
        (
            ["income", "age", *"zyxwvut"],
            "The feature names should match those that were passed during fit.\n"
            "Feature names unseen at fit time:\n- t\n- u\n- v\n- w\n- x\n- ...\n",
        ),
        (
            ["income", "age", *"zyxwv"],
            "The feature names should match those that were passed during fit.\n"
            "Feature names unseen at fit time:\n- v\n- w\n- x\n- y\n- z\n",
        ),
        (
            ["age", "income", "a\nb", "n" * 500],
            "The feature names should match those that were passed during fit.\n"
            "Feature names unseen at fit time:\n- 'a\\nb'\n"
            f"- '{'n' * 27}...{'n' * 28}'\n",
        ),
    ],
)
def test_a_difference_in_names_is_shown(names, message):
    with pytest.raises(TableError) as caught:
        match_names(names, named("age", "income"))
    assert str(caught.value) == message


def test_a_difference_in_width_is_shown():
    check_width(2, named("a", "b"))
    with pytest.raises(TableError) as caught:
        check_width(3, named("a", "b", "c", "d"))
    message = "X has 3 features, but Tree is expecting 4 features as input."
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("categorical", "positions"),
    [
        ("auto", set()),
        ([], set()),
        (["b"], {1}),
        (("c", "a"), {0, 2}),
        ({0, "b"}, {0, 1}),
        ([np.int64(2), 2], {2}),
        ([True, False, True], {0, 2}),
        (np.array([False, True, False]), {1}),
        (np.array([0, 2]), {0, 2}),
        (pd.Index(["a"]), {0}),
    ],
)
def test_categorical_names_columns(categorical, positions):
    assert forced_positions(categorical, ("a", "b", "c")) == positions


KINDS = (
    "categorical must be 'auto', a list of column names or positions, or a mask with "
    "one bool per column, got "
)


@pytest.mark.parametrize(
    ("categorical", "message"),
    [
        (None, KINDS + "None"),
        ("income", KINDS + "'income'; write ['income']"),
        ("Auto", KINDS + "'Auto'"),
        (True, KINDS + "True"),
        (1, KINDS + "1"),
        (np.eye(2, dtype=bool), KINDS + "array([[ True, False], [False, True]])"),
        (np.array("age"), KINDS + "array('age', dtype='<U3')"),
        (
            ["Income"],
            "categorical names a column 'Income' that X does not have; did you mean "
            "'income'?",
        ),
        (["zip"], "categorical names a column 'zip' that X does not have"),
        ([2], "categorical holds the position 2, but X has columns 0 to 1"),
        ([-1], "categorical holds the position -1, but X has columns 0 to 1"),
        ([0.0], "categorical must hold column names or positions, got 0.0"),
        ([True, 1], "categorical must hold column names or positions, got True"),
        (
            [True],
            "a categorical mask needs one bool per column: X has 2 columns, the mask "
            "1 values",
        ),
    ],
)
def test_categorical_that_names_no_column_is_refused(categorical, message):
    with pytest.raises(ParameterError) as caught:
        forced_positions(categorical, ("age", "income"))
    assert str(caught.value) == message


def test_numbered_names():
    assert numbered_names(0) == ()
    assert numbered_names(2) == ("x0", "x1")
