from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_iris

from tanoak import TAOTreeClassifier, Tree, cost_loss

UNEVEN = {0: {1: 3, 2: 1}, 1: {0: 1, 2: 6}, 2: {0: 2, 1: 1}}


def test_costs_are_those_of_the_true_class():
    X, y = load_iris(return_X_y=True)
    model = TAOTreeClassifier(cost=UNEVEN, split_penalty=4, max_iter=5).fit(X[:, :2], y)
    matrix = np.array([[0, 3, 1], [1, 0, 6], [2, 1, 0]])
    loss = matrix[y, model.predict(X[:, :2])].sum()
    assert model.history_[-1].loss == pytest.approx(loss)
    assert cost_loss(y, model.predict(X[:, :2]), cost=UNEVEN) == pytest.approx(
        loss / len(y)
    )


def test_dear_mistakes_become_rare():
    X, y = load_breast_cancer(return_X_y=True)
    X = X[:, :4].round(1)
    missed = [
        (
            TAOTreeClassifier(split="axis", cost={0: cost, 1: 1}, split_penalty=3)
            .fit(X, y)
            .predict(X)[y == 0]
            == 1
        ).sum()
        for cost in (0.2, 1, 20)
    ]
    assert missed[0] >= missed[1] >= missed[2]
    assert missed[0] > missed[2]


def test_costs_per_row_decide():
    X, y = load_iris(return_X_y=True)
    row_costs = np.random.default_rng(0).random((len(y), 3))
    model = TAOTreeClassifier(split_penalty=0.5).fit(X, y, row_costs=row_costs)
    paid = row_costs[np.arange(len(y)), model.predict(X)].sum()
    assert model.history_[-1].loss == pytest.approx(paid)


def test_priors_count_as_weights():
    X, y = load_breast_cancer(return_X_y=True)
    priors = {0: 0.05, 1: 0.95}
    model = TAOTreeClassifier(priors=priors).fit(X, y)
    factor = np.array([0.05, 0.95]) * len(y) / np.bincount(y)
    loss = factor[y][model.predict(X) != y].sum()
    assert model.history_[-1].loss == pytest.approx(loss)


def test_missing_values_and_categories():
    random = np.random.default_rng(0)
    town = random.choice(["Bonn", "Kiel", "Ulm", None], 300)
    age = np.where(random.random(300) < 0.2, np.nan, random.integers(18, 80, 300))
    frame = {"town": town.tolist(), "age": age}
    import pandas as pd

    frame = pd.DataFrame(frame)
    y = (frame["town"].isin(["Bonn", "Ulm"]) ^ (frame["age"] > 50)).astype(int)
    model = TAOTreeClassifier(split="axis", split_penalty=2).fit(frame, y)
    assert (model.predict(frame) != y).sum() == model.history_[-1].loss
    assert model.score(frame, y) > 0.9
    assert Tree.from_json(model.tree_.to_json()) == model.tree_


def test_shares_are_honest():
    X, y = load_iris(return_X_y=True)
    model = TAOTreeClassifier(cost=UNEVEN, split_penalty=10).fit(X, y)
    shares = model.predict_proba(X)
    leaf = model.apply(X)
    for node in np.unique(leaf):
        expected = np.bincount(y[leaf == node], minlength=3) / (leaf == node).sum()
        assert shares[leaf == node][0] == pytest.approx(expected)


def test_many_classes_get_enough_leaves():
    X, y = load_digits(return_X_y=True)
    model = TAOTreeClassifier().fit(X[::2], y[::2])
    assert 10 < model.get_n_leaves() <= 20
    assert model.score(X[1::2], y[1::2]) > 0.85


def test_what_a_curve_tries_leaves_alone_what_was_set():
    assert set(TAOTreeClassifier().curve_grid()) == {"split_penalty", "max_leaf_nodes"}
    assert set(TAOTreeClassifier(max_leaf_nodes=5).curve_grid()) == {"split_penalty"}
    assert set(TAOTreeClassifier(split_penalty=2.0).curve_grid()) == {"max_leaf_nodes"}
    assert set(TAOTreeClassifier(split="pair").curve_grid()) == {"split_penalty"}
