"""In: the values of one column; out: `Numbers` or `Labels`, fit for training levels."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tanoak._columns import Level
from tanoak._messages import shown
from tanoak.exceptions import TableError

__all__ = [
    "EXACT_INTEGERS",
    "Labels",
    "Numbers",
    "assemble",
    "bool_labels",
    "code_labels",
    "has_long_integers",
    "infinity_message",
    "learn",
    "match",
    "refuse_integer",
    "refuse_type",
    "settle_dtype",
    "to_floats",
]

# A double holds every integer up to here, and not the next one.
EXACT_INTEGERS = 2**53
# A float32 holds this many category codes.
_FLOAT32_CODES = 2**24

_ADVICE = {
    "time": "turn it into numbers, such as days since a start, or cast the column to "
    "strings",
    "complex": "give its real and imaginary parts as two columns",
    "nested": "spread it over one column per element",
    "bytes": "decode the column to strings",
}
_REFUSED = {"c": "complex", "m": "time", "M": "time", "S": "bytes", "V": "nested"}


@dataclass(frozen=True, eq=False)
class Numbers:
    """A column of numbers: bool, integer or float, with the dtype they came in."""

    values: NDArray[Any]
    missing: NDArray[np.bool_] | None = None  # where a bool or integer is missing


@dataclass(frozen=True, eq=False)
class Labels:
    """A column of categories: codes among the levels that occur, -1 where missing."""

    codes: NDArray[np.integer[Any]]
    levels: tuple[Level, ...]


def refuse_type(name: str, what: str, kind: str) -> TableError:
    """Build the error for a column of a type that no split can use."""
    start = "Complex data not supported: " if kind == "complex" else ""
    msg = f"{start}column {shown(name)} holds {what}; {_ADVICE[kind]}"
    return TableError(msg)


def refuse_integer(name: str, row: int, value: object) -> TableError:
    """Build the error for an integer that no double tells from its neighbours."""
    msg = (
        f"column {shown(name)} holds {shown(value)} in row {row}: integers that differ "
        f"only beyond 2^53 cannot be told apart; subtract an offset, or make the "
        f"column categorical, categorical=[{shown(name)}]"
    )
    return TableError(msg)


def settle_dtype(values: NDArray[Any], name: str) -> NDArray[Any]:
    """Refuse dtypes that are no numbers; cut long doubles down to doubles."""
    kind = values.dtype.kind
    if kind in _REFUSED:
        raise refuse_type(name, f"values of type {values.dtype}", _REFUSED[kind])
    if kind == "f" and not np.can_cast(values.dtype, np.float64):
        msg = "X holds long doubles; tanoak drops the digits beyond 64 bits"
        warnings.warn(msg, UserWarning, stacklevel=2)
        with np.errstate(over="ignore"):  # the infinity is refused by its place
            return values.astype(np.float64)
    return values


def to_floats(values: NDArray[Any], names: Sequence[str]) -> NDArray[Any]:
    """Give floats in the machine's own layout, the same array where it is so."""
    native = values.dtype.newbyteorder("=")
    if native in (np.float32, np.float64):
        ready = values.dtype.isnative and values.flags.aligned
        return values if ready else values.astype(native, order="K")
    if np.can_cast(native, np.float32):
        return values.astype(np.float32, order="K")
    if has_long_integers(values):
        for position, name in enumerate(names):
            check_integers(values[:, position], name)
    return values.astype(np.float64, order="K")


def has_long_integers(values: NDArray[Any]) -> bool:
    """Tell whether a double would round some of these integers."""
    if values.dtype.newbyteorder("=") not in (np.int64, np.uint64) or not values.size:
        return False
    return bool(values.min() < -EXACT_INTEGERS or values.max() > EXACT_INTEGERS)


def check_integers(values: NDArray[Any], name: str) -> None:
    """Refuse a column of integers that a double would round."""
    if has_long_integers(values):
        beyond = (values > EXACT_INTEGERS) | (values < -EXACT_INTEGERS)
        row = int(beyond.argmax())
        raise refuse_integer(name, row, values[row])


def bool_labels(values: NDArray[np.bool_], missing: NDArray[np.bool_] | None) -> Labels:
    """Make bools a category of those of False and True that occur."""
    codes = np.where(missing, -1, values) if missing is not None else values
    return code_labels(codes.astype(np.int8), (False, True))


def code_labels(
    codes: NDArray[np.integer[Any]],
    categories: Sequence[Level | None],
    *,
    ordered: bool = True,
) -> Labels:
    """Keep the categories that occur, merge equal ones, sort them unless `ordered`."""
    places = codes.astype(np.intp) + 1  # place 0 is for the missing ones
    present = np.flatnonzero(np.bincount(places, minlength=len(categories) + 1)[1:])
    cells = [categories[code] for code in present.tolist()]
    levels = [level for level in dict.fromkeys(cells) if level is not None]
    if not ordered:
        levels.sort()
    recoded = {level: code for code, level in enumerate(levels)}
    lookup = np.full(len(categories) + 1, -1, dtype=np.int32)
    lookup[present + 1] = [-1 if cell is None else recoded[cell] for cell in cells]
    return Labels(lookup[places], tuple(levels))


