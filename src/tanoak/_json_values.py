"""In: JSON values or arrays; out: the other of the two, the same to the bit.

Every reader here refuses values of another type or range than the writer beside it
makes, with `TreeFormatError`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import chain
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from tanoak._arrays import LAYOUT, Level, WordArray
from tanoak._messages import shown
from tanoak.exceptions import TreeFormatError

__all__ = [
    "array_in",
    "labels_in",
    "labels_out",
    "text_in",
    "text_out",
    "words_out",
    "wrong",
]

_WORD_DIGITS = 16
_DIGITS = frozenset("0123456789abcdef")
_EXACT = 2**53  # the largest integers that a double still holds one by one
# Between two halves of a character that Python keeps apart and JSON would join.
_SEAM = re.compile(r"(?<=[\ud800-\udbff])(?=[\udc00-\udfff])")


def wrong(where: str, value: Any, allowed: str) -> NoReturn:
    """Raise for a value of the wrong type or range."""
    msg = f"{where} is {shown(value)}; it must be {allowed}"
    raise TreeFormatError(msg)


def labels_out(labels: tuple[Level, ...]) -> list[Any]:
    """Return labels as JSON values."""
    return [text_out(x) if isinstance(x, str) else x for x in labels]


def labels_in(where: str, labels: Any) -> tuple[Any, ...]:
    """Return labels as Python values; `check_labels` looks at them later."""
    if type(labels) is not list:
        wrong(where, labels, "a list")
    return tuple(text_in(x) if type(x) is list else x for x in labels)


def text_out(text: str) -> str | list[str]:
    """Return text; in pieces where a reader would join two lone surrogates."""
    pieces = [text] if text.isascii() else _SEAM.split(text)
    return text if len(pieces) == 1 else pieces


def text_in(text: Any) -> Any:
    """Join the pieces of a text; the only pieces allowed are those we write."""
    if type(text) is not list:
        return text
    if set(map(type, text)) != {str} or text_out("".join(text)) != text:
        wrong("text in pieces", text, "cut between lone surrogates only")
    return "".join(text)


def words_out(words: WordArray) -> list[str]:
    """Return words as hexadecimal text: many readers take numbers as doubles."""
    digits = words.astype(">u8").tobytes().hex()
    starts = range(0, len(digits), _WORD_DIGITS)
    return [digits[start : start + _WORD_DIGITS] for start in starts]


def array_in(name: str, values: Any, width: int) -> npt.NDArray[Any]:
    """Return one array of `LAYOUT` from its list, or its list of lists of `width`."""
    if type(values) is not list:
        wrong(name, values, "a list")
    if name == "subset_words":
        return _words_in(values)
    dtype, n_dimensions = LAYOUT[name]
    if n_dimensions == 1:
        return _READERS[dtype](name, values, dtype)
    if not set(map(type, values)) <= {list} or not set(map(len, values)) <= {width}:
        wrong(name, values, f"a list of lists of {width} numbers")
    flat = list(chain.from_iterable(values))
    return _READERS[dtype](name, flat, dtype).reshape(len(values), width)


def _words_in(words: list[Any]) -> WordArray:
    """Return words from their hexadecimal digits."""
    text = set(map(type, words)) <= {str} and set(map(len, words)) <= {_WORD_DIGITS}
    if not text or not _DIGITS.issuperset("".join(words)):
        wrong("subset_words", words, f"texts of {_WORD_DIGITS} hexadecimal digits")
    big_endian = np.frombuffer(bytes.fromhex("".join(words)), dtype=">u8")
    return big_endian.astype(np.uint64)


def _bools(name: str, values: list[Any], dtype: str) -> npt.NDArray[Any]:
    """Return true and false."""
    if not set(map(type, values)) <= {bool}:
        wrong(name, values, "a list of true and false")
    return np.array(values, dtype=dtype)


def _integers(name: str, values: list[Any], dtype: str) -> npt.NDArray[Any]:
    """Return integers of limited range; a bool or 1.0 is none."""
    limit = np.iinfo(dtype)
    fits = set(map(type, values)) <= {int}
    if values and not (fits and limit.min <= min(values) <= max(values) <= limit.max):
        wrong(name, values, f"a list of integers from {limit.min} to {limit.max}")
    return np.array(values, dtype=dtype)


def _floats(name: str, values: list[Any], dtype: str) -> npt.NDArray[Any]:
    """Return doubles; a file that went through JavaScript says 1 for 1.0."""
    kinds = set(map(type, values))
    fits = kinds <= {int, float}
    if fits and int in kinds:
        fits = all(abs(x) <= _EXACT for x in values if type(x) is int)
    if not fits:
        wrong(name, values, "a list of numbers that doubles hold")
    return np.array(values, dtype=dtype)


_READERS: dict[str, Callable[[str, list[Any], str], npt.NDArray[Any]]] = {
    "bool": _bools,
    "int32": _integers,
    "int64": _integers,
    "float64": _floats,
}
