"""In: data and numbers; out: a greedy tree behind scikit-learn's interface."""

from __future__ import annotations

from typing import Any, Self

from sklearn.base import RegressorMixin

from tanoak._grow import grow_numbers
from tanoak._held_out import Rows
from tanoak._params import OneOf
from tanoak._table import read_table
from tanoak._tree import Tree
from tanoak.estimators._greedy import GROWTH_RULES, GreedyTree
from tanoak.estimators._pruning import NUMBER_PRUNING_RULES
from tanoak.estimators._targets import read_numbers, read_weight
from tanoak.exceptions import ParameterError

__all__ = ["GreedyTreeRegressor"]


class GreedyTreeRegressor(RegressorMixin, GreedyTree):  # type: ignore[misc]  # scikit-learn is untyped
    """Regression tree grown greedily, of least squared or absolute error.

    Parameters
    ----------
    criterion : {"squared_error", "absolute_error"}, default="squared_error"
        What cuts are chosen by. Leaves answer the mean, or the weighted median for
        "absolute_error", which outliers hardly move.
    monotone : dict or sequence of int, default=None
        ``{column: 1}`` or ``{column: -1}``: along such a column answers may only rise,
        or only fall, with criterion "squared_error" and ``split="axis"``.
    split, n_orientations, pair_cost, max_pairs, n_restarts, n_jumps, max_depth, \
max_leaf_nodes, min_samples_split, min_samples_leaf, min_weight_fraction_leaf, \
min_impurity_decrease, categorical_features, max_memory, n_jobs, verbose
        As for `GreedyTreeClassifier`.
    prune, cv, validation_fraction, random_state
        As for `GreedyTreeClassifier`; costs are squared errors, and "pessimistic" is
        for classes alone.

    Attributes
    ----------
    tree_ : Tree
        The fitted tree; print it.
    pruning_ : dict of str to ndarray
        The sizes that were compared, if `prune` asked for it, as for
        `GreedyTreeClassifier`.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns, if they had names.
    n_pairs_, n_pairs_searched_ : int
        With ``split="pair"``: pairs of features that there are, and the most that were
        tried in one node.

    See Also
    --------
    GreedyTreeClassifier : The same for classes.

    Examples
    --------
    >>> from tanoak import GreedyTreeRegressor
    >>> model = GreedyTreeRegressor(max_depth=1)
    >>> model.fit([[1.0], [2.0], [3.0]], [5.0, 5.0, 9.0]).predict([[1.2], [2.8]])
    array([5., 9.])
    """

    def __init__(
        self,
        *,
        criterion: str = "squared_error",
        split: str = "axis",
        n_orientations: int = 16,
        pair_cost: float = 1.1,
        max_pairs: int = 5000,
        n_restarts: int = 20,
        n_jumps: int = 20,
        max_depth: int | None = None,
        max_leaf_nodes: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        categorical_features: Any = "auto",
        prune: str | float | None = None,
        cv: int = 10,
        validation_fraction: float = 0.25,
        random_state: int = 0,
        monotone: Any = None,
        max_memory: int = 2**30,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.criterion = criterion
        self.split = split
        self.n_orientations = n_orientations
        self.pair_cost = pair_cost
        self.max_pairs = max_pairs
        self.n_restarts = n_restarts
        self.n_jumps = n_jumps
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.categorical_features = categorical_features
        self.prune = prune
        self.cv = cv
        self.validation_fraction = validation_fraction
        self.random_state = random_state
        self.monotone = monotone
        self.max_memory = max_memory
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_rows, n_features)
            Training rows; NaN, None and NA are missing values.
        y : array-like of shape (n_rows,)
            Numbers.
        sample_weight : array-like of shape (n_rows,), optional
            A row of weight 2 counts as two rows, one of weight 0 is left out.

        Returns
        -------
        GreedyTreeRegressor
            The fitted estimator.
        """
        rules = {
            "criterion": OneOf("squared_error", "absolute_error"),
            **GROWTH_RULES,
            **NUMBER_PRUNING_RULES,
        }
        self._start_fit(rules)
        table = read_table(X, categorical=self.categorical_features)
        targets = read_numbers(y, table.n_rows)
        weight = read_weight(sample_weight, table.n_rows)
        settings = self.settings_for(table)
        if settings.monotone and self.criterion == "absolute_error":
            msg = (
                "monotone keeps means in order, and criterion='absolute_error' answers "
                "medians; use criterion='squared_error'"
            )
            raise ParameterError(msg)

        def grow(part: Rows) -> Tree:
            """Grow on some of the rows."""
            weight = part.sample_weight
            return grow_numbers(part.table, part.target, settings, sample_weight=weight)

        rows = Rows(table=table, target=targets, sample_weight=weight)
        self._keep_pruned(rows, grow)
        return self
