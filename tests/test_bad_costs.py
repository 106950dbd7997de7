"""Costs and priors nobody can mean in; messages out."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from refusals import ROWS, TEXTS, check_refused, no_number
from scipy import sparse

from tanoak import CostError, CostMatrix, GreedyTreeClassifier

NAN, INF = np.nan, np.inf

ARRAY = "a 2 x 2 array for the classes 'a', 'b', rows true and columns predicted"
BY_CLASS = "{class: cost of mistaking a row of that class}"
NAMES = "which is none of the classes 'a', 'b'"
SWAPPED = (
    "are rows and columns swapped? Rows are the true classes, columns the predicted "
    "ones; "
)
LOWER = (
    "if they are not, lower the diagonal: a right answer may not cost more than a "
    "mistake"
)
HARMLESS = "which changes no answer"
A_AS_B = "the cost of calling a 'a' row 'b'"

COSTS = {
    "negative": (
        [[0, -1], [1, 0]],
        f"{A_AS_B} is -1: costs are not negative; add the same number to the whole "
        f"row, {HARMLESS}",
    ),
    "NaN": ([[0, NAN], [1, 0]], f"{A_AS_B} is missing (nan): give a number, 0 or more"),
    "None": (
        [[0, None], [1, 0]],
        f"{A_AS_B} is missing (nan): give a number, 0 or more",
    ),
    "infinity": (
        [[0, INF], [1, 0]],
        f"{A_AS_B} is inf: costs are finite; a large one does the same",
    ),
    "huge": (
        {"a": 1e101, "b": 1},
        f"{A_AS_B} is 1e+101: costs go up to 1e+100; divide all of them by the same "
        f"number, {HARMLESS}",
    ),
    "tiny": (
        {"a": 1e-101, "b": 0},
        "the largest cost is 1e-101: costs must reach 1e-100; multiply all of them by "
        f"the same number, {HARMLESS}",
    ),
    "nothing at stake": (
        np.zeros((2, 2)),
        "the costs favour no answer, all are 0: let a mistake cost more than the right "
        "answer",
    ),
    "rows for columns": (
        [[1, 0], [2, 0]],
        f"calling a 'a' row 'a' costs 1, more than calling it 'b' (0): {SWAPPED}"
        "the transpose (values.T) would be accepted",
    ),
    "the wrong diagonal": (
        [[5, 0], [0, 5]],
        f"calling a 'a' row 'a' costs 5, more than calling it 'b' (0): {SWAPPED}"
        f"{LOWER}",
    ),
    "three classes": (np.ones((3, 3)), f"cost has shape (3, 3): give {ARRAY}"),
    "not square": (np.ones((2, 3)), f"cost has shape (2, 3): give {ARRAY}"),
    "by row": (
        np.ones((4, 2)),
        f"cost has shape (4, 2): give {ARRAY}; costs of single rows go to row_costs=",
    ),
    "a list": (
        [1, 2],
        f"cost is a list of 2 numbers without names: give {ARRAY}, or {BY_CLASS}",
    ),
    "a number": (5, f"cost is the single number 5: give {ARRAY}, or {BY_CLASS}"),
    "ragged": (
        [[0, 1], [1]],
        "cost has rows of different lengths: give every row as many numbers",
    ),
    "a misspelt word": (
        "ballanced",
        "cost is the text 'ballanced': the only word allowed is 'balanced'; did you "
        "mean 'balanced'?",
    ),
    "an unknown class": (
        {"a": 1, "c": 2},
        f"cost names 'c', {NAMES}: rename or drop it",
    ),
    "an unknown answer": (
        {"a": {"b": 1}, "b": {"A": 1}},
        f"cost['b'] names 'A', {NAMES}...",
    ),
    "a class left out": (
        {"a": 1},
        "cost does not name class 'b': add it; the classes are 'a', 'b'",
    ),
    "no class": ({}, "cost does not name class 'a': add it; the classes are 'a', 'b'"),
    "cells by pairs": (
        {("a", "b"): 1},
        f"cost names ('a', 'b'), {NAMES}; for single cells write "
        "{true: {predicted: cost}}",
    ),
    "both forms": (
        {"a": {"b": 1}, "b": 1},
        "cost['b'] is 1 while other classes have a dict: write {class: cost} or "
        "{true: {predicted: cost}}",
    ),
    "text for a cost": ({"a": "x", "b": 1}, no_number("cost['a']", "'x'")),
    "bools": ([[False, True], [True, False]], no_number("cost[0, 0]", "False")),
    "complex": (np.array([[0, 1j], [1, 0]]), no_number("cost[0, 0]", "0j")),
    "an object": (len, no_number("cost", "<built-in function len>")),
    "a frame": (
        pd.DataFrame([[0, 1], [2, 0]], index=["a", "b"], columns=["a", "c"]),
        f"the header of cost names 'c', {NAMES}: rename or drop it",
    ),
    "other classes": (
        CostMatrix(1 - np.eye(3), ["a", "b", "c"]),
        f"cost names 'c', {NAMES}: rename or drop it",
    ),
}


def prior_of(value):
    """Say which prior is none."""
    return f"the prior of class 'a' is {value}: priors are shares between 0 and 1"


EACH_SHARE = "give {class: share} or one share for each of the classes 'a', 'b'"
PRIORS = {
    "negative": ({"a": -1, "b": 2}, prior_of(-1)),
    "NaN": ([NAN, 1], prior_of("nan")),
    "infinity": ([INF, 1], prior_of("inf")),
    "not 1 in all": (
        {"a": 0.5, "b": 0.6},
        "priors sum to 1.1, not to 1: divide each of them by their sum",
    ),
    "a class left out": (
        {"a": 1},
        "priors does not name class 'b': add it; the classes are 'a', 'b'",
    ),
    "an unknown class": (
        {"a": 0.5, "b": 0.4, "c": 0.1},
        f"priors names 'c', {NAMES}: rename or drop it",
    ),
    "too few": ([1.0], f"priors has shape (1,): {EACH_SHARE}"),
    "a number": (0.5, f"priors has shape (): {EACH_SHARE}"),
    "a table": ([[0.5, 0.5]], f"priors has shape (1, 2): {EACH_SHARE}"),
    "a word": ("equal", "priors is the text 'equal': write {class: share}"),
    "text": (["a", "b"], no_number("priors[0]", "'a'")),
}

BY_ROW = np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])


def with_cost(value):
    """Return costs per row with another one."""
    costs = BY_ROW.copy()
    costs[2, 1] = value
    return costs


def rows_shaped(shape):
    """Say which shape the costs per row have."""
    return (
        f"row_costs has shape {shape}, but there are 4 rows and the 2 classes 'a', "
        "'b': give one cost for each row and each answer"
    )


B_ON_2 = "in row_costs the cost of answering 'b' on row 2"
ROW_COSTS = {
    "too few": (BY_ROW[:3], rows_shaped((3, 2))),
    "transposed": (BY_ROW.T, rows_shaped((2, 4)) + ", the transpose of this"),
    "one for each row": ([1, 2, 3, 4], rows_shaped((4,))),
    "a class too many": (np.ones((4, 3)), rows_shaped((4, 3))),
    "a number": (1, rows_shaped(())),
    "NaN": (with_cost(NAN), f"{B_ON_2} is missing (nan): give a number, 0 or more"),
    "infinity": (
        with_cost(INF),
        f"{B_ON_2} is inf: costs are finite; a large one does the same",
    ),
    "negative": (
        with_cost(-1),
        f"{B_ON_2} is -1: costs are not negative; add the same number to the whole "
        f"row, {HARMLESS}",
    ),
    "nothing at stake": (
        np.ones((4, 2)),
        "row_costs favours no answer, on every row all cost the same: let wrong "
        "answers cost more",
    ),
    "text": (BY_ROW.astype(str), no_number("row_costs[0, 0]", "'0.0'")),
    "sparse": (
        sparse.csr_array(BY_ROW),
        "row_costs is a sparse matrix: pass row_costs.toarray()",
    ),
    "other names": (
        pd.DataFrame(BY_ROW, columns=["a", "c"]),
        f"the header of row_costs names 'c', {NAMES}: rename or drop it",
    ),
}
CALLS = {
    "cost": lambda cost: GreedyTreeClassifier(cost=cost).fit(ROWS, TEXTS),
    "priors": lambda priors: GreedyTreeClassifier(priors=priors).fit(ROWS, TEXTS),
    "row_costs": lambda costs: GreedyTreeClassifier().fit(ROWS, TEXTS, row_costs=costs),
}
TABLES = {"cost": COSTS, "priors": PRIORS, "row_costs": ROW_COSTS}


@pytest.mark.parametrize(
    ("kind", "what"), [(kind, what) for kind in TABLES for what in TABLES[kind]]
)
def test_costs_are_refused(kind, what):
    value, message = TABLES[kind][what]
    check_refused(lambda: CALLS[kind](value), message, CostError)