def _number_labels(column: Numbers, name: str) -> Labels:
    """Make every distinct number a category, in rising order."""
    values = column.values
    missing = np.isnan(values) if values.dtype.kind == "f" else column.missing
    known = values if missing is None else values[~missing]
    levels = np.unique(known)
    if levels.dtype.kind == "f":
        levels += 0.0  # -0.0 becomes 0.0, whichever of the two was met first
    if np.isinf(levels).any():
        row = int(np.isinf(values).argmax())
        raise TableError(infinity_message(name, row))
    codes = np.searchsorted(levels, values).astype(np.int32)
    if missing is not None:
        codes[missing] = -1
    return Labels(codes, tuple(levels.tolist()))


def infinity_message(name: str, row: int) -> str:
    """Say which cell is infinite."""
    return (
        f"column {shown(name)} holds infinity in row {row}; replace it by a large "
        f"finite number, or by NaN if it is missing"
    )


def learn(column: Numbers | Labels, name: str, *, forced: bool) -> Numbers | Labels:
    """Decide at fit what a column is: `forced` makes numbers a category."""
    if isinstance(column, Labels):
        return column
    if forced:
        return _number_labels(column, name)
    check_integers(column.values, name)
    return column


def match(
    column: Numbers | Labels, levels: tuple[Level, ...] | None, name: str
) -> Numbers | Labels:
    """Bring a new column into the shape of a training column, by value."""
    if levels is not None:
        labels = column if isinstance(column, Labels) else _number_labels(column, name)
        return _recode(labels, levels, name)
    if isinstance(column, Labels):
        column = _numbers_of(column, name)
    check_integers(column.values, name)
    return column


def _recode(labels: Labels, levels: tuple[Level, ...], name: str) -> Labels:
    """Give labels the codes they had in training; -1 to a level that is new."""
    codes = {level: code for code, level in enumerate(levels)}
    found = [codes.get(level, -1) for level in labels.levels]
    old, new = _all_text(levels), _all_text(labels.levels)
    if found and levels and None not in (old, new) and old is not new:
        row = int((labels.codes >= 0).argmax())
        value = labels.levels[labels.codes[row]]
        wanted, remedy = ("text", "strings") if old else ("numbers", "numbers")
        msg = (
            f"column {shown(name)} had categories of {wanted} in training and holds "
            f"{shown(value)} in row {row}; convert the column to {remedy}"
        )
        raise TableError(msg)
    lookup = np.array([*found, -1], dtype=np.int32)
    return Labels(lookup[labels.codes], levels)


def _all_text(levels: tuple[Level, ...]) -> bool | None:
    """Tell text (True) from numbers and bools (False); None for a mixture."""
    kinds = {isinstance(level, str) for level in levels}
    return kinds.pop() if len(kinds) == 1 else None


def _numbers_of(labels: Labels, name: str) -> Numbers:
    """Read categories as the numbers they name, for a column numeric in training."""
    for code, level in enumerate(labels.levels):
        if isinstance(level, str):
            row = int((labels.codes == code).argmax())
            msg = (
                f"column {shown(name)} was numeric in training and holds the text "
                f"{shown(level)} in row {row}; convert the column to numbers"
            )
            raise TableError(msg)
        if isinstance(level, int) and abs(level) > EXACT_INTEGERS:
            row = int((labels.codes == code).argmax())
            raise refuse_integer(name, row, level)
    lookup = np.array([*labels.levels, np.nan], dtype=np.float64)
    return Numbers(lookup[labels.codes])


def assemble(columns: Sequence[Numbers | Labels], n_rows: int) -> NDArray[Any]:
    """Copy columns side by side, as float32 if that changes no value."""
    dtype = np.float32 if all(map(_fits_float32, columns)) else np.float64
    values = np.empty((n_rows, len(columns)), dtype=dtype, order="F")
    for position, column in enumerate(columns):
        if isinstance(column, Labels):
            values[:, position] = column.codes
            values[column.codes < 0, position] = np.nan
        else:
            values[:, position] = column.values
            if column.missing is not None:
                values[column.missing, position] = np.nan
    return values


def _fits_float32(column: Numbers | Labels) -> bool:
    """Tell whether float32 holds every value of a column."""
    if isinstance(column, Labels):
        return len(column.levels) <= _FLOAT32_CODES
    return np.can_cast(column.values.dtype, np.float32)
