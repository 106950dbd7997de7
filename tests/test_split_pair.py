from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from growing import CRITERIA, asked_by, grow, make_table, separates_numbers
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.slow_criteria import Rows, gain
from reference.slow_growth import check_totals, gains_by_column, rows_by_node
from reference.slow_pair import augmented, best_gain, gain_of
from scipy import sparse

from tanoak import GreedyTreeClassifier, GreedyTreeRegressor, ParameterError
from tanoak._tree import Tree

OTHER_SCALES = ("gain_ratio", "expected_error", "auc")


def two_terms(tree):
    """List the nodes that weigh two features."""
    return np.flatnonzero(np.diff(tree.term_start) == 2)


def banded(seed, n, d, n_classes=3):
    """Draw rows whose class depends on the sum of two columns, with noise."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, d)) * np.geomspace(1, 100, d)
    score = X[:, 0] + X[:, 1] / np.geomspace(1, 100, d)[1]
    y = np.digitize(
        score + random.normal(size=n) / 5, np.linspace(-1, 1, n_classes - 1)
    )
    return X, y


# --- against trying everything ---


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("criterion", ["gini", "squared_error"])
def test_nodes_gain_what_they_would_on_the_augmented_matrix(criterion, seed):
    X, y = banded(seed, 150, 4)
    y = y if criterion == "gini" else y + np.sin(X[:, 3])
    tree = grow(X, y, criterion, split="pair", pair_cost=1.0, max_depth=3)
    rows = rows_by_node(tree, X)
    columns = augmented(X, 16)
    assert len(two_terms(tree)) > 0
    gained, possible = [], []
    for node in np.flatnonzero(tree.left >= 0):
        at = np.array(rows[node])
        left = np.isin(at, rows[tree.left[node]])
        gained.append(gain_of(left, y[at], criterion))
        possible.append(best_gain(columns[at], y[at], criterion))
    assert gained[0] >= possible[0] * (1 - 1e-9)  # the root
    assert sum(gained) >= 0.98 * sum(possible)  # slopes are found by search


def test_both_ways_agree_on_what_a_tree_is_worth():
    X, y = banded(5, 300, 4)
    ours = grow(X, y, split="pair", pair_cost=1.0, max_depth=4)
    theirs = grow(augmented(X, 16), y, max_depth=4)
    axis = grow(X, y, max_depth=4)
    best, other, alone = (
        tree.counts[tree.left < 0].max(axis=1).sum() for tree in (ours, theirs, axis)
    )
    assert abs(best - other) <= 0.02 * len(y)
    assert min(best, other) > alone + 0.05 * len(y)


@st.composite
def problems(draw):
    """Draw small tables with ties, missing values and categories, and a target."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, d = draw(st.integers(2, 40)), draw(st.integers(2, 4))
    X = np.round(random.normal(size=(n, d)) * draw(st.sampled_from([1, 1000])), 1)
    n_levels = [draw(st.sampled_from([0, 0, 2, 4])) for _ in range(d)]
    for column, levels in enumerate(n_levels):
        if levels:
            X[:, column] = random.integers(0, levels, n)
    X[random.random((n, d)) < draw(st.sampled_from([0, 0.2]))] = np.nan
    X = X.astype(draw(st.sampled_from([np.float32, np.float64])))
    criterion = draw(st.sampled_from(CRITERIA))
    y = random.integers(0, draw(st.integers(2, 4)), n)
    if separates_numbers(criterion):
        y = np.round(random.normal(size=n), 2)
    weight = draw(st.sampled_from([None, random.random(n) + 0.1]))
    return X, y, criterion, weight, n_levels


