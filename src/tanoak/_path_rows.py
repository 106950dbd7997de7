"""In: training data in any container; out: its rows in parts, to fit and to count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tanoak._answerers import Wanted
from tanoak._arrays import FloatArray, Level
from tanoak._folds import deal_folds
from tanoak._table import Table
from tanoak.exceptions import TableError

__all__ = ["Fold", "PathRows", "stratified_folds", "take_rows"]

Rows = NDArray[np.int64]


class Fold(NamedTuple):
    """Rows to learn from, and rows to count."""

    seen: Rows
    left_out: Rows


@dataclass(frozen=True, eq=False)
class PathRows:
    """What every tree of a path is made from.

    Attributes
    ----------
    X : Table or any container
        Features, read once where the estimator takes a `Table`.
    labels : ndarray, shape (n_rows,)
        Classes.
    codes : ndarray of int64, shape (n_rows,)
        Their positions in the classes.
    wanted : Wanted
        The classes, and the one that is to be found.
    weight : ndarray of float64, shape (n_rows,), or None
        Weights of the rows.
    folds : tuple of Fold
        Ways to leave rows out.
    """

    X: Any
    labels: NDArray[Any]
    codes: NDArray[np.int64]
    wanted: Wanted
    weight: FloatArray | None
    folds: tuple[Fold, ...] = ()

    @property
    def classes(self) -> tuple[Level, ...]:
        """The classes."""
        return self.wanted.classes

    @property
    def positive(self) -> int:
        """Position of the class that is to be found."""
        return self.wanted.positive

    def part(self, rows: Rows) -> PathRows:
        """Return some of the rows, without folds."""
        return PathRows(
            take_rows(self.X, rows),
            self.labels[rows],
            self.codes[rows],
            self.wanted,
            None if self.weight is None else self.weight[rows],
        )

    def class_mass(self) -> FloatArray:
        """Weight of the rows of each class."""
        return np.bincount(self.codes, self.weight, len(self.classes)).astype(float)


def stratified_folds(
    codes: NDArray[np.int64], n_folds: int, seed: int
) -> tuple[Fold, ...]:
    """Deal the rows of each class in random order to the folds, as evenly as can be.

    Parameters
    ----------
    codes : array of int64, shape (n_rows,)
        Classes.
    n_folds : int
        2 or more; no more are made than the rarest class has rows.
    seed : int
        Of the random order.

    Returns
    -------
    tuple of Fold
        Rows ascend.

    Examples
    --------
    >>> folds = stratified_folds(np.array([0, 0, 1, 1, 0, 0]), 2, seed=0)
    >>> [len(fold.left_out) for fold in folds]
    [3, 3]
    """
    counts = np.bincount(codes)
    rarest = int(counts[counts > 0].min())
    if rarest < 2:  # noqa: PLR2004 a row to learn from and one to count
        msg = (
            "a class has a single row: counting out of fold takes two; give cv=None, "
            "and data to select by"
        )
        raise TableError(msg)
    n_folds = min(n_folds, rarest)
    fold = deal_folds(codes, n_folds, seed, by_class=True)
    return tuple(
        Fold(np.flatnonzero(fold != number), np.flatnonzero(fold == number))
        for number in range(n_folds)
    )


def take_rows(X: Any, rows: Rows) -> Any:
    """Return some rows of a table, array, matrix, list or data frame.

    Examples
    --------
    >>> take_rows([[1], [2], [3]], np.array([0, 2]))
    [[1], [3]]
    """
    if isinstance(X, Table):
        return Table(take_rows(X.values, rows), X.columns)
    if isinstance(X, np.ndarray):
        return X[rows]
    if sparse.issparse(X):
        return X.tocsr()[rows]
    if isinstance(X, list | tuple):
        return [X[row] for row in rows.tolist()]
    import narwhals as nw

    return nw.from_native(X)[rows.tolist()].to_native()
