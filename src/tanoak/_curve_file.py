"""In: a curve of trees; out: its canonical JSON, and from there its parts again."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from tanoak._arrays import FloatArray
from tanoak._json_values import labels_in, labels_out, text_in, wrong
from tanoak._rates import Rates
from tanoak._tree import Tree
from tanoak.costs import CostMatrix
from tanoak.exceptions import CostError, ParameterError, TreeFormatError

if TYPE_CHECKING:
    from tanoak.curve import CostCurve

__all__ = ["curve_parts", "curve_text"]

_FORMAT, _VERSION = "tanoak curve", 1
_MEASURED = ("training", "held_out", "calibration")


def curve_text(curve: CostCurve) -> str:
    """Write a curve as canonical JSON; equal curves give equal text.

    Parameters
    ----------
    curve : CostCurve
        Of trees.

    Returns
    -------
    str
        ASCII, ending in a newline.
    """
    if not all(isinstance(model, Tree) for model in curve.models):
        msg = "only curves of trees can be written; these models are of another kind"
        raise ParameterError(msg)
    document = {
        "format": _FORMAT,
        "version": _VERSION,
        "classes": labels_out(curve.classes),
        "positive": curve.classes.index(curve.positive),
        "cost_ratios": [_finite(ratio) for ratio in curve.cost_ratios.tolist()],
        "costs": [None if c is None else c.values.tolist() for c in curve.costs],
        "objectives": [_finite(paid) for paid in curve.objectives.tolist()],
        "trees": [tree.to_json() for tree in curve.models],
    }
    for name in _MEASURED:
        rates = getattr(curve, name)
        document[name] = None if rates is None else _rates_out(rates)
    return json.dumps(document, sort_keys=True, allow_nan=False, indent=0) + "\n"


def curve_parts(text: str | bytes) -> dict[str, Any]:
    """Read the fields of a curve from text that may come from anyone.

    Parameters
    ----------
    text : str or bytes
        What `curve_text` gave.

    Returns
    -------
    dict
        Fields of a `CostCurve`.

    Raises
    ------
    TreeFormatError
        If the text is damaged, hostile, or of a newer tanoak.
    """
    try:
        return _fields(_document(text))
    except (KeyError, IndexError, TypeError, ValueError, CostError) as error:
        if isinstance(error, TreeFormatError):
            raise
        msg = f"the curve in the file cannot be used: {error}"
        raise TreeFormatError(msg) from error


def _document(text: str | bytes) -> dict[str, Any]:
    """Parse the text and look at its first words."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        msg = f"this is no curve of tanoak: {error}"
        raise TreeFormatError(msg) from error
    if not isinstance(document, dict) or document.get("format") != _FORMAT:
        msg = "this is no curve of tanoak"
        raise TreeFormatError(msg)
    if document.get("version") != _VERSION:
        wrong("version", document.get("version"), f"{_VERSION}, written by this tanoak")
    return document


def _fields(document: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of the curve, checked against each other."""
    classes = tuple(text_in(x) for x in labels_in("classes", document["classes"]))
    position = document["positive"]
    if type(position) is not int or not 0 <= position < len(classes):
        wrong("positive", position, f"an integer from 0 to {len(classes) - 1}")
    trees = tuple(Tree.from_json(tree) for tree in document["trees"])
    n_trees = len(trees)
    for tree in trees:
        if tree.classes != classes or tree.columns != trees[0].columns:
            msg = "the trees of the curve are about other classes or columns"
            raise TreeFormatError(msg)
    costs = tuple(
        None if values is None else CostMatrix(values, classes)
        for values in document["costs"]
    )
    fields: dict[str, Any] = {
        "classes": classes,
        "positive": classes[position],
        "models": trees,
        "cost_ratios": _ratios(document["cost_ratios"]),
        "costs": costs,
        "objectives": _numbers(document["objectives"], math.nan),
    }
    if {n_trees} != {len(costs), len(fields["cost_ratios"]), len(fields["objectives"])}:
        msg = f"the curve has {n_trees} trees, but not as many costs and objectives"
        raise TreeFormatError(msg)
    shape = (n_trees, len(classes), len(classes))
    for name in _MEASURED:
        fields[name] = _rates_in(name, document[name], position, shape)
    if fields["training"] is None:
        wrong("training", None, "counts of the training rows")
    return fields


def _finite(number: float) -> float | None:
    """Return a number that JSON can hold; None stands for infinity and NaN."""
    return number if math.isfinite(number) else None


def _numbers(values: list[Any], instead: float) -> FloatArray:
    """Return numbers, with what None stands for."""
    return np.array([instead if x is None else float(x) for x in values])


def _ratios(values: list[Any]) -> FloatArray:
    """Return ratios of costs; None is infinite at the end, and unknown elsewhere."""
    ratios = _numbers(values, math.nan)
    if len(ratios) and values[-1] is None:
        ratios[-1] = math.inf
    return ratios


def _rates_out(rates: Rates) -> dict[str, Any]:
    """Return counts as JSON values; masses only where they differ."""
    plain = np.array_equal(rates.counts, rates.masses)
    masses = None if plain else rates.masses.tolist()
    return {"counts": rates.counts.tolist(), "masses": masses, "source": rates.source}


def _rates_in(
    name: str, document: Any, positive: int, shape: tuple[int, int, int]
) -> Rates | None:
    """Return counts, checked."""
    if document is None:
        return None
    counts = np.array(document["counts"])
    masses = document["masses"]
    masses = counts.astype(float) if masses is None else np.array(masses, dtype=float)
    fits = counts.shape == masses.shape == shape and counts.dtype.kind == "i"
    if not fits or (counts < 0).any() or not (masses >= 0).all():
        wrong(name, document["counts"], f"counts of shape {shape}")
    if not isinstance(document["source"], str):
        wrong("source", document["source"], "text")
    return Rates(counts.astype(np.int64), masses, positive, document["source"])
