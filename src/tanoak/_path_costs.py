"""In: classes and a ratio of costs; out: the matrix, and the next ratios of a path."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from tanoak._arrays import FloatArray, Level
from tanoak.costs import CostMatrix
from tanoak.exceptions import ParameterError

__all__ = ["gaps", "matrix_of", "ratio_of", "row_stakes"]

# Costs closer than this are the same to a tree of any size that is worth reading.
_CLOSEST = 1.02


def matrix_of(
    ratio: float, classes: tuple[Level, ...], positive: int, base: FloatArray
) -> CostMatrix:
    """Return costs at which a false alarm costs `ratio` times what a miss does.

    Parameters
    ----------
    ratio : float
        Above 0.
    classes : tuple
        The classes.
    positive : int
        Position of the class that is to be found.
    base : array of shape (K, K)
        Costs at a ratio of 1; rows of the other classes are multiplied.

    Returns
    -------
    CostMatrix
        In the order of the classes.

    Examples
    --------
    >>> print(matrix_of(0.5, ("good", "bad"), 1, 1 - np.eye(2)))
    calling a 'good' row 'bad' costs 0.5
    calling a 'bad' row 'good' costs 1
    """
    values = base.copy()
    values[np.arange(len(classes)) != positive] *= ratio
    return CostMatrix(values, classes)


def ratio_of(cost: CostMatrix, positive: int) -> float:
    """Cost of a false alarm over that of a miss; NaN with more than two classes."""
    if len(cost.classes) != 2:  # noqa: PLR2004 two classes
        return math.nan
    miss = float(cost.values[positive, 1 - positive])
    alarm = float(cost.values[1 - positive, positive])
    return alarm / miss if miss > 0 else math.inf


def row_stakes(cost: CostMatrix) -> FloatArray:
    """Weigh rows by what mistaking them costs, for learners without costs."""
    right = cost.values.diagonal()
    stakes: FloatArray = (cost.values - right[:, None]).sum(axis=1)
    stakes = stakes / (len(right) - 1)
    if not (stakes > 0).all():
        msg = "a class that costs nothing to mistake cannot be learnt by weights"
        raise ParameterError(msg)
    return stakes


def gaps(ratios: Iterable[float], points: FloatArray, resolution: float) -> list[float]:
    """Return a ratio between each two neighbours whose points lie too far apart.

    Parameters
    ----------
    ratios : iterable of float
        Rising.
    points : array of shape (n, 2)
        False and true positive rates at these ratios.
    resolution : float
        The largest step of a rate that is left alone.

    Returns
    -------
    list of float
        Geometric means, the widest step first.

    Examples
    --------
    >>> gaps([1.0, 4.0, 5.0], np.array([[0.5, 0.9], [0.1, 0.8], [0.1, 0.8]]), 0.2)
    [2.0]
    """
    rising = list(ratios)
    steps = np.abs(np.diff(points, axis=0)).max(axis=1)
    found = [
        (-float(step), math.sqrt(low * high))
        for low, high, step in zip(rising[:-1], rising[1:], steps, strict=True)
        if step > resolution and high > low * _CLOSEST
    ]
    return [ratio for _, ratio in sorted(found)]
