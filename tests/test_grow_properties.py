from __future__ import annotations

import os

import numpy as np
from growing import CRITERIA, asked_by, grow, make_table, separates_numbers
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.slow_growth import check_growth
from scipy import sparse

from tanoak._grow import GrowSettings, grow_classes
from tanoak.costs import resolve_costs

# `make fuzz` asks for thousands.
EXAMPLES = settings(
    max_examples=int(os.environ.get("TANOAK_EXAMPLES", "60")), deadline=None
)


@st.composite
def problems(draw, max_rows=24):
    """Draw small tables with ties, missing values and categories, and a target."""
    seed = draw(st.integers(0, 2**32 - 1))
    random = np.random.default_rng(seed)
    n = draw(st.integers(1, max_rows))
    d = draw(st.integers(1, 4))
    n_values = draw(st.sampled_from([2, 3, 6, 1000]))
    X = random.integers(0, n_values, (n, d)) / 4 - 1
    n_levels = [draw(st.sampled_from([0, 0, 3, 5])) for _ in range(d)]
    for column, levels in enumerate(n_levels):
        if levels:
            X[:, column] = random.integers(0, levels, n)
    X[random.random((n, d)) < draw(st.sampled_from([0, 0.2]))] = np.nan
    X = X.astype(draw(st.sampled_from([np.float32, np.float64])))
    criterion = draw(st.sampled_from(CRITERIA))
    n_classes = draw(st.integers(1, 4))
    y = random.integers(0, n_classes, n)
    if separates_numbers(criterion):
        y = np.round(random.normal(size=n) * 8) / draw(st.sampled_from([1.0, 3.0]))
    weight = draw(st.sampled_from([None, "whole", "any"]))
    if weight == "whole":
        weight = random.integers(1, 4, n).astype(float)
    elif weight == "any":
        weight = random.random(n) + 0.1
    return X, y, criterion, weight, n_levels


@EXAMPLES
@given(
    problems(),
    st.integers(1, 3),
    st.sampled_from([None, 1, 2]),
    st.integers(2, 5),
)
def test_every_node_is_what_the_definition_says(problem, min_rows, depth, min_split):
    X, y, criterion, weight, n_levels = problem
    tree = grow(
        X,
        y,
        criterion,
        weight=weight,
        n_levels=n_levels,
        min_samples_leaf=min_rows,
        max_depth=depth,
        min_samples_split=min_split,
    )
    check_growth(
        tree,
        X,
        y,
        criterion,
        weight=weight,
        categorical=np.flatnonzero(n_levels),
        min_rows=min_rows,
        max_depth=depth,
        min_split=min_split,
        **asked_by(criterion, y),
    )


@EXAMPLES
@given(problems())
def test_rows_end_where_training_put_them(problem):
    X, y, criterion, weight, n_levels = problem
    tree = grow(X, y, criterion, weight=weight, n_levels=n_levels)
    leaf = tree.apply(make_table(X, n_levels))
    rows = np.bincount(leaf, minlength=tree.n_nodes)
    assert (rows[tree.is_leaf] == tree.counts[tree.is_leaf].sum(axis=1)).all()


@EXAMPLES
@given(problems(), st.integers(0, 100))
def test_order_of_rows_does_not_matter(problem, seed):
    X, y, criterion, weight, n_levels = problem
    tree = grow(X, y, criterion, weight=weight, n_levels=n_levels)
    order = np.random.default_rng(seed).permutation(len(y))
    classes = None if separates_numbers(criterion) else tree.classes
    other = grow(
        X[order],
        y[order],
        criterion,
        weight=None if weight is None else weight[order],
        n_levels=n_levels,
    )
    assert classes is None or other.classes == classes
    assert other.to_json() == tree.to_json()


@EXAMPLES
@given(problems(), st.integers(0, 100))
def test_whole_weights_are_repeated_rows(problem, seed):
    X, y, criterion, _, n_levels = problem
    repeats = np.random.default_rng(seed).integers(0, 4, len(y))
    repeats[0] = 1
    weighted = grow(X, y, criterion, weight=repeats.astype(float), n_levels=n_levels)
    again = np.repeat(np.arange(len(y)), repeats)
    n_classes = 0 if separates_numbers(criterion) else max(2, int(y.max()) + 1)
    repeated = grow_repeated(X[again], y[again], criterion, n_levels, n_classes)
    for name in ("left", "right", "threshold", "missing_left", "term_column"):
        assert np.array_equal(getattr(weighted, name), getattr(repeated, name)), name
    assert np.array_equal(weighted.subset_words, repeated.subset_words)
    assert np.array_equal(weighted.masses, repeated.masses)
    if n_classes == 0:
        assert np.array_equal(weighted.mean, repeated.mean)
    else:
        assert np.array_equal(weighted.label, repeated.label)


def grow_repeated(X, y, criterion, n_levels, n_classes):
    """Grow on repeated rows, which may have lost a class."""
    if n_classes == 0:
        return grow(X, y, criterion, n_levels=n_levels)
    table, classes = make_table(X, n_levels), tuple(range(n_classes))
    return grow_classes(
        table, y, None, GrowSettings(criterion=criterion), classes=classes
    )


