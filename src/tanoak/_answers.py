"""In: the classes and masses of a tree; out: its answers as label arrays and shares."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tanoak._arrays import FloatArray, Level, TreeArrays
from tanoak._params import Number, OneOf, Rules

__all__ = ["SMOOTHING", "label_array", "shares", "smoothed_masses"]

SMOOTHING: Rules = {"smoothing": (None, OneOf("laplace"), Number(0, above=True))}

_LONG_LABEL = 128


def label_array(classes: tuple[Level, ...]) -> npt.NDArray[Any]:
    """Return the classes as an array of the dtype their labels would have.

    Examples
    --------
    >>> label_array(("bad", "good")).dtype, label_array((0, 1)).dtype
    (dtype('<U4'), dtype('int64'))
    """
    kinds = {type(label) for label in classes}
    if kinds == {int} and all(-(2**63) <= int(label) < 2**63 for label in classes):
        return np.array(classes, dtype=np.int64)
    if kinds in ({bool}, {float}) or (kinds == {str} and _fits_fixed_width(classes)):
        return np.array(classes)
    labels = np.empty(len(classes), dtype=object)
    labels[:] = classes
    return labels


def shares(tree: TreeArrays, smoothing: str | float | None = None) -> FloatArray:
    """Return the share of every class at every node.

    Parameters
    ----------
    tree : TreeArrays
        Arrays of a classification tree.
    smoothing : None, "laplace" or float, default None
        What is added to each class: nothing, 1, or m times its share at the root.

    Returns
    -------
    numpy.ndarray of shape (n_nodes, n_classes)
        Masses times `class_factor`, smoothed, each row scaled to sum to 1. A node
        without any mass has the shares of the nearest node above that has some; if
        the root has none, all classes share alike.
    """
    weighted = smoothed_masses(tree, smoothing)
    total = weighted.sum(axis=1)
    if not total[0] > 0:
        return np.full(weighted.shape, 1 / weighted.shape[1])
    source = np.where(total > 0, np.arange(tree.n_nodes), tree.parent)
    while True:
        further = source[source]
        if np.array_equal(further, source):
            break
        source = further
    result: FloatArray = weighted[source] / total[source][:, None]
    return result


def smoothed_masses(tree: TreeArrays, smoothing: str | float | None) -> FloatArray:
    """Return masses times `class_factor`, and what smoothing adds to them."""
    factor = tree.class_factor
    masses = tree.masses if factor is None else tree.masses * factor
    if smoothing is None:
        return masses
    if smoothing == "laplace":
        return masses + 1.0
    total = masses[0].sum()
    prior = masses[0] / total if total > 0 else np.full(masses.shape[1], 0.0)
    smoothed: FloatArray = masses + float(smoothing) * prior
    return smoothed


def _fits_fixed_width(classes: tuple[Any, ...]) -> bool:
    """Whether NumPy text holds them: it cuts final NULs, and pads to the longest."""
    return not any(c.endswith("\0") or len(c) > _LONG_LABEL for c in classes)
