"""In: Python objects, the cells of one column; out: that column, all of one kind."""

from __future__ import annotations

from datetime import date, time, timedelta
from decimal import Decimal
from numbers import Integral, Real
from typing import Any

import numpy as np

from tanoak._columns import Level
from tanoak._messages import shown
from tanoak._values import (
    EXACT_INTEGERS,
    Labels,
    Numbers,
    code_labels,
    refuse_integer,
    refuse_type,
)
from tanoak.exceptions import CellTypeError, TableError

__all__ = ["read_cells", "read_level"]

Kinds = dict[type, str]

# Order matters: numpy.timedelta64 counts as an integer, pandas.NaT as a date.
_KINDS: tuple[tuple[str, tuple[type, ...]], ...] = (
    ("bool", (bool, np.bool_)),
    ("text", (str,)),
    ("time", (date, time, timedelta, np.datetime64, np.timedelta64)),
    ("complex", (complex, np.complexfloating)),
    ("number", (Real, Decimal)),
    ("bytes", (bytes, bytearray, memoryview)),
)
_MISSING = {"NoneType", "NAType", "NaTType"}


def read_cells(cells: list[Any], name: str) -> Numbers | Labels:
    """Read cells that are all text, all numbers or all bools; any may be missing."""
    if {np.datetime64, np.timedelta64} & set(map(type, cells)):
        cells = [None if _is_nat(cell) else cell for cell in cells]
    kinds = {cell_type: _kind_of(cell_type) for cell_type in set(map(type, cells))}
    found = set(kinds.values()) - {"missing"}
    for kind in sorted(found - {"text", "bool", "number"}):
        raise _refused(cells, kinds, kind, name)
    if len(found) > 1 and "number" in found and _first(cells, kinds, "number") < 0:
        found.remove("number")  # nothing but NaN, which stands for missing cells
    if "text" in found and len(found) > 1:
        other = "number" if "number" in found else "bool"
        raise _mixture(cells, kinds, other, name)
    if found in ({"text"}, {"bool"}):
        return _category(cells, kinds, found.pop())
    return _numbers(cells, kinds, name)


def read_level(category: object, name: str) -> Level | None:
    """Read one category of a declared list; None where it stands for missing."""
    kind = _kind_of(type(category))
    if kind == "missing" or _is_nan(category):
        return None
    if isinstance(category, str):
        return str.__str__(category)
    if kind == "bool":
        return bool(category)
    if isinstance(category, Integral):
        return int(category)
    if isinstance(category, Real | Decimal) and np.isfinite(float(category)):
        return float(category) + 0.0  # -0.0 and 0.0 are one level
    msg = (
        f"column {shown(name)} has the category {shown(category)}, a "
        f"{type(category).__name__}; cast the column to strings"
    )
    raise TableError(msg)


def _kind_of(cell_type: type) -> str:
    """Sort a type of cell into one of a few kinds."""
    if cell_type.__name__ in _MISSING:
        return "missing"
    kinds = (kind for kind, types in _KINDS if issubclass(cell_type, types))
    return next(kinds, "object")


def _is_nat(cell: object) -> bool:
    """Tell whether a cell is NumPy's missing date."""
    return isinstance(cell, np.datetime64 | np.timedelta64) and bool(np.isnat(cell))


def _is_nan(cell: object) -> bool:
    """Tell whether a cell is NaN; comparing a Decimal may raise."""
    if isinstance(cell, Decimal):
        return cell.is_qnan()
    return bool(cell != cell)  # noqa: PLR0124 only NaN differs from itself


def _first(cells: list[Any], kinds: Kinds, kind: str) -> int:
    """Find the first row with a cell of this kind that is not NaN, -1 if none has."""
    types = {cell_type for cell_type, its_kind in kinds.items() if its_kind == kind}
    rows = (r for r, cell in enumerate(cells) if type(cell) in types)
    return next((row for row in rows if not _is_nan(cells[row])), -1)


def _refused(cells: list[Any], kinds: Kinds, kind: str, name: str) -> TableError:
    """Build the error for a cell that is neither a number nor text."""
    rows = (row for row, cell in enumerate(cells) if kinds[type(cell)] == kind)
    row = next(rows)
    what = f"{shown(cells[row])} in row {row}"
    if kind != "object":
        return refuse_type(name, what, kind)
    # scikit-learn's estimator checks look for "argument must be ... number".
    msg = (
        f"column {shown(name)} holds {what}: argument must be a string or a real "
        f"number, not {type(cells[row]).__name__!r}; cast the column to strings if "
        f"it is a category"
    )
    return CellTypeError(msg)


def _mixture(cells: list[Any], kinds: Kinds, other: str, name: str) -> TableError:
    """Build the error for a column of text and something else."""
    text, row = _first(cells, kinds, "text"), _first(cells, kinds, other)
    msg = (
        f"column {shown(name)} mixes text and {other}s: {shown(cells[text])} in row "
        f"{text}, {shown(cells[row])} in row {row}; make the cells all strings "
        f"or all numbers"
    )
    return TableError(msg)


def _category(cells: list[Any], kinds: Kinds, kind: str) -> Labels:
    """Encode texts or bools by their place among the sorted distinct ones."""
    distinct = list(dict.fromkeys(cells))
    place = {cell: code for code, cell in enumerate(distinct)}
    codes = np.fromiter(map(place.__getitem__, cells), np.int32, len(cells))
    levels: list[Level | None] = [
        None if kinds[type(cell)] != kind else _plain(cell) for cell in distinct
    ]
    return code_labels(codes, levels, ordered=False)


def _plain(cell: str | bool | np.bool_) -> Level:
    """Strip subclasses such as numpy.str_ from a text or bool."""
    return str.__str__(cell) if isinstance(cell, str) else bool(cell)


def _numbers(cells: list[Any], kinds: Kinds, name: str) -> Numbers:
    """Read numbers, as int64 where all are integers, else as float64."""
    empty = {cell_type for cell_type, kind in kinds.items() if kind == "missing"}
    if len(empty) == len(kinds):
        return Numbers(np.full(len(cells), np.nan, dtype=np.float32))
    whole = {cell_type for cell_type in kinds if issubclass(cell_type, Integral)}
    missing = np.fromiter((type(cell) in empty for cell in cells), np.bool_, len(cells))
    only_whole = len(whole) + len(empty) == len(kinds)
    if not only_whole or not whole:
        _refuse_long(cells, whole, name)
    filled = [0 if gap else cell for gap, cell in zip(missing, cells, strict=True)]
    try:
        values = np.array(filled, dtype=np.int64 if only_whole else np.float64)
    except (TypeError, ValueError, ArithmeticError) as error:
        _refuse_long(cells, whole, name)
        msg = f"column {shown(name)} holds a number that cannot be read: {error}"
        raise TableError(msg) from error
    if not only_whole:
        values[missing] = np.nan
    return Numbers(values, missing if only_whole else None)


def _refuse_long(cells: list[Any], whole: set[type], name: str) -> None:
    """Refuse integers that a double would round."""
    for row, cell in enumerate(cells if whole else ()):
        if type(cell) in whole and not -EXACT_INTEGERS <= cell <= EXACT_INTEGERS:
            raise refuse_integer(name, row, cell)
