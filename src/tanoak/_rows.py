"""In: labels and weights of measured rows; out: class codes, and sums by class."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tanoak._arrays import FloatArray, Level
from tanoak._cost_input import read_weights
from tanoak._messages import shown
from tanoak.exceptions import TableError

__all__ = ["read_labels", "sum_by_class"]

Codes = NDArray[np.int64]


def read_labels(
    y: Any, classes: tuple[Level, ...], n_rows: int, sample_weight: Any = None
) -> tuple[Codes, FloatArray | None]:
    """Return the position of each row's label in `classes`, and checked weights.

    Examples
    --------
    >>> read_labels(["no", "yes", "no"], ("no", "yes"), 3)
    (array([0, 1, 0]), None)
    """
    labels = np.asarray(y)
    if labels.dtype.kind in "US" and not isinstance(y, np.ndarray):
        labels = np.asarray(y, dtype=object)  # NumPy makes ["a", 1] all text
    if labels.shape != (n_rows,):
        msg = f"y has shape {labels.shape} for {n_rows} rows of X: give one label a row"
        raise TableError(msg)
    known: dict[Any, int] = {label: code for code, label in enumerate(classes)}
    try:
        codes = np.array([known.get(x, -1) for x in labels.tolist()], dtype=np.int64)
    except TypeError as error:
        msg = f"y holds something that is not a label ({error}): use text or numbers"
        raise TableError(msg) from error
    if (codes < 0).any():
        row = int((codes < 0).argmax())
        told, listed = shown(labels[row]), shown(classes)
        msg = f"y holds {told} in row {row}, the classes are {listed}"
        raise TableError(msg)
    weight = None if sample_weight is None else read_weights(sample_weight, n_rows)
    return codes, weight


def sum_by_class(
    place: NDArray[Any], codes: Codes, weight: FloatArray | None, shape: tuple[int, int]
) -> FloatArray:
    """Sum weights by place and class, in the order of the rows.

    Examples
    --------
    >>> sum_by_class(np.array([0, 1, 1]), np.array([0, 0, 1]), None, (2, 2))
    array([[1., 0.],
           [1., 1.]])
    """
    flat = place.astype(np.int64) * shape[1] + codes
    sums = np.bincount(flat, weight, shape[0] * shape[1])
    return np.asarray(sums, dtype=np.float64).reshape(shape)
