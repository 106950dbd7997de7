"""In: data, classes and costs; out: a greedy tree behind scikit-learn's interface."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from tanoak._answers import SMOOTHING, shares
from tanoak._grow import grow_classes
from tanoak._held_out import Rows
from tanoak._monotone import check_monotone
from tanoak._params import OneOf, Rules, check_params
from tanoak._stakes import CLASS_CRITERIA, COST_MODES, check_modes
from tanoak._table import read_table
from tanoak._tree import Tree
from tanoak.costs import resolve_costs
from tanoak.estimators._greedy import GROWTH_RULES, GreedyTree
from tanoak.estimators._pruning import CLASS_PRUNING_RULES
from tanoak.estimators._targets import read_classes, read_weight, warn_of_one_class

__all__ = ["GreedyTreeClassifier"]

_RULES: Rules = {
    "criterion": OneOf(*CLASS_CRITERIA),
    "cost_mode": OneOf(*COST_MODES),
    "split_smoothing": SMOOTHING["smoothing"],
    **SMOOTHING,
    **GROWTH_RULES,
    **CLASS_PRUNING_RULES,
}


class GreedyTreeClassifier(ClassifierMixin, GreedyTree):  # type: ignore[misc]  # scikit-learn is untyped
    """Classification tree grown greedily, with what each mistake costs.

    Rows weigh what mistaking them costs while the tree grows (altered priors), and
    each leaf gives the answer of least expected cost. `predict_proba` stays honest:
    the shares of the classes in the leaf, without costs.

    Parameters
    ----------
    criterion : {"gini", "entropy", "misclassification", "gain_ratio", "dkm", \
"expected_error", "auc", "cost"}, default="gini"
        What cuts are chosen by; the page on criteria compares them.
    cost_mode : {"altered_priors", "generalized_gini", "weights", "labels"}, \
