"""A curve in; canonical text, and the same curve from it out."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
from curves import credit_curve, drawn, small_tree
from sklearn.linear_model import LogisticRegression

from tanoak import CostCurve, cost_optimal_curve
from tanoak.exceptions import ParameterError, TreeFormatError


def test_there_and_back():
    X, y = drawn(5, n_rows=1000)
    weight = np.random.default_rng(0).uniform(0.5, 2, 500)
    curve = cost_optimal_curve(
        LogisticRegression(), X[:500], y[:500], max_trees=2, resolution=None
    )
    with pytest.raises(ParameterError, match="only curves of trees can be written"):
        curve.to_json()
    again = pickle.loads(pickle.dumps(curve))
    assert np.array_equal(again.points, curve.points)
    curve = cost_optimal_curve(
        small_tree(), X[:500], y[:500], sample_weight=weight, max_trees=3
    ).with_calibration(X[500:], y[500:])
    again = CostCurve.from_json(curve.to_json())
    assert again.to_json() == curve.to_json()
    assert again.models == curve.models
    assert np.array_equal(again.cost_ratios, curve.cost_ratios)
    assert np.array_equal(again.held_out.masses, curve.held_out.masses)
    assert again.calibration.source == "on the rows set aside"
    assert pickle.dumps(pickle.loads(pickle.dumps(curve))) == pickle.dumps(curve)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("version", 2),
        ("format", "tanoak tree"),
        ("positive", 2),
        ("positive", True),
        ("classes", ["bad", "worse"]),
        ("cost_ratios", [1.0]),
        ("costs", [None]),
        ("objectives", "none"),
        ("trees", []),
        ("trees", ["{}"]),
        ("training", None),
        ("training", {"counts": [[[1]]], "masses": None, "source": ""}),
        ("held_out", {"counts": "x", "masses": None, "source": ""}),
        ("calibration", 3),
    ],
)
def test_a_damaged_field_is_refused(field, value):
    document = json.loads(credit_curve().to_json())
    document[field] = value
    with pytest.raises(TreeFormatError):
        CostCurve.from_json(json.dumps(document))
    del document[field]
    if field != "calibration":
        with pytest.raises(TreeFormatError):
            CostCurve.from_json(json.dumps(document))


@pytest.mark.parametrize("text", ["", "[]", "{", "null", b"\xff", "[" * 100_000])
def test_what_is_no_curve_is_refused(text):
    with pytest.raises(TreeFormatError, match="no curve of tanoak"):
        CostCurve.from_json(text)


def test_bytes_cut_anywhere_are_refused():
    text = credit_curve().to_json()
    for end in np.random.default_rng(0).integers(0, len(text) - 2, 60):
        with pytest.raises(TreeFormatError):
            CostCurve.from_json(text[:end])
