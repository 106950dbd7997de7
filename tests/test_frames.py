"""Frames of pandas, polars and pyarrow in; columns or exact refusals out."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from tanoak._frames import open_frame, read_series, uniform_block
from tanoak._values import Labels
from tanoak.exceptions import CellTypeError, TableError


def frame_of(column):
    """Put one column into a frame of its own library."""
    if isinstance(column, pl.Series):
        return pl.DataFrame({"c": column})
    if isinstance(column, pa.Array | pa.ChunkedArray):
        return pa.table({"c": column})
    return pd.DataFrame({"c": column})


def read(column):
    """Read one column of any library."""
    return read_series(open_frame(frame_of(column)).get_column("c"), "c")


def cells_of(column):
    """List the number or level of every row, None where missing."""
    if isinstance(column, Labels):
        return [None if code < 0 else column.levels[code] for code in column.codes]
    values = column.values.astype(object)
    values[column.values != column.values] = None
    if column.missing is not None:
        values[column.missing] = None
    return values.tolist()


def arrow(kind):
    """Name pandas' own type for an Arrow type."""
    return pd.ArrowDtype(kind)


DICTIONARY = pa.dictionary(pa.int8(), pa.string())

NUMBERS = {
    "pandas int8": (pd.Series([1, 2], dtype="int8"), [1, 2]),
    "pandas uint64": (pd.Series([1, 2**53], dtype="uint64"), [1, 2**53]),
    "pandas float16": (pd.Series([0.5, None], dtype="float16"), [0.5, None]),
    "pandas float32": (pd.Series([0.5, None], dtype="float32"), [0.5, None]),
    "pandas float64": (pd.Series([0.1, None]), [0.1, None]),
    "pandas Int64": (pd.Series([1, None, 2**53], dtype="Int64"), [1, None, 2**53]),
    "pandas UInt8": (pd.Series([1, None], dtype="UInt8"), [1, None]),
    "pandas Float32": (pd.Series([0.5, None], dtype="Float32"), [0.5, None]),
    "pandas arrow int": (pd.Series([1, None], dtype=arrow(pa.int64())), [1, None]),
    "pandas arrow float": (
        pd.Series([0.5, None], dtype=arrow(pa.float32())),
        [0.5, None],
    ),
    "pandas arrow decimal": (
        pd.Series([Decimal("1.5"), None], dtype=arrow(pa.decimal128(5, 2))),
        [1.5, None],
    ),
    "pandas sparse": (pd.Series(pd.arrays.SparseArray([0.0, 1.5])), [0.0, 1.5]),
    "pandas object": (pd.Series([1, None, pd.NA], dtype=object), [1, None, None]),
    "pandas object decimal": (pd.Series([Decimal("0.5"), None]), [0.5, None]),
    "pandas object empty": (pd.Series([None, np.nan], dtype=object), [None, None]),
    "polars Int64": (pl.Series([1, None, 2**53]), [1, None, 2**53]),
    "polars UInt64": (pl.Series([2**63, None], dtype=pl.UInt64), [2**63, None]),
    "polars Int128": (pl.Series([1, None], dtype=pl.Int128), [1, None]),
    "polars Float32": (pl.Series([0.5, None], dtype=pl.Float32), [0.5, None]),
    "polars NaN": (pl.Series([0.5, float("nan")]), [0.5, None]),
    "polars Decimal": (pl.Series([Decimal("1.5"), None]), [1.5, None]),
    "polars Null": (pl.Series([None, None]), [None, None]),
    "polars Object": (pl.Series([1, 2.5], dtype=pl.Object), [1, 2.5]),
    "arrow int32": (pa.array([1, None], pa.int32()), [1, None]),
    "arrow uint64": (pa.array([2**63, None], pa.uint64()), [2**63, None]),
    "arrow float16": (pa.array([0.5, None], pa.float16()), [0.5, None]),
    "arrow double": (pa.array([0.1, None]), [0.1, None]),
    "arrow decimal": (pa.array([Decimal("1.5"), None]), [1.5, None]),
    "arrow null": (pa.nulls(2), [None, None]),
    "arrow chunks": (pa.chunked_array([[1], [None, 2]]), [1, None, 2]),
}

