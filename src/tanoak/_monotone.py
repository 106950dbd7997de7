"""In: along which columns answers may only rise or fall; out: signs, ordered means."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral
from typing import Any

import numpy as np

from tanoak._arrays import FloatArray, TreeArrays
from tanoak._messages import shown
from tanoak._table import Columns
from tanoak.exceptions import ParameterError

__all__ = ["check_monotone", "ordered_means", "read_monotone"]

_SIGNS = (-1, 0, 1)
_TWO = 2


def read_monotone(
    monotone: Any, columns: Columns, split: str = "axis"
) -> tuple[int, ...]:
    """Return a sign for each column; none if there are no constraints.

    Parameters
    ----------
    monotone : None, dict {column: sign} or sequence of signs
        1: answers may only rise along the column, -1: only fall, 0: as they like.
    columns : Columns
        The d columns.
    split : str, default "axis"
        How nodes are cut.

    Returns
    -------
    tuple of int
        Of length d, or empty.

    Examples
    --------
    >>> columns = Columns(("age", "wage"), (None, None), named=True)
    >>> read_monotone({"wage": 1}, columns)
    (0, 1)
    """
    if monotone is None:
        return ()
    signs = _listed(monotone, columns)
    for column, sign in enumerate(signs):
        is_whole = isinstance(sign, Integral) and not isinstance(sign, bool)
        if not is_whole or sign not in _SIGNS:
            msg = f"monotone holds {shown(sign)}: give -1, 0 or 1 for each column"
            raise ParameterError(msg)
        if sign and columns.levels[column] is not None:
            msg = (
                f"monotone constrains column {shown(columns.names[column])}, but "
                f"{shown(columns.names[column])} has categories, which have no order"
            )
            raise ParameterError(msg)
    if not any(signs):
        return ()
    if split != "axis":
        msg = (
            f"monotone is kept by cuts of one column, got split={split!r}; use "
            "split='axis'"
        )
        raise ParameterError(msg)
    return tuple(int(sign) for sign in signs)


def check_monotone(
    n_classes: int, smoothing: str | float | None, *, by_row: bool
) -> None:
    """Refuse constraints on a classifier that cannot keep them.

    Examples
    --------
    >>> check_monotone(3, None, by_row=False)
    Traceback (most recent call last):
    tanoak.exceptions.ParameterError: monotone constrains the probability of the last \
of two classes, y has 3; leave it out, or predict one class against the rest
    """
    if n_classes > _TWO:
        msg = (
            "monotone constrains the probability of the last of two classes, y has "
            f"{n_classes}; leave it out, or predict one class against the rest"
        )
        raise ParameterError(msg)
    if by_row:
        msg = (
            "monotone cannot be kept with row_costs: answers then depend on what rows "
            "cost, not on their shares; give cost= by class"
        )
        raise ParameterError(msg)
    if smoothing is not None:
        msg = (
            "monotone cannot be kept with smoothing, which moves small leaves further "
            "than large ones; give smoothing=None"
        )
        raise ParameterError(msg)


def ordered_means(tree: TreeArrays, signs: tuple[int, ...]) -> FloatArray:
    """Return the means of a tree grown with these signs, their last bits in order.

    Growth keeps the order of exact means; each is rounded by itself afterwards.

    Parameters
    ----------
    tree : TreeArrays
        A regression tree that cuts one column at each node.
    signs : tuple of int
        By column.

    Returns
    -------
    numpy.ndarray of shape (n_nodes,)
        Means.
    """
    assert tree.mean is not None
    mean = np.array(tree.mean)
    bounds = np.tile([-np.inf, np.inf], (tree.n_nodes, 1))
    for node in range(tree.n_nodes):
        mean[node] = min(max(mean[node], bounds[node, 0]), bounds[node, 1])
        left, right = tree.left[node], tree.right[node]
        if left < 0:
            continue
        bounds[left] = bounds[right] = bounds[node]
        known_or_missing = tree.threshold[node] == np.finfo(np.float64).max
        sign = signs[tree.term_column[tree.term_start[node]]]
        if sign and not known_or_missing:
            lower, upper = (left, right) if sign > 0 else (right, left)
            children = np.clip(tree.mean[[left, right]], *bounds[node])
            middle = children[0] / 2 + children[1] / 2
            bounds[lower, 1] = min(bounds[lower, 1], middle)
            bounds[upper, 0] = max(bounds[upper, 0], middle)
    return mean


def _listed(monotone: Any, columns: Columns) -> list[Any]:
    """Return one entry for each column."""
    if isinstance(monotone, Mapping):
        signs: list[Any] = [0] * len(columns)
        for name, sign in monotone.items():
            if name not in columns.names:
                msg = f"monotone names no column {shown(name)}: they are " + shown(
                    columns.names
                )
                raise ParameterError(msg)
            signs[columns.names.index(name)] = sign
        return signs
    if isinstance(monotone, str | bytes) or not hasattr(monotone, "__len__"):
        msg = (
            f"monotone is {shown(monotone)}: give a dict {{column: 1 or -1}}, or a "
            "sign for each column"
        )
        raise ParameterError(msg)
    signs = list(np.asarray(monotone, dtype=object))
    if len(signs) != len(columns):
        msg = f"monotone has {len(signs)} signs, X has {len(columns)} columns"
        raise ParameterError(msg)
    return signs
