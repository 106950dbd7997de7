"""Node ids in; out the tree without what is below them, everything else as it was."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference.slow_routing import path_of
from trees import (
    QUICK,
    Leaf,
    axis,
    build,
    cases,
    chain,
    columns_of,
    complete,
    credit_tree,
    regression_tree,
    table,
)

from tanoak import Tree
from tanoak._collapse import collapse
from tanoak.exceptions import ParameterError


@QUICK
@given(cases(n_splits=12), st.data())
def test_rows_end_at_the_first_node_that_became_a_leaf(drawn, data):
    tree, rows = drawn
    chosen = data.draw(st.lists(st.integers(0, tree.n_nodes - 1)))
    pruned = tree.prune(chosen)
    leaf = pruned.apply(table(pruned, rows))
    for row, end in zip(rows, leaf, strict=True):
        path = path_of(tree, row)
        stop = next((node for node in path if node in chosen), path[-1])
        np.testing.assert_array_equal(pruned.counts[end], tree.counts[stop])
        np.testing.assert_array_equal(pruned.masses[end], tree.masses[stop])
        if tree.classes is None:
            assert pruned.mean[end] == tree.mean[stop]
        else:
            assert pruned.label[end] == tree.label[stop]


@QUICK
@given(cases(n_splits=12), st.data())
def test_nodes_that_stay_keep_their_splits(drawn, data):
    tree, _ = drawn
    chosen = set(data.draw(st.lists(st.integers(0, tree.n_nodes - 1))))
    gone = set()
    for node in chosen:
        gone |= set(range(node + 1, int(tree.subtree_end[node])))
    kept = [node for node in range(tree.n_nodes) if node not in gone]
    pruned = tree.prune(chosen)
    assert pruned.n_nodes == len(kept)
    before, after = tree.nodes(), pruned.nodes()
    for new, old in enumerate(kept):
        if old in chosen:
            assert after[new].is_leaf
        else:
            # Not `rule`: fewer thresholds may need fewer digits to be told apart.
            assert after[new].threshold == before[old].threshold
            assert after[new].missing_left == before[old].missing_left
            assert after[new].terms == before[old].terms
            assert after[new].levels_left == before[old].levels_left
        assert after[new].depth == before[old].depth


def test_by_hand():
    pruned = credit_tree().prune([1])
    assert pruned.left.tolist() == [1, -1, 3, -1, -1]
    assert pruned.right.tolist() == [2, -1, 4, -1, -1]
    assert pruned.term_column.tolist() == [0, 0, 1, 2]
    assert pruned.subset_words.tolist() == []
    assert pruned.counts[1].tolist() == [43, 35, 3]
    assert credit_tree().prune([4]).subset_words.tolist() == [9]


def test_pruning_at_leaves_or_nowhere_changes_nothing():
    tree = credit_tree()
    assert tree.prune([]) == tree
    assert tree.prune([2, 3, 6]) == tree
    assert tree.prune(np.array([], dtype=int)) == tree


def test_the_root_alone_stays():
    for tree in (credit_tree(), regression_tree()):
        for chosen in ([0], range(tree.n_nodes), {0, 1}, np.array([0, 0])):
            pruned = tree.prune(chosen)
            assert pruned.n_nodes == 1
            assert pruned.counts.tolist() == tree.counts[:1].tolist()


def test_costs_per_row_and_priors_stay():
    costs = np.arange(21.0).reshape(7, 3)
    tree = credit_tree(answer_costs=costs, class_factor=[1.0, 2.0, 3.0], label=None)
    pruned = tree.prune([4])
    assert pruned.answer_costs.tolist() == costs[:5].tolist()
    assert pruned.class_factor.tolist() == [1.0, 2.0, 3.0]


def test_the_tree_itself_is_not_changed():
    tree = credit_tree()
    tree.prune([0])
    assert tree == credit_tree()


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ([7], "there is no node 7: the nodes of this tree are 0 to 6"),
        ([-1], "there is no node -1"),
        ([2**40], "there is no node 1099511627776"),
        ([1.0], "node ids must be integers, got 1.0"),
        ([True], "node ids must be integers, got True"),
        (["1"], "node ids must be integers, got '1'"),
        ([None], "node ids must be integers, got None"),
    ],
)
def test_what_is_no_node_is_refused(chosen, message):
    with pytest.raises(ParameterError, match=message):
        collapse(credit_tree(), chosen)


@pytest.mark.parametrize("tree", [complete(15), chain(30_000)], ids=["wide", "deep"])
def test_large_trees(tree):
    pruned = tree.prune(range(2000, tree.n_nodes, 1000))
    assert pruned.n_nodes < tree.n_nodes
    assert pruned.counts[0].tolist() == tree.counts[0].tolist()


# --- leaves that answer alike ---


def merged_by_hand(tree, node=0):
    """Ids of the nodes below which all leaves answer alike, the highest ones."""
    answer = tree.mean if tree.classes is None else tree.label
    inside = range(node, int(tree.subtree_end[node]))
    if len({answer[at].item() for at in inside if tree.is_leaf[at]}) == 1:
        return [node]
    left, right = int(tree.left[node]), int(tree.right[node])
    return merged_by_hand(tree, left) + merged_by_hand(tree, right)


@QUICK
@given(cases(n_splits=12, n_classes=2), st.booleans())
def test_simplifying_changes_no_answer(drawn, relabel):
    tree, rows = drawn
    if relabel:  # nodes then answer otherwise than their leaves
        labels = np.random.default_rng(0).integers(0, 2, tree.n_nodes)
        tree = replace(tree, label=labels.astype(np.int32))
    simple = tree.simplify()
    X = table(tree, rows)
    assert simple.predict(X).tolist() == tree.predict(X).tolist()
    assert simple.n_leaves == tree.prune(merged_by_hand(tree)).n_leaves
    assert simple.simplify() == simple
    assert Tree.from_json(simple.to_json()) == simple


@QUICK
@given(cases(n_splits=12, n_classes=2, weighted=False))
def test_a_merged_leaf_is_the_sum_of_its_leaves(drawn):
    tree, _ = drawn
    simple = tree.simplify()
    assert simple == tree.prune(merged_by_hand(tree))
    leaves, merged = tree.is_leaf, simple.is_leaf
    assert simple.masses[merged].sum() == tree.masses[leaves].sum()
    for node in merged_by_hand(tree):
        inside = np.arange(node, tree.subtree_end[node])
        ends = inside[tree.is_leaf[inside]]
        np.testing.assert_array_equal(tree.counts[ends].sum(0), tree.counts[node])
        np.testing.assert_array_equal(tree.masses[ends].sum(0), tree.masses[node])


def test_means_are_merged_where_they_are_equal():
    low = axis(0, 0.0, Leaf([3], 2.0, 1.0), Leaf([4], 2.0, 3.0))
    tree = build(axis(0, 1.0, low, Leaf([2], 5.0, 1.0)), columns_of(None))
    assert tree.simplify() == tree.prune([1])
    assert regression_tree().simplify() == regression_tree()


@pytest.mark.parametrize("tree", [complete(15), chain(30_000)], ids=["wide", "deep"])
def test_simplifying_large_trees(tree):
    X = np.random.default_rng(1).normal(size=(100, len(tree.columns))) * 1000
    assert tree.simplify().predict(X).tolist() == tree.predict(X).tolist()
