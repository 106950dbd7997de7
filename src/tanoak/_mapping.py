"""In: the columns of a dict, lists or arrays; out: their length, and what they hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tanoak._cells import read_cells
from tanoak._messages import shown
from tanoak._values import Labels, Numbers, bool_labels, settle_dtype
from tanoak.exceptions import TableError

__all__ = ["common_length", "read_plain"]


def common_length(columns: Sequence[Any], names: Sequence[str]) -> int:
    """Return how many values each column of a dict has; refuse what is no column."""
    for values, name in zip(columns, names, strict=True):
        if not _is_column(values):
            msg = (
                f"column {shown(name)} is {shown(values)}; give a list, array or "
                f"Series of values for each column, of one value if it is a single row"
            )
            raise TableError(msg)
    lengths = [len(values) for values in columns]
    for length, name in zip(lengths, names, strict=True):
        if length != lengths[0]:
            msg = (
                f"column {shown(name)} has length {length}, column {shown(names[0])} "
                f"{lengths[0]}; give columns of one length"
            )
            raise TableError(msg)
    return lengths[0]


def _is_column(values: object) -> bool:
    """Whether an object can hold one value for each row, in order."""
    if isinstance(values, str | bytes | bytearray | memoryview):
        return False
    if isinstance(values, Sequence):
        return True
    # NumPy's scalars and 0-dimensional arrays are arrays by name only.
    return hasattr(values, "__array__") and bool(getattr(values, "shape", True))


def read_plain(values: Any, name: str) -> Numbers | Labels:
    """Read a list or array as one column; bools are a category, as in data frames."""
    if isinstance(values, Sequence):
        return read_cells(list(values), name)
    missing = np.ma.getmask(values)
    array = np.asarray(values)
    if array.ndim != 1:
        msg = f"column {shown(name)} has shape {array.shape}; it must be 1-D"
        raise TableError(msg)
    if array.dtype.kind in "OUT":
        cells = array.tolist()
        for row in np.flatnonzero(missing).tolist():
            cells[row] = None
        return read_cells(cells, name)
    array = settle_dtype(array, name)
    gaps = None if missing is np.ma.nomask else missing
    if array.dtype.kind == "b":
        return bool_labels(array, gaps)
    if gaps is not None and array.dtype.kind == "f":
        array, gaps = np.where(gaps, np.nan, array).astype(array.dtype), None
    return Numbers(array, gaps)
