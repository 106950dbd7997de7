"""Rows in; the best cut by two features with its proof out, against every line."""

from __future__ import annotations

import pytest
from sklearn.datasets import load_breast_cancer
from test_line import all_lines, drawn

from tanoak.exact import exact_line, exact_pair, exact_stump_curve
from tanoak.exceptions import ParameterError


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("ratio", [0.3, 1.0, 2.5])
def test_no_line_in_the_plane_is_better(seed, ratio):
    X, hit = drawn(seed)
    found = exact_pair(X, hit, ratio=ratio)
    best = min(fn + ratio * fp for fp, fn in all_lines(X, hit))
    assert found.cost == pytest.approx(best)
    assert found.certificate in ("optimal", "slope")
    assert found.cost == pytest.approx(exact_line(X, hit, ratio=ratio).cost)
    answer = found.tree.predict(X)
    assert ((answer & ~hit).sum(), (~answer & hit).sum()) == (found.fp, found.fn)


def test_all_pairs_of_real_columns():
    X, y = load_breast_cancer(return_X_y=True)
    for ratio in (0.2, 1.0, 10.0):
        found = exact_pair(X[:, :8], y, ratio=ratio, positive=0)
        stumps = exact_stump_curve(X[:, :8], y, positive=0)
        assert found.bound <= found.cost <= stumps.cost(ratio)
        called = found.tree.predict(X[:, :8]) == 0
        paid = (~called & (y == 0)).sum() + ratio * (called & (y == 1)).sum()
        assert found.cost == pytest.approx(paid)
        assert found.tree.classes == (0, 1)


def test_where_no_pair_helps_a_stump_or_a_constant_comes_back():
    one = exact_pair([[1.0], [2.0], [3.0]], ["a", "b", "b"], ratio=1)
    assert (one.cost, one.certificate) == (0, "optimal")
    assert one.tree.predict([[1.0], [3.0]]).tolist() == ["a", "b"]
    free = exact_pair([[1.0, 2.0], [2.0, 1.0]], ["a", "b"], ratio=0)
    assert free.cost == 0


def test_a_ratio_beyond_the_search_is_refused():
    with pytest.raises(ParameterError, match="ratio must be a number >= 0 and <="):
        exact_pair([[1.0], [2.0]], [0, 1], ratio=1e9)
