"""Damaged, hostile and newer texts in; `TreeFormatError` and nothing else out."""

from __future__ import annotations

import contextlib
import json
import time

import pytest
from trees import credit_tree, lone_leaf, regression_tree

import tanoak._format
from tanoak._format import VERSION
from tanoak._tree import Tree
from tanoak.costs import CostMatrix
from tanoak.exceptions import TreeFormatError

COST = CostMatrix([[0, 5, 1], [2, 0, 3], [9, 4, 0]], ("bad", "fair", "good"))
SMALLEST = lone_leaf().to_json()


def edited(change, tree=None):
    """Change the parsed text of a tree and write it again."""
    content = json.loads((tree or credit_tree(cost=COST)).to_json())
    change(content)
    return json.dumps(content)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "this is not a tanoak file: Expecting value"),
        ("null", 'it lacks the key "format"'),
        ("[]", 'it lacks the key "format"'),
        ("{}", 'it lacks the key "format"'),
        ('{"format": "tanoak-tree"}', "version is None; it must be an integer from 1"),
        ("\ufeff{}", "this is not a tanoak file: Unexpected UTF-8 BOM"),
        (b"\xff\xfe{}", "this is not a tanoak file: 'utf-8' codec"),
        (b"\x1f\x8b\x08", "this is not a tanoak file: 'utf-8' codec"),
        (b'"\xed\xa0\x80"', "this is not a tanoak file: 'utf-8' codec"),
        ('{"a": 1, "b": 2, "a": 3}', "the key 'a' stands 2 times in one object"),
        ('{"a": NaN}', "NaN is not a number a tree can hold"),
        ('{"a": -Infinity}', "-Infinity is not a number a tree can hold"),
        ("[" * 100_000, "the file is nested too deeply"),
        ('{"a":' * 100_000, "the file is nested too deeply"),
        ("9" * 5000, "this is not a tanoak file: Exceeds the limit"),
        ('"\n"', "this is not a tanoak file: Invalid control character"),
        (SMALLEST + "x", "this is not a tanoak file: Extra data"),
        (5, "a tree is read from text or bytes, got int"),
        (None, "a tree is read from text or bytes, got NoneType"),
    ],
)
def test_what_is_no_file_of_ours_is_refused(text, message):
    with pytest.raises(TreeFormatError) as caught:
        Tree.from_json(text)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("version", [2, 3, 10**30])
def test_a_newer_file_says_so_whatever_else_it_holds(version):
    text = json.dumps({"format": "tanoak-tree", "version": version, "new": [1]})
    message = f"written by a newer tanoak.*this one reads up to {VERSION}; update"
    with pytest.raises(TreeFormatError, match=message):
        Tree.from_json(text)


def put(path, value):
    """Make a change that sets one value, by a dotted path."""

    def change(content):
        *above, last = path.split(".")
        for key in above:
            content = content[int(key) if isinstance(content, list) else key]
        content[int(last) if isinstance(content, list) else last] = value

    return change


