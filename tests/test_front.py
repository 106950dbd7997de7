"""Optimal classifiers in; both forms of the problem out: theorems B.1 to B.3."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trees import QUICK

from tanoak.exact import ExactCurve, exact_stump_curve
from tanoak.exceptions import NotFeasibleError

column = st.lists(
    st.tuples(st.integers(0, 12), st.booleans()), min_size=2, max_size=20
).filter(lambda found: len({hit for _, hit in found}) == 2)
ratios = st.lists(st.floats(0.01, 50), min_size=2, max_size=6).map(sorted)


def curve_of(found):
    """Make the curve of one column."""
    return exact_stump_curve([[float(x)] for x, _ in found], [hit for _, hit in found])


@QUICK
@given(column, ratios)
def test_b1_alarms_fall_misses_and_cost_rise_with_the_ratio(found, ratios):
    curve = curve_of(found)
    best = [curve.cheapest(ratio) for ratio in ratios]
    assert np.all(np.diff(curve.fp[best]) <= 0)
    assert np.all(np.diff(curve.fn[best]) >= 0)
    costs = [curve.cost(ratio) for ratio in ratios]
    assert np.all(np.diff(costs) >= -1e-9)


@QUICK
@given(column)
def test_b2_the_least_cost_is_continuous_and_piecewise_linear(found):
    curve = curve_of(found)
    table = curve.penalty_form()
    ends = [*table["ratio"], table["ratio"][-1] + 10]
    pieces = list(zip(table["fp"], table["fn"], ends[:-1], ends[1:], strict=True))
    for fp, fn, low, high in pieces:
        for ratio in np.linspace(low, high, 5):
            assert curve.cost(ratio) == pytest.approx(fn + fp * ratio)
    assert all(fp > 0 for fp, *_ in pieces[:-1])  # strictly rising but for the last
    assert np.all(np.diff(table["ratio"]) > 0)


@QUICK
@given(column)
def test_b3_what_the_penalty_finds_the_constraint_finds(found):
    curve = curve_of(found)
    table = curve.penalty_form()
    for fp, fn, model in zip(table["fp"], table["fn"], table["model"], strict=True):
        assert curve.within(fp) == model
        assert curve.fn[model] == fn
    assert set(table["model"]) <= set(curve.constraint_form()["model"])


def test_what_lies_under_the_hull_is_found_by_a_limit_alone():
    # Two alarms for one hit, then one more alarm for three hits: no ratio of costs
    # asks for the first step alone.
    found = [(0, True), (1, False), (1, False), (2, True), (3, False)]
    found += [(4, True), (4, True), (4, True)]
    found += [(5 + i, False) for i in range(6)]  # from above it is no use
    curve = curve_of(found)
    table = curve.penalty_form()
    inside = set(range(len(curve))) - set(table["model"])
    assert inside
    for model in inside:
        assert curve.within(int(curve.fp[model])) == model
        assert all(
            curve.fn[model] + r * curve.fp[model] > curve.cost(r)
            for r in np.geomspace(1e-3, 1e3, 500)
        )


def test_limits_and_rates():
    curve = curve_of([(0, True), (1, False), (2, True), (3, False)])
    assert curve.points[curve.within(1)].tolist() == [0.5, 1.0]
    beyond = ExactCurve(np.array([3]), np.array([0]), 4, 2, (None,))
    with pytest.raises(NotFeasibleError, match="out of reach: the least is 3"):
        beyond.within(1)
