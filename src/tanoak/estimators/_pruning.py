"""In: rows, a way to grow and the wish for pruning; out: the tree of the right size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

from sklearn.utils.validation import check_is_fitted

from tanoak._choose import (
    PruningTable,
    at_price,
    by_folds,
    by_held_out,
    pessimistic,
    reduced_error,
)
from tanoak._held_out import Rows
from tanoak._params import Integer, Number, OneOf, Rules
from tanoak._prune_on import chosen_on
from tanoak._tree import Tree
from tanoak.estimators._base import TreeEstimator
from tanoak.estimators._splits import SPLITTERS, read_splits

__all__ = ["CLASS_PRUNING_RULES", "NUMBER_PRUNING_RULES", "PrunedTree"]

_METHODS = ("cv", "cv_1se", "holdout", "reduced_error")
NUMBER_PRUNING_RULES: Rules = {
    "prune": (None, OneOf(*_METHODS), Number(0)),
    "cv": SPLITTERS,
    "validation_fraction": Number(0, 1, above=True, below=True),
    "random_state": Integer(0, 2**32 - 1),
}
CLASS_PRUNING_RULES: Rules = {
    **NUMBER_PRUNING_RULES,
    # It counts mistakes, which numbers do not make.
    "prune": (None, OneOf(*_METHODS, "pessimistic"), Number(0)),
}


class PrunedTree(TreeEstimator):
    """Pruning parameters of all estimators that grow and prune."""

    prune: Any
    cv: int
    validation_fraction: float
    random_state: int
    pruning_: PruningTable

    def prune_on(
        self,
        X: Any,
        y: Any,
        *,
        method: str = "path",
        sample_weight: Any = None,
        row_costs: Any = None,
    ) -> Self:
        """Prune the fitted tree to what is cheapest on rows that `fit` did not see.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_rows, n_features)
            Rows.
        y : array-like of shape (n_rows,)
            Their classes, all known to `fit`, or numbers.
        method : {"path", "path_1se", "reduced_error"}, default="path"
            See `tanoak.prune_on`.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows.
        row_costs : array-like of shape (n_rows, n_classes), optional
            Cost of answering each class on each row.

        Returns
        -------
        self
            With a smaller `tree_`, and the comparison in `pruning_`.
        """
        check_is_fitted(self)
        self.tree_, self.pruning_ = chosen_on(
            self.tree_, X, y, method, sample_weight=sample_weight, row_costs=row_costs
        )
        return self

    def _keep_pruned(self, rows: Rows, grow: Callable[[Rows], Tree]) -> None:
        """Grow, prune as wished, and keep the tree and the comparison of sizes."""
        fraction, seed = float(self.validation_fraction), int(self.random_state)
        table: PruningTable | None = None
        if self.prune is None:
            tree = grow(rows)
        elif self.prune in ("cv", "cv_1se"):
            one_se = self.prune == "cv_1se"
            splits = read_splits(self.cv, rows, seed)
            tree, table = by_folds(rows, grow, splits, one_se=one_se)
        elif self.prune == "holdout":
            tree, table = by_held_out(rows, grow, fraction=fraction, seed=seed)
        elif self.prune == "reduced_error":
            tree, table = reduced_error(rows, grow, fraction=fraction, seed=seed)
        elif self.prune == "pessimistic":
            tree, table = pessimistic(grow(rows))
        else:
            tree, table = at_price(grow(rows), float(self.prune))
        self.tree_ = tree
        if table is not None:
            self.pruning_ = table
