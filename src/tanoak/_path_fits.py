"""In: rows, a learner and costs; out: fitted models with the answers they give."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from joblib import Parallel, delayed

from tanoak._answerers import count_answers
from tanoak._checkpoint import Checkpoint
from tanoak._path_costs import row_stakes
from tanoak._path_rows import PathRows
from tanoak._rates import Rates
from tanoak._relabel import relabel
from tanoak._tree import Tree
from tanoak.costs import CostMatrix
from tanoak.exceptions import ParameterError

__all__ = ["ALL_ROWS", "Job", "Learner", "Part", "fit_parts", "takes_costs"]

ALL_ROWS = -1  # the part that leaves no fold out


@dataclass(frozen=True, eq=False)
class Part:
    """One fitted model, and its answers on the rows that count for it.

    Attributes
    ----------
    model : Tree or fitted classifier
        Made from all rows but those of one fold, or from all.
    rates : Rates
        A single entry: on the fold that was left out, or on the training rows.
    """

    model: Any
    rates: Rates


@dataclass(frozen=True, eq=False)
class Learner:
    """What fits a model; `start` is the model to start from, if there is one."""

    estimator: Any
    start_parameter: str | None = None

    def fit(self, rows: PathRows, cost: CostMatrix, start: Any = None) -> Any:
        """Return the tree, or the fitted classifier where there is none."""
        estimator = deepcopy(self.estimator)
        weight = rows.weight
        if takes_costs(estimator):
            estimator.set_params(cost=cost)
        else:
            stakes = row_stakes(cost)[rows.codes]
            weight = stakes if weight is None else weight * stakes
        if start is not None and self.start_parameter is not None:
            estimator.set_params(**{self.start_parameter: start})
        if weight is None:
            estimator.fit(rows.X, rows.labels)
        else:
            estimator.fit(rows.X, rows.labels, sample_weight=weight)
        tree = getattr(estimator, "tree_", None)
        return tree if isinstance(tree, Tree) else estimator


@dataclass(frozen=True, eq=False)
class Job:
    """One fit: on all rows but a fold's, at some costs, from some start."""

    ratio: float
    cost: CostMatrix
    fold: int
    start: Any = None


def takes_costs(estimator: Any) -> bool:
    """Tell whether an estimator has a `cost` parameter of its own."""
    return "cost" in estimator.get_params(deep=False)


def fit_parts(
    rows: PathRows,
    learner: Learner,
    jobs: list[Job],
    *,
    n_jobs: int | None,
    checkpoint: Checkpoint | None,
) -> list[Part]:
    """Do several fits, in parallel, and count the answers of each.

    Parameters
    ----------
    rows : PathRows
        All rows, and the folds.
    learner : Learner
        What fits.
    jobs : list of Job
        Independent of each other.
    n_jobs : int or None
        As for joblib; threads unless a `parallel_config` says otherwise.
    checkpoint : Checkpoint or None
        Where finished fits are kept.

    Returns
    -------
    list of Part
        One for each job, whatever the number of workers.
    """
    run: Callable[[Any], Any] = Parallel(n_jobs=n_jobs, prefer="threads")
    done: list[Part] = run(
        delayed(_fit_part)(rows, learner, job, checkpoint) for job in jobs
    )
    return done


def _fit_part(
    rows: PathRows, learner: Learner, job: Job, checkpoint: Checkpoint | None
) -> Part:
    """Do one fit, or read it from where an earlier run left it."""
    name = f"{job.ratio.hex()}-{job.fold}"
    model = None if checkpoint is None else checkpoint.read(name)
    if job.fold == ALL_ROWS:
        seen = counted = rows
        source = "on the training rows"
    else:
        fold = rows.folds[job.fold]
        seen, counted = rows.part(fold.seen), rows.part(fold.left_out)
        source = f"out of fold ({len(rows.folds)} folds)"
    if model is None:
        model = learner.fit(seen, job.cost, job.start)
        if checkpoint is not None:
            checkpoint.write(name, model)
    return Part(model, _count(model, counted, source))


def relabeled(part: Part, rows: PathRows, job: Job) -> Part:
    """Return a part whose tree answers at other costs; its splits stay."""
    if not isinstance(part.model, Tree):
        msg = "labelings=True is about trees; these models have no leaves to label"
        raise ParameterError(msg)
    tree = relabel(part.model, cost=job.cost)
    counted = rows if job.fold == ALL_ROWS else rows.part(rows.folds[job.fold].left_out)
    return Part(tree, _count(tree, counted, part.rates.source))


def _count(model: Any, rows: PathRows, source: str) -> Rates:
    """Count the answers of one model."""
    return count_answers(
        [model],
        rows.X,
        rows.labels,
        wanted=rows.wanted,
        sample_weight=rows.weight,
        source=source,
    )


def add_rates(parts: list[Rates]) -> Rates:
    """Add the answers on several sets of rows up."""
    counts = np.sum([part.counts for part in parts], axis=0)
    masses = np.sum([part.masses for part in parts], axis=0)
    return replace(parts[0], counts=counts, masses=masses)