@EXAMPLES
@given(problems())
def test_zeros_left_out_change_nothing(problem):
    X, y, criterion, weight, n_levels = problem
    if any(n_levels):
        X = X[:, np.array(n_levels) == 0]
    if X.shape[1] == 0:
        return
    X = np.where(np.random.default_rng(0).random(X.shape) < 0.5, 0, X)
    dense = grow(X, y, criterion, weight=weight)
    for kind in (sparse.csc_array, sparse.csr_array):
        assert grow(kind(X), y, criterion, weight=weight) == dense


@EXAMPLES
@given(problems(), st.sampled_from([1, 200]), st.sampled_from([None, 5]))
def test_bins_of_single_values_grow_what_sorting_does(problem, memory, n_leaves):
    X, y, criterion, weight, n_levels = problem
    options = {"weight": weight, "n_levels": n_levels, "max_leaf_nodes": n_leaves}
    binned = grow(X, y, criterion, max_memory=memory, **options)
    assert binned == grow(X, y, criterion, **options)


def test_bins_are_quantiles_and_parts_that_fit_are_exact():
    random = np.random.default_rng(0)
    X = random.normal(size=(40_000, 5))
    X[random.random(X.shape) < 0.02] = np.nan
    y = (np.nan_to_num(X[:, 0] * X[:, 1]) + random.normal(size=40_000) > 0).astype(int)
    exact = grow(X, y, min_samples_leaf=50)
    binned = grow(X, y, min_samples_leaf=50, max_memory=200_000)
    assert abs(binned.n_leaves / exact.n_leaves - 1) < 0.05
    on_new = random.normal(size=(40_000, 5))
    truth = on_new[:, 0] * on_new[:, 1] > 0
    right = [(tree.predict(on_new) == truth).mean() for tree in (exact, binned)]
    assert abs(right[0] - right[1]) < 0.03
    threads = grow(X, y, min_samples_leaf=50, max_memory=200_000, n_threads=3)
    assert threads == binned
    leaf = binned.apply(X)
    assert np.array_equal(
        np.bincount(leaf, minlength=binned.n_nodes)[binned.is_leaf],
        binned.counts[binned.is_leaf].sum(axis=1),
    )


@EXAMPLES
@given(problems(), st.integers(1, 6))
def test_best_first_with_room_for_all_is_depth_first(problem, n_leaves):
    X, y, criterion, weight, n_levels = problem
    whole = grow(X, y, criterion, weight=weight, n_levels=n_levels)
    roomy = grow(X, y, criterion, weight=weight, n_levels=n_levels, max_leaf_nodes=99)
    assert roomy == whole
    small = grow(
        X, y, criterion, weight=weight, n_levels=n_levels, max_leaf_nodes=n_leaves + 1
    )
    assert small.n_leaves == min(n_leaves + 1, whole.n_leaves)


@EXAMPLES
@given(problems(), st.booleans())
def test_costs_act_as_weights(problem, with_priors):
    X, y, criterion, weight, n_levels = problem
    if separates_numbers(criterion) or len(np.unique(y)) < 3:
        return
    n_classes = int(y.max()) + 1
    cost = np.array([[0, 2, 3, 1], [7, 0, 1, 1], [1, 9, 0, 1], [4, 4, 4, 0]])
    priors = None
    counts = np.bincount(y, weight)
    if with_priors and counts.all():
        priors = np.arange(1, n_classes + 1) / np.arange(1, n_classes + 1).sum()
    elif not counts.all():
        return
    costs = resolve_costs(
        cost[:n_classes, :n_classes],
        y,
        range(n_classes),
        priors=priors,
        sample_weight=weight,
    )
    tree = grow(X, y, criterion, weight=weight, n_levels=n_levels, costs=costs)
    factor = np.ones(n_classes) if priors is None else costs.class_factor
    asked, class_mass = {}, costs.growth_factor
    if criterion == "cost":
        asked, class_mass = {"costs": costs.matrix.values}, factor
    elif criterion == "expected_error":
        asked = {"added": class_mass}
    check_growth(
        tree,
        X,
        y,
        criterion,
        weight=weight,
        class_mass=class_mass,
        categorical=np.flatnonzero(n_levels),
        **asked,
    )
    expected = (tree.masses * factor) @ cost[:n_classes, :n_classes]
    paid = expected[np.arange(tree.n_nodes), tree.label]
    assert (paid <= expected.min(axis=1) * (1 + 1e-12)).all()


def test_costs_of_rows_decide_labels_and_cuts():
    random = np.random.default_rng(3)
    X = random.normal(size=(400, 3))
    y = random.integers(0, 3, 400)
    row_costs = random.random((400, 3)) * 5
    row_costs[np.arange(400), y] = 0
    weight = random.random(400) + 0.5
    costs = resolve_costs(None, y, range(3), row_costs=row_costs, sample_weight=weight)
    tree = grow(X, y, weight=weight, costs=costs, max_depth=4)
    stake = row_costs.max(axis=1) - row_costs.min(axis=1)
    same_cuts = grow(X, y, weight=weight * stake, max_depth=4)
    assert np.array_equal(tree.threshold, same_cuts.threshold)
    leaf = tree.apply(X)
    for node in np.unique(leaf):
        rows = leaf == node
        total = (row_costs[rows] * weight[rows, None]).sum(axis=0)
        np.testing.assert_allclose(tree.answer_costs[node], total)
        assert tree.label[node] == total.argmin()
    np.testing.assert_allclose(
        tree.answer_costs[0], (row_costs * weight[:, None]).sum(axis=0)
    )
