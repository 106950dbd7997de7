"""In: parameters of an estimator and their rules; out: nothing, or one clear sentence.

A rule is a plain value, so that the parameters of an estimator read as a table::

    RULES = {
        "criterion": OneOf("gini", "entropy"),
        "max_depth": (None, Integer(1)),
        "min_samples_leaf": (Integer(1), Number(0, 1, above=True, below=True)),
        "verbose": Boolean(),
    }
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Protocol

import numpy as np

from tanoak._messages import closest, join_or, shown
from tanoak.exceptions import ParameterError

__all__ = [
    "Boolean",
    "InstanceOf",
    "Integer",
    "Number",
    "OneOf",
    "Rule",
    "Rules",
    "check_params",
]


class Rule(Protocol):
    """What a parameter may be."""

    def allows(self, value: object) -> bool:
        """Tell whether a value obeys the rule."""

    def texts(self) -> list[str]:
        """Name the allowed values, as parts of 'a, b or c'."""


# None stands for itself: a parameter that may be left out.
Rules = Mapping[str, Rule | tuple[Rule | None, ...]]


@dataclass(frozen=True)
class Integer:
    """An integer between two ends, which are allowed; a bool is none.

    Examples
    --------
    >>> Integer(1).allows(3), Integer(1).allows(True)
    (True, False)
    """

    low: int | None = None
    high: int | None = None

    def allows(self, value: object) -> bool:
        """Tell whether a value obeys the rule."""
        if not isinstance(value, Integral) or isinstance(value, bool):
            return False
        above = self.low is None or int(value) >= self.low
        return above and (self.high is None or int(value) <= self.high)

    def texts(self) -> list[str]:
        """Name the allowed values."""
        return [_range_text("an integer", self.low, self.high)]


@dataclass(frozen=True)
class Number:
    """A finite number between two ends, each of which `above`/`below` excludes.

    Examples
    --------
    >>> Number(0, 1, above=True).texts()
    ['a number > 0 and <= 1']
    """

    low: float | None = None
    high: float | None = None
    above: bool = False
    below: bool = False

    def allows(self, value: object) -> bool:
        """Tell whether a value obeys the rule."""
        if not isinstance(value, Real) or isinstance(value, bool):
            return False
        try:
            number = float(value)
        except OverflowError:  # an integer that no double holds
            return False
        return math.isfinite(number) and self._is_in_range(number)

    def _is_in_range(self, value: float) -> bool:
        """Compare with both ends."""
        low = -math.inf if self.low is None else self.low
        high = math.inf if self.high is None else self.high
        is_above = value > low if self.above else value >= low
        return is_above and (value < high if self.below else value <= high)

    def texts(self) -> list[str]:
        """Name the allowed values."""
        signs = (">" if self.above else ">=", "<" if self.below else "<=")
        return [_range_text("a number", self.low, self.high, signs)]


@dataclass(frozen=True)
class Boolean:
    """True or False, also NumPy's.

    Examples
    --------
    >>> Boolean().allows(False), Boolean().allows(0)
    (True, False)
    """

    def allows(self, value: object) -> bool:
        """Tell whether a value obeys the rule."""
        return isinstance(value, bool | np.bool_)

    def texts(self) -> list[str]:
        """Name the allowed values."""
        return ["True", "False"]


@dataclass(frozen=True, init=False)
class OneOf:
    """One of a few options, most often words.

    Examples
    --------
    >>> OneOf("gini", "entropy").texts()
    ["'gini'", "'entropy'"]
    """

    options: tuple[object, ...]

    def __init__(self, *options: object) -> None:
        """Take the options one by one."""
        object.__setattr__(self, "options", options)

    def allows(self, value: object) -> bool:
        """Tell whether a value obeys the rule."""
        return any(
            isinstance(value, type(option))
            and isinstance(value, bool) == isinstance(option, bool)
            and value == option
            for option in self.options
        )

    def texts(self) -> list[str]:
        """Name the allowed values."""
        return [repr(option) for option in self.options]


@dataclass(frozen=True)
class InstanceOf:
    """An object of some type, which the message calls `text`.

    Examples
    --------
    >>> InstanceOf(dict, "a dict").allows({})
    True
    """

    type: type | tuple[type, ...]
    text: str

    def allows(self, value: object) -> bool:
        """Tell whether a value obeys the rule."""
        return isinstance(value, self.type)

    def texts(self) -> list[str]:
        """Name the allowed values."""
        return [self.text]


def check_params(params: Mapping[str, object], rules: Rules) -> None:
    """Refuse the first parameter that breaks its rule; one without a rule may be all.

    Parameters
    ----------
    params : mapping of str to object
        Parameters by name, as ``get_params(deep=False)`` gives them.
    rules : mapping of str to Rule or tuple of (Rule or None)
        What each may be: one of the rules of a tuple, where None allows None.

    Raises
    ------
    ParameterError
        With the name, what is allowed, and the value.

    Examples
    --------
    >>> check_params({"max_depth": -3}, {"max_depth": (None, Integer(1))})
    Traceback (most recent call last):
    tanoak.exceptions.ParameterError: max_depth must be None or an integer >= 1, got -3
    """
    for name, value in params.items():
        if name not in rules:
            continue
        rule = rules[name]
        alternatives = rule if isinstance(rule, tuple) else (rule,)
        if not any(_allows(one, value) for one in alternatives):
            raise ParameterError(_sentence(name, value, alternatives))


def _allows(rule: Rule | None, value: object) -> bool:
    """Let None stand for itself."""
    return value is None if rule is None else rule.allows(value)


def _sentence(name: str, value: object, rules: tuple[Rule | None, ...]) -> str:
    """Say what is allowed and what came, with a guess at a misspelt word."""
    allowed = [text for rule in rules for text in (rule.texts() if rule else ["None"])]
    sentence = f"{name} must be {join_or(allowed)}, got {shown(value)}"
    words = [
        option
        for rule in rules
        if isinstance(rule, OneOf)
        for option in rule.options
        if isinstance(option, str)
    ]
    guess = closest(value, words) if isinstance(value, str) else None
    return f"{sentence}; did you mean {guess!r}?" if guess else sentence


def _range_text(
    noun: str,
    low: float | None,
    high: float | None,
    signs: tuple[str, str] = (">=", "<="),
) -> str:
    """Write a noun and its range, as in 'a number > 0 and <= 1'."""
    pairs = zip(signs, (low, high), strict=True)
    ends = [f"{sign} {end}" for sign, end in pairs if end is not None]
    return f"{noun} {' and '.join(ends)}" if ends else noun
