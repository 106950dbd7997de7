"""In: a fitted `tree_`; out: what all tree estimators answer with it."""

from __future__ import annotations

from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from tanoak._params import Integer, Rules, check_params
from tanoak._table import Columns
from tanoak._tree import Tree

__all__ = ["N_JOBS", "TreeEstimator"]

N_JOBS: Rules = {"n_jobs": (None, Integer(high=-1), Integer(1))}
# More than any machine uses; the results do not depend on it.
_MOST_THREADS = 1024


class TreeEstimator(BaseEstimator):  # type: ignore[misc]  # scikit-learn is untyped
    """What classifiers and regressors around a `Tree` share."""

    n_jobs: int | None
    tree_: Tree

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Return the leaf that each row ends in.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_rows, n_features)
            Rows; columns of a data frame are found by name.

        Returns
        -------
        ndarray of int64, shape (n_rows,)
            Node ids of `tree_`.
        """
        check_is_fitted(self)
        return self.tree_.apply(X, n_threads=self._n_threads())

    def decision_path(self, X: Any) -> sparse.csr_array:
        """Return which nodes each row passes.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_rows, n_features)
            Rows.

        Returns
        -------
        csr_array of bool, shape (n_rows, n_nodes)
            True where a row passes a node.
        """
        check_is_fitted(self)
        return self.tree_.decision_path(X, n_threads=self._n_threads())

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the answer for each row: the cheapest class, or the mean.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_rows, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_rows,)
            Class labels or numbers.
        """
        check_is_fitted(self)
        return self.tree_.predict(X, n_threads=self._n_threads())

    def get_depth(self) -> int:
        """Return the number of splits on the longest way to a leaf.

        Returns
        -------
        int
            0 for a single leaf.
        """
        check_is_fitted(self)
        return self.tree_.depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves.

        Returns
        -------
        int
            1 or more.
        """
        check_is_fitted(self)
        return self.tree_.n_leaves

    @property
    def n_features_in_(self) -> int:
        """Number of columns seen by `fit`."""
        return len(self._columns())

    @property
    def feature_names_in_(self) -> NDArray[np.object_]:
        """Names of the columns seen by `fit`, if they had names."""
        columns = self._columns()
        if not columns.named:
            msg = f"{type(self).__name__} was fitted on columns without names"
            raise AttributeError(msg)
        return np.array(columns.names, dtype=object)

    def _columns(self) -> Columns:
        """Columns of the fitted tree."""
        if "tree_" not in self.__dict__:
            msg = f"{type(self).__name__} is not fitted yet"
            raise AttributeError(msg)
        return self.tree_.columns

    def _start_fit(self, rules: Rules) -> None:
        """Forget an earlier fit, so that a failing one leaves nothing, and check."""
        learnt_names = ("tree_", "classes_", "pruning_", "history_", "converged_")
        for learnt in (*learnt_names, "n_pairs_", "n_pairs_searched_", "lock_cost_"):
            self.__dict__.pop(learnt, None)
        check_params(self.get_params(deep=False), rules)

    def _n_threads(self) -> int:
        """Threads by scikit-learn's rules: None is 1 or the surrounding context's."""
        check_params({"n_jobs": self.n_jobs}, N_JOBS)
        return min(int(effective_n_jobs(self.n_jobs)), _MOST_THREADS)

    def __sklearn_is_fitted__(self) -> bool:
        """Tell whether there is a tree to answer with."""
        return "tree_" in vars(self)

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn what is accepted."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags
