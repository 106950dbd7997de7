"""In: what data calls its columns; out: `Columns`, and how new data maps onto them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import cast

import numpy as np

from tanoak._messages import closest, shown, shown_name
from tanoak.exceptions import ParameterError, TableError

__all__ = [
    "Columns",
    "Level",
    "check_width",
    "find_columns",
    "forced_positions",
    "match_names",
    "numbered_names",
    "read_names",
    "refuse_duplicates",
]

Level = str | bool | int | float

_LISTED = 5


@dataclass(frozen=True)
class Columns:
    """What the columns of a table are called and what their values mean.

    Parameters
    ----------
    names : tuple of str, length d
        One name per column; ``"x0", "x1", ...`` when the data had none.
    levels : tuple of (tuple of Level or None), length d
        None for a numeric column, else its categories: code c means ``levels[j][c]``.
    named : bool
        Whether the names came from the data (a data frame with string names).

    Examples
    --------
    >>> columns = Columns(("age", "town"), (None, ("Bonn", "Kiel")), named=True)
    >>> len(columns), columns.categorical
    (2, (1,))
    >>> columns.n_levels(1)
    2
    """

    names: tuple[str, ...]
    levels: tuple[tuple[Level, ...] | None, ...]
    named: bool

    def __post_init__(self) -> None:
        """Refuse names and levels of different lengths."""
        if len(self.names) != len(self.levels):
            msg = f"{len(self.names)} names but {len(self.levels)} levels of columns"
            raise TableError(msg)

    @classmethod
    def numeric(cls, n_columns: int) -> Columns:
        """Describe `n_columns` numeric columns without names of their own.

        Examples
        --------
        >>> Columns.numeric(2).names
        ('x0', 'x1')
        """
        return cls(numbered_names(n_columns), (None,) * n_columns, named=False)

    def __len__(self) -> int:
        """Count the columns."""
        return len(self.names)

    def __eq__(self, other: object) -> bool:
        """Compare exactly: the levels 1, 1.0 and True are three different ones."""
        if not isinstance(other, Columns):
            return NotImplemented
        if self is other:
            return True
        same_text = (self.names, self.named) == (other.names, other.named)
        return same_text and repr(self.levels) == repr(other.levels)

    def __hash__(self) -> int:
        """Hash the names: columns that are equal share them."""
        return hash((self.names, self.named))

    @property
    def categorical(self) -> tuple[int, ...]:
        """Positions of the categorical columns."""
        return tuple(j for j, levels in enumerate(self.levels) if levels is not None)

    def is_categorical(self, position: int) -> bool:
        """Tell whether the values of a column are category codes."""
        return self.levels[position] is not None

    def n_levels(self, position: int) -> int:
        """Count the categories of a column, 0 for a numeric one."""
        return len(self.levels[position] or ())


def read_names(names: Iterable[object]) -> tuple[tuple[str, ...], bool]:
    """Turn a frame's column labels into names, and say whether they are its own."""
    labels = list(names)
    if all(isinstance(label, Integral) for label in labels):
        return numbered_names(len(labels)), False
    for position, label in enumerate(labels):
        if not isinstance(label, str):
            msg = (
                f"column names must be strings, or integers for all columns, got "
                f"{shown(label)} ({type(label).__name__}) for column {position}; "
                f"make every name a string, such as {shown(str(label))}"
            )
            raise TableError(msg)
    # str() strips subclasses such as numpy.str_.
    texts = tuple(str.__str__(label) for label in labels if isinstance(label, str))
    refuse_duplicates(texts)
    return texts, True


def numbered_names(n_columns: int) -> tuple[str, ...]:
    """Name columns by their position."""
    return tuple(f"x{position}" for position in range(n_columns))


def refuse_duplicates(names: Sequence[object]) -> None:
    """Refuse a name that two columns share."""
    name, times = Counter(names).most_common(1)[0]
    if times > 1:
        msg = (
            f"column names must be distinct, {shown(name)} is there {times} times; "
            f"rename or drop the repeated columns"
        )
        raise TableError(msg)


