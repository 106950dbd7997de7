"""`cv` of every form in; rows to grow on and to hold out, or a clear sentence."""

from __future__ import annotations

import numpy as np
import pytest
from growing import make_table
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import GroupKFold, StratifiedKFold, TimeSeriesSplit

from tanoak import GreedyTreeClassifier
from tanoak._held_out import Rows
from tanoak.estimators._splits import read_splits
from tanoak.exceptions import ParameterError


def some_rows(n_rows=12, weight=None):
    """Rows of two classes."""
    table = make_table(np.arange(float(n_rows))[:, None])
    return Rows(table=table, target=np.arange(n_rows) % 2, sample_weight=weight)


def test_a_number_of_folds_holds_each_row_out_once():
    splits = read_splits(3, some_rows(), 0)
    assert sorted(np.concatenate([test for _, test in splits])) == list(range(12))
    for train, test in splits:
        assert sorted([*train, *test]) == list(range(12))


def test_rows_of_weight_0_are_in_no_part():
    weight = np.array([1.0, 0.0] * 6)
    for cv in (3, StratifiedKFold(3), [(np.arange(6), np.arange(6, 12))]):
        for train, test in read_splits(cv, some_rows(weight=weight), 0):
            assert not np.isin([*train, *test], [1, 3, 5, 7, 9, 11]).any()


def test_splitters_lists_and_masks_say_the_same():
    rows = some_rows()
    splitter = StratifiedKFold(3)
    listed = list(splitter.split(np.zeros(12), rows.target))
    masks = [tuple(np.isin(np.arange(12), part) for part in pair) for pair in listed]
    expected = [(a.tolist(), b.tolist()) for a, b in listed]
    for cv in (splitter, listed, iter(listed), masks):
        found = [(a.tolist(), b.tolist()) for a, b in read_splits(cv, rows, 0)]
        assert found == expected


def test_groups_and_time_through_the_estimator():
    X, y = load_breast_cancer(return_X_y=True)
    groups = np.arange(len(y)) // 50
    by_group = list(GroupKFold(4).split(X, y, groups))
    model = GreedyTreeClassifier(prune="cv", cv=by_group).fit(X, y)
    assert 1 < model.get_n_leaves() < 20
    model = GreedyTreeClassifier(prune="cv_1se", cv=TimeSeriesSplit(4)).fit(X, y)
    assert 1 < model.get_n_leaves() < 20


@pytest.mark.parametrize(
    ("cv", "message"),
    [
        ("ten", "cv must be an integer >= 2, a scikit-learn splitter or a list"),
        ([([0, 1], [1, 2])], "cv has row 1 in both parts of a pair"),
        ([([0], [1, 2]), ([0], [2])], "cv tests row 2 more than once"),
        ([([0], [99])], "cv names row 99: X has the rows 0 to 5"),
        ([([0.5], [1])], "cv holds .*: give pairs"),
        ([3, 4], "cv cannot split these rows .*: give pairs"),
        (StratifiedKFold(5), "cv cannot split these rows .*n_splits=5"),
    ],
)
def test_what_cannot_be_used(cv, message):
    model = GreedyTreeClassifier(prune="cv", cv=cv)
    with pytest.raises(ParameterError, match=message):
        model.fit(np.arange(6.0)[:, None], [0, 1, 0, 1, 0, 1])
