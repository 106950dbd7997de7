"""In: small data sets; out: cost-optimal curves that are proven optimal."""

from __future__ import annotations

from tanoak.exact._front import ExactCurve
from tanoak.exact._line import LineSolution, exact_line
from tanoak.exact._plane import PairSolution, exact_pair
from tanoak.exact._stump import exact_stump_curve

__all__ = [
    "ExactCurve",
    "LineSolution",
    "PairSolution",
    "exact_line",
    "exact_pair",
    "exact_stump_curve",
]
