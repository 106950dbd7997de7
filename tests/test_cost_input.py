"""Numbers, names and weights as users write them in; arrays and refusals out."""

from __future__ import annotations

import decimal
import enum
import fractions

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from tanoak._cost_input import (
    as_mapping,
    match_columns,
    match_names,
    read_classes,
    read_codes,
    read_frame,
    read_numbers,
    read_weights,
    show,
    show_number,
    show_some,
)
from tanoak.exceptions import CostError


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["a", np.str_("b"), enum.StrEnum("Colour", ["RED"]).RED], ("a", "b", "red")),
        (np.array([3, 1, 2]), (3, 1, 2)),
        (np.array([0.5, 1.5], dtype=np.float32), (0.5, 1.5)),
        (np.array([False, True]), (False, True)),
        (["", "\n\x00\udc80"], ("", "\n\x00\udc80")),
        (pd.Series(["x", "y"]), ("x", "y")),
        ((label for label in "ab"), ("a", "b")),
    ],
)
def test_classes_become_plain_python_values(given, expected):
    read = read_classes(given)
    assert read == expected
    assert all(type(label) in {str, int, float, bool} for label in read)


@pytest.mark.parametrize(
    "given",
    [
        [[1, 2], [3, 4]],
        np.array([[1, 2], [3, 4]], dtype=">i2"),
        np.array([[1, 2], [3, 4]], dtype=np.uint64),
        np.array([[1, 2], [3, 4]], dtype=np.longdouble),
        np.asfortranarray([[1.0, 2.0], [3.0, 4.0]]),
        np.array([[1, decimal.Decimal(2)], [fractions.Fraction(3), 4.0]], dtype=object),
        np.ma.array([[1, 2], [3, 4]], mask=False),
    ],
)
def test_numbers_of_many_kinds_are_read(given):
    read = read_numbers(given, "cost")
    assert read.dtype == np.float64
    assert read.tolist() == [[1.0, 2.0], [3.0, 4.0]]


def test_float64_is_not_copied():
    values = np.ones((3, 2))
    assert np.shares_memory(read_numbers(values, "row_costs"), values)


@pytest.mark.parametrize(
    "given",
    [
        [1.0, None],
        [1.0, pd.NA],
        np.ma.array([1.0, 7.0], mask=[False, True]),
        np.ma.array([1, 7], mask=[False, True]),
    ],
)
def test_missing_cells_become_nan(given):
    np.testing.assert_array_equal(read_numbers(given, "cost"), [1.0, np.nan])


def test_a_whole_number_beyond_all_doubles_is_infinite():
    assert read_numbers([10**400], "cost").tolist() == [np.inf]


def test_a_cell_is_named_as_it_was_written():
    message = (
        r"^cost\[1, 0\] is '3', which is not a number: give one such as 1 or 0\.5$"
    )
    with pytest.raises(CostError, match=message):
        read_numbers([[1, 2], ["3", 4]], "cost")


def test_weights_default_to_one():
    assert read_weights(None, 3).tolist() == [1.0, 1.0, 1.0]
    assert read_weights([0, 2, 1], 3).tolist() == [0.0, 2.0, 1.0]


@pytest.mark.parametrize("wrong", [-1.0, np.nan, np.inf])
def test_wrong_weights_are_named(wrong):
    with pytest.raises(
        CostError, match=rf"^sample_weight\[1\] is {show_number(wrong)}:"
    ):
        read_weights([1.0, wrong, 1.0], 3)


def test_weights_that_overflow_are_refused():
    with pytest.raises(CostError, match=r"^sample_weight sums to inf: "):
        read_weights([1e308, 1e308], 2)


def test_codes():
    assert read_codes([2, 0, 1], 3).tolist() == [2, 0, 1]
    assert read_codes(np.array([2, 0], dtype=np.uint8), 3).dtype == np.int64
    with pytest.raises(
        CostError, match=r"^y_codes\[1\] is -1: give a whole number from"
    ):
        read_codes([0, -1, 5], 3)


def test_a_series_is_read_by_name_and_an_array_is_not():
    by_frequency = pd.Series({"b": 0.7, "c": 0.2, "a": 0.1})
    assert as_mapping(by_frequency) == {"b": 0.7, "c": 0.2, "a": 0.1}
    assert as_mapping(np.array([0.7, 0.3])) is None
    assert as_mapping(pd.DataFrame({"a": [1]})) is None
    with pytest.raises(
        CostError, match=r"^the Series has 'a' twice: every class once$"
    ):
        as_mapping(pd.Series([1, 2], index=["a", "a"]))


def test_names_are_matched_by_value():
    assert match_names(["c", "a", "b"], ("a", "b", "c"), "cost") == [1, 2, 0]
    assert match_names([np.int64(2), 1.0], (1, 2), "cost") == [1, 0]
    assert match_columns(["2", "1"], (1, 2), "cost") == [1, 0]
    assert match_columns(["1", 2], (1, 2), "cost") == [0, 1]
    # Where a name is a class itself, it is not reinterpreted.
    assert match_columns(["2", "1"], ("1", "2"), "cost") == [1, 0]
    with pytest.raises(CostError, match=r"^cost names 1, .*; did you mean '1'\?$"):
        match_columns([1, 2], ("1", "2"), "cost")


@pytest.mark.parametrize("stranger", [["a"], None, ("a", "b"), float("nan"), pd.NA])
def test_names_of_any_type_are_refused_in_words(stranger):
    with pytest.raises(
        CostError, match=r"^cost names .*, which is none of the classes"
    ):
        match_names(["a", stranger], ("a", "b"), "cost")


def make_pandas(table):
    return pd.DataFrame(table)


def make_pyarrow_backed(table):
    return pd.DataFrame(table).convert_dtypes(dtype_backend="pyarrow")


@pytest.mark.parametrize(
    "make", [make_pandas, make_pyarrow_backed, pl.DataFrame, pa.table]
)
def test_frames_of_all_kinds(make):
    frame = read_frame(make({"a": [1, 2], "b": [0.5, None]}), "row_costs")
    assert frame.columns == ["a", "b"]
    np.testing.assert_array_equal(frame.values, [[1.0, 0.5], [2.0, np.nan]])


def test_a_first_column_names_the_rows_of_costs():
    frame = read_frame(
        pl.DataFrame({"true": ["b", "a"], "a": [5, 0], "b": [0, 1]}), "cost"
    )
    assert frame.rows == ["b", "a"]
    assert frame.columns == ["a", "b"]
    assert frame.values.tolist() == [[5.0, 0.0], [0.0, 1.0]]


@pytest.mark.parametrize(
    "other", [np.eye(2), [[1]], {"a": 1}, 5, pd.Series([1]), object()]
)
def test_what_is_no_frame(other):
    assert read_frame(other, "cost") is None


def test_long_and_many_names_are_shortened():
    assert len(show("x" * 10_000)) == 53
    assert show(np.str_("x")) == "'x'"
    assert show_some(list(range(6))) == "0, 1, 2, 3, 4, 5"
    assert show_some(list(range(100))) == "0, 1, 2, 3, 4, 5, ... (100 in all)"


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (5.0, "5"),
        (0.1, "0.1"),
        (-0.0, "0"),
        (1e300, "1e+300"),
        (np.float64(2.5), "2.5"),
    ],
)
def test_numbers_are_shown_short(number, text):
    assert show_number(number) == text
