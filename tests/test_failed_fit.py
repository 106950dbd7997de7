"""Fits that fail, or were never made, in; an estimator without a tree out."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from refusals import NUMBERS, ROWS, TEXTS, check_refused, with_cell, written
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from tanoak import (
    CostError,
    GreedyTreeClassifier,
    GreedyTreeRegressor,
    ParameterError,
    TableError,
)

METHODS = ["predict", "predict_proba", "apply", "decision_path"]
FRAME = pd.DataFrame(ROWS, columns=["age", "pay"])
NAN, INF = np.nan, np.inf


@pytest.mark.parametrize("model", [GreedyTreeClassifier, GreedyTreeRegressor])
@pytest.mark.parametrize("method", [*METHODS, "get_depth", "get_n_leaves", "score"])
def test_before_fit(method, model):
    if not hasattr(model, method):
        assert (model, method) == (GreedyTreeRegressor, "predict_proba")
        return
    given = {"score": (ROWS, NUMBERS)}.get(method, (ROWS,) * (method in METHODS))
    message = (
        f"This {model.__name__} instance is not fitted yet. Call 'fit' with "
        "appropriate arguments before using this estimator."
    )
    check_refused(lambda: getattr(model(), method)(*given), message, NotFittedError)


@pytest.mark.parametrize("name", ["tree_", "n_features_in_", "feature_names_in_"])
def test_nothing_learnt_before_fit(name):
    assert not hasattr(GreedyTreeClassifier(), name)
    assert not hasattr(GreedyTreeRegressor(), name)
    assert not hasattr(GreedyTreeClassifier(), "classes_")
    unnamed = GreedyTreeClassifier().fit(ROWS, TEXTS)
    assert not hasattr(unnamed, "feature_names_in_")


FAILING = {
    # what: parameters, arguments of fit, the error
    "parameter": ({"max_depth": 0}, {}, ParameterError),
    "threads": ({"n_jobs": 0}, {}, ParameterError),
    "categories": ({"categorical_features": ["zip"]}, {}, ParameterError),
    "rows": ({}, {"X": ROWS[:0]}, TableError),
    "cell": ({}, {"X": with_cell(3, 1, INF)}, TableError),
    "length": ({}, {"y": [1, 2]}, TableError),
    "label": ({}, {"y": [1, 2, 0.5, NAN]}, TableError),
    "weight": ({}, {"sample_weight": [1, 1, 1, -1]}, CostError),
    "range": ({}, {"sample_weight": [1, 1, 1, 1e16]}, CostError),
    "cost": ({"cost": {"a": -1, "b": 1}}, {}, CostError),
    "priors": ({"priors": [0.5, 0.6]}, {}, CostError),
    "row costs": ({}, {"row_costs": ROWS[:2]}, CostError),
}


def learnt(model):
    """List what a fit has left behind."""
    return [name for name in vars(model) if name.endswith("_")]


@pytest.mark.parametrize("what", FAILING)
@pytest.mark.parametrize("refitted", [False, True])
def test_a_fit_that_fails_leaves_nothing(what, refitted):
    params, given, error = FAILING[what]
    params = {name: params[name] for name in params}
    model = GreedyTreeClassifier(max_leaf_nodes=3)
    if refitted:
        model.fit(FRAME, TEXTS)
    model.set_params(**params)
    before_params = model.get_params()
    arguments = {"X": FRAME, "y": TEXTS} | given
    before = written(*arguments.values(), list(params.values()))
    with pytest.raises(error):
        model.fit(**arguments)
    assert learnt(model) == []
    assert written(*arguments.values(), list(params.values())) == before
    assert model.get_params() == before_params
    with pytest.raises(NotFittedError):
        model.predict(FRAME)
    assert not hasattr(model, "n_features_in_")
    clone(model)
    model.set_params(**{name: getattr(GreedyTreeClassifier(), name) for name in params})
    assert model.fit(ROWS, TEXTS).predict(ROWS)[:2].tolist() == ["a", "b"]


def test_a_fit_of_numbers_that_fails_leaves_nothing():
    model = GreedyTreeRegressor().fit(ROWS, NUMBERS)
    with pytest.raises(TableError):
        model.fit(ROWS, TEXTS)
    assert learnt(model) == []


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, RuntimeError])
def test_a_fit_that_is_interrupted_leaves_nothing(error, monkeypatch):
    model = GreedyTreeClassifier().fit(ROWS, TEXTS)

    def fail(*_, **__):
        raise error

    monkeypatch.setattr("tanoak.estimators._greedy_classifier.grow_classes", fail)
    with pytest.raises(error):
        model.fit(ROWS, TEXTS)
    assert learnt(model) == []


def test_a_new_fit_forgets_the_names_of_the_last():
    model = GreedyTreeClassifier().fit(FRAME, TEXTS)
    assert model.feature_names_in_.tolist() == ["age", "pay"]
    model.fit(ROWS[:, :1], [1, 2, 1, 2])
    assert not hasattr(model, "feature_names_in_")
    assert model.n_features_in_ == 1
    assert model.classes_.tolist() == [1, 2]


def test_data_stay_as_they_are():
    X, y, weight = ROWS[:, ::-1].copy()[:, ::-1], np.array(TEXTS), np.ones(4)
    costs = np.array([[0.0, 1.0], [1.0, 0.0]] * 2)
    frame, cost = FRAME.copy(), {"a": {"b": 1.0}, "b": {"a": 2.0}}
    given = [X, y, weight, costs, frame, cost]
    before = written(*given)
    for array in (X, y, weight, costs):
        array.flags.writeable = False
    model = GreedyTreeClassifier(cost=cost)
    model.fit(X, y, sample_weight=weight)
    model.fit(X, y, row_costs=costs).predict(X)
    model.fit(frame, y, sample_weight=weight).predict_proba(frame)
    for array in (X, y, weight, costs):
        array.flags.writeable = True
    assert written(*given) == before
