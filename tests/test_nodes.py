"""Trees in; one readable record for each node out."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from reference.slow_routing import terms_of
from trees import QUICK, cases, complete, credit_tree, lone_leaf, regression_tree

from tanoak._nodes import Node, read_nodes


def test_an_axis_split():
    assert credit_tree().nodes()[0] == Node(
        id=0,
        parent=None,
        left=1,
        right=4,
        depth=0,
        kind="axis",
        rule="age <= 26.5 or missing",
        terms=(("age", None, 1.0),),
        threshold=26.5,
        levels_left=(),
        missing_left=True,
        rows=168,
        counts=(55, 42, 71),
        label="good",
        mean=None,
    )


def test_a_subset_split():
    node = credit_tree().nodes()[1]
    assert (node.kind, node.rule) == ("subset", "purpose in {car, tv}")
    assert (node.threshold, node.levels_left) == (None, ("car", "tv"))
    assert (node.parent, node.depth, node.missing_left) == (0, 1, False)


def test_a_linear_split():
    node = credit_tree().nodes()[4]
    assert node.kind == "linear"
    assert node.threshold == 20.0
    assert node.terms == (
        ("age", None, 0.5),
        ("purpose", "radio", -4.0),
        ("amount", None, 0.001),
    )


def test_a_leaf():
    node = credit_tree().nodes()[3]
    assert node.is_leaf
    assert (node.kind, node.rule, node.terms, node.threshold) == ("leaf", "", (), None)
    assert (node.left, node.right, node.parent) == (None, None, 1)
    assert (node.rows, node.counts, node.label) == (35, (3, 30, 2), "fair")


def test_regression():
    nodes = regression_tree().nodes()
    assert [node.mean for node in nodes if node.is_leaf] == [-1.5, 0.25, 8.0]
    assert [node.rows for node in nodes] == [45, 40, 10, 30, 5]
    assert {node.label for node in nodes} == {None}


def test_a_lone_leaf_has_no_parent():
    (node,) = lone_leaf().nodes()
    assert (node.parent, node.depth, node.is_leaf) == (None, 0, True)


def test_counts_are_rows_whatever_they_weigh():
    tree = credit_tree(masses=credit_tree().masses * 100.0)
    assert tree.nodes()[0].counts == (55, 42, 71)


@QUICK
@given(cases())
def test_records_say_what_the_arrays_say(drawn):
    tree, _ = drawn
    names, levels = tree.columns.names, tree.columns.levels
    nodes = read_nodes(tree)
    assert [node.id for node in nodes] == list(range(tree.n_nodes))
    for node in nodes:
        assert node.is_leaf == bool(tree.is_leaf[node.id])
        assert node.terms == tuple(
            (names[column], None if level < 0 else levels[column][level], weight)
            for column, level, weight in terms_of(tree, node.id)
        )
        if not node.is_leaf:
            assert nodes[node.left].parent == nodes[node.right].parent == node.id
            assert nodes[node.left].depth == nodes[node.right].depth == node.depth + 1
            assert node.rows == nodes[node.left].rows + nodes[node.right].rows


def test_records_are_frozen_plain_values():
    node = credit_tree().nodes()[0]
    with pytest.raises(dataclasses.FrozenInstanceError):
        node.depth = 3
    for value in dataclasses.asdict(node).values():
        assert type(value) in {int, float, bool, str, tuple, type(None)}


def test_a_large_tree_takes_seconds_at_most():
    assert len(complete(14).nodes()) == 2**15 - 1
