"""Jobs in; models with the answers they give out."""

from __future__ import annotations

import numpy as np
import pytest
from curves import drawn, small_tree
from sklearn.linear_model import LogisticRegression

from tanoak._answerers import Wanted
from tanoak._path_costs import matrix_of
from tanoak._path_fits import (
    ALL_ROWS,
    Job,
    Learner,
    add_rates,
    fit_parts,
    relabeled,
    takes_costs,
)
from tanoak._path_rows import PathRows, stratified_folds
from tanoak._table import read_table
from tanoak.exceptions import ParameterError

X, Y = drawn(0)
BASE = 1 - np.eye(2)


def rows_of(X):
    """Put the drawn rows in three folds."""
    return PathRows(X, Y, Y, Wanted((0, 1), 1), None, stratified_folds(Y, 3, 0))


def job(ratio, fold):
    """Ask for a fit."""
    return Job(ratio, matrix_of(ratio, (0, 1), 1, BASE), fold)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_folds_are_counted_on_rows_not_seen(n_jobs):
    rows = rows_of(read_table(X))
    jobs = [job(0.5, fold) for fold in (ALL_ROWS, 0, 1, 2)]
    whole, *folds = fit_parts(
        rows, Learner(small_tree()), jobs, n_jobs=n_jobs, checkpoint=None
    )
    tree = small_tree(cost={0: 0.5, 1: 1}).fit(X, Y).tree_
    assert whole.model.label.tolist() == tree.label.tolist()
    assert whole.rates.source == "on the training rows"
    for part, fold in zip(folds, rows.folds, strict=True):
        model = small_tree(cost={0: 0.5, 1: 1}).fit(X[fold.seen], Y[fold.seen])
        hits = (model.predict(X[fold.left_out]) == 1) & (Y[fold.left_out] == 1)
        assert part.rates.tp[0] == hits.sum()
    total = add_rates([part.rates for part in folds])
    assert total.n_positive + total.n_negative == len(Y)


def test_a_learner_without_costs_gets_weights():
    learner = Learner(LogisticRegression())
    assert not takes_costs(learner.estimator)
    (part,) = fit_parts(
        rows_of(X), learner, [job(0.25, ALL_ROWS)], n_jobs=None, checkpoint=None
    )
    weight = np.where(Y == 1, 1.0, 0.25)
    theirs = LogisticRegression().fit(X, Y, sample_weight=weight)
    assert np.array_equal(part.model.coef_, theirs.coef_)
    with pytest.raises(ParameterError, match="labelings=True is about trees"):
        relabeled(part, rows_of(X), job(2.0, ALL_ROWS))


def test_other_labels_on_the_same_splits():
    rows = rows_of(read_table(X))
    (part,) = fit_parts(
        rows, Learner(small_tree()), [job(1.0, 0)], n_jobs=None, checkpoint=None
    )
    other = relabeled(part, rows, job(0.05, 0))
    assert np.array_equal(other.model.threshold, part.model.threshold)
    assert other.rates.tp[0] > part.rates.tp[0]
    assert other.rates.n_positive == part.rates.n_positive
