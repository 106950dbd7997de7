"""In: how many of how many; out: exact binomial bounds, and the rows a bound needs."""

from __future__ import annotations

import math

from scipy.special import betaincinv

__all__ = ["interval", "rows_needed", "upper_bound"]


def upper_bound(hits: int, rows: int, confidence: float) -> float:
    """Bound a rate from above (Clopper and Pearson), whatever the rate is.

    Parameters
    ----------
    hits, rows : int
        So many of so many rows.
    confidence : float
        Probability, over samples, that the bound holds.

    Returns
    -------
    float
        The largest rate that makes so few hits as improbable as `confidence` allows.

    Examples
    --------
    >>> round(upper_bound(0, 299, 0.95), 6)
    0.009969
    """
    if hits >= rows:
        return 1.0
    return float(betaincinv(hits + 1, rows - hits, confidence))


def interval(hits: float, rows: float, confidence: float = 0.95) -> tuple[float, float]:
    """Bound a rate from both sides; of no rows anything can be said.

    Examples
    --------
    >>> low, high = interval(5, 10)
    >>> round(low, 3), round(high, 3)
    (0.187, 0.813)
    """
    if rows <= 0:
        return 0.0, 1.0
    tail = (1 - confidence) / 2
    low = 0.0 if hits <= 0 else float(betaincinv(hits, rows - hits + 1, tail))
    high = 1.0 if hits >= rows else float(betaincinv(hits + 1, rows - hits, 1 - tail))
    return low, high


def rows_needed(limit: float, confidence: float) -> int:
    """Fewest rows that can show a rate to be within a limit: those without any hit.

    Examples
    --------
    >>> rows_needed(0.01, 0.95), rows_needed(0.001, 0.95)
    (299, 2995)
    """
    rows = max(1, math.ceil(math.log1p(-confidence) / math.log1p(-limit)))
    while rows > 1 and upper_bound(0, rows - 1, confidence) <= limit:
        rows -= 1
    while upper_bound(0, rows, confidence) > limit:
        rows += 1
    return rows
