"""In: a target column and weights of any kind; out: class codes, numbers, weights."""

from __future__ import annotations

import contextlib
import warnings
from datetime import date, time, timedelta
from decimal import Decimal
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from tanoak._answers import label_array
from tanoak._cost_input import read_weights
from tanoak._messages import shown
from tanoak._table import Level
from tanoak._values import EXACT_INTEGERS
from tanoak.exceptions import CostError, TableError

__all__ = ["read_classes", "read_numbers", "read_weight", "warn_of_one_class"]

_WIDEST_RANGE = 1e15
_NARROW = 2**20
_EXACT = np.float64(EXACT_INTEGERS)  # a Python integer would overflow float16
# Beyond these, sums of weights x costs or weights x squares could leave a double.
_LARGEST, _SMALLEST = 1e100, 1e-100

_MISSING = {"NoneType", "NAType", "NaTType"}
_TIMES = (date, time, timedelta, np.datetime64, np.timedelta64)
_LABELS = "labels are text, whole numbers or bools; convert y, e.g. to strings"
_NUMBERS = "a regressor predicts numbers; convert y to numbers, or use a classifier"


def read_classes(
    y: Any, n_rows: int
) -> tuple[NDArray[np.int32], NDArray[Any], tuple[Level, ...]]:
    """Return each row's position in the sorted classes, and the classes twice.

    The classes come as the array that scikit-learn wants and as plain Python values.
    """
    labels = _column(y, n_rows, _LABELS)
    if labels.dtype == object:
        labels = _one_kind(labels.tolist())
    if labels.dtype.kind == "f":
        labels = _whole(labels)
    if labels.dtype == object:
        codes, classes = _encode_texts(labels.tolist())
    else:
        found, codes = _encode_numbers(labels)
        classes = tuple(found.tolist())
    check_classification_targets(codes)  # warns where nearly every row is a class
    return codes, label_array(classes), classes


def read_numbers(y: Any, n_rows: int) -> NDArray[np.float64]:
    """Return a numeric target as float64."""
    column = _column(y, n_rows, _NUMBERS)
    if column.dtype.kind in "UO":
        cells = column.tolist()
        numbers = np.array([_number(cell, row) for row, cell in enumerate(cells)])
    else:
        with np.errstate(over="ignore"):  # the infinity is refused by its row
            numbers = column.astype(np.float64)
    wrong = ~(np.abs(numbers) <= _LARGEST)
    if wrong.any():
        row = int(wrong.argmax())
        if np.isnan(numbers[row]):
            raise _missing(row)
        infinite = np.isinf(numbers[row])
        hint = "leave such rows out" if infinite else "divide all by the same number"
        msg = (
            f"y holds {shown(numbers[row])} in row {row}: numbers go up to {_LARGEST}; "
            f"{hint}"
        )
        raise TableError(msg)
    return numbers


def read_weight(sample_weight: Any, n_rows: int) -> NDArray[np.float64] | None:
    """Return checked weights, or None if all rows count alike."""
    if sample_weight is None:
        return None
    weight = np.ascontiguousarray(read_weights(sample_weight, n_rows))
    smallest, largest = weight[weight > 0].min(), weight.max()
    if largest / _WIDEST_RANGE > smallest:
        msg = (
            f"sample_weight ranges from {smallest:g} to {largest:g}: beside the "
            f"largest the smallest is lost; keep the ratio under {_WIDEST_RANGE:g}"
        )
        raise CostError(msg)
    total = weight.sum()
    if not _SMALLEST <= total <= _LARGEST:
        # A power of two, so that no ratio changes; the new total is about n.
        weight = np.ldexp(weight, np.frexp(n_rows)[1] - np.frexp(total)[1])
    return weight


def warn_of_one_class(
    codes: NDArray[np.int32], classes: tuple[Level, ...], weight: Any
) -> None:
    """Warn where there is nothing to tell apart."""
    counted = codes if weight is None else codes[weight > 0]
    if (counted == counted[0]).all():
        among = "" if len(classes) == 1 else " among the rows of positive weight"
        msg = (
            f"y holds one class only{among}, {shown(classes[counted[0]])}: the tree is "
            "a single leaf"
        )
        warnings.warn(msg, UserWarning, stacklevel=3)


def _column(y: Any, n_rows: int, wanted: str) -> NDArray[Any]:
    """Return y as one column with a value for each row, of a type that can be one."""
    if y is None:
        msg = "fit requires y to be passed, but the target y is None"
        raise TableError(msg)
    if isinstance(y, np.ma.MaskedArray) and np.ma.getmaskarray(y).any():
        raise _missing(int(np.ma.getmaskarray(y).argmax()))
    try:
        column: NDArray[Any] = column_or_1d(_to_array(y), warn=True)
    except (TypeError, ValueError, RuntimeError, OverflowError) as error:
        reason = str(error).partition("\n")[0]  # the data follows
        is_complex = reason.startswith("Complex data not supported")
        advice = wanted if is_complex else "y must hold one value for each row"
        msg = f"{reason.rstrip('.')}: {advice}"
        raise TableError(msg) from error
    if column.dtype.kind not in "biufUO":
        msg = f"y holds values of type {column.dtype}: {wanted}"
        raise TableError(msg)
    if len(column) != n_rows:
        msg = f"X has {n_rows} rows, but y has {len(column)}: give one value a row"
        raise TableError(msg)
    return column