default="altered_priors"
        How costs enter. By altered priors a row weighs the sum of what its mistakes
        cost while the tree grows, and leaves answer by the whole matrix. Generalized
        Gini weighs pairs of classes instead; with two classes that changes no cut.
        Weights act as if rows were repeated: leaves answer by weight too. Labels
        leave growth alone.
    split_smoothing : None, "laplace" or float, default=None
        For criteria "auc" and "expected_error": add a row of each class to each side
        of a cut, or m rows of the training mix (m-estimate). None is none for "auc",
        and Laplace's rule for "expected_error", whose definition it is.
    split : {"axis", "pair", "oblique"}, default="axis"
        Cuts use one feature; "pair": or two where that pays, ``a * x + b * y <= t``;
        "oblique": or a sum of any number of weighted features, where a search finds one
        that separates better. In sums a category is 0 or 1, and a missing value is the
        median of its column.
    n_orientations : int, default=16
        Directions tried for each pair of features, on values divided by their spread
        in the node; the best ones are then refined.
    pair_cost : float, default=1.1
        Two features are used where they gain more than this times the best cut on one.
    max_pairs : int, default=5000
        Pairs tried in a node; of more than that, those of the features that separate
        best alone.
    n_restarts : int, default=20
        Climbs to a good sum in each node, each from another start.
    n_jumps : int, default=20
        Random moves tried from each top before a climb ends there.
    cost : None, "balanced", array, dict, data frame or CostMatrix, default=None
        What mistakes cost. Rows are true classes, columns predicted ones:
        ``{"fraud": {"fair": 50}, "fair": {"fraud": 1}}``, or ``{class: cost of
        mistaking it}``. None makes all mistakes equal.
    priors : dict or array of shape (n_classes,), default=None
        Shares of the classes where the tree will be used, if not the training ones.
    max_depth : int, default=None
        Splits on the longest way to a leaf; None is no limit.
    max_leaf_nodes : int, default=None
        Most leaves; the most useful cuts of the whole tree are made first.
    min_samples_split : int, default=2
        Fewest rows a node must have to be cut.
    min_samples_leaf : int, default=1
        Fewest rows on each side of a cut.
    min_weight_fraction_leaf : float, default=0.0
        Smallest share of the total weight, costs included, on each side of a cut.
    min_impurity_decrease : float, default=0.0
        Smallest decrease of impurity, times the node's share of the weight.
    smoothing : None, "laplace" or float, default=None
        What `predict_proba` adds in a leaf: nothing, a row of each class, or m rows
        of the training mix (m-estimate).
    categorical_features : "auto", list of str or int, or mask, default="auto"
        Columns to read as categories besides text, bools and category types.
    prune : None, "cv", "cv_1se", "holdout", "reduced_error", "pessimistic" or float
        How the tree is made smaller, by what its answers cost. None leaves it whole;
        start with "cv".
        "cv": the price of a leaf that is cheapest in cross-validation; "cv_1se": the
        highest price whose excess over it is within one standard error, on the same
        rows. "holdout": the price that is cheapest on held-out rows; the tree is then
        grown on all. "reduced_error": the best subtree on held-out rows.
        "pessimistic": Quinlan's rule, without other rows. A number is the price of a
        leaf itself, in mean cost of a row.
    cv : int, splitter or list of (train, test), default=10
        Folds of "cv" and "cv_1se". A number of folds hold their share of every class;
        for groups or time give what scikit-learn's splitters give.
    validation_fraction : float, default=0.25
        Share of the rows that "holdout" and "reduced_error" hold out.
    random_state : int, default=0
        Decides which rows are in which fold or part of `prune`, and where the climbs
        of "oblique" start; nothing else is random.
    monotone : dict or sequence of int, default=None
        ``{column: 1}`` or ``{column: -1}``: along such a column the probability of the
        last of two classes may only rise, or only fall; or a sign for each column, 0
        where it is free. Cuts that would break that are not made. Missing values have
        no place in the order.
    max_memory : int, default=2**30
        Bytes for presorted columns, 8 for each value. Larger tables are cut at 255
        quantiles in upper nodes, and exactly again where a node fits.
    n_jobs : int, default=None
        Threads; None is 1 or what ``joblib.parallel_config`` says, -1 all. The tree
        does not depend on it.
    verbose : int, default=0
        Lines of progress a second on stderr.

    Attributes
    ----------
    tree_ : Tree
        The fitted tree; print it.
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    pruning_ : dict of str to ndarray
        The sizes that were compared, if `prune` asked for it; ``pandas.DataFrame``
        takes it. Of each subtree: `alpha`, a price of a leaf that gives it; `n_leaves`;
        `training_cost`; `cost` on rows not grown on and its `standard_error`; `excess`
        over the cheapest and its `excess_error`; `chosen`.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns, if they had names.
    n_pairs_, n_pairs_searched_ : int
        With ``split="pair"``: pairs of features that there are, and the most that were
        tried in one node.

    See Also
    --------
    GreedyTreeRegressor : The same for numbers.

    Examples
    --------
    >>> from tanoak import GreedyTreeClassifier
    >>> X = [[1.0], [2.0], [3.0], [4.0]]
    >>> model = GreedyTreeClassifier(cost={"bad": 5, "good": 1}, max_depth=1)
    >>> model.fit(X, ["good", "bad", "good", "good"]).predict([[1.5], [3.5]])
    array(['bad', 'good'], dtype='<U4')
    >>> model.predict_proba([[1.5]])
    array([[0.5, 0.5]])
    """

    def __init__(
        self,
        *,
        criterion: str = "gini",
        cost_mode: str = "altered_priors",
        split_smoothing: str | float | None = None,
        split: str = "axis",
        n_orientations: int = 16,
        pair_cost: float = 1.1,
        max_pairs: int = 5000,
        n_restarts: int = 20,
        n_jumps: int = 20,
        cost: Any = None,
        priors: Any = None,
        max_depth: int | None = None,
        max_leaf_nodes: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        smoothing: str | float | None = None,
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
        self.cost_mode = cost_mode
        self.split_smoothing = split_smoothing
        self.split = split
        self.n_orientations = n_orientations
        self.pair_cost = pair_cost
        self.max_pairs = max_pairs
        self.n_restarts = n_restarts
        self.n_jumps = n_jumps
        self.cost = cost
        self.priors = priors
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.smoothing = smoothing
        self.categorical_features = categorical_features
        self.prune = prune
        self.cv = cv
        self.validation_fraction = validation_fraction
        self.random_state = random_state
        self.monotone = monotone
        self.max_memory = max_memory
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, row_costs: Any = None
    ) -> Self:
        """Grow the tree.

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
        GreedyTreeClassifier
            The fitted estimator.
        """
        self._start_fit(_RULES)
        check_modes(
            self.criterion,
            self.cost_mode,
            self.split_smoothing,
            by_row=row_costs is not None,
        )
        table = read_table(X, categorical=self.categorical_features)
        codes, class_labels, classes = read_classes(y, table.n_rows)
        weight = read_weight(sample_weight, table.n_rows)
        warn_of_one_class(codes, classes, weight)
        costs = None
        if len(classes) > 1:  # one class leaves nothing to mistake
            costs = resolve_costs(
                self.cost,
                codes,
                classes,
                priors=self.priors,
                row_costs=row_costs,
                sample_weight=weight,
            )
        settings = self.settings_for(table)
        if settings.monotone:
            check_monotone(len(classes), self.smoothing, by_row=row_costs is not None)

        def grow(part: Rows) -> Tree:
            """Grow on some of the rows."""
            return grow_classes(
                part.table,
                part.target,
                part.costs,
                settings,
                classes=classes,
                sample_weight=part.sample_weight,
            )

        rows = Rows(table=table, target=codes, costs=costs, sample_weight=weight)
        self._keep_pruned(rows, grow)
        self.classes_ = class_labels
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the share of each class in the leaf of each row, without costs.

        With `smoothing`, rows are added to each leaf first.

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
        check_params({"smoothing": self.smoothing}, SMOOTHING)
        if self.smoothing is None:
            return self.tree_.predict_shares(X, n_threads=self._n_threads())
        return shares(self.tree_, self.smoothing)[self.apply(X)]
