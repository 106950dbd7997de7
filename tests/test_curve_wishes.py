"""A curve and wishes in; rows and costs to judge by out."""

from __future__ import annotations

import numpy as np
import pytest
from curves import credit_curve

from tanoak._curve_wishes import cost_values, safest_first
from tanoak.exceptions import ParameterError


def test_a_number_as_cost_is_the_ratio_of_alarm_to_miss():
    curve = credit_curve()
    by_number, by_name = (
        curve.select(cost=0.2),
        curve.select(cost={"bad": 5, "good": 1}),
    )
    assert by_number.position == by_name.position
    assert by_name.expected_cost == pytest.approx(5 * by_number.expected_cost)


def test_nothing_is_promised_without_rows_set_aside():
    curve = credit_curve()
    with pytest.raises(ParameterError, match="rows that no tree has seen"):
        curve.select(max_fpr=0.1, confidence=0.95)
    training_only = credit_curve(cv=None)
    assert training_only.held_out is None
    with pytest.raises(ParameterError, match="training rows only, which flatter it"):
        training_only.select(max_fpr=0.1)
    with pytest.raises(ParameterError, match=r"data must be a tuple \(X, y\)"):
        curve.select(max_fpr=0.1, data=[[1.0], [2.0], [3.0]])


def test_the_safest_come_first_by_rows_that_do_not_decide():
    curve = credit_curve()
    order = safest_first(curve)
    assert np.all(np.diff(curve.held_out.fpr[order]) >= 0)
    assert sorted(order) == list(range(len(curve)))


def test_costs_in_every_form():
    curve = credit_curve()
    assert cost_values(curve, None) is None
    assert cost_values(curve, 0.2).tolist() == [[0, 1], [0.2, 0]]
    assert cost_values(curve, [[0, 5], [1, 0]]).tolist() == [[0, 5], [1, 0]]
    balanced = cost_values(curve, "balanced")
    assert balanced[0, 1] / balanced[1, 0] == pytest.approx(7 / 3)
    with pytest.raises(ParameterError, match="cost must be a number >= 0, got -1"):
        cost_values(curve, -1)
