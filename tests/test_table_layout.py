"""Arrays of any layout and type in; the same values, uncopied, or refusals out."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from tables import FRAMES, same

from tanoak._table import Columns, read_like, read_table
from tanoak.exceptions import TableError

BASE = np.array([[0.5, -0.0, 5e-324], [np.nan, 2**24 + 1, -3.0], [1e300, 7.0, 0.1]])


def unaligned(dtype):
    """Lay a copy of `BASE` out one byte off."""
    buffer = np.zeros(BASE.size * np.dtype(dtype).itemsize + 1, dtype=np.uint8)
    values = buffer[1:].view(dtype).reshape(BASE.shape)
    values[...] = np.clip(BASE, -1e30, 1e30)
    return values


def aligned(dtype):
    """Take one row of `BASE`."""
    return BASE[1:2].astype(dtype)


def read_only(values):
    """Lock an array."""
    values.setflags(write=False)
    return values


LAYOUTS = {
    "C": np.ascontiguousarray,
    "Fortran": np.asfortranarray,
    "rows backwards": lambda values: values[::-1].copy()[::-1],
    "columns backwards": lambda values: values[:, ::-1].copy()[:, ::-1],
    "every second row": lambda values: np.repeat(values, 2, axis=0)[::2],
    "every second column": lambda values: np.repeat(values, 2, axis=1)[:, ::2],
    "one row repeated": lambda values: np.broadcast_to(values[1], (5, 3)),
    "one column repeated": lambda values: np.broadcast_to(values[:, :1], (3, 4)),
    "one value repeated": lambda values: np.broadcast_to(values[0, 0], (3, 4)),
    "read-only": lambda values: read_only(values.copy()),
    "matrix": lambda values: values.view(np.matrix),
    "one row": lambda values: values[:1],
    "one column": lambda values: values[:, 2:],
}


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_any_layout_passes_without_a_copy(layout, dtype):
    X = layout(np.clip(BASE, -1e30, 1e30).astype(dtype))
    before = X.tobytes()
    for table in (read_table(X), read_like(X, Columns.numeric(X.shape[1]))):
        assert type(table.values) is np.ndarray
        assert np.shares_memory(table.values, X)
        assert table.values.strides == X.strides
        same(table.values, np.array(X, dtype=dtype, order="C"))
    assert X.tobytes() == before


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("build", [unaligned, aligned])
def test_foreign_layouts_become_native_copies(build, dtype):
    X = build(dtype)
    swapped = X.astype(X.dtype.newbyteorder(">"))
    for given_values in (X, swapped, swapped.T.copy().T):
        values = read_table(given_values).values
        assert values.flags.aligned
        assert values.dtype.isnative
        same(values, np.array(X, dtype=dtype, order="C"))


def test_a_file_on_disk_is_not_read_into_memory(tmp_path):
    np.save(tmp_path / "x.npy", BASE)
    X = np.load(tmp_path / "x.npy", mmap_mode="r")
    values = read_table(X).values
    assert type(values) is np.ndarray
    assert np.shares_memory(values, X)


@pytest.mark.parametrize("order", "CF")
def test_reading_floats_needs_no_memory(order):
    X = np.ones((200_000, 10), dtype=np.float32, order=order)
    tracemalloc.start()
    read_table(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_000_000


def test_a_frame_is_copied_once():
    n_rows = 200_000
    X = pl.DataFrame({f"c{j}": np.ones(n_rows, dtype=np.float32) for j in range(10)})
    read_table(X)
    tracemalloc.start()
    read_table(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1.25 * n_rows * 10 * 4


def test_a_pandas_block_is_not_copied():
    X = pd.DataFrame(BASE, columns=["a", "b", "c"], copy=False)
    table = read_table(X)
    assert np.shares_memory(table.values, BASE)
    assert np.shares_memory(read_like(X, table.columns).values, BASE)
    assert table.columns == Columns(("a", "b", "c"), (None,) * 3, named=True)


@pytest.mark.parametrize(
    ("dtype", "result"),
    [("?", "f4"), ("i1", "f4"), ("u2", "f4"), ("f2", "f4"), ("i4", "f8"), ("u8", "f8")],
)
def test_integers_and_bools_become_floats(dtype, result):
    X = np.array([[1, 0], [0, 1]], dtype=dtype)
    table = read_table(X)
    assert table.columns == Columns.numeric(2)
    same(table.values, X.astype(result))


def test_a_table_counts_its_rows_and_columns():
    for X in (BASE[:2], sparse.csr_array(BASE[:2])):
        table = read_table(X)
        assert (table.n_rows, table.n_columns) == (2, 3)


# --- infinities ---


@pytest.mark.parametrize("value", [np.inf, -np.inf])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize(
    "wrap",
    [
        np.asarray,
        np.asfortranarray,
        sparse.csr_array,
        sparse.csc_matrix,
        pd.DataFrame,
        lambda X: X.astype(object),
        lambda X: X.tolist(),
    ],
)
def test_infinity_is_refused_with_its_place(wrap, dtype, value):
    X = np.zeros((300, 4), dtype=dtype)
    X[250, 2] = X[299, 2] = X[299, 3] = value
    if wrap in (sparse.csr_array, sparse.csc_matrix):
        X = X.astype(np.float64)
    message = (
        "column 'x2' holds infinity in row 250; replace it by a large finite number, "
        "or by NaN if it is missing"
    )
    for read in (read_table, lambda data: read_like(data, Columns.numeric(4))):
        with pytest.raises(TableError) as caught:
            read(wrap(X))
        assert str(caught.value) == message


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_infinity_in_a_frame_is_refused_by_name(frame):
    X = frame({"age": [1.0, 2.0], "debt": [0.5, float("inf")], "town": ["a", "b"]})
    with pytest.raises(TableError, match=r"^column 'debt' holds infinity in row 1; "):
        read_table(X)


def test_the_last_cell_of_a_long_table_is_looked_at():
    X = np.zeros((300_001, 3), dtype=np.float32)
    X[-1, -1] = np.inf
    for values in (X, X.T.copy().T, X.T):
        with pytest.raises(TableError, match="holds infinity"):
            read_table(values)


def test_values_too_long_for_a_double_are_infinite():
    X = np.full((1, 1), "1e400", dtype=np.longdouble)
    with (
        pytest.warns(UserWarning, match="long doubles"),
        pytest.raises(TableError, match="column 'x0' holds infinity in row 0"),
    ):
        read_table(X)


# --- integers ---


@pytest.mark.parametrize(
    ("X", "name", "row", "value"),
    [
        (np.array([[1, 2], [3, 2**53 + 1]]), "x1", 1, 2**53 + 1),
        (np.array([[1, -(2**63)]]), "x1", 0, -(2**63)),
        (np.array([[2**53], [2**53 + 1]]), "x0", 1, 2**53 + 1),
        (np.array([[-(2**53)], [-(2**53) - 1]]), "x0", 1, -(2**53) - 1),
        (np.array([[2**64 - 1]], dtype=np.uint64), "x0", 0, 2**64 - 1),
        (pd.DataFrame({"id": pd.array([None, 2**60], dtype="Int64")}), "id", 1, 2**60),
        (pl.DataFrame({"id": [1, 2**53 + 1]}), "id", 1, 2**53 + 1),
        (pa.table({"id": [None, 2**53 + 1]}), "id", 1, 2**53 + 1),
        ([[2**63], [-1]], "x0", 0, 2**63),
        ([[0.5, 1], [1.5, 2**53 + 1]], "x1", 1, 2**53 + 1),
    ],
)
def test_integers_a_double_would_round_are_refused(X, name, row, value):
    with pytest.raises(TableError) as caught:
        read_table(X)
    assert str(caught.value) == (
        f"column {name!r} holds {value} in row {row}: integers that differ only beyond "
        f"2^53 cannot be told apart; subtract an offset, or make the column "
        f"categorical, categorical=[{name!r}]"
    )


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_huge_integers_may_be_categories(frame):
    table = read_table(frame({"id": [2**53 + 1, 2**53]}), categorical=["id"])
    assert table.columns.levels == ((2**53, 2**53 + 1),)
    np.testing.assert_array_equal(table.values, [[1], [0]])
    again = read_like(frame({"id": [2**53, 2**53 + 2]}), table.columns)
    np.testing.assert_array_equal(again.values, [[0], [np.nan]])
