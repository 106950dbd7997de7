from __future__ import annotations

import numpy as np
import pytest
from growing import grow, make_table
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.slow_criteria import Rows, gain
from reference.slow_growth import check_growth

from tanoak._grow import GrowSettings, grow_classes
from tanoak._stakes import check_modes, read_stakes
from tanoak.costs import resolve_costs
from tanoak.exceptions import ParameterError

QUICK = settings(max_examples=40, deadline=None)
COST = np.array([[0.0, 2, 3], [7, 0, 1], [1, 9, 0]])


def drawn(seed, n=60, n_classes=3):
    """Draw a small problem in which all classes occur."""
    random = np.random.default_rng(seed)
    X = random.integers(0, 6, (n, 3)).astype(float)
    X[random.random(X.shape) < 0.1] = np.nan
    y = random.integers(0, n_classes, n)
    y[:n_classes] = np.arange(n_classes)
    return X, y


def stakes_of(criterion, cost_mode, smoothing=None, *, weight=None, **about):
    """Read stakes of four rows of three classes."""
    codes = np.array([0, 1, 1, 2], dtype=np.int32)
    costs = resolve_costs(about.pop("cost", COST), codes, range(3), **about)
    modes = (criterion, cost_mode, smoothing)
    return read_stakes(codes, costs, modes, n_classes=3, weight=weight)


# --- worked by hand ---


def test_altered_priors_weigh_classes_by_the_sums_of_their_rows():
    assert stakes_of("gini", "altered_priors").class_mass.tolist() == [5, 8, 10]
    # Prior 1/4, 1/2, 1/4 times cost 5, 8, 10, scaled to sum to one.
    altered = np.array([0.25 * 5, 0.5 * 8, 0.25 * 10])
    altered /= altered.sum()
    mass = stakes_of("gini", "altered_priors").class_mass * [1, 2, 1]
    np.testing.assert_allclose(mass / mass.sum(), altered)


def test_labels_leave_growth_to_the_rows_and_their_priors():
    assert stakes_of("gini", "labels").class_mass.tolist() == [1, 1, 1]
    stakes = stakes_of("gini", "labels", priors=[0.5, 0.25, 0.25])
    assert stakes.class_mass.tolist() == [2, 0.5, 1]


def test_generalized_gini_hands_over_the_costs_beyond_the_right_answer():
    stakes = stakes_of("gini", "generalized_gini", cost=COST + 1)
    assert stakes.criterion == "generalized_gini"
    assert stakes.class_costs.reshape(3, 3).tolist() == COST.tolist()
    assert stakes.class_mass.tolist() == [1, 1, 1]


def test_cost_asks_for_costs_of_classes_or_rows():
    assert (
        stakes_of("cost", "altered_priors").class_costs.tolist()
        == COST.ravel().tolist()
    )
    row_costs = np.array([[0.0, 1, 4], [3, 1, 1], [5, 0, 5], [2, 2, 0]])
    weight = np.array([1.0, 2, 1, 1])
    stakes = stakes_of("cost", "altered_priors", row_costs=row_costs, weight=weight)
    assert stakes.class_costs is None
    assert stakes.row_costs.reshape(4, 3)[1].tolist() == [4, 0, 0]


def test_smoothing_adds_rows_as_they_weigh():
    assert stakes_of("auc", "altered_priors").added_mass is None
    laplace = stakes_of("auc", "altered_priors", "laplace")
    assert laplace.added_mass.tolist() == [5, 8, 10]
    estimate = stakes_of("auc", "labels", 8.0)
    assert estimate.added_mass.tolist() == [2, 4, 2]
    assert stakes_of("expected_error", "labels").added_mass.tolist() == [1, 1, 1]
    weighted = stakes_of("auc", "labels", "laplace", weight=np.array([1.0, 2, 5, 0.5]))
    np.testing.assert_allclose(weighted.added_mass, [1, 1, 1])


# --- the facts of the thesis ---


def test_the_example_of_800_rows():
    """Gini and entropy prefer B, (200, 0) and (200, 400); errors do not tell."""
    in_a = np.repeat([0.0, 1, 0, 1], [300, 100, 100, 300])
    in_b = np.repeat([0.0, 1, 1], [200, 200, 400])
    y = np.repeat([0, 1], 400)
    rows = Rows(y=y, mass=np.ones(800), n_classes=2)
    a, b = in_a == 0, in_b == 0
    for left in (a, b):
        assert gain("misclassification", rows, left) == pytest.approx(200)
    for criterion in ("gini", "entropy"):
        assert gain(criterion, rows, b) > gain(criterion, rows, a)
        tree = grow(np.column_stack([in_a, in_b]), y, criterion, max_depth=1)
        assert tree.term_column.tolist() == [1]
    # Among equal errors ours takes the purer cut.
    tree = grow(np.column_stack([in_a, in_b]), y, "misclassification", max_depth=1)
    assert tree.term_column.tolist() == [1]


