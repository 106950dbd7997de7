"""Estimators that prune in; trees of the right size and the comparison out."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import check_estimator

from tanoak import (
    GreedyTreeClassifier,
    GreedyTreeRegressor,
    cost_loss,
    prune_on,
    pruning_path,
)
from tanoak.datasets import load_german_credit
from tanoak.exceptions import ParameterError

METHODS = ["cv", "cv_1se", "holdout", "reduced_error", "pessimistic", 0.02]
KINDS = ("dense", "sparse")
BY_CHANCE = ["cv", "cv_1se", "holdout", "reduced_error"]


@pytest.mark.parametrize("prune", METHODS)
def test_scikit_learn_finds_nothing(prune):
    models = [GreedyTreeClassifier(prune=prune, cv=3)]
    if prune != "pessimistic":
        models.append(GreedyTreeRegressor(prune=prune, cv=3))
    # A part holds other rows if rows are repeated, and a standard error is another.
    allowed = {f"check_sample_weight_equivalence_on_{x}_data" for x in KINDS}
    for model in models:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            results = check_estimator(model, on_fail=None, on_skip=None)
        failed = {x["check_name"] for x in results if x["status"] == "failed"}
        assert failed <= (allowed if prune in BY_CHANCE[1:] else set())


@pytest.mark.parametrize("prune", METHODS)
def test_the_credit_data_need_fewer_leaves_at_less_cost(prune):
    credit = load_german_credit()
    test = np.arange(1000) % 3 == 0
    X, y = pd.DataFrame(credit.columns), np.asarray(credit.target)
    whole = GreedyTreeClassifier(cost=credit.cost).fit(X[~test], y[~test])
    model = GreedyTreeClassifier(cost=credit.cost, prune=prune)
    model.fit(X[~test], y[~test])
    assert model.get_n_leaves() < whole.get_n_leaves() / 2
    paid, before = (
        cost_loss(y[test], each.predict(X[test]), cost=credit.cost)
        for each in (model, whole)
    )
    assert paid < before


def test_the_comparison_is_a_plain_table():
    X, y = load_wine(return_X_y=True)
    model = GreedyTreeClassifier(prune="cv_1se", cost={0: 1, 1: 2, 2: 10}).fit(X, y)
    frame = pd.DataFrame(model.pruning_)
    columns = ["alpha", "n_leaves", "training_cost", "chosen", "cost"]
    columns += ["standard_error", "excess", "excess_error"]
    assert list(frame) == columns
    assert frame["n_leaves"][frame["chosen"]].tolist() == [model.get_n_leaves()]
    assert frame["alpha"].is_monotonic_increasing
    whole = GreedyTreeClassifier(cost={0: 1, 1: 2, 2: 10}).fit(X, y).tree_
    chosen = frame[frame["chosen"]].iloc[0]
    assert whole.prune(alpha=chosen["alpha"]) == model.tree_
    assert frame["training_cost"].tolist() == pruning_path(whole).costs.tolist()


def test_no_comparison_without_pruning_or_after_another_fit():
    X, y = load_wine(return_X_y=True)
    model = GreedyTreeClassifier().fit(X, y)
    assert not hasattr(model, "pruning_")
    model.set_params(prune="cv").fit(X, y)
    assert hasattr(model, "pruning_")
    assert not hasattr(model.set_params(prune=None).fit(X, y), "pruning_")


@pytest.mark.parametrize("prune", BY_CHANCE)
def test_threads_and_repetition_change_nothing(prune):
    X, y = load_breast_cancer(return_X_y=True)
    models = [
        GreedyTreeClassifier(prune=prune, n_jobs=n_jobs).fit(X, y)
        for n_jobs in (1, 2, 1)
    ]
    assert models[0].tree_ == models[1].tree_ == models[2].tree_
    other = clone(models[0]).set_params(random_state=1).fit(X, y)
    for name in ("cost", "n_leaves"):
        tables = [each.pruning_[name].tolist() for each in models]
        assert tables[0] == tables[1] == tables[2]
    assert other.pruning_["cost"].tolist() != models[0].pruning_["cost"].tolist()


def test_sparse_rows_and_costs_of_rows():
    random = np.random.default_rng(0)
    X = sparse.random_array((300, 12), density=0.3, rng=0, format="csr")
    dense = X.toarray()
    y = np.array(list("abc"))[
        np.digitize(dense[:, 0] + random.normal(size=300), [0, 1])
    ]
    row_costs = random.random((300, 3)) * (np.array(list("abc")) != y[:, None])
    for prune in BY_CHANCE:
        model = GreedyTreeClassifier(prune=prune)
        model.fit(X, y, row_costs=row_costs)
        again = clone(model).fit(dense, y, row_costs=row_costs)
        assert model.tree_ == again.tree_
        assert model.tree_.answer_costs is not None
    with pytest.raises(ParameterError, match="grown with costs for each row: give row"):
        model.prune_on(X, y)
    fresh = GreedyTreeClassifier().fit(X, y, row_costs=row_costs)
    assert fresh.prune_on(X, y, row_costs=row_costs).get_n_leaves() > 1


def test_rows_of_weight_0_are_as_if_they_were_not_there():
    X, y = load_breast_cancer(return_X_y=True)
    weight = (np.arange(len(y)) % 3 > 0).astype(float)
    for prune in BY_CHANCE:
        model = GreedyTreeClassifier(prune=prune)
        model.fit(X, y, sample_weight=weight)
        part = clone(model).fit(X[weight > 0], y[weight > 0])
        assert model.tree_.prune([]) == part.tree_.prune([])


def test_one_class_and_one_row():
    for prune in METHODS:
        model = GreedyTreeClassifier(prune=prune)
        with pytest.warns(UserWarning, match="one class only"):
            model.fit([[1.0], [2.0], [3.0]], ["a", "a", "a"])
        assert model.get_n_leaves() == 1
        with pytest.warns(UserWarning, match="one class only"):
            model.fit([[1.0]], ["a"])
        assert model.predict([[5.0]]).tolist() == ["a"]


def test_few_rows_have_stakes():
    X, y = np.arange(30.0)[:, None], np.arange(30) % 2
    row_costs = np.zeros((30, 2))
    row_costs[3] = [4.0, 0.0]
    for prune in METHODS:
        model = GreedyTreeClassifier(prune=prune).fit(X, y, row_costs=row_costs)
        assert model.get_n_leaves() <= 2


def test_on_rows_of_ones_own():
    X, y = load_breast_cancer(return_X_y=True)
    part = np.arange(len(y)) % 3 == 0
    model = GreedyTreeClassifier(cost={0: 5, 1: 1}).fit(X[~part], y[~part])
    whole = model.tree_
    for method in ("path", "path_1se", "reduced_error"):
        model.tree_ = whole
        assert model.prune_on(X[part], y[part], method=method) is model
        assert model.tree_ == prune_on(whole, X[part], y[part], method=method)
        assert model.tree_.n_leaves < whole.n_leaves
        assert model.pruning_["chosen"].any()
    with pytest.raises(NotFittedError):
        GreedyTreeClassifier().prune_on(X, y)


def test_numbers():
    X, y = load_diabetes(return_X_y=True)
    test = np.arange(len(y)) % 3 == 0
    whole = GreedyTreeRegressor().fit(X[~test], y[~test])
    for prune in [*BY_CHANCE, 50.0]:
        model = GreedyTreeRegressor(prune=prune).fit(X[~test], y[~test])
        assert model.get_n_leaves() < 100 < whole.get_n_leaves()
        assert model.score(X[test], y[test]) > whole.score(X[test], y[test])
    with pytest.raises(ParameterError, match="prune must be None, 'cv', .*, got 'pess"):
        GreedyTreeRegressor(prune="pessimistic").fit(X, y)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"prune": "CV"}, r"prune must be None, 'cv', .*, got 'CV'; did you mean 'cv'"),
        ({"prune": -0.1}, r"prune must be None, .* a number >= 0, got -0.1"),
        ({"prune": True}, r"prune must be None, .*, got True"),
        (
            {"cv": 1},
            "cv must be an integer >= 2, a scikit-learn splitter .*, got 1",
        ),
        (
            {"validation_fraction": 0},
            "validation_fraction must be a number > 0 and < 1",
        ),
        ({"random_state": None}, "random_state must be an integer >= 0 .*, got None"),
    ],
)
def test_what_cannot_be_asked_for(given, message):
    with pytest.raises(ParameterError, match=message):
        GreedyTreeClassifier(**given).fit([[1.0], [2.0]], [0, 1])
