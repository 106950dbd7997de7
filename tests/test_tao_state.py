from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from trees import QUICK, cases

from tanoak._table import read_table
from tanoak._tao_state import (
    NodeLock,
    core_locks,
    draw_start,
    known_fill,
    stalled,
    state_of,
)


@QUICK
@given(made=cases())
def test_every_node_has_its_kind(made):
    tree = made[0]
    state = state_of(tree)
    for node in tree.nodes():
        n_terms = tree.term_start[node.id + 1] - tree.term_start[node.id]
        kind = state["kind"][node.id]
        if tree.left[node.id] < 0:
            assert kind == 0
        elif tree.subset_start[node.id + 1] > tree.subset_start[node.id]:
            assert kind == 3
        else:
            assert kind == 4 or (kind == 2 and n_terms == 1)
    assert np.array_equal(
        state["answer"], tree.mean if tree.classes is None else tree.label
    )


def test_locks_name_the_columns_that_stay_out():
    told = core_locks(
        [NodeLock(node=2, only=(0, 3), never=(3,)), NodeLock(node=1, rising=(1,))], 4
    )
    assert told[0]["closed"] == [1, 2, 3]
    assert told[0]["must_ask"]
    assert told[1] == {
        "node": 1,
        "fixed": False,
        "must_ask": False,
        "closed": [],
        "rising": [1],
        "falling": [],
    }


@pytest.mark.parametrize("fixed", [True, False])
def test_a_lock_can_fix_a_split(fixed):
    assert core_locks([NodeLock(node=0, fixed=fixed)], 1)[0]["fixed"] is fixed


def test_drawn_trees_are_complete():
    table = read_table(np.random.default_rng(0).normal(size=(40, 3)))
    start = draw_start(table, (0, 1), None, depth=3, n_terms=0, seed=4)
    assert (start.state["left"] < 0).sum() == 8
    assert stalled(start.state)
    again = draw_start(table, (0, 1), None, depth=3, n_terms=0, seed=4)
    assert np.array_equal(start.state["term_weight"], again.state["term_weight"])


@QUICK
@given(made=cases())
def test_only_sums_bring_what_stands_for_missing_values(made):
    tree = made[0]
    is_sum = state_of(tree)["kind"] == 4
    several = np.diff(tree.term_start) > 1
    if several.any():
        assert known_fill(tree) == tree.fill.tolist()
    if not is_sum.any():
        assert known_fill(tree) == []
