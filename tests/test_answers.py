"""Classes and masses in; label arrays and shares out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trees import QUICK, Leaf, axis, build, cases, columns_of

from tanoak._answers import label_array, shares


@pytest.mark.parametrize(
    ("classes", "dtype"),
    [
        (("bad", "good"), "<U4"),
        ((0, 1), "int64"),
        ((-(2**63), 2**63 - 1), "int64"),
        ((2**63, 1), "object"),
        ((False, True), "bool"),
        ((0.5, 1.0), "float64"),
        ((1, "a"), "object"),
        ((True, 2), "object"),
        (("a\0", "a"), "object"),
        (("a" * 1000, "b"), "object"),
    ],
)
def test_labels_have_the_dtype_of_the_classes(classes, dtype):
    labels = label_array(classes)
    assert labels.dtype == dtype
    assert labels.tolist() == list(classes)
    assert [type(label) for label in labels.tolist()] == [type(c) for c in classes]


@given(st.lists(st.text(), min_size=1, unique=True))
def test_no_text_is_changed(classes):
    assert label_array(tuple(classes)).tolist() == classes


def leaves(*masses, **more):
    """Build a tree with two leaves from the masses of all nodes."""
    root = axis(0, 0.0, Leaf([0, 0]), Leaf([0, 0]))
    return build(root, columns_of(None), ("no", "yes"), masses=masses, **more)


def test_shares_are_masses_times_factors():
    tree = leaves([4.0, 4.0], [1.0, 3.0], [3.0, 1.0], class_factor=[6.0, 1.0])
    expected = [[24 / 28, 4 / 28], [6 / 9, 3 / 9], [18 / 19, 1 / 19]]
    assert shares(tree).tolist() == expected


def test_a_node_without_mass_takes_the_shares_above():
    tree = leaves([1.0, 3.0], [0.0, 0.0], [1.0, 3.0])
    assert shares(tree)[1].tolist() == [0.25, 0.75]
    assert (
        shares(leaves([0.0, 0.0], [0.0, 0.0], [0.0, 0.0])).tolist() == [[0.5] * 2] * 3
    )
    # A class that counts nothing may leave a node empty as well.
    tree = leaves([4.0, 3.0], [0.0, 3.0], [4.0, 0.0], class_factor=[0.0, 1.0])
    assert shares(tree).tolist() == [[0.0, 1.0]] * 3


def test_the_nearest_node_above_that_has_mass():
    inner = axis(0, -1.0, axis(0, -2.0, Leaf([0, 0]), Leaf([0, 0])), Leaf([0, 0]))
    root = axis(0, 0.0, inner, Leaf([0, 0]))
    masses = [
        [9.0, 1.0],
        [1.0, 1.0],
        [0.0, 0.0],
        *[[0.0, 0.0]] * 2,
        [1.0, 0.0],
        [8.0, 0.0],
    ]
    tree = build(root, columns_of(None), ("no", "yes"), masses=masses)
    assert shares(tree)[2:5].tolist() == [[0.5, 0.5]] * 3


@QUICK
@given(cases(n_classes=3))
def test_shares_sum_to_one(drawn):
    np.testing.assert_allclose(shares(drawn[0]).sum(axis=1), 1.0)
