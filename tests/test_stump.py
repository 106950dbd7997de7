"""Rows in; every optimal stump out, against all of them, and the paper's theorems."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trees import QUICK

from tanoak.datasets import load_german_credit
from tanoak.exact import exact_stump_curve
from tanoak.exceptions import TableError

rows = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 5), st.booleans()),
    min_size=2,
    max_size=14,
).filter(lambda found: len({hit for *_, hit in found}) == 2)


def all_stumps(X, hit):
    """List (false alarms, misses) of every stump and both constants."""
    answers = [np.zeros(len(X), bool), np.ones(len(X), bool)]
    for column in X.T:
        for value in column:
            answers += [column <= value, column > value]
    return {(int((a & ~hit).sum()), int((~a & hit).sum())) for a in answers}


@QUICK
@given(rows)
def test_it_is_the_front_of_all_stumps(found):
    X = np.array([[a, b] for a, b, _ in found], dtype=float)
    hit = np.array([h for *_, h in found])
    curve = exact_stump_curve(X, hit)
    points = all_stumps(X, hit)
    front = {
        (fp, fn)
        for fp, fn in points
        if not any(a <= fp and b <= fn and (a, b) != (fp, fn) for a, b in points)
    }
    assert set(zip(curve.fp.tolist(), curve.fn.tolist(), strict=True)) == front
    for tree, fp, fn in zip(curve.models, curve.fp, curve.fn, strict=True):
        answer = tree.predict(X)
        assert ((answer & ~hit).sum(), (~answer & hit).sum()) == (fp, fn)


def test_real_rows_end_before_the_corners():
    # Rows of one class can be found without calling all of the other so.
    credit = load_german_credit()
    X = np.column_stack(
        [credit.columns[n] for n in ("duration_months", "credit_amount")]
    )
    curve = exact_stump_curve(X, credit.target, positive="bad")
    assert curve.fp[0] == 0
    assert curve.fn[0] < 300
    assert curve.fn[-1] == 0
    assert curve.fp[-1] < 700


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        ([["a"], ["b"]], [0, 1], "holds categories"),
        ([[1.0], [np.nan]], [0, 1], "column x0 has no value in row 1|has no value"),
        ([[1.0], [2.0], [3.0]], [0, 1, 2], "for two classes, y holds 3"),
    ],
)
def test_what_cannot_be_searched_is_refused(X, y, message):
    with pytest.raises(TableError, match=message):
        exact_stump_curve(X, y)
