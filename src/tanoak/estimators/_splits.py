"""In: `cv` in any form scikit-learn has; out: which rows to grow on and to hold out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.model_selection import check_cv

from tanoak._arrays import IntArray
from tanoak._choose import Splits, deal_out
from tanoak._held_out import Rows
from tanoak._messages import shown
from tanoak._params import Integer
from tanoak.exceptions import ParameterError

__all__ = ["SPLITTERS", "read_splits"]


@dataclass(frozen=True)
class _Splitter:
    """An object with `split`, or an iterable that is no text."""

    def allows(self, value: object) -> bool:
        """Tell whether a value obeys the rule."""
        if isinstance(value, str | bytes):  # which have a method of this name
            return False
        return hasattr(value, "split") or isinstance(value, Iterable)

    def texts(self) -> list[str]:
        """Name the allowed values."""
        return ["a scikit-learn splitter", "a list of pairs (train rows, test rows)"]


SPLITTERS = (Integer(2), _Splitter())


def read_splits(cv: Any, rows: Rows, seed: int) -> Splits:
    """Return the rows to grow on and to hold out, fold by fold.

    Parameters
    ----------
    cv : int, splitter or iterable of pairs of arrays
        A number is dealt out here; splitters get the targets.
    rows : Rows
        All rows.
    seed : int
        Deals the rows out.

    Returns
    -------
    list of pairs of arrays of int64
        Without rows of weight 0, and without folds that have none else.
    """
    if Integer(2).allows(cv):
        return deal_out(rows, int(cv), seed)
    nothing = np.zeros((len(rows), 1))
    found = check_cv(cv, rows.target, classifier=rows.has_classes)
    try:
        pairs = [
            tuple(map(np.asarray, pair)) for pair in found.split(nothing, rows.target)
        ]
    except (TypeError, ValueError) as error:
        msg = f"cv cannot split these rows ({error}): give pairs (train, test) of rows"
        raise ParameterError(msg) from error
    splits = [tuple(_read(part, len(rows)) for part in pair) for pair in pairs]
    _refuse_leaks(splits, len(rows))
    weighs = rows.weighs
    used = [(train[weighs[train]], test[weighs[test]]) for train, test in splits]
    return [(train, test) for train, test in used if len(train) and len(test)]


def _read(part: Any, n_rows: int) -> IntArray:
    """Return positions of rows, from positions or a mask."""
    if part.dtype == bool and part.shape == (n_rows,):
        return np.flatnonzero(part)
    if part.ndim != 1 or part.dtype.kind not in "iu":
        msg = f"cv holds {shown(part)}: give pairs (train, test) of arrays of rows"
        raise ParameterError(msg)
    outside = (part < 0) | (part >= n_rows)
    if outside.any():
        msg = f"cv names row {part[outside.argmax()]}: X has the rows 0 to {n_rows - 1}"
        raise ParameterError(msg)
    return np.asarray(part, dtype=np.int64)


def _refuse_leaks(splits: list[Any], n_rows: int) -> None:
    """Refuse rows that are tested where they were grown on, or twice."""
    times = np.zeros(n_rows, dtype=np.int64)
    for train, test in splits:
        both = np.intersect1d(train, test)
        if len(both):
            msg = (
                f"cv has row {both[0]} in both parts of a pair: rows to test are others"
            )
            raise ParameterError(msg)
        np.add.at(times, test, 1)
    if (times > 1).any():
        row = int((times > 1).argmax())
        msg = f"cv tests row {row} more than once: standard errors need each row once"
        raise ParameterError(msg)
