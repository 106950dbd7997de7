"""Targets and weights nothing can be learnt from in; messages out, or odd trees."""

from __future__ import annotations

import warnings
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from refusals import ROWS, TEXTS, check_refused
from scipy import sparse
from sklearn.exceptions import DataConversionWarning

from tanoak import GreedyTreeClassifier, GreedyTreeRegressor, TableError

NAN, INF = np.nan, np.inf
LABELS = "labels are text, whole numbers or bools; convert y, e.g. to strings"
FIGURES = "a regressor predicts numbers; convert y to numbers, or use a classifier"
ONE_EACH = "y must hold one value for each row"


def missing(row):
    """Say where there is no target."""
    return f"y is missing in row {row}: leave such rows out"


def shaped(shape):
    """Say which shape came in place of one column."""
    return f"y should be a 1d array, got an array of shape {shape} instead: {ONE_EACH}"


# --- what neither model takes ---

REFUSED_BY_BOTH = {
    "None": (None, "fit requires y to be passed, but the target y is None"),
    "too short": (TEXTS[:3], "X has 4 rows, but y has 3: give one value a row"),
    "too long": ([1, 2, 1, 2, 1], "X has 4 rows, but y has 5: give one value a row"),
    "empty": ([], "X has 4 rows, but y has 0: give one value a row"),
    "two columns": (np.ones((4, 2)), shaped((4, 2))),
    "one-hot": (np.eye(4, dtype=int), shaped((4, 4))),
    "a frame of two columns": (pd.DataFrame(ROWS), shaped((4, 2))),
    "a row": ([[1, 2, 1, 2]], shaped((1, 4))),
    "a cube": (
        np.ones((4, 1, 1)),
        f"Found array with dim 3, while dim <= 2 is required: {ONE_EACH}",
    ),
    "one number": (5, shaped(())),
    "one text": ("abab", shaped(())),
    "a dict": ({"y": [1, 2, 1, 2]}, shaped(())),
    "a generator": ((i for i in range(4)), shaped(())),
    "sparse": (sparse.csr_array([[1], [2], [1], [2]]), f"Sparse data ...: {ONE_EACH}"),
    "NaN": ([1.0, NAN, 1.0, 2.0], missing(1)),
    "NaN in float32": (np.array([1, 2, NAN, 1], dtype="f4"), missing(2)),
    "None inside": ([1, 2, 1, None], missing(3)),
    "nothing but None": ([None] * 4, missing(0)),
    "a gap in Int64": (pd.Series([1, None, 2, 1], dtype="Int64"), missing(1)),
    "a gap in boolean": (
        pd.Series([True, False, None, True], dtype="boolean"),
        missing(2),
    ),
    "a null of polars": (pl.Series([1, None, 1, 2]), missing(1)),
    "a null of Arrow": (pa.chunked_array([[1, 2], [None, 2]]), missing(2)),
    "a masked value": (np.ma.masked_array([1, 2, 1, 2], mask=[0, 1, 0, 0]), missing(1)),
    "NaT": ([pd.NaT] * 4, missing(0)),
}


@pytest.mark.parametrize("model", [GreedyTreeClassifier, GreedyTreeRegressor])
@pytest.mark.parametrize("what", REFUSED_BY_BOTH)
def test_both_models_refuse(what, model):
    y, message = REFUSED_BY_BOTH[what]
    check_refused(lambda: model().fit(ROWS, y), message, TableError)


# --- what only one of them takes ---

