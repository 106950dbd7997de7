"""Entries of a path in; a curve between two constant answers out."""

from __future__ import annotations

import numpy as np
from curves import drawn, small_tree

from tanoak import cost_optimal_curve, relabel


def test_labelings_are_those_of_the_trees_of_the_path():
    X, y = drawn(0)
    settings = {"max_trees": 5, "resolution": None}
    plain = cost_optimal_curve(small_tree(), X, y, **settings)
    more = cost_optimal_curve(small_tree(), X, y, labelings=True, **settings)
    assert np.all(np.diff(more.cost_ratios) >= 0)
    shapes = {tree.threshold.tobytes() for tree in plain.models[1:-1]}
    assert {tree.threshold.tobytes() for tree in more.models[1:-1]} == shapes
    labelings = {_key(tree) for tree in more.models[1:-1]}
    for tree in plain.models[1:-1]:
        for cost in plain.costs[1:-1]:
            assert _key(relabel(tree, cost=cost)) in labelings


def _key(tree):
    """Tell trees apart by their splits and answers."""
    return tree.threshold.tobytes(), tree.label[tree.is_leaf].tobytes()


def test_without_a_positive_answer_the_largest_other_class_is_given():
    X, y = drawn(0, n_classes=3)
    curve = cost_optimal_curve(small_tree(), X, y, positive=2, max_trees=2)
    largest = np.bincount(y)[:2].argmax()
    assert set(curve[len(curve) - 1].predict(X)) == {largest}
    assert set(curve[0].predict(X)) == {2}
    assert np.isnan(curve.objectives[[0, -1]]).all()
