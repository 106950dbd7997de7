"""In: the rows of a node and one way to cut them; out: what it gains, by definition."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace

import numpy as np

REGRESSION = ("squared_error", "absolute_error")


@dataclass(frozen=True, kw_only=True)
class Rows:
    """Some rows, what they weigh, and what criteria ask besides."""

    y: np.ndarray
    mass: np.ndarray
    n_classes: int = 0
    costs: np.ndarray | None = None  # K x K, true classes are rows
    row_costs: np.ndarray | None = None  # n x K, weights included
    added: np.ndarray | None = None  # by class, to each side

    def take(self, keep):
        """Return some of them."""
        costs = None if self.row_costs is None else self.row_costs[keep]
        return replace(self, y=self.y[keep], mass=self.mass[keep], row_costs=costs)

    def by_class(self):
        """Return the mass of each class."""
        return np.array([self.mass[self.y == k].sum() for k in range(self.n_classes)])


def weighted_median(y, mass):
    """Return the lowest number up to which half of the mass lies."""
    order = np.argsort(y, kind="stable")
    half = math.fsum(mass) / 2
    sums = np.cumsum(mass[order])
    close = 1e-12 * half
    return y[order][np.flatnonzero(sums >= half - close)[0]]


def impurity(criterion, rows):
    """Return impurity times mass."""
    total = rows.mass.sum()
    if criterion == "squared_error":
        mean = (rows.mass * rows.y).sum() / total
        return (rows.mass * (rows.y - mean) ** 2).sum()
    if criterion == "absolute_error":
        return (rows.mass * abs(rows.y - weighted_median(rows.y, rows.mass))).sum()
    if criterion == "cost" and rows.row_costs is not None:
        return rows.row_costs.sum(axis=0).min()
    of_class = rows.by_class()
    if criterion == "cost":
        return (of_class @ rows.costs).min()
    if criterion == "expected_error":
        smooth = of_class + rows.added
        return total * (smooth.sum() - smooth.max()) / smooth.sum()
    return total * impurity_of_shares(criterion, of_class / total, rows.costs)


def impurity_of_shares(criterion, shares, costs):
    """Return the impurity of a mixture of classes."""
    n = len(shares)
    if criterion == "gini":
        return 1 - sum(p * p for p in shares)
    if criterion == "generalized_gini":
        pairs = itertools.product(range(n), repeat=2)
        return sum(costs[k, j] * shares[k] * shares[j] for k, j in pairs if k != j)
    if criterion == "misclassification":
        return 1 - max(shares)
    if criterion == "dkm":
        pairs = itertools.combinations(shares, 2)
        return sum(2 * math.sqrt(p * q) for p, q in pairs)
    return -sum(p * math.log2(p) for p in shares if p > 0)  # entropy, gain_ratio


def area(left, right, one, other):
    """Return the area of two leaves, by share of class `one`, against `other`."""
    leaves = [left, right]
    shares = [leaf[one] / leaf.sum() for leaf in leaves]
    if math.isclose(*shares, rel_tol=1e-12):
        return 0.5
    if shares[0] < shares[1]:
        leaves.reverse()
    total = leaves[0] + leaves[1]
    sums = 0.0
    before = 0.0
    for leaf in leaves:  # definition 7 of Ferri, Flach and Hernandez-Orallo
        sums += leaf[other] * (2 * before + leaf[one])
        before += leaf[one]
    return sums / (2 * total[one] * total[other])


def auc(rows, left):
    """Return the area under the curve; M of Hand and Till for more classes."""
    one, two = rows.take(left).by_class(), rows.take(~left).by_class()
    present = one + two > 0
    added = np.zeros(rows.n_classes) if rows.added is None else rows.added
    one, two = (one + added)[present], (two + added)[present]
    pairs = list(itertools.permutations(range(present.sum()), 2))
    if not pairs:
        return 0.5
    return sum(area(one, two, k, j) for k, j in pairs) / len(pairs)


def gain(criterion, rows, left):
    """Return what cuts of a node are compared by; None if a side weighs nothing."""
    if rows.mass[left].sum() == 0 or rows.mass[~left].sum() == 0:
        return None
    if criterion == "auc":
        return auc(rows, left)
    parts = (rows.take(left), rows.take(~left))
    return impurity(criterion, rows) - sum(impurity(criterion, p) for p in parts)


def gain_ratio(rows, left):
    """Return information gain beside the information of the sides."""
    share = rows.mass[left].sum() / rows.mass.sum()
    sides = -share * math.log2(share) - (1 - share) * math.log2(1 - share)
    return gain("entropy", rows, left) / rows.mass.sum() / sides
