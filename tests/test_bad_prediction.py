"""Rows a fitted model cannot answer, and fits that fail, in; messages out."""

from __future__ import annotations

from datetime import date

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from refusals import NUMBERS, ROWS, SHAPE, TEXTS, check_refused, with_cell, written
from scipy import sparse

from tanoak import (
    GreedyTreeClassifier,
    GreedyTreeRegressor,
    ParameterError,
    TableError,
)

NAN, INF = np.nan, np.inf
METHODS = ["predict", "predict_proba", "apply", "decision_path"]
FRAME = pd.DataFrame(ROWS, columns=["age", "pay"])
TOWNS = pd.DataFrame({"town": ["Bonn", "Kiel", "Bonn", "Ulm"]})

PLAIN = GreedyTreeClassifier().fit(ROWS, TEXTS)
NAMED = GreedyTreeClassifier().fit(FRAME, TEXTS)
TOWN = GreedyTreeClassifier().fit(TOWNS, TEXTS)
CODE = GreedyTreeClassifier(categorical_features=[0]).fit(ROWS, TEXTS)
REGRESSOR = GreedyTreeRegressor().fit(ROWS, NUMBERS)

# --- refused ---


def width(n_features):
    """Say how many columns there are."""
    return f"X has {n_features} features, but Tree is expecting 2 features as input."


def no_table(what, shape):
    """Say which shape came in place of a table."""
    return f"Expected 2D array, got {what} array instead, of shape {shape}. {SHAPE}"


def renamed(unseen, gone, guess):
    """Say in scikit-learn's words which names differ."""
    lines = ["The feature names should match those that were passed during fit."]
    if unseen:
        lines += ["Feature names unseen at fit time:", *(f"- {x}" for x in unseen)]
    if gone:
        lines += ["Feature names seen at fit time, yet now missing:"]
        lines += [f"- {x}" for x in gone]
    return "\n".join([*lines, *guess, ""])


def was_numeric(name, text):
    """Say that text came for a number."""
    return (
        f"column '{name}' was numeric in training and holds the text '{text}' in row "
        "0; convert the column to numbers"
    )


