"""In: grids, folds and a rule; out: the tree of the settings that cost least."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tanoak._arrays import IntArray
from tanoak._choose import Splits
from tanoak._folds import hold_out
from tanoak._held_out import Rows
from tanoak._messages import shown
from tanoak._optimize import OptimizeSettings, Pass
from tanoak._params import Boolean, Integer, Number, OneOf, Rules
from tanoak._tao_choose import Chain, ChoiceTable, chosen_place, compare, refit
from tanoak._tao_problem import Problem
from tanoak.estimators._base import N_JOBS, TreeEstimator
from tanoak.estimators._splits import SPLITTERS, read_splits
from tanoak.estimators._tao import _prices, _say
from tanoak.exceptions import ParameterError

__all__ = ["TAO_CV_RULES", "TAOTreeCV"]


@dataclass(frozen=True)
class _ListOf:
    """A list of values that all obey a rule, not empty and none twice."""

    rule: Any

    def allows(self, value: object) -> bool:
        """Tell whether a value obeys the rule."""
        if isinstance(value, str | bytes) or not isinstance(value, Iterable):
            return False
        listed = list(value)
        distinct = all(one not in listed[:i] for i, one in enumerate(listed))
        return bool(listed) and distinct and all(map(self.rule.allows, listed))

    def texts(self) -> list[str]:
        """Name the allowed values."""
        each = " or ".join(self.rule.texts())
        return [f"a list of different values, each {each}"]


TAO_CV_RULES: Rules = {
    "split": OneOf("axis", "pair", "oblique", "auto"),
    "split_penalties": (None, _ListOf(Number(0))),
    "leaf_limits": (None, _ListOf(Integer(1))),
    "starts": (None, _ListOf(OneOf("axis", "pair"))),
    "pair_cost": Number(1),
    "max_depth": (None, Integer(1)),
    "max_iter": Integer(0),
    "exact": Boolean(),
    "cv": (OneOf("auto", "holdout"), *SPLITTERS),
    "rule": OneOf("best", "1se"),
    "random_state": Integer(0, 2**32 - 1),
    **N_JOBS,
    "verbose": Integer(0),
}
# What did best on rows not seen, see the page on paths.
_MANY_ROWS, _FOLDS, _HELD_OUT = 5000, 5, 0.25
_SUM_PENALTIES = (0.1, 0.3, 1.0, 3.0, 10.0)
_TERM_PENALTIES = (0.3, 1.0, 3.0, 10.0, 30.0)  # "auto" pays for each feature
_SUM_LEAVES, _SUM_DEPTH, _DEPTH_OF_MANY = (1, 4, 8, 16), 6, 12
_PENALTIES = (1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0)
_MORE_PENALTIES, _FOR_ROWS = (48.0, 64.0), 10_000
# For numbers, in shares of the squared error about the mean.
_SHARES = (3e-5, 1e-4, 2e-4, 4e-4, 1e-3, 2e-3, 4e-3, 1e-2, 2e-2, 4e-2)


class TAOTreeCV(TreeEstimator):
    """What classifiers and regressors that choose their settings share.

    Attributes
    ----------
    best_params_ : dict
        The chosen `start`, `max_leaf_nodes` (None: no limit) and `split_penalty`.
    results_ : dict of str to ndarray
        What was compared, one entry for each candidate.
    history_ : tuple of Pass
        Passes of the last optimization, on all rows.
    """

    best_params_: dict[str, Any]
    results_: ChoiceTable
    history_: tuple[Pass, ...]

    @property
    def n_iter_(self) -> int:
        """Number of passes of the last optimization."""
        return len(self.history_) - 1

    def _begin(self) -> None:
        """Forget an earlier fit and check."""
        for learnt in ("best_params_", "results_"):
            self.__dict__.pop(learnt, None)
        self._start_fit(TAO_CV_RULES)
        if self.starts is not None and self._sums:
            msg = (
                f"starts is {shown(self.starts)}, but split={self.split!r} starts from "
                "small trees on one feature: use split='axis' or 'pair', or leaf_limits"
            )
            raise ParameterError(msg)

    @property
    def _sums(self) -> bool:
        """Whether nodes weigh many features."""
        return self.split in {"oblique", "auto"}

    def _choose(self, problem: Problem) -> None:
        """Compare, choose, train on all rows, and keep what came of it."""
        chains = self._chains(problem)
        told = self._settings(problem)
        splits = self._splits(problem.rows)
        table = compare(problem, chains, told, splits, n_jobs=self._n_threads())
        place = chosen_place(table, one_se=self.rule == "1se")
        table["chosen"] = np.arange(len(table["cost"])) == place
        owner = [chain for chain in chains for _ in chain.penalties]
        penalty = float(table["split_penalty"][place])
        found = refit(problem, owner[place], penalty, told)
        self.tree_, self.history_ = found.tree, found.history
        self.results_ = table
        self.best_params_ = {
            "start": owner[place].start,
            "max_leaf_nodes": owner[place].max_leaf_nodes,
            "split_penalty": penalty,
        }

    def _settings(self, problem: Problem) -> OptimizeSettings:
        """Collect what all optimizations have in common."""
        return OptimizeSettings(
            split=self.split,
            pair_cost=self.pair_cost,
            feature_costs=_prices(self.feature_costs, problem.rows.table.columns),
            max_iter=self.max_iter,
            exact=self.exact,
            n_threads=self._n_threads(),
            on_pass=_say if self.verbose else None,
        )

    def _chains(self, problem: Problem) -> list[Chain]:
        """List what is compared."""
        penalties = self._penalties(problem)
        limits: tuple[int | None, ...] = _SUM_LEAVES if self._sums else (None,)
        if self.leaf_limits is not None:
            limits = tuple(sorted(int(one) for one in self.leaf_limits))
        starts = ("axis", "pair") if self.split == "pair" else ("axis",)
        if self.starts is not None:
            starts = tuple(self.starts)
        depth = _SUM_DEPTH if self._sums else None
        n_classes = len(problem.classes or ())
        if self._sums and n_classes > _SUM_LEAVES[-1] // 2:  # two leaves each
            depth = _DEPTH_OF_MANY
            if self.leaf_limits is None:
                limits = (*limits, 2 * n_classes)
        depth = self.max_depth or depth
        return [
            Chain(
                start=start,
                max_leaf_nodes=limit,
                max_depth=depth,
                # A single leaf is one at any price.
                penalties=penalties[-1:] if limit == 1 else penalties,
                warm=not self._sums,
                full_leaves=self._sums,
            )
            for start in starts
            for limit in limits
        ]

    def _penalties(self, problem: Problem) -> tuple[float, ...]:
        """Return the prices of splits to compare, rising."""
        if self.split_penalties is not None:
            return tuple(sorted(float(one) for one in self.split_penalties))
        if self._sums:
            return _SUM_PENALTIES if self.split == "oblique" else _TERM_PENALTIES
        if problem.classes is None:
            return tuple(share * problem.mass for share in _SHARES)
        more = _MORE_PENALTIES if len(problem.rows) > _FOR_ROWS else ()
        return _PENALTIES + more

    def _splits(self, rows: Rows) -> Splits:
        """Return the rows to train on and to hold out."""
        seed = int(self.random_state)
        cv = self.cv
        if isinstance(cv, str) and cv == "auto":
            cv = _FOLDS if int(rows.weighs.sum()) < _MANY_ROWS else "holdout"
        if not isinstance(cv, str):
            return read_splits(cv, rows, seed)
        used: IntArray = np.flatnonzero(rows.weighs)
        if len(used) < 2:  # noqa: PLR2004  # a part each
            return []
        held = hold_out(rows.target[used], _HELD_OUT, seed, by_class=rows.has_classes)
        return [(used[~held], used[held])]
