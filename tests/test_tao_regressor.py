from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_diabetes

from tanoak import GreedyTreeRegressor, TAOTreeRegressor


def test_the_loss_is_the_squared_error():
    X, y = load_diabetes(return_X_y=True)
    weight = np.random.default_rng(0).random(len(y)) + 0.1
    model = TAOTreeRegressor().fit(X, y, sample_weight=weight)
    error = (weight * (model.predict(X) - y) ** 2).sum()
    assert model.history_[-1].loss == pytest.approx(error)


def test_leaves_hold_their_mean():
    X, y = load_diabetes(return_X_y=True)
    model = TAOTreeRegressor(split="axis", split_penalty=2).fit(X, y)
    leaf = model.apply(X)
    for node in np.unique(leaf):
        assert model.tree_.mean[node] == pytest.approx(y[leaf == node].mean())


def test_prices_are_in_variances():
    X, y = load_diabetes(return_X_y=True)
    one = TAOTreeRegressor(split="axis", split_penalty=2).fit(X, y)
    two = TAOTreeRegressor(split="axis", split_penalty=2).fit(X, 1024 * y)
    assert np.allclose(1024 * one.predict(X), two.predict(X))
    step = one.history_[-1]
    assert step.price == pytest.approx(2 * y.var() * step.n_splits)


def test_optimizing_beats_growing_at_the_same_size():
    X, y = load_diabetes(return_X_y=True)
    grown = GreedyTreeRegressor(max_leaf_nodes=8).fit(X, y)
    model = TAOTreeRegressor(split="axis", init=grown, split_penalty=0).fit(X, y)
    assert model.history_[-1].loss < ((grown.predict(X) - y) ** 2).sum()


def test_a_constant_target_is_one_leaf():
    model = TAOTreeRegressor().fit([[1.0], [2.0], [3.0]], [4.0, 4.0, 4.0])
    assert model.predict([[9.0]]).tolist() == [4.0]
    assert model.get_n_leaves() == 1
