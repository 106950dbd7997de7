"""Columns of a dict in; their length, numbers and labels, or exact refusals, out."""

from __future__ import annotations

from array import array
from collections import deque
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from tanoak._mapping import common_length, read_plain
from tanoak._values import Labels
from tanoak.exceptions import TableError

NAN = float("nan")


@pytest.mark.parametrize(
    "column",
    [
        [1, 2, 3],
        (1, "a", None),
        range(3),
        deque([1, 2, 3]),
        array("d", [1, 2, 3]),
        np.arange(3),
        pd.Series([1, 2, 3], index=[7, 7, 8]),
        pd.Index([1, 2, 3]),
    ],
    ids=lambda column: type(column).__name__,
)
def test_what_is_a_column(column):
    assert common_length([column, [0, 0, 0]], ["a", "b"]) == 3


@pytest.mark.parametrize(
    "column",
    [1, "abc", b"abc", None, {1, 2}, {0: 1}, iter([1]), np.int8(1), np.array(1)],
    ids=lambda column: type(column).__name__,
)
def test_what_is_no_column(column):
    with pytest.raises(TableError, match=r"^column 'b' is .*; give a list, array or"):
        common_length([[1], column], ["a", "b"])


@pytest.mark.parametrize(
    ("column", "levels", "codes"),
    [
        (["b", None, "a"], ("a", "b"), [1, -1, 0]),
        (np.array(["b", "a"]), ("a", "b"), [1, 0]),
        (np.array(["b", NAN], dtype=object), ("b",), [0, -1]),
        ([True, False], (False, True), [1, 0]),
        (np.array([True, True]), (True,), [0, 0]),
        (np.ma.array([True, False, False], mask=[1, 0, 0]), (False,), [-1, 0, 0]),
        (np.ma.array(["b", "a"], mask=[0, 1]), ("b",), [0, -1]),
    ],
)
def test_text_and_bools_are_categories(column, levels, codes):
    labels = read_plain(column, "c")
    assert isinstance(labels, Labels)
    assert (labels.levels, labels.codes.tolist()) == (levels, codes)


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        ([1, None, 3], [1, None, 3]),
        ([1, 2.5, Decimal(4)], [1, 2.5, 4]),
        (range(2), [0, 1]),
        (np.array([1, 2], dtype=object), [1, 2]),
        (np.ma.array([1, 2], mask=[0, 1]), [1, None]),
        (np.ma.array([1.0, 2.0], mask=[0, 1]), [1, None]),
    ],
)
def test_numbers(column, expected):
    numbers = read_plain(column, "c")
    assert not isinstance(numbers, Labels)
    values = numbers.values.astype(object)
    values[numbers.values != numbers.values] = None
    if numbers.missing is not None:
        values[numbers.missing] = None
    assert values.tolist() == expected


@pytest.mark.parametrize("dtype", ["f4", "f8", "i2", "u8"])
def test_arrays_of_numbers_are_not_copied(dtype):
    column = np.arange(6, dtype=dtype)[::2]
    assert np.shares_memory(read_plain(column, "c").values, column)


def test_masked_values_stay_as_they_are():
    column = np.ma.array([1.0, 2.0], mask=[0, 1])
    read_plain(column, "c")
    assert column.data.tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (np.ones((2, 1)), "column 'c' has shape (2, 1); it must be 1-D"),
        (["a", 1], "column 'c' mixes text and numbers"),
        (np.array([1j]), "Complex data not supported: column 'c' holds"),
    ],
)
def test_what_cannot_be_used_is_refused(column, message):
    with pytest.raises(TableError) as caught:
        read_plain(column, "c")
    assert str(caught.value).startswith(message)
