"""In: rates of trees and ranges of costs; out: which tree wins where, and regrets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tanoak._arrays import FloatArray, IntArray
from tanoak._rates import Rates
from tanoak.exceptions import ParameterError

__all__ = ["CostUncertainty", "weigh_ranges"]


@dataclass(frozen=True, eq=False)
class CostUncertainty:
    """Which trees are the cheapest somewhere in a range of costs.

    All that counts is the odds of the two mistakes: what the false alarms of all other
    rows cost together over what the misses of all positive rows cost together,
    ``cost_fp * (1 - prevalence) / (cost_fn * prevalence)``.

    Attributes
    ----------
    odds : tuple of float
        Least and largest odds the ranges allow.
    winners : ndarray of int64
        Positions in the curve of the trees that win somewhere, by rising odds.
    break_even : ndarray of float64, shape (n_winners - 1,)
        Odds at which each winner costs the same as the next.
    regret : ndarray of float64, shape (n_models,)
        For every tree of the curve: the most it costs beyond the winner, anywhere in
        the range, in costs of a row: as a share of the worst constant answer's cost
        there.
    safest : int
        The tree of least regret.
    """

    odds: tuple[float, float]
    winners: IntArray
    break_even: FloatArray
    regret: FloatArray
    safest: int

    def __str__(self) -> str:
        """Return a line for each winner, and the tree of least regret."""
        ends = [self.odds[0], *self.break_even.tolist(), self.odds[1]]
        lines = [
            f"odds {low:.4g} to {high:.4g}: tree {model} is the cheapest"
            for low, high, model in zip(
                ends[:-1], ends[1:], self.winners.tolist(), strict=True
            )
        ]
        lines.append(
            f"tree {self.safest} has the least regret: at most "
            f"{self.regret[self.safest]:.2%} of the dearest answer beyond the winner"
        )
        return "\n".join(lines)

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the winners as the columns of a table.

        Returns
        -------
        dict of str to list
            ``tree``, ``from_odds``, ``to_odds`` and ``regret``.
        """
        ends = np.concatenate(([self.odds[0]], self.break_even, [self.odds[1]]))
        return {
            "tree": self.winners.tolist(),
            "from_odds": ends[:-1].tolist(),
            "to_odds": ends[1:].tolist(),
            "regret": self.regret[self.winners].tolist(),
        }


def weigh_ranges(
    rates: Rates,
    cost_fp: tuple[float, float],
    cost_fn: tuple[float, float],
    prevalence: tuple[float, float] | None = None,
) -> CostUncertainty:
    """Find the winners of every odds within the ranges.

    Parameters
    ----------
    rates : Rates
        One entry for each tree.
    cost_fp, cost_fn : tuple of float
        Least and largest cost of a false alarm and of a miss, above 0.
    prevalence : tuple of float, optional
        Least and largest share of the positive class, between 0 and 1.

    Returns
    -------
    CostUncertainty
        Winners, break-even odds and regrets.

    Examples
    --------
    >>> counts = np.array([[[5, 5], [0, 10]], [[10, 0], [5, 5]], [[7, 3], [4, 6]]])
    >>> rates = Rates(counts, counts.astype(float), positive=1, source="given rows")
    >>> found = weigh_ranges(rates, (1, 4), (1, 4))
    >>> found.winners, found.break_even
    (array([0, 1]), array([1.]))
    """
    if prevalence is None:
        share = float(rates.shares()[rates.positive])
        prevalence = (share, share)
    cost_fp = _range("cost_fp", cost_fp)
    cost_fn = _range("cost_fn", cost_fn)
    prevalence = _range("prevalence", prevalence, below=1.0)
    low = cost_fp[0] * (1 - prevalence[1]) / (cost_fn[1] * prevalence[1])
    high = cost_fp[1] * (1 - prevalence[0]) / (cost_fn[0] * prevalence[0])
    winners, break_even = _envelope(rates, low, high)
    regret = _regret(rates, low, high)
    return CostUncertainty(
        (low, high), winners, break_even, regret, int(regret.argmin())
    )


def _envelope(rates: Rates, low: float, high: float) -> tuple[IntArray, FloatArray]:
    """Walk along the lowest of the lines miss rate + odds x false positive rate."""
    fpr, fnr = rates.fpr, 1 - rates.tpr
    at = _first_best(fnr + low * fpr, fpr)
    winners, ends, odds = [at], [], low
    while True:
        # The next line is flatter, and the first to cross.
        flatter = np.flatnonzero(fpr < fpr[at])
        if len(flatter) == 0:
            break
        crossing = (fnr[flatter] - fnr[at]) / (fpr[at] - fpr[flatter])
        odds = max(odds, float(crossing.min()))
        if odds >= high:
            break
        ties = flatter[crossing <= odds]
        at = int(ties[fpr[ties].argmin()])
        winners.append(at)
        ends.append(odds)
    return np.array(winners, dtype=np.int64), np.array(ends, dtype=np.float64)


def _first_best(cost: FloatArray, fpr: FloatArray) -> int:
    """Return the cheapest; of equals the one with fewest false alarms."""
    return int(np.lexsort((fpr, cost))[0])


def _regret(rates: Rates, low: float, high: float) -> FloatArray:
    """Return the most each tree costs beyond the winner, as a share of the dearest.

    A tree's line less the envelope is convex in the odds, and over the odds it is
    convex in their inverse: the largest share lies at an end, or at 1 where the
    dearest answer changes.
    """
    odds = np.array([low, high, min(max(low, 1.0), high)])
    cost = (1 - rates.tpr)[:, None] + rates.fpr[:, None] * odds
    dearest = np.maximum(1.0, odds)
    regret: FloatArray = ((cost - cost.min(axis=0)) / dearest).max(axis=1)
    return regret


def _range(
    name: str, ends: tuple[float, float], below: float = np.inf
) -> tuple[float, float]:
    """Return both ends as numbers, refusing what is no range."""
    try:
        low, high = (float(end) for end in ends)
    except (TypeError, ValueError) as error:
        msg = f"{name} must be a pair (least, largest), got {ends!r}"
        raise ParameterError(msg) from error
    if not 0 < low <= high < below:
        top = "" if below == np.inf else f" < {below:g}"
        msg = f"{name} must be a pair with 0 < least <= largest{top}, got {ends!r}"
        raise ParameterError(msg)
    return low, high
