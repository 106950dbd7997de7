"""In: data, classes and costs; out: an optimized tree as scikit-learn wants it."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from tanoak._grow import grow_classes
from tanoak._messages import shown
from tanoak._optimize import Optimized, OptimizeSettings, optimize_classes
from tanoak._table import Level, Table
from tanoak._tao_state import Drawn
from tanoak._tree import Tree
from tanoak.costs import Costs, resolve_costs
from tanoak.estimators._tao import TAOTree
from tanoak.estimators._targets import read_classes, read_weight, warn_of_one_class
from tanoak.exceptions import ParameterError

__all__ = ["TAOTreeClassifier"]

# What was enough in measurements on rows not seen, one hold-out for all of a curve.
_SUM_PENALTIES = (0.1, 0.3, 1.0, 3.0, 10.0)
_CUT_PENALTIES = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
_SUM_LEAVES = (4, 8, 16)


class TAOTreeClassifier(ClassifierMixin, TAOTree):  # type: ignore[misc]  # scikit-learn is untyped
    """Classification tree optimized as a whole for what its mistakes cost.

    Tree alternating optimization: starting from a tree, each node in turn gets the
    cheapest split while all others stay as they are, pass after pass, the deepest nodes
    first. What the mistakes cost on the training rows, plus the price of the splits,
    never rises; a split that is not worth its price is left out.

    Parameters
    ----------
    split : {"oblique", "axis", "pair", "auto"}, default="oblique"
        What a node may ask: a weighted sum of many features, one feature, one or two,
        or what is cheapest of all.
    split_penalty : float, default=1.0
        Price of a split on one feature ("auto": of each feature of a sum). The unit is
        what is at stake on an average row of weight 1: without costs, a price of 3 asks
        each split to save three mistakes. Weighted sums are fitted with this price on
        their weights, features standardized: the higher it is, the fewer features.
    pair_cost : float, default=1.25
        Price of a split on two features, as a multiple of `split_penalty`.
    feature_costs : dict or array of shape (n_features,), default=None
        Price of each column besides, in the same unit, paid once by every node that
        uses it: ``{"biopsy": 5}``.
    init : {"greedy", "pair", "random"}, Tree or fitted tree estimator, default="greedy"
        The tree to start from. "greedy" grows one with one feature a cut, "pair" one
        with one or two (for ``split="pair"`` it is worth trying both); "random" draws a
        complete one of `max_depth` levels (4 if None) whose splits halve their rows.
    n_init : int, default=1
        Random starts; the one that ends at the least loss + price is kept.
    max_depth, max_leaf_nodes : int, default=None
        Limits of the tree that is grown to start from. None is no limit for splits on
        one feature; where sums are weighed 6 levels and 8 leaves, with more than four
        classes 12 levels and two leaves for each class.
    max_iter : int, default=20
        Most passes over all nodes.
    tol : float, default=0.0
        Stop once a pass lowers loss + price by less than this share of it.
    refine : {"threshold", "coordinates"}, default=None
        Whether a fitted sum is moved to the threshold that loses least, or its weights
        as well. Lowers the training loss; on rows not seen it did not help.
    exact : bool, default=False
        Whether splits on two features are searched among all pairs to the end.
    locks : list of NodeLock, default=None
        What some nodes of the tree given as `init` may not do. All is optimized again
        without locks, to say in `lock_cost_` what they cost.
    cost : None, "balanced", array, dict, data frame or CostMatrix, default=None
        What mistakes cost. Rows are true classes, columns predicted ones:
        ``{"fraud": {"fair": 50}, "fair": {"fraud": 1}}``, or ``{class: cost of
        mistaking it}``. None makes all mistakes equal.
    priors : dict or array of shape (n_classes,), default=None
        Shares of the classes where the tree will be used, if not the training ones.
    categorical_features : "auto", list of str or int, or mask, default="auto"
        Columns to read as categories besides text, bools and category types.
    n_jobs : int, default=None
        Threads; None is 1 or what ``joblib.parallel_config`` says, -1 all. The tree
        does not depend on it.
    random_state : int, RandomState instance or None, default=None
        Where random starts are drawn from.
    verbose : int, default=0
        Whether to write a line on stderr after each pass.
    warm_start : bool, default=False
        Whether `fit` starts from the fitted tree. After Ctrl-C, which keeps the best
        so far, a fit to the same data goes on as if it had not been interrupted.

    Attributes
    ----------
    tree_ : Tree
        The fitted tree; print it.
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    history_ : tuple of Pass
        Loss, price, number of splits and features, and time of the start and of each
        pass.
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
    TAOTreeRegressor : The same for numbers.
    GreedyTreeClassifier : Grown cut by cut, never looking back.

    Examples
    --------
    >>> from tanoak import TAOTreeClassifier
    >>> X = [[1.0], [2.0], [3.0], [4.0]]
    >>> cost = {"bad": 5, "good": 1}
    >>> model = TAOTreeClassifier(split="axis", split_penalty=0.1, cost=cost)
    >>> model.fit(X, ["good", "bad", "good", "good"]).predict([[2.1], [3.5]])
    array(['bad', 'good'], dtype='<U4')
    >>> model.history_[-1].loss
    0.0
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
        cost: Any = None,
        priors: Any = None,
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
        self.cost = cost
        self.priors = priors
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, row_costs: Any = None
    ) -> Self:
        """Optimize the tree.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_rows, n_features)
            Training rows; NaN, None and NA are missing values.
        y : array-like of shape (n_rows,)
            Classes.
        sample_weight : array-like of shape (n_rows,), optional
            A row of weight 2 counts as two rows, one of weight 0 is left out.
        row_costs : array-like of shape (n_rows, n_classes), optional
            Cost of answering each class on each row; takes the place of `cost`.

        Returns
        -------
        TAOTreeClassifier
            The fitted estimator.
        """
        init = self._begin()
        table = self._read_table(X, init)
        codes, class_labels, classes = read_classes(y, table.n_rows)
        weight = read_weight(sample_weight, table.n_rows)
        warn_of_one_class(codes, classes, weight)
        costs = None
        if len(classes) > 1:  # one class leaves nothing to mistake
            told = {"priors": self.priors, "row_costs": row_costs}
            costs = resolve_costs(
                self.cost, codes, classes, **told, sample_weight=weight
            )
        starts: list[Tree | Drawn] = [*self._draw(init, table, classes, weight)]
        if not starts:
            starts = [self._start(init, (table, codes, costs, weight), classes)]
        self.classes_ = class_labels
        settings = self._settings(table.columns, init)

        def run(begin: Any, told: OptimizeSettings) -> Optimized:
            return optimize_classes(
                table, codes, costs, begin, told, sample_weight=weight
            )

        by_row = None if costs is None else costs.row_costs
        self._optimize(run, starts, settings, (table.values, codes, weight, by_row))
        return self

    def _start(
        self,
        init: Tree | None,
        data: tuple[Table, NDArray[np.int32], Costs | None, Any],
        classes: tuple[Level, ...],
    ) -> Tree:
        """Grow the start, or check the one that was given."""
        table, codes, costs, weight = data
        if init is None:
            growth = self._growth("gini", table.n_rows, weight, len(classes))
            return grow_classes(
                table, codes, costs, growth, classes=classes, sample_weight=weight
            )
        if repr(init.classes) != repr(classes):
            msg = (
                f"the tree to start from has the classes {shown(init.classes)}, but y "
                f"holds {shown(classes)}: they must be the same"
            )
            raise ParameterError(msg)
        return init

    def curve_grid(self) -> dict[str, list[Any]]:
        """Return what `cost_optimal_curve` tries for parameters that were left alone.

        Returns
        -------
        dict of str to list
            Penalties from small to large, and numbers of leaves to start from.
        """
        sums = self.split in ("oblique", "auto")
        grid: dict[str, list[Any]] = {}
        if self.split_penalty == 1.0:
            grid["split_penalty"] = list(_SUM_PENALTIES if sums else _CUT_PENALTIES)
        if sums and self.max_leaf_nodes is None:
            grid["max_leaf_nodes"] = list(_SUM_LEAVES)
        return grid

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the share of each class in the leaf of each row, without costs.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_rows, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            In the order of `classes_`; each row sums to 1.
        """
        check_is_fitted(self)
        return self.tree_.predict_shares(X, n_threads=self._n_threads())