COMPLEX = "Complex data not supported: "
CONTINUOUS = "Unknown label type: continuous: y holds "
NO_CLASSES = {
    "fractions": ([1, 2, 0.5, 1], f"{CONTINUOUS}0.5 in row 2; {LABELS}, or use a reg"),
    "infinity": ([1, INF, 1, 2], f"{CONTINUOUS}inf in row 1; {LABELS}, or use a reg"),
    "text and numbers": (
        ["a", 1, "b", 2],
        "y mixes text and numbers: 'a' in row 0, 1 in row 1; make all labels one type",
    ),
    "text and bools": (
        np.array(["a", "b", True, "a"], dtype=object),
        "y mixes text and numbers: 'a' in row 0, True in row 2; make all labels one "
        "type",
    ),
    "text and NaN": (["a", NAN, "b", "a"], missing(1)),
    "text and NA": (pd.Series(["a", None, "b", "a"], dtype="string"), missing(1)),
    "text and None": (pd.Series(["a", "b", None, "a"]), missing(2)),
    "a category and none": (
        pd.Series(pd.Categorical(["a", None, "b", "a"])),
        missing(1),
    ),
    "bytes": ([b"a", b"b", b"a", b"b"], f"y holds b'a' in row 0: {LABELS}"),
    "bytes of NumPy": (
        np.array([b"a", b"b", b"a", b"b"]),
        f"y holds values of type |S1: {LABELS}",
    ),
    "complex": (np.array([1j, 2, 1, 2]), COMPLEX + LABELS),
    "complex objects": (
        np.array([1, 1j, 1, 2], dtype=object),
        f"{COMPLEX}y holds 1j in row 1: {LABELS}",
    ),
    "dates": (
        np.array(["2020-01-01"] * 4, dtype="M8[D]"),
        f"y holds values of type datetime64[D]: {LABELS}",
    ),
    "Decimals": (
        [Decimal(1), Decimal("sNaN"), 1, 2],
        f"y holds Decimal('1') in row 0: {LABELS}",
    ),
    "lists": ([[1], [1, 2], [1], [2]], f"y holds [1] in row 0: {LABELS}"),
    "a tuple": (pd.Series([1, (1, 2), 1, 2]), f"y holds (1, 2) in row 1: {LABELS}"),
    "integers beyond 64 bits": (
        [1, 2, 2**64, 2],
        f"y holds {2**64} in row 2: beside fractions, or beyond 64 bits, such integers "
        "cannot be told apart; cast y to strings",
    ),
    "integers that a float rounds": (
        [1.0, 2.0, 2**53 + 1, 2**53 + 2],
        f"y holds {2**53 + 1} in row 2: beside fractions, or beyond 64 bits, such "
        "integers cannot be told apart; cast y to strings",
    ),
}
NO_NUMBERS = {
    "text": (TEXTS, f"y holds 'a' in row 0: {FIGURES}"),
    "text of NumPy": (np.array(TEXTS), f"y holds 'a' in row 0: {FIGURES}"),
    "numbers as text": (["1", "2", "1", "2"], f"y holds '1' in row 0: {FIGURES}"),
    "one text": ([1, 2, "x", 4], f"y holds 'x' in row 2: {FIGURES}"),
    "categories": (
        pd.Series(TEXTS, dtype="category"),
        f"y holds 'a' in row 0: {FIGURES}",
    ),
    "bytes": (np.array([b"1"] * 4), f"y holds values of type |S1: {FIGURES}"),
    "complex": ([1j, 2, 1, 2], COMPLEX + FIGURES),
    "dates": (
        pd.Series(pd.date_range("2020", periods=4, unit="us")),
        f"y holds values of type datetime64[us]: {FIGURES}",
    ),
    "not a time": (
        np.array(["NaT"] * 4, dtype="M8[s]"),
        f"y holds values of type datetime64[s]: {FIGURES}",
    ),
    "durations": (
        [timedelta(1), timedelta(2), 1, 2],
        f"y holds datetime.timedelta(days=1) in row 0: {FIGURES}",
    ),
    "a date": (
        [1, 2, date(2020, 1, 1), 2],
        f"y holds datetime.date(2020, 1, 1) in row 2: {FIGURES}",
    ),
    "lists": ([[1], [1, 2], [1], [2]], f"y holds [1] in row 0: {FIGURES}"),
    "infinity": (
        [1, INF, 2, 3],
        "y holds inf in row 1: numbers go up to 1e+100; leave such rows out",
    ),
    "an infinite integer": (
        [1, 2, 10**400, 3],
        "y holds inf in row 2: numbers go up to 1e+100; leave such rows out",
    ),
    "a Decimal that signals": ([Decimal(1), Decimal("sNaN"), 1, 2], missing(1)),
    "squares that overflow": (
        [1, -1e200, 2, 3],
        "y holds -1e+200 in row 1: numbers go up to 1e+100; divide all by the same "
        "number",
    ),
}


