from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes

from tanoak import (
    GreedyTreeClassifier,
    TAOTreeClassifier,
    TAOTreeRegressor,
    phase_diagram,
)
from tanoak.exceptions import ParameterError

X, Y = load_breast_cancer(return_X_y=True)
X, Y = X[:240], Y[:240]


def test_regions_are_where_theory_has_them():
    told = {"split_penalties": [1, 4, 150], "pair_costs": [1, 1.25, 150]}
    found = phase_diagram(X, Y, **told)
    # Beyond some price of a split there is none; beyond some of a second feature
    # all ask one; a second feature that costs nothing is asked.
    assert (found.n_splits[:, 2] == 0).all()
    assert (found.bivariate[2] == 0).all()
    assert (found.bivariate[:2, :2] > 0).all()
    some = found.n_splits > 0
    assert (found.bivariate + found.univariate == some).all()
    share = Y.mean()
    assert found.test_cost[:, 2] == pytest.approx(min(share, 1 - share), abs=0.01)
    assert (found.test_cost[:, :2] < found.test_cost[:, 2:]).all()


def test_rows_to_test_on_are_not_trained_on():
    test = np.arange(0, 240, 3)
    mask = np.isin(np.arange(240), test)
    told = {"split_penalties": [2.0], "pair_costs": [1.25]}
    by_place = phase_diagram(X, Y, test_rows=test, **told)
    by_mask = phase_diagram(X, Y, test_rows=mask, **told)
    alone = TAOTreeClassifier(split="pair", split_penalty=2).fit(X[~mask], Y[~mask])
    wrong = (alone.predict(X[mask]) != Y[mask]).mean()
    assert by_place.test_cost == by_mask.test_cost == wrong
    assert by_place.n_splits == alone.get_n_leaves() - 1


def test_costs_and_weights_count_in_the_test():
    cost = np.array([[0.0, 7.0], [1.0, 0.0]])
    weight = np.arange(240) % 2 + 1.0
    mask = np.arange(240) % 4 == 0
    model = TAOTreeClassifier(split="pair", cost=cost)
    told = {"split_penalties": [1, 8, 1000], "test_rows": mask, "sample_weight": weight}
    found = phase_diagram(X, Y, estimator=model, **told)
    paid = cost[Y, :][mask]
    answer = (weight[~mask] @ cost[Y[~mask], :]).argmin()
    expected = weight[mask] @ paid[:, answer] / weight[mask].sum()
    np.testing.assert_allclose(found.test_cost[:, -1], expected)


def test_numbers_and_threads():
    numbers, y = load_diabetes(return_X_y=True)
    tables = [
        phase_diagram(
            numbers[:120],
            y[:120],
            estimator=TAOTreeRegressor(split="pair", n_jobs=n),
            pair_costs=[1, 2],
            random_state=3,
        ).to_dict()
        for n in (1, 2)
    ]
    assert tables[0] == tables[1]
    assert len(tables[0]["test_cost"]) == 2 * 9


def test_a_given_start_is_used():
    start = GreedyTreeClassifier(max_depth=1).fit(X, Y)
    model = TAOTreeClassifier(split="pair", init=start)
    found = phase_diagram(X, Y, estimator=model, split_penalties=[1])
    assert (found.n_splits <= 1).all()
    assert repr(found) == "<PhaseDiagram: 8 pair costs x 1 split penalties>"
    assert found.to_frame().shape == (8, 6)


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"estimator": TAOTreeClassifier()}, "is about split='pair'"),
        ({"estimator": GreedyTreeClassifier(split="pair")}, "give a TAOTreeClassifier"),
        ({"test_rows": [240]}, "positions from 0 to 239"),
        ({"test_rows": np.ones(240, dtype=bool)}, "but not of all"),
        ({"test_rows": []}, "positions from 0 to 239"),
        ({"pair_costs": [0.5]}, "give a list of numbers >= 1"),
        ({"pair_costs": 2}, "give a list of numbers >= 1"),
        ({"split_penalties": []}, "give a list of numbers >= 0"),
        ({"random_state": -1}, "random_state must be"),
    ],
)
def test_what_cannot_be_is_refused(told, said):
    with pytest.raises(ParameterError, match=said):
        phase_diagram(X, Y, **told)


def test_one_row_is_too_few():
    with pytest.raises(ParameterError, match="X has one row"):
        phase_diagram([[1.0]], [2.0], estimator=TAOTreeRegressor(split="pair"))
