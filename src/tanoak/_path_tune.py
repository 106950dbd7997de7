"""In: a learner and a few settings of it; out: the one that costs least held out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from itertools import product
from typing import Any

import numpy as np
from joblib import Parallel, delayed

from tanoak._answerers import count_answers, sizes_of
from tanoak._path_fits import Learner
from tanoak._path_rows import PathRows, stratified_folds
from tanoak.costs import CostMatrix
from tanoak.exceptions import ParameterError

__all__ = ["tuned"]

_FOLDS = 4  # one of them is held out


def tuned(
    learner: Learner,
    rows: PathRows,
    cost: CostMatrix,
    grid: Mapping[str, Sequence[Any]] | str | None,
    *,
    seed: int,
    n_jobs: int | None,
) -> Learner:
    """Choose parameters once, at the base cost, on a quarter of the rows held out.

    Parameters
    ----------
    learner : Learner
        What fits.
    rows : PathRows
        All rows.
    cost : CostMatrix
        Of the base.
    grid : mapping of str to sequence, "auto" or None
        Values to try for each parameter, all combinations. "auto" is
        ``estimator.curve_grid()``, if it has that.
    seed : int
        Of the rows held out.
    n_jobs : int or None
        Fits at once.

    Returns
    -------
    Learner
        With the parameters of least held-out cost; of equals the fewest leaves, then
        the later in the grid.
    """
    if isinstance(grid, str):
        if grid != "auto":
            msg = f"tune must be a dict of lists, 'auto' or None, got {grid!r}"
            raise ParameterError(msg)
        recommend = getattr(learner.estimator, "curve_grid", None)
        grid = recommend() if recommend is not None else None
    if not grid:
        return learner
    trials = [
        dict(zip(grid, values, strict=True)) for values in product(*grid.values())
    ]
    learners = [_with(learner, trial) for trial in trials]
    if len(learners) == 1:
        return learners[0]
    fold = stratified_folds(rows.codes, _FOLDS, seed + 1)[0]
    seen, judged = rows.part(fold.seen), rows.part(fold.left_out)
    models = Parallel(n_jobs=n_jobs, prefer="threads")(
        delayed(one.fit)(seen, cost) for one in learners
    )
    rates = count_answers(
        models,
        judged.X,
        judged.labels,
        wanted=rows.wanted,
        sample_weight=judged.weight,
        source="on rows held out",
    )
    paid = rates.expected_cost(cost.values)
    later = -np.arange(len(models))
    return learners[int(np.lexsort((later, sizes_of(models).n_leaves, paid))[0])]


def _with(learner: Learner, trial: dict[str, Any]) -> Learner:
    """Return the learner with other parameters."""
    estimator = deepcopy(learner.estimator).set_params(**trial)
    return Learner(estimator, learner.start_parameter)
