"""In: a node of a tree; out: its rule as a sentence, names and levels made harmless."""

from __future__ import annotations

import numpy as np

from tanoak._arrays import Level, TreeArrays
from tanoak._routing import AXIS, LEAF, SUBSET, node_kinds

__all__ = ["Sentences", "label_text", "number_text"]

_LONGEST_NAME = 40
_LONGEST_LABEL = 24
_MOST_LEVELS = 5
_MOST_TERMS = 4


class Sentences:
    """Words for the splits of one tree.

    Parameters
    ----------
    tree : TreeArrays
        Checked arrays.
    names : tuple of str
        Names of the columns.
    levels : tuple
        For every column its levels, None for a numeric column.
    """

    def __init__(
        self,
        tree: TreeArrays,
        names: tuple[str, ...],
        levels: tuple[tuple[Level, ...] | None, ...],
    ) -> None:
        self._tree = tree
        self._names = names
        self._texts = [_name_text(name) for name in names]
        self._levels = levels
        # Lists: reading single numbers out of arrays is several times slower.
        self._kind = node_kinds(tree).tolist()
        self._start: list[int] = tree.term_start.tolist()
        self._column: list[int] = tree.term_column.tolist()
        self._level: list[int] = tree.term_level.tolist()
        self._weight: list[float] = tree.term_weight.tolist()
        self._threshold: list[float] = tree.threshold.tolist()
        self._missing_left = tree.missing_left.tolist()

    def sides(self, node: int) -> tuple[str, str]:
        """Return what holds on the left and on the right, missing values aside."""
        kind = self._kind[node]
        if kind == LEAF:
            return "", ""
        if kind == SUBSET:
            return self._subset_sides(node)
        what = self._name(node) if kind == AXIS else self._sum(node)
        threshold = number_text(self._threshold[node])
        return f"{what} <= {threshold}", f"{what} > {threshold}"

    def rule(self, node: int) -> str:
        """Return what holds for the rows that go left, and for no others."""
        left = self.sides(node)[0]
        if not self.sends_missing(node):
            return left
        if self._missing_left[node]:
            return f"{left} or missing"
        # Read by itself "not in" would take missing values along.
        negated = self._kind[node] == SUBSET and self._is_negated(node)
        return f"{left} and not missing" if negated else left

    def sends_missing(self, node: int) -> bool:
        """Whether missing values join one of two sides that known values are on."""
        kind = self._kind[node]
        return kind == AXIS or (kind == SUBSET and all(self.level_sides(node)))

    def level_sides(self, node: int) -> tuple[tuple[Level, ...], tuple[Level, ...]]:
        """Return the levels that go left and those that go right at a subset split."""
        tree = self._tree
        start, end = tree.subset_start[node], tree.subset_start[node + 1]
        words = tree.subset_words[start:end].astype("<u8").view(np.uint8)
        bits = np.unpackbits(words, bitorder="little").tolist()
        levels = self._levels[self._column[self._start[node]]] or ()
        left = tuple(x for x, bit in zip(levels, bits, strict=False) if bit)
        right = tuple(x for x, bit in zip(levels, bits, strict=False) if not bit)
        return left, right

    def terms(self, node: int) -> tuple[tuple[str, Level | None, float], ...]:
        """Return column name, level or None, and weight of every term."""
        terms = range(self._start[node], self._start[node + 1])
        return tuple(
            (self._names[self._column[t]], self._level_of(t), self._weight[t])
            for t in terms
        )

    def _name(self, node: int) -> str:
        """Return the text for the column of a node that splits one."""
        return self._texts[self._column[self._start[node]]]

    def _level_of(self, term: int) -> Level | None:
        """Return the level whose indicator a term is."""
        levels = self._levels[self._column[term]]
        return (
            None
            if levels is None or self._level[term] < 0
            else levels[self._level[term]]
        )

    def _is_negated(self, node: int) -> bool:
        """Whether the left side is the longer list, told by what is not in it."""
        left, right = self.level_sides(node)
        return len(left) > len(right)

    def _subset_sides(self, node: int) -> tuple[str, str]:
        """Name the levels of the smaller side."""
        name = self._name(node)
        left, right = self.level_sides(node)
        if not left or not right:
            return self._missing_sides(node, name, known_left=bool(left))
        if len(left) <= len(right):
            inside, outside = _among(left)
            return f"{name} {inside}", f"{name} {outside}"
        inside, outside = _among(right)
        return f"{name} {outside}", f"{name} {inside}"

    def _missing_sides(
        self, node: int, name: str, *, known_left: bool
    ) -> tuple[str, str]:
        """Word a split that leaves all levels on one side."""
        if self._missing_left[node] == known_left:
            return ("always", "never") if known_left else ("never", "always")
        known, missing = f"{name} not missing", f"{name} missing"
        return (known, missing) if known_left else (missing, known)

    def _sum(self, node: int) -> str:
        """Write a weighted sum; weights are rounded, `terms` has them exactly."""
        start, end = self._start[node], self._start[node + 1]
        last = end if end - start <= _MOST_TERMS else start + _MOST_TERMS - 1
        text = "".join(
            self._term(term, first=term == start) for term in range(start, last)
        )
        return text if last == end else f"{text} + {end - last} more terms"

    def _term(self, term: int, *, first: bool) -> str:
        """Write one term with its sign."""
        weight, level = self._weight[term], self._level_of(term)
        what = self._texts[self._column[term]]
        if level is not None:
            what = f"({what} = {label_text(level)})"
        if abs(weight) != 1:
            what = f"{abs(weight):.4g} * {what}"
        sign = ("-" if first else " - ") if weight < 0 else ("" if first else " + ")
        return f"{sign}{what}"