# The column, its cells, and its levels if they are not the sorted cells.
LABELS = {
    "pandas str": (pd.Series(["b", None, "a"]), ["b", None, "a"]),
    "pandas string": (pd.Series(["b", None, "a"], dtype="string"), ["b", None, "a"]),
    "pandas object": (pd.Series(["b", np.nan], dtype=object), ["b", None]),
    "pandas arrow string": (
        pd.Series(["b", None, "a"], dtype=arrow(pa.string())),
        ["b", None, "a"],
    ),
    "pandas surrogate": (pd.Series(["\ud800", "a"], dtype=object), ["\ud800", "a"]),
    "pandas bool": (pd.Series([True, False]), [True, False]),
    "pandas boolean": (pd.Series([True, None], dtype="boolean"), [True, None]),
    "pandas object bool": (pd.Series([True, None], dtype=object), [True, None]),
    "pandas sparse bool": (
        pd.Series(pd.arrays.SparseArray([True, False])),
        [True, False],
    ),
    "pandas category": (
        pd.Series(pd.Categorical(["u", None, "v"], categories=["v", "gone", "u"])),
        ["u", None, "v"],
        ("v", "u"),
    ),
    "pandas category of int": (
        pd.Series(pd.Categorical([3, None, 1], categories=[3, 2, 1])),
        [3, None, 1],
        (3, 1),
    ),
    "pandas category of float": (
        pd.Series([0.5, None]).astype("category"),
        [0.5, None],
    ),
    "pandas category of bool": (
        pd.Series([True, False], dtype="category"),
        [True, False],
    ),
    "pandas category of both": (
        pd.Series(pd.Categorical(["a", 1], categories=["a", 1])),
        ["a", 1],
        ("a", 1),
    ),
    "pandas arrow dictionary": (
        pd.Series(["b", None, "a"], dtype=arrow(DICTIONARY)),
        ["b", None, "a"],
        ("b", "a"),
    ),
    "polars String": (pl.Series(["b", None, "a"]), ["b", None, "a"]),
    "polars Boolean": (pl.Series([True, None]), [True, None]),
    "polars Categorical": (
        pl.Series(["b", None, "a"], dtype=pl.Categorical),
        ["b", None, "a"],
    ),
    "polars Enum": (
        pl.Series(["u", None, "v"], dtype=pl.Enum(["v", "gone", "u"])),
        ["u", None, "v"],
        ("v", "u"),
    ),
    "polars Object": (pl.Series(["b", "a"], dtype=pl.Object), ["b", "a"]),
    "arrow string": (pa.array(["b", None, "a"]), ["b", None, "a"]),
    "arrow large_string": (pa.array(["b", None], pa.large_string()), ["b", None]),
    "arrow string_view": (
        pa.array(["b", None, "a"], pa.string_view()),
        ["b", None, "a"],
    ),
    "arrow bool": (pa.array([True, None]), [True, None]),
    "arrow dictionary": (
        pa.DictionaryArray.from_arrays([2, None, 0], ["v", "gone", "u"]),
        ["u", None, "v"],
        ("v", "u"),
    ),
    "arrow dictionary of uint8": (
        pa.DictionaryArray.from_arrays(pa.array([1, None], pa.uint8()), ["v", "u"]),
        ["u", None],
    ),
    "arrow dictionary of int": (
        pa.DictionaryArray.from_arrays([1, None, 0], [7, 5]),
        [5, None, 7],
        (7, 5),
    ),
    "arrow dictionary with gaps": (
        pa.DictionaryArray.from_arrays([0, 1, 2, 3], ["b", None, "a", "b"]),
        ["b", None, "a", "b"],
        ("b", "a"),
    ),
    "arrow dictionaries": (
        pa.chunked_array(
            [
                pa.array(["b", None]).dictionary_encode(),
                pa.array(["a", "b"]).dictionary_encode(),
            ]
        ),
        ["b", None, "a", "b"],
        ("b", "a"),
    ),
}


