"""Rates and wishes in; the candidate to take out, against a look at each of them."""

from __future__ import annotations

import numpy as np
import pytest
from curves import points, rates_of, sizes_of
from hypothesis import given
from hypothesis import strategies as st
from trees import QUICK

from tanoak._choice import Wishes, choose
from tanoak.exceptions import NotFeasibleError, ParameterError

rate = st.one_of(st.none(), st.integers(0, 100).map(lambda x: x / 100))


@QUICK
@given(points, rate, rate, rate)
def test_nothing_allowed_is_better(found, max_fpr, min_tpr, max_alert_rate):
    rates = rates_of(found)
    sizes = sizes_of(np.arange(len(found)) % 3 + 1)
    wishes = Wishes(max_fpr=max_fpr, min_tpr=min_tpr, max_alert_rate=max_alert_rate)
    allowed = [
        (fp, tp)
        for fp, tp in found
        if (max_fpr is None or fp / 100 <= max_fpr)
        and (min_tpr is None or tp / 100 >= min_tpr)
        and (
            max_alert_rate is None
            or rates_of([(fp, tp)]).alert_rate()[0] <= max_alert_rate
        )
    ]
    if not allowed:
        with pytest.raises(NotFeasibleError):
            choose(rates, sizes, wishes)
        return
    fp, tp = found[choose(rates, sizes, wishes).model]
    assert (fp, tp) in allowed
    if max_fpr is not None or max_alert_rate is not None:
        assert tp == max(tp for _, tp in allowed)
    elif min_tpr is not None:
        assert fp == min(fp for fp, _ in allowed)
    else:
        assert fp - tp == min(fp - tp for fp, tp in allowed)


@QUICK
@given(points, st.floats(0.01, 100), st.one_of(st.none(), st.floats(0.01, 0.99)))
def test_with_costs_the_cheapest(found, ratio, prevalence):
    rates, sizes = rates_of(found), sizes_of([1] * len(found))
    cost = np.array([[0.0, ratio], [1.0, 0.0]])
    taken = choose(rates, sizes, Wishes(cost=cost, prevalence=prevalence)).model
    paid = rates.expected_cost(cost, prevalence)
    assert paid[taken] == paid.min()


def test_among_equals_the_smallest():
    rates = rates_of([(5, 50), (5, 50), (5, 50)])
    assert choose(rates, sizes_of([4, 2, 3]), Wishes(max_fpr=0.1)).model == 1
    assert choose(rates, sizes_of([4, 2, 3]), Wishes(max_fpr=0.1)).runner_up == 2


def test_sizes_are_limits_too():
    rates = rates_of([(5, 50), (5, 90)])
    assert choose(rates, sizes_of([2, 9]), Wishes(max_fpr=0.1, max_leaves=4)).model == 0
    wish = Wishes(max_fpr=0.1, max_features=1)
    assert choose(rates, sizes_of([2, 9]), wish).model == 0
    with pytest.raises(ParameterError, match="max_leaves is about trees"):
        choose(rates, sizes_of([-1, -1]), Wishes(max_leaves=4))


@pytest.mark.parametrize(
    ("wish", "hint"),
    [
        (
            {"max_fpr": 0.01},
            "reaches max_fpr=0.01 on the rows given: the nearest is max_fpr=0.05",
        ),
        ({"min_tpr": 0.99}, "the nearest is min_tpr=0.9"),
        ({"max_fpr": 0.06, "min_tpr": 0.8}, "max_fpr=0.3 or min_tpr=0.5 can"),
        ({"max_leaves": 1}, "the nearest is max_leaves=2"),
    ],
)
def test_a_refusal_names_the_nearest(wish, hint):
    rates, sizes = rates_of([(5, 50), (30, 90)]), sizes_of([2, 3])
    with pytest.raises(NotFeasibleError) as refused:
        choose(rates, sizes, Wishes(**wish))
    assert hint in str(refused.value)


@QUICK
@given(points, st.integers(7, 993))
def test_the_nearest_can_be_had(found, n_negative):
    found = [(fp % n_negative, tp) for fp, tp in found if fp % n_negative]
    if not found:
        return
    rates, sizes = rates_of(found, n_negative), sizes_of([1] * len(found))
    with pytest.raises(NotFeasibleError) as refused:
        choose(rates, sizes, Wishes(max_fpr=0.0))
    nearest = float(str(refused.value).rpartition("=")[2])
    assert choose(rates, sizes, Wishes(max_fpr=nearest))


@pytest.mark.parametrize("wrong", [-0.1, 1.5, "much", float("nan"), True])
@pytest.mark.parametrize("name", ["max_fpr", "min_tpr", "max_alert_rate"])
def test_what_is_no_rate_is_refused(name, wrong):
    with pytest.raises(ParameterError, match=f"{name} must be None or a number"):
        Wishes(**{name: wrong})


def test_a_confidence_wants_a_limit():
    with pytest.raises(ParameterError, match="give max_fpr with it"):
        Wishes(confidence=0.95)
