"""Sparse matrices of all kinds in; canonical CSR or CSC, or exact refusals, out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from tanoak._sparse import canonical, refuse_infinite_sparse
from tanoak.exceptions import TableError

DENSE = np.array([[0, 1.5, 0], [2, 0, 0], [0, np.nan, -3]])
NAMES = ("a", "b", "c")


def messy(kind):
    """Build `DENSE` with an explicit zero, unsorted and duplicate indices."""
    data = np.array([1.5, 0.0, 2.0, -3.0, np.nan])
    if kind.__name__.startswith("csr"):
        return kind((data, [1, 0, 0, 2, 1], [0, 2, 3, 5]), shape=(3, 3))
    split = np.array([2.0, np.nan, 1.0, 0.5, -3.0])
    return kind((split, [1, 2, 0, 0, 2], [0, 1, 4, 5]), shape=(3, 3))


def state(matrix):
    """Take what a caller could see of a matrix."""
    arrays = (matrix.data, matrix.indices, matrix.indptr)
    return [array.tobytes() for array in arrays]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    "kind",
    [sparse.csr_array, sparse.csr_matrix, sparse.csc_array, sparse.csc_matrix],
)
def test_canonical_matrices_are_not_copied(kind, dtype):
    given_matrix = kind(DENSE.astype(dtype))
    matrix = canonical(given_matrix, NAMES)
    assert matrix.format == given_matrix.format
    assert isinstance(matrix, sparse.csr_array | sparse.csc_array)
    assert matrix.dtype == dtype
    for part in ("data", "indices", "indptr"):
        assert np.shares_memory(getattr(matrix, part), getattr(given_matrix, part))


@pytest.mark.parametrize("kind", [sparse.csr_array, sparse.csc_matrix])
def test_messy_matrices_are_put_right_on_a_copy(kind):
    given_matrix = messy(kind)
    before = state(given_matrix)
    matrix = canonical(given_matrix, NAMES)
    np.testing.assert_array_equal(matrix.toarray(), DENSE)
    assert matrix.nnz == 4
    assert matrix.has_canonical_format
    assert state(given_matrix) == before


@pytest.mark.parametrize("name", ["coo", "lil", "dok", "bsr", "dia"])
def test_other_formats_become_csc(name):
    matrix = canonical(sparse.coo_array(DENSE).asformat(name), NAMES)
    assert matrix.format == "csc"
    np.testing.assert_array_equal(matrix.toarray(), DENSE)


@pytest.mark.parametrize(
    ("dtype", "result"),
    [("?", "f4"), ("i1", "f4"), ("u2", "f4"), ("i4", "f8"), ("u8", "f8"), ("f4", "f4")],
)
def test_numbers_become_floats(dtype, result):
    matrix = canonical(sparse.csr_array(np.eye(3, dtype=dtype)), NAMES)
    assert matrix.dtype == result
    np.testing.assert_array_equal(matrix.toarray(), np.eye(3))


def test_duplicates_are_added_as_toarray_does():
    bools = sparse.csr_array(([True, True], [0, 0], [0, 2]), shape=(1, 1))
    assert canonical(bools, ("a",)).toarray() == [[1.0]]
    bytes_ = np.array([100, 100], dtype=np.uint8)
    counts = sparse.csr_array((bytes_, [0, 0], [0, 2]), shape=(1, 1))
    assert canonical(counts, ("a",)).toarray() == counts.toarray()


def test_long_indices_and_read_only_arrays():
    given_matrix = sparse.csr_array(DENSE)
    given_matrix.indices = given_matrix.indices.astype(np.int64)
    given_matrix.indptr = given_matrix.indptr.astype(np.int64)
    for part in ("data", "indices", "indptr"):
        getattr(given_matrix, part).setflags(write=False)
    np.testing.assert_array_equal(canonical(given_matrix, NAMES).toarray(), DENSE)


def test_long_doubles_warn():
    given_matrix = sparse.csr_array(DENSE.astype(np.longdouble))
    with pytest.warns(UserWarning, match="long doubles"):
        matrix = canonical(given_matrix, NAMES)
    np.testing.assert_array_equal(matrix.toarray(), DENSE)


@given(st.integers(0, 2**32 - 1), st.sampled_from(["csr", "csc", "coo"]))
def test_any_matrix_equals_its_dense_copy(seed, name):
    rng = np.random.default_rng(seed)
    shape = (6, 4)
    entries = rng.integers(0, 30)
    rows, columns = (rng.integers(0, n, entries) for n in shape)
    values = rng.integers(-2, 3, entries).astype(np.float64)
    given_matrix = sparse.coo_array((values, (rows, columns)), shape).asformat(name)
    matrix = canonical(given_matrix, ("a",) * 4)
    np.testing.assert_array_equal(matrix.toarray(), given_matrix.toarray())
    assert np.count_nonzero(matrix.data) == matrix.nnz


def broken(part, values, dtype=None):
    """Build a CSR matrix with one part made wrong behind SciPy's back."""
    matrix = sparse.csr_array(np.eye(3))
    dtype = dtype or getattr(matrix, part).dtype
    setattr(matrix, part, np.array(values, dtype=dtype))
    return matrix


LONG = (
    ": integers that differ only beyond 2^53 cannot be told apart; subtract an "
    "offset, or make the column categorical, categorical=['b']"
)
HUGE = np.zeros((3, 3), dtype=np.int64)
HUGE[2, 1] = -(2**53) - 1
HUGE[1, 1] = 2**53


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (broken("indices", [0, 1, 9]), "X is not a valid sparse matrix: "),
        (broken("indices", [0, -1, 1]), "X is not a valid sparse matrix: "),
        (broken("indptr", [0, 3, 1, 3]), "X is not a valid sparse matrix: "),
        (broken("indptr", [0, 1]), "X is not a valid sparse matrix: "),
        (broken("data", [1.0]), "X is not a valid sparse matrix: "),
        (
            sparse.csr_array(np.eye(3) * 1j),
            "Complex data not supported: column 'a' holds values of type complex128; "
            "give its real and imaginary parts as two columns",
        ),
        (
            broken("data", np.ones(3), object),
            "a sparse X must hold numbers, got 'object'",
        ),
        (sparse.csr_array(HUGE), f"column 'b' holds {-(2**53) - 1} in row 2" + LONG),
        (sparse.csr_array(-HUGE), f"column 'b' holds {2**53 + 1} in row 2" + LONG),
        (sparse.csc_array(HUGE), f"column 'b' holds {-(2**53) - 1} in row 2" + LONG),
    ],
)
def test_refused(matrix, message):
    with pytest.raises(TableError) as caught:
        canonical(matrix, NAMES)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("kind", [sparse.csr_array, sparse.csc_array])
@pytest.mark.parametrize("sign", [1, -1])
def test_infinity_is_named_by_its_place(kind, sign):
    dense = np.zeros((4, 3), dtype=np.float32)
    dense[0, 0] = dense[3, 2] = 1
    refuse_infinite_sparse(kind(dense), NAMES)
    dense[2, 1] = sign * np.inf
    with pytest.raises(TableError) as caught:
        refuse_infinite_sparse(kind(dense), NAMES)
    message = (
        "column 'b' holds infinity in row 2; replace it by a large finite number, or "
        "by NaN if it is missing"
    )
    assert str(caught.value) == message
