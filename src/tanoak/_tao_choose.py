"""In: a `Problem` and ways to optimize trees on it; out: what each costs held out.

Candidates come in chains: trees of one start at several prices of a split. Where a
chain is warm, each price starts from the tree of the price before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from tanoak._arrays import FloatArray, IntArray
from tanoak._choose import Splits
from tanoak._grow import GrowSettings
from tanoak._optimize import Optimized, OptimizeSettings
from tanoak._tao_problem import Problem
from tanoak._tree import Tree

__all__ = ["Chain", "ChoiceTable", "chosen_place", "compare", "refit"]

ChoiceTable = dict[str, NDArray[Any]]

# Mean costs closer than this share of the largest one are rounding of the same cost.
_ROUNDING = 1e-12
# Starts of weighted sums have at least this weight in each leaf, or a share of all.
_SUM_MASS, _SMALLEST_SHARE = 5.0, 0.02


@dataclass(frozen=True, kw_only=True)
class Chain:
    """A start and the prices at which it is optimized.

    Attributes
    ----------
    start : {"axis", "pair"}
        How many features the cuts of the grown tree use.
    max_leaf_nodes : int or None
        Most leaves of it.
    max_depth : int or None
        Most cuts on a way to one of them.
    penalties : tuple of float
        Rising prices of a split.
    warm : bool
        Whether each price goes on from the tree of the one before.
    pair_gain : float
        What cuts on two features of the start must gain, in units of one feature.
    full_leaves : bool
        Whether a leaf of the start keeps a few rows at least.
    """

    start: str = "axis"
    max_leaf_nodes: int | None = None
    max_depth: int | None = None
    penalties: tuple[float, ...] = (1.0,)
    warm: bool = True
    pair_gain: float = 1.1
    full_leaves: bool = False

    def growth(self, mass: float, n_threads: int) -> GrowSettings:
        """Say how the start is grown on rows of some weight."""
        smallest = min(_SUM_MASS / mass, _SMALLEST_SHARE) if self.full_leaves else 0.0
        return GrowSettings(
            criterion="",  # that of the problem
            split=self.start,
            pair_cost=self.pair_gain,
            max_depth=self.max_depth,
            max_leaf_nodes=self.max_leaf_nodes,
            min_weight_fraction_leaf=smallest,
            n_threads=n_threads,
        )

    def until(self, penalty: float) -> Chain:
        """Leave out what is not needed for one of the prices."""
        kept = [one for one in self.penalties if one <= penalty]
        return replace(self, penalties=tuple(kept if self.warm else kept[-1:]))

    def run(self, problem: Problem, settings: OptimizeSettings) -> list[Optimized]:
        """Optimize at every price."""
        start = problem.grow(self.growth(problem.mass, settings.n_threads))
        found: list[Optimized] = []
        for penalty in self.penalties:
            begin: Tree = found[-1].tree if found and self.warm else start
            priced = replace(settings, split_penalty=penalty)
            found.append(problem.optimize(begin, priced))
        return found


def compare(
    problem: Problem,
    chains: Sequence[Chain],
    settings: OptimizeSettings,
    splits: Splits,
    *,
    n_jobs: int = 1,
) -> ChoiceTable:
    """Let the trees of chains answer rows that they were not trained on.

    Parameters
    ----------
    problem : Problem
        All rows.
    chains : sequence of Chain
        What to compare.
    settings : OptimizeSettings
        But for the price.
    splits : list of pairs of arrays of int
        Rows to train on and rows held out; no row is held out twice.
    n_jobs : int
        Threads that chains and folds are shared among.

    Returns
    -------
    dict of str to ndarray
        For each candidate `start`, `max_leaf_nodes` (0: no limit), `split_penalty`;
        mean `n_leaves` of its trees; mean `cost` of a held-out row and its
        `standard_error`; `excess` over the cheapest and its `excess_error`, on the
        same rows.
    """
    tasks = [(chain, fold) for fold in splits for chain in chains]
    alone = replace(settings, n_threads=1, on_pass=None) if n_jobs > 1 else settings
    told = Parallel(n_jobs=n_jobs, prefer="threads")(
        delayed(_held_out_losses)(problem, chain, alone, fold) for chain, fold in tasks
    )
    names = [(chain, penalty) for chain in chains for penalty in chain.penalties]
    loss = np.zeros((len(names), len(problem.rows)))
    n_leaves = np.zeros((max(len(splits), 1), len(names)))
    weight = np.zeros(len(problem.rows))
    for place, (_, held) in enumerate(splits):
        of_fold = told[place * len(chains) : (place + 1) * len(chains)]
        loss[:, held] = np.concatenate([losses for losses, _ in of_fold])
        n_leaves[place] = np.concatenate([sizes for _, sizes in of_fold])
        weight[held] = problem.rows.weight[held]
    table: ChoiceTable = {
        "start": np.array([chain.start for chain, _ in names]),
        "max_leaf_nodes": np.array([chain.max_leaf_nodes or 0 for chain, _ in names]),
        "split_penalty": np.array([penalty for _, penalty in names], dtype=np.float64),
        "n_leaves": n_leaves.mean(axis=0),
    }
    return table | _means(loss, weight, table)


def chosen_place(table: ChoiceTable, *, one_se: bool) -> int:
    """Return the cheapest candidate, or the smallest that may be as cheap.

    Parameters
    ----------
    table : dict of str to ndarray
        What `compare` gives.
    one_se : bool
        Whether all within one paired standard error of the cheapest are as good.

    Returns
    -------
    int
        Of equals the one of fewest leaves, then the highest price, then the first.

    Examples
    --------
    >>> table = {"n_leaves": np.array([9, 5, 2]), "split_penalty": np.ones(3)}
    >>> table |= {"excess": np.array([0, 0, 1]), "excess_error": np.array([0, 1, 1])}
    >>> chosen_place(table, one_se=False), chosen_place(table, one_se=True)
    (1, 2)
    """
    allowed = table["excess_error"] if one_se else 0.0
    return _smallest(table["excess"] <= allowed, table)


def refit(
    problem: Problem,
    chain: Chain,
    penalty: float,
    settings: OptimizeSettings,
) -> Optimized:
    """Train on all rows what was chosen.

    Parameters
    ----------
    problem : Problem
        All rows.
    chain : Chain
        The chosen one.
    penalty : float
        The chosen price.
    settings : OptimizeSettings
        But for the price.

    Returns
    -------
    Optimized
        The tree; a warm chain's prices up to the chosen one were gone through.
    """
    return chain.until(penalty).run(problem, settings)[-1]


def _held_out_losses(
    problem: Problem,
    chain: Chain,
    settings: OptimizeSettings,
    fold: tuple[IntArray, IntArray],
) -> tuple[FloatArray, list[int]]:
    """Return what held-out rows cost with each tree of a chain, and the sizes."""
    trained_on, held = fold
    found = chain.run(problem.take(trained_on), settings)
    rows = problem.rows.take(held)
    row = np.arange(len(rows))
    trees = [one.tree for one in found]
    losses = [rows.losses(tree, row, tree.apply(rows.table)) for tree in trees]
    return np.array(losses), [tree.simplify().n_leaves for tree in trees]


def _means(loss: FloatArray, weight: FloatArray, table: ChoiceTable) -> ChoiceTable:
    """Return means with standard errors, of costs and of their excess."""
    share = weight / (weight.sum() or 1.0)
    cost, error = _mean_and_error(loss, share)
    tolerance = _ROUNDING * float(np.abs(cost).max())
    best = _smallest(cost <= cost.min() + tolerance, table)
    # Paired: on the same rows, a difference is known better than either cost.
    excess, excess_error = _mean_and_error(loss - loss[best], share)
    return {
        "cost": cost,
        "standard_error": error,
        "excess": np.where(excess <= tolerance, 0.0, excess),
        "excess_error": excess_error,
    }


def _mean_and_error(
    values: Iterable[FloatArray], share: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the weighted mean of each row of values and its standard error."""
    means = [float(share @ row) for row in values]
    errors = [
        float(np.sqrt(np.square(share * (row - mean)).sum()))
        for row, mean in zip(values, means, strict=True)
    ]
    return np.array(means), np.array(errors)


def _smallest(fits: NDArray[np.bool_], table: ChoiceTable) -> int:
    """Return the place of the smallest tree among those that fit."""
    places = np.flatnonzero(fits)
    order = np.lexsort((-table["split_penalty"][places], table["n_leaves"][places]))
    return int(places[order[0]])
