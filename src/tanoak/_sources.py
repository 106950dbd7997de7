"""In: `X` in any container; out: a `Source`, one way to ask all of them for columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tanoak._cells import read_cells
from tanoak._columns import numbered_names, read_names
from tanoak._frames import open_frame, open_series, read_series, uniform_block
from tanoak._mapping import common_length, read_plain
from tanoak._messages import shown
from tanoak._sparse import Sparse, canonical
from tanoak._values import EXACT_INTEGERS, Labels, Numbers, settle_dtype, to_floats
from tanoak.exceptions import TableError

__all__ = ["Source", "open_source"]

_DIMENSIONS = 2  # rows and columns
_WANTED = "a 2-D array, a sparse matrix, a data frame or a dict of columns"


@dataclass(frozen=True, eq=False)
class Source:
    """The data behind one door."""

    shape: tuple[int, int]
    names: tuple[str, ...]
    named: bool
    block: NDArray[Any] | Sparse | None  # all values at once, if they are all numbers
    column: Callable[[int], Numbers | Labels]


def open_source(X: Any) -> Source:
    """Look at `X` without copying it, and refuse what is not a table."""
    if sparse.issparse(X):
        return _open_sparse(X)
    if isinstance(X, Mapping):
        return _open_mapping(X)
    frame = None if isinstance(X, np.ndarray | list | tuple) else open_frame(X)
    if frame is None:
        return _open_array(_to_array(X))
    _check_shape(frame.shape)
    labels = frame.columns
    names, named = read_names(labels)
    return Source(
        shape=frame.shape,
        names=names,
        named=named,
        block=uniform_block(frame),
        column=lambda j: read_series(frame.get_column(labels[j]), names[j]),
    )


def _open_array(array: NDArray[Any]) -> Source:
    """Offer the columns of an array, numbers all at once."""
    _check_shape(array.shape)
    names = numbered_names(array.shape[1])
    if array.dtype.kind in "OUT":
        block = None
    else:
        block = array = settle_dtype(array, names[0])

    def column(position: int) -> Numbers | Labels:
        values = array[:, position]
        if block is not None:
            return Numbers(values)
        return read_cells(values.tolist(), names[position])

    shape = (array.shape[0], array.shape[1])
    return Source(shape=shape, names=names, named=False, block=block, column=column)


def _open_mapping(X: Mapping[Any, Any]) -> Source:
    """Offer the columns of a dict, named by its keys, as those of a frame."""
    if not X:
        _check_shape((0, 0))
    names, named = read_names(X)
    columns = [*X.values()]
    shape = (common_length(columns, names), len(names))
    _check_shape(shape)

    def column(position: int) -> Numbers | Labels:
        values, name = columns[position], names[position]
        series = open_series(values)
        return read_plain(values, name) if series is None else read_series(series, name)

    return Source(shape=shape, names=names, named=named, block=None, column=column)


def _to_array(X: Any) -> NDArray[Any]:
    """View `X` as a plain array, cells that are masked as missing."""
    if isinstance(X, np.ma.MaskedArray):
        return _unmasked(X)
    if isinstance(X, np.ndarray):
        return np.asarray(X)
    if isinstance(X, list | tuple) and X and isinstance(X[0], Mapping):
        msg = (
            f"X is a {type(X).__name__} of dicts; give a dict of columns, "
            f"{{name: [value, ...]}}, or a data frame made of it"
        )
        raise TableError(msg)
    try:
        array = np.asarray(X)
        if _loses_types(X, array):
            array = np.array(X, dtype=object)
    except (TypeError, ValueError, RuntimeError, OverflowError) as error:
        msg = f"X cannot be read as a table: {error}; give {_WANTED}"
        raise TableError(msg) from error
    if not array.shape and not hasattr(X, "__array__"):
        msg = f"X is {shown(X)} of type {type(X).__name__}; give {_WANTED}"
        raise TableError(msg)
    return array


def _loses_types(X: object, array: NDArray[Any]) -> bool:
    """Tell whether NumPy made text of a list's numbers, or floats of huge integers."""
    if not isinstance(X, list | tuple) or array.size == 0:
        return False
    if array.dtype.kind == "f":
        # float64, as a Python integer would overflow float16.
        return bool((np.abs(array) >= np.float64(EXACT_INTEGERS)).any())
    return array.dtype.kind in "US"


def _unmasked(X: np.ma.MaskedArray[Any, Any]) -> NDArray[Any]:
    """Write NaN or None where an array is masked, on a copy."""
    mask = np.ma.getmaskarray(X)
    if not mask.any():
        return np.asarray(X)
    _check_shape(X.shape)
    if X.dtype.kind in "biuf":
        values = to_floats(X.filled(0), numbered_names(X.shape[1]))
        values[mask] = np.nan
        return values
    cells = np.asarray(X).astype(object)
    cells[mask] = None
    return cells


def _check_shape(shape: tuple[int, ...]) -> None:
    """Refuse what is not two-dimensional, or empty, in scikit-learn's words."""
    if len(shape) != _DIMENSIONS:
        what = "scalar" if not shape else f"{len(shape)}D"
        msg = (
            f"Expected 2D array, got {what} array instead, of shape {shape}. "
            f"Reshape your data either using array.reshape(-1, 1) if it is a single "
            f"column or array.reshape(1, -1) if it is a single row."
        )
        raise TableError(msg)
    for length, what in zip(shape, ("sample", "feature"), strict=True):
        if length == 0:
            msg = (
                f"Found array with 0 {what}(s) (shape={tuple(shape)}) while a minimum "
                f"of 1 is required."
            )
            raise TableError(msg)


def _open_sparse(X: Any) -> Source:
    """Offer a sparse matrix, all of whose columns are numeric."""
    _check_shape(X.shape)
    names = numbered_names(X.shape[1])

    def column(position: int) -> Numbers | Labels:
        msg = (
            f"column {names[position]!r} is categorical, which needs dense data, and "
            f"X is sparse; use X.toarray()"
        )
        raise TableError(msg)

    block = canonical(X, names)
    return Source(shape=X.shape, names=names, named=False, block=block, column=column)
