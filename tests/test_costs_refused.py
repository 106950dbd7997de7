"""Costs that contradict themselves or the data in; one clear sentence out."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from tanoak.costs import CostMatrix
from tanoak.exceptions import CostError

NAN, INF = float("nan"), float("inf")
CLASSES = ("a", "b", "c")
ARRAY = np.array([[0.0, 1.0, 2.0], [3.0, 0.0, 4.0], [5.0, 6.0, 0.0]])
NESTED = {"a": {"b": 1, "c": 2}, "b": {"a": 3, "c": 4}, "c": {"a": 5, "b": 6}}
FRAME = pd.DataFrame(ARRAY, index=CLASSES, columns=CLASSES)
CHANGES_NOTHING = "the same number, which changes no answer"
ADD = (
    "costs are not negative; add the same number to the whole row, "
    "which changes no answer"
)
WANTED = (
    "give a 3 x 3 array for the classes 'a', 'b', 'c', rows true and columns predicted"
)
BY_CLASS = ", or {class: cost of mistaking a row of that class}"
SWAPPED = (
    "are rows and columns swapped? Rows are the true classes, "
    "columns the predicted ones"
)
NOT_SWAPPED = (
    "if they are not, lower the diagonal: "
    "a right answer may not cost more than a mistake"
)
NO_NUMBER = "which is not a number: give one such as 1 or 0.5"
NONE_OF = "which is none of the classes 'a', 'b', 'c'"
ADD_IT = "add it; the classes are 'a', 'b', 'c'"


def with_cell(row, column, value, array=ARRAY):
    """Change one cell of an array."""
    changed = array.astype(object)
    changed[row, column] = value
    return changed


BAD_COSTS = [
    (with_cell(1, 0, -3), f"the cost of calling a 'b' row 'a' is -3: {ADD}"),
    (
        with_cell(0, 2, NAN),
        "the cost of calling a 'a' row 'c' is missing (nan): give a number, 0 or more",
    ),
    (
        with_cell(0, 2, None),
        "the cost of calling a 'a' row 'c' is missing (nan): give a number, 0 or more",
    ),
    (
        with_cell(1, 2, INF),
        "the cost of calling a 'b' row 'c' is inf: costs are finite; a large one does"
        " the same",
    ),
    (
        with_cell(1, 2, -INF),
        "the cost of calling a 'b' row 'c' is -inf: costs are finite; a large one "
        "does the same",
    ),
    (
        with_cell(1, 2, 1e200),
        "the cost of calling a 'b' row 'c' is 1e+200: costs go up to 1e+100; divide "
        f"all of them by {CHANGES_NOTHING}",
    ),
    (
        ARRAY * 1e-200,
        "the largest cost is 6e-200: costs must reach 1e-100; multiply all of them by"
        f" {CHANGES_NOTHING}",
    ),
    (
        NESTED | {"b": {"a": 3, "c": -4}},
        f"the cost of calling a 'b' row 'c' is -4: {ADD}",
    ),
    ({"a": 1, "b": -2, "c": 3}, f"the cost of calling a 'b' row 'a' is -2: {ADD}"),
    (
        FRAME.mask(FRAME == 4),
        "the cost of calling a 'b' row 'c' is missing (nan): give a number, 0 or more",
    ),
    (
        with_cell(0, 0, 5),
        f"calling a 'a' row 'a' costs 5, more than calling it 'b' (1): {SWAPPED}; "
        f"{NOT_SWAPPED}",
    ),
    (
        [[2, 9, 1], [7, 0, 4], [5, 6, 0]],
        f"calling a 'a' row 'a' costs 2, more than calling it 'c' (1): {SWAPPED}; the "
        "transpose (values.T) would be accepted",
    ),
    (
        np.zeros((3, 3)),
        "the costs favour no answer, all are 0: let a mistake cost more than the "
        "right answer",
    ),
    (
        {"a": 0, "b": 0, "c": 0},
        "the costs favour no answer, all are 0: let a mistake cost more than the "
        "right answer",
    ),
    (
        np.ones((3, 3)) * [[1], [2], [3]],
        "the costs favour no answer, those of a row are all the same: let a mistake "
        "cost more than the right answer",
    ),
    (
        ARRAY[:2],
        f"cost has shape (2, 3): {WANTED}; costs of single rows go to row_costs=",
    ),
    (ARRAY[:2, :2], f"cost has shape (2, 2): {WANTED}"),
    (
        np.ones((7, 3)),
        f"cost has shape (7, 3): {WANTED}; costs of single rows go to row_costs=",
    ),
    (np.ones((3, 3, 3)), f"cost has shape (3, 3, 3): {WANTED}"),
    ([1, 2, 3], f"cost is a list of 3 numbers without names: {WANTED}{BY_CLASS}"),
    ([], f"cost is a list of 0 numbers without names: {WANTED}{BY_CLASS}"),
    (5, f"cost is the single number 5: {WANTED}{BY_CLASS}"),
    (
        [[0, 1, 2], [3, 0], [5, 6, 0]],
        "cost has rows of different lengths: give every row as many numbers",
    ),
    (sparse.csr_array(ARRAY), "cost is a sparse matrix: pass cost.toarray()"),
    ([[0, 1, "2"], [3, 0, 4], [5, 6, 0]], f"cost[0, 2] is '2', {NO_NUMBER}"),
    (ARRAY > 0, f"cost[0, 0] is False, {NO_NUMBER}"),
    (ARRAY * 1j, f"cost[0, 0] is 0j, {NO_NUMBER}"),
    (ARRAY.astype("M8[D]"), f"cost[0, 0] is datetime.date(1970, 1, 1), {NO_NUMBER}"),
    (
        "ballanced",
        "cost is the text 'ballanced': the only word allowed is 'balanced'; did you "
        "mean 'balanced'?",
    ),
    ("gini", "cost is the text 'gini': the only word allowed is 'balanced'"),
    (
        "balanced",
        "cost='balanced' needs the rows of every class counted: give class_counts",
    ),
    (NESTED | {"bb": {"a": 1}}, f"cost names 'bb', {NONE_OF}; did you mean 'b'?"),
    (
        NESTED | {"b": {"a": 3, "C": 4}},
        f"cost['b'] names 'C', {NONE_OF}: rename or drop it",
    ),
    (
        {"a": {"b": 1, "c": 2}, "b": {"a": 3, "c": 4}},
        f"cost does not name class 'c': {ADD_IT}",
    ),
    (
        NESTED | {"b": {"a": 3}},
        "cost['b'] does not say what calling a 'b' row 'c' costs: add it, 0 if it "
        "costs nothing",
    ),
    ({"a": 1, "b": 2}, f"cost does not name class 'c': {ADD_IT}"),
    ({}, f"cost does not name class 'a': {ADD_IT}"),
    (
        NESTED | {"b": 3},
        "cost['b'] is 3 while other classes have a dict: write {class: cost} or "
        "{true: {predicted: cost}}",
    ),
    (
        {("a", "b"): 3},
        f"cost names ('a', 'b'), {NONE_OF}; for single cells write "
        "{true: {predicted: cost}}",
    ),
    ({"a": 1, "b": [1, 2], "c": 3}, "cost['b'] is [1, 2]: give one number"),
    ({"a": 1, "b": "x", "c": 3}, f"cost['b'] is 'x', {NO_NUMBER}"),
    ({"a": 1, "b": True, "c": 3}, f"cost['b'] is True, {NO_NUMBER}"),
    (NESTED | {"b": {"a": 3, "c": "4"}}, f"cost['b']['c'] is '4', {NO_NUMBER}"),
    (
        FRAME.rename(index={"c": "cc"}),
        f"the index of cost names 'cc', {NONE_OF}; did you mean 'c'?",
    ),
    (FRAME[["a", "b"]], f"the header of cost does not name class 'c': {ADD_IT}"),
    (
        FRAME.rename(columns={"b": "a"}),
        "the header of cost has 'a' twice: every class once",
    ),
    (
        FRAME.rename(index={"b": "a"}),
        "the index of cost names class 'a' twice: keep one of the two",
    ),
    (FRAME.astype(object).replace(4, "x"), f"cost['c'][1] is 'x', {NO_NUMBER}"),
    (
        FRAME.set_index(np.arange(3)),
        f"the index of cost names 0, {NONE_OF}: rename or drop it",
    ),
    (
        pl.DataFrame(dict(zip(CLASSES, ARRAY, strict=True))),
        "cost is a data frame without row labels: its first column must name the true"
        " classes, the others the predicted ones 'a', 'b', 'c'",
    ),
    (pl.DataFrame({"a": [1]}).lazy(), "cost is a lazy frame: pass cost.collect()"),
    (
        pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"]),
        "the header of cost has 'a' twice: every class once",
    ),
    (
        CostMatrix(ARRAY, ["a", "b", "x"]),
        f"cost names 'x', {NONE_OF}: rename or drop it",
    ),
    (CostMatrix(ARRAY[:2, :2], ["a", "b"]), f"cost does not name class 'c': {ADD_IT}"),
]


@pytest.mark.parametrize(("cost", "message"), BAD_COSTS)
def test_costs_refused(cost, message):
    with pytest.raises(CostError, match=f"^{re.escape(message)}$"):
        CostMatrix.from_any(cost, CLASSES)
