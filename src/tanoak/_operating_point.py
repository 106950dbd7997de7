"""In: one tree of a curve and its rates; out: a record that says what it does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tanoak._arrays import FloatArray, Level
from tanoak._bounds import upper_bound
from tanoak._choice import Choice, Wishes
from tanoak._messages import shown
from tanoak._rates import Rates

if TYPE_CHECKING:
    from tanoak.curve import CostCurve

__all__ = ["OperatingPoint", "read_point"]


@dataclass(frozen=True, eq=False)
class OperatingPoint:
    """One tree of a cost-optimal curve, with what it does on rows it has not seen.

    Print it: it says so in sentences, counts first.

    Attributes
    ----------
    position : int
        Its place in the curve.
    model : Tree or fitted classifier
        What answers.
    cost_ratio : float
        Cost of a false alarm over that of a miss, for which the tree was made.
    positive : label
        The class that is to be found.
    tp, fp, fn, tn : int
        Rows found, wrongly called, missed, and rightly left alone.
    fpr, tpr : float
        False and true positive rate.
    fpr_interval, tpr_interval : tuple of float
        Exact 95 % intervals of both.
    alert_rate : float
        Share of all rows that is called positive.
    expected_cost : float or None
        Mean cost of a row, if the choice was told costs.
    n_leaves, n_features : int
        Size; -1 for what is no tree.
    source : str
        Which rows were counted.
    fpr_bound : float or None
        With a confidence: what the false positive rate surely does not exceed.
    confidence : float or None
        Of `fpr_bound`.
    reason : str
        Why this one was taken.
    runner_up : int or None
        Place of the next best one.
    """

    position: int
    model: Any
    cost_ratio: float
    positive: Level
    tp: int
    fp: int
    fn: int
    tn: int
    fpr: float
    tpr: float
    fpr_interval: tuple[float, float]
    tpr_interval: tuple[float, float]
    alert_rate: float
    expected_cost: float | None
    n_leaves: int
    n_features: int
    source: str
    fpr_bound: float | None
    confidence: float | None
    reason: str
    runner_up: int | None

    def __repr__(self) -> str:
        """Return one line; ``print`` says it in sentences."""
        return (
            f"<OperatingPoint {self.position}: fpr {self.fpr:.4g}, tpr {self.tpr:.4g}"
            f", cost ratio {self.cost_ratio:.4g}>"
        )

    def __str__(self) -> str:
        """Return sentences, counts first."""
        name = shown(self.positive)
        n_positive, n_negative = self.tp + self.fn, self.fp + self.tn
        low, high = self.tpr_interval
        lines = [
            f"Tree {self.position} of the curve{self._size()}, made for false alarms "
            f"that cost {self.cost_ratio:.3g} of a miss; {self.reason}.",
            f"Finds {self.tp:,} of {n_positive:,} {name} rows "
            f"({self.tpr:.1%}; 95 % interval {low:.1%} to {high:.1%}).",
        ]
        low, high = self.fpr_interval
        lines.append(
            f"Calls {self.fp:,} of {n_negative:,} other rows {name} "
            f"({self.fpr:.2%}; 95 % interval {low:.2%} to {high:.2%})."
        )
        calls = self.tp + self.fp
        if calls:
            lines.append(f"Of 100 rows called {name}, {100 * self.tp / calls:.0f} are.")
        if self.expected_cost is not None:
            lines.append(f"A row costs {self.expected_cost:.4g} on average.")
        if self.fpr_bound is not None:
            lines.append(
                f"With {self.confidence:.4g} confidence at most {self.fpr_bound:.2%} "
                f"of other rows are called {name}."
            )
        return "\n".join(lines)

    def _size(self) -> str:
        """Say how large the tree is, if it is one."""
        if self.n_leaves < 0:
            return ""
        leaves = "leaf" if self.n_leaves == 1 else "leaves"
        columns = "column" if self.n_features == 1 else "columns"
        return f" ({self.n_leaves} {leaves}, {self.n_features} {columns})"


def read_point(
    curve: CostCurve, choice: Choice, rates: Rates, wishes: Wishes
) -> OperatingPoint:
    """Write out all there is to say of the candidate that was taken."""
    at = choice.model
    bound = None
    if wishes.confidence is not None:
        bound = upper_bound(int(rates.fp[at]), rates.n_negative, wishes.confidence)
    return OperatingPoint(
        position=at,
        model=curve.models[at],
        cost_ratio=float(curve.cost_ratios[at]),
        positive=curve.positive,
        tp=int(rates.tp[at]),
        fp=int(rates.fp[at]),
        fn=int(rates.fn[at]),
        tn=int(rates.tn[at]),
        fpr=float(rates.fpr[at]),
        tpr=float(rates.tpr[at]),
        fpr_interval=rates.fpr_interval(at),
        tpr_interval=rates.tpr_interval(at),
        alert_rate=float(rates.alert_rate(wishes.prevalence)[at]),
        expected_cost=_cost_of(rates, wishes.cost, wishes.prevalence, at),
        n_leaves=int(curve.sizes.n_leaves[at]),
        n_features=int(curve.sizes.n_features[at]),
        source=rates.source,
        fpr_bound=bound,
        confidence=wishes.confidence,
        reason=choice.reason,
        runner_up=choice.runner_up,
    )


def _cost_of(
    rates: Rates, cost: FloatArray | None, prevalence: float | None, at: int
) -> float | None:
    """Mean cost of a row for one candidate, if costs were given."""
    return None if cost is None else float(rates.expected_cost(cost, prevalence)[at])
