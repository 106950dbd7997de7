"""In: a curve and what is wished of it; out: the rows and costs to judge it by."""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from tanoak._arrays import FloatArray, IntArray
from tanoak._choice import Wishes
from tanoak._params import Number, check_params
from tanoak._rates import Rates
from tanoak.costs import CostMatrix
from tanoak.exceptions import ParameterError

if TYPE_CHECKING:
    from tanoak.curve import CostCurve

__all__ = ["cost_values", "rates_for", "safest_first"]


def rates_for(curve: CostCurve, wishes: Wishes, data: tuple[Any, Any] | None) -> Rates:
    """Find the rows to judge by, refusing those the trees were made from."""
    if data is not None:
        if len(data) != 2:  # noqa: PLR2004 X and y
            msg = "data must be a tuple (X, y) of rows and their classes"
            raise ParameterError(msg)
        return curve.measure(*data)
    if wishes.confidence is not None:
        if curve.calibration is None:
            msg = (
                "a guarantee needs rows that no tree has seen: give data=(X, y), or "
                "fit with calibration_size=0.25"
            )
            raise ParameterError(msg)
        return curve.calibration
    if curve.held_out is None:
        msg = (
            "this curve was measured on its training rows only, which flatter it: "
            "give data=(X, y), or make the curve with cv=5"
        )
        raise ParameterError(msg)
    return curve.held_out


def safest_first(curve: CostCurve) -> IntArray:
    """Order the trees by their false positive rate, without looking at new rows."""
    fpr, tpr = curve.rates.fpr, curve.rates.tpr
    return np.lexsort((-curve.cost_ratios, tpr, fpr)).astype(np.int64)


def cost_values(curve: CostCurve, cost: object) -> FloatArray | None:
    """Read costs; a number is the cost of a false alarm over that of a miss."""
    if cost is None:
        return None
    if isinstance(cost, Real) and not isinstance(cost, bool):
        check_params({"cost": cost}, {"cost": Number(0)})
        others = np.arange(len(curve.classes)) != curve.classes.index(curve.positive)
        values = 1.0 - np.eye(len(curve.classes))
        values[others] *= float(cost)
        return values
    masses = curve.training.masses[0].sum(axis=1)
    return CostMatrix.from_any(cost, curve.classes, masses).values
