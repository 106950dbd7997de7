"""In: growth parameters; out: their rules and settings, for both greedy estimators."""

from __future__ import annotations

from tanoak._grow import GrowSettings
from tanoak._monotone import read_monotone
from tanoak._params import Integer, Number, OneOf, Rules
from tanoak._table import Table
from tanoak.estimators._base import N_JOBS
from tanoak.estimators._progress import progress_for, say_pairs
from tanoak.estimators._pruning import PrunedTree

__all__ = ["GROWTH_RULES", "GreedyTree"]

GROWTH_RULES: Rules = {
    "split": OneOf("axis", "pair", "oblique"),
    "n_orientations": Integer(1, 10_000),
    "pair_cost": Number(1),
    "max_pairs": Integer(1),
    "n_restarts": Integer(1, 10_000),
    "n_jumps": Integer(0, 10_000),
    "max_depth": (None, Integer(1)),
    "max_leaf_nodes": (None, Integer(2)),
    "min_samples_split": Integer(2),
    "min_samples_leaf": Integer(1),
    "min_weight_fraction_leaf": Number(0, 0.5),
    "min_impurity_decrease": Number(0),
    "max_memory": Integer(1),
    **N_JOBS,
    "verbose": Integer(0),
}


class GreedyTree(PrunedTree):
    """Growth parameters of both estimators."""

    def settings_for(self, table: Table) -> GrowSettings:
        """Collect what growth needs to know."""
        return GrowSettings(
            criterion=self.criterion,
            cost_mode=getattr(self, "cost_mode", "altered_priors"),
            split_smoothing=getattr(self, "split_smoothing", None),
            split=self.split,
            n_orientations=self.n_orientations,
            pair_cost=self.pair_cost,
            max_pairs=self.max_pairs,
            n_restarts=self.n_restarts,
            n_jumps=self.n_jumps,
            seed=self.random_state,
            max_depth=self.max_depth,
            max_leaf_nodes=self.max_leaf_nodes,
            min_samples_split=self.min_samples_split,
            min_samples_leaf=self.min_samples_leaf,
            min_weight_fraction_leaf=self.min_weight_fraction_leaf,
            min_impurity_decrease=self.min_impurity_decrease,
            monotone=read_monotone(self.monotone, table.columns, self.split),
            max_memory=self.max_memory,
            n_threads=self._n_threads(),
            on_progress=progress_for(self.verbose, table.n_rows),
            on_pairs=self._note_pairs,
        )

    def _note_pairs(self, n_pairs: int, n_searched: int) -> None:
        """Keep, and say on request, how many pairs of features were tried."""
        self.n_pairs_, self.n_pairs_searched_ = n_pairs, n_searched
        if self.verbose:
            say_pairs(n_pairs, n_searched)
