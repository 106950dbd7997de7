"""In: a cost in any form a user may write and the classes; out: a K x K array."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from itertools import chain
from math import isfinite

import numpy as np

from tanoak._cost_cells import check_row_costs, spell
from tanoak._cost_input import (
    FloatArray,
    Level,
    as_mapping,
    match_columns,
    match_names,
    read_classes,
    read_frame,
    read_numbers,
    read_one_number,
    refuse_strangers,
    show,
    show_number,
    show_some,
)
from tanoak.exceptions import CostError

_SUM_TOLERANCE = 1e-6


def read_form(
    cost: object, classes: tuple[Level, ...], class_counts: object = None
) -> FloatArray:
    """Costs in the order of `classes`, rows true, not yet checked for their sense."""
    if cost is None:
        return 1.0 - np.eye(len(classes))
    if isinstance(cost, str):
        return _read_word(cost, classes, class_counts)
    mapping = as_mapping(cost)
    if mapping is not None:
        return _read_mapping(mapping, classes)
    frame = read_frame(cost, "cost")
    if frame is not None:
        if frame.rows is None:
            msg = (
                "cost is a data frame without row labels: its first column must name "
                f"the true classes, the others the predicted ones {show_some(classes)}"
            )
            raise CostError(msg)
        rows = match_names(frame.rows, classes, f"the {frame.rows_from} of cost")
        columns = match_columns(frame.columns, classes, "the header of cost")
        return frame.values[np.ix_(rows, columns)]
    return read_square(cost, classes)


def stated_classes(cost: object) -> tuple[Level, ...] | None:
    """Return the classes that a form of cost names by itself, sorted; None if none."""
    names: Iterable[object]
    mapping = as_mapping(cost)
    if mapping is not None:
        rows = [as_mapping(row) or {} for row in mapping.values()]
        answers = dict.fromkeys(chain.from_iterable(rows))
        # An answer without a row of its own is a forgotten class, or a typing error.
        names = [*mapping, *(name for name in answers if _is_new(name, mapping))]
    else:
        frame = read_frame(cost, "cost")
        if frame is None or frame.rows is None:
            return None
        names = frame.rows
    return sort_classes(names)


def _is_new(name: object, known: Mapping[object, object]) -> bool:
    """Whether a name is none of those known, nor nearly one."""
    if name in known:
        return False
    texts = [str(label)[:100] for label in known]
    return not difflib.get_close_matches(str(name)[:100], texts)


def read_names(values: object, classes: Iterable[Level] | None) -> tuple[Level, ...]:
    """Return the classes that are given, or named by the costs."""
    if values is None or isinstance(values, str):
        msg = (
            f"values is {show(values)}: give an array, dict or data frame of costs, or "
            f"write CostMatrix.from_any({show(values)}, classes, class_counts)"
        )
        raise CostError(msg)
    names = stated_classes(values) if classes is None else read_classes(classes)
    if names is None:
        msg = (
            "the costs do not name the classes: give classes=[...] in the order of the "
            "rows, or write {true: {predicted: cost}}"
        )
        raise CostError(msg)
    return names


def sort_classes(labels: Iterable[object]) -> tuple[Level, ...]:
    """Check labels and sort them; `read_classes` refuses what has no order."""
    return tuple(sorted(read_classes(labels)))


def read_square(cost: object, classes: tuple[Level, ...]) -> FloatArray:
    """Read a plain array; its order is that of `classes`."""
    values = read_numbers(cost, "cost")
    n_classes = len(classes)
    if values.shape == (n_classes, n_classes):
        return values
    wanted = (
        f"a {n_classes} x {n_classes} array for the classes {show_some(classes)}, "
        "rows true and columns predicted"
    )
    if values.ndim == 0:
        found = f"cost is the single number {show_number(values.item())}"
        hint = ", or {class: cost of mistaking a row of that class}"
    elif values.ndim == 1:
        found = f"cost is a list of {len(values)} numbers without names"
        hint = ", or {class: cost of mistaking a row of that class}"
    else:
        found = f"cost has shape {values.shape}"
        per_row = values.shape[1:] == (n_classes,)
        hint = "; costs of single rows go to row_costs=" if per_row else ""
    msg = f"{found}: give {wanted}{hint}"
    raise CostError(msg)


def check_word(cost: str) -> None:
    """Refuse all words but the one that is a cost: "balanced"."""
    if cost != "balanced":
        close = difflib.get_close_matches(cost[:100], ["balanced"])
        hint = "; did you mean 'balanced'?" if close else ""
        msg = (
            f"cost is the text {show(cost)}: the only word allowed is 'balanced'{hint}"
        )
        raise CostError(msg)


def _read_word(
    cost: str, classes: tuple[Level, ...], class_counts: object
) -> FloatArray:
    """Read the one word that is a cost: "balanced"."""
    check_word(cost)
    if class_counts is None:
        msg = "cost='balanced' needs the rows of every class counted: give class_counts"
        raise CostError(msg)
    counts = read_numbers(class_counts, "class_counts")
    usable = counts.shape == (len(classes),) and bool((counts >= 0).all())
    if not (usable and 0 < counts.sum() < np.inf):
        msg = (
            f"class_counts is {show(counts.tolist())}: give a number of rows, 0 or "
            f"more, for each of the classes {show_some(classes)}"
        )
        raise CostError(msg)
    return _broadcast(balanced_costs(counts))


def balanced_costs(counts: FloatArray) -> FloatArray:
    """Cost n / (K n_k) of mistaking a row of class k; K counts the classes present."""
    # A class without rows never pays: 1 is the mean cost of a mistake.
    costs = np.ones(len(counts))
    present = counts > 0
    costs[present] = counts.sum() / (present.sum() * counts[present])
    return costs


def _read_mapping(
    cost: Mapping[object, object], classes: tuple[Level, ...]
) -> FloatArray:
    """{class: cost of mistaking it} or {true: {predicted: cost}}."""
    nested = [as_mapping(row) is not None for row in cost.values()]
    if any(nested) and not all(nested):
        name = list(cost)[nested.index(False)]
        msg = (
            f"cost[{show(name)}] is {show(cost[name])} while other classes have a "
            "dict: write {class: cost} or {true: {predicted: cost}}"
        )
        raise CostError(msg)
    order = match_names(cost, classes, "cost")
    rows = [list(cost.values())[position] for position in order]
    if all(nested):
        return np.array(
            [
                _read_row(row, true, classes)
                for true, row in zip(classes, rows, strict=True)
            ]
        )
    return _broadcast(
        np.array(
            [_read_cell(row, (true,)) for true, row in zip(classes, rows, strict=True)]
        )
    )


def _read_row(row: object, true: Level, classes: tuple[Level, ...]) -> list[float]:
    """Read the costs of one true class; only the right answer may be left out."""
    cells = dict(as_mapping(row) or {})
    cells.setdefault(true, 0.0)
    refuse_strangers(cells, classes, f"cost[{show(true)}]")
    for predicted in classes:
        if predicted not in cells:
            msg = (
                f"cost[{show(true)}] does not say what {spell(true, predicted)} costs: "
                "add it, 0 if it costs nothing"
            )
            raise CostError(msg)
    return [_read_cell(cells[predicted], (true, predicted)) for predicted in classes]


def _read_cell(cell: object, names: tuple[Level, ...]) -> float:
    """Read one number in a dict of costs."""
    return read_one_number(cell, "cost" + "".join(f"[{show(name)}]" for name in names))


def _broadcast(class_costs: FloatArray) -> FloatArray:
    """K x K costs of which those of a row are the same, 0 for the right answer."""
    values = np.repeat(class_costs[:, None], len(class_costs), axis=1)
    np.fill_diagonal(values, 0.0)
    return values


def read_priors(priors: object, classes: tuple[Level, ...]) -> FloatArray | None:
    """Shares of the classes where the tree will be used; they sum to 1."""
    if priors is None:
        return None
    if isinstance(priors, str):
        msg = f"priors is the text {show(priors)}: write {{class: share}}"
        raise CostError(msg)
    mapping = as_mapping(priors)
    if mapping is not None:
        order = match_names(mapping, classes, "priors")
        priors = [list(mapping.values())[position] for position in order]
    shares = read_numbers(priors, "priors")
    if shares.shape != (len(classes),):
        msg = (
            f"priors has shape {shares.shape}: give {{class: share}} or one share for "
            f"each of the classes {show_some(classes)}"
        )
        raise CostError(msg)
    for label, share in zip(classes, shares.tolist(), strict=True):
        if not (share >= 0 and isfinite(share)):
            msg = (
                f"the prior of class {show(label)} is {show_number(share)}: priors are "
                "shares between 0 and 1"
            )
            raise CostError(msg)
    total = float(shares.sum())
    if abs(total - 1.0) > _SUM_TOLERANCE:
        msg = f"priors sum to {total:.9g}, not to 1: divide each of them by their sum"
        raise CostError(msg)
    return shares


def class_factor(
    priors: object, counts: FloatArray, classes: tuple[Level, ...]
) -> FloatArray | None:
    """Priors over the shares of the training rows; 0 where both are 0."""
    shares = read_priors(priors, classes)
    if shares is None:
        return None
    absent = (counts == 0) & (shares > 0)
    if absent.any():
        code = int(np.argmax(absent))
        msg = (
            f"class {show(classes[code])} has the prior {show_number(shares[code])} "
            "but no training row of positive weight: give it the prior 0, or rows"
        )
        raise CostError(msg)
    seen = np.where(counts > 0, counts / counts.sum(), 1.0)
    return np.asarray(shares / seen, dtype=np.float64)


def read_row_costs(
    row_costs: object, n_rows: int, classes: tuple[Level, ...]
) -> FloatArray:
    """Cost of every answer on every row, n x K; columns with names are put in order."""
    frame = read_frame(row_costs, "row_costs")
    if frame is None:
        values = read_numbers(row_costs, "row_costs")
    elif frame.columns == list(range(len(classes))) and not set(frame.columns).issubset(
        classes
    ):
        values = frame.values
    else:
        order = match_columns(frame.columns, classes, "the header of row_costs")
        values = frame.values[:, order]
    if values.shape != (n_rows, len(classes)):
        turned = values.shape == (len(classes), n_rows)
        msg = (
            f"row_costs has shape {values.shape}, but there are {n_rows} rows and the "
            f"{len(classes)} classes {show_some(classes)}: give one cost for each row "
            "and each answer" + (", the transpose of this" if turned else "")
        )
        raise CostError(msg)
    check_row_costs(values, classes)
    return np.require(values, np.float64, ["C", "A"])
