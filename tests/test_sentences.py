"""Nodes in; sentences out that a person reads and nothing hostile gets into."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference.slow_routing import goes_left
from trees import Leaf, axis, build, columns_of, credit_tree, linear, lone_leaf, subset

from tanoak._sentences import Sentences, label_text, short_numbers

NAN = float("nan")
PURPOSES = ("car", "education", "holiday", "radio", "tv")


def words(root, *levels, names=None):
    """Build a tree of one split and return its words."""
    tree = build(root, columns_of(*levels, names=names), ("yes",))
    return Sentences(tree, tree.columns.names, tree.columns.levels)


def split(codes, *, missing_left=False, levels=PURPOSES):
    """Split on the levels of one column and return its words."""
    root = subset(0, codes, Leaf([1]), Leaf([1]), missing_left=missing_left)
    return words(root, levels, names=["purpose"])


def sums(terms, threshold=1.0, n_columns=7):
    """Split on a sum of numbers and return its words."""
    names = ["a", "b", "c", "d", "e", "f", "g"][:n_columns]
    root = linear(terms, threshold, Leaf([1]), Leaf([1]))
    return words(root, *[None] * n_columns, names=names)


def test_a_number():
    says = Sentences(credit_tree(), ("age", "purpose", "amount"), (None,) * 3)
    assert says.sides(0) == ("age <= 26.5", "age > 26.5")
    assert says.rule(0) == "age <= 26.5 or missing"


@pytest.mark.parametrize(
    ("codes", "left", "right"),
    [
        ({0}, "purpose = car", "purpose != car"),
        ({0, 4}, "purpose in {car, tv}", "purpose not in {car, tv}"),
        ({0, 1, 3}, "purpose not in {holiday, tv}", "purpose in {holiday, tv}"),
        ({1, 2, 3, 4}, "purpose != car", "purpose = car"),
    ],
)
def test_levels_of_the_shorter_side_are_named(codes, left, right):
    assert split(codes).sides(0) == (left, right)


@pytest.mark.parametrize(
    ("codes", "missing_left", "rule"),
    [
        ({0, 4}, False, "purpose in {car, tv}"),
        ({0, 4}, True, "purpose in {car, tv} or missing"),
        ({0, 1, 3}, False, "purpose not in {holiday, tv} and not missing"),
        ({0, 1, 3}, True, "purpose not in {holiday, tv} or missing"),
        ({1, 2, 3, 4}, False, "purpose != car and not missing"),
        (set(), True, "purpose missing"),
        (set(range(5)), False, "purpose not missing"),
        (set(), False, "never"),
        (set(range(5)), True, "always"),
    ],
)
def test_a_rule_holds_for_the_rows_that_go_left(codes, missing_left, rule):
    assert split(codes, missing_left=missing_left).rule(0) == rule


def test_missing_values_on_a_side_of_their_own():
    assert split(set(), missing_left=True).sides(0)[1] == "purpose not missing"
    assert split(set(range(5))).sides(0) == ("purpose not missing", "purpose missing")
    assert split(set()).sides(0) == ("never", "always")


def test_long_lists_are_shortened():
    levels = tuple(f"shop {number:03}" for number in range(1000))
    left, right = split(set(range(10, 510)), levels=levels).sides(0)
    start = "purpose in {shop 010, shop 011, shop 012, shop 013, ... 496 more}"
    assert left == start
    assert right == start.replace(" in ", " not in ")


@pytest.mark.parametrize("n_levels", [1, 64, 65, 200])
def test_levels_of_both_sides(n_levels):
    levels = tuple(f"level {code}" for code in range(n_levels))
    codes = set(range(0, n_levels, 3))
    left, right = split(codes, levels=levels).level_sides(0)
    assert left == tuple(levels[code] for code in sorted(codes))
    assert sorted((*left, *right)) == sorted(levels)


@pytest.mark.parametrize(
    ("terms", "left"),
    [
        ([(0, -1, 0.5), (1, -1, -2.0)], "0.5 * a - 2 * b <= 1"),
        ([(0, -1, -1.0), (1, -1, 1.0)], "-a + b <= 1"),
        ([(0, -1, -1 / 3)], "-0.3333 * a <= 1"),
        ([(2, -1, 2.0)], "2 * c <= 1"),
        ([(c, -1, 1.0) for c in range(4)], "a + b + c + d <= 1"),
        ([(c, -1, -1.0) for c in range(6)], "-a - b - c - d - e - f <= 1"),
        ([(c, -1, -1.0) for c in range(7)], "-a - b - c - d - e + 2 more terms <= 1"),
        (
            [(c, -1, w) for c, w in enumerate((1.0, 0.1, -9.0, 0.2, 8.0, 7.0, 6.0))],
            "a - 9 * c + 8 * e + 7 * f + 6 * g + 2 more terms <= 1",
        ),
    ],
)
def test_sums(terms, left):
    says = sums(terms)
    assert says.sides(0) == (left, left.replace("<=", ">"))
    assert says.rule(0) == left


def test_indicators():
    terms = [(0, 1, 2.0), (0, 4, -1.0)]
    root = linear(terms, 0.5, Leaf([1]), Leaf([1]), missing_left=True)
    says = words(root, PURPOSES, names=["purpose"])
    assert says.rule(0) == "purpose {education: +2, tv: -1} <= 0.5"
    assert says.terms(0) == (("purpose", "education", 2.0), ("purpose", "tv", -1.0))


@pytest.mark.parametrize(
    ("terms", "shorter", "left"),
    [
        (
            [(0, 3, 7.0), (1, 0, -1.0), (1, 1, -2.5), (2, -1, 0.5)],
            0,
            "7 * (purpose = radio) + city {cork: -2.5, bath: -1} + 0.5 * age <= 1",
        ),
        ([(0, 3, -1.0), (2, -1, 1.0)], 0, "-(purpose = radio) + age <= 1"),
        (
            [*((0, code, code + 1.0) for code in range(5)), (1, 1, 9.0), (2, -1, 8.0)],
            0,
            "purpose {tv: +5, radio: +4, holiday: +3, ...} + 9 * (city = cork) "
            "+ 8 * age + 2 more terms <= 1",
        ),
        (
            [(0, 0, 3.0), (0, 1, -4.0), (1, 0, 0.5), (1, 1, 0.25), (2, -1, 0.125)],
            3,
            "purpose {education: -4, ...} + 4 more terms <= 1",
        ),
        (
            [(0, 0, 3.0), (0, 1, -4.0), (1, 0, 3.5), (1, 1, 0.25), (2, -1, 0.125)],
            2,
            "purpose {education: -4, ...} + city {bath: +3.5, ...} + 3 more terms <= 1",
        ),
    ],
)
def test_levels_of_a_column_stand_together(terms, shorter, left):
    root = linear(terms, 1.0, Leaf([1]), Leaf([1]))
    levels = (PURPOSES, ("bath", "cork"), None)
    says = words(root, *levels, names=["purpose", "city", "age"])
    assert says.sides(0, shorter=shorter) == (left, left.replace("<=", ">"))


def test_terms_are_exact():
    assert sums([(0, -1, -1 / 3), (5, -1, 0.1)]).terms(0) == (
        ("a", None, -1 / 3),
        ("f", None, 0.1),
    )


def test_leaves_say_nothing():
    says = Sentences(lone_leaf(), ("x0",), (None,))
    assert says.sides(0) == ("", "")
    assert says.rule(0) == ""
    assert says.terms(0) == ()
    assert not says.sends_missing(0)


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        (sums([(0, -1, 2.0)]), False),
        (split({0}), True),
        (split(set()), False),
        (split(set(range(5))), False),
        (words(axis(0, 1.0, Leaf([1]), Leaf([1])), None), True),
    ],
)
def test_where_missing_values_join_others(says, expected):
    assert says.sends_missing(0) == expected


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (26.5, "26.5"),
        (3.0, "3"),
        (-0.0, "0"),
        (1e6, "1000000"),
        (123457.5, "123457.5"),  # rounded it would be on the wrong side of 123458
        (1234567.0, "1234567"),
        (1234567.25, "1.23457e+06"),
        (0.1 + 0.2, "0.3"),
        (0.026663051383729243, "0.0266631"),
        (5e-324, "4.94066e-324"),
        (1e-4, "0.0001"),
        (1e300, "1e+300"),
    ],
)
def test_numbers_are_rounded(value, text):
    assert short_numbers([value]) == {value: text}


def test_numbers_that_would_look_alike_have_more_digits():
    values = [0.1234561, 0.1234562, 0.5, 0.1 + 0.2, 0.3, 123456.25, 123456.0]
    assert list(short_numbers(values).values()) == [
        *("0.1234561", "0.1234562", "0.5", "0.30000000000000004", "0.3"),
        *("123456.2", "123456"),
    ]


NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
NEIGHBOURS = st.builds(np.nextafter, NUMBERS, NUMBERS).map(float)


@given(st.lists(st.one_of(NUMBERS, st.floats(0.1, 0.1001), NEIGHBOURS)))
def test_different_numbers_have_different_texts(values):
    values = [value + 0.0 for value in values if abs(value) < 1e300]
    texts = short_numbers(values)
    assert len(set(texts.values())) == len(set(values))
    for value, text in texts.items():
        assert float(text) == pytest.approx(value, rel=1e-5, abs=1e-318)
        if value.is_integer() and abs(value) < 1e12:
            assert float(text) == value


def test_thresholds_are_told_apart_within_their_column():
    low, high = 0.12345678, 0.12345699
    right = axis(1, low, Leaf([1]), axis(0, high, Leaf([1]), Leaf([1])))
    root = axis(0, low, axis(1, 0.7, Leaf([1]), Leaf([1])), right)
    tree = build(root, columns_of(None, None, names=["a", "b"]), ("yes",))
    rules = [node.rule for node in tree.nodes() if not node.is_leaf]
    assert rules == ["a <= 0.1234568", "b <= 0.7", "b <= 0.123457", "a <= 0.123457"]
    assert [node.threshold for node in tree.nodes() if not node.is_leaf] == [
        *(low, 0.7, low, high)
    ]


def test_brief_sides_name_less():
    left, right = split({0, 3, 4, 5, 6}, levels=tuple("abcdefghijk")).sides(
        0, shorter=3
    )
    assert left == "purpose in {a, ... 4 more}"
    assert right == "purpose not in {a, ... 4 more}"
    summed = sums([(c, -1, 1.0) for c in range(4)])
    assert summed.sides(0, shorter=2)[0] == "a + b + 2 more terms <= 1"
    assert summed.sides(0, shorter=3)[0] == "a + 3 more terms <= 1"


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ("car", "car"),
        ("<0", "<0"),
        ("0<=X<200", "0<=X<200"),
        ("no checking", "no checking"),
        ("Größe", "Größe"),
        ("1", "'1'"),
        ("1e5", "'1e5'"),
        ("nan", "'nan'"),
        ("True", "'True'"),
        ("a, b", "'a, b'"),
        ("{a", "'{a'"),
        ("a|b", "'a|b'"),
        ("it's", '"it\'s"'),
        ("", "''"),
        (" a", "' a'"),
        ("a\n", "'a\\n'"),
        ("\0", "'\\x00'"),
        ("\ud800", "'\\ud800'"),
        ("\u202e", "'\\u202e'"),
        ("x" * 100, "xxxxxxxxxx...xxxxxxxxxx"),
        (1, "1"),
        (1.0, "1.0"),
        (True, "True"),
    ],
)
def test_labels(label, text):
    assert label_text(label) == text


@given(st.text())
def test_any_text_can_be_printed(text):
    root = subset(0, {0}, Leaf([1]), Leaf([1]))
    says = words(root, (text, f"{text}!"), names=[text])
    for side in says.sides(0):
        assert side.isprintable()
        side.encode()
        assert len(side) < 100


@given(st.sets(st.integers(0, 4)), st.booleans(), st.sampled_from([0, 1, 2, 3, 4, NAN]))
def test_a_rule_read_literally_is_the_routing(codes, missing_left, code):
    root = subset(0, codes, Leaf([1]), Leaf([1]), missing_left=missing_left)
    tree = build(root, columns_of(PURPOSES, names=["purpose"]), ("yes",))
    rule = Sentences(tree, ("purpose",), (PURPOSES,)).rule(0)
    for code_of, name in enumerate(PURPOSES):
        rule = rule.replace(f"= {name}", f"= {code_of}").replace(
            f"{name},", f"{code_of},"
        )
        rule = rule.replace(f"{name}}}", f"{code_of}}}")
    missing = bool(np.isnan(code))
    rule = rule.replace("purpose missing", "missing")
    rule = rule.replace("purpose not missing", "not missing")
    rule = rule.replace(" = ", " == ").replace("{", "[").replace("}", "]")
    meaning = {"purpose": code, "missing": missing, "always": True, "never": False}
    assert eval(rule, meaning) == goes_left(tree, 0, [float(code)])
