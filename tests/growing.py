"""Helpers: grow a tree from plain arrays, with the settings of a test."""

from __future__ import annotations

from tanoak._grow import GrowSettings, grow_classes, grow_numbers
from tanoak._table import Columns, Table

CRITERIA = ["gini", "entropy", "squared_error"]


def make_table(X, n_levels=()):
    """Wrap values; column i has n_levels[i] categories, 0 for numbers."""
    n_levels = list(n_levels) + [0] * (X.shape[1] - len(n_levels))
    levels = tuple(tuple(f"l{k}" for k in range(n)) if n else None for n in n_levels)
    return Table(X, Columns(tuple(f"x{i}" for i in range(X.shape[1])), levels, False))


def grow(X, y, criterion="gini", *, weight=None, n_levels=(), costs=None, **limits):
    """Grow with the settings of a test."""
    grow_settings = GrowSettings(criterion=criterion, **limits)
    table = make_table(X, n_levels)
    if criterion == "squared_error":
        return grow_numbers(table, y, grow_settings, sample_weight=weight)
    classes = tuple(range(max(2, int(y.max()) + 1)))
    return grow_classes(
        table, y, costs, grow_settings, classes=classes, sample_weight=weight
    )
