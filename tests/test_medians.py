from __future__ import annotations

import numpy as np
import pytest
from growing import grow, make_table
from sklearn.tree import DecisionTreeRegressor

from tanoak import GreedyTreeRegressor, Tree
from tanoak._held_out import Rows, node_losses
from tanoak._medians import node_medians


def test_medians_of_a_tree_worked_by_hand():
    X = np.array([[0.0], [0], [0], [1], [1], [1], [1]])
    y = np.array([1.0, 2, 9, 20, 21, 23, 40])
    tree = grow(X, y, "absolute_error", max_depth=1)
    assert tree.mean.tolist() == [20, 2, 22]
    assert tree.sae.tolist() == [19 + 18 + 11 + 0 + 1 + 3 + 20, 8, 2 + 1 + 1 + 18]
    np.testing.assert_allclose(tree.sse[1], 1 + 0 + 49)


def test_weights_move_the_median():
    X, y = np.zeros((3, 1)), np.array([1.0, 5, 7])
    assert grow(X, y, "absolute_error").mean.tolist() == [5]
    heavy = grow(X, y, "absolute_error", weight=np.array([0.7, 0.1, 0.2]))
    assert heavy.mean.tolist() == [1]
    half = grow(X, y, "absolute_error", weight=np.array([2.0, 1, 1]))
    assert half.mean.tolist() == [3]


@pytest.mark.parametrize("weighted", [False, True])
def test_absolute_error_is_that_of_scikit_learn_at_every_depth(weighted):
    random = np.random.default_rng(0)
    X = random.normal(size=(400, 4))
    y = X[:, 0] * X[:, 1] + np.abs(random.normal(size=400)) ** 3
    weight = random.integers(1, 4, 400).astype(float) if weighted else None
    options = {"criterion": "absolute_error", "max_depth": 3}
    theirs = DecisionTreeRegressor(random_state=0, **options)
    theirs.fit(X, y, sample_weight=weight)
    ours = GreedyTreeRegressor(**options).fit(X, y, sample_weight=weight)
    size = theirs.tree_.weighted_n_node_samples
    other = np.bincount(depth_of(theirs.tree_), theirs.tree_.impurity * size)
    mine = np.bincount(ours.tree_.node_depth, ours.tree_.sae)
    np.testing.assert_allclose(mine, other, rtol=1e-9)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-9)


def depth_of(tree):
    """Depth of each node of scikit-learn's tree."""
    depth = np.zeros(tree.node_count, dtype=int)
    for node in range(tree.node_count):
        for child in (tree.children_left[node], tree.children_right[node]):
            if child >= 0:
                depth[child] = depth[node] + 1
    return depth


def test_an_outlier_moves_no_answer():
    X = np.arange(20.0)[:, None]
    y = np.where(np.arange(20) < 10, 1.0, 2.0)
    y[3] = 1e9
    model = GreedyTreeRegressor(criterion="absolute_error", max_depth=1).fit(X, y)
    assert model.predict([[0.0], [19.0]]).tolist() == [1, 2]


def test_tree_of_medians_is_stored_printed_and_pruned():
    random = np.random.default_rng(1)
    X = random.normal(size=(200, 2))
    y = X[:, 0] + random.normal(size=200)
    tree = grow(X, y, "absolute_error", max_depth=3)
    again = Tree.from_json(tree.to_json())
    assert again == tree
    assert again.sae.tolist() == tree.sae.tolist()
    assert "median" in str(tree)
    pruned = tree.prune(n_leaves=3)
    assert pruned.n_leaves <= 3
    assert pruned.sae[0] == tree.sae[0]
    other = grow(X, y, "squared_error", max_depth=3)
    assert other.sae is None
    assert '"sae"' not in other.to_json()


def test_sums_do_not_depend_on_the_order_of_rows():
    random = np.random.default_rng(2)
    X, y, weight = (
        random.normal(size=(300, 3)),
        random.normal(size=300),
        random.random(300),
    )
    tree = grow(X, y, "absolute_error", weight=weight, max_depth=4)
    leaf = tree.apply(X)
    order = random.permutation(300)
    one = node_medians(tree, leaf, y, weight)
    other = node_medians(tree, leaf[order], y[order], weight[order])
    assert np.array_equal(one, other)


@pytest.mark.parametrize("prune", ["cv", "cv_1se", "holdout", "reduced_error", 0.05])
def test_pruning_counts_absolute_errors(prune):
    random = np.random.default_rng(3)
    X = random.normal(size=(300, 2))
    y = np.where(X[:, 0] > 0, 10.0, 0.0) + random.standard_t(1.5, size=300)
    model = GreedyTreeRegressor(criterion="absolute_error", prune=prune).fit(X, y)
    assert 2 <= model.get_n_leaves() < 60
    assert abs(model.predict([[1.0, 0.0]])[0] - 10) < 1


def test_absolute_errors_of_nodes_on_other_rows():
    random = np.random.default_rng(4)
    X, y = random.normal(size=(100, 2)), random.normal(size=100)
    tree = grow(X, y, "absolute_error", max_depth=3)
    new, target, weight = X[:40] * 2, y[:40] + 1, random.random(40)
    rows = Rows(table=make_table(new), target=target, sample_weight=weight)
    path = tree.decision_path(make_table(new)).toarray()
    away = np.abs(target[:, None] - tree.mean)
    expected = (path * away * weight[:, None]).sum(axis=0)
    np.testing.assert_allclose(node_losses(tree, rows), expected)
