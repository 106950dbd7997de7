"""A learner and rows in; a curve of trees out."""

from __future__ import annotations

import pickle

import joblib
import numpy as np
import pytest
from curves import credit_curve, drawn, small_tree
from sklearn.linear_model import LogisticRegression

from tanoak import GreedyTreeClassifier, cost_optimal_curve
from tanoak.datasets import load_german_credit
from tanoak.exceptions import ParameterError


def test_costs_go_up_and_down_from_where_both_classes_weigh_the_same():
    curve = credit_curve(resolution=None)
    inner = curve.cost_ratios[1:-1]
    assert 300 / 700 in inner
    assert inner[1:] / inner[:-1] == pytest.approx(2)
    assert len(inner) == 9
    assert (curve.cost_ratios[0], curve.cost_ratios[-1]) == (0.0, np.inf)


def test_each_tree_is_the_one_made_at_its_costs():
    credit = load_german_credit()
    curve = credit_curve()
    tree = small_tree(cost=curve.costs[3]).fit(credit.columns, credit.target).tree_
    assert curve[3] == tree


def test_the_ends_are_the_constant_answers():
    curve = credit_curve()
    assert (curve.held_out.fp[0], curve.held_out.tp[0]) == (700, 300)
    assert (curve.held_out.fp[-1], curve.held_out.tp[-1]) == (0, 0)
    assert curve[0].n_leaves == curve[-1].n_leaves == 1


def test_wide_steps_are_filled():
    coarse = credit_curve(resolution=None, max_trees=40)
    fine = credit_curve(resolution=0.05, max_trees=40)
    assert set(coarse.cost_ratios) <= set(fine.cost_ratios)
    assert len(fine) > len(coarse)


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_the_same_bytes_in_parallel(backend):
    X, y = drawn(0)
    serial = cost_optimal_curve(small_tree(), X, y, max_trees=5)
    with joblib.parallel_config(backend=backend, n_jobs=2):
        parallel = cost_optimal_curve(small_tree(), X, y, max_trees=5)
    assert pickle.dumps(serial) == pickle.dumps(parallel)


def test_objectives_are_training_costs():
    X, y = drawn(0)
    curve = cost_optimal_curve(small_tree(), X, y, max_trees=5)
    for at in range(1, len(curve) - 1):
        answers = curve[at].predict(X)
        alarms, misses = ((answers == 1) & (y == 0)).sum(), ((answers == 0) & y).sum()
        paid = curve.cost_ratios[at] * alarms + misses
        assert curve.objectives[at] == pytest.approx(paid)


def test_separable_rows_still_give_a_curve():
    # One tree separates the training rows; out of fold it does not.
    random = np.random.default_rng(0)
    X = random.normal(size=(300, 8))
    y = (X[:, 0] + 0.3 * random.normal(size=300) > 1).astype(int)
    tree = GreedyTreeClassifier().fit(X, y)
    assert (tree.predict(X) == y).all()
    curve = cost_optimal_curve(GreedyTreeClassifier(), X, y, max_trees=12)
    assert len(curve.front()) > 3


def test_a_path_ends_where_nothing_is_left_to_trade():
    X = np.arange(200.0)[:, None]
    y = (X[:, 0] > 150).astype(int)
    curve = cost_optimal_curve(
        GreedyTreeClassifier(max_depth=1), X, y, cv=[(np.arange(200), np.arange(200))]
    )
    assert len(curve) == 3  # nothing is wrong at the base cost already
    assert curve.select().tpr == 1.0


def test_more_labelings_only_add_points():
    plain = credit_curve(resolution=None)
    more = credit_curve(resolution=None, labelings=True)
    assert len(more) > len(plain)
    theirs = {tuple(point) for point in more.points.tolist()}
    assert {tuple(point) for point in plain.points.tolist()} <= theirs
    assert more.area("hull") >= plain.area("hull")


def test_any_classifier_that_takes_weights():
    X, y = drawn(0)
    curve = cost_optimal_curve(LogisticRegression(), X, y, max_trees=7)
    point = curve.select(max_fpr=0.1)
    assert point.n_leaves == -1
    assert 0 < point.fpr <= 0.1
    assert (point.model.predict(X) == 1).any()


def test_three_classes_along_the_cost_of_one():
    X, y = drawn(0, n_classes=3)
    curve = cost_optimal_curve(small_tree(), X, y, positive=2, max_trees=7)
    assert curve.held_out.counts.shape[1:] == (3, 3)
    assert curve.select(max_fpr=0.2).fpr <= 0.2
    cost = np.array([[0, 1, 5], [2, 0, 1], [9, 7, 0]])
    point = curve.select(cost=cost)
    paid = [curve.held_out.expected_cost(cost)]
    assert point.expected_cost == np.min(paid)


def test_costs_that_are_given():
    X, y = drawn(0, n_classes=3)
    costs = [np.ones((3, 3)) - np.eye(3), [[0, 1, 1], [5, 0, 1], [1, 9, 0]]]
    curve = cost_optimal_curve(small_tree(), X, y, positive=0, costs=costs)
    assert len(curve) == 4
    assert curve.costs[2].values.tolist() == [[0, 1, 1], [5, 0, 1], [1, 9, 0]]


def test_progress_is_told(capsys):
    X, y = drawn(0)
    cost_optimal_curve(small_tree(), X, y, max_trees=2, verbose=1, resolution=None)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert lines[1].startswith("tanoak: 2 of at most 2 trees, cost ratio ")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"beta": 1}, "beta must be a number > 1, got 1"),
        ({"max_trees": 0}, "max_trees must be an integer >= 1"),
        ({"resolution": 0}, "resolution must be None or a number > 0"),
        ({"path": "hot"}, "path must be 'fresh' or 'warm'"),
        ({"path": "warm"}, "GreedyTreeClassifier cannot; use path='fresh'"),
        ({"cost_range": (2, 1)}, r"cost_range must be \(least, largest\)"),
        ({"cv": 1}, "cv must be None or an integer >= 2"),
    ],
)
def test_settings_that_make_no_path_are_refused(settings, message):
    X, y = drawn(0)
    with pytest.raises(ParameterError, match=message):
        cost_optimal_curve(small_tree(), X, y, **settings)


def test_costs_of_the_estimator_would_be_lost():
    X, y = drawn(0)
    with pytest.raises(ParameterError, match="leave cost of the estimator None"):
        cost_optimal_curve(small_tree(cost={0: 1, 1: 5}), X, y)