@settings(max_examples=60, deadline=None)
@given(problems(), st.integers(1, 3), st.sampled_from([1.0, 1.1, 2.0]))
def test_pairs_gain_what_they_must_and_rows_go_where_prediction_sends_them(
    problem, min_rows, pair_cost
):
    X, y, criterion, weight, n_levels = problem
    tree = grow(
        X,
        y,
        criterion,
        weight=weight,
        n_levels=n_levels,
        split="pair",
        pair_cost=pair_cost,
        min_samples_leaf=min_rows,
    )
    rows = rows_by_node(tree, X)
    is_number = separates_numbers(criterion)
    n_classes = 0 if is_number else max(2, int(y.max()) + 1)
    mass = np.ones(len(y)) if weight is None else weight
    asked = {} if is_number else asked_by(criterion, y)
    everything = Rows(y=y, mass=mass, n_classes=n_classes, **asked)
    categorical = {c for c, n in enumerate(n_levels) if n}
    for node in range(tree.n_nodes):
        at = np.array(rows[node])
        check_totals(tree, node, y[at], mass[at], n_classes)
        if tree.left[node] < 0:
            continue
        left = np.isin(at, rows[tree.left[node]])
        assert min(left.sum(), (~left).sum()) >= min_rows
        # The rule of gain ratios and smoothed scores need not order gains.
        if node not in two_terms(tree) or criterion in OTHER_SCALES:
            continue
        here = everything.take(at)
        cuts = gains_by_column(criterion, X[at], here, categorical, min_rows)
        best = max((value for column in cuts for value, _ in column), default=0)
        assert gain(criterion, here, left) > pair_cost * best - 1e-9 * mass.sum()
    leaves = tree.apply(make_table(X, n_levels))
    assert all(i in rows[leaf] for i, leaf in enumerate(leaves))


# --- one tree, however it is asked for ---


@pytest.mark.parametrize("limits", [{}, {"max_leaf_nodes": 9}, {"max_memory": 9000}])
def test_any_number_of_threads_grows_the_same_tree(limits):
    X, y = banded(1, 900, 6)
    one = GreedyTreeClassifier(split="pair", n_jobs=1, **limits).fit(X, y)
    assert len(two_terms(one.tree_)) > 0
    for n_jobs in (2, 3):
        other = GreedyTreeClassifier(split="pair", n_jobs=n_jobs, **limits).fit(X, y)
        assert other.tree_ == one.tree_


def test_sparse_and_dense_rows_give_the_same_tree():
    X, y = banded(2, 300, 5)
    X[np.random.default_rng(0).random(X.shape) < 0.3] = 0
    dense = GreedyTreeClassifier(split="pair").fit(X, y)
    assert len(two_terms(dense.tree_)) > 0
    compressed = GreedyTreeClassifier(split="pair").fit(sparse.csc_matrix(X), y)
    assert compressed.tree_ == dense.tree_
    screened = {"split": "pair", "max_pairs": 3}
    dense = GreedyTreeClassifier(**screened).fit(X, y)
    assert (
        dense.tree_
        == GreedyTreeClassifier(**screened).fit(sparse.csr_array(X), y).tree_
    )


def test_a_table_that_does_not_fit_is_cut_by_pairs_too():
    X, y = banded(3, 600, 4)
    X = np.round(X / X.std(axis=0), 1)  # few values: quantiles lose nothing
    whole = GreedyTreeClassifier(split="pair").fit(X, y)
    assert GreedyTreeClassifier(split="pair", max_memory=4000).fit(X, y).tree_ == (
        whole.tree_
    )


# --- what pairs are for ---


def test_a_sloping_line_is_one_cut_with_a_short_slope():
    random = np.random.default_rng(0)
    X = random.uniform(0, 10, (400, 3))
    y = X[:, 0] + 0.5 * X[:, 2] > 7
    model = GreedyTreeClassifier(split="pair").fit(X, y)
    assert model.get_n_leaves() == 2
    assert model.tree_.term_column.tolist() == [0, 2]
    assert model.tree_.term_weight.tolist() == [1.0, 0.5]
    step = np.where(y, 3.0, 1.0)
    assert GreedyTreeRegressor(split="pair").fit(X, step).get_n_leaves() == 2
    swapped = GreedyTreeClassifier(split="pair").fit(X * [1, 1, -1000], y)
    assert swapped.tree_.term_weight.tolist() == [1.0, -0.0005]


def test_a_pair_that_costs_too_much_is_not_used():
    X, y = banded(4, 200, 3)
    axis = GreedyTreeClassifier().fit(X, y)
    assert GreedyTreeClassifier(split="pair", pair_cost=1e6).fit(X, y).tree_ == (
        Tree(**{**_fields(axis.tree_), "fill": np.sort(X, axis=0)[99]})
    )


