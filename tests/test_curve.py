"""A curve in; points, areas and choices out."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from curves import credit_curve, drawn, points, rates_of, small_tree
from hypothesis import given
from hypothesis import strategies as st
from trees import QUICK

from tanoak import CostCurve, cost_optimal_curve
from tanoak.exceptions import NotFeasibleError, ParameterError


def curve_of(found):
    """Make a curve of these points, without trees."""
    rates = rates_of(found)
    n = len(found)
    return CostCurve(
        classes=("-", "+"),
        positive="+",
        models=(None,) * n,
        cost_ratios=np.arange(1.0, n + 1),
        costs=(None,) * n,
        objectives=np.zeros(n),
        training=rates,
        held_out=rates,
    )


@QUICK
@given(points)
def test_front_and_hull_are_what_they_say(found):
    curve = curve_of(found)
    fpr, tpr = curve.points[curve.front()].T
    assert np.all(np.diff(fpr) > 0)
    assert np.all(np.diff(tpr) > 0)
    for x, y in curve.points:
        assert tpr[fpr <= x].max() >= y
    corners = curve.points[curve.hull()]
    slopes = np.diff(corners[:, 1]) / np.diff(corners[:, 0])
    assert np.all(np.diff(slopes) < 1e-12)


@QUICK
@given(points)
def test_areas_are_ordered_and_lie_between_zero_and_one(found):
    curve = curve_of(found)
    staircase, hull = curve.area(), curve.area("hull")
    assert 0 <= staircase <= hull + 1e-12
    assert hull <= 1 + 1e-12
    assert curve.area("trapezoid") <= hull + 1e-12


def test_areas_by_hand():
    curve = curve_of([(0, 40), (50, 60), (100, 100)])
    assert curve.area() == pytest.approx(0.5 * 0.4 + 0.5 * 0.6)
    assert curve.area("trapezoid") == pytest.approx(0.5 * 0.5 + 0.5 * 0.8)
    assert curve.area("hull") == pytest.approx((0.4 + 1.0) / 2)
    with pytest.raises(ParameterError, match="kind must be 'staircase', 'hull'"):
        curve.area("roc")


@QUICK
@given(points, st.integers(0, 100))
def test_a_point_of_the_curve_can_always_be_asked_for(found, pick):
    curve = curve_of([*found, (0, 0), (100, 100)])
    curve.__dict__["sizes"] = type(credit_curve().sizes)(
        np.ones(len(curve), int), np.zeros(len(curve), int)
    )
    fpr, tpr = curve.points[pick % len(curve)]
    point = curve.select(max_fpr=fpr, min_tpr=tpr)
    assert point.fpr <= fpr
    assert point.tpr >= tpr


def test_choices_on_other_rows_are_counted_there():
    X, y = drawn(1)
    curve = cost_optimal_curve(small_tree(), X, y, max_trees=7)
    other = drawn(2)
    point = curve.select(max_fpr=0.3, data=other)
    answers = point.model.predict(other[0])
    assert point.fp == ((answers == 1) & (other[1] == 0)).sum()
    assert point.tp == ((answers == 1) & (other[1] == 1)).sum()
    assert point.source == "on the rows given"


def test_what_was_set_aside_holds_limits():
    X, y = drawn(3, n_rows=2000)
    curve = cost_optimal_curve(small_tree(), X[:1000], y[:1000], max_trees=9)
    calibrated = curve.with_calibration(X[1000:], y[1000:])
    point = calibrated.select(max_fpr=0.2, confidence=0.95)
    assert point.source == "on the rows set aside"
    assert point.fpr <= point.fpr_bound <= 0.2
    assert point.tp > 0
    with pytest.raises(NotFeasibleError, match="it takes 2995 or more"):
        calibrated.select(max_fpr=0.001, confidence=0.95)


def test_a_pickle_is_small_and_answers_alike():
    curve = credit_curve()
    again = pickle.loads(pickle.dumps(curve))
    assert again.select(max_fpr=0.2).position == curve.select(max_fpr=0.2).position
    assert len(pickle.dumps(curve)) < 200_000


def test_a_curve_is_a_sequence_of_trees():
    curve = credit_curve()
    assert list(curve) == list(curve.models)
    assert curve[0] is curve.models[0]
    assert repr(curve) == (
        f"<CostCurve: {len(curve)} trees, {len(curve.front())} on the front, measured "
        "out of fold (5 folds)>"
    )


def test_ranges_of_costs_are_passed_on():
    found = credit_curve().cost_uncertainty(cost_fp=(1, 2), cost_fn=(2, 10))
    assert set(found.winners) <= set(range(len(credit_curve())))
