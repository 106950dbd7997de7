"""In: a tree, and rows it was not grown on; out: its subtree that is cheapest there."""

from __future__ import annotations

from typing import Any

import numpy as np

from tanoak._arrays import FloatArray
from tanoak._choose import PruningTable, on_rows, reduced_on_rows
from tanoak._cost_forms import read_row_costs
from tanoak._cost_input import read_weights
from tanoak._held_out import Rows
from tanoak._messages import shown
from tanoak._params import OneOf, check_params
from tanoak._rows import read_labels
from tanoak._table import read_like
from tanoak._tree import Tree
from tanoak.costs import CostMatrix, Costs
from tanoak.exceptions import ParameterError, TableError

__all__ = ["chosen_on", "prune_on"]

_METHODS = OneOf("path", "path_1se", "reduced_error")


def prune_on(
    tree: Tree,
    X: Any,
    y: Any,
    *,
    method: str = "path",
    sample_weight: Any = None,
    row_costs: Any = None,
) -> Tree:
    """Return the subtree that is cheapest on rows that the tree was not grown on.

    Answers cost what they cost in training: the cost matrix and the priors of the tree,
    or squared error for regression.

    Parameters
    ----------
    tree : Tree
        Any tree.
    X : array, data frame, sparse matrix or Table, shape (n_rows, n_columns)
        Rows; columns of a data frame are found by name.
    y : array-like of shape (n_rows,)
        Their classes, all known to the tree, or numbers.
    method : {"path", "path_1se", "reduced_error"}, default="path"
        "path" takes the cheapest of the subtrees of `pruning_path`, of equal ones the
        smallest; "path_1se" the smallest one that costs at most one standard error
        more than it, of the difference on the same rows; "reduced_error" the cheapest
        of all subtrees there are (Quinlan 1987), which fits small samples too well.
    sample_weight : array-like of shape (n_rows,), optional
        Weights of the rows.
    row_costs : array-like of shape (n_rows, n_classes), optional
        Cost of answering each class on each row; takes the place of the tree's costs.
        A tree that was grown with such costs needs them.

    Returns
    -------
    Tree
        A new tree. Its counts and answers are those of the training rows.

    See Also
    --------
    pruning_path : All subtrees to choose from.
    Tree.prune : One of them, without further rows.

    Examples
    --------
    >>> from tanoak import GreedyTreeClassifier, prune_on
    >>> X, y = [[1], [2], [3], [4], [5], [6]], [0, 0, 1, 0, 1, 1]
    >>> tree = GreedyTreeClassifier().fit(X, y).tree_
    >>> tree.n_leaves
    4
    >>> prune_on(tree, [[1.5], [3.2], [4.2], [5.5]], [0, 1, 1, 1]).n_leaves
    2
    """
    costs = {"sample_weight": sample_weight, "row_costs": row_costs}
    return chosen_on(tree, X, y, method, **costs)[0]


def chosen_on(
    tree: Tree, X: Any, y: Any, method: str, *, sample_weight: Any, row_costs: Any
) -> tuple[Tree, PruningTable]:
    """Return what `prune_on` returns, and the comparison; see `on_rows`."""
    check_params({"method": method}, {"method": _METHODS})
    table = read_like(X, tree.columns)
    if tree.classes is None:
        if row_costs is not None:
            msg = "row_costs are costs of classes, this is a regression tree: leave out"
            raise ParameterError(msg)
        target: Any = _numbers(y, table.n_rows)
    else:
        target, _ = read_labels(y, tree.classes, table.n_rows)
    weight = None
    if sample_weight is not None:
        weight = read_weights(sample_weight, table.n_rows)
    costs = _costs(tree, row_costs, table.n_rows)
    rows = Rows(table=table, target=target, costs=costs, sample_weight=weight)
    if method == "reduced_error":
        return reduced_on_rows(tree, rows)
    return on_rows(tree, rows, one_se=method == "path_1se")


def _costs(tree: Tree, row_costs: Any, n_rows: int) -> Costs | None:
    """Return what answers to the rows cost; None where there is no choice."""
    if tree.classes is None or len(tree.classes) == 1:
        return None
    if row_costs is None and tree.answer_costs is not None:
        msg = (
            "the tree was grown with costs for each row: give row_costs of these rows "
            "too, one for each class"
        )
        raise ParameterError(msg)
    by_row = None
    if row_costs is not None:
        by_row = read_row_costs(row_costs, n_rows, tree.classes)
    matrix = tree.cost or CostMatrix.from_any(None, tree.classes)
    return Costs(matrix, by_row, tree.class_factor)


def _numbers(y: Any, n_rows: int) -> FloatArray:
    """Return one finite number for each row."""
    try:
        numbers = np.asarray(y, dtype=np.float64)
    except (TypeError, ValueError) as error:
        msg = f"y must hold a number for each row ({error})"
        raise TableError(msg) from error
    if numbers.shape != (n_rows,):
        msg = f"y has shape {numbers.shape} for {n_rows} rows of X: give one a row"
        raise TableError(msg)
    if not np.isfinite(numbers).all():
        row = int((~np.isfinite(numbers)).argmax())
        told = shown(numbers[row])
        msg = f"y holds {told} in row {row}: leave out rows without a finite number"
        raise TableError(msg)
    return numbers
