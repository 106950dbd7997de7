"""Helpers: rates with given counts, and small curves on real and drawn data."""

from __future__ import annotations

import functools

import numpy as np
from hypothesis import strategies as st

from tanoak import GreedyTreeClassifier, cost_optimal_curve
from tanoak._choice import Sizes
from tanoak._rates import Rates
from tanoak.datasets import load_german_credit


def rates_of(points, n_negative=100, n_positive=100, source="on the rows given"):
    """Make rates of (false alarms, hits)."""
    counts = np.array(
        [[[n_negative - fp, fp], [n_positive - tp, tp]] for fp, tp in points]
    )
    return Rates(counts, counts.astype(float), positive=1, source=source)


def sizes_of(n_leaves):
    """Give sizes that rise with the leaves."""
    return Sizes(np.array(n_leaves), np.array(n_leaves) - 1)


def drawn(seed=0, n_rows=400, n_classes=2):
    """Draw rows of classes that overlap; the last class is rare."""
    random = np.random.default_rng(seed)
    shares = np.array([4.0] * (n_classes - 1) + [1.0])
    y = random.choice(n_classes, n_rows, p=shares / shares.sum())
    X = random.normal(size=(n_rows, 4)) + y[:, None] * [0.8, 0.4, 0.0, 0.0]
    return X, y


def small_tree(**settings):
    """Give a learner that takes little time."""
    return GreedyTreeClassifier(max_leaf_nodes=6, min_samples_leaf=5, **settings)


@functools.cache
def credit_curve(**settings):
    """Make a curve for German credit, once for each setting."""
    credit = load_german_credit()
    settings = {"beta": 2, "max_trees": 9, "positive": "bad", **settings}
    return cost_optimal_curve(small_tree(), credit.columns, credit.target, **settings)


points = st.lists(
    st.tuples(st.integers(0, 100), st.integers(0, 100)), min_size=1, max_size=12
)
