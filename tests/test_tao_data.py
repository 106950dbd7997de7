from __future__ import annotations

import numpy as np
import pytest

from tanoak import TAOTreeClassifier, TAOTreeRegressor
from tanoak._table import read_table
from tanoak.estimators._tao_data import read_problem
from tanoak.exceptions import ParameterError

TABLE = read_table(np.arange(4.0)[:, None])


def test_classes_come_with_costs_and_weights():
    model = TAOTreeClassifier(cost={"a": 3, "b": 1}, priors={"a": 0.5, "b": 0.5})
    weight = [1.0, 0.0, 2.0, 1.0]
    problem, labels = read_problem(model, TABLE, ["b", "a", "a", "b"], weight)
    assert labels.tolist() == ["a", "b"]
    assert problem.classes == ("a", "b")
    assert problem.rows.target.tolist() == [1, 0, 0, 1]
    assert problem.rows.costs.matrix.values.tolist() == [[0, 3], [1, 0]]
    assert problem.rows.sample_weight.tolist() == weight
    assert problem.mass == 4


def test_one_class_has_no_costs():
    with pytest.warns(UserWarning, match="one class only"):
        problem, _ = read_problem(TAOTreeClassifier(), TABLE, [1] * 4, None)
    assert problem.rows.costs is None


def test_numbers_have_no_classes():
    problem, labels = read_problem(TAOTreeRegressor(), TABLE, [1, 2, 3, 4], None)
    assert labels is None
    assert problem.classes is None
    assert problem.rows.target.dtype == np.float64
    with pytest.raises(ParameterError, match="row_costs are about classes"):
        read_problem(TAOTreeRegressor(), TABLE, [1, 2, 3, 4], None, [[1, 2]] * 4)