TIME = "turn it into numbers, such as days since a start, or cast the column to strings"
INFINITE = "; replace it by a large finite number, or by NaN if it is missing"
REFUSED = {
    "fewer columns": (PLAIN, ROWS[:, :1], width(1)),
    "more columns": (PLAIN, np.ones((4, 3)), width(3)),
    "fewer columns, sparse": (PLAIN, sparse.csr_array(ROWS[:, :1]), width(1)),
    "more columns, lists": (PLAIN, [[1, 2, 3]], width(3)),
    "fewer columns of no name": (NAMED, ROWS[:, :1], width(1)),
    "one row as 1-D": (PLAIN, ROWS[0], no_table("1D", (2,))),
    "a Series": (NAMED, FRAME.iloc[0], no_table("1D", (2,))),
    "a cube": (PLAIN, ROWS[None], no_table("3D", (1, 4, 2))),
    "no rows": (
        PLAIN,
        ROWS[:0],
        "Found array with 0 sample(s) (shape=(0, 2)) while a minimum of 1 is required.",
    ),
    "ragged": (PLAIN, [[1], [1, 2]], "X cannot be read as a table: ..."),
    "infinity": (
        PLAIN,
        with_cell(3, 0, INF),
        f"column 'x0' holds infinity in row 3{INFINITE}",
    ),
    "infinity, sparse": (
        PLAIN,
        sparse.csc_array(with_cell(3, 0, -INF)),
        f"column 'x0' holds infinity in row 3{INFINITE}",
    ),
    "infinity in a frame": (
        NAMED,
        FRAME.assign(pay=[1.0, INF, 2.0, 3.0]),
        f"column 'pay' holds infinity in row 1{INFINITE}",
    ),
    "infinity for a code": (
        CODE,
        with_cell(0, 0, INF),
        f"column 'x0' holds infinity in row 0{INFINITE}",
    ),
    "text": (PLAIN, [["a", 1], ["b", 2]], was_numeric("x0", "a")),
    "numbers as text": (PLAIN, ROWS.astype(str), was_numeric("x0", "1.0")),
    "a frame of text": (NAMED, FRAME.astype(str), was_numeric("age", "1.0")),
    "categories of text": (
        NAMED,
        FRAME.astype(str).astype("category"),
        was_numeric("age", "1.0"),
    ),
    "huge integers": (
        PLAIN,
        np.array([[1, 2], [1, 2**53 + 2]]),
        f"column 'x1' holds {2**53 + 2} in row 1: integers that differ only beyond "
        "2^53 cannot be told apart; ...",
    ),
    "complex": (
        PLAIN,
        ROWS.astype("c16"),
        "Complex data not supported: column 'x0' holds values of type complex128; give "
        "its real and imaginary parts as two columns",
    ),
    "dates": (
        NAMED,
        FRAME.assign(age=pd.Timestamp("2020-01-01")),
        "column 'age' holds values of type Datetime(...; " + TIME,
    ),
    "a date": (
        PLAIN,
        [[1, date(2020, 1, 1)]],
        f"column 'x1' holds datetime.date(2020, 1, 1) in row 0; {TIME}",
    ),
    "a name misspelt": (
        NAMED,
        FRAME.rename(columns={"age": "agee"}),
        renamed(["agee"], ["age"], ["Did you mean 'age' instead of 'agee'?"]),
    ),
    "names in capitals": (
        NAMED,
        pl.DataFrame(ROWS, schema=["AGE", "pay"]),
        renamed(["AGE"], ["age"], ["Did you mean 'age' instead of 'AGE'?"]),
    ),
    "a name left out": (NAMED, FRAME[["pay"]], renamed([], ["age"], [])),
    "a name too many": (NAMED, FRAME.assign(zip=1), renamed(["zip"], [], [])),
    "a name twice": (
        NAMED,
        pd.concat([FRAME, FRAME[["age"]]], axis=1),
        "column names must be distinct, 'age' is there 2 times; rename or drop the "
        "repeated columns",
    ),
    "numbers for text": (
        TOWN,
        pd.DataFrame({"town": [1, 2]}),
        "column 'town' had categories of text in training and holds 1 in row 0; "
        "convert the column to strings",
    ),
    "text for codes": (
        CODE,
        [["1", 5.0]],
        "column 'x0' had categories of numbers in training and holds '1' in row 0; "
        "convert the column to numbers",
    ),
    "text and numbers": (
        TOWN,
        [["Ulm"], [1]],
        "column 'x0' mixes text and numbers: 'Ulm' in row 0, 1 in row 1; make the "
        "cells all strings or all numbers",
    ),
    "bytes": (
        TOWN,
        pd.DataFrame({"town": [b"Ulm"]}),
        "column 'town' holds b'Ulm' in row 0; decode the column to strings",
    ),
    "sparse for categories": (
        CODE,
        sparse.csr_array(ROWS),
        "column 'x0' is categorical, which needs dense data, and X is sparse; use "
        "X.toarray()",
    ),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("what", REFUSED)
def test_rows_are_refused(what, method):
    model, X, message = REFUSED[what]
    before = written(X)
    check_refused(lambda: getattr(model, method)(X), message, TableError)
    assert written(X) == before
    np.testing.assert_array_equal(PLAIN.predict(ROWS), TEXTS)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n_jobs", [0, "two", 1.5])
def test_a_later_wrong_number_of_threads(method, n_jobs):
    model = GreedyTreeClassifier().fit(ROWS, TEXTS).set_params(n_jobs=n_jobs)
    message = (
        f"n_jobs must be None, an integer <= -1 or an integer >= 1, got {n_jobs!r}"
    )
    check_refused(lambda: getattr(model, method)(ROWS), message, ParameterError)


# --- answered ---

ANSWERED = {
    # what: model, X, the answers
    "text for names": (NAMED, ROWS, TEXTS),
    "names where there were none": (PLAIN, FRAME, TEXTS),
    "columns in another order": (NAMED, FRAME[["pay", "age"]], TEXTS),
    "polars, in another order": (
        NAMED,
        pl.DataFrame({"pay": ROWS[:, 1], "age": ROWS[:, 0]}),
        TEXTS,
    ),
    "Arrow": (NAMED, pa.table({"pay": ROWS[:, 1], "age": ROWS[:, 0]}), TEXTS),
    "a dict": (NAMED, {"pay": ROWS[:, 1], "age": ROWS[:, 0]}, TEXTS),
    "another index": (NAMED, FRAME.set_axis(list("zyxw")), TEXTS),
    "sparse for names": (NAMED, sparse.csr_array(ROWS), TEXTS),
    "sparse": (PLAIN, sparse.csc_array(ROWS), TEXTS),
    "integers": (PLAIN, ROWS.astype("i1"), TEXTS),
    "float16": (PLAIN, ROWS.astype("f2"), TEXTS),
    "big-endian": (PLAIN, ROWS.astype(">f4"), TEXTS),
    "objects": (PLAIN, ROWS.astype(object), TEXTS),
    "categories of numbers": (NAMED, FRAME.astype("category"), TEXTS),
    "bools for numbers": (PLAIN, np.array([[True, False]]), ["a"]),
    "missing": (PLAIN, [[NAN, None]], ["a"]),
    "as large as can be": (PLAIN, [[1e308, -1e308], [-1e308, 1e308]], ["b", "a"]),
    "a new level": (TOWN, pd.DataFrame({"town": ["Rome", "Ulm"]}), ["a", "b"]),
    "no level": (TOWN, pd.DataFrame({"town": [None, "Kiel"]}), ["a", "b"]),
    "no level at all": (TOWN, pd.DataFrame({"town": [NAN, NAN]}), ["a", "a"]),
    "levels in another order": (
        TOWN,
        pd.DataFrame(
            {"town": pd.Categorical(["Ulm", "Bonn"], ["Ulm", "Kiel", "Bonn"])}
        ),
        ["b", "a"],
    ),
    "text of NumPy": (TOWN, np.array([["Ulm"], ["Bonn"]]), ["b", "a"]),
    "a new code": (CODE, [[2, 6], [9, 6], [0.5, 6]], ["b", "a", "a"]),
    "one row": (PLAIN, ROWS[1:2], ["b"]),
}


@pytest.mark.parametrize("what", ANSWERED)
def test_odd_rows_are_answered(what):
    model, X, answers = ANSWERED[what]
    assert model.predict(X).tolist() == answers
    leaf = model.apply(X)
    shares = model.predict_proba(X)
    assert model.classes_[shares.argmax(axis=1)].tolist() == answers
    assert model.decision_path(X)[np.arange(len(leaf)), leaf].all()


def test_float64_rows_are_not_cast_for_a_model_of_float32():
    X = np.array([[1], [1 + 2**-22]], dtype="f4")
    model = GreedyTreeClassifier().fit(X, [0, 1])
    cut = model.tree_.threshold[0]
    above = np.nextafter(cut, 2)
    assert np.float32(above) <= cut < above  # a cast would turn it to the left
    assert model.predict([[cut], [above]]).tolist() == [0, 1]
    assert model.predict(X.astype("f8")).tolist() == [0, 1]
    assert model.predict(X).tolist() == [0, 1]


def test_float32_rows_for_a_model_of_float64():
    model = GreedyTreeClassifier().fit([[1.0], [1 + 1e-12]], [0, 1])
    X = np.array([[1], [1 + 2**-23]], dtype="f4")
    assert model.predict(X).tolist() == [0, 1]


def test_regressor_and_sparse_rows_agree():
    for form in (sparse.csr_array, sparse.csc_array, sparse.coo_array):
        np.testing.assert_array_equal(REGRESSOR.predict(form(ROWS)), NUMBERS)
