"""In: data and a wish; out: the tree of a cost-optimal curve that grants it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, is_classifier
from sklearn.utils.validation import check_is_fitted

from tanoak._folds import hold_out
from tanoak._messages import closest, shown
from tanoak._operating_point import OperatingPoint
from tanoak._params import Number, Rules, check_params
from tanoak._path_rows import take_rows
from tanoak._table import read_table
from tanoak._tree import Tree
from tanoak.estimators._tao_classifier import TAOTreeClassifier
from tanoak.estimators._targets import read_classes, read_weight
from tanoak.exceptions import ParameterError
from tanoak.path import cost_optimal_curve

__all__ = ["CostCurveClassifier"]

_RULES: Rules = {"calibration_size": (None, Number(0, 1, above=True, below=True))}
_WISHES = (
    "max_fpr",
    "min_tpr",
    "max_alert_rate",
    "cost",
    "prevalence",
    "max_leaves",
    "max_features",
    "confidence",
)
_ENOUGH_TO_PROMISE = 0.25  # of the rows, where a confidence is asked for


class _Selecting:
    """Lets `select` be a parameter of the constructor and a method of the model."""

    def __get__(self, model: CostCurveClassifier | None, owner: type) -> Any:
        """Return the method; `get_params` returns the parameter."""
        return self if model is None else model.choose

    def __set__(self, model: CostCurveClassifier, value: Any) -> None:
        """Keep the parameter."""
        model.__dict__["select"] = value


class CostCurveClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn is untyped
    """A tree chosen from a cost-optimal curve by what the user knows: a budget, a cost.

    `fit` makes a tree for each of many costs (`cost_optimal_curve`), counts their
    answers on rows they have not seen, and takes the one that `select` asks for.
    Another one can be taken at any time without fitting again.

    Parameters
    ----------
    estimator : estimator, default=None
        What makes a tree at given costs; None is a `TAOTreeClassifier` with its
        penalty and size chosen by `tune`. Any classifier that takes `sample_weight`
        will do.
    select : dict, default=None
        What is wished for, as for `CostCurve.select`, such as ``{"max_fpr": 0.01}`` or
        ``{"max_fpr": 0.01, "confidence": 0.95}``. None takes the tree with the least
        sum of both error rates.
    positive : label, default=None
        The class that is to be found; None is the last of two.
    path, beta, max_trees, cost_range, resolution, cv, tune, labelings, checkpoint
        As for `cost_optimal_curve`.
    calibration_size : float, default=None
        Share of the rows that no tree sees, kept to promise limits by; None is 0.25 if
        `select` asks for a confidence, else none.
    random_state : int, default=0
        Of the folds and of the rows kept.
    n_jobs : int, default=None
        Fits at once; the result does not depend on it.
    verbose : int, default=0
        Above 0: a line on stderr for each step.

    Attributes
    ----------
    curve_ : CostCurve
        All trees with their rates.
    choice_ : OperatingPoint
        The tree that answers; print it.
    tree_ : Tree
        The same, if it is a tree.
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns, if they had names.

    See Also
    --------
    cost_optimal_curve : The curve alone.

    Examples
    --------
    >>> from tanoak import CostCurveClassifier
    >>> from tanoak.datasets import load_german_credit
    >>> credit = load_german_credit()
    >>> model = CostCurveClassifier(
    ...     select={"max_fpr": 0.2}, positive="bad", beta=2, max_trees=12
    ... ).fit(credit.columns, credit.target)
    >>> model.choice_.fpr <= 0.2
    True
    >>> model.select(cost={"bad": 5, "good": 1}).tpr > model.curve_.select().tpr
    True
    """

    select = _Selecting()

    def __init__(
        self,
        estimator: Any = None,
        *,
        select: Mapping[str, Any] | None = None,
        positive: Any = None,
        path: Literal["fresh", "warm"] = "fresh",
        beta: float = 1.5,
        max_trees: int = 40,
        cost_range: tuple[float, float] | None = None,
        resolution: float | None = 0.1,
        cv: Any = 5,
        tune: Any = "auto",
        labelings: bool = False,
        calibration_size: float | None = None,
        random_state: int = 0,
        n_jobs: int | None = None,
        verbose: int = 0,
        checkpoint: Any = None,
    ) -> None:
        self.estimator = estimator
        self.select = select
        self.positive = positive
        self.path = path
        self.beta = beta
        self.max_trees = max_trees
        self.cost_range = cost_range
        self.resolution = resolution
        self.cv = cv
        self.tune = tune
        self.labelings = labelings
        self.calibration_size = calibration_size
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.checkpoint = checkpoint

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Make the curve and take a tree of it.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_rows, n_features)
            Training rows.
        y : array-like of shape (n_rows,)
            Their classes.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows.

        Returns
        -------
        CostCurveClassifier
            The fitted model.
        """
        for learnt in ("curve_", "choice_", "classes_", "_columns"):
            self.__dict__.pop(learnt, None)
        wish = self._wish()
        check_params(self.get_params(deep=False), _RULES)
        learner = self._learner()
        chosen = getattr(learner, "categorical_features", "auto")
        table = read_table(X, categorical=chosen)
        codes, labels, _ = read_classes(y, table.n_rows)
        weight = read_weight(sample_weight, table.n_rows)
        rows = table if "cost" in learner.get_params(deep=False) else X
        kept = self._kept_rows(codes.astype(np.int64), wish)
        seen = np.setdiff1d(np.arange(table.n_rows), kept)
        curve = cost_optimal_curve(
            learner,
            rows if len(kept) == 0 else take_rows(rows, seen),
            labels[codes][seen],
            positive=self.positive,
            sample_weight=None if weight is None else weight[seen],
            path=self.path,
            beta=self.beta,
            max_trees=self.max_trees,
            cost_range=self.cost_range,
            resolution=self.resolution,
            cv=self.cv,
            tune=self.tune,
            labelings=self.labelings,
            random_state=self.random_state,
            n_jobs=self.n_jobs,
            verbose=self.verbose,
            checkpoint=self.checkpoint,
        )
        if len(kept):
            curve = curve.with_calibration(take_rows(rows, kept), labels[codes][kept])
        choice = curve.select(**wish)
        self.classes_, self.curve_, self.choice_ = labels, curve, choice
        self._columns = table.columns
        return self

    def choose(self, **wishes: Any) -> OperatingPoint:
        """Take another tree of the curve; `predict` then answers with it.

        ``model.select(...)`` is the same.

        Parameters
        ----------
        **wishes
            As for `CostCurve.select`.

        Returns
        -------
        OperatingPoint
            The tree with its counts, rates, intervals and the reason.
        """
        check_is_fitted(self, "curve_")
        self.choice_ = self.curve_.select(**wishes)
        return self.choice_

    @property
    def tree_(self) -> Tree:
        """The tree that answers."""
        if "choice_" not in vars(self) or not isinstance(self.choice_.model, Tree):
            msg = f"{type(self).__name__} has no tree: not fitted, or not of trees"
            raise AttributeError(msg)
        return self.choice_.model

    @property
    def n_features_in_(self) -> int:
        """Number of columns seen by `fit`."""
        if "_columns" not in vars(self):
            msg = f"{type(self).__name__} is not fitted yet"
            raise AttributeError(msg)
        return len(self._columns)

    @property
    def feature_names_in_(self) -> NDArray[np.object_]:
        """Names of the columns seen by `fit`, if they had names."""
        if "_columns" not in vars(self) or not self._columns.named:
            msg = f"{type(self).__name__} was not fitted on columns with names"
            raise AttributeError(msg)
        return np.array(self._columns.names, dtype=object)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the answer of the chosen tree for each row.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_rows, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_rows,)
            Classes.
        """
        check_is_fitted(self, "curve_")
        answers: NDArray[Any] = self.choice_.model.predict(X)
        return answers

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
        check_is_fitted(self, "curve_")
        model = self.choice_.model
        if isinstance(model, Tree):
            return model.predict_shares(X)
        shares: NDArray[np.float64] = model.predict_proba(X)
        return shares

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters of the constructor.

        Parameters
        ----------
        deep : bool, default=True
            Those of `estimator` too.

        Returns
        -------
        dict
            By name.
        """
        params: dict[str, Any] = super().get_params(deep=deep)
        return params | {"select": vars(self)["select"]}

    def _wish(self) -> dict[str, Any]:
        """Read what `select` asks for, refusing words it does not know."""
        wish = vars(self)["select"]
        if wish is None:
            return {}
        if not isinstance(wish, Mapping):
            msg = (
                "select must be None or a dict such as {'max_fpr': 0.01}, got "
                f"{shown(wish)}"
            )
            raise ParameterError(msg)
        for name in wish:
            if name not in _WISHES:
                guess = closest(str(name), _WISHES)
                hint = f"; did you mean {guess!r}?" if guess else ""
                msg = f"select knows {', '.join(_WISHES)}, not {shown(name)}{hint}"
                raise ParameterError(msg)
        return dict(wish)

    def _learner(self) -> Any:
        """Return what makes the trees."""
        if self.estimator is None:
            return TAOTreeClassifier()
        is_estimator = isinstance(self.estimator, BaseEstimator)
        if not (is_estimator and is_classifier(self.estimator)):
            msg = f"estimator must be a classifier, got {shown(self.estimator)}"
            raise ParameterError(msg)
        return self.estimator

    def _kept_rows(
        self, codes: NDArray[np.int64], wish: dict[str, Any]
    ) -> NDArray[np.int64]:
        """Choose the rows that no tree sees."""
        size = self.calibration_size
        if size is None and wish.get("confidence") is not None:
            size = _ENOUGH_TO_PROMISE
        if size is None:
            return np.array([], dtype=np.int64)
        kept = hold_out(codes, size, self.random_state + 2, by_class=True)
        return np.flatnonzero(kept)

    def __sklearn_is_fitted__(self) -> bool:
        """Tell whether there is a curve."""
        return "curve_" in vars(self)

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn what is accepted."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.classifier_tags.multi_class = False
        return tags
