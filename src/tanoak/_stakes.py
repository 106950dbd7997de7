"""In: costs, weights and how they enter growth; out: what rows weigh for the core."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tanoak.costs import Costs
from tanoak.exceptions import ParameterError

__all__ = ["CLASS_CRITERIA", "COST_MODES", "Stakes", "check_modes", "read_stakes"]

FloatArray = NDArray[np.float64]

CLASS_CRITERIA = (
    "gini",
    "entropy",
    "misclassification",
    "gain_ratio",
    "dkm",
    "expected_error",
    "auc",
    "cost",
)
COST_MODES = ("altered_priors", "generalized_gini", "weights", "labels")
_SMOOTHED = ("auc", "expected_error")


@dataclass(frozen=True, kw_only=True)
class Stakes:
    """What growth is told about classes and rows.

    Attributes
    ----------
    criterion : str
        As the core calls it.
    class_mass : ndarray of shape (K,)
        What a row of each class weighs.
    row_mass : ndarray of shape (n,) or None
        What each row weighs; None if its class decides.
    class_costs : ndarray of shape (K * K,) or None
        Costs by true class and answer, for criteria that ask.
    row_costs : ndarray of shape (n * K,) or None
        The same by row, weights included; comes before `class_costs`.
    added_mass : ndarray of shape (K,) or None
        What smoothing adds to each class on each side of a cut.
    """

    criterion: str
    class_mass: FloatArray
    row_mass: FloatArray | None = None
    class_costs: FloatArray | None = None
    row_costs: FloatArray | None = None
    added_mass: FloatArray | None = None


def check_modes(
    criterion: str,
    cost_mode: str,
    split_smoothing: str | float | None,
    *,
    by_row: bool,
) -> None:
    """Refuse parameters that do not go together.

    Examples
    --------
    >>> check_modes("entropy", "generalized_gini", None, by_row=False)
    Traceback (most recent call last):
    tanoak.exceptions.ParameterError: cost_mode='generalized_gini' changes Gini \
impurity, so it needs criterion='gini', got 'entropy'
    """
    if cost_mode == "generalized_gini" and criterion != "gini":
        msg = (
            "cost_mode='generalized_gini' changes Gini impurity, so it needs "
            f"criterion='gini', got {criterion!r}"
        )
        raise ParameterError(msg)
    if cost_mode == "generalized_gini" and by_row:
        msg = (
            "cost_mode='generalized_gini' weighs pairs of classes, and row_costs know "
            "none; use cost_mode='altered_priors' or criterion='cost'"
        )
        raise ParameterError(msg)
    if criterion == "cost" and cost_mode != "altered_priors":
        msg = (
            "criterion='cost' asks the costs themselves; leave cost_mode at its "
            f"default, got {cost_mode!r}"
        )
        raise ParameterError(msg)
    if split_smoothing is not None and criterion not in _SMOOTHED:
        msg = (
            f"split_smoothing is for criterion='auc' or 'expected_error', got "
            f"{criterion!r}; smoothing= smooths what the leaves answer"
        )
        raise ParameterError(msg)


def read_stakes(
    codes: NDArray[np.int32],
    costs: Costs | None,
    modes: tuple[str, str, str | float | None],
    *,
    n_classes: int,
    weight: FloatArray | None,
) -> Stakes:
    """Say what rows weigh while a tree grows.

    Parameters
    ----------
    codes : array of int32, shape (n,)
        Classes of the rows that take part.
    costs : Costs or None
        About the same rows. None: 1 for each mistake.
    modes : tuple
        `criterion`, `cost_mode` and `split_smoothing`, as in `GrowSettings`.
    n_classes : int
        K.
    weight : array of float64, shape (n,), or None
        Weights of the rows.

    Returns
    -------
    Stakes
        Altered priors: a row weighs what its mistakes cost in all. Otherwise costs
        are in `class_costs` or `row_costs`, or left to the labels.

    Examples
    --------
    >>> from tanoak.costs import resolve_costs
    >>> codes = np.array([0, 1, 1], dtype=np.int32)
    >>> costs = resolve_costs([[0, 5], [1, 0]], codes, ["bad", "good"])
    >>> modes = ("gini", "altered_priors", None)
    >>> read_stakes(codes, costs, modes, n_classes=2, weight=None).class_mass
    array([5., 1.])
    """
    criterion, cost_mode, split_smoothing = modes
    knows_costs = criterion == "cost" or cost_mode == "generalized_gini"
    weighs_costs = not knows_costs and cost_mode != "labels"
    class_mass = np.ones(n_classes)
    if costs is not None and weighs_costs:
        class_mass = costs.growth_factor
    elif costs is not None and costs.class_factor is not None:
        class_mass = costs.class_factor
    row_mass = _row_mass(codes, costs if weighs_costs else None, class_mass, weight)
    class_costs = row_costs = None
    if knows_costs and costs is not None and costs.row_costs is not None:
        row_costs = costs.row_costs - costs.row_costs.min(axis=1, keepdims=True)
        row_costs = (
            row_costs if weight is None else row_costs * weight[:, None]
        ).ravel()
    elif knows_costs:
        class_costs = _beyond_right(costs, n_classes).ravel()
    core_name = cost_mode if cost_mode == "generalized_gini" else criterion
    return Stakes(
        criterion=core_name,
        class_mass=np.ascontiguousarray(class_mass, dtype=np.float64),
        row_mass=row_mass,
        class_costs=class_costs,
        row_costs=row_costs,
        added_mass=_added_mass(
            "laplace"
            if split_smoothing is None and criterion == "expected_error"
            else split_smoothing,
            codes,
            class_mass,
            row_mass,
            weight,
        ),
    )


def _beyond_right(costs: Costs | None, n_classes: int) -> FloatArray:
    """Costs of answers beyond that of the right one."""
    if costs is None:
        return np.ones((n_classes, n_classes)) - np.eye(n_classes)
    values = costs.matrix.values
    beyond: FloatArray = values - values.diagonal()[:, None]
    return beyond


def _row_mass(
    codes: NDArray[np.int32],
    costs: Costs | None,
    class_mass: FloatArray,
    weight: FloatArray | None,
) -> FloatArray | None:
    """Weigh each row; None if its class says it all."""
    stakes = None if costs is None else costs.row_weight
    if stakes is None and weight is None:
        return None
    if stakes is None:
        mass = class_mass[codes]
    else:
        factor = None if costs is None else costs.class_factor
        mass = stakes if factor is None else stakes * factor[codes]
    return np.ascontiguousarray(mass if weight is None else mass * weight)


def _added_mass(
    smoothing: str | float | None,
    codes: NDArray[np.int32],
    class_mass: FloatArray,
    row_mass: FloatArray | None,
    weight: FloatArray | None,
) -> FloatArray | None:
    """Mass of one row of each class (Laplace), or of m rows of the training mix."""
    if smoothing is None:
        return None
    n_classes = len(class_mass)
    rows = np.bincount(codes, weight, n_classes).astype(np.float64)
    of_one = np.array(class_mass, dtype=np.float64)
    if row_mass is not None:
        known = rows > 0
        of_one[known] = np.bincount(codes, row_mass, n_classes)[known] / rows[known]
    if smoothing == "laplace":
        return of_one
    return np.asarray(of_one * rows / rows.sum() * float(smoothing))
