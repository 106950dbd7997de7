"""In: parameters of an optimized tree; out: its start, settings, what `fit` keeps."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from tanoak._grow import GrowSettings
from tanoak._messages import shown
from tanoak._optimize import Optimized, OptimizeSettings, Pass, Stopped
from tanoak._params import Boolean, InstanceOf, Integer, Number, OneOf, Rules
from tanoak._table import Columns, Level, Table, read_like, read_table
from tanoak._tao_state import Drawn, draw_start
from tanoak._tree import Tree
from tanoak.estimators._base import N_JOBS, TreeEstimator
from tanoak.estimators._locks import LockCost, Run, read_locks, weigh_locks
from tanoak.exceptions import ParameterError

__all__ = ["TAO_RULES", "TAOTree"]

TAO_RULES: Rules = {
    "split": OneOf("axis", "pair", "oblique", "auto"),
    "split_penalty": Number(0),
    "pair_cost": Number(1),
    "init": (
        OneOf("greedy", "pair", "random"),
        InstanceOf(Tree, "a Tree"),
        InstanceOf(TreeEstimator, "a fitted tree estimator"),
    ),
    "n_init": Integer(1),
    "max_depth": (None, Integer(1)),
    "max_leaf_nodes": (None, Integer(2)),
    "max_iter": Integer(0),
    "tol": Number(0),
    "exact": Boolean(),
    "refine": (None, OneOf("threshold", "coordinates")),
    **N_JOBS,
    "verbose": Integer(0),
    "warm_start": Boolean(),
}
# Starts of sums: these did best on rows not seen, with at least 5 rows of weight 1 in
# each leaf, or a share of all where there are few. Many classes need two leaves each.
_RANDOM_DEPTH = 4
_SUM_DEPTH, _SUM_LEAVES, _SUM_ROWS, _SMALLEST_SHARE = 6, 8, 5.0, 0.02
_LEAVES_PER_CLASS, _DEPTH_OF_MANY = 2, 12
# What may differ between a fit that was interrupted and the one that goes on.
_OF_NO_CONSEQUENCE = {"n_jobs", "verbose", "warm_start", "max_iter", "init"}


class TAOTree(TreeEstimator):
    """What optimized classifiers and regressors share.

    Attributes
    ----------
    history_ : tuple of Pass
        Loss, price, number of splits and features, and time of the start and of each
        pass; loss + price never rises.
    n_iter_ : int
        Number of passes.
    converged_ : bool
        Whether the last pass changed nothing (or less than `tol`).
    lock_cost_ : LockCost
        What `locks` cost; only with locks.
    """

    lock_cost_: LockCost
    history_: tuple[Pass, ...]
    _stopped: tuple[int, Optimized] | None = None

    @property
    def n_iter_(self) -> int:
        """Number of passes."""
        return len(self.history_) - 1

    def _begin(self) -> Tree | None:
        """Check, forget an earlier fit, and return the tree to start from, if any."""
        earlier: Tree | None = vars(self).get("tree_")
        self._start_fit(TAO_RULES)
        if self.warm_start and earlier is not None:
            return earlier
        if isinstance(self.init, str):
            return None
        if isinstance(self.init, Tree):
            return self.init
        if "tree_" not in vars(self.init):
            msg = f"init is {shown(self.init)}, which is not fitted: fit it first"
            raise ParameterError(msg)
        fitted: Tree = self.init.tree_
        return fitted

    def _read_table(self, X: Any, start: Tree | None) -> Table:
        """Read the training rows, as the start read its own if there is one."""
        if start is None:
            return read_table(X, categorical=self.categorical_features)
        return read_like(X, start.columns)

    def _growth(
        self, criterion: str, n_rows: int, weight: Any, n_classes: int = 1
    ) -> GrowSettings:
        """Say how the start is grown: small where splits weigh many features."""
        depth, leaves, smallest = self.max_depth, self.max_leaf_nodes, 0.0
        if self.split in {"oblique", "auto"}:
            wanted = max(_SUM_LEAVES, _LEAVES_PER_CLASS * n_classes)
            depth = depth or (_SUM_DEPTH if wanted == _SUM_LEAVES else _DEPTH_OF_MANY)
            leaves = leaves or wanted
            mass = n_rows if weight is None else weight.sum()
            smallest = min(_SUM_ROWS / mass, _SMALLEST_SHARE)
        return GrowSettings(
            criterion=criterion,
            split="pair" if self.init == "pair" else "axis",
            max_depth=depth,
            max_leaf_nodes=leaves,
            min_weight_fraction_leaf=smallest,
            n_threads=self._n_threads(),
        )

    def _settings(self, columns: Columns, start: Tree | None) -> OptimizeSettings:
        """Collect what the optimization needs to know."""
        return OptimizeSettings(
            split=self.split,
            split_penalty=self.split_penalty,
            pair_cost=self.pair_cost,
            feature_costs=_prices(self.feature_costs, columns),
            max_iter=self.max_iter,
            tol=self.tol,
            refine=self.refine,
            exact=self.exact,
            locks=read_locks(self.locks, start, columns),
            n_threads=self._n_threads(),
            on_pass=_say if self.verbose else None,
        )

    def _draw(
        self,
        init: Tree | None,
        table: Table,
        classes: tuple[Level, ...] | None,
        weight: Any,
    ) -> list[Drawn]:
        """Draw random starts, if they are wanted."""
        if init is not None or self.init != "random":
            return []
        random = check_random_state(self.random_state)
        seeds = random.randint(2**31 - 1, size=self.n_init)
        shape = {
            "depth": self.max_depth or _RANDOM_DEPTH,
            "n_terms": {"axis": 1, "pair": 2}.get(self.split, 0),
        }
        return [
            draw_start(table, classes, weight, seed=int(seed), **shape)
            for seed in seeds
        ]

    def _optimize(
        self,
        run: Run,
        starts: Sequence[Tree | Optimized | Drawn],
        settings: OptimizeSettings,
        data: tuple[Any, ...],
    ) -> None:
        """Optimize and keep what came of it, even if Ctrl-C ends it early."""
        stopped, self._stopped = self._stopped, None
        goes_on = self.warm_start and stopped and stopped[0] == self._fingerprint(data)
        begin = starts[0]
        try:
            if stopped and goes_on:
                starts = [stopped[1]]
            found = [run(start, settings) for start in starts]
            best = min(found, key=lambda each: each.history[-1].objective)
            self._keep(best)
        except Stopped as interrupt:
            self._keep(interrupt.partial)
            self._stopped = self._fingerprint(data), interrupt.partial
            raise KeyboardInterrupt from None
        if settings.locks:
            try:
                self.lock_cost_ = weigh_locks(run, begin, best, settings)
            except Stopped:  # the tree is there, what its locks cost is not
                raise KeyboardInterrupt from None

    def _keep(self, found: Optimized) -> None:
        """Keep the fitted attributes."""
        self.tree_, self.history_ = found.tree, found.history
        self.converged_ = found.converged

    def _fingerprint(self, data: tuple[Any, ...]) -> int:
        """Tell data and parameters from others, to go on where a fit was stopped."""
        told = {
            name: value
            for name, value in self.get_params(deep=False).items()
            if name not in _OF_NO_CONSEQUENCE
        }
        mark = zlib.crc32(repr(told).encode())
        for array in data:
            parts = (array,) if isinstance(array, np.ndarray | None) else _parts(array)
            for part in parts:
                if part is not None:
                    mark = zlib.crc32(np.ascontiguousarray(part).data, mark)
        return mark


def _parts(compressed: Any) -> tuple[NDArray[Any], ...]:
    """Return the arrays of a sparse table."""
    return compressed.data, compressed.indices, compressed.indptr


def _say(step: Pass) -> None:
    """Write a line about a pass."""
    sys.stderr.write(
        f"tanoak: loss {step.loss:.6g}, price {step.price:.6g}, {step.n_splits} splits "
        f"on {step.n_nonzeros} features, {step.seconds:.1f} s\n"
    )


def _prices(feature_costs: Any, columns: Columns) -> NDArray[np.float64] | None:
    """Read prices of columns: {name: price}, or one price for each."""
    if feature_costs is None:
        return None
    if isinstance(feature_costs, Mapping):
        prices = np.zeros(len(columns))
        for name, price in feature_costs.items():
            prices[_position(name, columns)] = _price(price)
        return prices
    try:
        listed = list(feature_costs)
    except TypeError:
        listed = []
    if len(listed) != len(columns):
        msg = (
            f"feature_costs is {shown(feature_costs)}: give one price for each of the "
            f"{len(columns)} columns, or a dict {{column: price}}"
        )
        raise ParameterError(msg)
    return np.array([_price(price) for price in listed], dtype=np.float64)


def _position(name: Level, columns: Columns) -> int:
    """Find a column by name, or by position where columns have no names."""
    known = columns.names if columns.named else range(len(columns))
    if name not in known:
        msg = f"feature_costs names the column {shown(name)}, which X does not have"
        raise ParameterError(msg)
    return list(known).index(name)


def _price(price: Any) -> float:
    """Check one price."""
    if not Number(0).allows(price):
        msg = f"feature_costs holds {shown(price)}: prices are numbers >= 0"
        raise ParameterError(msg)
    return float(price)
