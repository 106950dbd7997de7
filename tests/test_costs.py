"""Costs and class masses in; the cheapest answers, by slow twin and by invariant."""

from __future__ import annotations

import copy
import dataclasses
import doctest
import pickle
import subprocess
import sys

import cloudpickle
import hypothesis.extra.numpy as hnp
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from reference.slow_costs import (
    slow_answer_costs,
    slow_balanced,
    slow_growth_factor,
    slow_labels,
    slow_row_weight,
)

import tanoak.costs
from tanoak.costs import CostMatrix, resolve_costs
from tanoak.exceptions import CostError

CLASSES = ("bad", "fair", "good")
VALUES = np.array([[0.0, 1.0, 20.0], [3.0, 0.0, 0.5], [7.0, 2.0, 0.0]])


def whole_costs(n_classes):
    """Costs of which sums are exact: whole numbers, at least one above 0."""
    shape = (n_classes, n_classes)
    values = hnp.arrays(np.float64, shape, elements=st.integers(0, 50))
    return values.map(lambda v: v * (1 - np.eye(n_classes))).filter(np.any)


@st.composite
def costs_and_masses(draw):
    n_classes = draw(st.integers(2, 6))
    shape = (draw(st.integers(1, 8)), n_classes)
    masses = draw(hnp.arrays(np.float64, shape, elements=st.integers(0, 9)))
    return draw(whole_costs(n_classes)), masses


@given(costs_and_masses())
def test_labels_are_the_cheapest_answers(drawn):
    values, masses = drawn
    matrix = CostMatrix(values, range(len(values)))
    assert matrix.labels(masses).tolist() == slow_labels(values, masses)
    assert matrix.answer_costs(masses).tolist() == slow_answer_costs(values, masses)


@given(costs_and_masses(), st.floats(1e-90, 1e90))
def test_the_unit_of_costs_does_not_matter(drawn, unit):
    values, masses = drawn
    unit = 2.0 ** np.floor(np.log2(unit))  # exact, so that equals stay equal
    labels = CostMatrix(values, range(len(values))).labels(masses)
    in_unit = CostMatrix(values * unit, range(len(values))).labels(masses)
    assert labels.tolist() == in_unit.tolist()


@given(costs_and_masses(), st.data())
def test_a_price_on_all_answers_of_a_class_does_not_matter(drawn, data):
    values, masses = drawn
    price = data.draw(hnp.arrays(np.float64, len(values), elements=st.integers(0, 9)))
    names = range(len(values))
    plain = CostMatrix(values, names).labels(masses)
    dearer = CostMatrix(values + price[:, None], names).labels(masses)
    assert plain.tolist() == dearer.tolist()


@given(costs_and_masses(), st.data())
def test_the_order_of_the_classes_does_not_matter(drawn, data):
    values, masses = drawn
    order = data.draw(st.permutations(range(len(values))))
    totals = masses @ values
    cheapest = totals == totals.min(axis=1, keepdims=True)
    assume((cheapest.sum(axis=1) == 1).all())  # among equals the first is taken
    matrix = CostMatrix(values, range(len(values)))
    turned = CostMatrix.from_any(matrix, order)
    assert turned.values[0, 1] == values[order[0], order[1]]
    labels = np.array(order)[turned.labels(masses[:, order])]
    assert labels.tolist() == matrix.labels(masses).tolist()


@given(costs_and_masses())
def test_transposing_changes_what_answers_cost(drawn):
    values, _ = drawn
    assume((values != values.T).any())
    names = range(len(values))
    single = np.eye(len(values))
    straight = CostMatrix(values, names).answer_costs(single)
    turned = CostMatrix(values.T, names).answer_costs(single)
    assert straight.tolist() == values.tolist()
    assert straight.tolist() != turned.tolist()


NAMED = {
    "nested": {"good": {"bad": 1}, "bad": {"good": 5}},
    "by class": {"good": 1, "bad": 5},
    "Series": pd.Series({"good": 1, "bad": 5}),
    "pandas": pd.DataFrame([[0, 1], [5, 0]], ["good", "bad"], ["good", "bad"]),
    "polars": pl.DataFrame({"true": ["good", "bad"], "bad": [1, 0], "good": [0, 5]}),
    "CostMatrix": CostMatrix([[0, 5], [1, 0]], ["bad", "good"]),
}


@pytest.mark.parametrize("form", NAMED)
def test_costs_that_name_their_classes_need_no_classes(form):
    matrix = CostMatrix(NAMED[form])
    assert matrix.classes == ("bad", "good")
    assert matrix.values.tolist() == [[0, 5], [1, 0]]
    turned = CostMatrix(NAMED[form], classes=["good", "bad"])
    assert turned.classes == ("good", "bad")
    assert turned.values.tolist() == [[0, 1], [5, 0]]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (VALUES, "the costs do not name the classes: give classes=[...] in the order"),
        (pl.DataFrame({"a": [0, 1], "b": [1, 0]}), "the costs do not name the classes"),
        (
            "balanced",
            "values is 'balanced': give an array, dict or data frame of costs",
        ),
        (None, "CostMatrix.from_any(None, classes, class_counts)"),
        ({"bad": {"good": 5}}, "cost does not name class 'good': add it"),
        ({"bad": 5}, "costs need two or more classes, got 1 ('bad')"),
        ({}, "costs need two or more classes, got 0"),
        ({"bad": 5, 1: 1}, "classes mix text and numbers"),
    ],
)
def test_costs_that_do_not_name_their_classes_are_refused(values, message):
    with pytest.raises(CostError) as caught:
        CostMatrix(values)
    assert message in str(caught.value)


