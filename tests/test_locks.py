from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes

from tanoak import (
    GreedyTreeClassifier,
    GreedyTreeRegressor,
    NodeLock,
    TAOTreeClassifier,
    TAOTreeRegressor,
)
from tanoak.estimators._locks import read_locks
from tanoak.exceptions import ParameterError

BOTH = [
    (TAOTreeClassifier, GreedyTreeClassifier, load_breast_cancer),
    (TAOTreeRegressor, GreedyTreeRegressor, load_diabetes),
]


def begun(each):
    """Read data and grow a start."""
    optimized, greedy, load = each
    X, y = load(return_X_y=True, as_frame=True)
    return optimized, X, y, greedy(max_depth=3).fit(X, y)


def objective(model, X, y):
    """Compute loss + price of a tree of one-feature splits anew."""
    tree = model.tree_
    if tree.classes is None:
        loss, stake = ((model.predict(X) - y) ** 2).sum(), y.var(ddof=0)
    else:
        loss, stake = (model.predict(X) != y).sum(), 1.0
    return loss + stake * model.split_penalty * (tree.left >= 0).sum()


@pytest.mark.parametrize("each", BOTH)
@pytest.mark.parametrize("split", ["axis", "pair", "oblique"])
def test_what_locks_cost_is_never_below_zero(each, split):
    optimized, X, y, start = begun(each)
    column = X.columns[start.tree_.term_column[0]]
    lock = NodeLock(node=0, never=(column,))
    model = optimized(split=split, init=start, locks=[lock]).fit(X, y)
    told = model.lock_cost_
    assert told.locked == model.history_[-1].objective
    assert told.free <= told.locked
    assert told.cost == told.locked - told.free
    unlocked = optimized(split=split, init=start).fit(X, y)
    assert told.free <= unlocked.history_[-1].objective


@pytest.mark.parametrize("each", BOTH)
def test_the_objectives_are_those_of_the_two_trees(each):
    optimized, X, y, start = begun(each)
    lock = NodeLock(node=0, only=(X.columns[2],))
    model = optimized(split="axis", init=start, locks=[lock]).fit(X, y)
    told = model.lock_cost_
    assert X.columns[model.tree_.term_column[0]] == X.columns[2]
    assert told.locked == pytest.approx(objective(model, X, y))
    model.tree_ = told.free_tree
    assert told.free == pytest.approx(objective(model, X, y))


def test_a_lock_that_forbids_what_is_best_costs_something():
    X = np.random.default_rng(0).normal(size=(200, 2))
    y = (X[:, 0] > 0).astype(int)
    start = GreedyTreeClassifier(max_depth=1).fit(X, y)
    locks = [NodeLock(node=0, never=(0,))]
    model = TAOTreeClassifier(split="axis", init=start, locks=locks).fit(X, y)
    assert model.lock_cost_.free == 1.0
    assert model.lock_cost_.cost > 50
    assert 0 not in model.tree_.term_column


def test_the_rest_is_optimized_after_a_lock_took_what_the_start_asks():
    _, X, y, start = begun(BOTH[1])
    locks = [NodeLock(node=0, only=(X.columns[2],))]
    model = TAOTreeRegressor(split="axis", init=start, locks=locks).fit(X, y)
    steps = [step.objective for step in model.history_]
    assert steps[1] > steps[0]
    assert len(steps) > 2
    assert steps[1:] == sorted(steps[1:], reverse=True)


def test_without_locks_nothing_is_said():
    X, y = load_breast_cancer(return_X_y=True)
    start = GreedyTreeClassifier(max_depth=2).fit(X, y)
    told = {"split": "axis", "init": start}
    model = TAOTreeClassifier(locks=[NodeLock(node=0, fixed=True)], **told).fit(X, y)
    assert model.lock_cost_
    plain = TAOTreeClassifier(**told).fit(X, y)
    assert not hasattr(plain, "lock_cost_")
    # A second fit forgets what the first one said.
    model.set_params(locks=None).fit(X, y)
    assert not hasattr(model, "lock_cost_")
    assert model.tree_ == plain.tree_


def test_a_fixed_root_stays_and_copies_keep_the_locks():
    X, y = load_breast_cancer(return_X_y=True)
    start = GreedyTreeClassifier(max_depth=3).fit(X, y)
    locks = [NodeLock(node=0, fixed=True)]
    model = clone(TAOTreeClassifier(init=start.tree_, locks=locks)).fit(X, y)
    assert model.tree_.threshold[0] == start.tree_.threshold[0]
    assert len(np.unique(model.tree_.term_column)) > 1


def test_directions_hold_for_sums():
    X, y = load_breast_cancer(return_X_y=True)
    start = GreedyTreeClassifier(max_depth=1).fit(X, y)
    columns = tuple(range(X.shape[1]))
    locks = [NodeLock(node=0, rising=columns)]
    model = TAOTreeClassifier(init=start, locks=locks).fit(X, y)
    assert (model.tree_.term_weight > 0).all()


def test_names_and_positions_mean_the_same():
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(50, 3)), columns=list("abc"))
    tree = GreedyTreeClassifier(max_depth=1).fit(X, X["a"] > 0).tree_
    by_name = NodeLock(node=0, never=("b",), rising="a")
    by_place = NodeLock(node=0, never=(1,), rising=(0,))
    assert read_locks([by_name], tree, tree.columns) == (by_place,)
    assert read_locks((by_place,), tree, tree.columns) == (by_place,)
    assert read_locks([], None, tree.columns) == ()


@pytest.mark.parametrize(
    ("locks", "said"),
    [
        (NodeLock(node=0), "give a list of tanoak.NodeLock"),
        ([0], "give a list of tanoak.NodeLock"),
        ("root", "give a list of tanoak.NodeLock"),
        ([NodeLock(node=1)], r"the node 1, the splits of the start are \[0\]"),
        ([NodeLock(node=True)], "the node True"),
        ([NodeLock(node="0")], "the node '0'"),
        ([NodeLock(node=0), NodeLock(node=0)], "the node 0 twice"),
        ([NodeLock(node=0, never=("age",))], "the column 'age', which X does not have"),
        ([NodeLock(node=0, rising=(2,))], "the column 2, which X does not have"),
        ([NodeLock(node=0, rising=(1,), falling=(1,))], "both rising and falling"),
        ([NodeLock(node=0, never=(0, 1))], "leaves it no column"),
        ([NodeLock(node=0, only=())], "leaves it no column"),
    ],
)
def test_locks_that_do_not_fit_are_refused(locks, said):
    X, y = [[1.0, 0.0], [2.0, 1.0]], [0, 1]
    start = GreedyTreeClassifier().fit(X, y)
    with pytest.raises(ParameterError, match=said):
        TAOTreeClassifier(init=start, locks=locks).fit(X, y)


def test_locks_need_a_start():
    with pytest.raises(ParameterError, match="there is none: give a Tree"):
        TAOTreeClassifier(locks=[NodeLock(node=0)]).fit([[1.0], [2.0]], [0, 1])