@pytest.mark.parametrize(("column", "cells"), NUMBERS.values(), ids=NUMBERS)
def test_numbers(column, cells):
    read_column = read(column)
    assert not isinstance(read_column, Labels)
    assert cells_of(read_column) == cells


@pytest.mark.parametrize("case", LABELS.values(), ids=LABELS)
def test_labels(case):
    column, cells, *declared = case
    read_column = read(column)
    assert isinstance(read_column, Labels)
    assert cells_of(read_column) == cells
    known = {cell for cell in cells if cell is not None}
    assert read_column.levels == (declared[0] if declared else tuple(sorted(known)))
    assert {type(level) for level in read_column.levels} <= {str, bool, int, float}


def test_polars_categories_do_not_depend_on_what_was_read_before():
    first = read(pl.Series(["zz", "aa"], dtype=pl.Categorical))
    again = read(pl.Series(["mm", "aa", "zz"], dtype=pl.Categorical))
    assert first.levels == ("aa", "zz")
    assert again.levels == ("aa", "mm", "zz")


def test_every_cell_of_an_object_column_is_looked_at():
    with pytest.raises(TableError, match="mixes text and numbers: 'x' in row 0, 1 in"):
        read(pd.Series(["x"] * 500 + [1], dtype=object))


DATES = (
    "; turn it into numbers, such as days since a start, or cast the column to strings"
)
LISTS = "; spread it over one column per element"
STRINGS = "; cast the column to strings"
DAY = date(2020, 1, 2)
INTERVALS = pd.interval_range(0, 2)

REFUSED = {
    "pandas datetime": (pd.Series([datetime(2020, 1, 2)]), "values of type Datetime("),
    "pandas zoned": (
        pd.Series([pd.Timestamp("2020", tz="UTC")]),
        "values of type Datet",
    ),
    "pandas timedelta": (pd.Series([timedelta(1)]), "values of type Duration("),
    "pandas date": (pd.Series([DAY]), "datetime.date(2020, 1, 2) in row 0" + DATES),
    "pandas period": (
        pd.Series(pd.period_range("2020", periods=1, freq="D")),
        "Period('2020-01-01', 'D') in row 0: argument must be a string or a real "
        "number, not 'Period'; cast the column to strings if it is a category",
    ),
    "pandas interval": (
        pd.Series(INTERVALS),
        "Interval(0, 1, closed='right') in row 0",
    ),
    "pandas list": (pd.Series([[1, 2]]), "[1, 2] in row 0: argument must be a string"),
    "pandas arrow list": (
        pd.Series([[1]], dtype=arrow(pa.list_(pa.int64()))),
        "values of type List(Int64)" + LISTS,
    ),
    "polars Date": (pl.Series([DAY]), "values of type Date" + DATES),
    "polars Time": (pl.Series([time(1)]), "values of type Time" + DATES),
    "polars Duration": (pl.Series([timedelta(1)]), "values of type Duration("),
    "polars List": (pl.Series([[1]]), "values of type List(Int64)" + LISTS),
    "polars Array": (
        pl.Series([[1]], dtype=pl.Array(pl.Int64, 1)),
        "values of type Array(Int64, shape=(1,))" + LISTS,
    ),
    "polars Struct": (pl.Series([{"a": 1}]), "values of type Struct({'a': Int64})"),
    "polars Binary": (pl.Series([b"x"]), "b'x' in row 0; decode the column to strings"),
    "polars Object": (pl.Series([{1}], dtype=pl.Object), "{1} in row 0: argument must"),
    "arrow date": (pa.array([DAY]), "values of type Date" + DATES),
    "arrow binary": (pa.array([b"x"]), "b'x' in row 0; decode the column to strings"),
    "arrow map": (
        pa.array([[("a", 1)]], pa.map_(pa.string(), pa.int64())),
        "[('a', 1)] in row 0: argument must be a string or a real number, not 'list'",
    ),
}


