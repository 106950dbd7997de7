"""In: numbers and class names as users write them; out: float64 arrays and labels."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import isfinite
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tanoak.exceptions import CostError

Level = str | bool | int | float
FloatArray = NDArray[np.float64]

_LONGEST_NAME, _MOST_NAMES = 60, 6
_EXACT_WHOLE = 1e15


@dataclass(frozen=True)
class NamedNumbers:
    """A data frame of numbers, and the names of its columns and, if any, rows."""

    rows: list[object] | None
    rows_from: str
    columns: list[object]
    values: FloatArray


def show(value: object) -> str:
    """Repr for a message, shortened: labels may be 10 kB long."""
    text = repr(value.item() if isinstance(value, np.generic) else value)
    return text if len(text) <= _LONGEST_NAME else f"{text[:40]}...{text[-10:]}"


def show_some(values: Sequence[object]) -> str:
    """Comma-separated reprs of the first few values."""
    listed = ", ".join(show(value) for value in values[:_MOST_NAMES])
    more = len(values) > _MOST_NAMES
    return f"{listed}, ... ({len(values)} in all)" if more else listed


def show_number(number: float) -> str:
    """Shortest text of a number: 5 and not 5.0, 0.1 and not 0.10000000000000001."""
    number = float(number)
    whole = number.is_integer() and abs(number) < _EXACT_WHOLE
    return str(int(number)) if whole else repr(number)


def read_classes(classes: Iterable[object]) -> tuple[Level, ...]:
    """Class labels as plain Python values, checked; NumPy scalars become Python's."""
    if isinstance(classes, str | bytes):
        msg = f"classes is the text {show(classes)}: give a list of labels"
        raise CostError(msg)
    labels = tuple(_read_class(label) for label in classes)
    _refuse_twice(labels, "classes")
    if len({isinstance(label, str) for label in labels}) > 1:
        msg = (
            f"classes mix text and numbers ({show_some(labels)}): make all of them "
            "text or all of them numbers"
        )
        raise CostError(msg)
    return labels


def _read_class(label: object) -> Level:
    """One label as str, bool, int or float."""
    value = label.item() if isinstance(label, np.generic) else label
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float) and isfinite(value):
        return float(value)
    msg = (
        f"{show(value)} cannot be a class label: labels are text, whole or finite "
        "numbers, True or False"
    )
    raise CostError(msg)


def read_numbers(values: object, what: str) -> FloatArray:
    """Any array-like as float64, not copied when it is; missing cells become NaN."""
    if hasattr(values, "toarray"):
        msg = f"{what} is a sparse matrix: pass {what}.toarray()"
        raise CostError(msg)
    if isinstance(values, np.ma.MaskedArray):
        values = np.ma.filled(values.astype(object), np.nan)
    try:
        array = np.asarray(values)
    except ValueError as error:
        msg = f"{what} has rows of different lengths: give every row as many numbers"
        raise CostError(msg) from error
    if array.dtype.kind in "iuf":
        with np.errstate(over="ignore"):
            return np.asarray(array, dtype=np.float64)
    if not isinstance(values, np.ndarray):
        # NumPy has made [1, "2"] all text: look at the cells as they were written.
        array = np.asarray(values, dtype=object)
    numbers = [_read_number(cell, at, what) for at, cell in np.ndenumerate(array)]
    return np.array(numbers, dtype=np.float64).reshape(array.shape)


def _read_number(cell: object, at: tuple[int, ...], what: str) -> float:
    """One cell of an array that is not numeric as a whole."""
    if isinstance(cell, Real | Decimal) and not isinstance(cell, bool | np.bool_):
        try:
            return float(cell)
        except OverflowError:
            return np.inf
    if cell is None or type(cell).__name__ == "NAType":
        return np.nan
    place = f"{what}[{', '.join(map(str, at))}]" if at else what
    msg = f"{place} is {show(cell)}, which is not a number: give one such as 1 or 0.5"
    raise CostError(msg)


def read_one_number(value: object, what: str) -> float:
    """Read a single cost."""
    number = read_numbers(value, what)
    if number.ndim:
        msg = f"{what} is {show(value)}: give one number"
        raise CostError(msg)
    return float(number)


def read_codes(y_codes: ArrayLike, n_classes: int) -> NDArray[np.int64]:
    """Class codes of the rows, checked."""
    codes = np.asarray(y_codes)
    wanted = f"give a whole number from 0 to {n_classes - 1} for each row"
    if codes.ndim != 1 or codes.dtype.kind not in "iu" or len(codes) == 0:
        msg = f"y_codes has shape {codes.shape} and dtype {codes.dtype}: {wanted}"
        raise CostError(msg)
    wrong = (codes < 0) | (codes >= n_classes)
    if wrong.any():
        at = int(np.argmax(wrong))
        msg = f"y_codes[{at}] is {codes[at]}: {wanted}"
        raise CostError(msg)
    return codes.astype(np.int64, copy=False)


