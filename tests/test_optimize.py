from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import slow_tao
from scipy import sparse

from tanoak._grow import GrowSettings, grow_classes, grow_numbers
from tanoak._optimize import (
    OptimizeSettings,
    Stopped,
    optimize_classes,
    optimize_numbers,
)
from tanoak._table import read_table
from tanoak._tao_state import NodeLock
from tanoak.costs import resolve_costs

GINI = GrowSettings(criterion="gini")
SQUARED = GrowSettings(criterion="squared_error")
UNEVEN = [[0, 5, 1], [2, 0, 1], [1, 7, 0]]


def draw(seed, *, n=60, d=3, missing=0.15, digits=1):
    """Rows of three classes, some values missing, many equal."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, d)).round(digits)
    score = np.nan_to_num(X[:, 0]) * X[:, 1] + random.normal(size=n) * 0.5
    X[random.random(X.shape) < missing] = np.nan
    return X, np.digitize(score, [-0.3, 0.3]).astype(np.int64), random


def start_of(X, y, costs, weight=None, growth=GINI):
    """Grow the tree to start from."""
    table = read_table(X)
    classes = (0, 1, 2)
    return table, grow_classes(
        table, y, costs, growth, classes=classes, sample_weight=weight
    )


def class_loss(y, cost, weight):
    """Loss of an answer on a row, and the cheapest answer of some rows."""
    cost = np.asarray(cost, dtype=float)

    def loss(i, answer):
        return weight[i] * cost[y[i], int(answer)]

    def best(rows):
        totals = [sum(loss(i, k) for i in rows) for k in range(len(cost))]
        return float(np.argmin(totals))

    return loss, best


# --- against the slow twin ---


def assert_same_passes(found, history):
    """Compare loss and price of every pass; ours may look once more in vain."""
    ours = [(each.loss, each.price) for each in found.history]
    assert ours[: len(history)] == [pytest.approx(pair, rel=1e-9) for pair in history]
    assert all(each == pytest.approx(ours[-1]) for each in ours[len(history) :])


@pytest.mark.parametrize("seed", range(6))
def test_every_pass_is_the_twins(seed):
    # Weights of many digits: no two splits cost the same, so there is one way to go.
    X, y, random = draw(seed, missing=0.1 * (seed % 2), digits=6)
    weight = random.random(len(y)) + 0.5
    costs = resolve_costs(UNEVEN, y, (0, 1, 2), sample_weight=weight)
    table, start = start_of(X, y, costs, weight)
    told = OptimizeSettings(split_penalty=0.7)
    found = optimize_classes(table, y, costs, start, told, sample_weight=weight)
    loss, best = class_loss(y, UNEVEN, weight)
    stakes = weight * (np.asarray(UNEVEN, float)[y].max(axis=1))
    assert found.mean_stake == pytest.approx(stakes.sum() / weight.sum())
    prices = [0.7 * found.mean_stake] * X.shape[1]
    twin = slow_tao.read(start)
    history = slow_tao.passes(twin, X, loss, best, prices)
    assert_same_passes(found, history)
    answers = [slow_tao.answer_of(twin, row).answer for row in X]
    assert found.tree.predict(X).tolist() == answers


@pytest.mark.parametrize("seed", range(4))
def test_every_pass_is_the_twins_for_numbers(seed):
    X, _, random = draw(seed, n=40, digits=6)
    y = np.nan_to_num(X[:, 0]) + random.normal(size=len(X)) * 0.3
    weight = random.random(len(y)) + 0.5
    table = read_table(X)
    start = grow_numbers(table, y, SQUARED, sample_weight=weight)
    found = optimize_numbers(
        table, y, start, OptimizeSettings(split_penalty=0.2), sample_weight=weight
    )

    def best(rows):
        return float(np.average(y[rows], weights=weight[rows]))

    def loss(i, answer):
        return weight[i] * (y[i] - answer) ** 2

    prices = [0.2 * found.mean_stake] * X.shape[1]
    history = slow_tao.passes(slow_tao.read(start), X, loss, best, prices)
    assert_same_passes(found, history)


@pytest.mark.parametrize("seed", range(5))
def test_no_node_of_a_fixed_point_can_do_better(seed):
    X, y, _ = draw(seed)
    table, start = start_of(X, y, None)
    found = optimize_classes(table, y, None, start, OptimizeSettings(split_penalty=2))
    assert found.converged
    loss, _ = class_loss(y, 1 - np.eye(3), np.ones(len(y)))
    root = slow_tao.read(found.tree)
    for _, node, rows in slow_tao.by_depth(root, X):
        gain = slow_tao.best_split(node, X, rows, loss, [2.0] * X.shape[1])[1]
        assert gain <= 1e-9
    assert slow_tao.total_loss(root, X, loss) == found.history[-1].loss


def test_a_stump_for_numbers_is_the_best_there_is():
    X, _, random = draw(3, n=50)
    y = random.normal(size=50)
    table = read_table(X)
    growth = GrowSettings(criterion="squared_error", max_depth=1)
    start = grow_numbers(table, y, growth)
    told = OptimizeSettings(split_penalty=0)
    found = optimize_numbers(table, y, start, told)

    def squared(split):
        sides = np.array([slow_tao.goes_left(split, row) for row in X])
        parts = [y[sides], y[~sides]]
        return sum(((part - part.mean()) ** 2).sum() for part in parts if len(part))

    best = min(map(squared, slow_tao.axis_splits(X)))
    # Growth has found it, and no pass may lose it.
    assert found.history[-1].loss == pytest.approx(best)


# --- what always holds ---


def recomputed(found, X, y, cost, weight):
    """Add up what the answers cost, by prediction."""
    values = np.asarray(cost, dtype=float)
    return (weight * values[y, found.tree.predict(X)]).sum()


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    penalty=st.sampled_from([0.0, 0.3, 1.0, 4.0]),
    weighted=st.booleans(),
    by_row=st.booleans(),
    priced=st.booleans(),
)
def test_the_objective_never_rises_and_is_what_prediction_gives(
    seed, penalty, weighted, by_row, priced
):
    X, y, random = draw(seed, n=80)
    weight = random.integers(0, 4, len(y)).astype(float) if weighted else None
    if weighted and not weight.any():
        weight[0] = 1
    row_costs = random.random((len(y), 3)) if by_row else None
    costs = resolve_costs(
        UNEVEN, y, (0, 1, 2), row_costs=row_costs, sample_weight=weight
    )
    table, start = start_of(X, y, costs, weight)
    feature_costs = random.random(X.shape[1]) if priced else None
    for max_iter in (1, 2, 20):
        told = OptimizeSettings(
            split_penalty=penalty, feature_costs=feature_costs, max_iter=max_iter
        )
        found = optimize_classes(table, y, costs, start, told, sample_weight=weight)
        steps = [each.objective for each in found.history]
        slack = 1e-9 * steps[0]
        assert all(b <= a + slack for a, b in itertools.pairwise(steps))
        counted = np.ones(len(y)) if weight is None else weight
        if by_row:
            rows = np.arange(len(y))
            loss = (counted * row_costs[rows, found.tree.predict(X)]).sum()
        else:
            loss = recomputed(found, X, y, UNEVEN, counted)
        assert found.history[-1].loss == pytest.approx(loss, rel=1e-9, abs=1e-9)
        assert found.tree.counts[0].sum() == (counted > 0).sum()


def test_leaves_answer_at_least_cost():
    X, y, _ = draw(1)
    costs = resolve_costs(UNEVEN, y, (0, 1, 2))
    table, start = start_of(X, y, costs)
    tree = optimize_classes(table, y, costs, start, OptimizeSettings()).tree
    leaf = tree.apply(X)
    for node in np.unique(leaf):
        totals = np.asarray(UNEVEN, float)[y[leaf == node]].sum(axis=0)
        assert totals[tree.label[node]] == totals.min()


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_threads_and_storage_do_not_matter(kind):
    random = np.random.default_rng(0)
    X = random.normal(size=(3000, 10)).round(1)
    X[random.random(X.shape) < 0.5] = 0
    X[random.random(X.shape) < 0.05] = np.nan
    y = ((np.nan_to_num(X[:, 0] * X[:, 1]) + random.normal(size=3000)) > 0).astype(int)
    given_form = X if kind == "dense" else sparse.csr_array(X)
    table = read_table(given_form)
    start = grow_classes(table, y, None, GINI, classes=(0, 1))
    trees = [
        optimize_classes(
            table, y, None, start, OptimizeSettings(split_penalty=3, n_threads=n)
        ).tree
        for n in (1, 2, 4)
    ]
    assert trees[0] == trees[1] == trees[2]
    table = read_table(np.asfortranarray(X))
    again = optimize_classes(table, y, None, start, OptimizeSettings(split_penalty=3))
    assert again.tree == trees[0]


def test_narrow_floats_route_as_in_training():
    X, y, _ = draw(5, n=200, missing=0, digits=6)
    narrow = X.astype(np.float32)
    table, start = start_of(narrow, y, None)
    found = optimize_classes(table, y, None, start, OptimizeSettings())
    assert (found.tree.predict(narrow) != y).sum() == found.history[-1].loss


def test_categories_go_where_they_cost_less():
    random = np.random.default_rng(2)
    town = random.integers(0, 12, 400)
    y = np.isin(town, [1, 4, 7, 9]).astype(np.int64)
    table = read_table(town[:, None].astype(float), categorical=[0])
    growth = GrowSettings(criterion="gini", max_depth=1)
    noisy = np.where(random.random(400) < 0.3, 1 - y, y)
    start = grow_classes(table, noisy, None, growth, classes=(0, 1))
    found = optimize_classes(table, y, None, start, OptimizeSettings())
    assert found.history[-1].loss == 0
    assert found.tree.n_leaves == 2


# --- prices ---


def test_a_split_is_left_out_when_it_saves_less_than_its_price():
    X = np.arange(10.0)[:, None]
    y = np.array([0, 0, 0, 0, 0, 1, 1, 1, 0, 0])
    table = read_table(X)
    start = grow_classes(table, y, None, GINI, classes=(0, 1))
    sizes = [
        optimize_classes(
            table, y, None, start, OptimizeSettings(split_penalty=penalty)
        ).tree.n_leaves
        for penalty in (0.5, 1.4, 1.6)
    ]
    assert sizes == [3, 3, 1]


def test_a_dear_column_is_not_asked():
    random = np.random.default_rng(1)
    good = random.normal(size=200)
    X = np.column_stack([good, good + random.normal(size=200) * 0.01])
    y = (good > 0).astype(int)
    table = read_table(X)
    start = grow_classes(table, y, None, GINI, classes=(0, 1))
    told = OptimizeSettings(feature_costs=np.array([50.0, 0.0]))
    tree = optimize_classes(table, y, None, start, told).tree
    assert set(tree.term_column.tolist()) == {1}


def test_losses_of_each_kind_of_split_are_recorded():
    X, y, _ = draw(4, missing=0)
    table, start = start_of(X, y, None)
    found = optimize_classes(table, y, None, start, OptimizeSettings(all_losses=True))
    none, one = found.node_losses[0, :2]
    root = slow_tao.read(found.tree)
    loss, _ = class_loss(y, 1 - np.eye(3), np.ones(len(y)))
    free = [0.0] * X.shape[1]
    split, _ = slow_tao.best_split(root, X, range(len(X)), loss, free)
    root.split = split
    shared = min(
        slow_tao.total_loss(slow_tao.Slow(0, way, root.left, root.right), X, loss)
        for way in [("left",), ("right",)]
    )
    assert none - one == shared - slow_tao.total_loss(root, X, loss)


# --- stopping, going on ---


def test_what_was_stopped_goes_on_to_the_same_tree():
    X, y, _ = draw(7, n=400, d=6)
    table, start = start_of(X, y, None)
    told = OptimizeSettings(split_penalty=0.5)
    whole = optimize_classes(table, y, None, start, told)
    assert len(whole.history) > 3

    def interrupt(step):
        del step
        raise KeyboardInterrupt

    settings_then = OptimizeSettings(split_penalty=0.5, on_pass=interrupt)
    with pytest.raises(Stopped) as stopped:
        optimize_classes(table, y, None, start, settings_then)
    partial = stopped.value.partial
    assert len(partial.history) == 2
    assert (partial.tree.predict(X) != y).sum() == partial.history[-1].loss
    rest = optimize_classes(table, y, None, partial, told)
    assert rest.tree == whole.tree
    steps = [(each.loss, each.price) for each in rest.history]
    assert steps == [(each.loss, each.price) for each in whole.history]


def test_a_large_tolerance_stops_early():
    X, y, _ = draw(7, n=400, d=6)
    table, start = start_of(X, y, None)
    told = OptimizeSettings(split_penalty=0.5, tol=0.9)
    found = optimize_classes(table, y, None, start, told)
    assert found.converged
    assert len(found.history) == 2 or found.history[1].objective < 0.1


# --- locks ---


def locked(*locks, **more):
    """Optimize with some nodes locked."""
    X, y, _ = draw(8, n=200, d=4)
    table, start = start_of(
        X, y, None, growth=GrowSettings(criterion="gini", max_depth=3)
    )
    told = OptimizeSettings(locks=locks, **more)
    return start, optimize_classes(table, y, None, start, told).tree


def test_a_fixed_split_stays():
    start, tree = locked(NodeLock(node=0, fixed=True))
    assert tree.term_column[0] == start.term_column[0]
    assert tree.threshold[0] == start.threshold[0]


def test_a_node_asks_only_what_it_may():
    for column in range(4):
        _, tree = locked(NodeLock(node=0, only=(column,)), split_penalty=0.1)
        assert tree.term_column[0] == column
    _, tree = locked(NodeLock(node=0, never=(0, 1, 2)))
    assert tree.n_leaves == 1 or tree.term_column[0] != 0


def test_directions_are_kept():
    X = np.arange(20.0)[:, None]
    y = (X[:, 0] > 9).astype(int)
    table = read_table(X)
    growth = GrowSettings(criterion="gini", max_depth=1)
    start = grow_classes(table, y, None, growth, classes=(0, 1))
    told = OptimizeSettings(locks=(NodeLock(node=0, falling=(0,)),))
    found = optimize_classes(table, y, None, start, told)
    # The answers of the start stay on their sides in the first pass, so a falling
    # split has nothing to win.
    assert found.history[1].loss > 0 or found.tree.n_leaves == 1
