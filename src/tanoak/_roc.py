"""In: points (false positive rate, true positive rate); out: hull, front and areas."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["front_positions", "hull_positions", "staircase_area", "trapezoid_area"]

FloatArray = NDArray[np.float64]
Positions = NDArray[np.int64]


def front_positions(points: FloatArray) -> Positions:
    """Return the points that no other one beats, by rising false positive rate.

    Parameters
    ----------
    points : array of float64, shape (n, 2)
        False and true positive rates.

    Returns
    -------
    numpy.ndarray of int64
        Positions; of equal points the first. Both rates rise strictly along them.

    Examples
    --------
    >>> front_positions(np.array([[0.2, 0.5], [0.1, 0.5], [0.3, 0.9]]))
    array([1, 2])
    """
    order = np.lexsort((-points[:, 1], points[:, 0]))
    tpr = points[order, 1]
    best_before = np.maximum.accumulate(np.concatenate(([-1.0], tpr[:-1])))
    return np.asarray(order[tpr > best_before], dtype=np.int64)


def hull_positions(points: FloatArray) -> Positions:
    """Return the corners of the upper left hull, by rising false positive rate.

    Parameters
    ----------
    points : array of float64, shape (n, 2)
        False and true positive rates. The two constant answers (0, 0) and (1, 1) take
        part only if they are among them.

    Returns
    -------
    numpy.ndarray of int64
        Positions of the points that are the cheapest for some ratio of costs.

    Examples
    --------
    >>> hull_positions(np.array([[0.0, 0.0], [0.4, 0.5], [0.5, 0.9], [1.0, 1.0]]))
    array([0, 2, 3])
    """
    corners: list[int] = []
    for position in front_positions(points).tolist():
        while len(corners) > 1 and not _turns_right(
            points[corners[-2]], points[corners[-1]], points[position]
        ):
            corners.pop()
        corners.append(position)
    return np.array(corners, dtype=np.int64)


def staircase_area(points: FloatArray) -> float:
    """Area under the best true positive rate attained within each false positive rate.

    Examples
    --------
    >>> staircase_area(np.array([[0.5, 0.5]]))
    0.25
    """
    front = points[front_positions(points)]
    width = np.diff(np.concatenate((front[:, 0], [1.0])))
    return float((width * front[:, 1]).sum())


def trapezoid_area(points: FloatArray) -> float:
    """Area under straight lines from (0, 0) through points in order to (1, 1).

    Examples
    --------
    >>> trapezoid_area(np.array([[0.5, 0.5]]))
    0.5
    """
    path = np.vstack(([0.0, 0.0], points, [1.0, 1.0]))
    return float((np.diff(path[:, 0]) * (path[1:, 1] + path[:-1, 1])).sum() / 2)


def _turns_right(first: FloatArray, middle: FloatArray, last: FloatArray) -> bool:
    """Whether the middle point lies strictly above the line between the others."""
    rise = (middle[1] - first[1]) * (last[0] - first[0])
    return bool(rise > (last[1] - first[1]) * (middle[0] - first[0]))
