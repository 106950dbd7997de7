"""A tree and rows of one's own in; its best subtree out, or a clear sentence."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from trees import credit_tree, regression_tree

from tanoak import (
    CostMatrix,
    GreedyTreeClassifier,
    GreedyTreeRegressor,
    Tree,
    cost_loss,
    prune_on,
    pruning_path,
)
from tanoak.exceptions import CostError, ParameterError, TableError

COST = [[0, 5, 1], [2, 0, 3], [9, 4, 0]]


def noisy(n_rows, seed):
    """Rows of three classes that overlap."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, 4))
    score = X[:, 0] + X[:, 1] * X[:, 2] + random.normal(size=n_rows)
    return X, np.array(list("abc"))[np.digitize(score, [-0.6, 0.5])]


@pytest.mark.parametrize("with_rows", [False, True])
def test_the_cheapest_of_the_path_by_the_public_loss(with_rows):
    X, y = noisy(300, 0)
    random = np.random.default_rng(1)
    tree = GreedyTreeClassifier(cost=COST).fit(X, y).tree_
    X, y = noisy(200, 2)
    weight = random.integers(1, 4, 200)
    by_row = random.random((200, 3)) if with_rows else None
    paid = [
        cost_loss(y, each.predict(X), cost=COST, row_costs=by_row, sample_weight=weight)
        for each in pruning_path(tree)
    ]
    best = max(i for i in range(len(paid)) if paid[i] <= min(paid) + 1e-12)
    pruned = prune_on(tree, X, y, sample_weight=weight, row_costs=by_row)
    assert pruned == pruning_path(tree)[best]
    more = prune_on(
        tree, X, y, method="reduced_error", sample_weight=weight, row_costs=by_row
    )
    answers = more.predict(X)
    loss = cost_loss(y, answers, cost=COST, row_costs=by_row, sample_weight=weight)
    assert loss <= min(paid) + 1e-12
    smaller = prune_on(
        tree, X, y, method="path_1se", sample_weight=weight, row_costs=by_row
    )
    assert smaller.n_leaves <= pruned.n_leaves


def test_the_orientation_of_costs_matters():
    X, y = noisy(300, 0)
    tree = GreedyTreeClassifier(cost=COST).fit(X, y).tree_
    turned = CostMatrix(np.transpose(COST), ("a", "b", "c"))
    fields = {**tree.arrays(), "label": None}
    other = Tree(columns=tree.columns, classes=tree.classes, cost=turned, **fields)
    X, y = noisy(300, 5)
    assert prune_on(tree, X, y).predict(X).tolist() != (
        prune_on(other, X, y).predict(X).tolist()
    )


def test_priors_count_as_they_did_in_training():
    X, y = noisy(300, 0)
    priors = {"a": 0.7, "b": 0.2, "c": 0.1}
    tree = GreedyTreeClassifier(cost=COST, priors=priors).fit(X, y).tree_
    X, y = noisy(200, 2)
    weight = tree.class_factor[np.searchsorted(list("abc"), y)]
    paid = [
        cost_loss(y, each.predict(X), cost=COST, sample_weight=weight)
        for each in pruning_path(tree)
    ]
    best = max(i for i in range(len(paid)) if paid[i] <= min(paid) + 1e-12)
    assert prune_on(tree, X, y) == pruning_path(tree)[best]


def test_numbers_pay_squared_errors():
    X, y = load_diabetes(return_X_y=True)
    tree = GreedyTreeRegressor(min_samples_leaf=3).fit(X[:300], y[:300]).tree_
    paid = [((e.predict(X[300:]) - y[300:]) ** 2).mean() for e in pruning_path(tree)]
    best = max(i for i in range(len(paid)) if paid[i] <= min(paid) * (1 + 1e-12))
    assert prune_on(tree, X[300:], y[300:]) == pruning_path(tree)[best]


ROWS = [[20.0, "car", 1.0], [40.0, "tv", 2.0]]


@pytest.mark.parametrize(
    ("y", "given", "error", "message"),
    [
        (["bad", "good"], {"method": "cv"}, ParameterError, "method must be 'path', "),
        (["bad", "ugly"], {}, TableError, "y holds 'ugly' in row 1, the classes are"),
        (["bad"], {}, TableError, r"y has shape \(1,\) for 2 rows of X"),
        (["bad", "bad"], {"row_costs": [[1, 2]]}, CostError, "row_costs"),
        (["bad", "bad"], {"sample_weight": [1, -1]}, CostError, "sample_weight"),
    ],
)
def test_what_cannot_be_asked_of_classes(y, given, error, message):
    with pytest.raises(error, match=message):
        prune_on(credit_tree(), ROWS, y, **given)


@pytest.mark.parametrize(
    ("y", "given", "error", "message"),
    [
        (["a", "b"], {}, TableError, "y must hold a number for each row"),
        ([1.0], {}, TableError, r"y has shape \(1,\) for 2 rows of X: give one a row"),
        ([1.0, np.nan], {}, TableError, "y holds nan in row 1: leave out rows"),
        (
            [1, 2],
            {"row_costs": [[1], [2]]},
            ParameterError,
            "this is a regression tree",
        ),
    ],
)
def test_what_cannot_be_asked_of_numbers(y, given, error, message):
    with pytest.raises(error, match=message):
        prune_on(regression_tree(), [[1.0, 2.0], [3.0, 4.0]], y, **given)
