"""Helpers: grow a tree from plain arrays, with the settings of a test."""

from __future__ import annotations

import numpy as np

from tanoak._grow import GrowSettings, grow_classes, grow_numbers
from tanoak._stakes import CLASS_CRITERIA
from tanoak._table import Columns, Table

CRITERIA = [*CLASS_CRITERIA, "squared_error", "absolute_error"]


def separates_numbers(criterion):
    """Whether a criterion is for regression."""
    return criterion in ("squared_error", "absolute_error")


def asked_by(criterion, y):
    """Return what a definition asks besides masses, without costs and by default."""
    n_classes = max(2, int(y.max()) + 1)
    if criterion == "cost":
        return {"costs": 1 - np.eye(n_classes)}
    if criterion == "expected_error":
        return {"added": np.ones(n_classes)}
    return {}


def make_table(X, n_levels=()):
    """Wrap values; column i has n_levels[i] categories, 0 for numbers."""
    n_levels = list(n_levels) + [0] * (X.shape[1] - len(n_levels))
    levels = tuple(tuple(f"l{k}" for k in range(n)) if n else None for n in n_levels)
    return Table(X, Columns(tuple(f"x{i}" for i in range(X.shape[1])), levels, False))


def grow(X, y, criterion="gini", *, weight=None, n_levels=(), costs=None, **limits):
    """Grow with the settings of a test."""
    grow_settings = GrowSettings(criterion=criterion, **limits)
    table = make_table(X, n_levels)
    if separates_numbers(criterion):
        return grow_numbers(table, y, grow_settings, sample_weight=weight)
    classes = tuple(range(max(2, int(y.max()) + 1)))
    return grow_classes(
        table, y, costs, grow_settings, classes=classes, sample_weight=weight
    )
