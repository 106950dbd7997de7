"""In: what a user gives to make a curve of; out: `PathRows`, checked once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tanoak._answerers import Wanted
from tanoak._answers import label_array
from tanoak._arrays import Level, plain
from tanoak._cost_input import read_weights
from tanoak._messages import shown
from tanoak._params import Integer, check_params
from tanoak._path_fits import takes_costs
from tanoak._path_rows import Fold, PathRows, stratified_folds
from tanoak._table import read_table
from tanoak.exceptions import ParameterError, TableError

__all__ = ["find_positive_class", "read_class_codes", "read_rows", "with_folds"]


def read_rows(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    positive: Level | None,
    sample_weight: Any,
) -> PathRows:
    """Read features, classes and weights.

    Parameters
    ----------
    estimator : estimator
        One with a `cost` parameter reads a `Table`; others get X as it is.
    X, y : array-likes
        Training rows and their classes.
    positive : label or None
        The class that is to be found; None is the last of two.
    sample_weight : array-like or None
        Weights of the rows.

    Returns
    -------
    PathRows
        All rows, without folds.
    """
    if takes_costs(estimator):
        chosen = getattr(estimator, "categorical_features", "auto")
        X = read_table(X, categorical=chosen)
        n_rows = X.n_rows
    else:
        n_rows = len(X) if not hasattr(X, "shape") else int(X.shape[0])
    codes, classes = read_class_codes(y, n_rows)
    if len(classes) < 2:  # noqa: PLR2004 two classes
        msg = f"y holds one class only, {shown(classes[0])}: there is nothing to trade"
        raise TableError(msg)
    weight = None
    if sample_weight is not None:
        weight = np.ascontiguousarray(read_weights(sample_weight, n_rows))
    wanted = Wanted(classes, find_positive_class(classes, positive))
    weighs = np.bincount(codes, weight, len(classes)) > 0
    if not weighs[wanted.positive] or weighs.sum() < 2:  # noqa: PLR2004 two classes
        msg = (
            "y holds one class only among the rows of positive weight: there is "
            "nothing to trade"
        )
        raise TableError(msg)
    return PathRows(X, label_array(classes)[codes], codes, wanted, weight)


def with_folds(rows: PathRows, cv: Any, random_state: int) -> PathRows:
    """Deal the rows to `cv` folds, or as the pairs say; None makes none."""
    check_params({"random_state": random_state}, {"random_state": Integer(0)})
    if isinstance(cv, Iterable) and not isinstance(cv, str):
        folds = [Fold(np.asarray(seen), np.asarray(left)) for seen, left in cv]
        return replace(rows, folds=tuple(folds))
    check_params({"cv": cv}, {"cv": (None, Integer(2))})
    if cv is None:
        return rows
    return replace(rows, folds=stratified_folds(rows.codes, int(cv), random_state))


def read_class_codes(
    y: Any, n_rows: int
) -> tuple[NDArray[np.int64], tuple[Level, ...]]:
    """Return the position of each row's class, and the sorted classes."""
    cells = np.asarray(y, dtype=object if isinstance(y, list | tuple) else None)
    if cells.shape != (n_rows,):
        msg = f"y has shape {cells.shape} for {n_rows} rows of X: give one class a row"
        raise TableError(msg)
    labels = cells.tolist()
    for row, label in enumerate(labels):
        if not isinstance(label, str | bool | int | float | np.generic):
            msg = f"y holds {shown(label)} in row {row}: classes are text or numbers"
            raise TableError(msg)
        if label != label:  # noqa: PLR0124 only NaN differs from itself
            msg = f"y is missing in row {row}: leave such rows out"
            raise TableError(msg)
    try:
        classes = tuple(plain(label) for label in sorted(set(labels)))
    except TypeError as error:
        msg = "y mixes text and numbers: make all classes one type"
        raise TableError(msg) from error
    place = {label: code for code, label in enumerate(classes)}
    codes = np.fromiter((place[label] for label in labels), np.int64, n_rows)
    return codes, classes


def find_positive_class(classes: tuple[Level, ...], positive: Level | None) -> int:
    """Return the place of the class to be found."""
    if positive is None:
        if len(classes) == 2:  # noqa: PLR2004 two classes
            return 1
        msg = (
            "Only binary classification is supported without positive=: say which of "
            f"the classes {shown(classes)} is to be found"
        )
        raise ParameterError(msg)
    if positive not in classes:
        msg = f"positive is {shown(positive)}: give one of the classes {shown(classes)}"
        raise ParameterError(msg)
    return classes.index(positive)
