"""Features in any container in; checked tables, the same values everywhere, out."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse
from tables import FRAMES, same

from tanoak._table import Columns, Table, read_like, read_table
from tanoak.exceptions import TableError

# --- frames ---

TRAINING = {
    "age": [30.5, None, 41.0],
    "town": ["Kiel", "Bonn", None],
    "owner": [True, None, False],
    "rooms": [3, 2, 4],
}
LEARNT = Columns(
    ("age", "town", "owner", "rooms"),
    (None, ("Bonn", "Kiel"), (False, True), None),
    named=True,
)
NUMBERS = np.arange(6.0).reshape(2, 3)
VALUES = np.array([[30.5, 1, 1, 3], [np.nan, 0, np.nan, 2], [41, np.nan, 0, 4]])


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_every_frame_gives_the_same_table(frame):
    table = read_table(frame(TRAINING))
    assert table.columns == LEARNT
    same(table.values, VALUES)


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
@given(order=st.permutations(sorted(TRAINING)))
def test_columns_of_a_frame_are_put_in_order_by_name(frame, order):
    X = frame({name: TRAINING[name] for name in order})
    same(read_like(X, LEARNT).values, VALUES)


def test_a_dict_of_columns_gives_the_same_table():
    table = read_table(TRAINING)
    assert table.columns == LEARNT
    same(table.values, VALUES)
    arrays = {
        "age": np.array([30.5, np.nan, 41.0]),
        "town": pl.Series(["Kiel", "Bonn", None]),
        "owner": pd.Series([True, None, False], index=[4, 4, 4]),
        "rooms": pa.chunked_array([[3, 2], [4]]),
    }
    assert read_table(arrays).columns == LEARNT
    same(read_table(arrays).values, VALUES)


@given(order=st.permutations(sorted(TRAINING)))
def test_columns_of_a_dict_are_put_in_order_by_name(order):
    X = {name: TRAINING[name] for name in order}
    same(read_like(X, LEARNT).values, VALUES)
    positions = dict(enumerate(TRAINING.values()))
    same(read_like(positions, LEARNT).values, VALUES)


def test_columns_of_a_dict_keep_what_they_are():
    kinds = pd.Series(["low", "high"], dtype=pd.CategoricalDtype(["low", "high"]))
    X = {"size": kinds, "on": np.array([True, False]), "x": np.array([1, 2], "f4")}
    table = read_table(X)
    assert table.columns.levels == (("low", "high"), (False, True), None)
    assert table.values.dtype == np.float32
    forced = read_table({"x": [3, 1]}, categorical=["x"])
    assert forced.columns.levels == ((1, 3),)


@pytest.mark.parametrize("make", [dict, pd.DataFrame])
def test_the_names_of_a_tree_without_names_are_names(make):
    """A tree prints x0 and x1: data that says x1 and x0 is put in order."""
    columns = Columns.numeric(2)
    swapped, other = make({"x1": [2.0], "x0": [1.0]}), make({"a": [1.0], "b": [2.0]})
    assert read_like(swapped, columns).values.tolist() == [[1.0, 2.0]]
    assert read_like(other, columns).values.tolist() == [[1.0, 2.0]]
    with pytest.raises(TableError, match="Did you mean 'x1' instead of 'X1'"):
        read_like(make({"x0": [1.0], "X1": [2.0]}), columns)


def test_columns_of_one_block_are_put_in_order_by_name():
    X = pd.DataFrame(NUMBERS, columns=["a", "b", "c"])
    columns = read_table(X).columns
    same(read_like(X[["c", "a", "b"]], columns).values, NUMBERS)


def test_the_index_of_a_frame_does_not_matter():
    X = pd.DataFrame(TRAINING, index=[9, 9, -1])
    same(read_table(X).values, VALUES)
    same(read_like(X, LEARNT).values, VALUES)


def test_data_without_names_is_read_by_position():
    cells = pd.DataFrame(TRAINING).to_numpy(dtype=object)
    same(read_like(cells, LEARNT).values, VALUES)
    same(read_like(cells.tolist(), LEARNT).values, VALUES)
    same(read_like(pd.DataFrame(cells), LEARNT).values, VALUES)
    unnamed = read_table(cells).columns
    assert unnamed.levels == LEARNT.levels
    same(read_like(pl.DataFrame(TRAINING), unnamed).values, VALUES)


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_wrong_names_and_widths_are_refused(frame):
    X = frame({"age": [1.0], "Town": ["a"], "owner": [True], "rooms": [1]})
    with pytest.raises(TableError) as caught:
        read_like(X, LEARNT)
    assert str(caught.value) == (
        "The feature names should match those that were passed during fit.\n"
        "Feature names unseen at fit time:\n- Town\n"
        "Feature names seen at fit time, yet now missing:\n- town\n"
        "Did you mean 'town' instead of 'Town'?\n"
    )
    with pytest.raises(TableError) as caught:
        read_like(X, Columns.numeric(3))
    message = "X has 4 features, but Tree is expecting 3 features as input."
    assert str(caught.value) == message


def test_a_column_of_text_is_no_number_of_training():
    X = {**TRAINING, "age": ["old", None, "young"]}
    with pytest.raises(TableError) as caught:
        read_like(pd.DataFrame(X), LEARNT)
    assert str(caught.value) == (
        "column 'age' was numeric in training and holds the text 'old' in row 0; "
        "convert the column to numbers"
    )


@pytest.mark.parametrize("X", [sparse.csr_array(VALUES), sparse.csc_array(VALUES)])
def test_sparse_data_has_no_categories(X):
    message = "column 'x1' is categorical, which needs dense data, and X is sparse"
    with pytest.raises(TableError, match=message):
        read_like(X, LEARNT)
    with pytest.raises(TableError, match=message):
        read_table(X, categorical=[1])


# --- categories ---

ENCODED = {
    "pandas": lambda cells, order: pd.DataFrame({"c": pd.Categorical(cells, order)}),
    "polars": lambda cells, order: pl.DataFrame({"c": cells}, {"c": pl.Enum(order)}),
    "pyarrow": lambda cells, order: pa.table(
        {"c": pa.DictionaryArray.from_arrays([*map(order.index, cells)], order)}
    ),
}


@pytest.mark.parametrize("encode", ENCODED.values(), ids=ENCODED)
@given(
    cells=st.lists(st.sampled_from("abcd"), min_size=1, max_size=20),
    order=st.permutations("abcde"),
    later=st.permutations("abcdefg"),
)
def test_codes_map_by_value(encode, cells, order, later):
    table = read_table(encode(cells, order))
    (levels,) = table.columns.levels
    assert levels == tuple(letter for letter in order if letter in cells)
    same(read_like(encode(cells, later), table.columns).values, table.values)
    new = read_like(encode(later, later), table.columns).values[:, 0]
    for letter, code in zip(later, new, strict=True):
        assert np.isnan(code) if letter not in levels else levels[int(code)] == letter


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_a_thousand_levels(frame):
    levels = [f"level {number:04d}" for number in range(1000)]
    rows = np.random.default_rng(0).permutation(np.arange(5000) % 1000)
    table = read_table(frame({"c": [levels[row] for row in rows]}))
    assert table.columns.levels == (tuple(levels),)
    assert table.values.dtype == np.float32
    np.testing.assert_array_equal(table.values[:, 0], rows)


@pytest.mark.parametrize("categorical", [["x1"], [1], [False, True], np.array([1])])
@pytest.mark.parametrize("dtype", ["f4", "f8", "i8", "u1", "O"])
def test_numbers_may_be_categories(categorical, dtype):
    X = np.array([[1, 7], [2, 3], [3, 7]], dtype=dtype)
    table = read_table(X, categorical=categorical)
    assert table.columns.levels == (None, (3, 7))
    np.testing.assert_array_equal(table.values, [[1, 1], [2, 0], [3, 1]])
    again = read_like([[0.5, 3], [0.5, 4], [0.5, None]], table.columns)
    np.testing.assert_array_equal(again.values[:, 1], [0, np.nan, np.nan])


def test_a_bool_matrix_is_numeric_and_may_be_categorical():
    X = np.array([[True, False], [False, True]])
    assert read_table(X).columns == Columns.numeric(2)
    assert read_table(X, categorical=[0]).columns.levels == ((False, True), None)


def test_missing_numbers_are_no_category():
    X = np.array([[np.nan], [2.0], [1.0]], dtype=np.float32)
    table = read_table(X, categorical=[0])
    assert table.columns.levels == ((1.0, 2.0),)
    same(table.values, np.array([[np.nan], [1], [0]], dtype=np.float32))


# --- tables and properties ---


def test_a_table_passes_where_its_columns_are_the_same():
    table = read_table(NUMBERS)
    assert read_like(table, Columns.numeric(3)) is table
    message = (
        "this Table was read with other columns than the training data; read the data "
        "again with read_like(X, columns)"
    )
    with pytest.raises(TableError) as caught:
        read_like(table, Columns(("a", "b", "c"), (None,) * 3, named=True))
    assert str(caught.value) == message


def test_a_table_is_frozen():
    table = read_table(NUMBERS)
    with pytest.raises(AttributeError):
        table.values = NUMBERS
    assert isinstance(table, Table)


@settings(max_examples=50)
@given(
    hnp.arrays(
        st.sampled_from([np.float32, np.float64, np.int16, np.int64]),
        hnp.array_shapes(min_dims=2, max_dims=2, max_side=6),
        elements={"min_value": -1000, "max_value": 1000},
    )
)
def test_a_frame_and_a_sparse_matrix_equal_their_array(X):
    expected = np.ascontiguousarray(read_table(X).values)
    names = [f"c{position}" for position in range(X.shape[1])]
    by_name = dict(zip(names, X.T, strict=True))
    for frame in FRAMES.values():
        table = read_table(frame(by_name))
        assert table.columns.names == tuple(names)
        same(table.values, expected)
    for kind in (sparse.csr_array, sparse.csc_array):
        np.testing.assert_array_equal(read_table(kind(X)).values.toarray(), expected)


def test_reading_arrays_loads_no_frame_library():
    code = (
        "import sys, numpy; from tanoak._table import read_table; "
        "read_table(numpy.eye(2)); "
        "print(*[m for m in ('pandas', 'polars', 'pyarrow', 'narwhals', 'sklearn', "
        "'matplotlib') if m in sys.modules])"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert loaded.stdout.strip() == ""
