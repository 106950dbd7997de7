"""In: features in any common container; out: a `Table`, checked once at the door."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tanoak import _core
from tanoak._columns import Columns, Level, find_columns, forced_positions
from tanoak._sources import Source, open_source
from tanoak._sparse import Sparse, refuse_infinite_sparse
from tanoak._values import Labels, assemble, infinity_message, learn, match, to_floats
from tanoak.exceptions import TableError

__all__ = ["Columns", "Level", "Table", "for_core", "read_like", "read_table"]


@dataclass(frozen=True, eq=False)
class Table:
    """Features of n rows and d columns, checked and ready for the core.

    Parameters
    ----------
    values : ndarray, csr_array or csc_array of shape (n, d)
        float32 or float64, native and aligned, with any strides. Numbers as they came;
        in categorical columns the codes of the levels. NaN: missing, or a level that
        training did not see. Never infinite.
    columns : Columns
        What the columns are called and mean.

    Examples
    --------
    >>> import numpy as np
    >>> table = read_table(np.array([[1.5, 2.0], [3.5, np.nan]]))
    >>> table.n_rows, table.columns.names
    (2, ('x0', 'x1'))
    """

    values: NDArray[Any] | Sparse
    columns: Columns

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.values.shape[0])

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return int(self.values.shape[1])


def read_table(X: Any, *, categorical: object = "auto") -> Table:
    """Read training data: learn its names and its categories.

    Parameters
    ----------
    X : array-like, sparse matrix, data frame, dict of columns or Table, shape (n, d)
        NumPy arrays of any memory order, lists, SciPy sparse matrices, frames of
        pandas, polars and pyarrow, and dicts of lists, arrays or Series by name.
        float32 and float64 arrays are not copied; a `Table` comes back as it is.
    categorical : "auto", list of str or int, or mask of shape (d,), default="auto"
        Columns to read as categories besides those whose type says so (text, bools and
        categories in data frames, dicts and object arrays).

    Returns
    -------
    Table
        The levels of a categorical column are those that occur: in declared order for
        category types, sorted otherwise.

    Raises
    ------
    TableError
        If a value, type, name or shape cannot be used; rows are counted from 0.

    Examples
    --------
    >>> table = read_table([["red", 2], ["blue", 3], ["red", None]])
    >>> table.columns.levels
    (('blue', 'red'), None)
    >>> table.values
    array([[ 1.,  2.],
           [ 0.,  3.],
           [ 1., nan]])
    >>> read_table({"town": ["Kiel", "Bonn"], "age": [30, 40]}).columns.names
    ('town', 'age')
    """
    if isinstance(X, Table):
        return X
    source = open_source(X)
    forced = forced_positions(categorical, source.names)
    if source.block is not None and not forced:
        columns = Columns(source.names, (None,) * len(source.names), source.named)
        return _table(source.block, columns)
    _refuse_sparse(source, forced)
    found = [
        learn(source.column(position), name, forced=position in forced)
        for position, name in enumerate(source.names)
    ]
    levels = tuple(c.levels if isinstance(c, Labels) else None for c in found)
    columns = Columns(source.names, levels, source.named)
    return _table(assemble(found, source.shape[0]), columns)


def read_like(X: Any, columns: Columns) -> Table:
    """Read new data into the shape of the training data.

    Parameters
    ----------
    X : array-like, sparse matrix, data frame, dict or Table of shape (n, d)
        Columns of a frame or dict are found by name if the training data had names,
        or if it uses the names of the tree ("x0"); else by position. A category that
        training did not see becomes NaN.
    columns : Columns
        The columns of the training data.

    Returns
    -------
    Table
        With exactly these columns.

    Raises
    ------
    TableError
        If columns are missing, unknown or too many, or hold another kind of values.

    Examples
    --------
    >>> columns = Columns(("town",), (("Bonn", "Kiel"),), named=True)
    >>> read_like([["Kiel"], ["Rome"]], columns).values
    array([[ 1.],
           [nan]], dtype=float32)
    """
    if isinstance(X, Table):
        return _same_table(X, columns)
    source = open_source(X)
    order = find_columns(source.names, columns, named=source.named)
    if source.block is not None and not columns.categorical:
        return _table(_ordered(source.block, order), columns)
    _refuse_sparse(source, columns.categorical)
    found = [
        match(source.column(position), levels, name)
        for position, levels, name in zip(
            order, columns.levels, columns.names, strict=True
        )
    ]
    return _table(assemble(found, source.shape[0]), columns)


def _refuse_sparse(source: Source, categorical: Iterable[int]) -> None:
    """Refuse categorical columns in a sparse matrix, naming the first."""
    if source.block is not None and not isinstance(source.block, np.ndarray):
        source.column(min(categorical))


def _table(values: NDArray[Any] | Sparse, columns: Columns) -> Table:
    """Check values for the last time and join them with their columns."""
    if isinstance(values, np.ndarray):
        values = to_floats(values, columns.names)
        refuse_infinite(values, columns.names)
    else:
        refuse_infinite_sparse(values, columns.names)
    return Table(values, columns)


def _same_table(table: Table, columns: Columns) -> Table:
    """Let a table pass that was read with the same columns."""
    if table.columns != columns:
        msg = (
            "this Table was read with other columns than the training data; read the "
            "data again with read_like(X, columns)"
        )
        raise TableError(msg)
    return table


def _ordered(block: NDArray[Any] | Sparse, order: Sequence[int]) -> Any:
    """Put columns in order; the block itself if they are."""
    in_order = list(order) == list(range(len(order)))
    # Through the transpose: a frame's block is stored column by column.
    return block if in_order else block.T[list(order)].T


def refuse_infinite(values: NDArray[Any], names: Sequence[str]) -> None:
    """Refuse infinities, naming the first column that holds one, and the row."""
    rows, _ = _core.scan_columns(values)
    if (rows >= 0).any():
        position = int((rows >= 0).argmax())
        message = infinity_message(names[position], int(rows[position]))
        raise TableError(message)


def for_core(values: NDArray[Any] | Sparse, *, by_column: bool = False) -> Any:
    """Return values as the core takes them: an array, or the parts of a compressed one.

    Parameters
    ----------
    values : ndarray, csr_array or csc_array of shape (n, d)
        Values of a `Table`.
    by_column : bool, default=False
        How sparse ones shall be compressed: by column to grow, by row to route.

    Returns
    -------
    ndarray or tuple
        The array itself, or (values, indices, starts, n, d).
    """
    if isinstance(values, np.ndarray):
        return values
    compressed = values.tocsc() if by_column else values.tocsr()
    parts = compressed.data, compressed.indices, compressed.indptr
    return (*parts, *compressed.shape)
