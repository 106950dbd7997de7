from __future__ import annotations

import numpy as np
import pytest
from growing import CRITERIA, grow, make_table, separates_numbers
from scipy import sparse

USUAL = ("gini", "entropy", "squared_error")


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("kind", ["dense", "sparse", "best_first", "weighted"])
def test_threads_change_nothing(criterion, kind):
    random = np.random.default_rng(1)
    n = 70_000 if criterion in USUAL else 35_000  # more than a subtree
    X = np.round(random.normal(size=(n, 6)), 2).astype(np.float32)
    X[random.random(X.shape) < 0.05] = np.nan
    X[:, 5] = random.integers(0, 12, n)
    score = np.nan_to_num(X[:, 0]) * np.nan_to_num(X[:, 1]) + X[:, 5] / 6 - 1
    y = score + random.normal(size=n)
    if not separates_numbers(criterion):
        y = np.digitize(y, [-0.5, 0.5])
    options = {} if criterion in USUAL else {"max_depth": 5}
    if kind == "best_first":
        options = {"max_leaf_nodes": 200 if criterion in USUAL else 20}
    if kind == "weighted":
        options["weight"] = random.random(n)
    levels = (0, 0, 0, 0, 0, 12)
    if kind == "sparse":
        X, levels = sparse.csc_array(np.where(np.abs(X) < 1, 0, X)), ()
    trees = [
        grow(X, y, criterion, n_levels=levels, n_threads=n_threads, **options).to_json()
        for n_threads in (1, 2, 5)
    ]
    assert trees[0] == trees[1] == trees[2]


def test_thousand_classes():
    random = np.random.default_rng(0)
    y = np.repeat(np.arange(1000), 5)
    X = np.column_stack([y % 32, y // 32, random.normal(size=len(y))])
    tree = grow(X, y)
    assert (tree.predict(X) == y).all()
    assert tree.n_leaves == 1000
    assert (grow(X, y, "entropy").predict(X) == y).all()


def test_thousand_categories_are_cut_exactly_for_two_classes():
    random = np.random.default_rng(0)
    codes = random.integers(0, 1000, 50_000)
    good = random.random(1000) < 0.5
    X = codes[:, None].astype(np.float32)
    tree = grow(X, good[codes].astype(int), n_levels=[1000])
    assert tree.n_leaves == 2


@pytest.mark.parametrize("n_levels", [5, 40])
def test_many_classes_cut_categories(n_levels):
    random = np.random.default_rng(0)
    codes = random.integers(0, n_levels, 3000)
    y = np.where(random.random(3000) < 0.2, random.integers(0, 4, 3000), codes % 4)
    tree = grow(codes[:, None].astype(float), y, n_levels=[n_levels], max_leaf_nodes=4)
    assert tree.n_leaves == 4
    table = make_table(codes[:, None].astype(float), [n_levels])
    assert (tree.predict(table) == codes % 4).all()


def test_levels_that_a_node_has_not_seen_follow_its_missing_values():
    X = np.array([[0.0], [0], [1], [1], [np.nan]])
    y = np.array([0, 0, 1, 1, 1])
    tree = grow(X, y, n_levels=[4])
    assert tree.n_leaves == 2
    table = make_table(np.array([[2.0], [3.0], [np.nan]]), [4])
    assert tree.predict(table).tolist() == [1, 1, 1]


def test_missing_values_can_be_the_split():
    X = np.array([[1.0], [np.nan], [2.0], [np.nan], [3.0]])
    tree = grow(X, np.array([0, 1, 0, 1, 0]))
    assert tree.n_leaves == 2
    assert tree.threshold[0] == np.finfo(np.float64).max
    assert tree.predict(np.array([[1e300], [np.nan]])).tolist() == [0, 1]


def test_equal_cuts_take_the_first_column_and_the_lowest_threshold():
    X = np.array([[0.0, 0, 5], [1, 1, 5], [0, 0, 6], [1, 1, 6]])
    y = np.array([0, 1, 0, 1])
    assert grow(X, y).term_column.tolist() == [0]
    line = np.arange(4.0)[:, None]
    assert grow(line, np.array([0, 1, 1, 0])).threshold[0] == 0.5


def test_a_cut_that_gains_nothing_by_itself_is_made():
    X = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])
    assert grow(X, np.array([0, 1, 1, 0])).n_leaves == 4


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_neighbouring_numbers_are_told_apart(dtype):
    low = dtype(1.0)
    high = np.nextafter(low, dtype(2))
    for pair in ([low, high], [dtype(-0.0), np.nextafter(dtype(0), dtype(1))]):
        X = np.array(pair, dtype=dtype)[:, None]
        tree = grow(X, np.array([0, 1]))
        assert tree.predict(X).tolist() == [0, 1]
        assert pair[0] <= tree.threshold[0] < pair[1]
    assert grow(np.array([[0.0], [-0.0]], dtype=dtype), np.array([0, 1])).n_leaves == 1


