"""In: data and numbers; out: an optimized tree behind scikit-learn's interface."""

from __future__ import annotations

from typing import Any, Self

from sklearn.base import RegressorMixin

from tanoak._grow import grow_numbers
from tanoak._optimize import Optimized, OptimizeSettings, optimize_numbers
from tanoak._tao_state import Drawn
from tanoak._tree import Tree
from tanoak.estimators._tao import TAOTree
from tanoak.estimators._targets import read_numbers, read_weight
from tanoak.exceptions import ParameterError

__all__ = ["TAOTreeRegressor"]


class TAOTreeRegressor(RegressorMixin, TAOTree):  # type: ignore[misc]  # scikit-learn is untyped
    """Regression tree optimized as a whole for squared error.

    Parameters
    ----------
    split, feature_costs, init, n_init, max_depth, max_leaf_nodes, max_iter, \
tol, refine, exact, locks, pair_cost, categorical_features, n_jobs, random_state, \
verbose, warm_start
        As for `TAOTreeClassifier`.
    split_penalty : float, default=1.0
        Price of a split on one feature. The unit is the variance of y: a price of 3
        asks each split to save the squared error of three average rows.

    Attributes
    ----------
    tree_ : Tree
        The fitted tree; print it.
    history_ : tuple of Pass
        Squared error, price, number of splits and features, and time of the start and
        of each pass.
    n_iter_ : int
        Number of passes.
    converged_ : bool
        Whether the last pass changed nothing (or less than `tol`).
    lock_cost_ : LockCost
        What `locks` cost: loss + price with them and without; only with locks.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns, if they had names.

    See Also
    --------
    TAOTreeClassifier : The same for classes.
    GreedyTreeRegressor : Grown cut by cut, never looking back.

    Examples
    --------
    >>> from tanoak import TAOTreeRegressor
    >>> model = TAOTreeRegressor(split="axis", split_penalty=0.1)
    >>> X = [[float(i)] for i in range(10)]
    >>> model.fit(X, [5.0] * 5 + [9.0] * 5).predict([[1.2], [7.8]])
    array([5., 9.])
    """

    def __init__(
        self,
        *,
        split: str = "oblique",
        split_penalty: float = 1.0,
        pair_cost: float = 1.25,
        feature_costs: Any = None,
        init: Any = "greedy",
        n_init: int = 1,
        max_depth: int | None = None,
        max_leaf_nodes: int | None = None,
        max_iter: int = 20,
        tol: float = 0.0,
        refine: str | None = None,
        exact: bool = False,
        locks: Any = None,
        categorical_features: Any = "auto",
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        warm_start: bool = False,
    ) -> None:
        self.split = split
        self.split_penalty = split_penalty
        self.pair_cost = pair_cost
        self.feature_costs = feature_costs
        self.init = init
        self.n_init = n_init
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.max_iter = max_iter
        self.tol = tol
        self.refine = refine
        self.exact = exact
        self.locks = locks
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Optimize the tree.

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
        TAOTreeRegressor
            The fitted estimator.
        """
        init = self._begin()
        table = self._read_table(X, init)
        targets = read_numbers(y, table.n_rows)
        weight = read_weight(sample_weight, table.n_rows)
        starts: list[Tree | Drawn] = [*self._draw(init, table, None, weight)]
        if init is not None and init.classes is not None:
            msg = "the tree to start from answers classes: give a regression tree"
            raise ParameterError(msg)
        if init is not None:
            starts = [init]
        elif not starts:
            growth = self._growth("squared_error", table.n_rows, weight)
            starts = [grow_numbers(table, targets, growth, sample_weight=weight)]
        settings = self._settings(table.columns, init)

        def run(begin: Any, told: OptimizeSettings) -> Optimized:
            return optimize_numbers(table, targets, begin, told, sample_weight=weight)

        self._optimize(run, starts, settings, (table.values, targets, weight))
        return self
