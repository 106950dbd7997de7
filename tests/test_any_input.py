"""Random garbage in; a fit that holds together, or a plain error, out."""

from __future__ import annotations

import warnings
from datetime import date, timedelta
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from refusals import written
from scipy import sparse

from tanoak import GreedyTreeClassifier, GreedyTreeRegressor

CELLS = st.one_of(
    st.integers(-3, 3),
    st.floats(),
    st.sampled_from(["", "a", "b\0", "1.5", "\u202e", "inf"]),
    st.booleans(),
    st.sampled_from([None, pd.NA, pd.NaT, np.nan, np.float16(1), np.bool_(True)]),
    st.sampled_from([2**53 + 1, -(2**63), 2**64, 10**400, 1e300, -0.0, 5e-324]),
    st.sampled_from([Decimal("1.5"), Decimal("sNaN"), 1j, b"x", np.longdouble(2)]),
    st.sampled_from([date(2020, 1, 1), timedelta(1), np.datetime64("NaT"), (1,), [2]]),
)
# Most columns are of one kind, or nothing would ever fit.
KINDS = [
    st.integers(-3, 3),
    st.floats(allow_infinity=False),
    st.sampled_from(["a", "b", "c"]),
    st.sampled_from([True, False, None]),
    st.sampled_from([1, 2, None]),
    CELLS,
]
DTYPES = [
    *["f8", "f4", "f2", "g", ">f8", ">f4", "i1", "i4", "i8", ">i8", "u1", "u8", "?"],
    *["c16", "M8[D]", "m8[s]", "U3", "S2"],
]
SHAPES = hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3)


def strided(array, how):
    """Lay the same values out in memory in another way."""
    if how == "fortran":
        return np.asfortranarray(array)
    if how == "reversed":
        return array[(slice(None, None, -1),) * array.ndim]
    if how == "spread":
        wide = np.repeat(array[..., None], 2, axis=-1)
        return wide[..., 0]
    if how == "unaligned":
        raw = np.zeros(array.nbytes + 1, dtype=np.uint8)
        moved = raw[1:].view(array.dtype)[: array.size].reshape(array.shape)
        moved[...] = array
        return moved
    if how == "repeated":
        return np.broadcast_to(array[:1], array.shape) if array.ndim else array
    array.flags.writeable = how != "closed"
    return array


LAYOUTS = ["plain", "fortran", "reversed", "spread", "unaligned", "repeated", "closed"]


@st.composite
def arrays(draw, dtypes=DTYPES, shapes=SHAPES):
    """Draw arrays of small numbers, which fit, or of all that a dtype holds."""
    dtype, shape = np.dtype(draw(st.sampled_from(dtypes))), draw(shapes)
    small = dtype.kind in "biuf" and draw(st.booleans())
    elements = st.integers(0, 1 if dtype.kind == "b" else 3) if small else None
    array = draw(hnp.arrays(dtype, shape, elements=elements))
    return strided(array, draw(st.sampled_from(LAYOUTS)))


def columns_of(n_rows):
    """Draw lists of cells, most of one kind each."""
    kinds = st.sampled_from(KINDS)
    return kinds.flatmap(lambda kind: st.lists(kind, min_size=n_rows, max_size=n_rows))


NAMES = ["abc", "aab", "ntb", ["x", "", "\0"], [0, 1, 2], ["x", 1, 2]]


@st.composite
def grids(draw):
    """Draw lists of rows, frames and sparse matrices, a few of them torn."""
    n_rows = draw(st.integers(1, 8))
    columns = draw(st.lists(columns_of(n_rows), min_size=1, max_size=3))
    form = draw(st.sampled_from(["list", "list", "object", "pandas", "torn"]))
    names = list(draw(st.sampled_from(NAMES)))[: len(columns)]
    rows = [list(row) for row in zip(*columns, strict=True)]
    if form == "torn":
        rows[-1].append(0)
    if form == "object":
        array = np.empty((n_rows, len(columns)), dtype=object)
        for at in np.ndindex(array.shape):
            array[at] = rows[at[0]][at[1]]
        return array
    if form == "pandas":
        frames = [pd.Series(column, dtype=object) for column in columns]
        kept = frames if draw(st.booleans()) else [s.infer_objects() for s in frames]
        return pd.concat(kept, axis=1, keys=None).set_axis(names, axis=1)
    return rows


@st.composite
def polars_frames(draw):
    """Draw frames whose columns have a type."""
    n_rows = draw(st.integers(1, 8))
    kinds = st.lists(st.sampled_from(KINDS[:-1]), min_size=1, max_size=3)
    columns = [
        draw(st.lists(kind, min_size=n_rows, max_size=n_rows)) for kind in draw(kinds)
    ]
    return pl.DataFrame({f"c{i}": column for i, column in enumerate(columns)})


