"""In: an attribute name; out: the public object, imported when first asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # what type checkers and editors see; keep in step with _HOMES
    from tanoak._labels import leaf_order, optimal_labelings, roc_points, tree_auc
    from tanoak._phase import PhaseDiagram, phase_diagram
    from tanoak._prune import PruningPath, pruning_path
    from tanoak._prune_on import prune_on
    from tanoak._regularization import RegularizationPath, regularization_path
    from tanoak._relabel import relabel
    from tanoak._tao_state import NodeLock
    from tanoak._tree import Tree
    from tanoak.costs import CostMatrix
    from tanoak.curve import CostCurve
    from tanoak.estimators import (
        CostCurveClassifier,
        GreedyTreeClassifier,
        GreedyTreeRegressor,
        LockCost,
        TAOTreeClassifier,
        TAOTreeClassifierCV,
        TAOTreeRegressor,
        TAOTreeRegressorCV,
    )
    from tanoak.exceptions import (
        CostError,
        NotFeasibleError,
        ParameterError,
        TableError,
        TanoakError,
        TreeFormatError,
    )
    from tanoak.metrics import cost_loss, make_cost_scorer
    from tanoak.path import cost_optimal_curve

__all__ = [
    "CostCurve",
    "CostCurveClassifier",
    "CostError",
    "CostMatrix",
    "GreedyTreeClassifier",
    "GreedyTreeRegressor",
    "LockCost",
    "NodeLock",
    "NotFeasibleError",
    "ParameterError",
    "PhaseDiagram",
    "PruningPath",
    "RegularizationPath",
    "TAOTreeClassifier",
    "TAOTreeClassifierCV",
    "TAOTreeRegressor",
    "TAOTreeRegressorCV",
    "TableError",
    "TanoakError",
    "Tree",
    "TreeFormatError",
    "__version__",
    "cost_loss",
    "cost_optimal_curve",
    "leaf_order",
    "make_cost_scorer",
    "optimal_labelings",
    "phase_diagram",
    "prune_on",
    "pruning_path",
    "regularization_path",
    "relabel",
    "roc_points",
    "tree_auc",
]

__version__ = "0.1.0.dev0"

# Public name -> module that defines it. Modules load on first use, so that
# `import tanoak` costs next to nothing.
_HOMES = {
    "CostCurve": "tanoak.curve",
    "CostCurveClassifier": "tanoak.estimators",
    "CostError": "tanoak.exceptions",
    "CostMatrix": "tanoak.costs",
    "GreedyTreeClassifier": "tanoak.estimators",
    "GreedyTreeRegressor": "tanoak.estimators",
    "LockCost": "tanoak.estimators",
    "NodeLock": "tanoak._tao_state",
    "NotFeasibleError": "tanoak.exceptions",
    "ParameterError": "tanoak.exceptions",
    "PhaseDiagram": "tanoak._phase",
    "PruningPath": "tanoak._prune",
    "RegularizationPath": "tanoak._regularization",
    "TAOTreeClassifier": "tanoak.estimators",
    "TAOTreeClassifierCV": "tanoak.estimators",
    "TAOTreeRegressor": "tanoak.estimators",
    "TAOTreeRegressorCV": "tanoak.estimators",
    "TableError": "tanoak.exceptions",
    "TanoakError": "tanoak.exceptions",
    "Tree": "tanoak._tree",
    "TreeFormatError": "tanoak.exceptions",
    "cost_loss": "tanoak.metrics",
    "cost_optimal_curve": "tanoak.path",
    "leaf_order": "tanoak._labels",
    "make_cost_scorer": "tanoak.metrics",
    "optimal_labelings": "tanoak._labels",
    "relabel": "tanoak._relabel",
    "roc_points": "tanoak._labels",
    "tree_auc": "tanoak._labels",
    "phase_diagram": "tanoak._phase",
    "prune_on": "tanoak._prune_on",
    "pruning_path": "tanoak._prune",
    "regularization_path": "tanoak._regularization",
}


def __getattr__(name: str) -> object:
    """Import the home of a public name and hand the name out."""
    if name not in _HOMES:
        msg = f"module 'tanoak' has no attribute {name!r}"
        raise AttributeError(msg)
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted({*globals(), *__all__})
