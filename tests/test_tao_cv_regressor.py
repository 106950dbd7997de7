from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_diabetes

from tanoak import GreedyTreeRegressor, TAOTreeRegressorCV


@pytest.mark.parametrize("split", ["axis", "pair", "oblique", "auto"])
def test_it_beats_the_whole_tree_on_other_rows(split):
    X, y = load_diabetes(return_X_y=True)
    train = np.arange(len(y)) % 2 == 0
    chosen = TAOTreeRegressorCV(split=split).fit(X[train], y[train])
    whole = GreedyTreeRegressor().fit(X[train], y[train])
    scores = [m.score(X[~train], y[~train]) for m in (chosen, whole)]
    assert scores[0] > scores[1] + 0.2


def test_the_scale_of_the_target_changes_nothing():
    X, y = load_diabetes(return_X_y=True)
    models = [
        TAOTreeRegressorCV(split="pair", cv=2).fit(X[:200], scale * y[:200])
        for scale in (1.0, 1024.0)
    ]
    assert models[0].best_params_ == models[1].best_params_
    np.testing.assert_allclose(models[0].predict(X) * 1024, models[1].predict(X))


def test_a_line_across_two_columns_is_found():
    random = np.random.default_rng(0)
    X = random.uniform(size=(300, 3))
    y = np.where(X[:, 0] + X[:, 1] > 1, 5.0, 1.0) + random.normal(size=300) / 100
    pair, axis = (
        TAOTreeRegressorCV(split=split).fit(X, y) for split in ("pair", "axis")
    )
    assert pair.get_n_leaves() == 2
    assert pair.results_["cost"].min() < axis.results_["cost"].min()
