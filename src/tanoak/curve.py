"""In: trees made for many costs and their rates; out: `CostCurve`, to choose from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from tanoak._answerers import Wanted, count_answers, sizes_of
from tanoak._arrays import FloatArray, IntArray, Level
from tanoak._choice import Sizes, Wishes, choose
from tanoak._curve_file import curve_parts, curve_text
from tanoak._curve_table import curve_columns, front_text, to_frame
from tanoak._curve_wishes import cost_values, rates_for, safest_first
from tanoak._guarantee import require_certified
from tanoak._operating_point import OperatingPoint, read_point
from tanoak._params import OneOf, check_params
from tanoak._rates import Rates
from tanoak._roc import (
    front_positions,
    hull_positions,
    staircase_area,
    trapezoid_area,
)
from tanoak._tree import Tree
from tanoak._uncertainty import CostUncertainty, weigh_ranges
from tanoak.costs import CostMatrix

__all__ = ["CostCurve"]

Area = Literal["staircase", "hull", "trapezoid"]
_CORNERS = np.array([[0.0, 0.0], [1.0, 1.0]])


@dataclass(frozen=True, eq=False, kw_only=True)
class CostCurve:
    """A family of trees, one for each trade-off between false alarms and misses.

    `cost_optimal_curve` makes it. The rates that count are those on rows the trees
    have not seen: out of fold, or on rows that are given.

    Attributes
    ----------
    classes : tuple
        The classes.
    positive : label
        The class that is to be found.
    models : tuple of Tree or fitted classifier
        By rising cost of a false alarm. The first always answers `positive`, the last
        never does.
    cost_ratios : ndarray of float64, shape (n_models,)
        Cost of a false alarm over that of a miss, for which each was made; 0 and
        infinity for the two that always give one answer.
    costs : tuple of CostMatrix or None
        The costs each was made for; None for those two.
    objectives : ndarray of float64, shape (n_models,)
        What each costs on the training rows under its own costs, in total.
    training : Rates
        On the rows the trees were made from: a diagnostic, never to choose by.
    held_out : Rates or None
        Out of fold: each row is answered by trees that did not see it.
    calibration : Rates or None
        On rows that were set aside for a guarantee.

    Examples
    --------
    >>> from tanoak import GreedyTreeClassifier, cost_optimal_curve
    >>> from tanoak.datasets import load_german_credit
    >>> credit = load_german_credit()
    >>> model = GreedyTreeClassifier(max_leaf_nodes=8, min_samples_leaf=5)
    >>> curve = cost_optimal_curve(
    ...     model, credit.columns, credit.target, positive="bad", beta=3, max_trees=5
    ... )
    >>> point = curve.select(max_fpr=0.3)
    >>> point.fpr <= 0.3
    True
    """

    classes: tuple[Level, ...]
    positive: Level
    models: tuple[Any, ...]
    cost_ratios: FloatArray
    costs: tuple[CostMatrix | None, ...]
    objectives: FloatArray
    training: Rates
    held_out: Rates | None = None
    calibration: Rates | None = field(default=None)

    def __len__(self) -> int:
        """Return the number of trees."""
        return len(self.models)

    def __getitem__(self, position: int) -> Any:
        """Return one of the trees."""
        return self.models[position]

    def __iter__(self) -> Iterator[Any]:
        """Go through the trees by rising cost of a false alarm."""
        return iter(self.models)

    def __repr__(self) -> str:
        """Return one line; ``print`` shows the front as a table."""
        return (
            f"<CostCurve: {len(self)} trees, {len(self.front())} on the front, "
            f"measured {self.rates.source}>"
        )

    def __str__(self) -> str:
        """Return the front as a table with counts."""
        return front_text(self, self.rates, self.sizes, self.front())

    @cached_property
    def sizes(self) -> Sizes:
        """Leaves and used columns of each tree."""
        return sizes_of(self.models)

    @property
    def rates(self) -> Rates:
        """The rates to look at: out of fold if there are any, else on training rows."""
        return self.training if self.held_out is None else self.held_out

    @property
    def points(self) -> FloatArray:
        """False and true positive rates of `rates`, shape (n_models, 2)."""
        return self.rates.points

    def measure(self, X: Any, y: Any, *, sample_weight: Any = None) -> Rates:
        """Count the answers of all trees on some rows.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_rows, n_features)
            Rows.
        y : array-like of shape (n_rows,)
            Their classes.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows.

        Returns
        -------
        Rates
            One entry for each tree.
        """
        return count_answers(
            self.models,
            X,
            y,
            wanted=Wanted(self.classes, self.classes.index(self.positive)),
            source="on the rows given",
            sample_weight=sample_weight,
        )

    def front(self, rates: Rates | None = None) -> IntArray:
        """Return the trees that no other one beats, by rising false positive rate.

        Parameters
        ----------
        rates : Rates, optional
            Of `measure`; by default those of the curve.

        Returns
        -------
        ndarray of int64
            Positions in the curve; of trees with equal rates the first.
        """
        return front_positions((rates or self.rates).points)

    def hull(self, rates: Rates | None = None) -> IntArray:
        """Return the trees that are the cheapest for some costs.

        Parameters
        ----------
        rates : Rates, optional
            Of `measure`; by default those of the curve.

        Returns
        -------
        ndarray of int64
            Positions in the curve, by rising false positive rate.
        """
        return hull_positions((rates or self.rates).points)

    def area(self, kind: Area = "staircase", rates: Rates | None = None) -> float:
        """Return the area under the curve, of the kind that is named.

        Parameters
        ----------
        kind : {"staircase", "hull", "trapezoid"}, default="staircase"
            "staircase": under the best true positive rate attained within each false
            positive rate; every point of it is a tree. "hull": under the upper convex
            hull with the corners (0, 0) and (1, 1), what drawing lots between two trees
            attains. "trapezoid": under straight lines through the front, as areas under
            ROC curves are often reported.
        rates : Rates, optional
            Of `measure`; by default those of the curve.

        Returns
        -------
        float
            Between 0 and 1.
        """
        check_params({"kind": kind}, {"kind": OneOf("staircase", "hull", "trapezoid")})
        points = (rates or self.rates).points
        if kind == "staircase":
            return staircase_area(points)
        corners = np.vstack((points, _CORNERS))
        keep = hull_positions if kind == "hull" else front_positions
        return trapezoid_area(corners[keep(corners)])

    def select(  # noqa: PLR0913 everything a user may know about a choice
        self,
        *,
        max_fpr: float | None = None,
        min_tpr: float | None = None,
        max_alert_rate: float | None = None,
        cost: object = None,
        prevalence: float | None = None,
        max_leaves: int | None = None,
        max_features: int | None = None,
        confidence: float | None = None,
        data: tuple[Any, Any] | None = None,
    ) -> OperatingPoint:
        """Take the best tree within all limits; nothing is fitted again.

        With `cost` the cheapest one; else, with a limit on alarms, the one that finds
        most; else, with `min_tpr`, the one with fewest false alarms; with none of them
        the one with the least sum of both error rates.

        Parameters
        ----------
        max_fpr : float, optional
            Largest share of the other classes that may be called positive.
        min_tpr : float, optional
            Smallest share of the positive class that must be found.
        max_alert_rate : float, optional
            Largest share of all rows that may be called positive.
        cost : float, matrix, dict or CostMatrix, optional
            What mistakes cost; a number is the cost of a false alarm over that of a
            miss.
        prevalence : float, optional
            Share of the positive class where the tree will be used, if not that of the
            rows counted; alert rates and costs follow it.
        max_leaves, max_features : int, optional
            Largest size.
        confidence : float, optional
            Probability with which `max_fpr` is to hold for new rows, whichever tree
            is taken. Needs rows that no tree has seen: `data`, or what was set aside.
        data : tuple (X, y), optional
            Rows to count instead of those of the curve.

        Returns
        -------
        OperatingPoint
            The tree with its counts, rates, intervals and the reason.

        Raises
        ------
        NotFeasibleError
            If no tree obeys; it names the nearest value that one does attain.
        """
        wishes = Wishes(
            max_fpr=max_fpr,
            min_tpr=min_tpr,
            max_alert_rate=max_alert_rate,
            cost=cost_values(self, cost),
            prevalence=prevalence,
            max_leaves=max_leaves,
            max_features=max_features,
            confidence=confidence,
        )
        rates = rates_for(self, wishes, data)
        allowed = None
        if confidence is not None and max_fpr is not None:
            allowed = require_certified(rates, safest_first(self), max_fpr, confidence)
        choice = choose(rates, self.sizes, wishes, allowed=allowed)
        return read_point(self, choice, rates, wishes)

    def cost_uncertainty(
        self,
        *,
        cost_fp: tuple[float, float],
        cost_fn: tuple[float, float],
        prevalence: tuple[float, float] | None = None,
        data: tuple[Any, Any] | None = None,
    ) -> CostUncertainty:
        """Say which tree wins where, if costs are known as ranges only.

        Parameters
        ----------
        cost_fp, cost_fn : tuple of float
            Least and largest cost of a false alarm and of a miss.
        prevalence : tuple of float, optional
            Least and largest share of the positive class; that of the rows counted by
            default.
        data : tuple (X, y), optional
            Rows to count instead of those of the curve.

        Returns
        -------
        CostUncertainty
            The winners with their ranges, break-even ratios and the regret of each.
        """
        rates = rates_for(self, Wishes(), data)
        return weigh_ranges(rates, cost_fp, cost_fn, prevalence)

    def with_calibration(self, X: Any, y: Any) -> CostCurve:
        """Return the curve with rows to guarantee limits by; only counts are kept.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_rows, n_features)
            Rows that no tree has seen.
        y : array-like of shape (n_rows,)
            Their classes.

        Returns
        -------
        CostCurve
            The same trees.
        """
        counted = replace(self.measure(X, y), source="on the rows set aside")
        return replace(self, calibration=counted)

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the columns of a table, one row for each tree.

        Returns
        -------
        dict of str to list
            ``cost_ratio``, rates with intervals, counts, sizes, training objective and
            the mean cost of a row at the tree's own costs.
        """
        return curve_columns(self, self.rates, self.sizes)

    def to_frame(self) -> Any:
        """Return `to_dict` as a data frame, of pandas or else of polars.

        Returns
        -------
        DataFrame
            One row for each tree.
        """
        return to_frame(self.to_dict())

    def to_json(self) -> str:
        """Return a curve of trees as canonical JSON: equal curves give equal text.

        Returns
        -------
        str
            ASCII, ending in a newline.
        """
        return curve_text(self)

    @classmethod
    def from_json(cls, text: str | bytes) -> CostCurve:
        """Read a curve; the text may come from anyone.

        Parameters
        ----------
        text : str or bytes
            What `to_json` gave.

        Returns
        -------
        CostCurve
            The same trees and counts.

        Raises
        ------
        TreeFormatError
            If the text is damaged, hostile, or of a newer tanoak.
        """
        return cls(**curve_parts(text))

    def __reduce__(self) -> Any:
        """Pickle curves of trees as their text: equal curves give equal bytes."""
        if all(isinstance(model, Tree) for model in self.models):
            return CostCurve.from_json, (self.to_json(),)
        return super().__reduce__()