@QUICK
@given(st.integers(0, 10**6), st.floats(0.1, 50), st.floats(0.1, 50))
def test_two_classes_generalized_gini_changes_no_split(seed, one, other):
    X, y = drawn(seed, n_classes=2)
    costs = resolve_costs([[0, one], [other, 0]], y, range(2))
    plain = grow(X, y)
    priced = grow(X, y, costs=costs, cost_mode="generalized_gini")
    assert np.array_equal(plain.threshold, priced.threshold)
    assert np.array_equal(plain.term_column, priced.term_column)


@QUICK
@given(st.integers(0, 10**6), st.lists(st.integers(1, 4), min_size=3, max_size=3))
def test_oversampling_by_whole_factors_equals_weights(seed, factors):
    X, y = drawn(seed)
    cost = np.array(factors)[:, None] * (1 - np.eye(3)) / 2  # rows sum to the factors
    costs = resolve_costs(cost, y, range(3))
    weighted = grow(X, y, costs=costs, cost_mode="weights")
    again = np.repeat(np.arange(len(y)), np.array(factors)[y])
    sampled = grow(X[again], y[again])
    assert np.array_equal(weighted.threshold, sampled.threshold)
    assert np.array_equal(weighted.term_column, sampled.term_column)
    assert np.array_equal(weighted.label, sampled.label)


@QUICK
@given(st.integers(0, 10**6), st.booleans())
def test_generalized_gini_of_more_classes_is_its_definition(seed, weighted):
    X, y = drawn(seed, n=25)
    weight = np.random.default_rng(seed).random(25) + 0.2 if weighted else None
    costs = resolve_costs(COST, y, range(3), sample_weight=weight)
    tree = grow(X, y, weight=weight, costs=costs, cost_mode="generalized_gini")
    check_growth(tree, X, y, "generalized_gini", weight=weight, costs=COST)


@QUICK
@given(st.integers(0, 10**6), st.sampled_from(["auc", "expected_error"]))
def test_smoothed_criteria_are_their_definition(seed, criterion):
    X, y = drawn(seed, n=25)
    tree = grow(X, y, criterion, split_smoothing=4.0)
    added = 4.0 * np.bincount(y) / len(y)
    check_growth(tree, X, y, criterion, added=added)


@QUICK
@given(st.integers(0, 10**6))
def test_cost_of_rows_is_its_definition(seed):
    X, y = drawn(seed, n=25)
    row_costs = np.random.default_rng(seed).integers(0, 9, (25, 3)).astype(float)
    row_costs[0] = [0, 1, 2]
    costs = resolve_costs(None, y, range(3), row_costs=row_costs)
    tree = grow(X, y, "cost", costs=costs)
    check_growth(tree, X, y, "cost", row_costs=row_costs)
    leaf = tree.apply(X)
    assert tree.label[leaf].tolist() == tree.answer_costs[leaf].argmin(axis=1).tolist()


# --- answers ---


def test_weights_answer_by_weight_and_the_others_by_the_matrix():
    X, y = np.zeros((9, 1)), np.repeat([0, 1, 2], [4, 3, 2])
    costs = resolve_costs(COST, y, range(3))
    table, grown = make_table(X), {}
    for mode in ("altered_priors", "weights", "labels", "generalized_gini"):
        rules = GrowSettings(criterion="gini", cost_mode=mode)
        grown[mode] = grow_classes(table, y, costs, rules, classes=(0, 1, 2))
    # Rows weigh 20, 24, 20; answers cost 23, 26, 15.
    answers = {mode: int(tree.label[0]) for mode, tree in grown.items()}
    assert answers == {
        "altered_priors": 2,
        "weights": 1,
        "labels": 2,
        "generalized_gini": 2,
    }
    assert all(tree.masses.tolist() == [[4, 3, 2]] for tree in grown.values())


def test_weights_answer_by_the_stakes_of_rows():
    X, y = np.zeros((3, 1)), np.array([0, 0, 1])
    row_costs = np.array([[0.0, 1], [0, 1], [5, 0]])
    costs = resolve_costs(None, y, range(2), row_costs=row_costs)
    tree = grow(X, y, costs=costs, cost_mode="weights")
    assert tree.label.tolist() == [1]
    assert tree.answer_costs.tolist() == [[5, 2]]


# --- refusals ---


@pytest.mark.parametrize(
    ("modes", "by_row", "words"),
    [
        (("entropy", "generalized_gini", None), False, "needs criterion='gini'"),
        (("gini", "generalized_gini", None), True, "row_costs know none"),
        (("cost", "weights", None), False, "leave cost_mode at its default"),
        (("gini", "labels", "laplace"), False, "smoothing= smooths what the leaves"),
    ],
)
def test_parameters_that_do_not_go_together_are_refused(modes, by_row, words):
    with pytest.raises(ParameterError, match=words):
        check_modes(*modes, by_row=by_row)
    check_modes("gini", "altered_priors", None, by_row=True)
