"""In: a tree with two or more classes; out: the orders and labellings of its leaves."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tanoak._answers import SMOOTHING, smoothed_masses
from tanoak._arrays import FloatArray, Level
from tanoak._messages import shown
from tanoak._params import check_params
from tanoak._roc import trapezoid_area
from tanoak._rows import read_labels, sum_by_class
from tanoak._tree import Tree
from tanoak.exceptions import ParameterError, TableError

__all__ = [
    "Labeling",
    "binary_positive",
    "classes_of",
    "find_positive",
    "leaf_order",
    "local_accuracy",
    "optimal_labelings",
    "roc_points",
    "tree_auc",
]

_BINARY = 2


@dataclass(frozen=True, eq=False)
class Labeling:
    """One way to label the leaves of a tree.

    Attributes
    ----------
    threshold : float
        Leaves are positive whose local positive accuracy is at least this;
        ``relabel(tree, threshold=...)`` applies it. Infinite where none is.
    positive_leaves : ndarray of int64
        Node ids of the positive leaves, the surest one first.
    fpr, tpr : float
        False and true positive rate on the training rows.
    """

    threshold: float
    positive_leaves: NDArray[np.int64]
    fpr: float
    tpr: float


def leaf_order(
    tree: Tree,
    *,
    positive: Level | None = None,
    smoothing: str | float | None = None,
) -> NDArray[np.int64]:
    """Order the leaves by local positive accuracy, the surest one first.

    Parameters
    ----------
    tree : Tree
        A classification tree.
    positive : label, optional
        The class to find; by default the last of two.
    smoothing : None, "laplace" or float, optional
        Rows to add to each leaf first: none, one of each class, or m of the training
        mix (m-estimate). Small pure leaves then come after large ones.

    Returns
    -------
    numpy.ndarray of int64, shape (n_leaves,)
        Node ids. A leaf without rows has the accuracy 0.5, unless smoothing gives it
        one; equal ones stay in the order of the tree.

    Examples
    --------
    >>> from tanoak import GreedyTreeClassifier, leaf_order
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]], [0, 1, 0, 0]
    >>> leaf_order(GreedyTreeClassifier(max_depth=1).fit(X, y).tree_)
    array([1, 2])
    """
    accuracy = local_accuracy(tree, find_positive(tree, positive), smoothing)
    leaves = np.flatnonzero(tree.is_leaf)
    return leaves[np.argsort(-accuracy[leaves], kind="stable")]


def optimal_labelings(tree: Tree, *, positive: Level | None = None) -> list[Labeling]:
    """Return the labellings that are cheapest for some costs, as many as leaves + 1.

    Of the 2^n ways to label n leaves with two classes these are the corners of the
    convex hull in ROC space: the first i leaves of `leaf_order` are positive (Ferri,
    Flach and Hernandez-Orallo 2002, theorem 6).

    Parameters
    ----------
    tree : Tree
        A tree for two classes.
    positive : label, optional
        The class to find; by default the last one.

    Returns
    -------
    list of Labeling
        From no positive leaf to all of them. Leaves of equal accuracy change
        together; leaves without rows count as 0.5 and make no labelling of their own.

    Examples
    --------
    >>> from tanoak import GreedyTreeClassifier, optimal_labelings
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]], [0, 1, 0, 0]
    >>> tree = GreedyTreeClassifier(max_depth=1).fit(X, y).tree_
    >>> [(choice.fpr, choice.tpr) for choice in optimal_labelings(tree)]
    [(0.0, 0.0), (0.3333333333333333, 1.0), (1.0, 1.0)]
    """
    target = binary_positive(tree, positive)
    order = leaf_order(tree, positive=positive)
    accuracy = local_accuracy(tree, target)[order]
    points = _points(tree.masses[order], target)
    ends = _group_ends(accuracy)
    thresholds = np.concatenate(([np.inf], accuracy))[ends]
    labelings: list[Labeling] = []
    for end, threshold in zip(ends.tolist(), thresholds.tolist(), strict=True):
        fpr, tpr = points[end].tolist()
        if labelings and (labelings[-1].fpr, labelings[-1].tpr) == (fpr, tpr):
            continue
        labelings.append(Labeling(threshold, order[:end], fpr, tpr))
    return labelings


def roc_points(
    tree: Tree,
    X: Any = None,
    y: Any = None,
    *,
    sample_weight: Any = None,
    positive: Level | None = None,
    smoothing: str | float | None = None,
) -> FloatArray:
    """Return the ROC points of the labellings of a tree, from (0, 0) to (1, 1).

    Parameters
    ----------
    tree : Tree
        A classification tree; it alone decides the order of the leaves.
    X, y : array-likes of shapes (n, d) and (n,), optional
        Rows to count; the training rows by default.
    sample_weight : array-like of shape (n,), optional
        Weights of these rows.
    positive : label, optional
        The class to find; by default the last of two.
    smoothing : None, "laplace" or float, optional
        As for `leaf_order`, whose order it is.

    Returns
    -------
    numpy.ndarray of shape (n_points, 2)
        False and true positive rates. Convex on the training rows; on others, or with
        smoothing, they rise, but need not be convex.

    Examples
    --------
    >>> from tanoak import GreedyTreeClassifier, roc_points
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]], [0, 1, 0, 0]
    >>> roc_points(GreedyTreeClassifier(max_depth=1).fit(X, y).tree_).round(2)
    array([[0.  , 0.  ],
           [0.33, 1.  ],
           [1.  , 1.  ]])
    """
    target = find_positive(tree, positive)
    masses = _leaf_masses(tree, X, y, sample_weight)
    order = leaf_order(tree, positive=positive, smoothing=smoothing)
    ends = _group_ends(local_accuracy(tree, target, smoothing)[order])
    return _points(masses[order], target)[ends]


def tree_auc(
    tree: Tree,
    X: Any = None,
    y: Any = None,
    *,
    sample_weight: Any = None,
    positive: Level | None = None,
) -> float:
    """Area under the ROC curve of a tree's labellings.

    Two classes, or one against the rest where `positive` is given: definition 7 of
    Ferri, Flach and Hernandez-Orallo (2002), leaves of equal accuracy taken together.
    More: the mean M over all pairs of Hand and Till (2001).

    Parameters
    ----------
    tree : Tree
        A classification tree; it alone decides the order of the leaves.
    X, y : array-likes of shapes (n, d) and (n,), optional
        Rows to count; the training rows by default.
    sample_weight : array-like of shape (n,), optional
        Weights of these rows.
    positive : label, optional
        The class to find.

    Returns
    -------
    float
        1 if the leaves separate the classes, 0.5 if they tell nothing.

    Examples
    --------
    >>> from tanoak import GreedyTreeClassifier, tree_auc
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]], [0, 1, 0, 0]
    >>> round(tree_auc(GreedyTreeClassifier(max_depth=1).fit(X, y).tree_), 3)
    0.833
    """
    classes = classes_of(tree)
    if positive is not None or len(classes) == _BINARY:
        points = roc_points(tree, X, y, sample_weight=sample_weight, positive=positive)
        return trapezoid_area(points)
    masses = _leaf_masses(tree, X, y, sample_weight)
    areas = [
        _pair_area(tree, masses, one, other) + _pair_area(tree, masses, other, one)
        for one, other in combinations(range(len(classes)), 2)
    ]
    return float(np.mean(areas) / 2)


def find_positive(tree: Tree, positive: Level | None) -> int:
    """Return the position of the positive class; of two it is the last by default."""
    classes = classes_of(tree)
    if positive is None and len(classes) == _BINARY:
        return 1
    if positive is None or positive not in classes:
        msg = f"positive is {shown(positive)}: give one of the classes {shown(classes)}"
        raise ParameterError(msg)
    return classes.index(positive)


def classes_of(tree: Tree) -> tuple[Level, ...]:
    """Return the classes, refusing a regression tree."""
    if tree.classes is None:
        msg = "a regression tree has no labels; give a classification tree"
        raise ParameterError(msg)
    return tree.classes


def binary_positive(tree: Tree, positive: Level | None) -> int:
    """Return the position of the positive one of two classes."""
    classes = classes_of(tree)
    if len(classes) != _BINARY:
        msg = (
            f"labellings are ordered for two classes, this tree has {len(classes)}; "
            "use relabel(tree, cost=...)"
        )
        raise ParameterError(msg)
    return find_positive(tree, positive)


def local_accuracy(
    tree: Tree, target: int, smoothing: str | float | None = None
) -> FloatArray:
    """Local positive accuracy of every node; 0.5 where there are no rows.

    Without smoothing also without `class_factor`, which scales all odds alike and so
    keeps the order.
    """
    check_params({"smoothing": smoothing}, SMOOTHING)
    masses = tree.masses if smoothing is None else smoothed_masses(tree, smoothing)
    total = masses.sum(axis=1)
    accuracy = np.full(tree.n_nodes, 0.5)
    np.divide(masses[:, target], total, out=accuracy, where=total > 0)
    return accuracy


def _group_ends(accuracy: FloatArray) -> NDArray[np.int64]:
    """How many leaves are positive in each labelling; equal accuracies go together."""
    changes = np.flatnonzero(np.diff(accuracy)) + 1
    return np.concatenate(([0], changes, [len(accuracy)])).astype(np.int64)


def _points(masses: FloatArray, target: int) -> FloatArray:
    """ROC points of making the first 0, 1, ..., n of some leaves positive."""
    hits = masses[:, target]
    others = np.delete(masses, target, axis=1).sum(axis=1)
    if not (hits.sum() > 0 and others.sum() > 0):
        msg = "rates need rows of the positive class and of another one; one is missing"
        raise TableError(msg)
    sums = np.cumsum(np.column_stack((others, hits)), axis=0)
    return np.vstack(([0.0, 0.0], sums / sums[-1]))


def _leaf_masses(tree: Tree, X: Any, y: Any, sample_weight: Any) -> FloatArray:
    """Weigh each class at every leaf, on the training rows if no others are given."""
    if X is None and y is None:
        return tree.masses
    if X is None or y is None:
        msg = "X and y belong together: give both, or neither for the training rows"
        raise ParameterError(msg)
    leaf = tree.apply(X)
    codes, weight = read_labels(y, classes_of(tree), len(leaf), sample_weight)
    return sum_by_class(leaf, codes, weight, (tree.n_nodes, len(classes_of(tree))))


def _pair_area(tree: Tree, masses: FloatArray, one: int, other: int) -> float:
    """Chance that a row of class `one` looks more like it than one of `other` does."""
    order = leaf_order(tree, positive=classes_of(tree)[one])
    ends = _group_ends(local_accuracy(tree, one)[order])
    points = _points(masses[order][:, [other, one]], 1)[ends]
    return trapezoid_area(points)
