"""JSON values in, arrays and labels out, and back; nothing else passes."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tanoak._json_values import (
    array_in,
    labels_in,
    labels_out,
    text_in,
    text_out,
    words_out,
)
from tanoak.exceptions import TreeFormatError

# What JSON would join, and what only looks like it.
HALVES = st.text(alphabet="a\ud83d\ude00\udc00\ud800\U0001f600")


@given(st.one_of(st.text(), HALVES))
def test_any_text_survives_json(text):
    assert text_in(json.loads(json.dumps(text_out(text)))) == text


def test_only_halves_that_json_would_join_are_kept_apart():
    assert text_out("\ud83d\ude00!") == ["\ud83d", "\ude00!"]
    assert text_out("\ude00\ud83d") == "\ude00\ud83d"
    assert text_out("\U0001f600") == "\U0001f600"


@pytest.mark.parametrize(
    "pieces",
    [[], [""], ["a"], ["a", "b"], ["\ud83d", ""], ["\ud83d", 1], ["\ud83d\ude00"]],
)
def test_other_pieces_are_refused(pieces):
    with pytest.raises(TreeFormatError, match="text in pieces"):
        text_in(pieces)


@given(st.lists(st.one_of(HALVES, st.booleans(), st.integers(), st.floats())))
def test_labels_keep_their_types(labels):
    back = labels_in("labels", json.loads(json.dumps(labels_out(tuple(labels)))))
    assert repr(back) == repr(tuple(labels))


def test_labels_are_a_list():
    with pytest.raises(TreeFormatError, match="classes is 'ab'; it must be a list"):
        labels_in("classes", "ab")


@given(st.lists(st.integers(0, 2**64 - 1)))
def test_words_are_sixteen_digits(words):
    array = np.array(words, dtype=np.uint64)
    texts = words_out(array)
    assert texts == [f"{word:016x}" for word in words]
    back = array_in("subset_words", texts, 1)
    assert back.dtype == np.uint64
    assert back.tolist() == words


@pytest.mark.parametrize(
    "words",
    [
        "0" * 16,
        [1],
        ["0" * 15],
        ["0" * 17],
        ["0" * 15, "0" * 17],
        ["F" * 16],
        ["0x" + "0" * 14],
        ["0" * 14 + " 0"],
        ["\u0660" * 16],
        [None],
    ],
)
def test_other_words_are_refused(words):
    with pytest.raises(TreeFormatError, match="subset_words is"):
        array_in("subset_words", words, 1)


@given(st.lists(st.floats(allow_nan=False)))
def test_doubles_keep_their_bits(values):
    back = array_in("threshold", json.loads(json.dumps(values)), 1)
    assert back.tobytes() == np.array(values, dtype=np.float64).tobytes()


def test_whole_numbers_may_lose_their_point():
    assert array_in("threshold", [1, 0.5, -(2**53)], 1).tolist() == [1.0, 0.5, -(2**53)]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("left", [2**31 - 1, -(2**31)]),
        ("term_start", [2**63 - 1, -(2**63)]),
        ("missing_left", [True, False]),
        ("counts", [[1, 2], [3, 4]]),
        ("masses", [[0.5, 2], [3, 1e300]]),
        ("left", []),
        ("counts", []),
    ],
)
def test_arrays_of_the_right_kind(name, values):
    array = array_in(name, values, 2)
    assert array.tolist() == values
    if name in {"counts", "masses"}:
        assert array.shape == (len(values), 2)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("left", None),
        ("left", 1),
        ("left", "1"),
        ("left", {"0": 1}),
        ("left", [1.0]),
        ("left", [True]),
        ("left", [None]),
        ("left", ["1"]),
        ("left", [[1]]),
        ("left", [2**31]),
        ("left", [-(2**31) - 1]),
        ("left", [10**400]),
        ("term_start", [2**63]),
        ("term_start", [-(2**63) - 1]),
        ("missing_left", [0]),
        ("missing_left", [None]),
        ("threshold", [True]),
        ("threshold", ["0.5"]),
        ("threshold", [None]),
        ("threshold", [2**53 + 1]),
        ("threshold", [10**400]),
        ("threshold", [[0.5]]),
        ("counts", [1, 2]),
        ("counts", [[1, 2], [3]]),
        ("counts", [[1, 2, 3]]),
        ("counts", [[1, 2.0]]),
        ("counts", [[1, [2]]]),
        ("counts", [(1, 2), "ab"]),
        ("masses", [[0.5, "1"]]),
    ],
)
def test_arrays_of_another_kind_are_refused(name, values):
    with pytest.raises(TreeFormatError, match=f"^{name} is .*; it must be ") as caught:
        array_in(name, values, 2)
    assert len(str(caught.value)) < 200
