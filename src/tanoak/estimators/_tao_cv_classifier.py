"""In: data, classes and costs; out: an optimized tree of settings chosen by cost."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from tanoak._table import read_table
from tanoak.estimators._tao_cv import TAOTreeCV
from tanoak.estimators._tao_data import read_problem

__all__ = ["TAOTreeClassifierCV"]


class TAOTreeClassifierCV(ClassifierMixin, TAOTreeCV):  # type: ignore[misc]  # scikit-learn is untyped
    """Optimized classification tree that chooses its own size and price of splits.

    Candidates answer rows that they were not trained on and pay for it: what `cost`
    or `row_costs` say. The one that pays least is then trained on all rows.

    Parameters
    ----------
    split : {"oblique", "axis", "pair", "auto"}, default="oblique"
        What a node may ask: a weighted sum of many features, one feature, one or two,
        or what is cheapest of all.
    split_penalties : list of float, default=None
        Prices of a split to compare, in the unit of `TAOTreeClassifier.split_penalty`.
        None: 0.1 to 10 for "oblique", 0.3 to 30 for "auto", else
        1 to 32, or 64 for many rows.
    leaf_limits : list of int, default=None
        Most leaves of the trees to start from. None: 1, 4, 8 and 16 where sums are
        weighed, and two for each of more than 8 classes; else no limit.
    starts : list of {"axis", "pair"}, default=None
        Cuts of the grown trees to start from, without `split` "oblique" and "auto".
        None: both for "pair", else "axis".
    pair_cost : float, default=1.25
        Price of a split on two features, as a multiple of that on one.
    feature_costs : dict or array of shape (n_features,), default=None
        Price of each column besides, paid once by every node that uses it.
    max_depth : int, default=None
        Limit of the trees to start from; None is 6 where sums are weighed, else none.
    max_iter : int, default=20
        Most passes over all nodes, for each tree.
    exact : bool, default=False
        Whether splits on two features are searched among all pairs to the end.
    cost : None, "balanced", array, dict, data frame or CostMatrix, default=None
        What mistakes cost. Rows are true classes, columns predicted ones:
        ``{"fraud": {"fair": 50}, "fair": {"fraud": 1}}``, or ``{class: cost of
        mistaking it}``. None makes all mistakes equal.
    priors : dict or array of shape (n_classes,), default=None
        Shares of the classes where the tree will be used, if not the training ones.
    categorical_features : "auto", list of str or int, or mask, default="auto"
        Columns to read as categories besides text, bools and category types.
    cv : "auto", "holdout", int, splitter or list of (train, test), default="auto"
        Rows that candidates are compared on. "auto": 5 folds, each with
        its share of every class, where there are fewer than 5000 rows, else
        "holdout", a quarter of the rows.
    rule : {"best", "1se"}, default="best"
        The cheapest on rows not trained on, or the smallest tree whose excess over it
        is within one standard error, on the same rows. Of equals the smallest tree.
    random_state : int, default=0
        Decides which rows are in which fold; nothing else is random.
    n_jobs : int, default=None
        Threads, shared by folds and starts; None is 1 or what
        ``joblib.parallel_config`` says, -1 all. The tree does not depend on it.
    verbose : int, default=0
        Whether to write a line on stderr after each pass.

    Attributes
    ----------
    tree_ : Tree
        The tree of the chosen settings, trained on all rows; print it.
    best_params_ : dict
        The chosen `start`, `max_leaf_nodes` (None: no limit) and `split_penalty`.
    results_ : dict of str to ndarray
        What was compared; ``pandas.DataFrame`` takes it. Of each candidate: `start`,
        `max_leaf_nodes` (0: no limit), `split_penalty`; `n_leaves`, a mean over
        folds; `cost` of a row not trained on and its `standard_error`; `excess` over
        the cheapest and its `excess_error`; `chosen`.
    history_ : tuple of Pass
        Loss, price, number of splits and features, and time of the start and of each
        pass, of the last optimization.
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns, if they had names.

    See Also
    --------
    TAOTreeClassifier : With settings of one's own.
    TAOTreeRegressorCV : The same for numbers.

    Examples
    --------
    >>> from tanoak import TAOTreeClassifierCV
    >>> X = [[float(i % 10)] for i in range(40)]
    >>> y = ["low" if row[0] < 6 else "high" for row in X]
    >>> model = TAOTreeClassifierCV(split="axis").fit(X, y)
    >>> model.best_params_["split_penalty"], model.get_n_leaves()
    (8.0, 2)
    """

    def __init__(
        self,
        *,
        split: str = "oblique",
        split_penalties: Any = None,
        leaf_limits: Any = None,
        starts: Any = None,
        pair_cost: float = 1.25,
        feature_costs: Any = None,
        max_depth: int | None = None,
        max_iter: int = 20,
        exact: bool = False,
        cost: Any = None,
        priors: Any = None,
        categorical_features: Any = "auto",
        cv: Any = "auto",
        rule: str = "best",
        random_state: int = 0,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.split = split
        self.split_penalties = split_penalties
        self.leaf_limits = leaf_limits
        self.starts = starts
        self.pair_cost = pair_cost
        self.feature_costs = feature_costs
        self.max_depth = max_depth
        self.max_iter = max_iter
        self.exact = exact
        self.cost = cost
        self.priors = priors
        self.categorical_features = categorical_features
        self.cv = cv
        self.rule = rule
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, row_costs: Any = None
    ) -> Self:
        """Choose settings and optimize the tree.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_rows, n_features)
            Training rows; NaN, None and NA are missing values.
        y : array-like of shape (n_rows,)
            Classes.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows; one of weight 0 is left out.
        row_costs : array-like of shape (n_rows, n_classes), optional
            Cost of answering each class on each row; takes the place of `cost`.

        Returns
        -------
        TAOTreeClassifierCV
            The fitted estimator.
        """
        self._begin()
        table = read_table(X, categorical=self.categorical_features)
        problem, class_labels = read_problem(self, table, y, sample_weight, row_costs)
        self._choose(problem)
        self.classes_ = class_labels
        return self

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
