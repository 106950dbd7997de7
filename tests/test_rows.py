"""Labels and weights in; codes and sums out."""

from __future__ import annotations

import numpy as np
import pytest

from tanoak._rows import read_labels, sum_by_class
from tanoak.exceptions import CostError, TableError


@pytest.mark.parametrize(
    ("y", "classes", "codes"),
    [
        (["no", "yes", "no"], ("no", "yes"), [0, 1, 0]),
        (np.array([7.0, 3.0]), (3, 7), [1, 0]),
        (np.array(["b"], dtype=object), ("a", "b"), [1]),
        ([True, False], (False, True), [1, 0]),
    ],
)
def test_positions_of_labels(y, classes, codes):
    found, weight = read_labels(y, classes, len(y))
    assert found.tolist() == codes
    assert weight is None


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (["no"], r"y has shape \(1,\) for 2 rows"),
        (["no", "maybe"], "y holds 'maybe' in row 1, the classes are"),
        ([["no"], ["no"]], r"y has shape \(2, 1\)"),
        (["no", None], "y holds None in row 1"),
        (np.array([["x"], None], dtype=object), "not a label"),
    ],
)
def test_what_is_no_label(y, message):
    with pytest.raises(TableError, match=message):
        read_labels(y, ("no", "yes"), 2)


def test_weights_are_checked():
    assert read_labels([0, 1], (0, 1), 2, [2, 0.5])[1].tolist() == [2, 0.5]
    with pytest.raises(CostError, match="negative"):
        read_labels([0, 1], (0, 1), 2, [2, -1])


def test_sums_by_place_and_class():
    place, codes = np.array([2, 0, 2, 2]), np.array([1, 0, 1, 0])
    sums = sum_by_class(place, codes, np.array([1, 2, 4, 8.0]), (3, 2))
    assert sums.tolist() == [[2, 0], [0, 0], [8, 5]]
