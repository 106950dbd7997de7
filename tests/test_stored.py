"""A tree to its text and back; what the text claims about costs is checked."""

from __future__ import annotations

import pytest
from hypothesis import given
from trees import QUICK, cases, credit_tree, regression_tree

from tanoak._stored import read_parts, text_of
from tanoak._tree import Tree
from tanoak.costs import CostMatrix
from tanoak.exceptions import TreeFormatError

COST = CostMatrix([[0, 5, 1], [2, 0, 3], [9, 4, 0]], ("bad", "fair", "good"))


@QUICK
@given(cases())
def test_the_parts_make_the_tree_again(drawn):
    tree, _ = drawn
    parts = read_parts(text_of(tree, tree.columns, tree.classes, tree.cost))
    assert Tree(**parts) == tree


def test_costs_are_kept():
    tree = credit_tree(cost=COST)
    parts = read_parts(text_of(tree, tree.columns, tree.classes, tree.cost))
    assert parts["cost"] == COST
    tree = regression_tree()
    assert read_parts(text_of(tree, tree.columns, None, None))["cost"] is None


def test_costs_that_contradict_themselves_are_refused():
    text = credit_tree(cost=COST).to_json()
    turned = text.replace("[0.0,5.0,1.0]", "[9.0,5.0,1.0]")
    assert turned != text
    with pytest.raises(TreeFormatError, match="costs in the file cannot be used"):
        read_parts(turned)