def test_transposing_changes_labels():
    # One 'bad' row among nine 'good' ones: 7 * 9 = 63, 1 + 2 * 9 = 19 or 20.
    assert CostMatrix(VALUES, CLASSES).labels([[1, 0, 9]]).tolist() == [1]
    # Read the other way round: 20 * 9 = 180, 3 + 0.5 * 9 = 7.5 or 7.
    assert CostMatrix(VALUES.T, CLASSES).labels([[1, 0, 9]]).tolist() == [2]


def test_uniform_mistakes_take_the_largest_stake():
    cost = {"bad": 10, "fair": 2, "good": 1}
    matrix = CostMatrix.from_any(cost, CLASSES)
    masses = [[1, 4, 9], [1, 5, 9], [1, 5, 11], [0, 0, 0]]
    assert matrix.labels(masses).tolist() == [0, 0, 2, 0]
    assert matrix.labels(masses).tolist() == slow_labels(matrix.values, masses)


def test_equal_costs_are_not_told_apart_by_rounding():
    matrix = CostMatrix.from_any({"bad": 0.1, "fair": 0.1, "good": 0.1}, CLASSES)
    masses = [[3, 3, 3], [1e17, 1, 1e17], [0.3, 0.7, 0.7]]
    assert matrix.labels(masses).tolist() == [0, 0, 1]
    # Sums would tell them apart: 0.6000000000000001 without the first, 0.6 without
    # the last.
    assert CostMatrix(1 - np.eye(4), range(4)).labels([[0.3, 0.2, 0.1, 0.3]])[0] == 0


def test_one_node_has_the_bits_it_has_among_many():
    rng = np.random.default_rng(0)
    values = rng.random((40, 40)) * (1 - np.eye(40))
    masses = rng.random((5_000, 40))
    matrix = CostMatrix(values, range(40))
    together = matrix.answer_costs(masses)
    np.testing.assert_allclose(together, masses @ values)
    for at in (0, 1_637, 1_638, 1_639, 4_999):  # around the edge of a block
        assert (matrix.answer_costs(masses[at : at + 1])[0] == together[at]).all()


def test_no_nodes_have_no_labels():
    assert CostMatrix(VALUES, CLASSES).labels(np.empty((0, 3))).shape == (0,)


@pytest.mark.parametrize("positive", ["fraud", "fair"])
def test_binary_costs_cannot_be_swapped(positive):
    matrix = CostMatrix.binary(
        false_positive=1,
        false_negative=20,
        classes=["fair", "fraud"],
        positive=positive,
    )
    other = {"fraud": "fair", "fair": "fraud"}[positive]
    expected = {positive: {other: 20}, other: {positive: 1}}
    assert matrix == CostMatrix.from_any(expected, ["fair", "fraud"])


def test_binary_takes_nothing_by_position():
    with pytest.raises(TypeError):
        CostMatrix.binary(1, 20, ["fair", "fraud"], "fraud")


def test_it_prints_itself_as_sentences():
    assert str(CostMatrix(VALUES, CLASSES)).splitlines()[1:3] == [
        "calling a 'bad' row 'good' costs 20",
        "calling a 'fair' row 'bad' costs 3",
    ]


def test_repr_makes_the_matrix_again_or_is_short():
    matrix = CostMatrix(VALUES, CLASSES)
    assert eval(repr(matrix), {"CostMatrix": CostMatrix}) == matrix
    large = CostMatrix(1 - np.eye(100), range(100))
    assert repr(large) == (
        "<CostMatrix 100 x 100 for 0, 1, 2, 3, 4, 5, ... (100 in all)>"
    )


def test_equality_and_hash():
    matrix = CostMatrix(VALUES, CLASSES)
    same = CostMatrix(VALUES.tolist(), list(CLASSES))
    assert matrix == same
    assert hash(matrix) == hash(same)
    assert matrix != CostMatrix(VALUES.T, CLASSES)
    assert matrix != CostMatrix(VALUES, ("bad", "fair", "fine"))
    assert matrix != VALUES.tolist()
    negative_zero = CostMatrix([[-0.0, 1.0], [2.0, 0.0]], [0, 1])
    assert hash(negative_zero) == hash(CostMatrix([[0, 1], [2, 0]], [0, 1]))


