"""Trees in; orders and labellings of their leaves out, against all 2^n of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from labelings import all_labelings, answers, leaf_counts, leafy, paper
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.metrics import roc_auc_score
from trees import QUICK, credit_tree, lone_leaf, regression_tree

from tanoak import (
    GreedyTreeClassifier,
    leaf_order,
    optimal_labelings,
    relabel,
    roc_points,
    tree_auc,
)
from tanoak._roc import hull_positions
from tanoak.exceptions import ParameterError, TableError

# --- the paper's example ---


def test_the_three_leaves_of_the_paper():
    found = optimal_labelings(paper())
    assert [(x.fpr, x.tpr) for x in found] == [
        (0, 0),
        (1 / 8, 5 / 12),
        (3 / 8, 9 / 12),
        (1, 1),
    ]
    trees = [relabel(paper(), threshold=x.threshold) for x in found]
    assert [answers(tree) for tree in trees] == [
        [False, False, False],
        [False, True, False],
        [False, True, True],
        [True, True, True],
    ]
    leaves = np.flatnonzero(paper().is_leaf)
    assert leaf_order(paper()).tolist() == leaves[[1, 2, 0]].tolist()
    assert found[2].positive_leaves.tolist() == leaves[[1, 2]].tolist()


def test_the_area_of_the_paper_by_hand():
    by_definition = (1 * 5 + 2 * (2 * 5 + 4) + 5 * (2 * 9 + 3)) / (2 * 8 * 12)
    assert tree_auc(paper()) == pytest.approx(by_definition)


def test_the_other_class_can_be_the_positive_one():
    mirrored = [(1 - x.tpr, 1 - x.fpr) for x in optimal_labelings(paper())][::-1]
    found = [(x.fpr, x.tpr) for x in optimal_labelings(paper(), positive="-")]
    np.testing.assert_allclose(found, mirrored)
    assert tree_auc(paper(), positive="-") == pytest.approx(tree_auc(paper()))


# --- all labellings ---


@QUICK
@given(leaf_counts)
def test_they_are_the_corners_of_the_hull_of_all_labelings(counts):
    tree = leafy(counts)
    masses = tree.masses[tree.is_leaf]
    # Counts and not rates: points on a line are then exactly on it.
    points = np.array([masses.T @ np.array(x) for x in all_labelings(tree)])
    hull = points[hull_positions(points)] / masses.sum(axis=0)
    found = np.array([(x.fpr, x.tpr) for x in optimal_labelings(tree)])
    # The front leaves out (0, 0) or (1, 1) where another point beats them.
    beaten = {(0.0, 0.0), (1.0, 1.0)} - {tuple(x) for x in hull.tolist()}
    kept = [x for x in found.tolist() if tuple(x) not in beaten]
    np.testing.assert_allclose(kept, hull, atol=1e-12)


# --- odd leaves ---


def test_a_leaf_without_rows_stands_at_a_half_and_makes_no_labeling():
    tree = leafy([(1, 3), (0, 0), (3, 1)])
    leaves = np.flatnonzero(tree.is_leaf)
    assert leaf_order(tree).tolist() == leaves.tolist()
    assert [(x.fpr, x.tpr) for x in optimal_labelings(tree)] == [
        (0, 0),
        (0.25, 0.75),
        (1, 1),
    ]
    assert tree_auc(tree) == tree_auc(leafy([(1, 3), (3, 1)]))


def test_equal_leaves_change_together():
    found = optimal_labelings(leafy([(1, 2), (2, 4), (5, 0)]))
    assert [(x.fpr, x.tpr) for x in found] == [(0, 0), (3 / 8, 1), (1, 1)]


def test_a_lone_leaf_has_the_two_constant_answers():
    found = optimal_labelings(lone_leaf())
    assert [(x.fpr, x.tpr) for x in found] == [(0, 0), (1, 1)]
    assert tree_auc(lone_leaf()) == 0.5


# --- rows that the tree has not seen ---


def test_the_order_is_from_training_and_the_masses_from_the_rows_given():
    X = [[1.0], [1.0], [2.0], [0.0]]  # the surest leaf holds negatives only
    y = ["-", "-", "+", "+"]
    expected = [[0, 0], [1, 0], [1, 0.5], [1, 1]]
    assert roc_points(paper(), X, y).tolist() == expected
    assert tree_auc(paper(), X, y) == 0.0
    weighted = roc_points(paper(), X, y, sample_weight=[1, 1, 3, 1])
    assert weighted.tolist() == [[0, 0], [1, 0], [1, 0.75], [1, 1]]


def halves(load):
    """Fit on the even rows, and return the tree with the odd ones."""
    X, y = load(return_X_y=True)
    tree = GreedyTreeClassifier(max_depth=3).fit(X[::2], y[::2])
    return tree, X[1::2], y[1::2]


def test_two_classes_as_scikit_learn_counts_them():
    model, X, y = halves(load_breast_cancer)
    theirs = roc_auc_score(y, model.predict_proba(X)[:, 1])
    assert tree_auc(model.tree_, X, y) == pytest.approx(theirs, abs=1e-12)


def test_more_classes_as_scikit_learn_counts_them():
    model, X, y = halves(load_iris)
    scores = model.predict_proba(X)
    theirs = roc_auc_score(y, scores, multi_class="ovo", average="macro")
    assert tree_auc(model.tree_, X, y) == pytest.approx(theirs, abs=1e-12)
    for k in range(3):
        theirs = roc_auc_score(y == k, scores[:, k])
        assert tree_auc(model.tree_, X, y, positive=k) == pytest.approx(theirs)


# --- refusals ---


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: leaf_order(credit_tree()), "positive is None: give one of"),
        (lambda: leaf_order(paper(), positive="?"), "positive is '[?]'"),
        (lambda: leaf_order(regression_tree()), "a regression tree has no labels"),
        (lambda: tree_auc(paper(), [[1.0]]), "X and y belong together"),
    ],
)
def test_what_is_refused(call, message):
    with pytest.raises(ParameterError, match=message):
        call()


def test_rates_need_both_classes():
    with pytest.raises(TableError, match="one is missing"):
        tree_auc(paper(), [[1.0], [2.0]], ["+", "+"])
    with pytest.raises(TableError, match="one is missing"):
        optimal_labelings(leafy([(3, 0), (2, 0)]))
