"""In: rows, a learner and costs; out: fitted models for a path of costs."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tanoak._checkpoint import Checkpoint
from tanoak._params import Integer, Number, OneOf, Rules, check_params
from tanoak._path_costs import gaps, matrix_of
from tanoak._path_fits import ALL_ROWS, Job, Learner, Part, add_rates, fit_parts
from tanoak._path_rows import PathRows
from tanoak._rates import Rates
from tanoak.costs import CostMatrix
from tanoak.exceptions import ParameterError

__all__ = ["Entry", "PathSettings", "Run", "make_path"]

_WIDEST = 1000.0  # times the base cost, both ways
_RULES: Rules = {
    "path": OneOf("fresh", "warm"),
    "beta": Number(1, above=True),
    "max_trees": Integer(1),
    "resolution": (None, Number(0, 1, above=True)),
    "verbose": Integer(0),
}


@dataclass(frozen=True, kw_only=True)
class PathSettings:
    """How a path is made; see `cost_optimal_curve` for each."""

    path: str = "fresh"
    beta: float = 1.5
    max_trees: int = 40
    cost_range: tuple[float, float] | None = None
    resolution: float | None = 0.1
    n_jobs: int | None = None
    verbose: int = 0

    def __post_init__(self) -> None:
        """Refuse settings that make no path."""
        check_params(vars(self), _RULES)


@dataclass(eq=False)
class Entry:
    """The models of one ratio of costs: on all rows, and without each fold."""

    ratio: float
    cost: CostMatrix
    whole: Part
    folds: list[Part]

    @property
    def held_out(self) -> Rates | None:
        """Answers of the models that had not seen the row."""
        return add_rates([part.rates for part in self.folds]) if self.folds else None

    @property
    def judged(self) -> Rates:
        """The rates that count: out of fold, if there are folds."""
        return self.held_out or self.whole.rates


@dataclass(eq=False)
class Run:
    """One path in the making."""

    rows: PathRows
    learner: Learner
    settings: PathSettings
    folder: Checkpoint | None
    n_done: int = 0

    def fit(self, wave: list[tuple[float, CostMatrix, Entry | None]]) -> list[Entry]:
        """Fit the models of several costs at once, afresh or from neighbours."""
        parts = [ALL_ROWS, *range(len(self.rows.folds))]
        jobs = [
            Job(ratio, cost, fold, self._start(neighbour, fold))
            for ratio, cost, neighbour in wave
            for fold in parts
        ]
        done = fit_parts(
            self.rows,
            self.learner,
            jobs,
            n_jobs=self.settings.n_jobs,
            checkpoint=self.folder,
        )
        entries = []
        for place, (ratio, cost, _) in enumerate(wave):
            whole, *folds = done[place * len(parts) : (place + 1) * len(parts)]
            entries.append(Entry(ratio, cost, whole, folds))
        self._report(entries)
        return entries

    def _start(self, neighbour: Entry | None, fold: int) -> Any:
        """Return the neighbour's model of the same part, on a warm path."""
        if self.settings.path == "fresh" or neighbour is None:
            return None
        part = neighbour.whole if fold == ALL_ROWS else neighbour.folds[fold]
        return part.model

    def _report(self, entries: list[Entry]) -> None:
        """Say how far the path is."""
        self.n_done += len(entries)
        if not self.settings.verbose:
            return
        for entry in entries:
            rates = entry.judged
            sys.stderr.write(
                f"tanoak: {self.n_done} of at most {self.settings.max_trees} trees, "
                f"cost ratio {entry.ratio:.4g}, fpr {rates.fpr[0]:.4f}, "
                f"tpr {rates.tpr[0]:.4f} {rates.source}\n"
            )


def make_path(run: Run, base_ratio: float, base: Any) -> list[Entry]:
    """Go up and down from the base cost, then fill the gaps."""
    settings, rows = run.settings, run.rows
    low, high = settings.cost_range or (base_ratio / _WIDEST, base_ratio * _WIDEST)
    if not 0 < low <= high:
        msg = f"cost_range must be (least, largest) above 0, got {(low, high)!r}"
        raise ParameterError(msg)

    def fit(wanted: Iterable[tuple[float, Entry | None]]) -> list[Entry]:
        return run.fit(
            [
                (ratio, matrix_of(ratio, rows.classes, rows.positive, base), near)
                for ratio, near in wanted
            ]
        )

    start = min(max(base_ratio, low), high)
    entries = fit([(start, None)])
    ends: list[tuple[Entry, float]] = [
        (entries[0], settings.beta),
        (entries[0], 1 / settings.beta),
    ]
    while True:
        ends = [
            (last, step)
            for last, step in ends
            if low <= last.ratio * step <= high and not _is_end(last, step)
        ][: settings.max_trees - len(entries)]
        if not ends:
            break
        found = fit([(last.ratio * step, last) for last, step in ends])
        entries += found
        ends = [(entry, step) for entry, (_, step) in zip(found, ends, strict=True)]
    return _fill_gaps(entries, fit, settings)


def _is_end(entry: Entry, step: float) -> bool:
    """Tell whether there is nothing left to trade beyond a cost."""
    measured = [entry.whole.rates, entry.judged]
    if step > 1:
        return all(int(rates.fp[0]) == 0 for rates in measured)
    return all(int(rates.fn[0]) == 0 for rates in measured)


def _fill_gaps(
    entries: list[Entry],
    fit: Callable[[Iterable[tuple[float, Entry | None]]], list[Entry]],
    settings: PathSettings,
) -> list[Entry]:
    """Halve steps between neighbours that are too wide, as far as trees allow."""
    entries.sort(key=lambda entry: entry.ratio)
    while settings.resolution is not None and len(entries) > 1:
        points = np.vstack([entry.judged.points for entry in entries])
        wanted = gaps([e.ratio for e in entries], points, settings.resolution)
        wanted = wanted[: max(0, settings.max_trees - len(entries))]
        if not wanted:
            break
        entries += fit([(ratio, _nearest(entries, ratio)) for ratio in wanted])
        entries.sort(key=lambda entry: entry.ratio)
    return entries


def _nearest(entries: list[Entry], ratio: float) -> Entry:
    """Return the entry of the closest costs."""
    return min(entries, key=lambda entry: abs(math.log(entry.ratio / ratio)))
