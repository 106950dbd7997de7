"""The logistic solver of the core against scikit-learn's, on the objective of both."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.linear_model import LogisticRegression

from tanoak import _core


def objective(X, side, weight, penalty, w):
    """Penalized loss; the last of w is the intercept."""
    margin = side * (X @ w[:-1] + w[-1])
    return (weight * np.logaddexp(0, -margin)).sum() + penalty * np.abs(w[:-1]).sum()


def theirs(X, side, weight, penalty):
    """Weights of scikit-learn's liblinear with an intercept next to free."""
    model = LogisticRegression(
        l1_ratio=1, solver="liblinear", C=1 / penalty, tol=1e-4, intercept_scaling=100
    )
    model.fit(X, side, sample_weight=weight)
    return np.append(model.coef_[0], model.intercept_)


def standardized(X):
    """Columns of mean 0 and deviation 1, constant ones left out."""
    X = X[:, X.std(axis=0) > 0]
    return np.asfortranarray((X - X.mean(axis=0)) / X.std(axis=0))


def solve(table, side, weight, penalty, **settings):
    """Weights, objective and steps of ours."""
    settings = {"penalty": penalty, "tolerance": 0.01, **settings}
    return _core.l1_logistic(table, side, weight, **settings)


def tumours():
    """569 x 30, rows weighted."""
    X, y = load_breast_cancer(return_X_y=True)
    return standardized(X), np.where(y == 1, 1.0, -1.0), np.where(y == 1, 1.0, 3.0)


def digits():
    """1797 x 61, odd against even."""
    X, y = load_digits(return_X_y=True)
    return standardized(X), np.where(y % 2, 1.0, -1.0), np.linspace(0.5, 2, len(y))


def noise():
    """More columns than rows."""
    rng = np.random.default_rng(0)
    X = np.asfortranarray(rng.standard_normal((60, 300)))
    return X, np.where(rng.random(60) < 0.5, 1.0, -1.0), np.ones(60)


@pytest.mark.parametrize("penalty", [0.1, 1.0, 10.0])
@pytest.mark.parametrize("load", [tumours, digits, noise])
def test_no_higher_than_liblinear(load, penalty):
    X, side, weight = load()
    w, found, steps = solve(X, side, weight, penalty)
    assert found == pytest.approx(objective(X, side, weight, penalty, w), rel=1e-5)
    peer = objective(X, side, weight, penalty, theirs(X, side, weight, penalty))
    assert found <= peer * (1 + 1e-3)
    assert 0 < steps < 60


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sparse_is_no_higher_than_liblinear(dtype):
    rng = np.random.default_rng(1)
    X = sparse.random(800, 2000, 0.01, "csc", dtype, rng)
    side = np.where(X @ rng.standard_normal(2000) > 0.02, 1.0, -1.0)
    weight = np.ones(800)
    parts = (X.data, X.indices.astype(np.int32), X.indptr.astype(np.int32), 800, 2000)
    w, found, _ = solve(parts, side, weight, 0.3)
    peer = objective(X, side, weight, 0.3, theirs(X, side, weight, 0.3))
    assert found <= peer * (1 + 1e-3)
    assert 0 < np.count_nonzero(w[:-1]) < 800


def test_a_warm_start_takes_fewer_steps():
    X, side, weight = digits()
    w, cold, steps = solve(X, side, weight, 1.0)
    _, warm, fewer = solve(X, side, weight, 1.0, start=w)
    assert warm == pytest.approx(cold, rel=1e-4)
    assert fewer < steps


def test_a_stricter_tolerance_comes_closer():
    X, side, weight = tumours()
    _, loose, _ = solve(X, side, weight, 0.5, tolerance=1.0)
    _, strict, _ = solve(X, side, weight, 0.5, tolerance=1e-4)
    assert strict <= loose <= strict * 1.05


def test_float32_and_float64_agree():
    X, side, weight = digits()
    _, double, _ = solve(X, side, weight, 1.0)
    _, single, _ = solve(np.asfortranarray(X, np.float32), side, weight, 1.0)
    assert single == pytest.approx(double, rel=1e-4)
