"""Classes, priors, costs of rows that cannot be in; one clear sentence out."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from tanoak.costs import CostMatrix, resolve_costs
from tanoak.exceptions import CostError

NAN, INF = float("nan"), float("inf")
CLASSES = ("a", "b", "c")
ARRAY = np.array([[0.0, 1.0, 2.0], [3.0, 0.0, 4.0], [5.0, 6.0, 0.0]])
MATRIX = CostMatrix(ARRAY, CLASSES)
ROW_COSTS = np.array(
    [[0.0, 1.0, 2.0], [3.0, 0.0, 4.0], [5.0, 6.0, 0.0], [7.0, 8.0, 0.0]]
)
CHANGES_NOTHING = "the same number, which changes no answer"
ADD = (
    "costs are not negative; add the same number to the whole row, "
    "which changes no answer"
)
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
NO_LABEL = (
    "cannot be a class label: labels are text, whole or finite numbers, True or False"
)
COUNTS = "give a number of rows, 0 or more, for each of the classes 'a', 'b', 'c'"
ROW_SHAPE = (
    "but there are 4 rows and the 3 classes 'a', 'b', 'c': "
    "give one cost for each row and each answer"
)


def with_cell(row, column, value, array=ARRAY):
    """Change one cell of an array."""
    changed = array.astype(object)
    changed[row, column] = value
    return changed


BAD_TRAINING = [
    (
        {"priors": {"a": -0.1, "b": 0.6, "c": 0.5}},
        "the prior of class 'a' is -0.1: priors are shares between 0 and 1",
    ),
    (
        {"priors": [0.2, 0.3, 0.4]},
        "priors sum to 0.9, not to 1: divide each of them by their sum",
    ),
    ({"priors": {"a": 0.5, "b": 0.5}}, f"priors does not name class 'c': {ADD_IT}"),
    (
        {"priors": {"a": 0.5, "b": 0.2, "x": 0.3}},
        f"priors names 'x', {NONE_OF}: rename or drop it",
    ),
    (
        {"priors": [0.5, 0.5]},
        "priors has shape (2,): give {class: share} or one share for each of the "
        "classes 'a', 'b', 'c'",
    ),
    (
        {"priors": [0.5, 0.5, NAN]},
        "the prior of class 'c' is nan: priors are shares between 0 and 1",
    ),
    ({"priors": ["a", "b", "c"]}, f"priors[0] is 'a', {NO_NUMBER}"),
    ({"priors": "equal"}, "priors is the text 'equal': write {class: share}"),
    (
        {"y_codes": [0, 1, 1, 1], "priors": [0.5, 0.3, 0.2]},
        "class 'c' has the prior 0.2 but no training row of positive weight: give it "
        "the prior 0, or rows",
    ),
    ({"row_costs": ROW_COSTS[:, :2]}, f"row_costs has shape (4, 2), {ROW_SHAPE}"),
    (
        {"row_costs": ROW_COSTS.T},
        f"row_costs has shape (3, 4), {ROW_SHAPE}, the transpose of this",
    ),
    ({"row_costs": ROW_COSTS[:3]}, f"row_costs has shape (3, 3), {ROW_SHAPE}"),
    ({"row_costs": [1, 2, 3, 4]}, f"row_costs has shape (4,), {ROW_SHAPE}"),
    (
        {"row_costs": with_cell(2, 1, NAN, ROW_COSTS)},
        "in row_costs the cost of answering 'b' on row 2 is missing (nan): give a "
        "number, 0 or more",
    ),
    (
        {"row_costs": with_cell(2, 2, -1, ROW_COSTS)},
        f"in row_costs the cost of answering 'c' on row 2 is -1: {ADD}",
    ),
    (
        {"row_costs": with_cell(2, 1, INF, ROW_COSTS)},
        "in row_costs the cost of answering 'b' on row 2 is inf: costs are finite; a "
        "large one does the same",
    ),
    (
        {"row_costs": with_cell(2, 1, 1e300, ROW_COSTS)},
        "in row_costs the cost of answering 'b' on row 2 is 1e+300: costs go up to "
        f"1e+100; divide all of them by {CHANGES_NOTHING}",
    ),
    (
        {"row_costs": with_cell(2, 1, "x", ROW_COSTS)},
        f"row_costs[2, 1] is 'x', {NO_NUMBER}",
    ),
    (
        {"row_costs": np.ones((4, 3))},
        "row_costs favours no answer, on every row all cost the same: let wrong "
        "answers cost more",
    ),
    (
        {"row_costs": pd.DataFrame(ROW_COSTS, columns=["a", "b", "d"])},
        f"the header of row_costs names 'd', {NONE_OF}: rename or drop it",
    ),
    (
        {"row_costs": pl.DataFrame(ROW_COSTS[:, :2], schema=["a", "b"])},
        f"the header of row_costs does not name class 'c': {ADD_IT}",
    ),
    (
        {"row_costs": sparse.csr_array(ROW_COSTS)},
        "row_costs is a sparse matrix: pass row_costs.toarray()",
    ),
    (
        {"sample_weight": [1, -1, 1, 1]},
        "sample_weight[1] is -1: weights are finite and not negative; use 0 to leave "
        "a row out",
    ),
    (
        {"sample_weight": [1, NAN, 1, 1]},
        "sample_weight[1] is nan: weights are finite and not negative; use 0 to leave"
        " a row out",
    ),
    (
        {"sample_weight": [1, 1]},
        "sample_weight has shape (2,), but there are 4 rows: give one number for each"
        " row",
    ),
    (
        {"sample_weight": [0, 0, 0, 0]},
        "sample_weight sums to 0: the weights may not all be zero, and their sum must "
        "be finite",
    ),
    (
        {"y_codes": [0, 1, 3, 0]},
        "y_codes[2] is 3: give a whole number from 0 to 2 for each row",
    ),
    (
        {"y_codes": [0.0, 1.0, 2.0, 2.0]},
        "y_codes has shape (4,) and dtype float64: give a whole number from 0 to 2 "
        "for each row",
    ),
    (
        {"y_codes": []},
        "y_codes has shape (0,) and dtype float64: give a whole number from 0 to 2 "
        "for each row",
    ),
]


@pytest.mark.parametrize(("given", "message"), BAD_TRAINING)
def test_training_costs_refused(given, message):
    sound = {"cost": MATRIX, "y_codes": [0, 1, 2, 2], "classes": CLASSES}
    with pytest.raises(CostError, match=f"^{re.escape(message)}$"):
        resolve_costs(**sound | given)


BAD_CALLS = {
    "no class": (
        lambda: CostMatrix(np.empty((0, 0)), []),
        "costs need two or more classes, got 0: name all classes",
    ),
    "one class": (
        lambda: CostMatrix([[0]], ["a"]),
        "costs need two or more classes, got 1 ('a'): name all classes",
    ),
    "a class twice": (
        lambda: CostMatrix(ARRAY, ["a", "b", "a"]),
        "classes has 'a' twice: every class once",
    ),
    "equal labels": (
        lambda: CostMatrix(ARRAY, [0, 1, True]),
        "classes has True twice: every class once",
    ),
    "mixed labels": (
        lambda: CostMatrix(ARRAY, ["a", "b", 3]),
        "classes mix text and numbers ('a', 'b', 3): make all of them text or all of "
        "them numbers",
    ),
    "NaN as label": (lambda: CostMatrix(ARRAY, [1.0, 2.0, NAN]), f"nan {NO_LABEL}"),
    "None as label": (lambda: CostMatrix(ARRAY, ["a", "b", None]), f"None {NO_LABEL}"),
    "bytes as labels": (
        lambda: CostMatrix(ARRAY, [b"a", b"b", b"c"]),
        f"b'a' {NO_LABEL}",
    ),
    "text as classes": (
        lambda: CostMatrix(ARRAY, "abc"),
        "classes is the text 'abc': give a list of labels",
    ),
    "numbers as text": (
        lambda: CostMatrix.from_any({"1": 5, "2": 1}, [1, 2]),
        "cost names '1', which is none of the classes 1, 2; did you mean 1?",
    ),
    "diagonal of numbers": (
        lambda: CostMatrix([[5, 1], [2, 0]], [0, 1]),
        "calling a class 0 row class 0 costs 5, more than calling it class 1 (1): "
        f"{SWAPPED}; {NOT_SWAPPED}",
    ),
    "fewer classes": (
        lambda: CostMatrix.from_any(MATRIX, ["a", "b"]),
        "cost names 'c', which is none of the classes 'a', 'b': rename or drop it",
    ),
    "count below 0": (
        lambda: CostMatrix.from_any("balanced", CLASSES, [1, -1, 3]),
        f"class_counts is [1.0, -1.0, 3.0]: {COUNTS}",
    ),
    "too few counts": (
        lambda: CostMatrix.from_any("balanced", CLASSES, [1, 3]),
        f"class_counts is [1.0, 3.0]: {COUNTS}",
    ),
    "no rows": (
        lambda: CostMatrix.from_any("balanced", CLASSES, [0, 0, 0]),
        f"class_counts is [0.0, 0.0, 0.0]: {COUNTS}",
    ),
    "strange positive": (
        lambda: CostMatrix.binary(
            false_positive=1, false_negative=5, classes=["a", "b"], positive="c"
        ),
        "positive is 'c': give one of 'a', 'b'",
    ),
    "three for binary": (
        lambda: CostMatrix.binary(
            false_positive=1, false_negative=5, classes=CLASSES, positive="c"
        ),
        "binary costs need two classes, got 3 ('a', 'b', 'c'): for more of them write"
        " {true: {predicted: cost}}",
    ),
    "negative alarm": (
        lambda: CostMatrix.binary(
            false_positive=-1, false_negative=5, classes=["a", "b"], positive="b"
        ),
        f"the cost of calling a 'a' row 'b' is -1: {ADD}",
    ),
    "two numbers": (
        lambda: CostMatrix.binary(
            false_positive=1, false_negative=[5], classes=["a", "b"], positive="b"
        ),
        "false_negative is [5]: give one number",
    ),
    "shape of masses": (
        lambda: MATRIX.labels([1, 2, 3]),
        "masses has shape (3,): give one row of 3 numbers for each node, in the order"
        " 'a', 'b', 'c'",
    ),
    "too few masses": (
        lambda: MATRIX.answer_costs([[1, 2]]),
        "masses has shape (1, 2): give one row of 3 numbers for each node, in the "
        "order 'a', 'b', 'c'",
    ),
}


@pytest.mark.parametrize("what", BAD_CALLS)
def test_calls_refused(what):
    call, message = BAD_CALLS[what]
    with pytest.raises(CostError, match=f"^{re.escape(message)}$"):
        call()
