"""Rows as plain objects in; the matrix a `Table` would hold, or its refusal, out."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tanoak._columns import Columns
from tanoak._serve_input import read_rows
from tanoak._table import read_like
from tanoak.exceptions import TableError

NAN = float("nan")
NUMBERS = Columns.numeric(2)
MIXED = Columns(("age", "town"), (None, ("Bonn", "Kiel")), named=True)
FLAGS = Columns(("on", "kind"), ((False, True), (1, 2, 7)), named=True)


def same(one, two):
    """Compare two matrices of numbers, NaN equal to NaN."""
    np.testing.assert_array_equal(np.asarray(one, dtype=float), two)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_of_floats_are_taken_as_they_are(dtype, order):
    X = np.arange(6, dtype=dtype).reshape((3, 2), order=order)
    assert read_rows(X, NUMBERS) is X
    assert np.shares_memory(read_rows(X[::2], NUMBERS), X)


@pytest.mark.parametrize(
    "X",
    [
        np.array([[1, 2]]),
        np.array([[1, 2]], dtype=np.uint8),
        np.array([[1, 2]], dtype=">f4"),
        np.array([[1, 2]], dtype=object),
        np.array([[True, 2.0]], dtype=object),
        [[1, 2]],
        [(1, 2.0)],
        ((Decimal(1), np.float32(2)),),
        {"x0": [1], "x1": [2.0]},
        {0: [1], 1: [2]},
        {"a": [1], "b": [2]},
        {"x1": np.array([2]), "x0": (1,)},
        [{"x1": 2, "x0": 1}],
        ({"x1": np.int8(2), "x0": True},),
    ],
)
def test_one_row_in_any_form(X):
    same([[1.0, 2.0]], read_rows(X, NUMBERS))


@pytest.mark.parametrize("missing", [None, NAN, pd.NA, pd.NaT, np.float32("nan")])
def test_missing_values(missing):
    same([[NAN, 1.0]], read_rows([[missing, "Kiel"]], MIXED))
    same([[3.0, NAN]], read_rows([{"age": 3, "town": missing}], MIXED))


def test_levels_are_found_by_value_and_new_ones_are_missing():
    X = {"town": ["Kiel", "Bonn", "Rome", None], "age": [1, 2, 3, 4]}
    same([[1, 1], [2, 0], [3, NAN], [4, NAN]], read_rows(X, MIXED))
    towns = np.array(X["town"][:2])
    same([[1, 1], [2, 0]], read_rows({"town": towns, "age": [1, 2]}, MIXED))


def test_levels_that_are_numbers_and_bools():
    same([[1, 2], [0, NAN]], read_rows([[True, 7], [False, 3]], FLAGS))
    same([[1, 2], [0, 0]], read_rows(np.array([[1, 7], [0, 1]]), FLAGS))
    same([[1, 2]], read_rows({"on": np.array([True]), "kind": [7.0]}, FLAGS))


def test_series_of_a_data_frame():
    frame = pd.DataFrame({"town": ["Kiel", None], "age": [1.5, 2]})
    same(read_like(frame, MIXED).values, read_rows(dict(frame), MIXED))


@pytest.mark.parametrize(
    "X",
    [
        {0: [3.5, 2.0], 1: ["Kiel", None]},
        {"town": np.array(["Kiel", "Bonn"]), "age": np.array([True, False])},
        {"town": ["Kiel", "Rome"], "age": np.ma.array([1, 2], mask=[0, 1])},
        {"town": np.ma.array(["Kiel", "Bonn"], mask=[1, 0]), "age": range(2)},
    ],
)
def test_a_dict_of_columns_is_read_as_a_table_reads_it(X):
    same(read_like(X, MIXED).values, read_rows(X, MIXED))


CELLS = st.one_of(st.none(), st.integers(-9, 9), st.floats(-9, 9))
TOWNS = st.sampled_from(["Bonn", "Kiel", "Rome", "", None])


@given(st.lists(st.tuples(CELLS, TOWNS), min_size=1))
def test_the_same_matrix_as_a_table(rows):
    ages, towns = [list(column) for column in zip(*rows, strict=True)]
    expected = read_like([list(row) for row in rows], MIXED).values
    same(expected, read_rows([list(row) for row in rows], MIXED))
    same(expected, read_rows({"age": ages, "town": towns}, MIXED))
    dicts = [{"town": town, "age": age} for age, town in rows]
    same(expected, read_rows(dicts, MIXED))


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([], "X has shape (0,); give a 2-D array with one row at least"),
        (np.zeros((0, 2)), "X has shape (0, 2); give a 2-D array with one row"),
        (np.zeros(2), "X has shape (2,); give a 2-D array"),
        ([1, 2], "X has shape (2,); give a 2-D array"),
        (np.zeros((1, 2, 1)), "X has shape (1, 2, 1)"),
        (np.zeros((1, 3)), "X has 3 features, but Tree is expecting 2 features"),
        ([[1, 2], [3]], "X cannot be read as a table: its rows have [1, 2] values"),
        ([np.zeros((2, 2)), np.zeros((2, 3))], "X cannot be read as a table"),
        ("text", "X is a str; give a 2-D NumPy array, a dict of columns"),
        (None, "X is a NoneType; give a 2-D NumPy array"),
        (pd.DataFrame({"x0": [1], "x1": [2]}), "X is a DataFrame; give a 2-D NumPy"),
        (np.array([[1.0, np.inf]]), "'x1' holds infinity in row 0"),
        ([[0, 1], [-np.inf, 1]], "'x0' holds infinity in row 1"),
        (np.array([[1j, 0]]), "Complex data not supported"),
        (np.array([[0, 1]], dtype="M8[s]"), "holds values of type datetime64"),
        ([[1, "2"]], "column 'x1' was numeric in training and holds the text '2'"),
        (np.array([["1", "2"]]), "column 'x0' was numeric in training and holds the"),
        ([[1, 2**53 + 1]], "integers that differ only beyond 2^53"),
        (np.array([[1, 2**60]]), "integers that differ only beyond 2^53"),
        ([[1, object()]], "column 'x1' holds <object object"),
        ({"x0": [1]}, "Feature names seen at fit time, yet now missing:\n- x1"),
        ({"x0": [1]}, "Give None for a missing value."),
        ({"x0": [1], "X1": [1]}, "Did you mean 'x1' instead of 'X1'?"),
        ({"x0": [1], "x1": [1], "y": [1]}, "unseen at fit time:\n- y"),
        ({}, "Feature names seen at fit time, yet now missing:\n- x0\n- x1"),
        ({0: [1]}, "X has 1 features, but Tree is expecting 2 features"),
        ([{0: 1, 1: 2}], "row 0: columns are found by name; 0 is not text"),
        ({"x0": [1, 2], "x1": [1]}, "column 'x1' has length 1, column 'x0' 2; give"),
        ({"x0": [], "x1": []}, "column 'x0' is empty; give one row at least"),
        ({"x0": 1, "x1": 2}, "column 'x0' is 1; give a list, array or Series of"),
        ({"x0": "ab", "x1": "cd"}, "column 'x0' is 'ab'; give a list, array"),
        ({"x0": np.zeros((1, 1)), "x1": [1]}, "has shape (1, 1); it must be 1-D"),
        ([{"x0": 1, "x1": 2}, {"x0": 1}], "row 1: The feature names should match"),
        ([{"x0": 1, "x1": 2}, [1, 2]], "row 1 is [1, 2]; the rows before it are"),
    ],
)
def test_what_cannot_be_used_is_refused(X, message):
    with pytest.raises(TableError) as caught:
        read_rows(X, NUMBERS)
    assert message in str(caught.value)


def test_text_where_categories_were_numbers():
    with pytest.raises(TableError, match="categories of numbers"):
        read_rows([[True, "7"]], FLAGS)


def test_the_rows_given_are_not_changed():
    X = [{"age": None, "town": "Rome"}]
    read_rows(X, MIXED)
    assert X == [{"age": None, "town": "Rome"}]
