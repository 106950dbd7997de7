"""In: rows of two classes; out: numbers and hits, checked for exact search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tanoak._arrays import FloatArray, Level
from tanoak._messages import shown
from tanoak._path_input import find_positive_class, read_class_codes
from tanoak._table import Columns, read_table
from tanoak._tree import Tree
from tanoak.exceptions import TableError

__all__ = ["Problem", "linear_tree", "read_problem"]


_ROOT: dict[str, list[Any]] = {"left": [-1], "right": [-1], "threshold": [0.0]}
_SPLIT: dict[str, list[Any]] = {"left": [1, -1, -1], "right": [2, -1, -1]}


@dataclass(frozen=True, eq=False)
class Problem:
    """Rows to be told apart.

    Attributes
    ----------
    values : ndarray of float64, shape (n_rows, n_features)
        Finite numbers.
    hit : ndarray of bool, shape (n_rows,)
        Rows of the class that is to be found.
    columns : Columns
        Names of the features.
    classes : tuple
        Both classes.
    target : int
        Position of the one that is to be found.
    """

    values: FloatArray
    hit: NDArray[np.bool_]
    columns: Columns
    classes: tuple[Level, ...]
    target: int

    @property
    def n_positive(self) -> int:
        """Rows of the class that is to be found."""
        return int(self.hit.sum())

    @property
    def n_negative(self) -> int:
        """Rows of the other class."""
        return len(self.hit) - self.n_positive


def read_problem(X: Any, y: Any, positive: Level | None) -> Problem:
    """Read rows, refusing categories, missing values, and other than two classes."""
    table = read_table(X)
    if table.columns.categorical:
        name = table.columns.names[min(table.columns.categorical)]
        msg = f"column {shown(name)} holds categories: exact search takes numbers only"
        raise TableError(msg)
    values = table.values
    if not isinstance(values, np.ndarray):
        values = values.toarray()
    missing = np.isnan(values)
    if missing.any():
        row, column = np.argwhere(missing)[0].tolist()
        name = shown(table.columns.names[column])
        msg = f"column {name} has no value in row {row}: exact search needs all of them"
        raise TableError(msg)
    codes, classes = read_class_codes(y, table.n_rows)
    if len(classes) != 2:  # noqa: PLR2004 two classes
        msg = f"exact search is for two classes, y holds {len(classes)}"
        raise TableError(msg)
    target = find_positive_class(classes, positive)
    numbers = np.asarray(values, dtype=np.float64)
    return Problem(numbers, codes == target, table.columns, classes, target)


def linear_tree(
    problem: Problem, weights: dict[int, float], threshold: float, *, left_hit: bool
) -> Tree:
    """Make the tree of one split: weighted columns at most a threshold go left.

    Parameters
    ----------
    problem : Problem
        The rows, to count.
    weights : dict of int to float
        By column; none for a constant answer, which is `left_hit` then.
    threshold : float
        Of the weighted sum.
    left_hit : bool
        Whether the left side is called positive.

    Returns
    -------
    Tree
        With counts of the rows.
    """
    answer = problem.target if left_hit else 1 - problem.target
    if not weights:
        return _counted(problem, _ROOT | {"label": [answer]}, {})
    nodes = _SPLIT | {"threshold": [threshold, 0.0, 0.0]}
    return _counted(problem, nodes | {"label": [answer, answer, 1 - answer]}, weights)


def _counted(
    problem: Problem, nodes: dict[str, list[Any]], weights: dict[int, float]
) -> Tree:
    """Add terms and the number of rows of each class at each node."""
    used, n_nodes = sorted(weights), len(nodes["left"])
    fields: dict[str, Any] = {
        **nodes,
        "missing_left": [False] * n_nodes,
        "term_start": [0] + [len(used)] * n_nodes,
        "term_column": used,
        "term_level": [-1] * len(used),
        "term_weight": [weights[column] for column in used],
        "subset_start": [0] * (n_nodes + 1),
        "subset_words": [],
        "fill": [0.0] * len(problem.columns),
        "columns": problem.columns,
        "classes": problem.classes,
    }
    counts = np.zeros((n_nodes, 2), dtype=np.int64)
    empty = Tree(**fields, counts=counts, masses=counts.astype(float))
    codes = np.where(problem.hit, problem.target, 1 - problem.target)
    np.add.at(counts, (empty.apply(problem.values), codes), 1)
    counts[0] = np.bincount(codes, minlength=2)
    return Tree(**fields, counts=counts, masses=counts.astype(float))
