"""In: a node of a tree; out: its rule as a sentence, names and levels made harmless."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np

from tanoak._arrays import Level, TreeArrays
from tanoak._routing import AXIS, LEAF, SUBSET, node_kinds

__all__ = ["N_WORDINGS", "Sentences", "label_text", "short_numbers", "shortened"]

_LONGEST_NAME = 40
_LONGEST_LABEL = 24
# At most as many levels and terms are named: in full, and where room is scarce.
_MOST_LEVELS, _MOST_TERMS = (5, 5, 2, 2), (6, 4, 3, 2)
N_WORDINGS = len(_MOST_TERMS)
_DIGITS, _ALL_DIGITS = 6, 17  # of a threshold; 17 tell any two doubles apart
_EXACT_HALVES = 1e12


class Sentences:
    """Words for the splits of one tree, their numbers rounded.

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
        self._threshold_text = self._short_thresholds()

    def sides(self, node: int, *, shorter: int = 0) -> tuple[str, str]:
        """Return what holds on the left and on the right, missing values aside.

        The higher `shorter`, below `N_WORDINGS`, the fewer levels and terms are named.
        """
        kind = self._kind[node]
        if kind == LEAF:
            return "", ""
        if kind == SUBSET:
            return self._subset_sides(node, _MOST_LEVELS[shorter])
        most = _MOST_TERMS[shorter]
        what = self._name(node) if kind == AXIS else self._sum(node, most)
        threshold = self._threshold_text[node]
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

    def _short_thresholds(self) -> dict[int, str]:
        """Round thresholds; two different ones of the same columns stay different."""
        same_columns: dict[tuple[int, ...], list[int]] = {}
        for node, kind in enumerate(self._kind):
            if kind not in (LEAF, SUBSET):
                columns = self._column[self._start[node] : self._start[node + 1]]
                same_columns.setdefault(tuple(columns), []).append(node)
        texts = {}
        for nodes in same_columns.values():
            short = short_numbers(self._threshold[node] for node in nodes)
            texts.update({node: short[self._threshold[node]] for node in nodes})
        return texts

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

    def _subset_sides(self, node: int, most: int) -> tuple[str, str]:
        """Name the levels of the smaller side."""
        name = self._name(node)
        left, right = self.level_sides(node)
        if not left or not right:
            return self._missing_sides(node, name, known_left=bool(left))
        if len(left) <= len(right):
            inside, outside = _among(left, most)
            return f"{name} {inside}", f"{name} {outside}"
        inside, outside = _among(right, most)
        return f"{name} {outside}", f"{name} {inside}"

    def _missing_sides(
        self, node: int, name: str, *, known_left: bool
    ) -> tuple[str, str]:
        """Word a split that leaves all levels on one side."""
        if self._missing_left[node] == known_left:
            return ("always", "never") if known_left else ("never", "always")
        known, missing = f"{name} not missing", f"{name} missing"
        return (known, missing) if known_left else (missing, known)

    def _sum(self, node: int, most: int) -> str:
        """Write a weighted sum; weights are rounded, `terms` has them exactly.

        Levels of one column stand together. Of a long sum the terms of largest weight
        are named, in the order of the columns like those of a short one.
        """
        by_column: dict[int, list[int]] = {}
        for term in range(self._start[node], self._start[node + 1]):
            by_column.setdefault(self._column[term], []).append(term)
        terms = [term for group in by_column.values() for term in group]
        if len(terms) > most:
            terms = sorted(terms, key=lambda term: -abs(self._weight[term]))[: most - 1]
        named, text = set(terms), ""
        for group in by_column.values():
            shown = [term for term in group if term in named]
            if len(group) == 1 and shown:
                text += self._term(shown[0], first=not text)
            elif shown:
                text += f"{' + ' if text else ''}{self._group(shown, len(group))}"
        n_more = self._start[node + 1] - self._start[node] - len(named)
        return f"{text} + {n_more} more terms" if n_more else text

    def _group(self, shown: list[int], n_terms: int) -> str:
        """Write the weights of levels of one column, the largest first."""
        shown = sorted(shown, key=lambda term: -abs(self._weight[term]))
        levels = [self._level_of(term) for term in shown]
        parts = [
            f"{label_text(level)}: {self._weight[term]:+.4g}"
            for term, level in zip(shown, levels, strict=True)
            if level is not None
        ]
        more = ["..."] if n_terms > len(shown) else []
        return f"{self._texts[self._column[shown[0]]]} {{{', '.join(parts + more)}}}"

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


def short_numbers(values: Iterable[float]) -> dict[float, str]:
    """Return texts of six digits, of more where two numbers would look the same.

    Whole numbers and halves, the thresholds of counts and codes, are exact: rounded
    to a neighbour they would put it on the wrong side.

    Examples
    --------
    >>> short_numbers([26.5, 0.1 + 0.2, 1234567.5])
    {26.5: '26.5', 0.30000000000000004: '0.3', 1234567.5: '1234567.5'}
    >>> short_numbers([0.12345678, 0.12345699])
    {0.12345678: '0.1234568', 0.12345699: '0.123457'}
    """
    texts = {value: _rounded(value) for value in values}
    for n_digits in range(_DIGITS + 1, _ALL_DIGITS + 1):
        n_each = Counter(texts.values())
        alike = [value for value, text in texts.items() if n_each[text] > 1]
        if not alike:
            break
        exact = n_digits == _ALL_DIGITS  # repr needs no more digits than that
        texts.update({x: repr(x) if exact else f"{x:.{n_digits}g}" for x in alike})
    return texts


def _rounded(value: float) -> str:
    """Return six digits of a number; all of a whole one or a half."""
    value += 0.0  # -0.0 becomes 0.0, which equals it
    is_half = abs(value) < _EXACT_HALVES and (2 * value).is_integer()
    return f"{value:.{_ALL_DIGITS if is_half else _DIGITS}g}"


def label_text(label: Level) -> str:
    """Return a level or class as text; in quotes where it could be misread.

    Examples
    --------
    >>> label_text("car"), label_text("1"), label_text("a, b"), label_text(1)
    ('car', "'1'", "'a, b'", '1')
    """
    if not isinstance(label, str):
        return repr(label)
    return shortened(label if _is_plain(label) else repr(label), _LONGEST_LABEL)


def _is_plain(label: str) -> bool:
    """Whether text is not mistaken for a number, a bool or punctuation around it."""
    if (
        not label.isprintable()
        or label != label.strip()
        or label in {"", "True", "False"}
    ):
        return False
    return not (set(label) & set("{}[](),;:|'\"\\") or _is_number(label))


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
    return shortened(name if plain else repr(name), _LONGEST_NAME)


def shortened(text: str, longest: int) -> str:
    """Cut the middle out of long text."""
    half = (longest - 3) // 2
    return text if len(text) <= longest else f"{text[:half]}...{text[-half:]}"


def _among(levels: tuple[Level, ...], most: int) -> tuple[str, str]:
    """Say that a value is one of the levels, and that it is not."""
    if len(levels) == 1:
        return f"= {label_text(levels[0])}", f"!= {label_text(levels[0])}"
    texts = [label_text(level) for level in levels[:most]]
    if len(levels) > most:
        texts[-1] = f"... {len(levels) - most + 1} more"
    inside = f"in {{{', '.join(texts)}}}"
    return inside, f"not {inside}"
