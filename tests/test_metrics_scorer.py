"""A cost in; a scorer that scikit-learn's own tools take out."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    StratifiedKFold,
    TunedThresholdClassifierCV,
    cross_val_score,
    cross_validate,
)
from sklearn.tree import DecisionTreeClassifier

from tanoak.costs import CostMatrix
from tanoak.exceptions import CostError
from tanoak.metrics import cost_loss, make_cost_scorer

X, CODES = load_wine(return_X_y=True)
NAMES = np.array(["barolo", "grignolino", "barbera"])
Y = NAMES[CODES]
CLASSES = ("barbera", "barolo", "grignolino")
VALUES = np.array([[0.0, 1.0, 20.0], [3.0, 0.0, 0.5], [7.0, 2.0, 0.0]])
FOLDS = StratifiedKFold(3, shuffle=True, random_state=0)
TREE = DecisionTreeClassifier(max_depth=2, random_state=0)
ROW_COSTS = np.random.default_rng(0).random((len(Y), 3)) * (
    Y[:, None] != np.array(CLASSES)
)
WEIGHTS = np.random.default_rng(1).integers(0, 4, len(Y)).astype(float)


def by_hand(estimator, *, fit_weights=None, row_costs=None, weights=None, cost=None):
    """Score fold by fold, in a loop of our own."""
    scores = []
    for train, test in FOLDS.split(X, Y):
        fitting = {} if fit_weights is None else {"sample_weight": fit_weights[train]}
        predicted = clone(estimator).fit(X[train], Y[train], **fitting).predict(X[test])
        loss = cost_loss(
            *(Y[test], predicted),
            cost=cost,
            classes=CLASSES,
            row_costs=None if row_costs is None else row_costs[test],
            sample_weight=None if weights is None else weights[test],
        )
        scores.append(-loss)
    return scores


@pytest.fixture
def routing():
    """Switch scikit-learn's metadata routing on for one test."""
    with sklearn.config_context(enable_metadata_routing=True):
        yield


@pytest.mark.parametrize(
    "scorer",
    [
        make_cost_scorer(VALUES, classes=CLASSES),
        make_cost_scorer(CostMatrix(VALUES[::-1, ::-1], CLASSES[::-1])),
        make_cost_scorer(pd.DataFrame(VALUES, index=CLASSES, columns=CLASSES)),
        make_cost_scorer(VALUES),
    ],
)
def test_cross_val_score(scorer):
    scores = cross_val_score(TREE, X, Y, scoring=scorer, cv=FOLDS)
    assert scores.tolist() == by_hand(TREE, cost=VALUES)
    assert scores.tolist() != by_hand(TREE, cost=VALUES.T)


def test_no_cost_and_balanced():
    for cost in (None, "balanced"):
        scores = cross_val_score(TREE, X, Y, scoring=make_cost_scorer(cost), cv=FOLDS)
        assert scores.tolist() == by_hand(TREE, cost=cost)


def test_grid_search_takes_the_cheapest_not_the_most_often_right():
    dummy = DummyClassifier(strategy="constant", constant="barolo")
    share = np.array([(label == Y).mean() for label in CLASSES])
    values = np.array([[0.0, 8.0, 8.0], [1.0, 0.0, 8.0], [1.0, 2.0, 0.0]])
    for turned, cheapest in ((values, "barbera"), (values.T, "grignolino")):
        assert CLASSES[np.argmin(share @ turned)] == cheapest
        scorer = make_cost_scorer(turned, classes=CLASSES)
        search = GridSearchCV(
            dummy, {"constant": list(CLASSES)}, scoring=scorer, cv=FOLDS
        ).fit(X, Y)
        assert search.best_params_ == {"constant": cheapest}
        assert search.best_score_ == pytest.approx(-(share @ turned).min(), rel=0.1)


def test_a_class_missing_from_a_fold():
    named = make_cost_scorer(VALUES, classes=CLASSES)
    unshuffled = KFold(3)  # the rows are sorted by class
    assert np.isfinite(cross_val_score(TREE, X, Y, scoring=named, cv=unshuffled)).all()
    unnamed = make_cost_scorer(VALUES)
    with pytest.raises(CostError, match=r"name all classes with classes=$"):
        unnamed(TREE.fit(X, Y), X[:20], Y[:20])


def test_cross_validate_routes_costs_of_rows_and_weights(routing):
    tree = clone(TREE).set_fit_request(sample_weight=True)
    scorer = make_cost_scorer(classes=CLASSES).set_score_request(
        row_costs=True, sample_weight=True
    )
    given = {"row_costs": ROW_COSTS, "sample_weight": WEIGHTS}
    result = cross_validate(tree, X, Y, scoring=scorer, cv=FOLDS, params=given)
    weighted = by_hand(TREE, fit_weights=WEIGHTS, row_costs=ROW_COSTS, weights=WEIGHTS)
    assert result["test_score"].tolist() == weighted
    assert weighted != by_hand(TREE, fit_weights=WEIGHTS, row_costs=ROW_COSTS)
    assert weighted != by_hand(TREE, fit_weights=WEIGHTS, weights=WEIGHTS)


