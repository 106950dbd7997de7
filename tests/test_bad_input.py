"""Features no tree can be grown on in, and odd ones it can; messages and trees out."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest
from refusals import NUMBERS, ROWS, SHAPE, TEXTS, check_refused, with_cell
from scipy import sparse

from tanoak import GreedyTreeClassifier, GreedyTreeRegressor, TableError

# --- refused by fit ---

INFINITE = (
    "column 'x1' holds infinity in row 2; replace it by a large finite number, or by "
    "NaN if it is missing"
)
GIVE = "give a 2-D array, a sparse matrix, a data frame or a dict of columns"
TIME = "turn it into numbers, such as days since a start, or cast the column to strings"
NO_NUMBER = "argument must be a string or a real number, not"


def no_table(what, shape):
    """Say which shape came in place of a table."""
    return f"Expected 2D array, got {what} array instead, of shape {shape}. {SHAPE}"


def empty(what, shape):
    """Say what there is none of."""
    found = f"Found array with 0 {what}(s) (shape={shape})"
    return f"{found} while a minimum of 1 is required."


def sparse_with_index(index):
    """Make a matrix that points outside itself."""
    matrix = sparse.csr_array(ROWS)
    matrix.indices[0] = index
    return matrix


def held(what, remedy):
    """Say what stands in the first column."""
    return f"column 'x0' holds {what}; {remedy}"


def huge(value, row):
    """Say which integer no double holds."""
    return held(
        f"{value} in row {row}: integers that differ only beyond 2^53 cannot be told "
        "apart",
        "subtract an offset, or make the column categorical, categorical...=['x0']",
    )


REFUSED = {
    "no rows": (ROWS[:0], empty("sample", (0, 2))),
    "no columns": (ROWS[:, :0], empty("feature", (4, 0))),
    "an empty frame": (pd.DataFrame(), empty("sample", (0, 0))),
    "sparse without rows": (sparse.csr_array((0, 2)), empty("sample", (0, 2))),
    "None": (None, f"X is None of type NoneType; {GIVE}"),
    "a number": (5, f"X is 5 of type int; {GIVE}"),
    "text": ("abc", f"X is 'abc' of type str; {GIVE}"),
    "a generator": ((row for row in ROWS), f"X is ... of type generator; {GIVE}"),
    "one column": (ROWS[:, 0], no_table("1D", (4,))),
    "a list of numbers": ([1, 2, 3, 4], no_table("1D", (4,))),
    "a Series": (pd.Series([1, 2, 3, 4]), no_table("1D", (4,))),
    "records": (np.zeros(4, dtype=[("a", "f8")]), no_table("1D", (4,))),
    "a cube": (ROWS[None], no_table("3D", (1, 4, 2))),
    "ragged lists": (
        [[1, 2], [3], [4, 5], [6, 7]],
        f"X cannot be read as a table: ...; {GIVE}",
    ),
    "columns of two lengths": (
        {"a": [1, 2, 3, 4], "b": [1]},
        "column 'b' has length 1, column 'a' 4; give columns of one length",
    ),
    "rows that are dicts": (
        [{"a": 1}, {"a": 2}, {"a": 3}, {"a": 4}],
        "X is a list of dicts; give a dict of columns, {name: [value, ...]}, or a data "
        "frame made of it",
    ),
    "a lazy frame": (
        pl.LazyFrame({"a": [1, 2, 3, 4]}),
        "X is a lazy LazyFrame; give the data itself, X.collect() or X.compute()",
    ),
    "infinity": (with_cell(2, 1, np.inf), INFINITE),
    "minus infinity": (with_cell(2, 1, -np.inf), INFINITE),
    "infinity in float32": (with_cell(2, 1, np.inf).astype("f4"), INFINITE),
    "infinity in CSR": (sparse.csr_array(with_cell(2, 1, np.inf)), INFINITE),
    "infinity in CSC": (sparse.csc_array(with_cell(2, 1, -np.inf)), INFINITE),
    "infinity in objects": (with_cell(2, 1, np.inf).astype(object), INFINITE),
    "infinity in a frame": (
        pd.DataFrame(with_cell(2, 1, np.inf), columns=["age", "pay"]),
        INFINITE.replace("x1", "pay"),
    ),
    "infinity from a Decimal": (
        [[1, Decimal(5)], [2, Decimal(6)], [3, Decimal("1e400")], [4, Decimal(8)]],
        INFINITE,
    ),
    "infinity from long doubles": (
        with_cell(2, 1, 1e308).astype("g") * np.array([1, 100], dtype="g"),
        INFINITE,
    ),
    "integers beyond 2^53": (
        np.array([[2**53], [2**53 + 2], [1], [2]]),
        huge(2**53 + 2, 1),
    ),
    "unsigned integers": (
        np.array([[1], [2], [2**64 - 1], [2]], dtype=np.uint64),
        huge(2**64 - 1, 2),
    ),
    "integers beyond 64 bits": (
        [[1], [2], [3], [2**70]],
        huge(2**70, 3),
    ),
    "huge integers beside fractions": (
        [[1, 0.5], [2, 0.5], [3, 0.5], [2**53 + 1, 0.5]],
        huge(2**53 + 1, 3),
    ),
    "huge integers in CSR": (
        sparse.csr_array(np.array([[0], [2**53 + 2], [1], [2]])),
        huge(2**53 + 2, 1),
    ),
    "text beside numbers": (
        np.array([["a"], [2], ["b"], [3]], dtype=object),
        "column 'x0' mixes text and numbers: 'a' in row 0, 2 in row 1; make the cells "
        "all strings or all numbers",
    ),
    "text beside bools": (
        [["a"], [True], ["b"], [False]],
        "column 'x0' mixes text and bools: 'a' in row 0, True in row 1; make the cells "
        "all strings or all numbers",
    ),
    "complex": (
        ROWS.astype("c16"),
        "Complex data not supported: "
        + held(
            "values of type complex128",
            "give its real and imaginary parts as two columns",
        ),
    ),
    "dates": (ROWS.astype("M8[s]"), held("values of type datetime64[s]", TIME)),
    "durations": (ROWS.astype("m8[D]"), held("values of type timedelta64[D]", TIME)),
    "a date among objects": (
        [[date(2020, 1, 1)], [None], [None], [None]],
        held("datetime.date(2020, 1, 1) in row 0", TIME),
    ),
    "bytes": (
        ROWS.astype("S3"),
        held("values of type |S3", "decode the column to strings"),
    ),
    "lists in cells": (
        pd.DataFrame({"x0": [[1], [2], [3], [4]]}),
        held(
            f"[1] in row 0: {NO_NUMBER} 'list'",
            "cast the column to strings if it is a category",
        ),
    ),
    "a function in a cell": (
        [[1], [len], [2], [3]],
        held(
            f"<built-in function len> in row 1: {NO_NUMBER} "
            "'builtin_function_or_method'",
            "cast the column to strings if it is a category",
        ),
    ),
    "structs": (
        pl.DataFrame({"x0": [{"a": 1}] * 4}),
        held(
            "values of type Struct({'a': Int64})",
            "spread it over one column per element",
        ),
    ),
    "a Decimal that signals": (
        [[Decimal(1)], [Decimal("sNaN")], [Decimal(2)], [Decimal(3)]],
        "column 'x0' holds a number that cannot be read: ...",
    ),
    "an index outside": (
        sparse_with_index(99),
        "X is not a valid sparse matrix: indices must be < 2",
    ),
    "columns of one name": (
        pd.DataFrame(ROWS, columns=["a", "a"]),
        "column names must be distinct, 'a' is there 2 times; rename or drop the "
        "repeated columns",
    ),
    "names of two types": (
        pd.DataFrame(ROWS, columns=["a", 1]),
        "column names must be strings, or integers for all columns, got 1 (int) for "
        "column 1; make every name a string, such as '1'",
    ),
    "names of two levels": (
        pd.DataFrame(ROWS, columns=pd.MultiIndex.from_tuples([("a", "b"), ("a", "c")])),
        "column names must be strings, or integers for all columns, got ('a', 'b') "
        "(tuple) for column 0; make every name a string, such as \"('a', 'b')\"",
    ),
    "categories that are dates": (
        pd.DataFrame({"x0": pd.Categorical(pd.date_range("2020", periods=4))}),
        "column 'x0' has the category Timestamp('2020-01-01 00:00:00'), a Timestamp; "
        "cast the column to strings",
    ),
}


@pytest.mark.parametrize("model", [GreedyTreeClassifier, GreedyTreeRegressor])
@pytest.mark.parametrize("what", REFUSED)
@pytest.mark.filterwarnings("ignore:X holds long doubles")
def test_refuses(what, model):
    X, message = REFUSED[what]
    y = TEXTS if model is GreedyTreeClassifier else NUMBERS
    fitted = model()
    check_refused(lambda: fitted.fit(X, y), message, TableError)
    assert not any(name.endswith("_") for name in vars(fitted))
