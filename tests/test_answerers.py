"""Models in; counts of their answers and their sizes out."""

from __future__ import annotations

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import confusion_matrix

from tanoak import GreedyTreeClassifier
from tanoak._answerers import (
    Constant,
    Wanted,
    constant_like,
    count_answers,
    shared_columns,
    sizes_of,
)

X = np.random.default_rng(0).normal(size=(200, 3))
Y = np.array(["no", "yes"])[(X[:, 0] + X[:, 1] > 0.5).astype(int)]
TREE = GreedyTreeClassifier(max_depth=2).fit(X, Y).tree_
LINE = LogisticRegression().fit(X, Y)
BOTH = Wanted(("no", "yes"), 1)


def test_counts_are_the_confusion_matrix_of_each_model():
    models = [TREE, LINE, Constant("yes")]
    rates = count_answers(models, X, Y, wanted=BOTH, source="here")
    for model, counts in zip(models, rates.counts, strict=True):
        assert counts.tolist() == confusion_matrix(Y, model.predict(X)).tolist()
    assert rates.fpr[2] == rates.tpr[2] == 1.0


def test_weights_are_added_up():
    weight = np.arange(200.0)
    rates = count_answers(
        [TREE], X, Y, wanted=BOTH, source="here", sample_weight=weight
    )
    theirs = confusion_matrix(Y, TREE.predict(X), sample_weight=weight)
    assert rates.masses[0].tolist() == theirs.tolist()


def test_frames_are_read_once_for_all_trees():
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    trees = [GreedyTreeClassifier(max_depth=d).fit(frame, Y).tree_ for d in (1, 2)]
    assert shared_columns(trees) == trees[0].columns
    assert shared_columns([trees[0], TREE]) is None
    assert shared_columns([TREE, LINE]) is None
    rates = count_answers(trees, frame[["c", "a", "b"]], Y, wanted=BOTH, source="here")
    assert rates.tp.tolist() == [
        int(((t.predict(frame) == "yes") & (Y == "yes")).sum()) for t in trees
    ]


def test_constants_answer_alike():
    root = constant_like(TREE, "yes")
    assert root.n_leaves == 1
    assert set(root.predict(X)) == set(constant_like(LINE, "yes").predict(X)) == {"yes"}
    sizes = sizes_of([TREE, root, Constant("yes"), LINE])
    assert sizes.n_leaves.tolist() == [TREE.n_leaves, 1, 1, -1]
    assert sizes.n_features.tolist() == [len(set(TREE.term_column)), 0, 0, -1]
