"""In: how often each class got each answer; out: rates, intervals and costs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tanoak._arrays import BoolArray, FloatArray, IntArray
from tanoak._bounds import interval

__all__ = ["Rates", "join_rates"]


@dataclass(frozen=True, eq=False)
class Rates:
    """Answers of several models on the same rows.

    Attributes
    ----------
    counts : ndarray of int64, shape (n_models, K, K)
        Rows of each true class (second axis) that got each answer (third axis).
    masses : ndarray of float64, shape (n_models, K, K)
        The same with sample weights; equal to `counts` without them.
    positive : int
        Position of the class that is to be found.
    source : str
        On which rows, in words.

    Examples
    --------
    >>> one = np.array([[[90, 10], [2, 8]]])
    >>> rates = Rates(one, one.astype(float), positive=1, source="given rows")
    >>> rates.fpr, rates.tpr
    (array([0.1]), array([0.8]))
    """

    counts: IntArray
    masses: FloatArray
    positive: int
    source: str

    def __len__(self) -> int:
        """Return the number of models."""
        return len(self.counts)

    @cached_property
    def _others(self) -> BoolArray:
        """Which classes are not the one to be found."""
        others: BoolArray = np.arange(self.counts.shape[1]) != self.positive
        return others

    @property
    def tp(self) -> IntArray:
        """Rows of the positive class that were found."""
        return self.counts[:, self.positive, self.positive]

    @property
    def fn(self) -> IntArray:
        """Rows of the positive class that were missed."""
        missed: IntArray = self.counts[:, self.positive].sum(axis=1) - self.tp
        return missed

    @property
    def fp(self) -> IntArray:
        """Rows of other classes that were called positive."""
        called: IntArray = self.counts[:, self._others, self.positive].sum(axis=1)
        return called

    @property
    def tn(self) -> IntArray:
        """Rows of other classes that were not called positive."""
        left: IntArray = self.counts[:, self._others].sum(axis=(1, 2)) - self.fp
        return left

    @cached_property
    def fpr(self) -> FloatArray:
        """Weighted share of the other classes that is called positive."""
        called = self.masses[:, self._others, self.positive].sum(axis=1)
        return _share(called, self.masses[:, self._others].sum(axis=(1, 2)))

    @cached_property
    def tpr(self) -> FloatArray:
        """Weighted share of the positive class that is found."""
        mine = self.masses[:, self.positive]
        return _share(mine[:, self.positive], mine.sum(axis=1))

    @property
    def points(self) -> FloatArray:
        """False and true positive rates, shape (n_models, 2)."""
        return np.column_stack((self.fpr, self.tpr))

    @property
    def n_negative(self) -> int:
        """Rows that are not of the positive class."""
        return int(self.fp[0] + self.tn[0])

    @property
    def n_positive(self) -> int:
        """Rows of the positive class."""
        return int(self.tp[0] + self.fn[0])

    def shares(self, prevalence: float | None = None) -> FloatArray:
        """Share of each class, shape (K,); the positive one as `prevalence` says."""
        by_class: FloatArray = self.masses[0].sum(axis=1)
        if prevalence is None:
            shares: FloatArray = by_class / by_class.sum()
            return shares
        rest = np.where(self._others, by_class, 0.0)
        shares = (1 - prevalence) * _share(rest, rest.sum())
        shares[self.positive] = prevalence
        return shares

    def alert_rate(self, prevalence: float | None = None) -> FloatArray:
        """Share of all rows that is called positive."""
        share = self.shares(prevalence)[self.positive]
        rate: FloatArray = share * self.tpr + (1 - share) * self.fpr
        return rate

    def expected_cost(
        self, cost: FloatArray, prevalence: float | None = None
    ) -> FloatArray:
        """Mean cost of a row under a K x K matrix, rows true, columns answers."""
        by_class = self.masses.sum(axis=2, keepdims=True)
        answered = _share(self.masses, by_class)
        paid = (answered * cost).sum(axis=2)
        mean: FloatArray = (paid * self.shares(prevalence)).sum(axis=1)
        return mean

    def fpr_interval(self, model: int, confidence: float = 0.95) -> tuple[float, float]:
        """Exact binomial interval of the false positive rate, from counts."""
        return interval(float(self.fp[model]), self.n_negative, confidence)

    def tpr_interval(self, model: int, confidence: float = 0.95) -> tuple[float, float]:
        """Exact binomial interval of the true positive rate, from counts."""
        return interval(float(self.tp[model]), self.n_positive, confidence)

    def take(self, models: IntArray) -> Rates:
        """Return some of the models."""
        return Rates(
            self.counts[models], self.masses[models], self.positive, self.source
        )


def join_rates(parts: list[Rates]) -> Rates:
    """Return the models of several measurements on the same rows as one."""
    return Rates(
        np.concatenate([part.counts for part in parts]),
        np.concatenate([part.masses for part in parts]),
        parts[0].positive,
        parts[0].source,
    )


def _share(part: FloatArray, whole: FloatArray | float) -> FloatArray:
    """Divide; a share of nothing is 0."""
    whole = np.broadcast_to(np.asarray(whole, dtype=np.float64), part.shape)
    share = np.zeros(part.shape)
    np.divide(part, whole, out=share, where=whole > 0)
    return share
