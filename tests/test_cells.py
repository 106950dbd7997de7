"""Cells of one column in; numbers, labels or the exact refusal out."""

from __future__ import annotations

import enum
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from tanoak._cells import read_cells, read_level
from tanoak._values import Labels, Numbers
from tanoak.exceptions import CellTypeError, TableError

NAN = float("nan")
NOTHING = [None, NAN, np.float64("nan"), pd.NA, pd.NaT, np.datetime64("NaT")]


class Colour(enum.StrEnum):
    """Text of a type of its own."""

    RED = "red"


def decoded(labels):
    """List the level of every row, None where missing."""
    return [None if code < 0 else labels.levels[code] for code in labels.codes]


@pytest.mark.parametrize("nothing", NOTHING, ids=repr)
@pytest.mark.parametrize(
    ("cells", "levels"),
    [
        (["b", "a", "b"], ("a", "b")),
        ([np.str_("b"), "a", Colour.RED], ("a", "b", "red")),
        (["", " ", "NA", "nan"], ("", " ", "NA", "nan")),
        (["\ud800", "\x00", "x" * 10_000], ("\x00", "x" * 10_000, "\ud800")),
        ([True, False, True], (False, True)),
        ([np.True_, True], (True,)),
    ],
)
def test_text_and_bools_become_sorted_labels(cells, levels, nothing):
    column = read_cells([*cells, nothing], "c")
    assert isinstance(column, Labels)
    assert column.levels == levels
    assert {type(level) for level in column.levels} <= {str, bool}
    assert decoded(column) == [*cells, None]


@pytest.mark.parametrize("nothing", [*NOTHING, Decimal("nan")], ids=repr)
@pytest.mark.parametrize(
    "cells",
    [
        [3, -1, 2**53],
        [np.int8(3), 4, np.uint64(2**53)],
        [1.5, -0.0, 5e-324],
        [Decimal("1.5"), 2, Fraction(1, 3)],
        [True, 2, 0.5],
        [np.float32(0.1), np.float16(0.1)],
    ],
)
def test_numbers_keep_their_values(cells, nothing):
    column = read_cells([*cells, nothing], "c")
    assert isinstance(column, Numbers)
    values = column.values.astype(np.float64)
    if column.missing is not None:
        values[column.missing] = np.nan
    np.testing.assert_array_equal(values, [*map(float, cells), np.nan])


def test_integers_stay_integers():
    column = read_cells([2**53 + 1, None], "c")
    assert column.values.tolist() == [2**53 + 1, 0]
    assert column.missing.tolist() == [False, True]


def test_nothing_at_all_is_a_column_of_nan():
    column = read_cells([*NOTHING, Decimal("nan")], "c")
    assert np.isnan(column.values).all()
    assert read_cells([None, None], "c").values.dtype == np.float32


REMEDY = "; subtract an offset, or make the column categorical, categorical=['c']"
LONG = ": integers that differ only beyond 2^53 cannot be told apart" + REMEDY
DATES = (
    "; turn it into numbers, such as days since a start, or cast the column to strings"
)


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (
            [None, "x", 3],
            "column 'c' mixes text and numbers: 'x' in row 1, 3 in row 2; make the "
            "cells all strings or all numbers",
        ),
        (
            [0.5, NAN, "x"],
            "column 'c' mixes text and numbers: 'x' in row 2, 0.5 in row 0; make the "
            "cells all strings or all numbers",
        ),
        (
            ["x", NAN, True],
            "column 'c' mixes text and bools: 'x' in row 0, True in row 2; make the "
            "cells all strings or all numbers",
        ),
        (
            [1, 1j],
            "Complex data not supported: column 'c' holds 1j in row 1; give its real "
            "and imaginary parts as two columns",
        ),
        ([b"x"], "column 'c' holds b'x' in row 0; decode the column to strings"),
        (
            [None, date(2020, 1, 2)],
            "column 'c' holds datetime.date(2020, 1, 2) in row 1" + DATES,
        ),
        (
            [pd.Timestamp("2020-01-02")],
            "column 'c' holds Timestamp('2020-01-02 00:00:00') in row 0" + DATES,
        ),
        (
            [1, timedelta(1)],
            "column 'c' holds datetime.timedelta(days=1) in row 1" + DATES,
        ),
        (
            [np.timedelta64("NaT"), np.timedelta64(1, "D")],
            "column 'c' holds datetime.timedelta(days=1) in row 1" + DATES,
        ),
        ([0.5, 2**53 + 1], f"column 'c' holds {2**53 + 1} in row 1" + LONG),
        ([0.5, -(10**400)], "column 'c' holds -1000000000"),
        ([0, 10**30], f"column 'c' holds {10**30} in row 1" + LONG),
        ([0.5, Fraction(10**400)], "column 'c' holds a number that cannot be read: "),
        ([0.5, Decimal("sNaN")], "column 'c' holds a number that cannot be read: "),
        (["x", Decimal("sNaN")], "column 'c' mixes text and numbers: 'x' in row 0, "),
    ],
)
def test_cells_that_fit_no_kind_are_refused(cells, message):
    with pytest.raises(TableError) as caught:
        read_cells(cells, "c")
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("cell", [{"foo": "bar"}, [1], (1, 2), object(), np.eye(2)])
def test_other_objects_are_a_type_error_too(cell):
    words = "argument must be a string or a real number, not "
    with pytest.raises(CellTypeError, match="column 'c' holds .* in row 1: " + words):
        read_cells([1.5, cell], "c")


@pytest.mark.parametrize(
    ("category", "level"),
    [
        ("a", "a"),
        (Colour.RED, "red"),
        (np.int16(3), 3),
        (np.float32(0.5), 0.5),
        (Decimal("0.5"), 0.5),
        (np.True_, True),
        (-0.0, 0.0),
        (None, None),
        (NAN, None),
        (pd.NaT, None),
    ],
)
def test_a_declared_category_becomes_a_plain_level(category, level):
    plain = read_level(category, "c")
    assert repr(plain) == repr(level)


@pytest.mark.parametrize(
    ("category", "text"),
    [
        (pd.Interval(0, 1), "Interval(0, 1, closed='right'), a Interval"),
        (pd.Timestamp("2020"), "Timestamp('2020-01-01 00:00:00'), a Timestamp"),
        (float("inf"), "inf, a float"),
        ((1, 2), "(1, 2), a tuple"),
        (b"x", "b'x', a bytes"),
        (1j, "1j, a complex"),
    ],
)
def test_other_categories_are_refused(category, text):
    with pytest.raises(TableError) as caught:
        read_level(category, "c")
    expected = f"column 'c' has the category {text}; cast the column to strings"
    assert str(caught.value) == expected