def check_width(n_columns: int, columns: Columns) -> None:
    """Refuse data that is wider or narrower than the training data."""
    if n_columns != len(columns):
        msg = (
            f"X has {n_columns} features, but Tree is expecting {len(columns)} "
            f"features as input."
        )
        raise TableError(msg)


def find_columns(
    names: Sequence[str], columns: Columns, *, named: bool
) -> Sequence[int]:
    """Find, for every training column, its position in new data.

    By name if both have names of their own. "x0" and the like are what a tree calls
    columns without a name: data that uses one of them means it.
    """
    if named and (columns.named or not set(names).isdisjoint(columns.names)):
        return match_names(names, columns)
    check_width(len(names), columns)
    return range(len(columns))


def match_names(names: Sequence[str], columns: Columns) -> list[int]:
    """Find, for every training column, its position in data with these names."""
    place = {name: position for position, name in enumerate(names)}
    missing = sorted(name for name in columns.names if name not in place)
    unseen = sorted(place.keys() - set(columns.names))
    if missing or unseen:
        raise TableError(_difference(unseen, missing))
    return [place[name] for name in columns.names]


def _difference(unseen: list[str], missing: list[str]) -> str:
    """Say which names are new and which are gone, in scikit-learn's words."""
    msg = "The feature names should match those that were passed during fit.\n"
    if unseen:
        msg += "Feature names unseen at fit time:\n" + _listed(unseen)
    if missing:
        msg += "Feature names seen at fit time, yet now missing:\n" + _listed(missing)
    for name in unseen[:_LISTED]:
        guess = closest(name, missing)
        if guess is not None:
            msg += f"Did you mean {shown(guess)} instead of {shown(name)}?\n"
    return msg


def _listed(names: list[str]) -> str:
    """List the first few names, one a line."""
    lines = [f"- {shown_name(name)}\n" for name in names[:_LISTED]]
    return "".join(lines) + ("- ...\n" if len(names) > _LISTED else "")


def forced_positions(categorical: object, names: Sequence[str]) -> frozenset[int]:
    """Resolve `categorical=` to the positions of the columns it names."""
    if isinstance(categorical, str) and categorical == "auto":
        return frozenset()
    if isinstance(categorical, str | bytes) or not _is_list(categorical):
        is_name = isinstance(categorical, str) and categorical in names
        hint = f"; write [{shown(categorical)}]" if is_name else ""
        msg = (
            f"categorical must be 'auto', a list of column names or positions, or a "
            f"mask with one bool per column, got {shown(categorical)}{hint}"
        )
        raise ParameterError(msg)
    items = list(cast("Iterable[object]", categorical))
    if items and all(isinstance(item, bool | np.bool_) for item in items):
        return _masked(items, len(names))
    place = {name: position for position, name in enumerate(names)}
    return frozenset(_position(item, place) for item in items)


def _is_list(value: object) -> bool:
    """Tell whether a value is a flat collection."""
    return isinstance(value, Collection) and getattr(value, "ndim", 1) == 1


def _masked(mask: list[object], n_columns: int) -> frozenset[int]:
    """Turn a mask into positions."""
    if len(mask) != n_columns:
        msg = (
            f"a categorical mask needs one bool per column: X has {n_columns} "
            f"columns, the mask {len(mask)} values"
        )
        raise ParameterError(msg)
    return frozenset(position for position, on in enumerate(mask) if on)


def _position(item: object, place: dict[str, int]) -> int:
    """Find one column by name or position."""
    if isinstance(item, str):
        if item in place:
            return place[item]
        guess = closest(item, list(place))
        hint = f"; did you mean {shown(guess)}?" if guess else ""
        msg = f"categorical names a column {shown(item)} that X does not have{hint}"
        raise ParameterError(msg)
    if isinstance(item, Integral) and not isinstance(item, bool):
        if 0 <= int(item) < len(place):
            return int(item)
        msg = (
            f"categorical holds the position {int(item)}, but X has columns "
            f"0 to {len(place) - 1}"
        )
        raise ParameterError(msg)
    msg = f"categorical must hold column names or positions, got {shown(item)}"
    raise ParameterError(msg)
