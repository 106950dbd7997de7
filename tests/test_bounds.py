"""Counts in; exact binomial bounds out, against the definition and by simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom, binomtest

from tanoak._bounds import interval, rows_needed, upper_bound


@pytest.mark.parametrize("hits", [0, 1, 5, 49])
def test_at_the_bound_so_few_hits_are_as_rare_as_allowed(hits):
    bound = upper_bound(hits, 50, 0.95)
    assert binom.cdf(hits, 50, bound) == pytest.approx(0.05)


@pytest.mark.parametrize("hits", [0, 3, 20])
def test_both_sides_as_scipy_has_them(hits):
    theirs = binomtest(hits, 20).proportion_ci(0.95, method="exact")
    assert interval(hits, 20) == pytest.approx((theirs.low, theirs.high))


def test_of_no_rows_nothing_is_known():
    assert interval(0, 0) == (0.0, 1.0)
    assert upper_bound(0, 0, 0.95) == 1.0
    assert upper_bound(7, 7, 0.95) == 1.0


@pytest.mark.parametrize("rate", [0.01, 0.07, 0.3])
def test_the_bound_fails_as_seldom_as_it_says(rate):
    hits = np.arange(101)
    holds = np.array([upper_bound(x, 100, 0.9) >= rate for x in hits])
    assert binom.pmf(hits, 100, rate)[holds].sum() >= 0.9


@pytest.mark.parametrize("limit", [0.0005, 0.001, 0.01, 0.1, 0.5, 0.96, 1.0 - 1e-9])
@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
def test_fewest_rows_that_can_show_it(limit, confidence):
    rows = rows_needed(limit, confidence)
    assert upper_bound(0, rows, confidence) <= limit
    assert rows == 1 or upper_bound(0, rows - 1, confidence) > limit
