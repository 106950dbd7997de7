"""In: the fitted models of a path; out: a `CostCurve` between two constant answers."""

from __future__ import annotations

import numpy as np

from tanoak._answerers import constant_like, count_answers
from tanoak._arrays import FloatArray, Level
from tanoak._path_fits import ALL_ROWS, Job, relabeled
from tanoak._path_rows import PathRows
from tanoak._path_run import Entry
from tanoak._rates import Rates, join_rates
from tanoak.costs import CostMatrix
from tanoak.curve import CostCurve

__all__ = ["curve_of", "with_labelings"]


def curve_of(rows: PathRows, entries: list[Entry]) -> CostCurve:
    """Put the entries between the two constant answers."""
    first = entries[0].whole.model
    labels = [rows.classes[rows.positive], _other(rows)]
    constants = [constant_like(first, label) for label in labels]
    counted = [_count(model, rows, "on the training rows") for model in constants]
    seen = [e.whole.rates for e in entries]
    training = join_rates([counted[0], *seen, counted[1]])
    held_out = None
    if rows.folds:
        source = entries[0].judged.source
        answers = [_count(model, rows, source) for model in constants]
        held_out = join_rates([answers[0], *(e.judged for e in entries), answers[1]])
    costs = (None, *(e.cost for e in entries), None)
    models = (constants[0], *(e.whole.model for e in entries), constants[1])
    ratios = np.array([0.0, *(e.ratio for e in entries), np.inf])
    return CostCurve(
        classes=rows.classes,
        positive=labels[0],
        models=models,
        cost_ratios=ratios,
        costs=costs,
        objectives=_objectives(training, costs),
        training=training,
        held_out=held_out,
    )


def _other(rows: PathRows) -> Level:
    """Return the class to answer where nothing is called positive: the largest one."""
    masses = rows.class_mass()
    masses[rows.positive] = -1
    return rows.classes[int(masses.argmax())]


def _count(model: object, rows: PathRows, source: str) -> Rates:
    """Count the answers of a constant; it has not seen any row."""
    return count_answers(
        [model],
        rows.X,
        rows.labels,
        wanted=rows.wanted,
        sample_weight=rows.weight,
        source=source,
    )


def _objectives(training: Rates, costs: tuple[CostMatrix | None, ...]) -> FloatArray:
    """Total cost on the training rows at each model's own costs; NaN without any."""
    total = np.full(len(costs), np.nan)
    for place, cost in enumerate(costs):
        if cost is not None:
            total[place] = (training.masses[place] * cost.values).sum()
    return total


def with_labelings(rows: PathRows, entries: list[Entry]) -> list[Entry]:
    """Add each tree as it answers at the costs of all others, where that differs."""
    found: list[Entry] = []
    for entry in entries:
        seen: set[bytes] = set()
        for other in entries:
            job = Job(other.ratio, other.cost, ALL_ROWS)
            whole = entry.whole if other is entry else relabeled(entry.whole, rows, job)
            key = np.asarray(whole.model.label[whole.model.is_leaf]).tobytes()
            if key in seen and other is not entry:
                continue
            seen.add(key)
            folds = [
                part
                if other is entry
                else relabeled(part, rows, Job(other.ratio, other.cost, fold))
                for fold, part in enumerate(entry.folds)
            ]
            found.append(Entry(other.ratio, other.cost, whole, folds))
    return sorted(found, key=lambda entry: entry.ratio)