def _fields(tree):
    """Collect what a tree is made from."""
    return {name: getattr(tree, name) for name in tree.__dataclass_fields__}


def test_categories_and_missing_values_take_part():
    random = np.random.default_rng(0)
    n = 400
    city = random.choice(["bath", "cork", "york"], n)
    age = random.normal(40, 10, n)
    income = random.normal(50, 15, n)
    y = np.where(age / 10 + income / 15 + 2 * (city == "cork") > 8, "yes", "no")
    income[::19] = np.nan
    frame = pd.DataFrame({"age": age, "income": income, "city": city})
    model = GreedyTreeClassifier(split="pair", max_depth=4).fit(frame, y)
    text = str(model.tree_)
    assert "(city = cork)" in text
    assert "age + 0." in text
    assert model.tree_.fill[1] == np.sort(income[~np.isnan(income)])[(n - 22 - 1) // 2]
    again = Tree.from_json(model.tree_.to_json())
    assert again == model.tree_
    rows = pd.DataFrame({"age": [30.0], "income": [None], "city": ["oslo"]})
    assert model.predict(rows)[0] in {"yes", "no"}


def test_costs_of_three_classes_reach_the_search_and_the_leaves():
    X, y = banded(6, 300, 3)
    cost = [[0, 1, 9], [2, 0, 1], [1, 7, 0]]
    model = GreedyTreeClassifier(split="pair", cost=cost, min_samples_leaf=20).fit(X, y)
    assert len(two_terms(model.tree_)) > 0
    expected = model.predict_proba(X) @ np.array(cost)
    assert (model.predict(X) == expected.argmin(axis=1)).all()
    plain = GreedyTreeClassifier(split="pair", min_samples_leaf=20).fit(X, y)
    assert plain.tree_ != model.tree_


# --- many columns ---


def test_of_many_pairs_some_are_tried_and_their_number_is_said(capsys):
    random = np.random.default_rng(0)
    X = random.normal(size=(500, 40))
    y = X[:, 7] + X[:, 31] > 0
    model = GreedyTreeClassifier(split="pair", max_pairs=10, verbose=1).fit(X, y)
    assert (model.n_pairs_searched_, model.n_pairs_) == (10, 780)
    assert model.get_n_leaves() == 2  # the telling pair is among them
    said = capsys.readouterr().err
    assert "tried at most 10 of the 780 pairs of features a node" in said
    model = GreedyTreeClassifier(split="pair", verbose=1).fit(X, y)
    assert (model.n_pairs_searched_, model.n_pairs_) == (780, 780)
    assert "tried all 780 pairs of features a node" in capsys.readouterr().err
    assert not hasattr(model.set_params(split="axis").fit(X, y), "n_pairs_")


# --- odd tables ---


@pytest.mark.parametrize(
    "X",
    [
        [[1.0], [2.0], [3.0], [4.0]],
        [[1.0, 1.0], [2.0, 1.0], [3.0, 1.0], [4.0, 1.0]],
        [[1e308, -1e308], [-1e308, 1e308], [1e308, 1e308], [0.0, 5e-324]],
        [[np.nan, 1.0], [2.0, np.nan], [np.nan, np.nan], [4.0, 0.0]],
    ],
)
def test_tables_with_little_to_weigh(X):
    y = [0, 1, 0, 1]
    model = GreedyTreeClassifier(split="pair").fit(X, y)
    assert model.predict(X).tolist() == y
    assert GreedyTreeRegressor(split="pair").fit(X, y).predict(X).tolist() == y


def test_what_a_pair_may_cost_is_checked():
    message = "pair_cost must be a number >= 1, got 0.5"
    with pytest.raises(ParameterError, match=message):
        GreedyTreeClassifier(split="pair", pair_cost=0.5).fit([[1.0], [2.0]], [0, 1])


def test_files_keep_cuts_by_pairs():
    X, y = banded(7, 200, 3)
    model = GreedyTreeClassifier(split="pair").fit(X, y)
    text = json.dumps(json.loads(model.tree_.to_json()))
    again = Tree.from_json(text)
    assert (again.apply(X) == model.apply(X)).all()
