"""In: values and names from the caller; out: the short, safe text an error shows."""

from __future__ import annotations

import difflib
import reprlib
from collections.abc import Iterable, Sequence

import numpy as np

__all__ = ["closest", "join_or", "shown", "shown_name"]

_LONGEST_NAME = 80
# difflib is quadratic in the length; longer lists get no suggestion.
_MOST_CANDIDATES = 2000

_shortener = reprlib.Repr()
_shortener.maxstring = 60
_shortener.maxother = 60
_shortener.maxlong = 40


def shown(value: object) -> str:
    """Give the repr of a value, never longer than a line.

    Examples
    --------
    >>> shown("a" * 1000)
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaa...aaaaaaaaaaaaaaaaaaaaaaaaaaaa'"
    """
    text = _shortener.repr(value.item() if isinstance(value, np.generic) else value)
    return " ".join(text.split()) if "\n" in text else text


def shown_name(name: str) -> str:
    """Give a harmless name as it is, any other as its short repr."""
    harmless = name.isprintable() and 0 < len(name) <= _LONGEST_NAME
    return name if harmless else shown(name)


def closest(name: str, candidates: Sequence[str]) -> str | None:
    """Find the candidate a user most likely meant, whatever its case.

    Examples
    --------
    >>> closest("Incme", ["age", "income"])
    'income'
    """
    if len(name) > _LONGEST_NAME or len(candidates) > _MOST_CANDIDATES:
        return None
    folded = {c.strip().casefold(): c for c in candidates if len(c) <= _LONGEST_NAME}
    hits = difflib.get_close_matches(name.strip().casefold(), folded, n=1, cutoff=0.7)
    return folded[hits[0]] if hits else None


def join_or(parts: Iterable[str]) -> str:
    """Join alternatives as in 'a, b or c'."""
    *first, last = parts
    return f"{', '.join(first)} or {last}" if first else last
