"""Data in any container in; one kind of source, or exact refusals, out."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from tanoak._sources import open_source
from tanoak._values import Labels
from tanoak.exceptions import TableError

VALUES = np.arange(6.0).reshape(3, 2)
TOWN_AGE = (("town", "age"), True)


class ArrayLike:
    """Something with `__array__`, such as a tensor."""

    def __init__(self, error=None):
        self.error = error

    def __array__(self, dtype=None, copy=None):
        if self.error:
            raise self.error
        return VALUES


@pytest.mark.parametrize(
    "X",
    [
        VALUES,
        VALUES.tolist(),
        [*map(tuple, VALUES)],
        tuple(VALUES),
        VALUES.view(np.matrix),
        ArrayLike(),
        np.ma.array(VALUES),
    ],
    ids=lambda X: type(X).__name__,
)
def test_arrays_and_their_kin(X):
    source = open_source(X)
    assert source.shape == (3, 2)
    assert source.names == ("x0", "x1")
    assert not source.named
    assert type(source.block) is np.ndarray
    np.testing.assert_array_equal(source.block, VALUES)
    np.testing.assert_array_equal(source.column(1).values, VALUES[:, 1])


@pytest.mark.parametrize(
    "X",
    [
        np.array([["b", 1], ["a", None]], dtype=object),
        [["b", 1], ["a", None]],
        [("b", 1.0), ("a", np.nan)],
        np.ma.array([["b", 1], ["a", "no"]], mask=[[0, 0], [0, 1]], dtype=object),
    ],
)
def test_objects_are_read_column_by_column(X):
    source = open_source(X)
    assert source.block is None
    assert source.column(0).levels == ("a", "b")
    numbers = source.column(1)
    assert not isinstance(numbers, Labels)
    assert numbers.values[0] == 1


@pytest.mark.parametrize(
    "X",
    [
        np.array([["b"], ["a"]]),
        np.array([["b"], ["a"]], dtype=np.dtypes.StringDType()),
        [["b"], ["a"]],
    ],
)
def test_text_arrays_are_labels(X):
    column = open_source(X).column(0)
    assert column.levels == ("a", "b")
    assert column.codes.tolist() == [1, 0]


def test_masked_cells_are_missing():
    X = np.ma.array([[1, 2**60], [3, 4]], mask=[[0, 1], [0, 0]])
    block = open_source(X).block
    np.testing.assert_array_equal(block, [[1, np.nan], [3, 4]])
    assert X.data[0, 1] == 2**60
    floats = np.ma.array([[1.0, 2.0]], mask=[[0, 1]])
    np.testing.assert_array_equal(open_source(floats).block, [[1, np.nan]])
    assert floats.data[0, 1] == 2.0


@pytest.mark.parametrize("X", [[[2**63, -1]], [[2**53 + 1, 0.5]], [[2**70]]])
def test_huge_integers_in_lists_are_not_rounded(X):
    assert open_source(X).block is None


@pytest.mark.parametrize(
    ("X", "names", "is_named"),
    [
        (pd.DataFrame({"a": [1], "b": ["x"]}), ("a", "b"), True),
        (pd.DataFrame([[1, 2]]), ("x0", "x1"), False),
        (pd.DataFrame([[1, 2]], columns=[7, 3]), ("x0", "x1"), False),
        (pl.DataFrame({"a": [1], "b": ["x"]}), ("a", "b"), True),
        (pa.table({"a": [1], "b": ["x"]}), ("a", "b"), True),
        (sparse.csr_array(np.eye(2)), ("x0", "x1"), False),
    ],
)
def test_names_are_the_data_s_own_if_it_has_some(X, names, is_named):
    source = open_source(X)
    assert (source.names, source.named) == (names, is_named)


@pytest.mark.parametrize(
    ("X", "names", "is_named"),
    [
        ({"town": ["b"], "age": [1]}, ("town", "age"), True),
        (MappingProxyType({"town": ["b"], "age": [1]}), ("town", "age"), True),
        ({7: ["b"], 3: [1]}, ("x0", "x1"), False),
        (pd.DataFrame({"town": ["b"], "age": [1]}).to_dict("list"), *TOWN_AGE),
        (dict(pd.DataFrame({"town": ["b"], "age": [1]})), *TOWN_AGE),
    ],
)
def test_a_dict_of_columns(X, names, is_named):
    source = open_source(X)
    assert (source.names, source.named, source.shape) == (names, is_named, (1, 2))
    assert source.block is None
    assert source.column(0).levels == ("b",)
    assert source.column(1).values.tolist() == [1]


def test_columns_without_names_are_read_by_position():
    source = open_source(pd.DataFrame({7: [1, 2], 3: ["b", "a"]}))
    assert source.column(0).values.tolist() == [1, 2]
    assert source.column(1).levels == ("a", "b")


def test_sparse_columns_are_numbers_only():
    with pytest.raises(TableError) as caught:
        open_source(sparse.csr_array(np.eye(2))).column(1)
    message = (
        "column 'x1' is categorical, which needs dense data, and X is sparse; use "
        "X.toarray()"
    )
    assert str(caught.value) == message


def reshape(what, shape):
    return (
        f"Expected 2D array, got {what} array instead, of shape {shape}. Reshape your "
        "data either using array.reshape(-1, 1) if it is a single column or "
        "array.reshape(1, -1) if it is a single row."
    )


def empty(what, shape):
    start = f"Found array with 0 {what}(s) (shape={shape})"
    return start + " while a minimum of 1 is required."


REMEDY = "; give a 2-D array, a sparse matrix, a data frame or a dict of columns"
DICTS = "of dicts; give a dict of columns, {name: [value, ...]}, or a data frame made"
LIST = (
    "give a list, array or Series of values for each column, of one value if it is a "
    "single row"
)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.ones(3), reshape("1D", (3,))),
        ([1, 2], reshape("1D", (2,))),
        ([], reshape("1D", (0,))),
        ([{"a": 1}], f"X is a list {DICTS} of it"),
        (({"a": 1}, {"a": 2}), f"X is a tuple {DICTS} of it"),
        (pd.Series([1, 2]), reshape("1D", (2,))),
        (pl.Series([1, 2]), reshape("1D", (2,))),
        (pa.array([1, 2]), reshape("1D", (2,))),
        (np.ones((2, 2, 2)), reshape("3D", (2, 2, 2))),
        (np.ma.ones(3), reshape("1D", (3,))),
        (np.ma.array([1, 2], mask=[0, 1]), reshape("1D", (2,))),
        (sparse.coo_array(np.ones(3)), reshape("1D", (3,))),
        (np.zeros(2, dtype=[("a", "f8")]), reshape("1D", (2,))),
        (3.5, f"X is 3.5 of type float{REMEDY}"),
        (None, f"X is None of type NoneType{REMEDY}"),
        ("text", f"X is 'text' of type str{REMEDY}"),
        ({"a"}, f"X is {{'a'}} of type set{REMEDY}"),
        (np.array(3), reshape("scalar", ())),
        ({"a": 1}, f"column 'a' is 1; {LIST}"),
        ({"a": [1], "b": "text"}, f"column 'b' is 'text'; {LIST}"),
        ({"a": {0: 1}}, f"column 'a' is {{0: 1}}; {LIST}"),
        ({"a": {1, 2}}, f"column 'a' is {{1, 2}}; {LIST}"),
        ({"a": np.float64(1)}, f"column 'a' is 1.0; {LIST}"),
        (
            {"a": [1, 2], "b": [1, 2], "c": [3]},
            "column 'c' has length 1, column 'a' 2; give columns of one length",
        ),
        ({}, empty("sample", (0, 0))),
        ({"a": [], "b": []}, empty("sample", (0, 2))),
        (
            {"a": [1], 2: [1]},
            "column names must be strings, or integers for all columns, got 2 (int) "
            "for column 1; make every name a string, such as '2'",
        ),
        (np.ones((0, 3)), empty("sample", (0, 3))),
        (np.ones((5, 0)), empty("feature", (5, 0))),
        ([[]], empty("feature", (1, 0))),
        (pd.DataFrame({"a": []}), empty("sample", (0, 1))),
        (pd.DataFrame(index=range(5)), empty("feature", (5, 0))),
        (pl.DataFrame(), empty("sample", (0, 0))),
        (pa.table({}), empty("sample", (0, 0))),
        (sparse.csr_array((0, 3)), empty("sample", (0, 3))),
        (sparse.csc_array((5, 0)), empty("feature", (5, 0))),
        (ArrayLike(RuntimeError("no")), "X cannot be read as a table: no" + REMEDY),
        (
            np.ones((2, 2)) * 1j,
            "Complex data not supported: column 'x0' holds values of type complex128; "
            "give its real and imaginary parts as two columns",
        ),
        (
            np.zeros((2, 2), dtype="M8[D]"),
            "column 'x0' holds values of type datetime64[D]; turn it into numbers, "
            "such as days since a start, or cast the column to strings",
        ),
        (
            np.zeros((2, 2), dtype="S1"),
            "column 'x0' holds values of type |S1; decode the column to strings",
        ),
    ],
)
def test_what_is_no_table_is_refused(X, message):
    with pytest.raises(TableError) as caught:
        open_source(X)
    assert str(caught.value) == message


def test_rows_of_different_length_are_refused():
    with pytest.raises(TableError, match=r"read as a table: .*inhomogeneous"):
        open_source([[1, 2], [3]])
