"""False alarms in; candidates that surely obey out, by simulation."""

from __future__ import annotations

import numpy as np
import pytest
from curves import rates_of

from tanoak._bounds import upper_bound
from tanoak._guarantee import certified, require_certified
from tanoak.exceptions import NotFeasibleError


def test_testing_stops_at_the_first_that_fails():
    rates = rates_of([(0, 10), (3, 20), (40, 60), (0, 5)], n_negative=1000)
    passed = certified(rates, np.array([0, 1, 2, 3]), 0.02, 0.95)
    assert passed.tolist() == [True, True, False, False]
    assert upper_bound(3, 1000, 0.95) <= 0.02


@pytest.mark.parametrize("n_negative", [400, 1500])
def test_the_promise_is_broken_as_seldom_as_it_says(n_negative):
    # Candidates whose true rates straddle the limit; the boldest that passes is taken.
    random = np.random.default_rng(0)
    true = np.array([0.0, 0.0002, 0.0101, 0.0102, 0.02, 0.05])
    n_broken, n_repeats = 0, 2000
    for _ in range(n_repeats):
        alarms = random.binomial(n_negative, true)
        rates = rates_of([(fp, 50) for fp in alarms], n_negative)
        passed = certified(rates, np.arange(len(true)), 0.01, 0.95)
        n_broken += true[passed].max(initial=0) > 0.01
    # 5 % may be broken; 6.6 % would be more than three standard errors.
    assert n_broken / n_repeats < 0.065
    assert n_broken > 0


def test_too_few_rows_are_counted_for_the_user():
    with pytest.raises(NotFeasibleError, match="from 100 rows .* takes 299 or more"):
        require_certified(rates_of([(0, 5)]), np.array([0]), 0.01, 0.95)


def test_a_tree_that_never_alarms_is_no_answer():
    rates = rates_of([(0, 0), (20, 50)], n_negative=1000)
    with pytest.raises(NotFeasibleError, match="the safest tree that alarms .* 0.028"):
        require_certified(rates, np.array([0, 1]), 0.01, 0.95)
    with pytest.raises(NotFeasibleError, match="give a limit above 0"):
        require_certified(rates, np.array([0, 1]), 0.0, 0.95)


def test_those_that_pass_come_back():
    rates = rates_of([(0, 0), (1, 50), (9, 60)], n_negative=1000)
    passed = require_certified(rates, np.array([0, 1, 2]), 0.01, 0.95)
    assert passed.tolist() == [True, True, False]
