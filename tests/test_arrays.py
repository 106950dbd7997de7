"""Lists and arrays in; frozen arrays of the right kind out, and the tree's shape."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from reference.slow_routing import path_of
from trees import QUICK, cases, chain, complete, credit_tree, lone_leaf

from tanoak._arrays import LAYOUT, TreeArrays
from tanoak.exceptions import TreeFormatError


def changed(**more):
    """Make the plain arrays of the credit tree, some replaced."""
    return TreeArrays(**{**credit_tree().arrays(), **more})


def slow_depths(tree):
    """Count the nodes above each one by following parents."""
    depths = []
    for node in range(tree.n_nodes):
        depth, above = 0, int(tree.parent[node])
        while above >= 0:
            depth, above = depth + 1, int(tree.parent[above])
        depths.append(depth)
    return depths


@QUICK
@given(cases(n_splits=30))
def test_shape_follows_from_the_children(drawn):
    tree, rows = drawn
    for node in np.flatnonzero(~tree.is_leaf):
        assert tree.parent[tree.left[node]] == tree.parent[tree.right[node]] == node
    assert tree.node_depth.tolist() == slow_depths(tree)
    for row in rows[:5]:
        for node in path_of(tree, row):
            assert node <= path_of(tree, row)[-1] < tree.subtree_end[node]


@QUICK
@given(cases())
def test_subtree_end_is_one_past_the_last_node_below(drawn):
    tree, _ = drawn
    below = {node: {node} for node in range(tree.n_nodes)}
    for node in reversed(range(1, tree.n_nodes)):
        below[int(tree.parent[node])] |= below[node]
    assert tree.subtree_end.tolist() == [max(below[i]) + 1 for i in below]


def test_counts_of_nodes():
    tree = credit_tree()
    assert (tree.n_nodes, tree.n_leaves, tree.depth) == (7, 4, 2)
    assert (lone_leaf().n_nodes, lone_leaf().n_leaves, lone_leaf().depth) == (1, 1, 0)
    assert complete(5).depth == 5


def test_the_depth_of_a_long_chain():
    tree = chain(30_000)
    assert tree.depth == 30_000
    assert tree.subtree_end[tree.right[0]] == tree.n_nodes


@pytest.mark.parametrize("name", sorted(LAYOUT))
def test_arrays_are_closed_and_of_their_dtype(name):
    array = getattr(credit_tree(class_factor=[1.0, 2.0, 3.0]), name)
    if array is None:
        assert name in {"answer_costs", "mean", "sse", "sae"}
        return
    assert array.dtype == LAYOUT[name][0]
    assert not array.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        array[...] = 0


def test_what_is_derived_is_closed_too():
    tree = credit_tree()
    for name in ("is_leaf", "parent", "node_depth", "subtree_end"):
        assert not getattr(tree, name).flags.writeable


def test_writable_arrays_are_copied_and_closed_ones_are_not():
    mine = np.array([1.0, 2.0, 3.0])
    arrays = changed(fill=mine)
    mine[0] = 9.0
    assert arrays.fill[0] == 1.0
    assert mine.flags.writeable
    closed = np.array([1.0, 2.0, 3.0])
    closed.setflags(write=False)
    assert changed(fill=closed).fill is closed


@pytest.mark.parametrize(
    "fill",
    [
        [1, 2, 3],
        np.array([1.0, 2.0, 3.0], dtype=">f8"),
        np.array([1.0, 9.0, 2.0, 9.0, 3.0])[::2],
        np.array([1, 2, 3], dtype=np.float32),
    ],
)
def test_other_layouts_are_brought_into_shape(fill):
    array = changed(fill=fill).fill
    assert array.tolist() == [1.0, 2.0, 3.0]
    assert array.dtype.isnative
    assert array.flags.c_contiguous


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("left", [1.0, 2.0], "left has dtype float64, it must be int32"),
        ("left", [2**31], "left holds values that do not fit int32"),
        ("counts", [1, 2], "counts has 1 dimensions, it must have 2"),
        ("missing_left", [0, 1], "missing_left has dtype int64, it must be bool"),
        ("subset_words", [-1], "subset_words holds values that do not fit uint64"),
        ("threshold", ["a"], "threshold has dtype"),
        ("threshold", [None], "threshold has dtype object"),
    ],
)
def test_other_values_are_refused(field, value, message):
    with pytest.raises(TreeFormatError, match=message):
        changed(**{field: value})


def test_an_object_cannot_be_changed():
    with pytest.raises(AttributeError, match="cannot assign"):
        credit_tree().fill = np.zeros(3)


@pytest.mark.parametrize(
    "again",
    [
        copy.copy,
        copy.deepcopy,
        *(
            lambda arrays, protocol=protocol: pickle.loads(
                pickle.dumps(arrays, protocol)
            )
            for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)
        ),
    ],
)
def test_copies_hold_the_fields_alone_and_closed(again):
    arrays = changed()
    assert arrays.depth == 2  # derived, and kept on the object
    other = again(arrays)
    assert set(vars(other)) == set(LAYOUT)
    for name, array in other.arrays().items():
        np.testing.assert_array_equal(array, getattr(arrays, name))
        assert array is None or not array.flags.writeable
