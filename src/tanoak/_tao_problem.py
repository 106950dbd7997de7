"""In: rows with their targets and costs; out: trees grown on them and optimized."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tanoak._arrays import BoolArray, IntArray
from tanoak._grow import GrowSettings, grow_classes, grow_numbers
from tanoak._held_out import Rows
from tanoak._optimize import (
    Optimized,
    OptimizeSettings,
    optimize_classes,
    optimize_numbers,
)
from tanoak._table import Level
from tanoak._tree import Tree

__all__ = ["Problem"]


@dataclass(frozen=True, eq=False)
class Problem:
    """Rows to learn from, classes or numbers alike.

    Attributes
    ----------
    rows : Rows
        Features, targets, costs and weights.
    classes : tuple or None
        The K classes; None where targets are numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from tanoak._grow import GrowSettings
    >>> from tanoak._table import read_table
    >>> table = read_table(np.array([[0.0], [1.0], [2.0]]))
    >>> problem = Problem(Rows(table=table, target=np.array([0, 1, 1])), ("no", "yes"))
    >>> start = problem.grow(GrowSettings(criterion="gini"))
    >>> problem.optimize(start, OptimizeSettings(split_penalty=2)).tree.n_leaves
    1
    """

    rows: Rows
    classes: tuple[Level, ...] | None

    @property
    def mass(self) -> float:
        """Sum of the weights of the rows."""
        weight = self.rows.sample_weight
        return float(len(self.rows) if weight is None else weight.sum())

    def take(self, chosen: IntArray | BoolArray) -> Problem:
        """Keep some of the rows."""
        return replace(self, rows=self.rows.take(chosen))

    def grow(self, settings: GrowSettings) -> Tree:
        """Grow a tree, whose criterion is set to the one that suits the targets."""
        rows = self.rows
        if self.classes is None:
            return grow_numbers(
                rows.table,
                rows.target,
                replace(settings, criterion="squared_error"),
                sample_weight=rows.sample_weight,
            )
        return grow_classes(
            rows.table,
            rows.target,
            rows.costs,
            replace(settings, criterion="gini"),
            classes=self.classes,
            sample_weight=rows.sample_weight,
        )

    def optimize(self, start: Tree, settings: OptimizeSettings) -> Optimized:
        """Optimize a tree."""
        rows = self.rows
        if self.classes is None:
            return optimize_numbers(
                rows.table,
                rows.target,
                start,
                settings,
                sample_weight=rows.sample_weight,
            )
        return optimize_classes(
            rows.table,
            rows.target,
            rows.costs,
            start,
            settings,
            sample_weight=rows.sample_weight,
        )
