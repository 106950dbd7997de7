"""Contradictory arrays in; one exact refusal for each out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trees import (
    QUICK,
    Leaf,
    axis,
    build,
    cases,
    chain,
    columns_of,
    credit_tree,
    regression_tree,
    subset,
)

from tanoak._checks import check_classes, check_columns, check_tree, words_for
from tanoak._tree import Tree
from tanoak.exceptions import TreeFormatError


def rebuilt(tree, **more):
    """Make the tree again with some arrays replaced."""
    return Tree(columns=tree.columns, classes=tree.classes, **{**tree.arrays(), **more})


def put(field, place, value):
    """Change one number of an array of the credit tree."""
    array = getattr(credit_tree(), field).copy()
    array[place] = value
    return {field: array}


def children(left, right):
    """Describe a tree by its children alone, all splits on one column."""
    inner = [int(child != -1) for child in left]
    n_terms, n = sum(inner), len(left)
    return Tree(
        columns=columns_of(None),
        classes=("yes",),
        left=left,
        right=right,
        threshold=[0.0] * n,
        missing_left=[False] * n,
        term_start=np.cumsum([0, *inner]),
        term_column=np.zeros(n_terms, dtype=int),
        term_level=np.full(n_terms, -1),
        term_weight=np.ones(n_terms),
        subset_start=[0] * (n + 1),
        subset_words=[],
        fill=[0.0],
        counts=np.zeros((n, 1), dtype=int),
        masses=np.zeros((n, 1)),
    )


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ([-1], [-1]),
        ([1, -1, -1], [2, -1, -1]),
        ([1, 2, -1, -1, -1], [4, 3, -1, -1, -1]),
        ([1, -1, 3, -1, -1], [2, -1, 4, -1, -1]),
    ],
)
def test_trees_in_preorder_pass(left, right):
    assert children(left, right).n_nodes == len(left)


@pytest.mark.parametrize(
    ("left", "right", "message"),
    [
        ([], [], "the tree has no node"),
        ([-1, -1], [-1, -1], "the root reaches 1 of 2 nodes"),
        ([1, -1], [-1, -1], "node 0: its right child is out of range (-1)"),
        ([-1, -1], [1, -1], "node 0 has one child (1)"),
        ([2, -1, -1], [1, -1, -1], "node 0: its left child must be the next node (2)"),
        ([0, -1, -1], [2, -1, -1], "node 0: its left child must be the next node (0)"),
        ([-2, -1, -1], [2, -1, -1], "node 0: its left child must be the next node"),
        ([1, -1, -1], [1, -1, -1], "node 0: its right child is out of range (1)"),
        ([1, -1, -1], [3, -1, -1], "node 0: its right child is out of range (3)"),
        # Each node has one parent and all pointers lead on, but it is no preorder.
        ([1, 2, -1, -1, -1], [3, 4, -1, -1, -1], "node 0: its right child must follow"),
        # Node 4 is the child of two.
        ([1, 2, -1, 4, -1], [4, 4, -1, -1, -1], "one child|out of range|must follow"),
        ([1, -1, -1, -1, -1], [2, -1, -1, -1, -1], "the root reaches 3 of 5 nodes"),
    ],
)
def test_what_is_no_tree_is_refused(left, right, message):
    with pytest.raises(TreeFormatError) as caught:
        children(left, right)
    assert any(part in str(caught.value) for part in message.split("|"))


@QUICK
@given(
    st.integers(1, 6).flatmap(
        lambda n: st.lists(
            st.tuples(st.integers(-2, 2 * n), st.integers(-2, 2 * n)),
            min_size=n,
            max_size=n,
        )
    )
)
def test_only_true_preorders_pass(pairs):
    def preorder(node, seen):
        seen.append(node)
        left, right = pairs[node]
        if (left, right) != (-1, -1):
            for child in (left, right):
                if not 0 <= child < len(pairs) or child in seen:
                    raise LookupError
                preorder(child, seen)
        return seen

    try:
        expected = preorder(0, []) == list(range(len(pairs)))
    except LookupError:
        expected = False
    try:
        children([left for left, _ in pairs], [right for _, right in pairs])
        passed = True
    except TreeFormatError:
        passed = False
    assert passed == expected


# The subset split gets a second term, on the next column.
SORTED_TERMS = {
    "term_start": [0, 1, 3, 3, 3, 5, 5, 5],
    "term_column": [0, 1, 2, 1, 2],
}
CREDIT = [
    (put("threshold", 0, np.nan), "node 0: threshold (nan)"),
    (put("threshold", 4, np.inf), "node 4: threshold (inf)"),
    (put("threshold", 2, 1.0), "node 2 is a leaf: threshold and missing_left"),
    (put("threshold", 2, -0.0), "node 2 is a leaf: threshold and missing_left"),
    (put("missing_left", 6, True), "node 6 is a leaf: threshold and missing_left"),
    (put("threshold", 1, 0.5), "node 1: a subset has weight 1.0 and threshold 0.0"),
    (put("threshold", 1, -0.0), "node 1: a subset has weight 1.0 and threshold 0.0"),
    (put("term_weight", 1, 2.0), "node 1: a subset has weight 1.0 and threshold 0.0"),
    (put("term_start", 0, 1), "term_start must rise from 0 to 5"),
    (put("term_start", 7, 4), "term_start must rise from 0 to 5"),
    (put("term_start", 2, 0), "term_start must rise from 0 to 5"),
    (put("subset_start", slice(1, 3), [0, 0]), "term 1: no such level (-1)"),
    (
        {"subset_words": [0, 0], "subset_start": [0, 1, 2, 2, 2, 2, 2, 2]},
        "node 0: width",
    ),
    (put("subset_start", 7, 2), "subset_start must rise from 0 to 1"),
    (SORTED_TERMS, "node 1: a subset splits one column"),
    (put("term_start", 3, 5), "term_start must rise from 0 to 5"),
    (put("term_start", slice(3, 5), [3, 3]), "node 2: splits have terms, leaves none"),
    (put("term_start", 1, 0), "node 0: splits have terms, leaves none"),
    (put("term_column", 0, 3), "term 0: no such column (3)"),
    (put("term_column", 0, -1), "term 0: no such column (-1)"),
    (put("term_column", 0, 1), "term 0: no such level (-1)"),
    (put("term_column", 1, 0), "node 1: width of its subset (1)"),
    (put("term_level", 0, 0), "term 0: no such level (0)"),
    (put("term_level", 1, 0), "term 1: no such level (0)"),
    (put("term_level", 3, 4), "term 3: no such level (4)"),
    (put("term_level", 3, -1), "term 3: no such level (-1)"),
    (put("term_level", 3, -2), "term 3: no such level (-2)"),
    (put("term_column", 4, 0), "term 4: not sorted by column and level (0)"),
    (put("term_column", 2, 2), "term 3: not sorted by column and level (1)"),
    ({"term_column": [0, 1, 0, 1, 1], "term_level": [-1, -1, -1, 2, 2]}, "term 4: not"),
    (put("term_weight", 2, 0.0), "term 2: weight (0.0)"),
    (put("term_weight", 2, np.nan), "term 2: weight (nan)"),
    (put("term_weight", 2, -np.inf), "term 2: weight (-inf)"),
    (put("subset_words", 0, 16), "node 1: its subset holds a level that does not"),
    (put("fill", 0, np.nan), "column 0: fill (nan)"),
    (put("fill", 1, 4.0), "column 1: fill is not one of its levels (4.0)"),
    (put("fill", 1, 0.5), "column 1: fill is not one of its levels (0.5)"),
    (put("fill", 1, -2.0), "column 1: fill is not one of its levels (-2.0)"),
    (put("counts", (2, 0), -1), "node 2: negative counts"),
    (put("counts", (2, 0), 41), "node 1: its counts are not the sum of its children's"),
    (put("counts", (0, 0), 2**62), "the counts exceed 9007199254740992 rows"),
    (put("counts", (3, 1), 2**62), "the counts exceed 9007199254740992 rows"),
    (put("masses", (3, 1), -0.5), "node 3: masses must be finite and not negative"),
    (put("masses", (3, 1), np.nan), "node 3: masses must be finite and not negative"),
    (put("masses", 3, 1e308), "node 3: masses must be finite and not negative"),
    (put("label", 5, 3), "node 5: no such class (3)"),
    (put("label", 5, -1), "node 5: no such class (-1)"),
    ({"class_factor": [1.0, -1.0, 1.0]}, "class_factor 1 (-1.0)"),
    ({"class_factor": [1.0, 1.0, np.inf]}, "class_factor 2 (inf)"),
    ({"class_factor": [1e308, 1.0, 1.0]}, "node 0: masses must be finite"),
    ({"class_factor": [1.0]}, "class_factor has shape (1,), it must be (3,)"),
    ({"answer_costs": np.full((7, 3), np.nan)}, "node 0: answer_costs must be finite"),
    ({"answer_costs": np.zeros((7, 2))}, "answer_costs has shape (7, 2)"),
    ({"right": [-1]}, "right has shape (1,), it must be (7,)"),
    ({"threshold": [0.0]}, "threshold has shape (1,), it must be (7,)"),
    ({"missing_left": [True]}, "missing_left has shape (1,), it must be (7,)"),
    ({"term_start": [0]}, "term_start has shape (1,), it must be (8,)"),
    ({"term_level": [-1]}, "term_level has shape (1,), it must be (5,)"),
    ({"fill": [0.0]}, "fill has shape (1,), it must be (3,)"),
    ({"counts": [[1, 2, 3]]}, "counts has shape (1, 3), it must be (7, 3)"),
    ({"masses": np.zeros((7, 2)), "label": [0] * 7}, "masses has shape (7, 2)"),
    ({"mean": [0.0] * 7}, "a classification tree has label, and neither mean nor sse"),
]


@pytest.mark.parametrize(("more", "message"), CREDIT, ids=[m for _, m in CREDIT])
def test_contradictions_are_refused(more, message):
    with pytest.raises(TreeFormatError) as caught:
        rebuilt(credit_tree(), **more)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"mean": [np.nan] * 5}, "node 0: mean (nan)"),
        ({"sse": [0.0, -1.0, 0.0, 0.0, 0.0]}, "node 1: sse (-1.0)"),
        ({"sse": [np.inf] * 5}, "node 0: sse (inf)"),
        (
            {"subset_start": [0, 0, 0, 1, 1, 1], "subset_words": [1]},
            "node 2: a subset splits one column",
        ),
        ({"mean": None}, "a regression tree has mean and sse, and neither label"),
        ({"label": [0] * 5}, "a regression tree has mean and sse, and neither label"),
        ({"class_factor": [1.0]}, "a regression tree has mean and sse"),
        ({"counts": [[5, 5]] * 5}, "counts has shape (5, 2), it must be (5, 1)"),
    ],
)
def test_contradictions_in_regression_are_refused(more, message):
    with pytest.raises(TreeFormatError) as caught:
        rebuilt(regression_tree(), **more)
    assert message in str(caught.value)


@QUICK
@given(cases())
def test_random_trees_pass(drawn):
    tree, _ = drawn
    check_tree(tree, tree.columns.levels, tree.classes)


@pytest.mark.parametrize("n_levels", [1, 63, 64, 65, 128, 1000])
def test_every_bit_of_a_subset_is_a_level(n_levels):
    columns = columns_of([str(code) for code in range(n_levels)])
    every = subset(0, range(n_levels), Leaf([1]), Leaf([1]))
    tree = build(every, columns, ("yes",))
    assert words_for(n_levels) == len(tree.subset_words)
    if n_levels % 64:
        words = tree.subset_words.copy()
        words[-1] |= np.uint64(1) << np.uint64(n_levels % 64)
        with pytest.raises(TreeFormatError, match="a level that does not exist"):
            rebuilt(tree, subset_words=words)


def test_a_column_without_levels_splits_nothing():
    columns = columns_of([], None)
    leaf = build(Leaf([1]), columns, ("yes",))
    assert leaf.n_nodes == 1
    with pytest.raises(TreeFormatError, match="term 0: no such level"):
        build(axis(0, 0.0, Leaf([1]), Leaf([1])), columns, ("yes",))


def test_the_largest_counts_pass():
    tree = build(Leaf([2**53]), columns_of(None), ("yes",))
    assert tree.counts[0, 0] == 2**53
    with pytest.raises(TreeFormatError, match="the counts exceed"):
        build(Leaf([2**53, 1]), columns_of(None), ("no", "yes"))


def test_a_chain_is_checked_without_recursion():
    tree = chain(30_000)
    check_tree(tree, (None,), tree.classes)


@pytest.mark.parametrize(
    ("names", "levels", "message"),
    [
        ((), (), "0 names for 0 columns; one each, at least one"),
        (("a",), (None, None), "1 names for 2 columns"),
        (("a", 1), (None, None), "column name 1 is not text"),
        ((np.str_("a"),), (None,), "is not text"),
        (("a", "b", "a"), (None,) * 3, "two columns have the same name"),
        (("a",), (("x", "x"),), "levels of column 'a': the same value stands there"),
        (("a",), ((1, True),), "levels of column 'a': the same value stands there"),
        (("a",), ((1, 1.0),), "levels of column 'a': the same value stands there"),
        (("a",), ((None,),), "levels of column 'a': None is not text, a bool or"),
        (("a",), ((b"x",),), "levels of column 'a': b'x' is not text, a bool or"),
        (("a",), ((np.nan,),), "levels of column 'a': nan is not finite"),
        (("a",), ((-np.inf,),), "levels of column 'a': -inf is not finite"),
        (("a",), ((2**64,),), "does not fit 64 bits"),
        (("a",), ((-(2**63) - 1,),), "does not fit 64 bits"),
        (("a",), ((10**5000,),), "does not fit 64 bits"),
    ],
)
def test_odd_columns_are_refused(names, levels, message):
    with pytest.raises(TreeFormatError) as caught:
        check_columns(names, levels)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 300


def test_plain_columns_pass():
    extremes = (2**64 - 1, -(2**63), 0.5, "", "\ud800", "\0", False)
    check_columns(("a", "", "\n"), (None, extremes, ()))


@pytest.mark.parametrize("classes", [(), (1, 1.0), (None, "a"), (float("nan"),)])
def test_odd_classes_are_refused(classes):
    with pytest.raises(TreeFormatError, match="class"):
        check_classes(classes)