def test_huge_numbers_have_a_threshold_between_them():
    top = np.finfo(np.float64).max
    tree = grow(np.array([[-top], [top]]), np.array([0, 1]))
    assert tree.threshold[0] == 0.0


@pytest.mark.parametrize("scale", [1e-300, 1e-5, 1.0, 1e300])
def test_scale_of_weights_does_not_matter(scale):
    random = np.random.default_rng(0)
    X, weight = random.normal(size=(300, 4)), random.random(300)
    y = (X[:, 0] + X[:, 1] ** 2 + random.normal(size=300) > 1).astype(int)
    tree = grow(X, y, weight=weight)
    scaled = grow(X, y, weight=weight * scale)
    assert np.array_equal(tree.threshold, scaled.threshold)


@pytest.mark.parametrize("scale", [1e-150, 1e-5, 1.0, 1e100])
def test_scale_of_numbers_does_not_matter(scale):
    random = np.random.default_rng(0)
    X = random.normal(size=(300, 4))
    y = X[:, 0] + X[:, 1] ** 2
    tree = grow(X, y, "squared_error", max_depth=4)
    scaled = grow(X, y * scale, "squared_error", max_depth=4)
    assert np.array_equal(tree.threshold, scaled.threshold)
    np.testing.assert_allclose(scaled.mean, tree.mean * scale, rtol=1e-12)
    np.testing.assert_allclose(scaled.sse, tree.sse * scale**2, rtol=1e-9)


def test_leaves_of_equal_numbers_answer_that_number():
    random = np.random.default_rng(0)
    y = random.normal(size=500) * 10.0 ** random.integers(-5, 6, 500)
    X = np.arange(500.0)[:, None]
    tree = grow(X, y, "squared_error", weight=random.random(500))
    assert (tree.predict(X) == y).all()


def test_one_outlier_does_not_hide_the_rest():
    X = np.arange(100.0)[:, None]
    y = np.where(np.arange(100) < 50, 0.0, 1.0)
    y[99] = 1e12
    assert grow(X, y, "squared_error").n_leaves == 3


def test_limits():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(500, 3)), random.integers(0, 2, 500)
    tree = grow(X, y, min_weight_fraction_leaf=0.1)
    assert tree.masses[tree.is_leaf].sum(axis=1).min() >= 50
    tree = grow(X, y, min_impurity_decrease=0.01)
    free = grow(X, y)
    assert 1 < tree.n_leaves < free.n_leaves
    shares = tree.counts / tree.counts.sum(axis=1, keepdims=True)
    uncertain = (1 - (shares**2).sum(axis=1)) * tree.counts.sum(axis=1) / 500
    inner = np.flatnonzero(~tree.is_leaf)
    gain = uncertain[inner] - uncertain[tree.left[inner]] - uncertain[tree.right[inner]]
    assert gain.min() >= 0.01


def test_progress_counts_all_rows():
    seen = []
    random = np.random.default_rng(0)
    X, y = random.normal(size=(300_000, 8)), random.integers(0, 2, 300_000)
    grow(X, y, on_progress=seen.append)
    assert seen == sorted(seen)
    assert 0 < seen[-1] <= 300_000


def test_an_error_in_the_progress_callback_comes_through():
    def fail(_):
        msg = "stop here"
        raise RuntimeError(msg)

    random = np.random.default_rng(0)
    X, y = random.normal(size=(300_000, 8)), random.integers(0, 2, 300_000)
    with pytest.raises(RuntimeError, match="stop here"):
        grow(X, y, on_progress=fail)
