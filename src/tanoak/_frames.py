"""In: a frame of pandas, polars, pyarrow or their kin; out: its names and columns."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tanoak._cells import read_cells, read_level
from tanoak._columns import refuse_duplicates
from tanoak._values import (
    Labels,
    Numbers,
    bool_labels,
    code_labels,
    refuse_type,
    settle_dtype,
)
from tanoak.exceptions import TableError

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw
    from narwhals import Series

__all__ = ["open_frame", "open_series", "read_series", "uniform_block"]

# The codes of a column, -1 where missing, and what each of them stands for.
Encoded = tuple[NDArray[np.integer[Any]], Sequence[object]]


def open_frame(X: Any) -> nw.DataFrame[Any] | None:
    """Wrap a data frame of any library; None if `X` is not one."""
    import narwhals.stable.v2 as nw
    from narwhals.exceptions import DuplicateError

    if type(X).__name__ == "RecordBatch":
        import pyarrow as pa

        X = pa.Table.from_batches([X])
    try:
        frame = nw.from_native(X, pass_through=True)
    except DuplicateError:
        refuse_duplicates(getattr(X, "column_names", None) or list(X.columns))
        raise
    if isinstance(frame, nw.LazyFrame):
        msg = (
            f"X is a lazy {type(X).__name__}; give the data itself, "
            f"X.collect() or X.compute()"
        )
        raise TableError(msg)
    return frame if isinstance(frame, nw.DataFrame) else None


def open_series(values: Any) -> Series[Any] | None:
    """Wrap one column of any data-frame library; None if `values` is not one."""
    if isinstance(values, np.ndarray | list | tuple):
        return None
    import narwhals.stable.v2 as nw

    series = nw.from_native(values, allow_series=True, pass_through=True)
    return series if isinstance(series, nw.Series) else None


def uniform_block(frame: nw.DataFrame[Any]) -> NDArray[Any] | None:
    """Give the values of a pandas frame of one float type, uncopied if possible."""
    if not frame.implementation.is_pandas():
        return None
    dtypes = set(frame.to_native().dtypes)
    if dtypes == {np.dtype(np.float32)} or dtypes == {np.dtype(np.float64)}:
        return np.asarray(frame.to_native().to_numpy())
    return None


def read_series(series: Series[Any], name: str) -> Numbers | Labels:
    """Read one column of a frame by its type."""
    import narwhals.stable.v2 as nw

    dtype = series.dtype
    # narwhals looks at the head of an object column only, we look at every cell.
    if getattr(series.to_native(), "dtype", None) == np.dtype(object):
        return read_cells(series.to_list(), name)
    if dtype.is_integer() or dtype == nw.Boolean:
        return _read_integers(series, name)
    if dtype.is_decimal():
        return Numbers(series.cast(nw.Float64()).to_numpy())
    if dtype in (nw.String, nw.Categorical, nw.Enum):  # an Enum has its own hash
        return _read_labels(series, name)
    if dtype.is_temporal():
        raise refuse_type(name, f"values of type {dtype}", "time")
    if dtype.is_nested():
        raise refuse_type(name, f"values of type {dtype}", "nested")
    return _read_unknown(series.to_numpy(), name)


def _read_unknown(values: NDArray[Any], name: str) -> Numbers | Labels:
    """Read floats, and columns whose type only their own library knows."""
    if values.dtype.kind == "O":
        return read_cells(values.tolist(), name)
    values = settle_dtype(values, name)
    return bool_labels(values, None) if values.dtype.kind == "b" else Numbers(values)


def _read_integers(series: Series[Any], name: str) -> Numbers | Labels:
    """Read integers or bools with their gaps, never through floats."""
    import narwhals.stable.v2 as nw

    if series.dtype in (nw.Int128, nw.UInt128):
        return read_cells(series.to_list(), name)
    is_bool = series.dtype == nw.Boolean
    missing = None
    if series.null_count():
        missing = series.is_null().to_numpy()
        series = series.fill_null(False if is_bool else 0)
    values = series.to_numpy()
    return bool_labels(values, missing) if is_bool else Numbers(values, missing)


def _read_labels(series: Series[Any], name: str) -> Labels | Numbers:
    """Read text (sorted) or declared categories (in their order)."""
    import narwhals.stable.v2 as nw

    declared = series.dtype != nw.String and not _is_polars_categorical(series)
    encoded = None
    # Each library fails in its own way where a type has no encoder of its own.
    with contextlib.suppress(Exception):
        encoded = _encode(series)
    if encoded is None:
        return read_cells(series.to_list(), name)
    codes, categories = encoded
    levels = [read_level(category, name) for category in categories]
    return code_labels(codes, levels, ordered=declared)


def _is_polars_categorical(series: Series[Any]) -> bool:
    """Tell a type whose order depends on what the process read before."""
    import narwhals.stable.v2 as nw

    return series.implementation.is_polars() and series.dtype == nw.Categorical


def _encode(series: Series[Any]) -> Encoded | None:
    """Have the column's own library number its distinct values."""
    import narwhals.stable.v2 as nw

    if series.implementation.is_polars():
        return _encode_polars(series)
    if series.implementation.is_pyarrow():
        return _encode_arrow(series.to_native())
    if series.dtype == nw.String:
        series = series.cast(nw.Categorical())
    native = series.to_native()
    if hasattr(native, "cat"):
        return native.cat.codes.to_numpy(), list(native.cat.categories)
    return _encode_arrow(native.array.__arrow_array__())


def _encode_polars(series: Series[Any]) -> Encoded:
    """Encode a polars column by the physical codes of an Enum."""
    import narwhals.stable.v2 as nw

    if isinstance(series.dtype, nw.Enum):
        categories = list(series.dtype.categories)
    else:
        texts = series.unique().drop_nulls().cast(nw.String()).to_list()
        categories = sorted(texts)
        series = series.cast(nw.String()).cast(nw.Enum(categories))
    codes = series.to_native().to_physical()
    numbers = codes.fill_null(0).to_numpy().astype(np.int64)
    numbers[codes.is_null().to_numpy()] = -1
    return numbers, categories


def _encode_arrow(column: Any) -> Encoded:
    """Encode an Arrow column, whose chunks may differ in their dictionaries."""
    if not hasattr(column.type, "value_type"):
        column = column.dictionary_encode()
    column = column.unify_dictionaries()
    parts = []
    for chunk in column.chunks:
        missing = chunk.indices.is_null().to_numpy(zero_copy_only=False)
        filled = chunk.indices.fill_null(0).to_numpy().astype(np.int64)
        parts.append(np.where(missing, -1, filled))
    return np.concatenate(parts), column.chunk(0).dictionary.to_pylist()
