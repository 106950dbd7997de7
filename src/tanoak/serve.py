"""In: a `.tanoak` file, then rows; out: predictions, with NumPy and nothing else.

For places where scikit-learn and the compiled core are not wanted: web services, small
containers, other people's machines. Predictions are those of the tree, to the bit.
"""

from __future__ import annotations

import os
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from tanoak._answers import label_array, shares
from tanoak._arrays import FloatArray, Level
from tanoak._columns import Columns
from tanoak._files import read_bounded
from tanoak._format import Document, read_document
from tanoak._routing import Router
from tanoak._serve_input import read_rows
from tanoak.exceptions import ParameterError

__all__ = ["Model", "load", "loads"]


class Model:
    """A tree to predict with; made by `load` or `loads`.

    Attributes
    ----------
    columns : tuple of str
        Names of the columns; "x0", "x1", ... if the training data had none.
    classes : tuple or None
        The classes, None for regression.
    """

    def __init__(self, document: Document) -> None:
        self.columns: tuple[str, ...] = document.names
        self.classes: tuple[Level, ...] | None = document.classes
        self._document = document
        self._read_as = Columns(document.names, document.levels, document.named)

    def apply(self, X: Any) -> npt.NDArray[np.int64]:
        """Return the leaf that each row ends in.

        Parameters
        ----------
        X : array of shape (n_rows, n_columns), dict or list of dict
            Rows as a 2-D array or lists (of any objects where there are categories),
            a dict of columns, or one dict for each row. None and NaN are missing.

        Returns
        -------
        numpy.ndarray of int64, shape (n_rows,)
            Node ids.
        """
        values = read_rows(X, self._read_as)
        return self._router.apply(values).astype(np.int64)

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the answer for each row: a class, or the mean for regression.

        Parameters
        ----------
        X
            As for `apply`.

        Returns
        -------
        numpy.ndarray of shape (n_rows,)
            Labels in the dtype of the classes, or float64.
        """
        return self._answers[self.apply(X)]

    def predict_proba(self, X: Any) -> FloatArray:
        """Return the share of each class in the leaf of each row.

        Parameters
        ----------
        X
            As for `apply`.

        Returns
        -------
        numpy.ndarray of float64, shape (n_rows, n_classes)
            What `Tree.predict_shares` gives; columns in the order of `classes`.
        """
        if self.classes is None:
            msg = "a regression tree has no classes to have shares of; use predict"
            raise ParameterError(msg)
        return self._shares[self.apply(X)]

    def __repr__(self) -> str:
        """Return one line."""
        what = "regression" if self.classes is None else f"{len(self.classes)} classes"
        n_nodes = self._document.n_nodes
        return f"<Model: {what}, {len(self.columns)} columns, {n_nodes} nodes>"

    @cached_property
    def _router(self) -> Router:
        """What walks rows down."""
        return Router(self._document)

    @cached_property
    def _answers(self) -> npt.NDArray[Any]:
        """Answer of every node."""
        if self.classes is None:
            return np.asarray(self._document.mean)
        return label_array(self.classes)[self._document.label]

    @cached_property
    def _shares(self) -> FloatArray:
        """Shares of the classes at every node."""
        return shares(self._document)


def load(path: str | os.PathLike[str]) -> Model:
    """Read a model from a file that `Tree.save` wrote; it may come from anyone.

    Parameters
    ----------
    path : str or path-like
        The `.tanoak` file.

    Returns
    -------
    Model
        Ready to predict.

    Raises
    ------
    TreeFormatError
        If the file is damaged, hostile, too large, or of a newer tanoak.
    """
    return loads(read_bounded(path))


def loads(text: str | bytes) -> Model:
    """Read a model from text that `Tree.to_json` gave; it may come from anyone.

    Parameters
    ----------
    text : str or bytes
        JSON; bytes are UTF-8.

    Returns
    -------
    Model
        Ready to predict.

    Raises
    ------
    TreeFormatError
        If the text is damaged, hostile, too large, or of a newer tanoak.

    Examples
    --------
    >>> import tanoak.serve
    >>> text = '''{"format": "tanoak-tree", "version": 1, "task": "regression",
    ... "named": true, "columns": [{"name": "age"}], "classes": null, "cost": null,
    ... "class_factor": null, "fill": [0.0], "nodes": {"left": [1, -1, -1],
    ... "right": [2, -1, -1], "threshold": [26.5, 0.0, 0.0],
    ... "missing_left": [true, false, false], "term_start": [0, 1, 1, 1],
    ... "term_column": [0], "term_level": [-1], "term_weight": [1.0],
    ... "subset_start": [0, 0, 0, 0], "subset_words": [],
    ... "counts": [[9], [4], [5]], "masses": null, "mean": [2.0, 0.5, 3.2],
    ... "sse": [7.0, 1.0, 1.0]}}'''
    >>> model = tanoak.serve.loads(text)
    >>> model.predict([{"age": 20}, {"age": 40}, {"age": None}])
    array([0.5, 3.2, 0.5])
    """
    return Model(read_document(text))