def read_weights(sample_weight: object, n_rows: int) -> FloatArray:
    """Weights of the rows, checked; all ones when there are none."""
    if sample_weight is None:
        return np.ones(n_rows)
    weights = read_numbers(sample_weight, "sample_weight")
    if weights.shape != (n_rows,):
        msg = (
            f"sample_weight has shape {weights.shape}, but there are {n_rows} rows: "
            "give one number for each row"
        )
        raise CostError(msg)
    wrong = ~((weights >= 0) & np.isfinite(weights))
    if wrong.any():
        at = int(np.argmax(wrong))
        msg = (
            f"sample_weight[{at}] is {show_number(weights[at])}: weights are finite "
            "and not negative; use 0 to leave a row out"
        )
        raise CostError(msg)
    with np.errstate(over="ignore"):
        total = weights.sum()
    if not (0 < total < np.inf):
        msg = (
            f"sample_weight sums to {show_number(total)}: the weights may not all be "
            "zero, and their sum must be finite"
        )
        raise CostError(msg)
    return weights


def as_mapping(values: object) -> Mapping[object, object] | None:
    """See a dict or pandas-like Series as a dict: its order is not the classes'."""
    if isinstance(values, Mapping):
        return values
    if getattr(values, "ndim", None) == 1 and hasattr(values, "to_dict"):
        series: Any = values
        _refuse_twice(list(series.index), "the Series")
        named: Mapping[object, object] = series.to_dict()
        return named
    return None


def read_frame(frame: object, what: str) -> NamedNumbers | None:
    """Read a data frame of any kind; None when it is not one."""
    # Asked of the class: on a lazy frame the attribute itself would start a query.
    if not hasattr(type(frame), "columns"):
        return None
    import narwhals as nw

    try:
        table = nw.from_native(frame, pass_through=True)
    except nw.exceptions.DuplicateError as error:
        # In a pyarrow table `columns` are the data.
        pandas_names = getattr(frame, "columns", ())
        names: Iterable[object] = getattr(frame, "column_names", pandas_names)
        _refuse_twice(list(names), f"the header of {what}")
        raise CostError(str(error)) from error
    if isinstance(table, nw.LazyFrame):
        msg = f"{what} is a lazy frame: pass {what}.collect()"
        raise CostError(msg)
    if not isinstance(table, nw.DataFrame):
        return None
    columns: list[object] = list(table.columns)
    cells = [column.to_numpy() for column in table.iter_columns()]
    index = nw.maybe_get_index(table)
    rows: list[object] | None = None if index is None else [*index]
    rows_from = "index"
    if what == "cost" and len(columns) == len(table) + 1:
        rows, columns, cells = list(cells[0]), columns[1:], cells[1:]
        rows_from = "first column"
    numbers = [
        read_numbers(column, f"{what}[{show(name)}]")
        for name, column in zip(columns, cells, strict=True)
    ]
    values = np.column_stack(numbers) if numbers else np.empty((len(table), 0))
    return NamedNumbers(rows, rows_from, columns, values)


def match_names(
    names: Iterable[object], classes: tuple[Level, ...], what: str
) -> list[int]:
    """Position in `names` of every class; unknown, missing and double names raise."""
    listed = list(names)
    refuse_strangers(listed, classes, what)
    known: dict[object, int] = {label: code for code, label in enumerate(classes)}
    found: dict[int, int] = {}
    for position, name in enumerate(listed):
        code = known[name]
        if code in found:
            msg = f"{what} names class {show(name)} twice: keep one of the two"
            raise CostError(msg)
        found[code] = position
    for code, label in enumerate(classes):
        if code not in found:
            msg = (
                f"{what} does not name class {show(label)}: add it; the classes are "
                f"{show_some(classes)}"
            )
            raise CostError(msg)
    return [found[code] for code in range(len(classes))]


def match_columns(
    names: list[object], classes: tuple[Level, ...], what: str
) -> list[int]:
    """As `match_names`; in most frames column names are text, so '1' may mean 1."""
    by_text = {str(label): label for label in classes}
    strangers = {name for name in names if isinstance(name, str)}.difference(classes)
    read = [
        by_text.get(str(name), name) if name in strangers else name for name in names
    ]
    return match_names(read, classes, what)


def refuse_strangers(
    names: Iterable[object], classes: tuple[Level, ...], what: str
) -> None:
    """Raise for a name that is no class, with the class the user may have meant."""
    known = set(classes)
    for name in names:
        if not _is_among(name, known):
            msg = (
                f"{what} names {show(name)}, which is none of the classes "
                f"{show_some(classes)}{_hint(name, classes)}"
            )
            raise CostError(msg)


def _is_among(name: object, known: set[Level]) -> bool:
    """By value: 1, 1.0 and NumPy's 1 are the same class; lists are none."""
    try:
        return name in known
    except TypeError:
        return False


def _hint(name: object, classes: tuple[Level, ...]) -> str:
    """Guess what the user meant by a strange name."""
    if isinstance(name, tuple):
        return "; for single cells write {true: {predicted: cost}}"
    by_text = {str(label)[:100]: label for label in classes}
    close = difflib.get_close_matches(str(name)[:100], by_text, n=1)
    return (
        f"; did you mean {show(by_text[close[0]])}?" if close else ": rename or drop it"
    )


def _refuse_twice(names: Sequence[object], what: str) -> None:
    """Raise when a name occurs twice; 1, 1.0 and True are the same name."""
    seen: set[object] = set()
    for name in names:
        if name in seen:
            msg = f"{what} has {show(name)} twice: every class once"
            raise CostError(msg)
        seen.add(name)
