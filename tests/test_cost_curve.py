"""Data and a wish in; a model that grants it out."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from curves import drawn, small_tree
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.utils.estimator_checks import parametrize_with_checks

from tanoak import CostCurveClassifier, GreedyTreeClassifier, make_cost_scorer
from tanoak.exceptions import NotFeasibleError, ParameterError

QUICKLY = {"max_trees": 5, "cv": 3}


@parametrize_with_checks([CostCurveClassifier(GreedyTreeClassifier(), **QUICKLY)])
@pytest.mark.filterwarnings("ignore:invalid value encountered in cast:RuntimeWarning")
def test_scikit_learn_finds_nothing(estimator, check):
    check(estimator)


def test_the_wish_is_granted_and_can_be_changed():
    X, y = drawn(0)
    model = CostCurveClassifier(small_tree(), select={"max_fpr": 0.1}, **QUICKLY)
    assert model.fit(X, y) is model
    assert model.choice_.fpr <= 0.1
    before = model.predict(X)
    point = model.select(min_tpr=0.9)
    assert point is model.choice_
    assert point.tpr >= 0.9
    assert (model.predict(X) != before).any()
    assert np.array_equal(model.predict(X), model.tree_.predict(X))
    assert model.choose(max_fpr=0.1).position != point.position


def test_select_is_a_parameter_as_any_other():
    wish = {"max_fpr": 0.1}
    model = CostCurveClassifier(select=wish)
    assert model.get_params()["select"] is wish
    assert clone(model).get_params()["select"] == wish
    other = {"min_tpr": 0.5}
    assert model.set_params(select=other).get_params()["select"] is other
    again = pickle.loads(pickle.dumps(model))
    assert again.get_params()["select"] == other
    assert "select={'min_tpr': 0.5}" in repr(model)


def test_a_confidence_keeps_rows_aside():
    X, y = drawn(0, n_rows=2000)
    wish = {"max_fpr": 0.2, "confidence": 0.95}
    model = CostCurveClassifier(small_tree(), select=wish, **QUICKLY).fit(X, y)
    assert model.choice_.source == "on the rows set aside"
    kept = model.curve_.calibration
    assert kept.n_negative + kept.n_positive == 500
    assert len(y) == 500 + model.curve_.held_out.counts[0].sum()
    plain = CostCurveClassifier(small_tree(), **QUICKLY).fit(X, y)
    assert plain.curve_.calibration is None
    asked = CostCurveClassifier(small_tree(), calibration_size=0.4, **QUICKLY)
    assert asked.fit(X, y).curve_.calibration.counts[0].sum() == 800


def test_frames_and_names():
    X, y = drawn(0)
    frame = pd.DataFrame(X, columns=list("abcd"))
    model = CostCurveClassifier(small_tree(), **QUICKLY).fit(frame, y)
    assert model.feature_names_in_.tolist() == list("abcd")
    assert model.n_features_in_ == 4
    assert np.array_equal(model.predict(frame[list("dcba")]), model.predict(frame))


def test_other_learners_have_no_tree():
    X, y = drawn(0)
    model = CostCurveClassifier(LogisticRegression(), **QUICKLY).fit(X, y)
    assert model.predict_proba(X).shape == (400, 2)
    assert not hasattr(model, "tree_")


def test_three_classes_with_a_positive_one():
    X, y = drawn(0, n_classes=3)
    model = CostCurveClassifier(small_tree(), positive=2, **QUICKLY).fit(X, y)
    assert model.predict_proba(X).shape == (400, 3)
    with pytest.raises(ParameterError, match="Only binary classification"):
        CostCurveClassifier(small_tree(), **QUICKLY).fit(X, y)


def test_in_a_search_by_cost():
    X, y = drawn(0)
    cost = {0: 1, 1: 5}
    model = CostCurveClassifier(small_tree(), select={"cost": cost}, **QUICKLY)
    grid = {"estimator__max_leaf_nodes": [2, 6]}
    search = GridSearchCV(model, grid, scoring=make_cost_scorer(cost), cv=2).fit(X, y)
    assert search.best_params_["estimator__max_leaf_nodes"] in (2, 6)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"select": "cheap"}, "select must be None or a dict such as"),
        ({"select": {"max_fqr": 0.1}}, "did you mean 'max_fpr'"),
        ({"select": {"max_fpr": 2}}, "max_fpr must be None or a number >= 0"),
        ({"calibration_size": 1.0}, "calibration_size must be None or a number > 0"),
        ({"estimator": 3}, "estimator must be a classifier, got 3"),
        ({"max_trees": 0}, "max_trees must be an integer >= 1"),
    ],
)
def test_bad_parameters_are_refused(settings, message):
    X, y = drawn(0)
    with pytest.raises(ParameterError, match=message):
        CostCurveClassifier(**settings).fit(X, y)


def test_a_wish_that_cannot_be_granted_leaves_nothing():
    X, y = drawn(0)
    model = CostCurveClassifier(small_tree(), **QUICKLY).fit(X, y)
    model.set_params(select={"max_fpr": 0.0, "min_tpr": 1.0})
    with pytest.raises(NotFeasibleError, match="together out of fold"):
        model.fit(X, y)
    assert not hasattr(model, "curve_")