@pytest.mark.parametrize("what", NO_CLASSES)
def test_classifier_refuses(what):
    y, message = NO_CLASSES[what]
    message += "ressor" if message.endswith("use a reg") else ""
    check_refused(lambda: GreedyTreeClassifier().fit(ROWS, y), message, TableError)


@pytest.mark.parametrize("what", NO_NUMBERS)
def test_regressor_refuses(what):
    y, message = NO_NUMBERS[what]
    check_refused(lambda: GreedyTreeRegressor().fit(ROWS, y), message, TableError)


# --- odd, and fine ---

CLASSES = {
    # what: y, the classes
    "bools": ([True, False, True, False], [False, True]),
    "bools of NumPy": ([np.bool_(1), np.bool_(0), True, False], [False, True]),
    "-1 and 1": ([-1, 1, -1, 1], [-1, 1]),
    "whole floats": ([1.0, 2.0, 1.0, 2.0], [1.0, 2.0]),
    "float16": (np.array([1, 2, 1, 2], dtype="f2"), [1.0, 2.0]),
    "long doubles": (np.array([1, 2, 1, 2], dtype="g"), [1.0, 2.0]),
    "huge floats": ([1e300, -1e300, 1.0, 2.0], [-1e300, 1.0, 2.0, 1e300]),
    "both zeros": ([0.0, -0.0, 1.0, 1.0], [0.0, 1.0]),
    "int8": (np.array([-128, 127, 0, 1], dtype="i1"), [-128, 0, 1, 127]),
    "big-endian": (np.array([2, 1, 2, 1], dtype=">i4"), [1, 2]),
    "Int64 beyond 2^53": (
        pd.Series([2**53 + 1, 2**53 + 2] * 2, dtype="Int64"),
        [2**53 + 1, 2**53 + 2],
    ),
    "beyond 2^53": ([2**53 + 1, 2**53 + 2] * 2, [2**53 + 1, 2**53 + 2]),
    "beyond int64": (np.array([2**64 - 1, 1] * 2, dtype="u8"), [1, 2**64 - 1]),
    "objects": (np.array([2, 1, 2, 1], dtype=object), [1, 2]),
    "empty text": (["", "a", "", "a"], ["", "a"]),
    "text with NULs": (["a\0", "a", "a\0", "a"], ["a", "a\0"]),
    "objects with NULs": (np.array(["a\0", "a"] * 2, dtype=object), ["a", "a\0"]),
    "lone surrogates": (["\ud800", "a", "\ud800", "a"], ["a", "\ud800"]),
    "text of 10 kB": (["b" * 10_000, "a"] * 2, ["a", "b" * 10_000]),
    "numbers as text": (["10", "9", "10", "9"], ["10", "9"]),
    "categories": (pd.Series(TEXTS, dtype="category"), ["a", "b"]),
    "Int64": (pd.Series([2, 1, 2, 1], dtype="Int64"), [1, 2]),
    "boolean": (pd.Series([True, False] * 2, dtype="boolean"), [False, True]),
    "another index": (pd.Series(TEXTS, index=[9, 9, 9, 9]), ["a", "b"]),
    "polars": (pl.Series(TEXTS), ["a", "b"]),
    "Arrow": (pa.array(TEXTS), ["a", "b"]),
    "strided": (np.array([1, 9, 2, 9, 1, 9, 2, 9])[::2], [1, 2]),
    "a class in every row": ([4, 3, 2, 1], [1, 2, 3, 4]),
}