@pytest.mark.parametrize(("column", "message"), REFUSED.values(), ids=REFUSED)
def test_columns_no_split_can_use_are_refused(column, message):
    with pytest.raises(TableError) as caught:
        read(column)
    assert str(caught.value).startswith("column 'c' holds " + message)


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (
            pd.Series([1j]),
            "Complex data not supported: column 'c' holds values of type complex128; "
            "give its real and imaginary parts as two columns",
        ),
        (
            pd.Series(pd.Categorical(INTERVALS)),
            "column 'c' has the category Interval(0, 1, closed='right'), a Interval"
            + STRINGS,
        ),
        (
            pd.Series(pd.Categorical([datetime(2020, 1, 2)])),
            "column 'c' has the category Timestamp('2020-01-02 00:00:00'), a Timestamp"
            + STRINGS,
        ),
        (
            pd.Series(pd.Categorical([0.5, np.inf])),
            "column 'c' has the category inf, a float" + STRINGS,
        ),
        (
            pd.Series(["a", 1], dtype=object),
            "column 'c' mixes text and numbers: 'a' in row 0, 1 in row 1; make the "
            "cells all strings or all numbers",
        ),
    ],
)
def test_other_refusals(column, message):
    with pytest.raises(TableError) as caught:
        read(column)
    assert str(caught.value) == message


def test_long_doubles_warn():
    with pytest.warns(UserWarning, match="long doubles"):
        column = read(pd.Series(np.array([1, 2], dtype=np.longdouble)))
    assert column.values.dtype == np.float64


def test_a_cell_of_another_type_is_a_type_error_too():
    with pytest.raises(CellTypeError):
        read(pd.Series([{"foo": "bar"}]))


@pytest.mark.parametrize(
    "X",
    [
        pd.DataFrame({"a": [1], "b": [2]}),
        pl.DataFrame({"a": [1], "b": [2]}),
        pa.table({"a": [1], "b": [2]}),
        pa.record_batch({"a": [1], "b": [2]}),
    ],
    ids=lambda X: f"{type(X).__module__}.{type(X).__name__}",
)
def test_frames_are_opened(X):
    frame = open_frame(X)
    assert frame.columns == ["a", "b"]
    assert frame.shape == (1, 2)


@pytest.mark.parametrize(
    "X", [np.eye(2), [[1]], "text", None, 3, {"a": [1]}, pd.Series([1]), pl.Series([1])]
)
def test_anything_else_is_no_frame(X):
    assert open_frame(X) is None


def test_a_lazy_frame_has_no_data():
    with pytest.raises(TableError) as caught:
        open_frame(pl.LazyFrame({"a": [1]}))
    message = "X is a lazy LazyFrame; give the data itself, X.collect() or X.compute()"
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("X", "name"),
    [
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "'a'"),
        (pd.DataFrame([[1, 2]], columns=[7, 7]), "7"),
        (pa.table([[1], [2]], names=["a", "a"]), "'a'"),
    ],
)
def test_two_columns_cannot_share_a_name(X, name):
    with pytest.raises(TableError) as caught:
        open_frame(X)
    message = (
        f"column names must be distinct, {name} is there 2 times; rename or drop the "
        f"repeated columns"
    )
    assert str(caught.value) == message


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_pandas_frame_of_one_float_type_is_one_block(dtype):
    values = np.arange(6, dtype=dtype).reshape(3, 2)
    X = pd.DataFrame(values, columns=["a", "b"], copy=False)
    block = uniform_block(open_frame(X))
    assert np.shares_memory(block, values)
    np.testing.assert_array_equal(block, values)


@pytest.mark.parametrize(
    "X",
    [
        pd.DataFrame({"a": [1.0], "b": [1]}),
        pd.DataFrame({"a": [1.0], "b": np.array([1], np.float32)}),
        pd.DataFrame({"a": pd.array([1.0], dtype="Float64")}),
        pl.DataFrame({"a": [1.0]}),
    ],
)
def test_other_frames_are_no_block(X):
    assert uniform_block(open_frame(X)) is None
