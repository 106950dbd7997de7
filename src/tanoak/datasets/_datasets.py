"""In: the files beside this one; out: `Dataset`, columns by name, target and costs."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from importlib import resources
from importlib.util import find_spec
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from tanoak.costs import CostMatrix
from tanoak.exceptions import ParameterError

__all__ = ["Dataset", "load_german_credit"]

Library = Literal["pandas", "polars", "pyarrow"]


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """Features, what to predict, and what mistakes cost.

    Attributes
    ----------
    name : str
        What the data set is called.
    columns : dict of str to list of str, or ndarray of int64
        Features by name, n_rows values each: text is categorical. ``fit`` and
        ``predict`` take it as it is.
    target : ndarray of str, shape (n_rows,)
        The class of each row.
    cost : CostMatrix
        What mistakes cost.
    description : str
        Source, licence and what was changed, as Markdown.

    Examples
    --------
    >>> from tanoak.datasets import load_german_credit
    >>> load_german_credit()
    <Dataset 'German credit': 1000 rows, 20 columns, classes bad and good>
    """

    name: str
    columns: dict[str, list[str] | NDArray[np.int64]]
    target: NDArray[np.str_]
    cost: CostMatrix
    description: str

    def rows(self) -> NDArray[np.object_]:
        """Return the features as an array of Python objects, to pick rows from.

        Returns
        -------
        ndarray of object, shape (n_rows, n_columns)
            Text and whole numbers. The names are lost: `columns` and `frame` keep them.
        """
        table = np.empty((len(self.target), len(self.columns)), dtype=object)
        for position, values in enumerate(self.columns.values()):
            table[:, position] = values if isinstance(values, list) else values.tolist()
        return table

    def frame(self, library: Library | None = None) -> Any:
        """Return the features as a data frame.

        Parameters
        ----------
        library : {"pandas", "polars", "pyarrow"}, optional
            Whose frame it shall be; None takes the first that is installed.

        Returns
        -------
        data frame of shape (n_rows, n_columns)
            Of that library, with the names of the columns.

        Raises
        ------
        ParameterError
            If the library is not one of these, or not installed.
        """
        import narwhals.stable.v2 as nw

        frame = nw.from_dict(dict(self.columns), backend=_installed(library))
        return frame.to_native()

    def __repr__(self) -> str:
        """Return one line."""
        classes = " and ".join(str(label) for label in self.cost.classes)
        return (
            f"<Dataset {self.name!r}: {len(self.target)} rows, "
            f"{len(self.columns)} columns, classes {classes}>"
        )


def load_german_credit() -> Dataset:
    """Load 1,000 loan applicants, some of whom are a bad credit risk.

    UCI's Statlog (German Credit Data) by Hans Hofmann, CC BY 4.0, with readable names.
    Calling a bad risk good costs 5, calling a good risk bad 1.

    Returns
    -------
    Dataset
        13 categorical and 7 numeric columns; 300 rows are bad, 700 good.

    Examples
    --------
    >>> from tanoak.datasets import load_german_credit
    >>> credit = load_german_credit()
    >>> print(credit.cost)
    calling a 'bad' row 'good' costs 5
    calling a 'good' row 'bad' costs 1
    >>> credit.columns["checking_account"][:2], credit.columns["age"][:2]
    (['< 0 DM', '0 to < 200 DM'], array([67, 22]))
    """
    folder = resources.files("tanoak.datasets")
    lines = (folder / "german_credit.csv").read_text(encoding="ascii").splitlines()
    names, *rows = csv.reader(lines)
    *features, target = zip(*rows, strict=True)
    return Dataset(
        name="German credit",
        columns=dict(zip(names, map(_read_column, features), strict=False)),
        target=np.array(target),
        cost=CostMatrix([[0, 5], [1, 0]], classes=["bad", "good"]),
        description=(folder / "README.md").read_text(encoding="utf-8"),
    )


def _read_column(fields: tuple[str, ...]) -> list[str] | NDArray[np.int64]:
    """Make numbers of fields that are all whole numbers."""
    if all(field.isdecimal() for field in fields):
        return np.array(fields, dtype=np.int64)
    return list(fields)


def _installed(library: Library | None) -> Library:
    """Choose a data-frame library that can be imported."""
    known: tuple[Library, ...] = get_args(Library)
    if library is not None and library not in known:
        msg = f"library is {library!r}: give one of {', '.join(known)}, or None"
        raise ParameterError(msg)
    wanted = known if library is None else (library,)
    for name in wanted:
        if find_spec(name) is not None:
            return name
    msg = (
        f"a data frame needs {' or '.join(wanted)}, which is not installed: install it "
        "with pip, or take .columns or .rows(), which need NumPy alone"
    )
    raise ParameterError(msg)