def number_text(value: float) -> str:
    """Return the shortest text that is still the same number.

    Examples
    --------
    >>> number_text(26.5), number_text(3.0), number_text(0.1 + 0.2)
    ('26.5', '3', '0.30000000000000004')
    """
    short = f"{value:.6g}"
    return short if float(short) == value else repr(value)


def label_text(label: Level) -> str:
    """Return a level or class as text; in quotes where it could be misread.

    Examples
    --------
    >>> label_text("car"), label_text("1"), label_text("a, b"), label_text(1)
    ('car', "'1'", "'a, b'", '1')
    """
    if not isinstance(label, str):
        return repr(label)
    return _shortened(label if _is_plain(label) else repr(label), _LONGEST_LABEL)


def _is_plain(label: str) -> bool:
    """Whether text is not mistaken for a number, a bool or punctuation around it."""
    if (
        not label.isprintable()
        or label != label.strip()
        or label in {"", "True", "False"}
    ):
        return False
    return not (set(label) & set("{}[](),;:'\"\\") or _is_number(label))


def _is_number(text: str) -> bool:
    """Whether Python reads the text as a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def _name_text(name: str) -> str:
    """Return a column's name; in quotes if it is empty or does not print."""
    plain = name.isprintable() and name == name.strip() and name
    return _shortened(name if plain else repr(name), _LONGEST_NAME)


def _shortened(text: str, longest: int) -> str:
    """Cut the middle out of long text."""
    half = (longest - 3) // 2
    return text if len(text) <= longest else f"{text[:half]}...{text[-half:]}"


def _among(levels: tuple[Level, ...]) -> tuple[str, str]:
    """Say that a value is one of the levels, and that it is not."""
    if len(levels) == 1:
        return f"= {label_text(levels[0])}", f"!= {label_text(levels[0])}"
    texts = [label_text(level) for level in levels[:_MOST_LEVELS]]
    if len(levels) > _MOST_LEVELS:
        texts[-1] = f"... {len(levels) - _MOST_LEVELS + 1} more"
    inside = f"in {{{', '.join(texts)}}}"
    return inside, f"not {inside}"
