"""In: the rows of a node; out: the best cut by two features, by trying everything.

The other way to grow trees of pairs: for each pair of features and each direction a
column of its own (the augmented matrix), and then cuts of one column.
"""

from __future__ import annotations

import itertools

import numpy as np


def angles(n_orientations):
    """Directions between those of the axes, evenly spread over half a turn."""
    return np.pi * (np.arange(n_orientations) + 0.5) / n_orientations


def augmented(X, n_orientations):
    """Add a column for each pair of columns and direction, in units of their spread."""
    scale = X.std(axis=0)
    columns = [X]
    for i, j in itertools.combinations(np.flatnonzero(scale > 0), 2):
        turn = angles(n_orientations)
        columns.append(
            np.outer(X[:, i] / scale[i], np.cos(turn))
            + np.outer(X[:, j] / scale[j], np.sin(turn))
        )
    return np.hstack(columns)


def purity(target, criterion):
    """Mass times what is not impure, for rows of indicators or numbers, summed up."""
    if criterion == "squared_error":
        sums, n = target
        return sums[..., 0] ** 2 / n
    sums, n = target
    return (sums**2).sum(axis=-1) / n


def best_gain(columns, y, criterion="gini"):
    """Largest decrease of impurity times rows over all cuts of all columns."""
    n = len(y)
    if n < 2:
        return 0.0
    is_number = criterion == "squared_error"
    values = (y - y.mean())[:, None] if is_number else np.eye(y.max() + 1)[y]
    total = values.sum(axis=0)
    n_left = np.arange(1, n)
    best = 0.0
    for column in columns.T:
        order = np.argsort(column, kind="stable")
        left = values[order].cumsum(axis=0)[:-1]
        score = purity((left, n_left), criterion)
        score = score + purity((total - left, n - n_left), criterion)
        cut = column[order][1:] > column[order][:-1]
        if cut.any():
            best = max(best, score[cut].max() - purity((total, n), criterion))
    return best


def gain_of(left, y, criterion="gini"):
    """Decrease of impurity times rows of one cut."""
    return best_gain(np.where(left, 0.0, 1.0)[:, None], y, criterion)
