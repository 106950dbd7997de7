"""In: rows and classes; out: the decrease of impurity that a plain climb reaches.

Hyperplanes by definition: a row is left if weights @ row <= threshold. One weight in
turn takes the best of all values at which some row changes sides (Murthy, Kasif and
Salzberg 1994, section 3.1), and so does the threshold, until nothing is better.
"""

from __future__ import annotations

import numpy as np


def impurity(y):
    """Gini impurity times the number of rows."""
    counts = np.bincount(y) if len(y) else np.zeros(1)
    return len(y) - (counts**2).sum() / max(1, len(y))


def decrease(y, left):
    """Decrease of that by sending some rows left; 0 where a side is empty."""
    return impurity(y) - impurity(y[left]) - impurity(y[~left])


def gain_of(plane, X, y):
    """Decrease by a hyperplane."""
    weights, threshold = plane
    return decrease(y, X @ weights <= threshold)


def between(values):
    """Numbers between and beyond some values."""
    values = np.unique(values)
    middle = (values[1:] + values[:-1]) / 2
    return [values[0] - 1, *middle, values[-1] + 1]


def moves(plane, X, column):
    """List the hyperplanes that differ in one weight, or (None) in the threshold."""
    weights, threshold = plane
    if column is None:
        return [(weights, t) for t in between(X @ weights)]
    rest = X @ weights - weights[column] * X[:, column] - threshold
    moved = X[:, column] != 0
    if not moved.any():
        return []
    found = []
    for weight in between(-rest[moved] / X[moved, column]):
        other = weights.copy()
        other[column] = weight
        found.append((other, threshold))
    return found


def climb(plane, X, y):
    """Climb until no single weight and no threshold is better; the gain there."""
    best = gain_of(plane, X, y)
    better = True
    while better:
        better = False
        for column in [*range(X.shape[1]), None]:
            for other in moves(plane, X, column):
                gain = gain_of(other, X, y)
                if gain > best + 1e-9:
                    plane, best, better = other, gain, True
    return best
