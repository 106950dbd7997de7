"""Any value in; a text short and plain enough for a message out."""

from __future__ import annotations

import numpy as np
import pytest

from tanoak._messages import closest, join_or, shown, shown_name


class Unprintable:
    """Something whose own repr fails."""

    def __repr__(self):
        raise RuntimeError


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3, "3"),
        (np.float32(0.5), "0.5"),
        (np.str_("a"), "'a'"),
        ("two\nlines\x00", r"'two\nlines\x00'"),
        ("\ud800", r"'\ud800'"),
        (list(range(99)), "[0, 1, 2, 3, 4, 5, ...]"),
        (np.eye(2), "array([[1., 0.], [0., 1.]])"),
    ],
)
def test_a_value_is_shown_as_its_repr(value, text):
    assert shown(value) == text


@pytest.mark.parametrize(
    "value", ["x" * 10_000, 10**4000, object(), Unprintable(), np.zeros((50, 50))]
)
def test_what_is_shown_fits_a_line(value):
    assert len(shown(value)) <= 70
    assert "\n" not in shown(value)


@pytest.mark.parametrize("name", ["age", "Größe in m²", "<script>", "%s {x}"])
def test_a_harmless_name_is_shown_as_it_is(name):
    assert shown_name(name) == name


@pytest.mark.parametrize("name", ["", "a\nb", "\x00", "\u202eabc", "\udfff", "n" * 999])
def test_a_hostile_name_is_shown_as_its_repr(name):
    assert shown_name(name) == shown(name)
    assert shown_name(name).isprintable()


@pytest.mark.parametrize(
    ("name", "guess"),
    [("Age", "age"), (" income ", "income"), ("incmoe", "income"), ("zip", None)],
)
def test_the_closest_name_is_found_whatever_its_case(name, guess):
    assert closest(name, ["age", "income"]) == guess


def test_no_guess_where_guessing_would_take_long():
    assert closest("a" * 1000, ["a" * 1000]) is None
    assert closest("c1", [f"c{i}" for i in range(100_000)]) is None


def test_alternatives_are_joined():
    assert join_or(["a"]) == "a"
    assert join_or(["a", "b", "c"]) == "a, b or c"
