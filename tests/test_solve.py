"""The solvers of one node's problem, against thresholds along many directions."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_wine

from tanoak import _core

DEFAULTS = {"exact": False, "n_pairs": 0, "tolerance": 0.0, "effort": 0}


def solve(X, stakes, *, price=0, n_threads=1, **settings):
    """Solve for a pair of plain columns."""
    n_columns = X.shape[1]
    return _core.solve_pair(
        X,
        [0] * n_columns,
        [0.0] * n_columns,
        np.asarray(stakes, dtype=np.int64),
        price,
        DEFAULTS | settings,
        n_threads,
    )


def loss_along(values, stakes):
    """Lose least with one threshold on some values, either way round."""
    order = np.argsort(values, kind="stable")
    left = np.cumsum(stakes[order])
    cut = np.append(values[order][1:] != values[order][:-1], True)
    best = max(0, *np.abs(2 * left[cut] - stakes.sum()) - abs(stakes.sum()))
    return (np.abs(stakes).sum() - abs(stakes.sum()) - best) // 2


def loss_of(X, stakes, found):
    """Lose what the split sends to the wrong side."""
    terms = found["terms"]
    projected = sum(weight * X[:, column] for column, _, weight in terms)
    left = projected <= found["threshold"]
    return np.abs(stakes[left != (stakes > 0)]).sum()


@pytest.mark.parametrize("target", [0, 1, 2])
def test_no_direction_loses_less_than_a_certified_split(target):
    X, y = load_wine(return_X_y=True)
    stakes = np.where(y == target, 3, -2)
    found = solve(X, stakes, exact=True)
    assert found["certificate"] == "optimal"
    assert found["n_searched"] == found["n_pairs"] == 13 * 12 // 2
    assert found["bound"] == found["loss"] == loss_of(X, stakes, found)
    scaled = (X - X.mean(axis=0)) / X.std(axis=0)
    for angle in np.linspace(0, np.pi, 20, endpoint=False):
        for i in range(13):
            for j in range(i + 1, 13):
                values = np.cos(angle) * scaled[:, i] + np.sin(angle) * scaled[:, j]
                assert loss_along(values, stakes) >= found["loss"]


def test_the_ranking_finds_what_all_pairs_give():
    X, y = load_wine(return_X_y=True)
    for target in range(3):
        stakes = np.where(y == target, 1, -1)
        ranked = solve(X, stakes, n_pairs=20)
        assert ranked["n_searched"] <= 20
        assert ranked["loss"] == solve(X, stakes, exact=True)["loss"]


def test_types_layouts_and_threads_do_not_matter():
    random = np.random.default_rng(0)
    X = random.normal(size=(700, 5)).astype(np.float32)
    stakes = np.where(X[:, 1] + X[:, 3] + random.normal(size=700) > 0.3, 2, -3)
    expected = solve(X.astype(float), stakes)
    assert {column for column, _, _ in expected["terms"]} == {1, 3}
    for n_threads in (1, 2, 4):
        assert solve(X, stakes, n_threads=n_threads) == expected
        assert solve(np.asfortranarray(X), stakes, n_threads=n_threads) == expected


def test_rows_without_a_stake_do_not_count_and_a_price_does():
    X, y = load_wine(return_X_y=True)
    stakes = np.where(y == 0, 1, -1) * (y < 2)
    found = solve(X, stakes, exact=True)
    assert len(found["terms"]) == 2
    assert found == solve(X[y < 2], stakes[y < 2], exact=True)
    gain = min((stakes > 0).sum(), (stakes < 0).sum()) - found["loss"]
    assert len(solve(X, stakes, price=gain - 1, exact=True)["terms"]) == 2
    dear = solve(X, stakes, price=gain, exact=True)
    assert dear["terms"] == []
    assert dear["all_left"] == ((stakes > 0).sum() >= (stakes < 0).sum())


def test_lengths_are_compared():
    with pytest.raises(ValueError, match="an entry for each row"):
        solve(np.zeros((3, 2)), [1, -1])
