"""Points in ROC space in; front, hull and areas out, against their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial import ConvexHull
from trees import QUICK

from tanoak._roc import (
    front_positions,
    hull_positions,
    staircase_area,
    trapezoid_area,
)

# Tenths, so that equal and collinear points occur.
rate = st.integers(0, 10).map(lambda tenth: tenth / 10)
clouds = st.lists(st.tuples(rate, rate), min_size=1, max_size=30).map(np.array)


@QUICK
@given(clouds)
def test_the_front_is_what_nothing_beats(points):
    front = points[front_positions(points)]
    for fpr, tpr in points:
        better = (points[:, 0] <= fpr) & (points[:, 1] >= tpr)
        beaten = (better & (points != [fpr, tpr]).any(axis=1)).any()
        assert beaten != ((front == [fpr, tpr]).all(axis=1)).any()
    assert (np.diff(front, axis=0) > 0).all()


@QUICK
@given(clouds)
def test_the_hull_is_the_cheapest_point_for_every_ratio(points):
    corners = hull_positions(points)
    for angle in np.linspace(0.01, np.pi / 2 - 0.01, 97):
        value = points @ [-np.sin(angle), np.cos(angle)]
        assert value[corners].max() == pytest.approx(value.max(), abs=1e-12)
    slopes = np.diff(points[corners], axis=0)
    assert (np.diff(slopes[:, 1] / slopes[:, 0]) < 0).all()


def test_the_area_of_the_hull_as_scipy_computes_it():
    points = np.random.default_rng(0).random((50, 2))
    ends = np.vstack((points, [[0, 0], [1, 1]]))
    theirs = ConvexHull(np.vstack((ends, [[1, 0]]))).volume
    assert trapezoid_area(points[hull_positions(points)][:0]) == 0.5
    corners = ends[hull_positions(ends)]
    assert trapezoid_area(corners) == pytest.approx(theirs)


@QUICK
@given(clouds)
def test_the_staircase_is_the_mean_of_the_best_rate_within_a_limit(points):
    limits = (np.arange(1000) + 0.5) / 1000
    best = [points[points[:, 0] <= x, 1].max(initial=0.0) for x in limits]
    assert staircase_area(points) == pytest.approx(np.mean(best), abs=1e-9)
