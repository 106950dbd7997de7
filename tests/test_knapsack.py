"""Items in; the best subset within a budget out, against all subsets."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trees import QUICK

from tanoak._knapsack import best_subset

whole = st.integers(0, 30).map(float)
real = st.floats(0, 10, allow_subnormal=False)
items = st.one_of(
    st.lists(st.tuples(whole, whole), max_size=9),
    st.lists(st.tuples(real, real), max_size=9),
)


@QUICK
@given(items, st.floats(0, 60))
def test_no_subset_is_better(drawn, budget):
    gain, weight = np.array(drawn, dtype=float).reshape(-1, 2).T
    chosen = best_subset(gain, weight, budget)
    subsets = np.array(list(product([False, True], repeat=len(gain))))
    totals = [(gain[x].sum(), weight[x].sum()) for x in subsets.astype(bool)]
    best = max(g for g, w in totals if w <= budget)
    assert gain[chosen].sum() == pytest.approx(best)
    assert weight[chosen].sum() <= budget * (1 + 1e-12)
    lightest = min(w for g, w in totals if g >= best and w <= budget)
    if (gain == np.rint(gain)).all():
        assert weight[chosen].sum() == pytest.approx(lightest)


def test_many_items_of_whole_weights_are_quick():
    random = np.random.default_rng(0)
    gain, weight = random.integers(1, 200, (2, 2000)).astype(float)
    chosen = best_subset(gain, weight, 30_000.0)
    relaxed = np.sort(gain / weight)[::-1]
    assert weight[chosen].sum() <= 30_000
    # The best ratio first, until nothing fits, is nearly as good and never better.
    order, greedy, used = np.argsort(-gain / weight), 0.0, 0.0
    for item in order:
        if used + weight[item] <= 30_000:
            used, greedy = used + weight[item], greedy + gain[item]
    assert greedy <= gain[chosen].sum() <= greedy + relaxed.max() * 200
