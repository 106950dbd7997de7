"""A learner in; entries along a path of costs out."""

from __future__ import annotations

import numpy as np
from curves import drawn, small_tree

from tanoak._path_fits import Learner
from tanoak._path_input import read_rows, with_folds
from tanoak._path_run import PathSettings, Run, make_path

X, Y = drawn(0)
BASE = 1 - np.eye(2)


class Noting(Learner):
    """Notes which model each fit starts from."""

    def fit(self, rows, cost, start=None):
        tree = super().fit(rows, cost)
        starts[id(tree)] = start
        kept.append(tree)
        return tree


starts, kept = {}, []


def entries_of(path, **settings):
    """Make a path and return its entries."""
    rows = read_rows(small_tree(), X, Y, positive=None, sample_weight=None)
    rows = with_folds(rows, 3, 0)
    settings = PathSettings(path=path, beta=2, resolution=None, max_trees=6, **settings)
    run = Run(rows, Noting(small_tree()), settings, None)
    return make_path(run, 0.25, BASE)


def test_a_warm_path_starts_each_part_from_its_own_neighbour():
    entries = entries_of("warm")
    base = next(place for place, e in enumerate(entries) if e.ratio == 0.25)
    assert starts[id(entries[base].whole.model)] is None
    for place, entry in enumerate(entries):
        if place == base:
            continue
        near = entries[place + (1 if place < base else -1)]
        assert starts[id(entry.whole.model)] is near.whole.model
        for part, other in zip(entry.folds, near.folds, strict=True):
            assert starts[id(part.model)] is other.model


def test_a_fresh_path_starts_anew():
    assert all(starts[id(e.whole.model)] is None for e in entries_of("fresh"))


def test_costs_stay_in_their_range():
    ratios = [e.ratio for e in entries_of("fresh", cost_range=(0.2, 0.6))]
    assert ratios == [0.25, 0.5]
    ratios = [e.ratio for e in entries_of("fresh", cost_range=(0.5, 1.0))]
    assert ratios == [0.5, 1.0]