def _to_array(y: Any) -> Any:
    """Make an array, of objects where NumPy would change what a list holds.

    scikit-learn would make floats of nullable integers and bools.
    """
    if not isinstance(y, list | tuple):
        return np.asarray(y) if hasattr(y, "__array__") else y
    with contextlib.suppress(ValueError, OverflowError):  # ragged, or beyond a double
        array = np.asarray(y)
        is_float = array.dtype.kind == "f"
        rounded = is_float and (abs(array) > _EXACT).any()
        if array.dtype.kind not in "US" and not rounded:
            return array
    return np.array(y, dtype=object)


def _missing(row: int) -> TableError:
    """Build the error for a row without a target."""
    return TableError(f"y is missing in row {row}: leave such rows out")


def _one_kind(cells: list[Any]) -> NDArray[Any]:
    """Give object labels the type they all have, or say which ones differ."""
    kinds = {cell_type: _kind_of(cell_type) for cell_type in set(map(type, cells))}
    first: dict[str, int] = {}
    for row, cell in enumerate(cells):
        kind = kinds[type(cell)]
        if kind == "number" and cell != cell:  # noqa: PLR0124 only NaN differs from itself
            kind = "missing"
        first.setdefault(kind, row)
    if "missing" in first:
        raise _missing(first["missing"])
    if "other" in first:
        row = first["other"]
        start = "Complex data not supported: " if _is_complex(cells[row]) else ""
        msg = f"{start}y holds {shown(cells[row])} in row {row}: {_LABELS}"
        raise TableError(msg)
    if len(first) > 1:
        text, number = first["text"], first["number"]
        msg = (
            f"y mixes text and numbers: {shown(cells[text])} in row {text}, "
            f"{shown(cells[number])} in row {number}; make all labels one type"
        )
        raise TableError(msg)
    return np.array(cells, dtype=object) if "text" in first else _exact(cells)


def _kind_of(cell_type: type) -> str:
    """Sort a type of label into text, number, missing or other."""
    if cell_type.__name__ in _MISSING:
        return "missing"
    if issubclass(cell_type, str):
        return "text"
    numbers = (bool, np.bool_, Integral, float, np.floating)
    is_number = issubclass(cell_type, numbers) and not issubclass(cell_type, _TIMES)
    return "number" if is_number else "other"


def _is_complex(cell: object) -> bool:
    """Tell complex numbers, for which scikit-learn has its own words."""
    return isinstance(cell, complex | np.complexfloating)


def _exact(cells: list[Any]) -> NDArray[Any]:
    """Make an array of number labels, none of which may be rounded."""
    labels = np.array(cells)
    if labels.dtype.kind in ("f", "O"):
        for row, cell in enumerate(cells):
            if isinstance(cell, Integral) and abs(int(cell)) > EXACT_INTEGERS:
                msg = (
                    f"y holds {shown(cell)} in row {row}: beside fractions, or beyond "
                    "64 bits, such integers cannot be told apart; cast y to strings"
                )
                raise TableError(msg)
    return labels


def _whole(labels: NDArray[Any]) -> NDArray[np.float64]:
    """Return float labels as doubles, refusing those that name no class."""
    if np.isnan(labels).any():
        raise _missing(int(np.isnan(labels).argmax()))
    with np.errstate(over="ignore"):
        doubles = labels.astype(np.float64) + 0.0  # -0.0 and 0.0 are one class
    wrong = ~np.isfinite(doubles) | (np.floor(doubles) != labels)
    if wrong.any():
        row = int(wrong.argmax())
        msg = (
            f"Unknown label type: continuous: y holds {shown(labels[row])} in row "
            f"{row}; {_LABELS}, or use a regressor"
        )
        raise TableError(msg)
    return doubles


def _encode_numbers(labels: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int32]]:
    """Encode numbers by their order; a narrow range is counted, which is quicker."""
    is_integer = labels.dtype.kind in "iu" and len(labels) > 0
    low, high = (int(labels.min()), int(labels.max())) if is_integer else (0, 0)
    if not is_integer or high - low > _NARROW:
        found, places = np.unique(labels, return_inverse=True)
        return found, places.astype(np.int32)
    # The difference may leave a small type: unsigned, it wraps to the right value.
    unsigned = labels.astype(f"u{labels.dtype.itemsize}")
    offsets = (unsigned - unsigned[labels.argmin()]).astype(np.intp)
    occurs = np.bincount(offsets) > 0
    code = np.cumsum(occurs, dtype=np.int32) - np.int32(1)
    found = np.array([low + int(step) for step in np.flatnonzero(occurs)], labels.dtype)
    return found, code[offsets]


def _encode_texts(cells: list[Any]) -> tuple[NDArray[np.int32], tuple[Level, ...]]:
    """Encode texts by their order; NumPy would cut the NULs that end one."""
    classes = tuple(sorted({str.__str__(cell) for cell in cells}))
    place = {label: code for code, label in enumerate(classes)}
    codes = np.fromiter(map(place.__getitem__, cells), np.int32, len(cells))
    return codes, classes


def _number(cell: Any, row: int) -> float:
    """Read one cell of a target that is not numeric as a whole; NaN if missing."""
    if type(cell).__name__ in _MISSING:
        return np.nan
    if isinstance(cell, Real | Decimal | np.bool_) and not isinstance(cell, _TIMES):
        try:
            return float(cell)
        except OverflowError:
            return np.inf
        except ValueError:  # a Decimal's signalling NaN
            return np.nan
    start = "Complex data not supported: " if _is_complex(cell) else ""
    msg = f"{start}y holds {shown(cell)} in row {row}: {_NUMBERS}"
    raise TableError(msg)
