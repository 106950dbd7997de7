"""The values of one column in; what it is in training, and at predict, out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tanoak._values import (
    Labels,
    Numbers,
    assemble,
    bool_labels,
    code_labels,
    has_long_integers,
    learn,
    match,
    settle_dtype,
    to_floats,
)
from tanoak.exceptions import TableError


def labels(*cells):
    """Make labels of cells, in order of appearance."""
    levels = tuple(dict.fromkeys(cell for cell in cells if cell is not None))
    codes = [-1 if cell is None else levels.index(cell) for cell in cells]
    return Labels(np.array(codes, dtype=np.int32), levels)


def decoded(column):
    """List the level of every row, None where missing."""
    return [None if code < 0 else column.levels[code] for code in column.codes]


@pytest.mark.parametrize(
    ("codes", "categories", "ordered", "levels", "recoded"),
    [
        ([2, 0, -1], ["c", "b", "a"], True, ("c", "a"), [1, 0, -1]),
        ([2, 0, -1], ["c", "b", "a"], False, ("a", "c"), [0, 1, -1]),
        ([0, 1, 2], ["a", None, "b"], True, ("a", "b"), [0, -1, 1]),
        ([1, 2, 0], ["a", "b", "a"], True, ("a", "b"), [1, 0, 0]),
        ([-1, -1], ["a"], True, (), [-1, -1]),
        ([], [], True, (), []),
    ],
)
def test_codes_keep_the_categories_that_occur(
    codes, categories, ordered, levels, recoded
):
    column = code_labels(np.array(codes, np.int8), categories, ordered=ordered)
    assert column.levels == levels
    assert column.codes.tolist() == recoded


def test_bools_are_labels():
    values = np.array([True, False, True])
    assert decoded(bool_labels(values, None)) == [True, False, True]
    assert decoded(bool_labels(values, ~values)) == [True, None, True]
    assert bool_labels(values[:1], None).levels == (True,)


@pytest.mark.parametrize(
    ("column", "levels", "codes"),
    [
        (Numbers(np.array([3, 1, 3])), (1, 3), [1, 0, 1]),
        (Numbers(np.array([2**53 + 1, 2**53])), (2**53, 2**53 + 1), [1, 0]),
        (Numbers(np.array([0.5, np.nan, 0.1])), (0.1, 0.5), [1, -1, 0]),
        (Numbers(np.array([-0.0, 0.0, -0.0])), (0.0,), [0, 0, 0]),
        (Numbers(np.array([7, 0]), np.array([False, True])), (7,), [0, -1]),
        (Numbers(np.array([True, False])), (False, True), [1, 0]),
    ],
)
def test_forced_numbers_become_sorted_labels(column, levels, codes):
    learnt = learn(column, "c", forced=True)
    assert repr(learnt.levels) == repr(levels)
    assert learnt.codes.tolist() == codes


def test_numbers_stay_numbers_unless_forced():
    column = Numbers(np.array([1, 2]))
    assert learn(column, "c", forced=False) is column
    assert learn(labels("a"), "c", forced=False).levels == ("a",)


@given(
    st.lists(st.sampled_from(["a", "b", "c", None])),
    st.permutations(["a", "b", "c", "d"]),
)
def test_labels_are_matched_by_value(cells, levels):
    column = match(labels(*cells), tuple(levels), "c")
    assert column.levels == tuple(levels)
    assert decoded(column) == cells


@pytest.mark.parametrize(
    ("column", "levels", "expected"),
    [
        (labels("b", "new", None), ("a", "b"), ["b", None, None]),
        (labels("new"), ("a",), [None]),
        (labels(None), ("a",), [None]),
        (labels("a"), (), [None]),
        (Numbers(np.array([2, 1, 3])), (1, 2), [2, 1, None]),
        (Numbers(np.array([2.0, np.nan])), (1, 2), [2, None]),
        (Numbers(np.array([1, 0])), (False, True), [True, False]),
        (labels(True, False), (0, 1), [1, 0]),
        (Numbers(np.array([np.nan])), ("a",), [None]),
        (labels("a", 1), (1, "a", 2), ["a", 1]),
        (labels(5), (1, "a"), [None]),
    ],
)
def test_a_column_categorical_in_training(column, levels, expected):
    assert decoded(match(column, levels, "c")) == expected


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (labels(3, 1, None), [3.0, 1.0, np.nan]),
        (labels(2**53, -(2**53)), [2**53, -(2**53)]),
        (labels(1e300, 0.5), [1e300, 0.5]),
        (labels(True, False), [1.0, 0.0]),
        (labels(None), [np.nan]),
        (Numbers(np.array([1, 2], np.int8)), [1.0, 2.0]),
        (Numbers(np.array([2**53, -(2**53)])), [2**53, -(2**53)]),
    ],
)
def test_a_column_numeric_in_training(column, expected):
    values = match(column, None, "c").values
    np.testing.assert_array_equal(values, expected)


LONG = (
    ": integers that differ only beyond 2^53 cannot be told apart; subtract an "
    "offset, or make the column categorical, categorical=['c']"
)


@pytest.mark.parametrize(
    ("column", "levels", "message"),
    [
        (
            labels(None, "old"),
            None,
            "column 'c' was numeric in training and holds the text 'old' in row 1; "
            "convert the column to numbers",
        ),
        (
            Numbers(np.array([np.nan, 123.0])),
            ("00123",),
            "column 'c' had categories of text in training and holds 123.0 in row 1; "
            "convert the column to strings",
        ),
        (
            labels("1"),
            (1, 2),
            "column 'c' had categories of numbers in training and holds '1' in row 0; "
            "convert the column to numbers",
        ),
        (
            labels(0, 2**53 + 1),
            None,
            f"column 'c' holds {2**53 + 1} in row 1" + LONG,
        ),
        (
            Numbers(np.array([0, -(2**53) - 1])),
            None,
            f"column 'c' holds {-(2**53) - 1} in row 1" + LONG,
        ),
        (
            Numbers(np.array([0.5, np.inf])),
            (0.5,),
            "column 'c' holds infinity in row 1; replace it by a large finite number, "
            "or by NaN if it is missing",
        ),
    ],
)
def test_a_column_of_another_kind_than_in_training_is_refused(column, levels, message):
    with pytest.raises(TableError) as caught:
        match(column, levels, "c")
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("columns", "dtype"),
    [
        ([Numbers(np.array([1], np.int16)), labels("a")], np.float32),
        ([Numbers(np.array([1], np.float16))], np.float32),
        ([Numbers(np.array([True]))], np.float32),
        ([Numbers(np.array([1], np.int32)), labels("a")], np.float64),
        ([Numbers(np.array([1.0])), Numbers(np.array([1], np.int8))], np.float64),
        ([Labels(np.array([2**24]), tuple(range(2**24 + 1)))], np.float64),
    ],
)
def test_columns_are_joined_without_losing_digits(columns, dtype):
    values = assemble(columns, 1)
    assert values.dtype == dtype
    assert values.flags.f_contiguous
    for position, column in enumerate(columns):
        source = column.codes if isinstance(column, Labels) else column.values
        assert values[0, position] == source[0]


def test_missing_cells_are_nan():
    gap = np.array([False, True])
    values = assemble([Numbers(np.array([7, 0]), gap), labels("a", None)], 2)
    np.testing.assert_array_equal(values, [[7, 0], [np.nan, np.nan]])


@pytest.mark.parametrize(
    ("dtype", "result"),
    [
        ("?", "f4"),
        ("i1", "f4"),
        ("u2", "f4"),
        (">i2", "f4"),
        ("f2", "f4"),
        ("f4", "f4"),
        (">f4", "f4"),
        ("i4", "f8"),
        ("u4", "f8"),
        ("i8", "f8"),
        (">u8", "f8"),
        ("f8", "f8"),
        (">f8", "f8"),
    ],
)
@pytest.mark.parametrize("order", "CF")
def test_floats_are_native_and_keep_layout_and_values(dtype, result, order):
    values = np.array([[1, 0], [1, 1], [0, 1]], dtype=dtype, order=order)
    floats = to_floats(values, ("a", "b"))
    assert floats.dtype == result
    assert floats.dtype.isnative
    assert floats.flags.c_contiguous == values.flags.c_contiguous
    np.testing.assert_array_equal(floats, values)
    assert (floats is values) == (dtype in {"f4", "f8"})


@pytest.mark.parametrize(
    ("value", "is_long"), [(2**53, False), (2**53 + 1, True), (-(2**53) - 1, True)]
)
def test_long_integers_are_those_a_double_rounds(value, is_long):
    assert has_long_integers(np.array([0, value])) == is_long
    assert not has_long_integers(np.array([], dtype=np.int64))
    assert has_long_integers(np.array([2**64 - 1], dtype=np.uint64))


def test_long_doubles_are_cut_with_a_warning():
    values = np.array([1, 2], dtype=np.longdouble) / 3
    with pytest.warns(UserWarning, match="^X holds long doubles; tanoak drops the"):
        settled = settle_dtype(values, "c")
    assert settled.dtype == np.float64
    np.testing.assert_array_equal(settled, values.astype(np.float64))


@pytest.mark.parametrize(
    ("dtype", "message"),
    [
        (
            "c16",
            "Complex data not supported: column 'c' holds values of type complex128; "
            "give its real and imaginary parts as two columns",
        ),
        (
            "M8[s]",
            "column 'c' holds values of type datetime64[s]; turn it into numbers, such "
            "as days since a start, or cast the column to strings",
        ),
        (
            "m8[D]",
            "column 'c' holds values of type timedelta64[D]; turn it into numbers, "
            "such as days since a start, or cast the column to strings",
        ),
        (
            "S3",
            "column 'c' holds values of type |S3; decode the column to strings",
        ),
        (
            "V8",
            "column 'c' holds values of type |V8; spread it over one column per "
            "element",
        ),
    ],
)
def test_types_that_are_no_numbers_are_refused(dtype, message):
    with pytest.raises(TableError) as caught:
        settle_dtype(np.zeros(2, dtype=dtype), "c")
    assert str(caught.value) == message
