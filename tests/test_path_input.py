"""What a user gives in; checked rows or one clear sentence out."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from curves import small_tree
from sklearn.linear_model import LogisticRegression

from tanoak._path_input import read_rows, with_folds
from tanoak._table import Table
from tanoak.exceptions import ParameterError, TableError

X = np.arange(8.0)[:, None]
Y = ["no", "yes"] * 4


def read(X=X, y=Y, estimator=None, **more):
    """Read with defaults."""
    given = {"positive": None, "sample_weight": None, **more}
    return read_rows(estimator or small_tree(), X, y, **given)


def test_trees_get_a_table_and_others_what_was_given():
    rows = read()
    assert isinstance(rows.X, Table)
    assert rows.classes == ("no", "yes")
    assert rows.positive == 1
    assert rows.labels.tolist() == Y
    assert read(positive="no").positive == 0
    assert read(estimator=LogisticRegression()).X is X


@pytest.mark.parametrize(
    "y",
    [
        np.array([0, 1] * 4),
        np.array([False, True] * 4),
        pd.Series([1.5, 2.5] * 4),
        [np.int64(3), np.int64(4)] * 4,
    ],
)
def test_labels_of_every_kind(y):
    rows = read(y=y)
    assert rows.codes.tolist() == [0, 1] * 4
    assert rows.labels.tolist() == list(y)


@pytest.mark.parametrize(
    ("more", "error", "message"),
    [
        ({"y": Y[:5]}, TableError, r"y has shape \(5,\) for 8 rows of X"),
        ({"y": ["no"] * 8}, TableError, "y holds one class only, 'no'"),
        ({"y": [0.0, np.nan] * 4}, TableError, "y is missing in row 1"),
        ({"y": [None, "a"] * 4}, TableError, "y holds None in row 0"),
        ({"y": [1, "a"] * 4}, TableError, "y mixes text and numbers"),
        ({"y": [0, 1, 2, 0] * 2}, ParameterError, "which of the classes|say which of"),
        ({"positive": "maybe"}, ParameterError, "positive is 'maybe': give one of"),
        ({"sample_weight": [-1.0] * 8}, ValueError, "weight"),
    ],
)
def test_what_cannot_be_used_is_refused(more, error, message):
    with pytest.raises(error, match=message):
        read(**more)


def test_folds_are_dealt_or_taken():
    assert with_folds(read(), None, 0).folds == ()
    assert len(with_folds(read(), 3, 0).folds) == 3
    (fold,) = with_folds(read(), [([0, 1, 2], [3, 4])], 0).folds
    assert fold.left_out.tolist() == [3, 4]
    with pytest.raises(ParameterError, match="cv must be None or an integer >= 2"):
        with_folds(read(), 1, 0)
    with pytest.raises(ParameterError, match="random_state must be an integer >= 0"):
        with_folds(read(), 3, -1)
