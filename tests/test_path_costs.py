"""Ratios in; matrices and gaps out, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tanoak._path_costs import gaps, matrix_of, ratio_of, row_stakes
from tanoak.costs import CostMatrix
from tanoak.exceptions import ParameterError

BASE = np.array([[0.0, 2.0, 7.0], [1.0, 0.0, 3.0], [20.0, 5.0, 0.0]])


def test_the_rows_of_other_classes_are_multiplied():
    matrix = matrix_of(0.5, ("a", "b", "c"), 2, BASE)
    assert matrix.values.tolist() == [[0, 1, 3.5], [0.5, 0, 1.5], [20, 5, 0]]
    assert np.isnan(ratio_of(matrix, 2))


@pytest.mark.parametrize("positive", [0, 1])
def test_the_ratio_comes_back(positive):
    matrix = matrix_of(0.3, ("a", "b"), positive, 1 - np.eye(2))
    assert ratio_of(matrix, positive) == pytest.approx(0.3)
    assert ratio_of(matrix, 1 - positive) == pytest.approx(1 / 0.3)


def test_stakes_are_mean_costs_beyond_the_right_answer():
    cost = CostMatrix([[1, 3, 5], [1, 0, 3], [4, 5, 1]], ["a", "b", "c"])
    assert row_stakes(cost).tolist() == [3.0, 2.0, 3.5]
    with pytest.raises(ParameterError, match="costs nothing to mistake"):
        row_stakes(CostMatrix([[0, 0], [1, 0]], ["a", "b"]))


def test_only_wide_steps_are_halved_and_the_widest_first():
    points = np.array([[0.9, 1.0], [0.6, 0.95], [0.55, 0.95], [0.1, 0.4]])
    assert gaps([1, 4, 9, 16], points, 0.2) == [12.0, 2.0]
    assert gaps([1, 4, 9, 16], points, 0.6) == []
    assert gaps([1, 1.01], points[[0, 3]], 0.1) == []
