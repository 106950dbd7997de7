"""In: counts of all classifiers of a family; out: those that are optimal, both ways."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tanoak._arrays import FloatArray, IntArray
from tanoak._params import Number, check_params
from tanoak._roc import hull_positions
from tanoak.exceptions import NotFeasibleError

__all__ = ["ExactCurve"]


@dataclass(frozen=True, eq=False)
class ExactCurve:
    """The optimal classifiers of a family: no other one errs less in both ways.

    The constraint form asks for the fewest misses with at most so many false alarms;
    every classifier here answers it for some limit. The penalty form asks for the least
    ``misses + ratio * false alarms``; it is answered by the corners of the convex hull
    alone (`penalty_form`), which may be fewer.

    Attributes
    ----------
    fp : ndarray of int64, shape (n_models,)
        False alarms, rising.
    fn : ndarray of int64, shape (n_models,)
        Misses, falling.
    n_negative, n_positive : int
        Rows of both classes.
    models : tuple
        What errs so: trees.
    """

    fp: IntArray
    fn: IntArray
    n_negative: int
    n_positive: int
    models: tuple[Any, ...]

    def __len__(self) -> int:
        """Return the number of optimal classifiers."""
        return len(self.fp)

    @property
    def points(self) -> FloatArray:
        """False and true positive rates, shape (n_models, 2)."""
        return np.column_stack(
            (self.fp / self.n_negative, 1 - self.fn / self.n_positive)
        )

    def within(self, max_fp: float) -> int:
        """Return the classifier with fewest misses among those within a limit.

        Parameters
        ----------
        max_fp : float
            Most false alarms, as a count.

        Returns
        -------
        int
            Its position.
        """
        check_params({"max_fp": max_fp}, {"max_fp": Number(0)})
        allowed = np.flatnonzero(self.fp <= max_fp)
        if len(allowed) == 0:
            msg = f"max_fp={max_fp:g} is out of reach: the least is {self.fp[0]}"
            raise NotFeasibleError(msg)
        return int(allowed[-1])

    def cheapest(self, ratio: float) -> int:
        """Return the classifier of least ``misses + ratio * false alarms``.

        Parameters
        ----------
        ratio : float
            Cost of a false alarm over that of a miss.

        Returns
        -------
        int
            Its position; of equals the one with fewest false alarms.
        """
        check_params({"ratio": ratio}, {"ratio": Number(0)})
        return int((self.fn + ratio * self.fp).argmin())

    def constraint_form(self) -> dict[str, list[Any]]:
        """Return the answers for every limit on false alarms, as columns of a table.

        Returns
        -------
        dict of str to list
            From ``max_fp`` on up to the next row's: ``fp``, ``fn``, ``model``.
        """
        return {
            "max_fp": self.fp.tolist(),
            "fp": self.fp.tolist(),
            "fn": self.fn.tolist(),
            "model": list(range(len(self))),
        }

    def penalty_form(self) -> dict[str, list[Any]]:
        """Return the answers for every ratio of costs, as columns of a table.

        Returns
        -------
        dict of str to list
            From ``ratio`` on up to the next row's: ``fp``, ``fn``, ``model``, and the
            least cost, which is the straight line ``fn + fp * ratio`` there. It rises
            all the way, continuously, but for a last piece without false alarms.
        """
        # Counts, not rates: whether three of them lie on a line is exact then.
        found = np.column_stack((self.fp, self.n_positive - self.fn)).astype(float)
        corners = hull_positions(found)[::-1]
        fp, fn = self.fp[corners], self.fn[corners]
        breaks = np.diff(fn) / -np.diff(fp)
        return {
            "ratio": [0.0, *breaks.tolist()],
            "fp": fp.tolist(),
            "fn": fn.tolist(),
            "model": corners.tolist(),
        }

    def cost(self, ratio: float) -> float:
        """Return the least ``misses + ratio * false alarms``.

        Parameters
        ----------
        ratio : float
            Cost of a false alarm over that of a miss.

        Returns
        -------
        float
            Continuous and piecewise linear in `ratio`.
        """
        best = self.cheapest(ratio)
        return float(self.fn[best] + ratio * self.fp[best])