def compress(array, layout):
    """Make a sparse matrix of two-dimensional numbers; others stay."""
    fits = array.ndim == 2 and array.dtype.kind in "biuf" and array.dtype != "g"
    native = array.dtype.isnative and array.dtype != np.float16
    return getattr(sparse, f"{layout}_array")(array) if fits and native else array


def one_of(*strategies):
    """Draw from strategies alike, however many branches each has."""
    return st.sampled_from(strategies).flatmap(lambda strategy: strategy)


TABLES = arrays(shapes=st.tuples(st.integers(1, 8), st.integers(1, 3)))
FEATURES = one_of(
    TABLES,
    st.builds(compress, TABLES, st.sampled_from(["csr", "csc", "coo", "lil"])),
    grids(),
    grids(),
    polars_frames(),
    one_of(arrays(), CELLS),
)


def n_rows_of(X):
    """Count rows as far as that is possible."""
    shape = getattr(X, "shape", None)
    if shape is not None:
        return shape[0] if len(shape) else 1
    return len(X) if isinstance(X, list | str | tuple) else 1


@st.composite
def problems(draw):
    """Draw features, a target that often fits, and weights that often do."""
    X = draw(FEATURES)
    n_rows = n_rows_of(X)
    labels = st.lists(st.integers(0, 2), min_size=n_rows, max_size=n_rows)
    cells = columns_of(n_rows)
    objects = cells.map(lambda cells: np.array([*cells, None], dtype=object)[:-1])
    numbers = arrays(["f8", "f4", ">i4", "u1", "?", "U2"], st.just((n_rows,)))
    anything = one_of(arrays(), CELLS)
    y = draw(one_of(labels, labels, cells, objects, numbers, anything))
    weight = draw(one_of(st.none(), st.none(), numbers, numbers, cells, anything))
    return X, y, weight


INTERNALS = ("Traceback", "std::", "nanobind", "incompatible function", "0x", ".py")
UNHURRIED = settings(
    max_examples=300,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def refusal(call):
    """Call; return the words of a refusal users can catch, None if all went well."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", RuntimeWarning)
        try:
            call()
        except (ValueError, TypeError) as error:
            return str(error)
    return None


def check_words(words):
    """Expect a message of reasonable length that shows nothing of the inside."""
    assert not any(inside in words for inside in INTERNALS), words
    assert 10 < len(words) < 500


@pytest.mark.parametrize("model", [GreedyTreeClassifier, GreedyTreeRegressor])
@UNHURRIED
@given(problem=problems())
def test_garbage_fits_or_is_refused(model, problem):
    X, y, weight = problem
    before = written(X, y, weight)
    fitted = model()
    words = refusal(lambda: fitted.fit(X, y, sample_weight=weight))
    if words is None:
        assert refusal(lambda: check_fitted(fitted, X, weight)) is None
    else:
        check_words(words)
        assert not any(name.endswith("_") for name in vars(fitted))
    assert written(X, y, weight) == before


def check_fitted(model, X, weight):
    """Compare what the training rows do with what the tree counted."""
    leaf = model.apply(X)
    used = np.ones(len(leaf), bool) if weight is None else np.asarray(weight) > 0
    tree = model.tree_
    n_rows = np.bincount(leaf[used], minlength=tree.n_nodes)
    np.testing.assert_array_equal(n_rows, tree.counts.sum(axis=1) * tree.is_leaf)
    assert len(model.predict(X)) == len(leaf)
    if isinstance(model, GreedyTreeClassifier):
        assert np.isin(model.predict(X), model.classes_).all()
        np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)
    else:
        assert np.isfinite(model.predict(X)).all()


ROWS = {
    "n": [1.0, 2.0, 3.0, np.nan],
    "t": ["a", "b", "c", None],
    "b": [True, False] * 2,
}


@pytest.mark.parametrize("n_columns", [1, 2, 3])
def test_garbage_is_answered_or_refused(n_columns):
    frame = pd.DataFrame(ROWS).iloc[:, :n_columns]
    model = GreedyTreeClassifier().fit(frame, [0, 1, 2, 3])

    @UNHURRIED
    @given(X=FEATURES)
    def run(X):
        before = written(X)
        words = refusal(lambda: check_answered(model, X))
        assert words is None or check_words(words) is None
        assert written(X) == before

    run()


def check_answered(model, X):
    """Expect answers that belong together."""
    leaf = model.apply(X)
    assert model.tree_.is_leaf[leaf].all()
    np.testing.assert_array_equal(
        model.predict(X), model.classes_[model.tree_.label[leaf]]
    )
