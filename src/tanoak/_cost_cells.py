"""In: a K x K array and the class labels; out: a refusal, or sentences about it."""

from __future__ import annotations

import numpy as np

from tanoak._cost_input import FloatArray, Level, show, show_number
from tanoak.exceptions import CostError

# Beyond these, sums of costs x weights could leave the range of a double.
_LARGEST, _SMALLEST = 1e100, 1e-100
_HARMLESS = "which changes no answer"
_MOST_SENTENCES = 12


def spell(true: Level, predicted: Level) -> str:
    """Say who is called what: the orientation of a cost in words."""
    return f"calling a {_name(true)} row {_name(predicted)}"


def _name(label: Level) -> str:
    """Text in quotes; a bare number would be read as an amount."""
    return show(label) if isinstance(label, str) else f"class {show(label)}"


def sentences(values: FloatArray, classes: tuple[Level, ...]) -> list[str]:
    """Spell out every mistake and every right answer that costs something.

    Of more than twelve the dearest are shown and the rest is counted.
    """
    right = np.eye(len(classes), dtype=bool)
    cells = np.concatenate([np.argwhere(~right), np.argwhere(right & (values > 0))])
    if len(cells) <= _MOST_SENTENCES:
        return [_sentence(values, classes, *cell) for cell in cells.tolist()]
    dearest_first = np.argsort(-values[cells[:, 0], cells[:, 1]], kind="stable")
    cells = cells[dearest_first]
    rest = cells[_MOST_SENTENCES:]
    n_right = int((rest[:, 0] == rest[:, 1]).sum())
    more = f"and {len(rest)} more"
    more += f", {n_right} of them for right answers" if n_right else ""
    shown = cells[:_MOST_SENTENCES].tolist()
    return [*(_sentence(values, classes, *cell) for cell in shown), more]


def _sentence(
    values: FloatArray, classes: tuple[Level, ...], true: int, predicted: int
) -> str:
    """One cell in words."""
    right = " (the right answer)" if true == predicted else ""
    cost = float(values[true, predicted])
    amount = show_number(cost) if cost.is_integer() else f"{cost:.6g}"
    return f"{spell(classes[true], classes[predicted])}{right} costs {amount}"


def check_cells(values: FloatArray, classes: tuple[Level, ...]) -> None:
    """Refuse costs that are no costs, or that no decision could depend on."""
    for true, predicted in np.argwhere(_is_wrong(values)):
        cell = spell(classes[true], classes[predicted])
        msg = f"the cost of {cell} {_reason(values[true, predicted])}"
        raise CostError(msg)
    _check_diagonal(values, classes)
    stakes = values - values.diagonal()[:, None]
    if not stakes.any():
        found = "all are 0" if not values.any() else "those of a row are all the same"
        msg = (
            f"the costs favour no answer, {found}: let a mistake cost more than the "
            "right answer"
        )
        raise CostError(msg)
    if values.max() < _SMALLEST:
        msg = (
            f"the largest cost is {show_number(values.max())}: costs must reach "
            f"{_SMALLEST}; multiply all of them by the same number, {_HARMLESS}"
        )
        raise CostError(msg)


def _check_diagonal(values: FloatArray, classes: tuple[Level, ...]) -> None:
    """Refuse rows on which the right answer costs more than some mistake."""
    right = values.diagonal()
    cheapest = np.argmin(values, axis=1)
    for true in np.flatnonzero(values.min(axis=1) < right):
        label, wrong = classes[true], classes[cheapest[true]]
        turned_is_fine = bool((values.min(axis=0) >= right).all())
        hint = (
            "the transpose (values.T) would be accepted"
            if turned_is_fine
            else "if they are not, lower the diagonal: a right answer may not cost "
            "more than a mistake"
        )
        msg = (
            f"{spell(label, label)} costs {show_number(right[true])}, more than "
            f"calling it {_name(wrong)} ({show_number(values[true].min())}): are rows "
            "and columns swapped? Rows are the true classes, columns the predicted "
            f"ones; {hint}"
        )
        raise CostError(msg)


def check_row_costs(values: FloatArray, classes: tuple[Level, ...]) -> None:
    """Refuse costs per row that are no costs."""
    # min and max see NaN and need no temporary as large as the data.
    if values.min() >= 0 and values.max() <= _LARGEST:
        return
    row, answer = np.argwhere(_is_wrong(values))[0]
    msg = (
        f"in row_costs the cost of answering {_name(classes[answer])} on row {row} "
        f"{_reason(values[row, answer])}"
    )
    raise CostError(msg)


def check_row_stakes(row_costs: FloatArray) -> None:
    """Refuse costs per row that favour no answer anywhere: nothing can be learnt."""
    if (row_costs == row_costs[:, :1]).all():
        msg = (
            "row_costs favours no answer, on every row all cost the same: let wrong "
            "answers cost more"
        )
        raise CostError(msg)


def _is_wrong(values: FloatArray) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Where a number cannot be a cost; NaN compares false."""
    wrong: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]
    wrong = ~((values >= 0) & (values <= _LARGEST))
    return wrong


def _reason(cost: float) -> str:
    """Why a number cannot be a cost and what to write in its place."""
    if np.isnan(cost):
        return "is missing (nan): give a number, 0 or more"
    if np.isinf(cost):
        return f"is {show_number(cost)}: costs are finite; a large one does the same"
    if cost < 0:
        return (
            f"is {show_number(cost)}: costs are not negative; add the same number to "
            f"the whole row, {_HARMLESS}"
        )
    return (
        f"is {show_number(cost)}: costs go up to {_LARGEST}; divide all of them by the "
        f"same number, {_HARMLESS}"
    )
