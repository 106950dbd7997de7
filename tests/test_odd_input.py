"""Odd features that are fine in; the tree that plain ones give, or a known one, out."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from refusals import NUMBERS, ROWS, TEXTS
from scipy import sparse

from tanoak import GreedyTreeClassifier, GreedyTreeRegressor

# --- the same numbers, stored otherwise: the same tree ---


def unaligned(rows):
    """Store the values at odd addresses."""
    raw = np.zeros(rows.nbytes + 1, dtype=np.uint8)
    moved = raw[1:].view(np.float64).reshape(rows.shape)
    moved[...] = rows
    assert not moved.flags.aligned
    return moved


def read_only(rows):
    """Close a copy for writing."""
    rows = rows.copy()
    rows.flags.writeable = False
    return rows


def unsorted(rows):
    """Store every entry as two halves, the columns of a row in falling order."""
    n_rows, n_columns = rows.shape
    order = np.repeat(np.arange(n_columns)[::-1], 2)
    parts = (
        np.repeat(rows[:, ::-1], 2, axis=1).ravel() / 2,
        np.tile(order, n_rows),
        np.arange(n_rows + 1) * 2 * n_columns,
    )
    return sparse.csr_array(parts, shape=rows.shape)


SAME = {
    "Fortran order": np.asfortranarray,
    "every other column": lambda rows: np.repeat(rows, 2, axis=1)[:, ::2],
    "every other row": lambda rows: np.repeat(rows, 2, axis=0)[::2],
    "negative strides": lambda rows: rows[::-1, ::-1].copy()[::-1, ::-1],
    "read-only": read_only,
    "unaligned": unaligned,
    "big-endian": lambda rows: rows.astype(">f8"),
    "float32": lambda rows: rows.astype("f4"),
    "float16": lambda rows: rows.astype("f2"),
    "big-endian float16": lambda rows: rows.astype(">f2"),
    "int8": lambda rows: rows.astype("i1"),
    "uint64": lambda rows: rows.astype("u8"),
    "big-endian int32": lambda rows: rows.astype(">i4"),
    "matrix": lambda rows: rows.view(np.matrix),
    "lists": lambda rows: rows.tolist(),
    "tuples": lambda rows: tuple(map(tuple, rows.tolist())),
    "lists of float16": lambda rows: [list(row) for row in rows.astype("f2")],
    "objects": lambda rows: rows.astype(object),
    "Decimals": lambda rows: [[Decimal(x) for x in row] for row in rows.tolist()],
    "Fractions": lambda rows: [[Fraction(x) for x in row] for row in rows.tolist()],
    "masked array": np.ma.masked_array,
    "frame": pd.DataFrame,
    "frame of Int64": lambda rows: pd.DataFrame(rows).astype("Int64"),
    "frame of float32": lambda rows: pd.DataFrame(rows).astype("float32"),
    "frame of objects": lambda rows: pd.DataFrame(rows).astype(object),
    "frame with index": lambda rows: pd.DataFrame(rows, index=list("zyxw")),
    "CSR": sparse.csr_array,
    "CSC": sparse.csc_array,
    "COO": sparse.coo_array,
    "CSR matrix": sparse.csr_matrix,
    "CSR of int64": lambda rows: sparse.csr_array(rows.astype(int)),
    "CSR, unsorted and doubled": unsorted,
}


@pytest.mark.parametrize("how", SAME)
def test_layouts_and_types_make_no_difference(how):
    X = SAME[how](ROWS)
    plain = GreedyTreeClassifier().fit(ROWS, TEXTS)
    model = GreedyTreeClassifier().fit(X, TEXTS)
    assert model.tree_.to_json() == plain.tree_.to_json()
    for one, other in ((model, ROWS), (plain, X)):
        np.testing.assert_array_equal(one.apply(other), plain.apply(ROWS))
        np.testing.assert_array_equal(one.predict(other), TEXTS)
    regressor = GreedyTreeRegressor().fit(X, NUMBERS)
    np.testing.assert_array_equal(regressor.predict(ROWS), NUMBERS)


def test_memory_map(tmp_path):
    np.save(tmp_path / "rows.npy", ROWS)
    X = np.load(tmp_path / "rows.npy", mmap_mode="r")
    assert isinstance(X, np.memmap)
    assert (
        GreedyTreeClassifier().fit(X, TEXTS).tree_
        == GreedyTreeClassifier().fit(ROWS, TEXTS).tree_
    )


def test_long_doubles_are_cut_with_a_warning():
    model = GreedyTreeClassifier()
    with pytest.warns(UserWarning, match="X holds long doubles; tanoak drops the dig"):
        model.fit(ROWS.astype("g"), TEXTS)
    assert model.tree_ == GreedyTreeClassifier().fit(ROWS, TEXTS).tree_


def test_zero_strides():
    X = np.broadcast_to(np.arange(2.0), (4, 2))
    assert GreedyTreeClassifier().fit(X, TEXTS).get_n_leaves() == 1


# --- legal, and the right answer ---

NONE, NAN = None, np.nan
BIG, TINY = np.finfo(np.float64).max, 5e-324
UP, DOWN = np.nextafter(1.0, 2.0), np.nextafter(1.0, 0.0)
ANSWERS = {
    # what: X, y, the answers on X
    "one row": ([[1.0, NAN]], [3], [3]),
    "two rows": ([[1.0], [2.0]], ["b", "a"], ["b", "a"]),
    "constant columns": (np.ones((3, 2)), [1, 0, 1], [1, 1, 1]),
    "nothing but NaN": (np.full((3, 2), NAN), [0, 1, 1], [1, 1, 1]),
    "one column of NaN": ([[NAN, 1], [NAN, 2]], [0, 1], [0, 1]),
    "nothing but None": ([[NONE], [NONE], [NONE]], [0, 1, 1], [1, 1, 1]),
    "NaN against a number": ([[NAN], [1.0]], [0, 1], [0, 1]),
    "None, NA and NaT": ([[NONE], [pd.NA], [pd.NaT], [1]], [0, 0, 0, 1], [0, 0, 0, 1]),
    "the largest doubles": ([[BIG], [BIG / 2], [-BIG]], [0, 1, 2], [0, 1, 2]),
    "the smallest doubles": ([[TINY], [0.0], [-TINY]], [0, 1, 2], [0, 1, 2]),
    "neighbours": ([[UP], [1.0], [DOWN]], [0, 1, 2], [0, 1, 2]),
    "both zeros": ([[0.0], [-0.0], [0.0]], [0, 1, 0], [0, 0, 0]),
    "2^53 and before": ([[2**53], [2**53 - 1]], [0, 1], [0, 1]),
    "2^24 and after": (
        np.array([[2**24], [2**24 + 1]], dtype="i4"),
        [0, 1],
        [0, 1],
    ),
    "equal rows that differ": ([[1.0], [1.0], [1.0]], ["a", "b", "b"], ["b"] * 3),
    "bools": ([[True], [False]], [0, 1], [0, 1]),
    "text": ([["Ulm"], ["Bonn"], [""]], [0, 1, 2], [0, 1, 2]),
    "text and its NULs": ([["a"], ["a\0"], ["a\0\0"]], [0, 1, 2], [0, 1, 2]),
    "lone surrogates": ([["\ud800"], ["\udfff"]], [0, 1], [0, 1]),
    "numbers as text": (np.array([["1"], ["10"], ["9"]]), [0, 1, 2], [0, 1, 2]),
    "text with gaps": ([["a"], [NONE], ["b"]], [0, 1, 0], [0, 1, 0]),
    "text of 10 kB": (
        np.array([["a" * 10_000], ["a" * 9_999]], dtype=object),
        [0, 1],
        [0, 1],
    ),
    "a masked cell": (
        np.ma.masked_array([[1.0], [1.0]], mask=[[True], [False]]),
        [0, 1],
        [0, 1],
    ),
    "integers with gaps": (
        pd.DataFrame({"n": pd.array([2**53 - 1, None, 2**53 - 2], dtype="Int64")}),
        [0, 1, 2],
        [0, 1, 2],
    ),
    "Arrow integers with gaps": (
        pl.DataFrame({"n": [1, None, 2]}).to_arrow(),
        [0, 1, 2],
        [0, 1, 2],
    ),
    "columns of nothing": (pl.DataFrame({"n": [None, None]}), [0, 1], [0, 0]),
    "sparse, nothing stored": (sparse.csr_array((3, 2)), [0, 1, 1], [1, 1, 1]),
    "sparse zeros, stored": (
        sparse.csr_array(([0.0, 1.0], [0, 0], [0, 1, 2, 2])),
        [0, 1, 0],
        [0, 1, 0],
    ),
    "a dict of columns": ({"n": [1, 2], "t": ["a", "a"]}, [0, 1], [0, 1]),
    "names of any kind": (
        pd.DataFrame([[1, 2], [3, 2]], columns=["", "a\0\n<b>" * 2000]),
        [0, 1],
        [0, 1],
    ),
}


@pytest.mark.parametrize("what", ANSWERS)
@pytest.mark.filterwarnings("ignore:y holds one class only")
def test_odd_features_give_the_right_answer(what):
    X, y, answers = ANSWERS[what]
    model = GreedyTreeClassifier().fit(X, y)
    np.testing.assert_array_equal(model.predict(X), answers)
    leaf = model.apply(X)
    counts = np.bincount(leaf, minlength=model.tree_.n_nodes)
    np.testing.assert_array_equal(
        counts, model.tree_.counts.sum(axis=1) * model.tree_.is_leaf
    )


def test_huge_integers_can_be_categories():
    X = np.array([[2**53], [2**53 + 1], [2**53 + 2]])
    model = GreedyTreeClassifier(categorical_features=[0]).fit(X, [0, 1, 2])
    np.testing.assert_array_equal(model.predict(X), [0, 1, 2])


def test_more_levels_than_rows_of_any_word():
    X = np.array([[f"town {i}"] for i in range(300)], dtype=object)
    y = np.arange(300) % 2
    model = GreedyTreeClassifier().fit(X, y)
    np.testing.assert_array_equal(model.predict(X), y)
    assert model.get_n_leaves() == 2
