"""In: data in scikit-learn's manner; out: fitted estimators around a `Tree`."""

from __future__ import annotations

from tanoak.estimators._greedy import GreedyTreeClassifier, GreedyTreeRegressor

__all__ = ["GreedyTreeClassifier", "GreedyTreeRegressor"]
