"""Weights nobody can mean in; messages out, or the tree that plain ones give."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest
from refusals import NUMBERS, ROWS, TEXTS, check_refused, no_number
from scipy import sparse

from tanoak import CostError, GreedyTreeClassifier, GreedyTreeRegressor

NAN, INF = np.nan, np.inf


def weight_of(row, value):
    """Say which weight is none."""
    return (
        f"sample_weight[{row}] is {value}: weights are finite and not negative; use 0 "
        "to leave a row out"
    )


def weights_shaped(shape):
    """Say which shape the weights have."""
    return (
        f"sample_weight has shape {shape}, but there are 4 rows: give one number for "
        "each row"
    )


SUM = "the weights may not all be zero, and their sum must be finite"
WEIGHTS = {
    "negative": ([1, -1, 1, 1], weight_of(1, -1)),
    "minus infinity": ([1, 1, -INF, 1], weight_of(2, "-inf")),
    "NaN": ([1, 1, 1, NAN], weight_of(3, "nan")),
    "infinity": ([INF, 1, 1, 1], weight_of(0, "inf")),
    "an infinite integer": ([1, 10**400, 1, 1], weight_of(1, "inf")),
    "None inside": ([1, None, 1, 1], weight_of(1, "nan")),
    "a gap in Int64": (pd.Series([1, 2, None, 1], dtype="Int64"), weight_of(2, "nan")),
    "a null of polars": (pl.Series([1, None, 1, 2]), weight_of(1, "nan")),
    "a masked one": (np.ma.masked_array(NUMBERS, [0, 1, 0, 0]), weight_of(1, "nan")),
    "all zero": ([0, 0, 0, 0], f"sample_weight sums to 0: {SUM}"),
    "an infinite sum": ([1e308] * 4, f"sample_weight sums to inf: {SUM}"),
    "too wide a range": (
        [1, 1e16, 1, 0],
        "sample_weight ranges from 1 to 1e+16: beside the largest the smallest is "
        "lost; keep the ratio under 1e+15",
    ),
    "the widest range": (
        [5e-324, 1e308, 1, 0],
        "sample_weight ranges from 4.94066e-324 to 1e+308: beside the largest the "
        "smallest is lost; keep the ratio under 1e+15",
    ),
    "too few": ([1, 1, 1], weights_shaped((3,))),
    "too many": ([1] * 5, weights_shaped((5,))),
    "none": ([], weights_shaped((0,))),
    "one number": (2, weights_shaped(())),
    "a column": (np.ones((4, 1)), weights_shaped((4, 1))),
    "a frame": (pd.DataFrame({"w": NUMBERS}), weights_shaped((4, 1))),
    "a square": (np.ones((4, 4)), weights_shaped((4, 4))),
    "ragged": (
        [[1], [1, 2], 1, 1],
        "sample_weight has rows of different lengths: give every row as many numbers",
    ),
    "sparse": (
        sparse.csr_array([[1], [2], [1], [2]]),
        "sample_weight is a sparse matrix: pass sample_weight.toarray()",
    ),
    "text": ("abcd", no_number("sample_weight", "'abcd'")),
    "numbers as text": ([1, "2", 3, 4], no_number("sample_weight[1]", "'2'")),
    "bools": ([True, False] * 2, no_number("sample_weight[0]", "True")),
    "complex": (np.ones(4, dtype="c16"), no_number("sample_weight[0]", "(1+0j)")),
    "dates": ([1, 1, date(2020, 1, 1), 1], no_number("sample_weight[2]", "...")),
    "a dict": ({"a": 1}, no_number("sample_weight", "{'a': 1}")),
    "a function": (len, no_number("sample_weight", "<built-in function len>")),
}


@pytest.mark.parametrize("model", [GreedyTreeClassifier, GreedyTreeRegressor])
@pytest.mark.parametrize("what", WEIGHTS)
def test_weights_are_refused(what, model):
    weight, message = WEIGHTS[what]
    y = TEXTS if model is GreedyTreeClassifier else NUMBERS
    call = lambda: model().fit(ROWS, y, sample_weight=weight)  # noqa: E731 as all tables here
    check_refused(call, message, CostError)


MANY = np.random.default_rng(5).integers(0, 6, (60, 3)).astype(float)
LABELS = np.random.default_rng(6).integers(0, 3, 60)
COST = np.array([[0, 5, 1], [2, 0, 2], [1, 9, 0]])
EVEN = np.random.default_rng(7).integers(1, 4, 60).astype(float)


@pytest.mark.parametrize("scale", [5e-324, 1e-320, 2e-300, 1e-90, 3e99, 1e290, 5e305])
@pytest.mark.parametrize("cost", [1e-98, 1.0, 1e98])
def test_the_scale_of_weights_and_costs_changes_no_answer(scale, cost):
    model = GreedyTreeClassifier(cost=COST, max_depth=4).fit(
        MANY, LABELS, sample_weight=EVEN
    )
    other = GreedyTreeClassifier(cost=COST * cost, max_depth=4).fit(
        MANY, LABELS, sample_weight=EVEN * scale
    )
    np.testing.assert_array_equal(other.tree_.threshold, model.tree_.threshold)
    np.testing.assert_array_equal(other.tree_.counts, model.tree_.counts)
    np.testing.assert_array_equal(other.predict(MANY), model.predict(MANY))
    np.testing.assert_allclose(other.predict_proba(MANY), model.predict_proba(MANY))


@pytest.mark.parametrize("scale", [5e-324, 1e-300, 1e300])
@pytest.mark.parametrize("size", [1e-100, 1.0, 1e98])
def test_the_scale_of_weights_and_numbers_changes_no_cut(scale, size):
    model = GreedyTreeRegressor(max_depth=4).fit(MANY, LABELS, sample_weight=EVEN)
    other = GreedyTreeRegressor(max_depth=4).fit(
        MANY, LABELS * size, sample_weight=EVEN * scale
    )
    np.testing.assert_array_equal(other.tree_.threshold, model.tree_.threshold)
    np.testing.assert_allclose(other.predict(MANY), model.predict(MANY) * size)


ODD_WEIGHTS = {
    "float16": np.array([1, 2, 1, 3], dtype="f2"),
    "big-endian": np.array([1, 2, 1, 3], dtype=">f8"),
    "long doubles": np.array([1, 2, 1, 3], dtype="g"),
    "integers": [1, 2, 1, 3],
    "objects": np.array([1, 2.0, Decimal(1), np.int8(3)], dtype=object),
    "reversed": np.array([3.0, 1.0, 2.0, 1.0])[::-1],
    "a Series": pd.Series([1, 2, 1, 3], index=[7, 7, 7, 7]),
    "polars": pl.Series([1, 2, 1, 3]),
}


@pytest.mark.parametrize("what", ODD_WEIGHTS)
def test_odd_weights(what):
    model = GreedyTreeClassifier().fit(ROWS, TEXTS, sample_weight=ODD_WEIGHTS[what])
    assert model.tree_.masses[0].tolist() == [2.0, 5.0]


def test_a_zero_of_either_sign_leaves_a_row_out():
    model = GreedyTreeClassifier().fit(ROWS, TEXTS, sample_weight=[-0.0, 1, 1, 0.0])
    assert model.tree_.counts[0].tolist() == [1, 1]
