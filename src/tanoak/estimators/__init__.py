"""In: data in scikit-learn's manner; out: fitted estimators around a `Tree`."""

from __future__ import annotations

from tanoak.estimators._cost_curve import CostCurveClassifier
from tanoak.estimators._greedy_classifier import GreedyTreeClassifier
from tanoak.estimators._greedy_regressor import GreedyTreeRegressor
from tanoak.estimators._locks import LockCost
from tanoak.estimators._tao_classifier import TAOTreeClassifier
from tanoak.estimators._tao_cv_classifier import TAOTreeClassifierCV
from tanoak.estimators._tao_cv_regressor import TAOTreeRegressorCV
from tanoak.estimators._tao_regressor import TAOTreeRegressor

__all__ = [
    "CostCurveClassifier",
    "GreedyTreeClassifier",
    "GreedyTreeRegressor",
    "LockCost",
    "TAOTreeClassifier",
    "TAOTreeClassifierCV",
    "TAOTreeRegressor",
    "TAOTreeRegressorCV",
]
