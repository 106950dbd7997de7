"""In: a SciPy sparse matrix; out: CSR or CSC floats, canonical, never densified."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from scipy import sparse

from tanoak._messages import shown
from tanoak._values import (
    EXACT_INTEGERS,
    has_long_integers,
    infinity_message,
    refuse_integer,
    settle_dtype,
    to_floats,
)
from tanoak.exceptions import TableError

__all__ = ["Sparse", "canonical", "refuse_infinite_sparse"]

Sparse: TypeAlias = "sparse.csr_array | sparse.csc_array"


def canonical(X: Any, names: tuple[str, ...]) -> Sparse:
    """Give sorted, distinct, non-zero entries; the caller's arrays where they are."""
    settle_dtype(np.empty(0, X.dtype), names[0])
    if X.dtype.kind not in "biuf":
        msg = f"a sparse X must hold numbers, got {shown(X.dtype.name)}"
        raise TableError(msg)
    matrix = _wrapped(X)
    zeros = matrix.nnz > np.count_nonzero(matrix.data)
    # The sums of duplicates keep the dtype, as X.toarray() does.
    if zeros or not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
        matrix.eliminate_zeros()
    if has_long_integers(matrix.data):
        beyond = (matrix.data > EXACT_INTEGERS) | (matrix.data < -EXACT_INTEGERS)
        row, column = _place(matrix, int(beyond.argmax()))
        raise refuse_integer(names[column], row, matrix.data[beyond.argmax()])
    matrix.data = to_floats(settle_dtype(matrix.data, names[0]), ())
    return matrix


def _wrapped(X: Any) -> Sparse:
    """Put the arrays of `X` into an object of our own, and check their indices."""
    wrap = sparse.csr_array if X.format == "csr" else sparse.csc_array
    try:
        source = X if X.format in {"csr", "csc"} else X.tocsc()
        parts = (source.data, source.indices, source.indptr)
        matrix = wrap(parts, shape=source.shape, copy=False)
        matrix.check_format(full_check=True)
    except (ValueError, TypeError, IndexError) as error:
        msg = f"X is not a valid sparse matrix: {error}"
        raise TableError(msg) from error
    return matrix


def refuse_infinite_sparse(matrix: Sparse, names: tuple[str, ...]) -> None:
    """Refuse infinities, naming where the first one is."""
    infinite = np.isinf(matrix.data)
    if infinite.any():
        row, column = _place(matrix, int(infinite.argmax()))
        raise TableError(infinity_message(names[column], row))


def _place(matrix: Sparse, entry: int) -> tuple[int, int]:
    """Find the row and column of a stored entry."""
    outer = int(np.searchsorted(matrix.indptr, entry, side="right")) - 1
    inner = int(matrix.indices[entry])
    return (outer, inner) if matrix.format == "csr" else (inner, outer)
