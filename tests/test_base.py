from __future__ import annotations

import joblib
import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from tanoak import GreedyTreeClassifier, GreedyTreeRegressor

X = np.arange(12.0).reshape(6, 2)


@pytest.mark.parametrize(
    "method", ["predict", "apply", "decision_path", "predict_proba"]
)
def test_before_fit_there_is_nothing_to_ask(method):
    with pytest.raises(NotFittedError, match="not fitted yet"):
        getattr(GreedyTreeClassifier(), method)(X)


def test_sizes():
    model = GreedyTreeRegressor(max_depth=2).fit(X, [0.0, 0, 1, 1, 5, 5])
    assert model.get_depth() == 2
    assert model.get_n_leaves() == 3
    assert model.n_features_in_ == 2
    assert not hasattr(model, "feature_names_in_")


def test_leaves_and_paths_agree():
    model = GreedyTreeClassifier().fit(X, [0, 1, 0, 1, 0, 1])
    path = model.decision_path(X).toarray()
    leaf = model.apply(X)
    assert path[np.arange(6), leaf].all()
    assert (path.sum(axis=1) == model.tree_.node_depth[leaf] + 1).all()


def test_threads_follow_joblib(monkeypatch):
    seen = []
    model = GreedyTreeClassifier().fit(X, [0, 1, 0, 1, 0, 1])
    monkeypatch.setattr(
        type(model.tree_), "apply", lambda *_, n_threads: seen.append(n_threads)
    )
    model.apply(X)
    with joblib.parallel_config(n_jobs=3):
        model.apply(X)
    model.set_params(n_jobs=2).apply(X)
    assert seen == [1, 3, 2]
