"""Trees in; the cheapest subtree for every price of a leaf out, against all of them."""

from __future__ import annotations

import numpy as np
import pytest
from growing import grow
from hypothesis import given
from hypothesis import strategies as st
from reference.slow_prune import (
    cheapest_subtree,
    mean_cost_of_node,
    pessimistic_ends,
)
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from trees import (
    QUICK,
    Leaf,
    axis,
    build,
    cases,
    chain,
    columns_of,
    complete,
    credit_tree,
    lone_leaf,
    regression_tree,
)

from tanoak import (
    CostMatrix,
    GreedyTreeClassifier,
    GreedyTreeRegressor,
    Tree,
    _core,
    cost_loss,
    pruning_path,
)
from tanoak._prune import pessimistic_nodes
from tanoak.exceptions import ParameterError

COST = CostMatrix([[0, 5, 1], [2, 0, 3], [9, 4, 0]], ("a", "b", "c"))


def noisy(n=400, seed=0):
    """Rows of three classes that overlap."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 4))
    noisy_score = X[:, 0] + X[:, 1] * X[:, 2] + random.normal(size=n)
    return X, np.array(list("abc"))[np.digitize(noisy_score, [-0.6, 0.5])]


def prices_of_interest(path):
    """Alphas of a path, and prices between and beyond them."""
    between = (path.alphas[1:] + path.alphas[:-1]) / 2
    return [*path.alphas, *between, path.alphas[-1] * 2 + 1]


# --- against all subtrees ---


@QUICK
@given(cases(n_splits=6))
def test_the_cheapest_subtree_at_every_price(drawn):
    tree, _ = drawn
    for alpha in prices_of_interest(pruning_path(tree)):
        cost, ends = cheapest_subtree(tree, alpha)
        pruned = tree.prune(alpha=float(alpha))
        assert pruned.n_leaves == len(ends)
        assert pruned == tree.prune(ends)
        found = sum(
            mean_cost_of_node(pruned, i) for i in np.flatnonzero(pruned.is_leaf)
        )
        assert found == pytest.approx(cost, rel=1e-9, abs=1e-12)


@QUICK
@given(cases(n_splits=12))
def test_a_path_is_nested_convex_and_ends_at_the_root(drawn):
    tree, _ = drawn
    path = pruning_path(tree)
    assert path.alphas[0] == 0
    assert path.n_leaves[-1] == 1
    assert (np.diff(path.alphas) > 0).all()
    assert (np.diff(path.n_leaves) < 0).all()
    assert (np.diff(path.costs) >= -1e-12).all()
    slopes = np.diff(path.costs) / -np.diff(path.n_leaves)
    np.testing.assert_allclose(slopes, path.alphas[1:], rtol=1e-6, atol=1e-12)
    for larger, smaller in zip(path, list(path)[1:], strict=False):
        again = larger.prune(alpha=0.0).n_leaves
        assert again == larger.n_leaves
        # Nested: the smaller one can be had by pruning the larger one.
        alpha = path.alphas[path.n_leaves.tolist().index(smaller.n_leaves)]
        assert larger.prune(alpha=float(alpha)).n_leaves == smaller.n_leaves
    for tree_at, cost, n_leaves in zip(path, path.costs, path.n_leaves, strict=True):
        assert mean_total(tree_at) == pytest.approx(cost, rel=1e-9, abs=1e-12)
        assert tree_at.n_leaves == n_leaves
        assert Tree.from_json(tree_at.to_json()) == tree_at


@QUICK
@given(cases(n_splits=9, weighted=False), st.integers(1, 11))
def test_the_most_leaves(drawn, n_leaves):
    tree, _ = drawn
    path = pruning_path(tree)
    pruned = tree.prune(n_leaves=n_leaves)
    assert pruned.n_leaves <= n_leaves
    if n_leaves >= tree.n_leaves:
        assert pruned == tree
        return
    assert pruned.n_leaves >= path.n_leaves[path.n_leaves <= n_leaves][0]
    # It is a cheapest one for the price at which the path passes it.
    at = int(np.argmax(path.n_leaves <= pruned.n_leaves))
    total = mean_total(pruned) + path.alphas[at] * pruned.n_leaves
    best = path.costs[at] + path.alphas[at] * path.n_leaves[at]
    assert total == pytest.approx(best, rel=1e-9, abs=1e-12)


def mean_total(tree):
    """Mean training cost of a tree."""
    return sum(mean_cost_of_node(tree, i) for i in np.flatnonzero(tree.is_leaf))


def test_by_hand():
    low = axis(0, 1.0, Leaf([8, 1]), Leaf([3, 3]))
    high = axis(0, 3.0, Leaf([0, 4]), Leaf([1, 2]))
    tree = build(axis(0, 2.0, low, high), columns_of(None), ("no", "yes"))
    # The lower splits change no answer: right of them "no" and "yes" tie, or agree.
    path = pruning_path(tree)
    np.testing.assert_allclose(path.alphas, [0.0, 5 / 22])
    assert path.n_leaves.tolist() == [2, 1]
    np.testing.assert_allclose(path.costs, [5 / 22, 10 / 22])
    assert path[0] == tree.prune([1, 4])
    # Calling a "yes" row "no" costs 3: now the third leaf is called "yes".
    cost = CostMatrix([[0, 1], [3, 0]], ("no", "yes"))
    path = pruning_path(build_again(tree, cost=cost))
    assert path.n_leaves.tolist() == [3, 1]
    np.testing.assert_allclose(path.costs, [7 / 22, 12 / 22])
    np.testing.assert_allclose(path.alphas, [0, 2.5 / 22])


def build_again(tree, **more):
    """Make a tree anew with answers of least cost."""
    fields = {**tree.arrays(), "label": None, **more}
    return Tree(columns=tree.columns, classes=tree.classes, **fields)


def test_prices_that_differ_by_rounding_are_one():
    # Sums of tenths differ in the last bit, sums of whole numbers do not.
    random = np.random.default_rng(0)
    tree = complete(8)
    tenths = np.zeros((tree.n_nodes, 2))
    leaves = np.flatnonzero(tree.is_leaf)
    tenths[leaves, random.integers(0, 2, len(leaves))] = random.integers(
        1, 5, len(leaves)
    )
    costs = tenths / 10
    for at in reversed(np.flatnonzero(~tree.is_leaf)):
        for values in (tenths, costs):
            values[at] = values[tree.left[at]] + values[tree.right[at]]
    path = pruning_path(build_again(tree, answer_costs=costs))
    exact = pruning_path(build_again(tree, answer_costs=tenths))
    assert path.n_leaves.tolist() == exact.n_leaves.tolist()
    np.testing.assert_allclose(path.alphas * 10, exact.alphas, rtol=1e-9)
    raw = _core.weakest_links(tree.left, tree.right, costs.min(axis=1))[0]
    assert len(np.unique(raw[np.isfinite(raw)])) > len(path)


# --- what costs mean: the same as cost_loss ---


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("cost", [None, COST])
def test_costs_are_those_of_cost_loss(cost, weighted):
    X, y = noisy()
    weight = np.random.default_rng(1).random(len(y)) if weighted else None
    tree = GreedyTreeClassifier(cost=cost).fit(X, y, sample_weight=weight).tree_
    path = pruning_path(tree)
    assert len(path) > 10
    for pruned, expected in zip(path, path.costs, strict=True):
        found = cost_loss(y, pruned.predict(X), cost=cost, sample_weight=weight)
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_costs_of_rows_are_those_of_cost_loss():
    X, y = noisy()
    row_costs = np.random.default_rng(1).random((len(y), 3))
    tree = GreedyTreeClassifier().fit(X, y, row_costs=row_costs).tree_
    path = pruning_path(tree)
    for pruned, expected in zip(path, path.costs, strict=True):
        found = cost_loss(y, pruned.predict(X), row_costs=row_costs)
        assert found == pytest.approx(expected, rel=1e-9)


def test_priors_count_as_weights():
    X, y = noisy()
    priors = {"a": 0.7, "b": 0.2, "c": 0.1}
    tree = GreedyTreeClassifier(cost=COST, priors=priors).fit(X, y).tree_
    weight = tree.class_factor[np.searchsorted(list("abc"), y)]
    path = pruning_path(tree)
    for pruned, expected in zip(path, path.costs, strict=True):
        found = cost_loss(y, pruned.predict(X), cost=COST, sample_weight=weight)
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_costs_of_numbers_are_mean_squared_errors():
    X, y = load_diabetes(return_X_y=True)
    path = pruning_path(GreedyTreeRegressor(min_samples_leaf=10).fit(X, y).tree_)
    for pruned, expected in zip(path, path.costs, strict=True):
        error = ((pruned.predict(X) - y) ** 2).mean()
        assert error == pytest.approx(expected, rel=1e-9)


def test_costs_twice_as_high_double_the_alphas_and_orientation_matters():
    X, y = noisy()
    one = GreedyTreeClassifier(cost=COST.values).fit(X, y).tree_
    two = GreedyTreeClassifier(cost=2 * COST.values).fit(X, y).tree_
    np.testing.assert_array_equal(
        pruning_path(one).alphas * 2, pruning_path(two).alphas
    )
    turned = build_again(one, cost=CostMatrix(COST.values.T, COST.classes))
    assert pruning_path(turned).costs.tolist() != pruning_path(one).costs.tolist()


# --- scikit-learn's path as an oracle ---


def test_the_path_of_squared_error_is_that_of_scikit_learn():
    X, y = load_diabetes(return_X_y=True)
    weight = np.random.default_rng(0).random(len(y))
    theirs = DecisionTreeRegressor(min_samples_leaf=5, random_state=0)
    expected = theirs.cost_complexity_pruning_path(X, y, sample_weight=weight)
    ours = GreedyTreeRegressor(min_samples_leaf=5).fit(X, y, sample_weight=weight)
    path = pruning_path(ours.tree_)
    np.testing.assert_allclose(path.alphas, expected.ccp_alphas, rtol=1e-7)
    np.testing.assert_allclose(path.costs, expected.impurities, rtol=1e-7)


def test_the_path_of_gini_is_that_of_scikit_learn():
    # Gini of two classes is twice the variance of 0 and 1, and so are its trees.
    X, y = load_breast_cancer(return_X_y=True)
    theirs = DecisionTreeClassifier(min_samples_leaf=5, random_state=0)
    expected = theirs.cost_complexity_pruning_path(X, y)
    ours = GreedyTreeRegressor(min_samples_leaf=5).fit(X, y.astype(float))
    path = pruning_path(ours.tree_)
    alphas = expected.ccp_alphas[expected.ccp_alphas > 1e-12]
    np.testing.assert_allclose(2 * path.alphas[1:], alphas, rtol=1e-9)


# --- pessimistic ---


@QUICK
@given(cases(n_splits=10), st.booleans(), st.integers(0, 2**32 - 1))
def test_pessimistic_pruning_from_the_root_down(drawn, with_costs, seed):
    tree, _ = drawn
    if tree.classes is None or len(tree.classes) == 1 or tree.masses[0].sum() == 0:
        return
    n_classes = len(tree.classes)
    values = 1.0 - np.eye(n_classes)
    if with_costs:
        values *= np.random.default_rng(seed).integers(1, 9, (n_classes, n_classes))
        tree = build_again(tree, cost=CostMatrix(values, tree.classes))
    ends = pessimistic_ends(tree, values.tolist())
    assert tree.prune(pessimistic_nodes(tree, tree.cost)) == tree.prune(ends)


def test_pessimistic_pruning_by_hand():
    # 3 + 0.5 mistakes as a leaf; below 1 + 2 x 0.5 = 2, and its standard error is
    # sqrt(2 x 28 / 30) = 1.366: 3.5 is more than 3.366.
    tree = build(
        axis(0, 0.0, Leaf([26, 1]), Leaf([0, 3])), columns_of(None), ("no", "yes")
    )
    assert tree.label[0] == 0
    assert tree.counts[0].tolist() == [26, 4]
    # 4 + 0.5 against 1 + 1 + 1.366: stays.
    assert pessimistic_nodes(tree, None).tolist() == []
    # 3 + 0.5 against 1 + 1 + sqrt(2 x 27 / 29) = 3.365: stays, just.
    tree = build(
        axis(0, 0.0, Leaf([26, 1]), Leaf([0, 2])), columns_of(None), ("no", "yes")
    )
    assert pessimistic_nodes(tree, None).tolist() == []
    # 2 + 0.5 against 1 + 1 + ...: goes.
    tree = build(
        axis(0, 0.0, Leaf([26, 1]), Leaf([0, 1])), columns_of(None), ("no", "yes")
    )
    assert pessimistic_nodes(tree, None).tolist() == [0]


def test_pessimistic_pruning_without_anything_at_stake():
    tree = complete(3)
    nothing = build_again(tree, answer_costs=np.zeros((tree.n_nodes, 2)))
    assert pessimistic_nodes(nothing, None).tolist() == [0]
    assert pruning_path(nothing).n_leaves.tolist() == [1]


# --- on request ---


def test_what_a_path_shows():
    path = pruning_path(regression_tree())
    assert repr(path) == "<PruningPath: 3 subtrees of 3 to 1 leaves>"
    table = path.to_dict()
    assert list(table) == ["alpha", "n_leaves", "cost"]
    assert table["n_leaves"] == [3, 2, 1]
    assert path[-1].n_nodes == 1
    assert [tree.n_leaves for tree in path] == [3, 2, 1]
    assert len(pruning_path(lone_leaf())) == 1


def test_a_tree_grown_by_any_criterion_has_a_path():
    X, y = load_wine(return_X_y=True)
    for criterion in ("gini", "entropy"):
        path = pruning_path(grow(X, y, criterion))
        assert path.costs[0] == 0
        assert path.n_leaves[-1] == 1


@pytest.mark.parametrize("tree", [complete(15), chain(40_000)], ids=["wide", "deep"])
def test_large_trees(tree):
    path = pruning_path(tree)
    assert tree.prune(alpha=float(path.alphas[-1])).n_nodes == 1
    assert tree.prune(n_leaves=5).n_leaves <= 5
    assert path[0].n_leaves == path.n_leaves[0]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "pruning needs either alpha or n_leaves, got neither"),
        (
            {"alpha": 0, "n_leaves": 2},
            "pruning needs either alpha or n_leaves, got both",
        ),
        ({"node_ids": [1], "alpha": 0}, "prune takes node_ids, alpha or n_leaves, got"),
        ({"alpha": -1}, "alpha must be None, a number >= 0 or inf, got -1"),
        ({"alpha": np.nan}, "alpha must be None, a number >= 0 or inf, got nan"),
        ({"alpha": "cv"}, "alpha must be None, a number >= 0 or inf, got 'cv'"),
        ({"n_leaves": 0}, "n_leaves must be None or an integer >= 1, got 0"),
        ({"n_leaves": 2.0}, "n_leaves must be None or an integer >= 1, got 2.0"),
    ],
)
def test_what_cannot_be_asked_for(given, message):
    with pytest.raises(ParameterError, match=message):
        credit_tree().prune(**given)
