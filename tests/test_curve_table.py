"""A curve in; a table of it out."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from curves import credit_curve

from tanoak import _curve_table
from tanoak.exceptions import ParameterError


def test_a_row_for_each_tree():
    curve = credit_curve()
    frame = curve.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert len(frame) == len(curve)
    assert (frame.tp + frame.fn).eq(300).all()
    assert (frame.fp + frame.tn).eq(700).all()
    assert frame.fpr.to_numpy() == pytest.approx(frame.fp / 700)
    assert frame.fpr.between(frame.fpr_low, frame.fpr_high).all()
    assert frame.tpr.between(frame.tpr_low, frame.tpr_high).all()
    assert np.flatnonzero(frame.on_front).tolist() == sorted(curve.front())
    inner = frame[1:-1]
    paid = (inner.cost_ratio * inner.fp + inner.fn) / 1000
    assert inner.expected_cost.to_numpy() == pytest.approx(paid)


def test_the_text_shows_counts_of_the_front():
    text = str(credit_curve()).splitlines()
    assert "; 300 'bad' rows and 700 others, measured out of fold" in text[0]
    assert text[1].split()[:4] == ["tree", "cost", "ratio", "found"]
    first = credit_curve().front()[0]
    assert text[2].split()[0] == str(first)


def test_without_a_library_of_frames_it_says_so(monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(_curve_table.importlib, "import_module", missing)
    with pytest.raises(ParameterError, match="needs pandas or polars"):
        credit_curve().to_frame()