@pytest.mark.parametrize(
    "again",
    [
        lambda matrix: pickle.loads(pickle.dumps(matrix)),
        lambda matrix: pickle.loads(pickle.dumps(matrix, protocol=5)),
        lambda matrix: pickle.loads(cloudpickle.dumps(matrix)),
        copy.copy,
        copy.deepcopy,
    ],
)
def test_pickle_and_copy(again):
    matrix = CostMatrix(VALUES / 3, (True, 2, 3.5))
    result = again(matrix)
    assert result == matrix
    assert [type(label) for label in result.classes] == [bool, int, float]
    assert not result.values.flags.writeable


def test_it_cannot_be_changed():
    matrix = CostMatrix(VALUES, CLASSES)
    with pytest.raises(ValueError, match="read-only"):
        matrix.values[0, 1] = 9.0
    with pytest.raises(dataclasses.FrozenInstanceError):
        matrix.values = VALUES.T


Y_CODES = np.array([0, 2, 1, 2, 2, 1, 2, 2])


def test_resolved_costs_have_the_order_of_the_classes():
    cost = {"good": {"bad": 7, "fair": 2}, "bad": {"good": 20, "fair": 1}}
    cost["fair"] = {"bad": 3, "good": 0.5}
    costs = resolve_costs(cost, Y_CODES, CLASSES)
    assert costs.matrix == CostMatrix(VALUES, CLASSES)
    assert costs.row_costs is None
    assert costs.row_weight is None
    assert costs.class_factor is None


def test_growth_factor_is_what_a_class_can_lose():
    factor = resolve_costs(VALUES, Y_CODES, CLASSES).growth_factor
    assert factor.tolist() == [21.0, 3.5, 9.0]
    assert factor.tolist() == slow_growth_factor(VALUES, None, Y_CODES)


def test_the_price_of_right_answers_is_not_in_the_growth_factor():
    values = VALUES + np.array([[0.5], [0.25], [1.0]])  # whatever is answered
    factor = resolve_costs(values, Y_CODES, CLASSES).growth_factor
    assert factor.tolist() == [21.0, 3.5, 9.0]
    assert factor.tolist() == slow_growth_factor(values, None, Y_CODES)


def test_priors_alter_the_growth_factor():
    priors = {"good": 0.2, "bad": 0.5, "fair": 0.3}
    costs = resolve_costs(VALUES, Y_CODES, CLASSES, priors=priors)
    np.testing.assert_allclose(costs.class_factor, [0.5 * 8, 0.3 * 4, 0.2 * 8 / 5])
    expected = slow_growth_factor(VALUES, [0.5, 0.3, 0.2], Y_CODES)
    np.testing.assert_allclose(costs.growth_factor, expected)


def test_what_is_at_stake_on_a_row():
    row_costs = np.arange(24.0).reshape(8, 3) ** 2 % 17
    costs = resolve_costs(None, Y_CODES, CLASSES, row_costs=row_costs)
    assert costs.row_costs.tolist() == row_costs.tolist()
    assert costs.row_weight.tolist() == slow_row_weight(row_costs)


@given(st.lists(st.integers(0, 4), min_size=8, max_size=8), st.booleans())
def test_a_weight_is_a_number_of_equal_rows(weights, balanced):
    repeated = np.repeat(Y_CODES, weights)
    assume(set(repeated) == {0, 1, 2})
    given_costs = {
        "cost": "balanced" if balanced else VALUES,
        "priors": [0.5, 0.3, 0.2],
    }
    weighted = resolve_costs(
        y_codes=Y_CODES, classes=CLASSES, sample_weight=weights, **given_costs
    )
    copied = resolve_costs(y_codes=repeated, classes=CLASSES, **given_costs)
    assert weighted.matrix == copied.matrix
    assert weighted.growth_factor.tolist() == copied.growth_factor.tolist()


def test_balanced_costs_come_from_the_training_rows():
    costs = resolve_costs("balanced", Y_CODES, CLASSES)
    # 8 rows of 3 classes, of which 1 is bad, 2 are fair and 5 are good.
    assert costs.matrix.values[0, 2] == pytest.approx(8 / 3)
    assert costs.matrix.values[1, 2] == pytest.approx(8 / 6)
    assert costs.matrix.values[2, 0] == pytest.approx(8 / 15)
    np.testing.assert_allclose(costs.matrix.values, slow_balanced([1, 2, 5]))


def test_one_thousand_classes():
    rng = np.random.default_rng(1)
    values = rng.integers(1, 9, (1_000, 1_000)) * (1.0 - np.eye(1_000))
    masses = rng.integers(0, 5, (50, 1_000)).astype(float)
    matrix = CostMatrix(values, range(1_000))
    assert matrix.labels(masses).tolist() == np.argmin(masses @ values, axis=1).tolist()
    assert str(matrix).endswith("and 998988 more")


def test_costs_load_neither_scikit_learn_nor_data_frames():
    heavy = "{'sklearn', 'pandas', 'polars', 'pyarrow', 'narwhals', 'scipy'}"
    code = (
        "import sys, tanoak.costs, tanoak.metrics as m;"
        "m.cost_loss([0, 1], [1, 1], cost=[[0, 5], [1, 0]]);"
        f"print(sorted({heavy} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


def test_examples_in_the_documentation():
    result = doctest.testmod(tanoak.costs)
    assert result.attempted >= 10
    assert result.failed == 0
