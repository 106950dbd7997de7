"""In: nothing; out: the errors tanoak raises, one small family under `TanoakError`."""

from __future__ import annotations

__all__ = [
    "CellTypeError",
    "CostError",
    "NotFeasibleError",
    "ParameterError",
    "TableError",
    "TanoakError",
    "TreeFormatError",
]


class TanoakError(Exception):
    """Base of every error that tanoak raises on purpose.

    Examples
    --------
    >>> from tanoak.exceptions import TanoakError, TableError
    >>> try:
    ...     raise TableError("column 'age' holds infinity in row 3")
    ... except TanoakError as error:
    ...     print(error)
    column 'age' holds infinity in row 3
    """


# ValueError as second parent: scikit-learn and its users catch that one.
class TableError(TanoakError, ValueError):
    """The features cannot be used: wrong shape, type, name or value."""


class CellTypeError(TableError, TypeError):
    """A cell of the table holds an object that is neither a number nor text."""


class CostError(TanoakError, ValueError):
    """The costs, priors or costs per row contradict themselves or the data."""


class ParameterError(TanoakError, ValueError):
    """A parameter has a value outside of what it allows."""


class NotFeasibleError(TanoakError, ValueError):
    """No tree of a curve obeys what was asked for; the message names what one does."""


class TreeFormatError(TanoakError, ValueError):
    """A stored tree is damaged, hostile, or written by a newer tanoak."""
