"""Counts in; rates and costs out, against scikit-learn and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from curves import rates_of
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.metrics import confusion_matrix, recall_score
from trees import QUICK

from tanoak import cost_loss
from tanoak._rates import Rates, join_rates

confusions = arrays(np.int64, (2, 3, 3), elements=st.integers(0, 20)).filter(
    lambda counts: (counts.sum(axis=2) > 0).all()
)


@QUICK
@given(confusions, st.integers(0, 2))
def test_one_class_against_the_rest_as_scikit_learn_has_it(counts, positive):
    rates = Rates(counts, counts.astype(float), positive, "here")
    for model, table in enumerate(counts):
        true = np.repeat(np.repeat(np.arange(3), 3), table.ravel())
        answer = np.repeat(np.tile(np.arange(3), 3), table.ravel())
        tn, fp, fn, tp = confusion_matrix(
            true == positive, answer == positive, labels=[False, True]
        ).ravel()
        assert (rates.tn[model], rates.fp[model]) == (tn, fp)
        assert (rates.fn[model], rates.tp[model]) == (fn, tp)
        assert rates.fpr[model] == pytest.approx(fp / (fp + tn))
        assert rates.tpr[model] == pytest.approx(
            recall_score(true == positive, answer == positive)
        )
        one = rates.take(np.array([model]))
        assert one.alert_rate()[0] == pytest.approx((answer == positive).mean())


COST = np.array([[0.0, 2.0, 7.0], [1.0, 0.0, 3.0], [20.0, 5.0, 0.0]])


@QUICK
@given(confusions)
def test_expected_cost_is_the_mean_cost_of_a_row(counts):
    rates = Rates(counts, counts.astype(float), 2, "here")
    for model, table in enumerate(counts):
        true = np.repeat(np.repeat(np.arange(3), 3), table.ravel())
        answer = np.repeat(np.tile(np.arange(3), 3), table.ravel())
        # The shares of the classes are those of the first model.
        shares = counts[0].sum(axis=1) / counts[0].sum()
        by_class = [
            cost_loss(true[true == k], answer[true == k], cost=COST, classes=[0, 1, 2])
            for k in range(3)
        ]
        assert rates.expected_cost(COST)[model] == pytest.approx(shares @ by_class)


def test_prevalence_moves_shares_and_what_follows_from_them():
    rates = rates_of([(10, 80)], n_negative=100, n_positive=100)
    assert rates.shares(0.02).tolist() == pytest.approx([0.98, 0.02])
    assert rates.alert_rate(0.02)[0] == pytest.approx(0.98 * 0.1 + 0.02 * 0.8)
    cost = np.array([[0.0, 3.0], [50.0, 0.0]])
    paid = 0.98 * 0.1 * 3 + 0.02 * 0.2 * 50
    assert rates.expected_cost(cost, 0.02)[0] == pytest.approx(paid)


def test_weights_count_in_rates_and_not_in_counts():
    counts = np.array([[[8, 2], [1, 9]]])
    masses = np.array([[[8.0, 8.0], [1.0, 3.0]]])
    rates = Rates(counts, masses, 1, "here")
    assert (rates.fpr[0], rates.tpr[0]) == (0.5, 0.75)
    assert (rates.fp[0], rates.tp[0]) == (2, 9)
    low, high = rates.fpr_interval(0)
    assert low < 0.2 < high  # of the counts


def test_joined_and_taken_apart():
    one, two = rates_of([(1, 2)]), rates_of([(3, 4), (5, 6)])
    both = join_rates([one, two])
    assert both.fp.tolist() == [1, 3, 5]
    assert both.take(np.array([2, 0])).tp.tolist() == [6, 2]
    assert len(both) == 3
