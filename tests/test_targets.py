from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tanoak.estimators._targets import read_classes, read_numbers, read_weight
from tanoak.exceptions import CostError, TableError


@pytest.mark.parametrize(
    ("y", "codes", "classes"),
    [
        (["b", "a", "b"], [1, 0, 1], ("a", "b")),
        ([True, False, True], [1, 0, 1], (False, True)),
        ([-1, 1, -1], [0, 1, 0], (-1, 1)),
        ([2.0, 1.0, 2.0], [1, 0, 1], (1.0, 2.0)),
        (np.array(["b", "a", "b"], dtype=object), [1, 0, 1], ("a", "b")),
        (pd.Series(["b", "a", "b"], dtype="category"), [1, 0, 1], ("a", "b")),
    ],
)
def test_classes_are_sorted_and_plain(y, codes, classes):
    found, array, plain = read_classes(y, 3)
    assert found.dtype == np.int32
    assert found.tolist() == codes
    assert plain == classes
    assert [type(x) for x in plain] == [type(x) for x in classes]
    assert array.tolist() == list(classes)


def test_mixed_labels_are_named():
    y = np.array(["a", 1, "b"], dtype=object)
    with pytest.raises(TableError, match="mixes text and numbers: 'a' in row 0, 1 in"):
        read_classes(y, 3)


@pytest.mark.parametrize("missing", [None, np.nan, float("nan")])
def test_missing_labels_are_named(missing):
    with pytest.raises(TableError, match="y is missing in row 1"):
        read_classes(np.array(["a", missing, "b"], dtype=object), 3)


def test_numbers_become_doubles():
    numbers = read_numbers(np.array([1, 2, 3], dtype=np.int8), 3)
    assert numbers.dtype == np.float64
    assert numbers.tolist() == [1.0, 2.0, 3.0]


def test_numbers_too_large_to_sum_are_refused():
    with pytest.raises(TableError, match="divide all by the same number"):
        read_numbers([1e308, 0.0], 2)


def test_text_is_no_number():
    with pytest.raises(TableError, match="a regressor predicts numbers"):
        read_numbers(["a", "b"], 2)


def test_weights():
    assert read_weight(None, 3) is None
    assert read_weight([0, 1, 2], 3).tolist() == [0.0, 1.0, 2.0]
    with pytest.raises(CostError, match="keep the ratio under 1e"):
        read_weight([1e-10, 1e10], 2)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64, np.uint64])
@pytest.mark.parametrize("spread", [1, 2**40])
def test_a_narrow_range_is_encoded_like_a_wide_one(dtype, spread):
    top = np.iinfo(dtype).max
    spread = min(spread, int(top) // 4)
    labels = np.array([top, 0, top - spread, top, spread], dtype=dtype)
    if np.issubdtype(dtype, np.signedinteger):
        labels = np.append(labels, np.iinfo(dtype).min).astype(dtype)
    codes, _, classes = read_classes(labels, len(labels))
    found, places = np.unique(labels, return_inverse=True)
    assert classes == tuple(found.tolist())
    assert codes.tolist() == places.tolist()
