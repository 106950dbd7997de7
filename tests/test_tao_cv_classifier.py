from __future__ import annotations

import numpy as np
import pytest

from tanoak import TAOTreeClassifierCV, cost_loss
from tanoak.datasets import load_german_credit


def three_classes():
    """Noisy rows of three classes, whose mistakes cost unlike."""
    random = np.random.default_rng(2)
    X = random.normal(size=(1200, 4))
    y = np.digitize(X[:, 0] + X[:, 1] + random.normal(size=1200), [-1, 1])
    cost = [[0, 1, 3], [9, 0, 1], [20, 9, 0]]
    return X, y, np.array(cost, dtype=float)


@pytest.mark.parametrize("split", ["axis", "pair", "oblique", "auto"])
def test_the_choice_is_by_what_mistakes_cost(split):
    X, y, cost = three_classes()
    plain, aware = (
        TAOTreeClassifierCV(split=split, cost=told, cv=3).fit(X[::2], y[::2])
        for told in (None, cost)
    )
    paid = [cost_loss(y[1::2], m.predict(X[1::2]), cost=cost) for m in (plain, aware)]
    assert paid[1] < paid[0]


def test_a_cost_of_its_own_turns_a_row_around():
    X, y, _ = three_classes()
    rows = 1.0 - np.eye(3)[y]
    rows[X[:, 3] > 0] = [1.0, 1.0, 0.0]
    answers = TAOTreeClassifierCV(cv=3).fit(X, y, row_costs=rows).predict(X)
    assert (answers[X[:, 3] > 0.2] == 2).mean() > 0.9


def test_rows_of_weight_0_do_not_count():
    X, y, cost = three_classes()
    weight = (np.arange(1200) % 3 > 0).astype(float)
    told = {"cost": cost, "cv": "holdout"}
    kept = weight > 0
    whole = TAOTreeClassifierCV(**told).fit(X, y, sample_weight=weight)
    part = TAOTreeClassifierCV(**told).fit(X[kept], y[kept])
    np.testing.assert_allclose(whole.results_["cost"], part.results_["cost"])
    assert (whole.predict(X) == part.predict(X)).all()


def test_probabilities_are_shares():
    X, y, cost = three_classes()
    shares = TAOTreeClassifierCV(cost=cost, cv=3).fit(X, y).predict_proba(X)
    assert shares.shape == (1200, 3)
    np.testing.assert_allclose(shares.sum(axis=1), 1)


def test_categories_and_priors_come_through():
    credit = load_german_credit()
    told = {"cost": credit.cost, "cv": 2, "split": "pair", "split_penalties": [4, 16]}
    y = np.asarray(credit.target)
    first = np.unique(y)[0]
    rare = {name: 0.1 if name == first else 0.9 for name in np.unique(y)}
    plain, shifted = (
        TAOTreeClassifierCV(**told, priors=priors).fit(credit.columns, y)
        for priors in (None, rare)
    )
    shares = [(m.predict(credit.columns) == first).mean() for m in (plain, shifted)]
    assert shares[1] < shares[0]
    assert any(levels is not None for levels in plain.tree_.columns.levels)


def test_many_classes_get_two_leaves_each():
    random = np.random.default_rng(5)
    y = np.arange(360) % 12
    X = np.column_stack([np.cos(y), np.sin(y)]) * 9 + random.normal(size=(360, 2)) / 3
    model = TAOTreeClassifierCV(cv=2, split_penalties=[1]).fit(X, y)
    assert set(model.results_["max_leaf_nodes"]) == {1, 4, 8, 16, 24}
    assert model.score(X, y) > 0.9
