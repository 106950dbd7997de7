"""In: false alarms of ordered candidates and a limit; out: which ones surely obey."""

from __future__ import annotations

import numpy as np

from tanoak._arrays import BoolArray, IntArray
from tanoak._bounds import rows_needed, upper_bound
from tanoak._rates import Rates
from tanoak.exceptions import NotFeasibleError

__all__ = ["certified", "require_certified"]


def certified(
    rates: Rates, order: IntArray, limit: float, confidence: float
) -> BoolArray:
    """Find candidates whose false positive rate is within a limit, all of them at once.

    Fixed-sequence testing: candidates are tested from the safest one on, each with the
    exact binomial test at the full level, up to the first that fails. The probability
    that any candidate passes whose true rate is above the limit is at most
    1 - `confidence`, however many there are and whichever of them is taken in the end.

    Parameters
    ----------
    rates : Rates
        Measured on rows that neither trained a candidate nor decided on `order`.
    order : array of int
        Candidates, the safest first.
    limit : float
        The largest false positive rate allowed.
    confidence : float
        Between 0 and 1.

    Returns
    -------
    array of bool, shape (n_models,)
        True for those that passed.
    """
    passed = np.zeros(len(rates), dtype=np.bool_)
    for model in order.tolist():
        if _bound(rates, model, confidence) > limit:
            break
        passed[model] = True
    return passed


def require_certified(
    rates: Rates, order: IntArray, limit: float, confidence: float
) -> BoolArray:
    """Return the candidates that pass, refusing where none does that ever alarms.

    Raises
    ------
    NotFeasibleError
        With the rows of other classes that are needed, or the nearest limit.
    """
    needed = rows_needed(limit, confidence) if limit > 0 else None
    if needed is None:
        msg = (
            "max_fpr=0 cannot be promised with any number of rows: give a limit above 0"
        )
        raise NotFeasibleError(msg)
    promise = f"max_fpr={limit:g} cannot be promised with {confidence:.4g} confidence"
    if rates.n_negative < needed:
        msg = (
            f"{promise} from {rates.n_negative} rows that are not positive: it takes "
            f"{needed} or more"
        )
        raise NotFeasibleError(msg)
    passed = certified(rates, order, limit, confidence)
    if not (passed & (rates.tp + rates.fp > 0)).any():
        alarming = [m for m in order.tolist() if rates.tp[m] + rates.fp[m] > 0]
        hint = ""
        if alarming:
            nearest = _bound(rates, alarming[0], confidence)
            hint = f"; the safest tree that alarms at all may reach {nearest:.4g}"
        msg = f"{promise} for any tree that alarms{hint}"
        raise NotFeasibleError(msg)
    return passed


def _bound(rates: Rates, model: int, confidence: float) -> float:
    """Bound the false positive rate of one candidate from above."""
    return upper_bound(int(rates.fp[model]), rates.n_negative, confidence)
