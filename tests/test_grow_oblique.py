from __future__ import annotations

import numpy as np
import pytest
from growing import asked_by, grow, make_table
from hypothesis import given
from hypothesis import strategies as st
from reference.slow_climb import climb, decrease, impurity
from reference.slow_growth import check_growth
from scipy import sparse
from test_grow_properties import EXAMPLES, problems

from tanoak import GreedyTreeClassifier, GreedyTreeRegressor, Tree
from tanoak import serve as serving
from tanoak.costs import resolve_costs


def oblique(X, y, criterion="gini", **settings):
    """Grow with few climbs, unless more are asked for."""
    return grow(X, y, criterion, split="oblique", **{"n_restarts": 3, **settings})


def n_terms(tree):
    """Terms of each inner node."""
    return np.diff(tree.term_start)[tree.left >= 0]


def slanted(n_rows, n_columns=2, noise=0.0, seed=0):
    """Draw rows on both sides of a slanted hyperplane."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, n_columns))
    signs = np.where(np.arange(n_columns) % 2 == 0, 1.0, -0.6)
    y = (X @ signs > 0.2).astype(int)
    flip = random.random(n_rows) < noise
    return X, np.where(flip, 1 - y, y)


@EXAMPLES
@given(
    problems(),
    st.integers(1, 3),
    st.sampled_from([None, 2]),
    st.integers(0, 3),
)
def test_no_node_is_worse_than_its_best_cut_on_one_column(
    problem, min_rows, depth, seed
):
    X, y, criterion, weight, n_levels = problem
    if criterion == "gain_ratio":  # columns are not chosen by their largest gain
        criterion = "entropy"
    tree = oblique(
        X,
        y,
        criterion,
        weight=weight,
        n_levels=n_levels,
        min_samples_leaf=min_rows,
        max_depth=depth,
        seed=seed,
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
        **asked_by(criterion, y),
    )


@EXAMPLES
@given(problems(), st.sampled_from([None, 3]))
def test_rows_end_where_training_put_them(problem, n_leaves):
    X, y, criterion, weight, n_levels = problem
    tree = oblique(
        X, y, criterion, weight=weight, n_levels=n_levels, max_leaf_nodes=n_leaves
    )
    table = make_table(X, n_levels)
    leaf = tree.apply(table)
    rows = np.bincount(leaf, minlength=tree.n_nodes)
    assert (rows[tree.is_leaf] == tree.counts[tree.is_leaf].sum(axis=1)).all()
    again = Tree.from_json(tree.to_json())
    assert again == tree
    assert np.array_equal(again.apply(table), leaf)


def test_a_slanted_line_is_one_split():
    X, y = slanted(300)
    tree = oblique(X, y, n_restarts=20)
    assert tree.n_leaves == 2
    assert n_terms(tree).tolist() == [2]
    assert grow(X, y).n_leaves > 10
    weights = tree.term_weight
    assert weights[1] / weights[0] == pytest.approx(-0.6, abs=0.05)


def test_what_a_plain_climb_reaches_is_reached():
    ours, plain = [], []
    for seed in range(12):
        X, y = slanted(24, 3, noise=0.2, seed=seed)
        if len(np.unique(y)) < 2:
            continue
        tree = oblique(X, y, max_depth=1, n_restarts=20, seed=seed)
        left = tree.apply(X) == tree.left[0]
        ours.append(decrease(y, left))
        axis = grow(X, y, max_depth=1)
        start = np.zeros(3)
        start[axis.term_column[0]] = 1
        plain.append(climb((start, axis.threshold[0]), X, y))
    assert all(gain >= other - 1e-9 for gain, other in zip(ours, plain, strict=True))
    assert np.mean(ours) > 1.02 * np.mean(plain)


@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error"])
def test_threads_do_not_change_the_tree(criterion):
    X, y = slanted(3000, 6, noise=0.2)
    target = X[:, 0] + y if criterion == "squared_error" else y
    settings = {"min_samples_leaf": 40, "seed": 5}
    one = oblique(X, target, criterion, **settings)
    assert (n_terms(one) > 1).any()
    for n_threads in (2, 3):
        assert oblique(X, target, criterion, n_threads=n_threads, **settings) == one
    assert oblique(X, target, criterion, **{**settings, "seed": 6}) != one


def test_memory_only_moves_thresholds_of_upper_nodes():
    X, y = slanted(2000, 4, noise=0.1)
    X = np.round(X * 8) / 8  # few values: quantiles keep them apart
    small = oblique(X, y, min_samples_leaf=50, max_memory=20_000)
    assert small == oblique(X, y, min_samples_leaf=50)


def test_zeros_left_out_change_nothing():
    X, y = slanted(400, 8, noise=0.1)
    X = np.where(np.random.default_rng(1).random(X.shape) < 0.7, 0, X)
    X[::17, 2] = np.nan
    dense = oblique(X, y)
    assert (n_terms(dense) > 1).any()
    for kind in (sparse.csc_array, sparse.csr_array):
        assert oblique(kind(X), y) == dense


def test_three_classes_with_costs():
    random = np.random.default_rng(2)
    X = random.normal(size=(60, 3))
    y = np.digitize(X[:, 0] - X[:, 1] + random.normal(size=60) / 3, [-0.5, 0.7])
    cost = np.array([[0, 2, 3], [7, 0, 1], [1, 9, 0]])
    costs = resolve_costs(cost, y, range(3))
    tree = oblique(X, y, costs=costs)
    assert (n_terms(tree) > 1).any()
    check_growth(tree, X, y, "gini", class_mass=costs.growth_factor)
    expected = tree.masses @ cost
    assert np.array_equal(tree.label, expected.argmin(axis=1))


def test_missing_values_take_the_median():
    X, y = slanted(400)
    X[:150, 0] = np.nan
    tree = oblique(X, y, n_restarts=20, max_depth=1)
    assert n_terms(tree).tolist() == [2]
    assert tree.fill[0] == np.sort(X[150:, 0])[(len(X) - 150 - 1) // 2]
    weights = dict(zip(tree.term_column, tree.term_weight, strict=True))
    sums = np.where(np.isnan(X[:, 0]), tree.fill[0], X[:, 0]) * weights[0]
    left = sums + X[:, 1] * weights[1] <= tree.threshold[0]
    assert np.array_equal(tree.apply(X) == tree.left[0], left)


def test_best_first_makes_the_most_useful_splits():
    X, y = slanted(600, 4, noise=0.15)
    whole = oblique(X, y, max_leaf_nodes=600)
    small = oblique(X, y, max_leaf_nodes=4)
    assert small.n_leaves == 4
    assert whole == oblique(X, y)

    def impure(tree):
        leaves = tree.counts[tree.is_leaf]
        labels = [np.repeat([0, 1], counts) for counts in leaves]
        return sum(impurity(k) for k in labels)

    assert impure(whole) <= impure(small) < impure(oblique(X, y, max_leaf_nodes=3))


@pytest.mark.parametrize("model", [GreedyTreeClassifier, GreedyTreeRegressor])
def test_estimators_draw_from_random_state(model):
    X, y = slanted(400, 5, noise=0.2)
    settings = {"split": "oblique", "n_restarts": 2, "max_depth": 3}
    trees = [
        model(**settings, random_state=seed).fit(X, y).tree_
        for seed in (0, 0, 1, 2**32 - 1)
    ]
    assert trees[0] == trees[1]
    assert trees[0] != trees[2]
    few = model(**settings, n_jumps=0).fit(X, y).tree_
    assert few != trees[0]


def test_categories_are_weighed_by_name():
    random = np.random.default_rng(3)
    n = 400
    region = random.choice(["north", "south", "west"], n)
    income = random.normal(size=n)
    y = income + np.where(region == "north", 1.5, 0) > 0.5
    table = {"income": income, "region": region}
    model = GreedyTreeClassifier(split="oblique", max_depth=1).fit(table, y)
    tree = model.tree_
    assert tree.n_leaves == 2
    levels = tree.columns.levels[1]
    named = {
        levels[level] if level >= 0 else tree.columns.names[column]
        for column, level in zip(tree.term_column, tree.term_level, strict=True)
    }
    assert "income" in named
    assert named & {"north", "south", "west"}
    assert (model.predict(table) == y).mean() > 0.98
    served = serving.loads(tree.to_json())
    assert np.array_equal(served.predict(table), model.predict(table))


def test_pruning_and_weights_of_zero():
    X, y = slanted(500, 4, noise=0.25)
    model = GreedyTreeClassifier(split="oblique", n_restarts=3, prune="cv")
    assert model.fit(X, y).tree_.n_leaves < 20
    weight = np.repeat([1.0, 0.0], 250)
    part = GreedyTreeClassifier(split="oblique", n_restarts=3)
    assert (
        part.fit(X, y, sample_weight=weight).tree_.to_json()
        == part.fit(X[:250], y[:250]).tree_.to_json()
    )


def test_a_signal_stops_the_search():
    X, y = slanted(20_000, 30, noise=0.3)

    def stop(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        oblique(X, y, n_restarts=500, on_progress=stop)
