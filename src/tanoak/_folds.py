"""In: targets of rows and a seed; out: the fold of each row, or the rows held out."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tanoak._arrays import BoolArray, IntArray

__all__ = ["deal_folds", "hold_out"]


def deal_folds(
    target: NDArray[Any], n_folds: int, seed: int, *, by_class: bool
) -> IntArray:
    """Deal rows out to folds whose sizes, and shares of each class, differ by a row.

    Parameters
    ----------
    target : array of shape (n,)
        Class codes, or numbers, which are not looked at.
    n_folds : int
        From 1 to n; with n each row is a fold of its own.
    seed : int
        Decides all that is random.
    by_class : bool
        Whether each fold gets its share of each class.

    Returns
    -------
    array of int64, shape (n,)
        From 0 to n_folds - 1.

    Examples
    --------
    >>> deal_folds(np.array([0, 0, 1, 0, 1, 0]), 2, 0, by_class=True)
    array([0, 1, 0, 0, 1, 1])
    """
    fold = np.empty(len(target), dtype=np.int64)
    fold[_shuffled(target, seed, by_class)] = np.arange(len(target)) % n_folds
    return fold


def hold_out(
    target: NDArray[Any], fraction: float, seed: int, *, by_class: bool
) -> BoolArray:
    """Choose rows to hold out: a share of all rows and, nearly, of each class.

    Parameters
    ----------
    target, seed, by_class
        As for `deal_folds`; at least 2 rows.
    fraction : float
        Share of the rows; one row at least is held out and one stays.

    Returns
    -------
    array of bool, shape (n,)
        True where a row is held out.

    Examples
    --------
    >>> int(hold_out(np.zeros(10), 0.3, 0, by_class=False).sum())
    3
    """
    n_rows = len(target)
    n_held = min(max(round(n_rows * fraction), 1), n_rows - 1)
    # Evenly spaced, so that each class gives its share.
    place = (2 * np.arange(n_held) + 1) * n_rows // (2 * n_held)
    held = np.zeros(n_rows, dtype=np.bool_)
    held[_shuffled(target, seed, by_class)[place]] = True
    return held


def _shuffled(target: NDArray[Any], seed: int, by_class: bool) -> IntArray:
    """Return the rows in random order, if so wished class by class."""
    # NumPy promises that raw numbers stay the same; of shuffles it does not.
    order = np.argsort(np.random.PCG64(seed).random_raw(len(target)), kind="stable")
    if by_class:
        order = order[np.argsort(target[order], kind="stable")]
    return order
