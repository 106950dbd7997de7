"""In: rows as plain Python or NumPy objects; out: the matrix that routing takes.

The same rules as for a `Table`, without what needs SciPy or a data-frame library.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tanoak._cells import read_cells
from tanoak._columns import Columns, check_width, match_names
from tanoak._messages import shown
from tanoak._values import (
    Labels,
    Numbers,
    assemble,
    infinity_message,
    match,
    settle_dtype,
    to_floats,
)
from tanoak.exceptions import TableError

__all__ = ["read_rows"]

_DIMENSIONS = 2  # rows and columns


def read_rows(X: Any, columns: Columns) -> npt.NDArray[Any]:
    """Return rows as numbers and codes.

    Parameters
    ----------
    X : array, list of rows, dict of columns, or list of dict
        None and NaN are missing; levels that training did not see count as missing.
    columns : Columns
        The columns of the training data.

    Returns
    -------
    numpy.ndarray of float32 or float64, shape (n_rows, n_columns)
        The array itself where it already is that.

    Raises
    ------
    TableError
        If columns are missing or unknown, or a value cannot be used.
    """
    if isinstance(X, Mapping):
        found = _mapped(X, columns)
    elif isinstance(X, list | tuple) and X and isinstance(X[0], Mapping):
        found = _turned(X, columns)
    else:
        array = _matrix(X, columns)
        if array.dtype.kind in "biuf" and not columns.categorical:
            return _finite(to_floats(array, columns.names), columns.names)
        found = [array[:, position] for position in range(len(columns))]
    facts = zip(found, columns.levels, columns.names, strict=True)
    read = [match(_read(values, name), levels, name) for values, levels, name in facts]
    return _finite(assemble(read, len(found[0])), columns.names)


def _mapped(X: Mapping[Any, Any], columns: Columns) -> list[Any]:
    """Put a dict of columns in order."""
    _check_names(X, columns, "")
    found = [X[name] for name in columns.names]
    for name, values in zip(columns.names, found, strict=True):
        if isinstance(values, str | bytes) or not hasattr(values, "__len__"):
            msg = (
                f"column {shown(name)} is {shown(values)}; give a list or array for "
                f"each column, or a list of dicts, one for each row"
            )
            raise TableError(msg)
    lengths = {len(values) for values in found}
    if len(lengths) > 1 or 0 in lengths:
        msg = f"columns must have one length, at least 1; got {sorted(lengths)}"
        raise TableError(msg)
    return found


def _turned(X: Sequence[Any], columns: Columns) -> list[list[Any]]:
    """Turn one dict for each row into columns."""
    for number, row in enumerate(X):
        if not isinstance(row, Mapping):
            msg = f"row {number} is {shown(row)}; the rows before it are dicts"
            raise TableError(msg)
        _check_names(row, columns, f"row {number}: ")
    return [[row[name] for row in X] for name in columns.names]


def _check_names(X: Mapping[Any, Any], columns: Columns, where: str) -> None:
    """Refuse other names than those of the training data."""
    if len(X) == len(columns) and all(name in X for name in columns.names):
        return
    odd = next((name for name in X if not isinstance(name, str)), None)
    if odd is not None:
        msg = f"{where}columns are found by name; {shown(odd)} is not text"
        raise TableError(msg)
    try:
        match_names(list(X), columns)
    except TableError as error:
        hint = "\nGive None for a missing value."
        msg = f"{where}{error}{hint if len(X) < len(columns) else ''}"
        raise TableError(msg) from None


def _matrix(X: Any, columns: Columns) -> npt.NDArray[Any]:
    """View rows as a 2-D array of numbers, or of objects."""
    if isinstance(X, np.ndarray):
        array = np.asarray(X)
    elif isinstance(X, list | tuple):
        # Objects: among texts NumPy would make texts of the numbers, too.
        array = np.empty(0) if not X else _objects(X)
    else:
        msg = (
            f"X is a {type(X).__name__}; give a 2-D NumPy array, a dict of columns, "
            f"or a list of dicts, one for each row"
        )
        raise TableError(msg)
    if array.ndim != _DIMENSIONS or len(array) == 0:
        msg = (
            f"X has shape {array.shape}; give a 2-D array with one row at least. "
            f"Reshape your data, e.g. [row], if it is a single row"
        )
        raise TableError(msg)
    check_width(array.shape[1], columns)
    return settle_dtype(array, columns.names[0]) if _is_number(array) else array


def _objects(X: Sequence[Any]) -> npt.NDArray[Any]:
    """Make an array of lists, keeping each cell as it is."""
    lengths = {len(row) for row in X if isinstance(row, list | tuple | np.ndarray)}
    if len(lengths) > 1:
        msg = f"X cannot be read as a table: its rows have {sorted(lengths)} values"
        raise TableError(msg)
    try:
        return np.array(X, dtype=object)
    except ValueError as error:
        msg = f"X cannot be read as a table: {error}"
        raise TableError(msg) from None


def _is_number(array: npt.NDArray[Any]) -> bool:
    """Whether an array holds numbers, and not text or objects."""
    return array.dtype.kind not in "OUT"


def _read(values: Any, name: str) -> Numbers | Labels:
    """Read one column."""
    if not isinstance(values, list | tuple):
        values = np.asarray(values)
        if values.ndim != 1:
            msg = f"column {shown(name)} has shape {values.shape}; it must be 1-D"
            raise TableError(msg)
        if _is_number(values):
            return Numbers(settle_dtype(values, name))
    return read_cells(list(values), name)


def _finite(values: npt.NDArray[Any], names: Sequence[str]) -> npt.NDArray[Any]:
    """Refuse infinities, naming where the first one is."""
    infinite = np.isinf(values)
    if infinite.any():
        position = int(infinite.any(axis=0).argmax())
        row = int(infinite[:, position].argmax())
        raise TableError(infinity_message(names[position], row))
    return values
