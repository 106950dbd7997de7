"""In: true and predicted labels and what mistakes cost; out: the mean cost per row."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tanoak._cost_forms import (
    check_word,
    read_form,
    read_row_costs,
    sort_classes,
    stated_classes,
)
from tanoak._cost_input import (
    FloatArray,
    Level,
    read_classes,
    read_weights,
    refuse_strangers,
    show_some,
)
from tanoak.costs import CostMatrix
from tanoak.exceptions import CostError

__all__ = ["cost_loss", "make_cost_scorer"]


def cost_loss(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    cost: object = None,
    row_costs: object = None,
    classes: Iterable[Level] | None = None,
    sample_weight: object = None,
) -> float:
    """Mean cost per row; lower is better.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_rows,)
        True and predicted labels. Where all classes are text, whole numbers are
        taken as positions in `classes`.
    cost : None, "balanced", array-like, dict, data frame or CostMatrix
        What mistakes cost, rows true and columns predicted, in any form that
        `CostMatrix.from_any` reads. None is the share of wrong answers,
        ``"balanced"`` one minus the balanced accuracy.
    row_costs : array-like or data frame of shape (n_rows, n_classes), optional
        Cost of answering each class on each row; takes the place of `cost`.
    classes : sequence of str, bool, int or float, optional
        Labels in the order of the rows and columns of `cost` or the columns of
        `row_costs`. Without it: the classes that `cost` names, sorted, else the
        sorted labels that occur in `y_true` and `y_pred`.
    sample_weight : array-like of shape (n_rows,), optional
        Weights of the rows.

    Returns
    -------
    float
        Cost of all answers over the number (or weight) of rows.

    Examples
    --------
    >>> from tanoak.metrics import cost_loss
    >>> cost = {"bad": {"good": 5}, "good": {"bad": 1}}
    >>> cost_loss(["bad", "bad", "good", "good"], ["good", "bad", "bad", "good"],
    ...           cost=cost)
    1.5
    """
    true, answers = _read_labels(y_true, "y_true"), _read_labels(y_pred, "y_pred")
    n_rows = len(true.rows)
    if len(answers.rows) != n_rows:
        msg = (
            f"y_true has {n_rows} rows and y_pred {len(answers.rows)}: give one "
            "prediction for each row"
        )
        raise CostError(msg)
    weights = read_weights(sample_weight, n_rows)
    names = None if classes is None else read_classes(classes)
    names = names or _find_classes(cost, row_costs, true.distinct + answers.distinct)
    # Positions are recognised only where they cannot be labels.
    by_position = true.whole and answers.whole and isinstance(names[0], str)
    predicted = _encode(answers, names, "y_pred", by_position=by_position)
    codes = _encode(true, names, "y_true", by_position=by_position)
    if row_costs is not None:
        paid = read_row_costs(row_costs, n_rows, names)[np.arange(n_rows), predicted]
    else:
        counts = np.bincount(codes, weights, len(names)).astype(np.float64)
        paid = _read_matrix(cost, names, counts)[codes, predicted]
    weights = weights / weights.max()  # or huge ones overflow
    return float((paid * weights).sum() / weights.sum())


def make_cost_scorer(
    cost: object = None, *, classes: Iterable[Level] | None = None
) -> Callable[..., float]:
    """Scorer for `cross_val_score` and `GridSearchCV`: minus the mean cost per row.

    Parameters
    ----------
    cost : None, "balanced", array-like, dict, data frame or CostMatrix
        What mistakes cost, as in `cost_loss`.
    classes : sequence of str, bool, int or float, optional
        Labels in the order of `cost`. To be given with an array or with costs per
        row if a class may be missing from a fold.

    Returns
    -------
    callable
        ``scorer(estimator, X, y)``, greater is better.

    Notes
    -----
    Costs per row and weights arrive by scikit-learn's metadata routing: switch it on
    and ask for them with ``.set_score_request(row_costs=True, sample_weight=True)``.
    Name both in one call, as each call replaces the one before; what is not asked for
    does not count.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.dummy import DummyClassifier
    >>> from tanoak.metrics import make_cost_scorer
    >>> X, y = load_wine(return_X_y=True)
    >>> scorer = make_cost_scorer({0: 1, 1: 2, 2: 10})
    >>> round(scorer(DummyClassifier().fit(X, y), X, y), 3)
    -3.028
    """
    # Only here: `cost_loss` works without loading scikit-learn.
    from sklearn.metrics import make_scorer

    # A mistake in the costs shows here and not as a failed fold.
    names = None if classes is None else read_classes(classes)
    known = _named_by(cost) if names is None else names
    if isinstance(cost, str):
        check_word(cost)
    elif known is not None:
        CostMatrix.from_any(cost, known)
    scorer: Callable[..., float] = make_scorer(
        cost_loss, greater_is_better=False, cost=cost, classes=names
    )
    return scorer


@dataclass(frozen=True)
class _Labels:
    """A column of labels: the different ones, and which of them each row has."""

    distinct: list[Any]
    rows: NDArray[np.int64]
    whole: bool


def _read_labels(labels: ArrayLike, what: str) -> _Labels:
    """One label for each row."""
    array = np.asarray(labels)
    if array.ndim != 1 or len(array) == 0:
        msg = (
            f"{what} has shape {array.shape}: give one label for each row, at least one"
        )
        raise CostError(msg)
    if array.dtype.kind not in "biufUOST":
        msg = f"{what} has dtype {array.dtype}: labels are text, numbers, True or False"
        raise CostError(msg)
    if array.dtype.kind == "U" and not isinstance(labels, np.ndarray):
        # NumPy has made ["a", 1] all text: look at the labels as they were written.
        array = np.asarray(labels, dtype=object)
    if array.dtype != object:
        unique, rows = np.unique(array, return_inverse=True)
        return _Labels(unique.tolist(), rows, array.dtype.kind in "iu")
    codes: dict[Any, int] = {}
    try:
        found = [codes.setdefault(label, len(codes)) for label in array]
    except TypeError as error:
        msg = (
            f"{what} holds something that is not a label ({error}): use text or numbers"
        )
        raise CostError(msg) from error
    return _Labels(list(codes), np.array(found), whole=False)


def _find_classes(
    cost: object, row_costs: object, labels: list[Any]
) -> tuple[Level, ...]:
    """Find the classes that the costs name, else those that occur; sorted."""
    named = _named_by(cost)
    if named is not None:
        return named
    names = sort_classes(dict.fromkeys(labels))
    what = "cost" if row_costs is None else "row_costs"
    values: Any = cost if row_costs is None else row_costs
    try:
        shape = np.shape(values)
    except ValueError:
        return names
    if shape[1:] not in ((), (len(names),)):
        msg = (
            f"{what} has the shape {shape}, but in y_true and y_pred occur "
            f"{len(names)} classes ({show_some(names)}): name all classes with classes="
        )
        raise CostError(msg)
    return names


def _named_by(cost: object) -> tuple[Level, ...] | None:
    """Return the classes that the costs name, sorted; None if they name none."""
    if isinstance(cost, CostMatrix):
        return sort_classes(cost.classes)
    return stated_classes(cost)


def _encode(
    labels: _Labels, names: tuple[Level, ...], what: str, *, by_position: bool
) -> NDArray[np.int64]:
    """Positions in `names` of the labels of all rows."""
    known: dict[Any, int] = {name: code for code, name in enumerate(names)}
    if by_position:
        known = {code: code for code in range(len(names))}
    refuse_strangers(labels.distinct, tuple(known), what)
    return np.array([known[label] for label in labels.distinct])[labels.rows]


def _read_matrix(
    cost: object, names: tuple[Level, ...], counts: FloatArray
) -> FloatArray:
    """K x K costs; those which need no statement may have a single class."""
    if cost is None or isinstance(cost, str):
        return read_form(cost, names, counts)
    return CostMatrix.from_any(cost, names).values
