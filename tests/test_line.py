"""Rows in; the best linear rule with its proof out, against every line in the plane."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from tanoak.exact import exact_line
from tanoak.exceptions import ParameterError, TableError


def drawn(seed, n_rows=12):
    """Draw two classes that overlap in the plane."""
    random = np.random.default_rng(seed)
    hit = np.arange(n_rows) % 3 == 0
    return random.normal(size=(n_rows, 2)) + hit[:, None] * 0.8, hit


def all_lines(X, hit):
    """List (false alarms, misses) of every way a line can part the rows."""
    found = {(0, int(hit.sum())), (int((~hit).sum()), 0)}
    for a, b in combinations(range(len(X)), 2):
        along = X[b] - X[a]
        normal = np.array([-along[1], along[0]])
        # A line through two rows, turned and moved a little each way.
        for turn in (-1e-7, 1e-7):
            w = normal + turn * along
            at = X @ w
            for edge in (at[a], at[b]):
                for shift in (-1e-9, 1e-9):
                    left = at <= edge + shift
                    for answer in (left, ~left):
                        fp, fn = (answer & ~hit).sum(), (~answer & hit).sum()
                        found.add((int(fp), int(fn)))
    return found


@pytest.mark.parametrize("seed", range(6))
def test_no_line_in_the_plane_is_better(seed):
    X, hit = drawn(seed)
    points = all_lines(X, hit)
    for ratio in (0.3, 1.0, 2.5):
        found = exact_line(X, hit, ratio=ratio)
        assert found.cost == pytest.approx(min(fn + ratio * fp for fp, fn in points))
        assert found.gap == pytest.approx(0, abs=1e-6)
    for max_fp in (0, 1, 3):
        found = exact_line(X, hit, max_fp=max_fp)
        assert found.fp <= max_fp
        assert found.fn == min(fn for fp, fn in points if fp <= max_fp)


def test_the_tree_errs_as_it_says_in_units_of_the_columns():
    X, hit = drawn(0, n_rows=30)
    X = X * [1e6, 1e-3] + [5e7, 0.0]
    found = exact_line(X, hit, ratio=0.5)
    answer = found.tree.predict(X)
    assert ((answer & ~hit).sum(), (~answer & hit).sum()) == (found.fp, found.fn)
    assert found.cost == found.fn + 0.5 * found.fp
    assert found.bound <= found.cost


def test_a_time_limit_gives_a_rule_and_its_gap():
    X, hit = drawn(1, n_rows=150)
    found = exact_line(X, hit, ratio=0.6, time_limit=0.05)
    assert 0 <= found.gap <= 1
    assert found.cost <= min(hit.sum(), 0.6 * (~hit).sum())


def test_weighted_surrogates_are_never_better():
    from sklearn.linear_model import LogisticRegression

    X, hit = drawn(2, n_rows=60)
    for ratio in (0.3, 1.0, 2.0):
        weight = np.where(hit, 1.0, ratio)
        line = LogisticRegression(C=100).fit(X, hit, sample_weight=weight)
        answer = line.predict(X)
        paid = (~answer & hit).sum() + ratio * (answer & ~hit).sum()
        assert exact_line(X, hit, ratio=ratio).cost <= paid


@pytest.mark.parametrize("settings", [{}, {"ratio": 1, "max_fp": 2}])
def test_one_question_at_a_time(settings):
    X, hit = drawn(0)
    with pytest.raises(ParameterError, match="takes one of ratio and max_fp"):
        exact_line(X, hit, **settings)
    with pytest.raises(ParameterError, match="ratio must be None or a number >= 0"):
        exact_line(X, hit, ratio=-1)
    with pytest.raises(TableError):
        exact_line([["a"]] * 12, hit, ratio=1)
