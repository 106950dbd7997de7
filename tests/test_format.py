"""Trees in, canonical text out, and back; damaged text ends in `TreeFormatError`."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import time
from dataclasses import replace

import fuzz_format
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
    complete,
    credit_tree,
    lone_leaf,
    regression_tree,
    subset,
)

from tanoak._format import read_document, write_document
from tanoak._tree import Tree
from tanoak.costs import CostMatrix
from tanoak.exceptions import TreeFormatError

COST = CostMatrix([[0, 5, 1], [2, 0, 3], [9, 4, 0]], ("bad", "fair", "good"))
LABELS = st.one_of(
    st.text(),
    st.text(alphabet="\0\"'\n\\<>\ud83d\ude00\udcff"),
    st.booleans(),
    st.integers(-(2**63), 2**64 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
)


def distinct(labels):
    """Drop labels that equal an earlier one."""
    return tuple(dict.fromkeys(labels))


# --- there and back ---


@QUICK
@given(cases())
def test_the_round_trip_is_the_identity(drawn):
    tree, _ = drawn
    text = tree.to_json()
    again = Tree.from_json(text)
    assert again == tree
    assert again.to_json() == text
    assert Tree.from_json(text.encode()) == tree


@QUICK
@given(st.lists(st.text(), min_size=1, unique=True), st.lists(LABELS), st.booleans())
def test_hostile_names_and_levels_survive(names, levels, named):
    levels = [distinct(levels), *[None] * (len(names) - 1)]
    columns = columns_of(*levels, names=names)
    tree = build(Leaf([1]), columns, ("yes",))
    again = Tree.from_json(tree.to_json())
    assert again == tree
    assert repr(again.columns.levels) == repr(tree.columns.levels)


@QUICK
@given(st.lists(LABELS, min_size=1).map(distinct))
def test_hostile_classes_survive(classes):
    tree = build(Leaf([2] * len(classes)), columns_of(None), classes)
    again = Tree.from_json(tree.to_json())
    assert repr(again.classes) == repr(classes)
    assert again == tree


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "x" * 10_000,
        '"',
        "\\",
        "\n\r\t\0",
        "</script>",
        "\ud800",
        "\u202e",
        "é",
    ],
)
def test_a_hostile_name_survives(name):
    columns = columns_of((name, "b"), names=[name])
    root = subset(0, {0}, Leaf([1, 0]), Leaf([0, 1]))
    tree = build(root, columns, (name, "no"))
    text = tree.to_json()
    assert text.isascii()
    assert Tree.from_json(text) == tree


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_thresholds_keep_their_bits(threshold):
    root = axis(0, threshold, Leaf([1]), Leaf([1]))
    tree = build(root, columns_of(None), ("yes",))
    back = Tree.from_json(tree.to_json()).threshold[0]
    assert (back, math.copysign(1, back)) == (threshold, math.copysign(1, threshold))


def test_the_text_is_canonical():
    text = credit_tree(cost=COST, class_factor=[1.0, 0.5, 2.0]).to_json()
    content = json.loads(text)
    assert text == json.dumps(content, sort_keys=True, separators=(",", ":")) + "\n"
    assert (content["format"], content["version"]) == ("tanoak-tree", 1)
    assert content["cost"] == COST.values.tolist()
    assert content["class_factor"] == [1.0, 0.5, 2.0]
    assert content["columns"][1] == {
        "levels": ["car", "education", "radio", "tv"],
        "name": "purpose",
    }
    assert '"threshold":[26.5,0.0,0.0,0.0,20.0,0.0,0.0]' in text
    assert content["nodes"]["subset_words"] == ["0000000000000009"]


GOLDEN = (
    '{"class_factor":null,"classes":["no","yes"],"columns":[{"name":"x0"}],'
    '"cost":null,"fill":[0.0],"format":"tanoak-tree","named":false,"nodes":'
    '{"answer_costs":null,"counts":[[3,5]],"label":[1],"left":[-1],"masses":null,'
    '"missing_left":[false],"right":[-1],"subset_start":[0,0],"subset_words":[],'
    '"term_column":[],"term_level":[],"term_start":[0,0],"term_weight":[],'
    '"threshold":[0.0]},"task":"classification","version":1}\n'
)


def test_version_1_stays_as_it_is():
    # Files of this version are out there: never change this text.
    assert lone_leaf().to_json() == GOLDEN
    assert Tree.from_json(GOLDEN) == lone_leaf()


def test_masses_are_written_where_they_are_not_the_counts():
    assert json.loads(credit_tree().to_json())["nodes"]["masses"] is None
    masses = credit_tree().masses * 0.5
    tree = credit_tree(masses=masses)
    assert json.loads(tree.to_json())["nodes"]["masses"] == masses.tolist()
    assert Tree.from_json(tree.to_json()) == tree


def test_other_layouts_and_key_orders_are_read():
    tree = credit_tree(cost=COST)
    content = json.loads(tree.to_json())
    backwards = dict(sorted(content.items(), reverse=True))
    assert Tree.from_json(json.dumps(backwards, indent=2)) == tree
    assert Tree.from_json(f"\n  {tree.to_json()}  \n") == tree


def test_whole_numbers_without_a_point_are_read():
    text = credit_tree().to_json().replace("20.0", "20")
    assert Tree.from_json(text) == credit_tree()


def test_costs_per_row_and_regression():
    costs = np.arange(21.0).reshape(7, 3)
    tree = credit_tree(answer_costs=costs, label=None)
    assert Tree.from_json(tree.to_json()) == tree
    assert Tree.from_json(regression_tree().to_json()) == regression_tree()


def test_a_document_is_what_the_file_says():
    document = read_document(credit_tree(cost=COST).to_json())
    assert document.names == ("age", "purpose", "amount")
    assert document.classes == ("bad", "fair", "good")
    assert document.named
    np.testing.assert_array_equal(document.cost, COST.values)
    assert not document.cost.flags.writeable
    assert write_document(document) == credit_tree(cost=COST).to_json()


def test_a_document_is_checked():
    with pytest.raises(TreeFormatError, match="no such class"):
        replace(read_document(GOLDEN), label=[7])


def test_equal_trees_have_equal_text_in_another_process():
    code = (
        "import sys; sys.path[:0] = ['tests']; import trees;"
        "sys.stdout.write(trees.case(trees.Recipe(seed=5))[0].to_json())"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(texts) == 1


@pytest.mark.parametrize("make", [lambda: complete(15), lambda: chain(32_000)])
def test_large_trees_take_seconds_at_most(make):
    tree = make()
    begin = time.perf_counter()
    again = Tree.from_json(tree.to_json())
    assert time.perf_counter() - begin < 5
    assert again == tree


# --- the fuzzer ---


def test_a_thousand_damaged_files():
    result = fuzz_format.run(1000, seed=1, n_workers=1)
    assert result.failures == []
    assert sum(result.outcomes.values()) == 1000
    assert min(result.outcomes["accepted"], result.outcomes["refused"]) > 100


def test_the_fuzzer_repeats_itself():
    texts = fuzz_format.base_texts()
    first = [fuzz_format.damaged(texts, 3, number) for number in range(200)]
    assert first == [fuzz_format.damaged(texts, 3, number) for number in range(200)]
    assert len(set(first)) > 150
