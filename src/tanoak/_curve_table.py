"""In: a curve, its rates and sizes; out: the columns of a table, and text of it."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import numpy as np

from tanoak._arrays import FloatArray, IntArray
from tanoak._choice import Sizes
from tanoak._messages import shown
from tanoak._rates import Rates
from tanoak.exceptions import ParameterError

if TYPE_CHECKING:
    from tanoak.curve import CostCurve

__all__ = ["curve_columns", "front_text", "to_frame"]

_MOST_LINES = 16


def curve_columns(curve: CostCurve, rates: Rates, sizes: Sizes) -> dict[str, list[Any]]:
    """Return columns by name, one entry for each tree."""
    models = range(len(rates))
    fpr = np.array([rates.fpr_interval(model) for model in models])
    tpr = np.array([rates.tpr_interval(model) for model in models])
    on_front = np.zeros(len(rates), dtype=np.bool_)
    on_front[curve.front()] = True
    columns: dict[str, Any] = {
        "cost_ratio": curve.cost_ratios,
        "fpr": rates.fpr,
        "fpr_low": fpr[:, 0],
        "fpr_high": fpr[:, 1],
        "tpr": rates.tpr,
        "tpr_low": tpr[:, 0],
        "tpr_high": tpr[:, 1],
        "tp": rates.tp,
        "fp": rates.fp,
        "tn": rates.tn,
        "fn": rates.fn,
        "n_leaves": sizes.n_leaves,
        "n_features": sizes.n_features,
        "objective": curve.objectives,
        "expected_cost": _own_cost(curve, rates),
        "on_front": on_front,
    }
    return {name: column.tolist() for name, column in columns.items()}


def _own_cost(curve: CostCurve, rates: Rates) -> FloatArray:
    """Mean cost of a row at the costs each tree was made for; NaN without."""
    costs = np.full(len(rates), np.nan)
    for model, matrix in enumerate(curve.costs):
        if matrix is not None:
            here = rates.take(np.array([model]))
            costs[model] = here.expected_cost(matrix.values)[0]
    return costs


def front_text(curve: CostCurve, rates: Rates, sizes: Sizes, front: IntArray) -> str:
    """Write the front as a table, at most 16 trees of it."""
    name = shown(curve.positive)
    step = np.linspace(0, len(front) - 1, min(len(front), _MOST_LINES))
    rows = [("tree", "cost ratio", "found", "false alarms", "tpr", "fpr", "leaves")]
    for model in front[np.rint(step).astype(np.intp)].tolist():
        leaves = int(sizes.n_leaves[model])
        rows.append(
            (
                str(model),
                f"{curve.cost_ratios[model]:.3g}",
                f"{rates.tp[model]:,}",
                f"{rates.fp[model]:,}",
                f"{rates.tpr[model]:.1%}",
                f"{rates.fpr[model]:.2%}",
                str(leaves) if leaves > 0 else "-",
            )
        )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    ]
    head = (
        f"Cost-optimal curve for {name}: {len(curve)} trees, {len(front)} on the front"
        f"; {rates.n_positive:,} {name} rows and {rates.n_negative:,} others, measured "
        f"{rates.source}"
    )
    return "\n".join([head, *lines])


def to_frame(columns: dict[str, list[Any]]) -> Any:
    """Return a data frame of the first library that is installed."""
    for library in ("pandas", "polars"):
        try:
            return importlib.import_module(library).DataFrame(columns)
        except ImportError:
            continue
    msg = "to_frame needs pandas or polars, neither is installed; use to_dict"
    raise ParameterError(msg)
