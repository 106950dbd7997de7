"""A learner and a grid in; the learner of least held-out cost out."""

from __future__ import annotations

import pytest
from curves import drawn, small_tree

from tanoak import GreedyTreeClassifier, cost_loss
from tanoak._answerers import Wanted
from tanoak._path_fits import Learner
from tanoak._path_rows import PathRows, stratified_folds
from tanoak._path_tune import tuned
from tanoak._table import read_table
from tanoak.costs import CostMatrix
from tanoak.exceptions import ParameterError

X, Y = drawn(0)
ROWS = PathRows(read_table(X), Y, Y, Wanted((0, 1), 1), None)
COST = CostMatrix([[0, 0.3], [1, 0]], [0, 1])


def test_the_least_held_out_cost_wins():
    grid = {"max_leaf_nodes": [2, 4, 8, 64], "min_samples_leaf": [1, 20]}
    found = tuned(Learner(GreedyTreeClassifier()), ROWS, COST, grid, seed=0, n_jobs=2)
    fold = stratified_folds(Y, 4, 1)[0]
    paid = {}
    for leaves in grid["max_leaf_nodes"]:
        for rows in grid["min_samples_leaf"]:
            model = GreedyTreeClassifier(
                max_leaf_nodes=leaves, min_samples_leaf=rows, cost=COST
            ).fit(X[fold.seen], Y[fold.seen])
            answers = model.predict(X[fold.left_out])
            loss = cost_loss(Y[fold.left_out], answers, cost=COST)
            paid[leaves, rows] = (round(loss, 12), model.get_n_leaves())
    chosen = found.estimator.max_leaf_nodes, found.estimator.min_samples_leaf
    assert paid[chosen] == min(paid.values())


def test_nothing_to_try_changes_nothing():
    learner = Learner(small_tree())
    for grid in (None, {}, "auto"):
        assert tuned(learner, ROWS, COST, grid, seed=0, n_jobs=None) is learner
    one = tuned(learner, ROWS, COST, {"max_depth": [3]}, seed=0, n_jobs=None)
    assert one.estimator.max_depth == 3
    with pytest.raises(ParameterError, match="tune must be a dict of lists"):
        tuned(learner, ROWS, COST, "yes", seed=0, n_jobs=None)


def test_what_an_estimator_recommends_is_taken():
    class Recommending(GreedyTreeClassifier):
        def curve_grid(self):
            return {"max_depth": [2]}

    found = tuned(Learner(Recommending()), ROWS, COST, "auto", seed=0, n_jobs=None)
    assert found.estimator.max_depth == 2