@pytest.mark.parametrize("what", CLASSES)
def test_odd_classes(what):
    y, classes = CLASSES[what]
    model = GreedyTreeClassifier().fit(ROWS, y)
    assert model.classes_.tolist() == classes
    assert [type(x) for x in model.classes_.tolist()] == [type(x) for x in classes]
    answers = model.predict(ROWS)
    assert answers.tolist() == list(y.to_pylist() if what == "Arrow" else y)
    assert answers.dtype == model.classes_.dtype


FIGURES_THAT_FIT = {
    "integers": [3, 1, 2, 4],
    "bools": [True, False, True, False],
    "objects": np.array([3, 1.5, np.float32(2), np.bool_(0)], dtype=object),
    "Decimals and Fractions": [Decimal("1.5"), Fraction(1, 4), Decimal(2), 3],
    "float16": np.array([3, 1, 2, 4], dtype="f2"),
    "big-endian": np.array([3, 1, 2, 4], dtype=">f8"),
    "long doubles": np.array([3, 1, 2, 4], dtype="g"),
    "Int64": pd.Series([3, 1, 2, 4], dtype="Int64"),
    "polars": pl.Series([3, 1, 2, 4]),
    "large": [1e100, -1e100, 5e99, 0],
    "small": [1e-150, 2e-150, 4e-150, 3e-150],
    "subnormal": [5e-324, 1e-323, 0.0, -5e-324],
    "beside a large offset": [1e15, 1e15 + 1, 1e15 + 2, 1e15 + 3],
    "integers beyond 64 bits": [2**70, 1, 2, 3],
}


@pytest.mark.parametrize("what", FIGURES_THAT_FIT)
def test_odd_numbers(what):
    y = FIGURES_THAT_FIT[what]
    answers = GreedyTreeRegressor().fit(ROWS, y).predict(ROWS)
    np.testing.assert_array_equal(answers, [float(value) for value in y])


@pytest.mark.parametrize("model", [GreedyTreeClassifier, GreedyTreeRegressor])
@pytest.mark.parametrize(
    "y",
    [
        [[1], [2], [1], [2]],
        np.array([[1.0], [2.0], [1.0], [2.0]]),
        np.array([1, 2, 1, 2])[:, None].view(np.matrix),
        pd.DataFrame({"y": [1, 2, 1, 2]}),
        pl.DataFrame({"y": [1, 2, 1, 2]}),
    ],
    ids=["lists", "array", "matrix", "pandas", "polars"],
)
def test_column_vector_warns_as_scikit_learn_does(y, model):
    with pytest.warns(DataConversionWarning, match="A column-vector y was passed"):
        fitted = model().fit(ROWS, y)
    np.testing.assert_array_equal(fitted.predict(ROWS), [1, 2, 1, 2])


@pytest.mark.parametrize(
    ("y", "weight", "message"),
    [
        ([7, 7, 7, 7], None, "y holds one class only, 7: the tree is a single leaf"),
        (
            ["b" * 1000] * 4,
            None,
            f"y holds one class only, '{'b' * 27}...{'b' * 28}': the tree is a single "
            "leaf",
        ),
        (
            TEXTS,
            [1, 0, 1, 0],
            "y holds one class only among the rows of positive weight, 'a': the tree "
            "is a single leaf",
        ),
    ],
)
def test_one_class_is_one_leaf_and_a_warning(y, weight, message):
    model = (
        GreedyTreeClassifier(cost={"x": 1})
        if weight is None
        else (GreedyTreeClassifier())
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(ROWS, y, sample_weight=weight)
    assert [str(warning.message) for warning in caught] == [message]
    assert caught[0].filename == __file__
    assert model.get_n_leaves() == 1
    assert model.predict(ROWS).tolist() == [y[0]] * 4
    assert model.predict_proba(ROWS)[:, 0].tolist() == [1.0] * 4


def test_a_class_in_most_rows_warns_as_scikit_learn_does():
    X = np.arange(30.0)[:, None]
    with pytest.warns(UserWarning, match="The number of unique classes is greater"):
        model = GreedyTreeClassifier().fit(X, np.arange(30))
    np.testing.assert_array_equal(model.predict(X), np.arange(30))
