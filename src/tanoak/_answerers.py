"""In: trees and fitted classifiers; out: their answers as counts, and their sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tanoak._answers import label_array
from tanoak._arrays import FloatArray, Level
from tanoak._choice import Sizes
from tanoak._rates import Rates
from tanoak._rows import read_labels
from tanoak._table import Columns, Table, read_like
from tanoak._tree import Tree

__all__ = [
    "Constant",
    "Wanted",
    "constant_like",
    "count_answers",
    "shared_columns",
    "sizes_of",
]

Codes = NDArray[np.int64]


class Wanted(NamedTuple):
    """The classes, and the position of the one that is to be found."""

    classes: tuple[Level, ...]
    positive: int


@dataclass(frozen=True)
class Constant:
    """A classifier that always gives the same answer."""

    label: Level

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the answer once for each row."""
        n_rows = X.n_rows if isinstance(X, Table) else np.shape(X)[0]
        return label_array((self.label,))[np.zeros(n_rows, dtype=np.intp)]


def constant_like(model: Any, label: Level) -> Any:
    """Return what always answers `label`: a root alone for a tree."""
    if not isinstance(model, Tree):
        return Constant(label)
    assert model.classes is not None
    code = np.array([model.classes.index(label)], dtype=np.int32)
    return replace(model.prune([0]), label=code)


def sizes_of(models: Sequence[Any]) -> Sizes:
    """Count leaves and used columns; -1 for what is no tree."""
    leaves = [m.n_leaves if isinstance(m, Tree) else _plain(m) for m in models]
    columns = [
        len(np.unique(m.term_column)) if isinstance(m, Tree) else _plain(m) - 1
        for m in models
    ]
    return Sizes(np.array(leaves, dtype=np.int64), np.array(columns).clip(-1))


def _plain(model: Any) -> int:
    """Return the leaves of a constant, or -1."""
    return 1 if isinstance(model, Constant) else -1


def shared_columns(models: Sequence[Any]) -> Columns | None:
    """Return the columns if all models are trees on the same ones."""
    trees = [m for m in models if not isinstance(m, Constant)]
    if not trees or not all(isinstance(m, Tree) for m in trees):
        return None
    first: Columns = trees[0].columns
    return first if all(m.columns == first for m in trees) else None


def count_answers(
    models: Sequence[Any],
    X: Any,
    y: Any,
    *,
    wanted: Wanted,
    source: str,
    sample_weight: Any = None,
) -> Rates:
    """Count the answers of every model on some rows.

    Parameters
    ----------
    models : sequence
        Trees or fitted classifiers.
    X : array, sparse matrix, data frame or Table of shape (n_rows, n_features)
        Rows; read once where all models are trees.
    y : array-like of shape (n_rows,)
        Their classes.
    wanted : Wanted
        The K classes, and the one that is to be found.
    source : str
        What the rows are, in words.
    sample_weight : array-like of shape (n_rows,), optional
        Weights of the rows.

    Returns
    -------
    Rates
        One entry for each model.
    """
    classes = wanted.classes
    columns = shared_columns(models)
    rows = X if columns is None else read_like(X, columns)
    n_rows = rows.n_rows if isinstance(rows, Table) else np.shape(rows)[0]
    codes, weight = read_labels(y, classes, n_rows, sample_weight)
    counts, masses = [], []
    for model in models:
        answers, _ = read_labels(model.predict(rows), classes, n_rows)
        counts.append(_confusion(codes, answers, None, len(classes)).astype(np.int64))
        masses.append(_confusion(codes, answers, weight, len(classes)))
    return Rates(np.array(counts), np.array(masses), wanted.positive, source)


def _confusion(
    codes: Codes, answers: Codes, weight: FloatArray | None, n_classes: int
) -> FloatArray:
    """Sum rows by true class and answer."""
    flat = np.bincount(codes * n_classes + answers, weight, n_classes**2)
    return np.asarray(flat, dtype=np.float64).reshape(n_classes, n_classes)
