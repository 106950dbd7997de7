"""Targets in; folds and held-out parts out: their sizes, the same again."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tanoak._folds import deal_folds, hold_out

TARGETS = st.lists(st.integers(0, 3), min_size=2, max_size=60).map(np.array)


@given(TARGETS, st.data())
def test_folds_have_their_share_of_all_rows_and_of_each_class(target, data):
    n_folds = data.draw(st.integers(1, len(target)))
    fold = deal_folds(target, n_folds, 3, by_class=True)
    sizes = np.bincount(fold, minlength=n_folds)
    assert sizes.max() - sizes.min() <= 1
    for code in np.unique(target):
        shares = np.bincount(fold[target == code], minlength=n_folds)
        assert shares.max() - shares.min() <= 1


@given(TARGETS, st.floats(0.001, 0.999))
def test_a_part_has_its_share_of_all_rows_and_of_each_class(target, fraction):
    held = hold_out(target, fraction, 3, by_class=True)
    n_rows = len(target)
    assert held.sum() == min(max(round(n_rows * fraction), 1), n_rows - 1)
    for code in np.unique(target):
        of_class = target == code
        assert abs(held[of_class].sum() - of_class.sum() * held.mean()) <= 1


@pytest.mark.parametrize("by_class", [False, True])
def test_the_seed_decides_all(by_class):
    target = np.arange(40) % 3
    first = deal_folds(target, 5, 1, by_class=by_class)
    assert (first == deal_folds(target, 5, 1, by_class=by_class)).all()
    assert (first != deal_folds(target, 5, 2, by_class=by_class)).any()
    held = hold_out(target, 0.3, 1, by_class=by_class)
    assert (held == hold_out(target, 0.3, 1, by_class=by_class)).all()
    assert (held != hold_out(target, 0.3, 2, by_class=by_class)).any()


def test_folds_do_not_depend_on_the_version_of_numpy():
    fold = deal_folds(np.zeros(12), 3, 7, by_class=False)
    assert fold.tolist() == [0, 2, 1, 1, 0, 1, 0, 0, 2, 2, 1, 2]


def test_each_row_is_in_each_part_now_and_then():
    target = np.arange(30) % 2
    parts = [hold_out(target, 0.25, seed, by_class=True) for seed in range(60)]
    assert np.any(parts, axis=0).all()
    assert not np.all(parts, axis=0).any()


def test_as_many_folds_as_rows():
    target = np.arange(9) % 2
    assert sorted(deal_folds(target, 9, 0, by_class=True)) == list(range(9))
