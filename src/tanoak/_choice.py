"""In: rates and sizes of candidates and what is wished for; out: the one to take."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, fields

import numpy as np

from tanoak._arrays import BoolArray, FloatArray, IntArray
from tanoak._params import Integer, Number, Rules, check_params
from tanoak._rates import Rates
from tanoak.exceptions import NotFeasibleError, ParameterError

__all__ = ["LIMITS", "Choice", "Sizes", "Wishes", "choose"]

_RATE = Number(0, 1)
LIMITS: Rules = {
    "max_fpr": (None, _RATE),
    "min_tpr": (None, _RATE),
    "max_alert_rate": (None, _RATE),
    "prevalence": (None, Number(0, 1, above=True, below=True)),
    "max_leaves": (None, Integer(1)),
    "max_features": (None, Integer(0)),
    "confidence": (None, Number(0, 1, above=True, below=True)),
}


@dataclass(frozen=True, kw_only=True, eq=False)
class Wishes:
    """What an operating point has to obey; None leaves it open.

    Attributes
    ----------
    max_fpr, min_tpr, max_alert_rate : float or None
        Limits on rates.
    cost : array of float64, shape (K, K), or None
        What mistakes cost, rows true classes; the cheapest candidate is taken.
    prevalence : float or None
        Share of the positive class where the model will be used.
    max_leaves, max_features : int or None
        Limits on the size.
    confidence : float or None
        The probability with which `max_fpr` is to hold.
    """

    max_fpr: float | None = None
    min_tpr: float | None = None
    max_alert_rate: float | None = None
    cost: FloatArray | None = None
    prevalence: float | None = None
    max_leaves: int | None = None
    max_features: int | None = None
    confidence: float | None = None

    def __post_init__(self) -> None:
        """Refuse numbers that are no rates."""
        named = {f.name: getattr(self, f.name) for f in fields(self)}
        check_params(named, LIMITS)
        if self.confidence is not None and self.max_fpr is None:
            msg = (
                "confidence is about a limit on false alarms: give max_fpr with it, "
                "or leave confidence out"
            )
            raise ParameterError(msg)


@dataclass(frozen=True, eq=False)
class Sizes:
    """How much there is to read: leaves and used columns, -1 where not known."""

    n_leaves: IntArray
    n_features: IntArray


@dataclass(frozen=True)
class Choice:
    """The candidate taken, why, and the next best one (None: there is no other)."""

    model: int
    reason: str
    runner_up: int | None


@dataclass(frozen=True, eq=False)
class _Limit:
    """One wish as a mask, with the words to refuse it."""

    name: str
    value: float
    measured: FloatArray
    is_upper: bool

    def holds(self) -> BoolArray:
        """Which candidates are within the limit."""
        within: BoolArray = (
            self.measured <= self.value
            if self.is_upper
            else self.measured >= self.value
        )
        return within

    def nearest(self, among: BoolArray) -> str:
        """Name the closest value that some of the candidates attain."""
        values = self.measured[among]
        best = float(values.min() if self.is_upper else values.max())
        return f"{self.name}={_rounded(best, up=self.is_upper)}"

    def __str__(self) -> str:
        """Return the wish as a user writes it."""
        return f"{self.name}={self.value:g}"


def choose(
    rates: Rates, sizes: Sizes, wishes: Wishes, *, allowed: BoolArray | None = None
) -> Choice:
    """Take the best candidate within all limits.

    With a cost the cheapest; else with a limit on alarms the one that finds most; else
    with a least true positive rate the one with fewest false alarms; else the one with
    the least sum of both error rates. Among equals the smallest one.

    Parameters
    ----------
    rates : Rates
        One entry for each candidate.
    sizes : Sizes
        The same candidates.
    wishes : Wishes
        Limits and costs.
    allowed : array of bool, optional
        Candidates that may be taken at all.

    Returns
    -------
    Choice
        Position among the candidates, with the reason in words.

    Raises
    ------
    NotFeasibleError
        If no candidate obeys; it names the nearest value that one does attain.
    """
    within = np.ones(len(rates), dtype=np.bool_) if allowed is None else allowed.copy()
    limits = _limits(rates, sizes, wishes)
    for limit in limits:
        within &= limit.holds()
    if not within.any():
        raise NotFeasibleError(_refusal(limits, allowed, rates.source))
    name, score = _objective(rates, wishes)
    order = np.lexsort(
        (rates.fpr, sizes.n_features, sizes.n_leaves, -rates.tpr, rates.fpr, score)
    )
    order = order[within[order]]
    best = int(order[0])
    told = " and ".join(map(str, limits)) or "no limits"
    reason = f"{name} with {told}, measured {rates.source}"
    runner_up = int(order[1]) if len(order) > 1 else None
    return Choice(best, reason, runner_up)


def _objective(rates: Rates, wishes: Wishes) -> tuple[str, FloatArray]:
    """Say what is best, as a score to make small."""
    if wishes.cost is not None:
        return "cheapest", rates.expected_cost(wishes.cost, wishes.prevalence)
    if wishes.max_fpr is not None or wishes.max_alert_rate is not None:
        return "finds most", -rates.tpr
    if wishes.min_tpr is not None:
        return "fewest false alarms", rates.fpr
    return "least sum of both error rates", 1 - rates.tpr + rates.fpr


def _limits(rates: Rates, sizes: Sizes, wishes: Wishes) -> list[_Limit]:
    """Collect the limits that were given, with what they are about."""
    about: dict[str, tuple[Callable[[], FloatArray], bool]] = {
        "max_fpr": (lambda: rates.fpr, True),
        "max_alert_rate": (lambda: rates.alert_rate(wishes.prevalence), True),
        "min_tpr": (lambda: rates.tpr, False),
        "max_leaves": (lambda: _known(sizes.n_leaves, "max_leaves"), True),
        "max_features": (lambda: _known(sizes.n_features, "max_features"), True),
    }
    return [
        _Limit(name, getattr(wishes, name), measure(), is_upper)
        for name, (measure, is_upper) in about.items()
        if getattr(wishes, name) is not None
    ]


def _known(sizes: IntArray, name: str) -> FloatArray:
    """Return sizes as numbers, refusing models that have none."""
    if (sizes < 0).any():
        msg = f"{name} is about trees; these models have no leaves to count"
        raise ParameterError(msg)
    return sizes.astype(np.float64)


def _refusal(limits: list[_Limit], allowed: BoolArray | None, source: str) -> str:
    """Say which wish cannot be met, and the nearest one that can."""
    every = np.ones(len(limits[0].measured), dtype=np.bool_)
    within = every if allowed is None else allowed
    for limit in limits:
        if not (within & limit.holds()).any():
            nearest = limit.nearest(within)
            return f"no tree reaches {limit} {source}: the nearest is {nearest}"
    hints = []
    for free in limits:
        rest = within.copy()
        for other in limits:
            if other is not free:
                rest &= other.holds()
        if rest.any():
            hints.append(free.nearest(rest))
    told = " and ".join(map(str, limits))
    hint = f"; with the others as they are, {' or '.join(hints)} can" if hints else ""
    return f"no tree has {told} together {source}{hint}"


def _rounded(value: float, *, up: bool) -> str:
    """Write a number with four digits, rounded so that a limit of it can be met."""
    if value == 0:
        return "0"
    exponent = math.floor(math.log10(abs(value))) - 3
    steps = value / 10.0**exponent
    whole = math.ceil(steps - 1e-9) if up else math.floor(steps + 1e-9)
    text = f"{whole * 10.0**exponent:.{max(0, -exponent)}f}"
    is_met = float(text) >= value if up else float(text) <= value
    return (
        (text.rstrip("0").rstrip(".") if "." in text else text)
        if is_met
        else repr(value)
    )