def test_data_frames_of_costs_are_routed(routing):
    frame = pd.DataFrame(ROW_COSTS[:, ::-1], columns=CLASSES[::-1])
    result = cross_validate(
        *(TREE, X, Y),
        scoring=make_cost_scorer(classes=CLASSES).set_score_request(row_costs=True),
        cv=FOLDS,
        params={"row_costs": frame},
    )
    assert result["test_score"].tolist() == by_hand(TREE, row_costs=ROW_COSTS)


def test_two_scorers_at_once(routing):
    scoring = {
        "rows": make_cost_scorer(classes=CLASSES).set_score_request(row_costs=True),
        "matrix": make_cost_scorer(VALUES, classes=CLASSES).set_score_request(
            row_costs=False
        ),
    }
    result = cross_validate(
        *(TREE, X, Y), scoring=scoring, cv=FOLDS, params={"row_costs": ROW_COSTS}
    )
    assert result["test_rows"].tolist() == by_hand(TREE, row_costs=ROW_COSTS)
    assert result["test_matrix"].tolist() == by_hand(TREE, cost=VALUES)


def test_grid_search_routes_costs_of_rows(routing):
    dummy = DummyClassifier(strategy="constant", constant="barolo")
    # Right or wrong, 'barbera' is the cheap answer on these rows.
    row_costs = np.where(np.array(CLASSES) == "barbera", 0.0, 9.0) + ROW_COSTS
    grid = {"constant": list(CLASSES)}
    scorer = make_cost_scorer(classes=CLASSES).set_score_request(row_costs=True)
    search = GridSearchCV(dummy, grid, scoring=scorer, cv=FOLDS)
    search.fit(X, Y, row_costs=row_costs)
    assert search.best_params_ == {"constant": "barbera"}
    weighing = make_cost_scorer(classes=CLASSES).set_score_request(
        row_costs=True, sample_weight=True
    )
    weighted = clone(search).set_params(
        estimator=dummy.set_fit_request(sample_weight=True), scoring=weighing
    )
    weighted.fit(X, Y, row_costs=row_costs, sample_weight=WEIGHTS)
    assert weighted.best_params_ == {"constant": "barbera"}
    assert weighted.best_score_ == pytest.approx(
        np.mean(
            by_hand(
                dummy.set_params(constant="barbera"),
                fit_weights=WEIGHTS,
                row_costs=row_costs,
                weights=WEIGHTS,
            )
        )
    )


def test_costs_of_rows_are_not_dropped_in_silence(routing):
    scorer = make_cost_scorer(classes=CLASSES)
    with pytest.raises(UnsetMetadataPassedError, match="row_costs"):
        cross_validate(
            TREE, X, Y, scoring=scorer, cv=FOLDS, params={"row_costs": ROW_COSTS}
        )


@pytest.mark.parametrize(
    ("cost", "says_other"),
    [({"barolo": 1, "other": 50}, "more"), ({"barolo": 50, "other": 1}, "less")],
)
def test_a_threshold_is_tuned_by_cost(cost, says_other):
    y = np.where(Y == "grignolino", "other", "barolo")
    tree = DecisionTreeClassifier(max_depth=2, min_samples_leaf=20, random_state=0)
    tuned = TunedThresholdClassifierCV(tree, scoring=make_cost_scorer(cost), cv=FOLDS)
    n_tuned = (tuned.fit(X, y).predict(X) == "other").sum()
    n_plain = (tree.fit(X, y).predict(X) == "other").sum()
    assert n_tuned > n_plain if says_other == "more" else n_tuned < n_plain


def test_a_mistake_in_the_costs_shows_at_once():
    with pytest.raises(CostError, match=r"^cost does not name class 'grignolino'"):
        make_cost_scorer({"barbera": 1, "barolo": 2}, classes=CLASSES)


@pytest.mark.parametrize(
    ("cost", "message"),
    [
        ({"bad": {"good": -5}, "good": {"bad": 1}}, "row 'good' is -5: costs are not"),
        ({"bad": -5, "good": 1}, "is -5: costs are not negative"),
        ({"bad": {"goood": 5}, "good": {"bad": 1}}, "did you mean 'good'?"),
        ({"bad": {"good": 5}}, "cost does not name class 'good': add it"),
        (pd.DataFrame([[0, -5], [1, 0]], [1, 2], [1, 2]), "is -5: costs are not"),
        ("ballanced", "did you mean 'balanced'?"),
    ],
)
def test_costs_that_name_their_classes_are_checked_at_once(cost, message):
    with pytest.raises(CostError) as caught:
        make_cost_scorer(cost)
    assert message in str(caught.value)


def test_scorers_can_be_pickled_and_cloned():
    scorer = make_cost_scorer(VALUES, classes=CLASSES)
    tree = clone(TREE).fit(X, Y)
    expected = -cost_loss(Y, tree.predict(X), cost=VALUES, classes=CLASSES)
    assert pickle.loads(pickle.dumps(scorer))(tree, X, Y) == expected
    search = clone(GridSearchCV(TREE, {"max_depth": [1, 2]}, scoring=scorer, cv=FOLDS))
    assert search.fit(X, Y).best_params_ == {"max_depth": 2}
