"""Ranges of costs in; winners and regrets out, against a grid."""

from __future__ import annotations

import numpy as np
import pytest
from curves import points, rates_of
from hypothesis import given
from hypothesis import strategies as st
from trees import QUICK

from tanoak._uncertainty import weigh_ranges
from tanoak.exceptions import ParameterError

ends = st.tuples(st.floats(0.1, 10), st.floats(0.1, 10)).map(sorted)


@QUICK
@given(points, ends, ends)
def test_winners_and_regret_as_on_a_fine_grid(found, cost_fp, cost_fn):
    rates = rates_of(found)
    result = weigh_ranges(rates, tuple(cost_fp), tuple(cost_fn))
    low, high = result.odds
    assert (low, high) == (cost_fp[0] / cost_fn[1], cost_fp[1] / cost_fn[0])
    grid = np.append(np.geomspace(low, high, 500), np.clip(1.0, low, high))
    cost = (1 - rates.tpr)[:, None] + rates.fpr[:, None] * grid
    edges = [low, *result.break_even, high]
    assert np.all(np.diff(edges) >= 0)
    winner = result.winners[np.searchsorted(result.break_even, grid)]
    chosen = cost[winner, np.arange(len(grid))]
    assert chosen == pytest.approx(cost.min(axis=0), abs=1e-12)
    regret = ((cost - cost.min(axis=0)) / np.maximum(1, grid)).max(axis=1)
    assert np.all(result.regret >= regret - 1e-9)
    assert result.regret == pytest.approx(regret, abs=0.02)
    assert result.regret[result.safest] == result.regret.min()


def test_prevalence_widens_the_odds():
    result = weigh_ranges(rates_of([(5, 50)]), (1, 1), (50, 50), (0.01, 0.02))
    assert result.odds == pytest.approx((0.98 / 0.02 / 50, 0.99 / 0.01 / 50))
    assert result.to_dict()["tree"] == [0]
    assert "tree 0 is the cheapest" in str(result)


@pytest.mark.parametrize(
    "wrong",
    [(2, 1), (0, 1), (-1, 1), 3, (1, 2, 3), ("a", "b"), (float("nan"), 1)],
)
def test_what_is_no_range_is_refused(wrong):
    with pytest.raises(ParameterError, match="cost_fp must be a pair"):
        weigh_ranges(rates_of([(5, 50)]), wrong, (1, 2))
    with pytest.raises(ParameterError, match="prevalence must be a pair"):
        weigh_ranges(rates_of([(5, 50)]), (1, 2), (1, 2), (0.5, 1.0))
