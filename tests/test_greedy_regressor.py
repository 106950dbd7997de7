from __future__ import annotations

import numpy as np
from impurities import depths_of, impurity_by_depth
from sklearn.tree import DecisionTreeRegressor

from tanoak import GreedyTreeRegressor


def test_as_good_as_scikit_learn_on_numbers():
    random = np.random.default_rng(0)
    X = random.normal(size=(2000, 5))
    y = X[:, 0] ** 2 + X[:, 1] * X[:, 2] + random.normal(size=2000)
    weight = random.random(2000)
    theirs = DecisionTreeRegressor(max_depth=5, random_state=0)
    tree = theirs.fit(X, y, sample_weight=weight).tree_
    model = GreedyTreeRegressor(max_depth=5).fit(X, y, sample_weight=weight)
    mine = np.bincount(model.tree_.node_depth, model.tree_.sse)
    other = impurity_by_depth(
        tree.weighted_n_node_samples, tree.impurity, depths_of(tree)
    )
    np.testing.assert_allclose(mine, other, rtol=1e-9)
    np.testing.assert_allclose(model.predict(X), theirs.predict(X), rtol=1e-9)
