"""In: rows as plain Python or NumPy objects; out: the matrix that routing takes.

The same rules as for a `Table`, without what needs SciPy or a data-frame library.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tanoak._columns import (
    Columns,
    check_width,
    find_columns,
    match_names,
    read_names,
)
from tanoak._mapping import common_length, read_plain
from tanoak._messages import shown
from tanoak._values import (
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
        A dict of columns is read as `read_like` does.
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
    read = [
        match(read_plain(cells, name), levels, name) for cells, levels, name in facts
    ]
    return _finite(assemble(read, len(found[0])), columns.names)


def _mapped(X: Mapping[Any, Any], columns: Columns) -> list[Any]:
    """Put a dict of columns in order."""
    if not X:
        _check_names(X, columns, "")
    names, named = read_names(X)
    try:
        order = find_columns(names, columns, named=named)
    except TableError as error:
        raise _explained(error, len(X) < len(columns), "") from None
    found = [*X.values()]
    if common_length(found, names) == 0:
        msg = f"column {shown(names[0])} is empty; give one row at least"
        raise TableError(msg)
    return [found[position] for position in order]


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
        raise _explained(error, len(X) < len(columns), where) from None


def _explained(error: TableError, is_short: bool, where: str) -> TableError:
    """Say which row has other columns, and how to write that a value is missing."""
    hint = "\nGive None for a missing value." if is_short else ""
    return TableError(f"{where}{error}{hint}")


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


def _finite(values: npt.NDArray[Any], names: Sequence[str]) -> npt.NDArray[Any]:
    """Refuse infinities, naming where the first one is."""
    infinite = np.isinf(values)
    if infinite.any():
        position = int(infinite.any(axis=0).argmax())
        row = int(infinite[:, position].argmax())
        raise TableError(infinity_message(names[position], row))
    return values