def drop(path):
    """Make a change that drops one key, by a dotted path."""

    def change(content):
        *above, last = path.split(".")
        for key in above:
            content = content[int(key) if isinstance(content, list) else key]
        del content[int(last) if isinstance(content, list) else last]

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (put("format", "other"), 'it lacks the key "format"'),
        (put("version", True), "version is True; it must be an integer from 1"),
        (put("version", 1.0), "version is 1.0; it must be an integer from 1"),
        (put("version", 0), "version is 0; it must be an integer from 1"),
        (put("extra", 1), "the file has wrong keys; missing: none; unknown: 'extra'"),
        (drop("fill"), "the file has wrong keys; missing: fill; unknown: none"),
        (put("task", "ranking"), "task is 'ranking'; it must be"),
        (put("task", ["classification"]), "task is ['classification']; it must be"),
        (put("task", "regression"), "null for regression"),
        (put("named", 1), "named is 1; it must be true or false"),
        (put("columns", {}), "columns is {}; it must be a list"),
        (put("columns", []), "0 names for 0 columns"),
        (put("columns.0", "age"), "a column is 'age'; it must be an object"),
        (put("columns.0.name", 1), "column name 1 is not text"),
        (put("columns.0.name", "amount"), "two columns have the same name"),
        (drop("columns.0.name"), "a column has wrong keys; missing: name"),
        (put("columns.0.kind", "x"), "a column has wrong keys; missing: none; unknown"),
        (put("columns.1.levels", None), "levels is None; it must be a list"),
        (put("columns.1.levels.0", None), "None is not text, a bool or a number"),
        (put("columns.1.levels.0", "tv"), "the same value stands there twice"),
        (put("columns.1.levels.0", 1e999), "this is not|Infinity is not a number"),
        (put("columns.1.levels.0", ["a", "b"]), "text in pieces"),
        (drop("columns.1.levels"), "no such level|width of its subset"),
        (put("classes", None), "classes is None; it must be a list"),
        (put("classes", []), "list of lists of 0 numbers"),
        (put("classes", ["bad", "good"]), "list of lists of 2 numbers"),
        (put("classes.0", "good"), "classes: the same value stands there twice"),
        (put("classes.0", {}), "classes: {} is not text, a bool or a number"),
        (put("cost", 1), "answer_costs is 1; it must be a list"),
        (put("cost", [[0.0] * 3]), "cost is [[0.0, 0.0, 0.0]]; it must be 3 lists"),
        (put("cost.0.1", -1.0), "it must be 3 lists of finite numbers, none negative"),
        (put("cost.0.1", "5"), "it must be a list of numbers that doubles hold"),
        (put("cost", [[0.0] * 3] * 3), "the costs in the file cannot be used"),
        (put("cost.0.0", 7.0), "the costs in the file cannot be used"),
        (put("fill", None), "fill is None; it must be a list"),
        (put("nodes", []), "nodes is []; it must be an object"),
        (drop("nodes.left"), "nodes has wrong keys; missing: left; unknown: none"),
        (put("nodes.mean", []), "nodes has wrong keys; missing: none; unknown: 'mean'"),
        (put("nodes.left.0", -1), "node 0 has one child (4)"),
        (put("nodes.label", None), "label is None; it must be a list"),
        (put("nodes.counts", []), "counts has shape (0, 3), it must be (7, 3)"),
    ],
)
def test_damaged_files_are_refused(change, message):
    with pytest.raises(TreeFormatError) as caught:
        Tree.from_json(edited(change))
    assert any(part in str(caught.value) for part in message.split("|"))
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("key", ["classes", "cost"])
def test_regression_has_no_classes_and_no_costs(key):
    with pytest.raises(TreeFormatError, match="null for regression"):
        Tree.from_json(edited(put(key, [[1.0]]), regression_tree()))


def test_overflowing_numbers_are_refused():
    text = credit_tree().to_json().replace("26.5", "1e999")
    with pytest.raises(TreeFormatError, match=r"node 0: threshold \(inf\)"):
        Tree.from_json(text)


def test_files_that_are_too_long_are_refused(monkeypatch):
    monkeypatch.setattr(tanoak._format, "MAX_SIZE", 100)
    for text in (" " * 101, b" " * 101):
        with pytest.raises(TreeFormatError, match="longer than 100 bytes"):
            Tree.from_json(text)


def test_memory_running_out_is_no_crash(monkeypatch):
    def exhausted(*_args, **_options):
        raise MemoryError

    monkeypatch.setattr(json, "loads", exhausted)
    with pytest.raises(TreeFormatError, match="does not fit into memory"):
        Tree.from_json(SMALLEST)


@pytest.mark.parametrize(
    "text",
    [
        '{"a":' + "1" * 4000 + "." + "1" * 2_000_000 + "}",
        "[" + ",".join(["1" * 4000] * 500) + "]",
        "[" + "{}," * 300_000 + "{}]",
        '{"format":"tanoak-tree","version":1,' + '"' + "k" * 2_000_000 + '":1}',
        SMALLEST.replace('"x0"', '"' + "\\ud83d\\ude00" * 100_000 + '"'),
        SMALLEST.replace('"x0"', "[" + ",".join(['"\\ud83d"'] * 100_000) + "]"),
    ],
)
def test_hostile_texts_take_no_longer_than_a_second(text):
    begin = time.perf_counter()
    with contextlib.suppress(TreeFormatError):
        Tree.from_json(text)
    assert time.perf_counter() - begin < 1
