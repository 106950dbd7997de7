"""Rows in, whatever holds them; the leaf that walking by hand ends in out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference.slow_routing import goes_left, leaf_of
from scipy import sparse
from trees import (
    QUICK,
    Leaf,
    Recipe,
    axis,
    build,
    case,
    cases,
    chain,
    columns_of,
    complete,
    credit_tree,
    linear,
    lone_leaf,
    subset,
)

from tanoak._routing import AXIS, LEAF, LINEAR, SUBSET, Router, node_kinds

NAN = float("nan")
INF = float("inf")


def slow_leaves(tree, rows):
    """Walk every row by hand."""
    return [leaf_of(tree, row) for row in rows]


def one_split(make, n_levels=0):
    """Build a tree of one split on one column and return its router."""
    levels = [f"{code}" for code in range(n_levels)] if n_levels else None
    tree = build(make(Leaf([1]), Leaf([1])), columns_of(levels), ("yes",))
    return Router(tree)


@QUICK
@given(cases())
def test_routing_is_walking_by_hand(drawn):
    tree, rows = drawn
    assert Router(tree).apply(rows).tolist() == slow_leaves(tree, rows)


@QUICK
@given(cases(n_rows=12))
def test_one_row_goes_where_it_goes_among_others(drawn):
    tree, rows = drawn
    router = Router(tree)
    alone = [router.apply(rows[i : i + 1])[0] for i in range(len(rows))]
    assert router.apply(rows).tolist() == alone


@QUICK
@given(cases(n_rows=20))
def test_single_precision_is_compared_as_double(drawn):
    tree, rows = drawn
    with np.errstate(over="ignore"):
        narrow = rows.astype(np.float32)
    expected = slow_leaves(tree, narrow.astype(np.float64))
    assert Router(tree).apply(narrow).tolist() == expected


LAYOUTS = {
    "fortran": np.asfortranarray,
    "reversed": lambda rows: rows[::-1].copy()[::-1],
    "every second": lambda rows: np.repeat(np.repeat(rows, 2, 0), 2, 1)[::2, ::2],
    "csr": sparse.csr_array,
    "csc": sparse.csc_array,
    "csr matrix": sparse.csr_matrix,
}


@QUICK
@pytest.mark.parametrize("layout", LAYOUTS)
@given(cases(n_rows=15))
def test_the_layout_in_memory_changes_nothing(layout, drawn):
    tree, rows = drawn
    rows[np.abs(rows) < 0.5] = 0.0  # something for sparse ones to leave out
    held = LAYOUTS[layout](rows)
    assert Router(tree).apply(held).tolist() == slow_leaves(tree, rows)


def test_read_only_rows():
    tree, rows = case(Recipe(seed=3))
    rows.setflags(write=False)
    assert Router(tree).apply(rows).tolist() == slow_leaves(tree, rows)


@pytest.mark.parametrize("threshold", [0.0, 0.1, -1e300, 5e-324, 16777216.0, 1e308])
def test_axis_boundary(threshold):
    router = one_split(lambda a, b: axis(0, threshold, a, b))
    values = [np.nextafter(threshold, -INF), threshold, np.nextafter(threshold, INF)]
    assert router.apply(np.array([values]).T).tolist() == [1, 1, 2]


def test_zeros_of_both_signs_are_equal():
    below = one_split(lambda a, b: axis(0, -0.0, a, b))
    assert below.apply(np.array([[0.0], [-0.0]])).tolist() == [1, 1]


@pytest.mark.parametrize("missing_left", [True, False])
def test_missing_values_follow_their_direction(missing_left):
    way = {"missing_left": missing_left}
    routers = [
        one_split(lambda a, b: axis(0, 0.0, a, b, **way)),
        one_split(lambda a, b: subset(0, {1}, a, b, **way), n_levels=3),
    ]
    for router in routers:
        assert router.apply(np.array([[NAN]])).tolist() == [1 if missing_left else 2]


@pytest.mark.parametrize("n_levels", [1, 63, 64, 65, 1000])
def test_each_code_has_its_bit(n_levels):
    left = {0, n_levels - 1, n_levels // 2}
    router = one_split(lambda a, b: subset(0, left, a, b), n_levels)
    leaves = router.apply(np.arange(n_levels, dtype=np.float32)[:, None])
    assert set(np.flatnonzero(leaves == 1).tolist()) == left


@pytest.mark.parametrize("value", [-1.0, 64.0, 1e300, -1e300, NAN])
def test_what_is_no_code_is_missing(value):
    router = one_split(lambda a, b: subset(0, {0, 1}, a, b, missing_left=True), 2)
    assert router.apply(np.array([[value]])).tolist() == [1]


@pytest.mark.parametrize("seed", range(40))
def test_lanes_are_added_in_their_order(seed):
    # Any other order rounds otherwise for most of these rows.
    values = np.random.default_rng(seed).normal(size=19).tolist()
    lanes = [0.0] * 8
    for column, value in enumerate(values):
        lanes[column % 8] += value
    total = ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + (
        (lanes[1] + lanes[5]) + (lanes[3] + lanes[7])
    )
    terms = [(column, -1, 1.0) for column in range(19)]
    for threshold, leaf in ((total, 1), (np.nextafter(total, -INF), 2)):
        root = linear(terms, float(threshold), Leaf([1]), Leaf([1]))
        tree = build(root, columns_of(*[None] * 19), ("yes",))
        assert Router(tree).apply(np.array([values])).tolist() == [leaf]


def test_fill_stands_for_missing_values_in_sums_only():
    terms = [(0, -1, 2.0), (1, -1, 1.0)]
    below = axis(0, 0.0, Leaf([1]), Leaf([1]))
    root = linear(terms, 6.0, below, Leaf([1]))
    tree = build(root, columns_of(None, None), ("yes",), fill=[3.0, 0.5])
    rows = np.array([[NAN, 0.0], [NAN, 1.0], [2.5, NAN], [3.0, NAN]])
    assert Router(tree).apply(rows).tolist() == [3, 4, 3, 4]


def test_a_weighted_single_term_is_a_sum():
    tree = build(
        linear([(0, -1, -1.0)], -3.0, Leaf([1]), Leaf([1])), columns_of(None), ("a",)
    )
    assert node_kinds(tree).tolist() == [LINEAR, LEAF, LEAF]
    assert Router(tree).apply(np.array([[3.0], [2.0], [NAN]])).tolist() == [1, 2, 2]


def test_indicators_of_levels():
    terms = [(0, 0, 1.0), (0, 2, 5.0)]
    root = linear(terms, 0.5, Leaf([1]), Leaf([1]))
    levels = ("a", "b", "c")
    tree = build(root, columns_of(levels), ("yes",), fill=[1.0])
    rows = np.array([[0.0], [1.0], [2.0], [NAN]])
    assert Router(tree).apply(rows).tolist() == [2, 1, 2, 1]
    filled = build(root, columns_of(levels), ("yes",), fill=[2.0])
    assert Router(filled).apply(rows).tolist() == [2, 1, 2, 2]


@pytest.mark.parametrize("missing_left", [True, False])
def test_products_that_cancel_at_infinity_are_missing(missing_left):
    terms = [(0, -1, 1e300), (1, -1, 1e300)]
    root = linear(terms, 0.0, Leaf([1]), Leaf([1]), missing_left=missing_left)
    tree = build(root, columns_of(None, None), ("yes",))
    rows = np.array([[1e300, -1e300], [-1e300, 0.0], [1e300, 0.0]])
    assert Router(tree).apply(rows).tolist() == [1 if missing_left else 2, 1, 2]


def test_kinds_of_nodes():
    kinds = node_kinds(credit_tree()).tolist()
    assert kinds == [AXIS, SUBSET, LEAF, LEAF, LINEAR, LEAF, LEAF]


def test_no_split_and_no_rows():
    assert Router(lone_leaf()).apply(np.zeros((3, 1))).tolist() == [0, 0, 0]
    assert Router(credit_tree()).apply(np.zeros((0, 3))).tolist() == []
    empty = Router(credit_tree()).apply(sparse.csr_array((2, 3)))
    assert empty.tolist() == slow_leaves(credit_tree(), np.zeros((2, 3)))


def test_more_rows_than_one_block():
    tree = complete(6)
    rows = np.random.default_rng(0).normal(size=(70_000, 4))
    leaves = Router(tree).apply(rows)
    chosen = [*range(0, 70_000, 997), 32_767, 32_768, 69_999]
    assert leaves[chosen].tolist() == slow_leaves(tree, rows[chosen])
    assert leaves.dtype == np.int32


def test_a_long_chain_is_walked_without_recursion():
    leaves = Router(chain(20_000)).apply(np.array([[1e9], [19_999.0], [0.0]]))
    assert leaves.tolist() == [40_000, 39_999, 1]


@given(st.data())
def test_the_oracle_decides_by_the_definition(data):
    # The oracle itself, against numbers worked out with exact fractions.
    value = data.draw(st.floats(-1e6, 1e6))
    threshold = data.draw(st.sampled_from([value, -value, 0.0, 1.5]))
    tree = build(axis(0, threshold, Leaf([1]), Leaf([1])), columns_of(None), ("a",))
    assert goes_left(tree, 0, [value]) == (value - threshold <= 0)
