from __future__ import annotations

import os
import signal
import threading
import time
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from tanoak import (
    GreedyTreeClassifier,
    GreedyTreeRegressor,
    TAOTreeClassifier,
    TAOTreeRegressor,
)
from tanoak.exceptions import ParameterError

BOTH = [TAOTreeClassifier, TAOTreeRegressor]


@parametrize_with_checks(
    [
        TAOTreeClassifier(),
        TAOTreeRegressor(),
        TAOTreeClassifier(split="axis"),
        TAOTreeRegressor(split="axis"),
    ]
)
@pytest.mark.filterwarnings("ignore:y holds one class only:UserWarning")
@pytest.mark.filterwarnings("ignore:invalid value encountered in cast:RuntimeWarning")
def test_scikit_learn_finds_nothing(estimator, check):
    check(estimator)


def data(kind):
    """Rows and a target for one kind of estimator."""
    load = load_breast_cancer if kind is TAOTreeClassifier else load_diabetes
    return load(return_X_y=True)


@pytest.mark.parametrize("split", ["axis", "pair", "oblique", "auto"])
@pytest.mark.parametrize("kind", BOTH)
def test_loss_and_price_fall(kind, split):
    X, y = data(kind)
    model = kind(split=split).fit(X, y)
    steps = [step.objective for step in model.history_]
    assert steps == sorted(steps, reverse=True)
    assert steps[-1] < steps[0]
    assert model.n_iter_ == len(steps) - 1
    assert model.converged_
    # Leaves that answer alike are one in the end.
    assert model.history_[-1].n_splits >= model.get_n_leaves() - 1


def test_an_optimized_tree_is_smaller_and_as_good():
    X, y = data(TAOTreeClassifier)
    grown, optimized = (
        GreedyTreeClassifier(),
        TAOTreeClassifier(split="axis", split_penalty=3),
    )
    scores = [cross_val_score(model, X, y, cv=5) for model in (grown, optimized)]
    assert scores[1].mean() > scores[0].mean() - 0.02
    assert optimized.fit(X, y).get_n_leaves() < grown.fit(X, y).get_n_leaves() / 2


def test_weighing_many_features_pays():
    X, y = data(TAOTreeClassifier)
    axis = cross_val_score(TAOTreeClassifier(split="axis", split_penalty=3), X, y, cv=5)
    oblique = cross_val_score(TAOTreeClassifier(), X, y, cv=5)
    assert oblique.mean() > axis.mean()


@pytest.mark.parametrize("refine", ["threshold", "coordinates"])
def test_refining_lowers_the_loss(refine):
    X, y = data(TAOTreeClassifier)
    told = {"max_leaf_nodes": 2, "max_iter": 1, "split_penalty": 30}
    plain = TAOTreeClassifier(**told).fit(X, y).history_[-1].loss
    assert TAOTreeClassifier(refine=refine, **told).fit(X, y).history_[-1].loss <= plain


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize("split", ["pair", "oblique", "auto"])
def test_threads_do_not_matter(kind, split):
    X, y = data(kind)
    trees = [kind(split=split, n_jobs=n).fit(X, y).tree_ for n in (1, 2, 4)]
    assert trees[0] == trees[1] == trees[2]


# --- starts ---


@pytest.mark.parametrize("split", ["axis", "pair", "oblique", "auto"])
def test_random_starts_keep_the_best(split):
    X, y = data(TAOTreeClassifier)
    told = {"split": split, "init": "random", "random_state": 0, "max_depth": 3}
    one = TAOTreeClassifier(**told).fit(X, y)
    many = TAOTreeClassifier(n_init=4, **told).fit(X, y)
    assert many.history_[-1].objective <= one.history_[-1].objective
    assert many.tree_ == TAOTreeClassifier(n_init=4, **told).fit(X, y).tree_
    assert many.score(X, y) > 0.9


def test_a_rare_class_does_not_stall_a_random_start():
    random = np.random.default_rng(0)
    X = random.normal(size=(2000, 4))
    y = (X.sum(axis=1) > 4).astype(int)
    assert 0 < y.mean() < 0.05
    model = TAOTreeClassifier(init="random", random_state=1, max_depth=2).fit(X, y)
    assert model.history_[-1].loss < y.sum() / 2


def test_a_start_may_be_given():
    X, y = data(TAOTreeClassifier)
    grown = GreedyTreeClassifier(max_depth=3).fit(X, y)
    by_tree = TAOTreeClassifier(split="axis", init=grown.tree_).fit(X, y)
    by_model = TAOTreeClassifier(split="axis", init=grown).fit(X, y)
    by_depth = TAOTreeClassifier(split="axis", max_depth=3).fit(X, y)
    assert by_tree.tree_ == by_model.tree_ == by_depth.tree_


@pytest.mark.parametrize(
    ("init", "said"),
    [
        (GreedyTreeClassifier(), "not fitted"),
        ("greeedy", "did you mean 'greedy'"),
        (3, "a Tree or a fitted tree estimator, got 3"),
        (GreedyTreeClassifier().fit([[1.0], [2.0]], ["a", "b"]), "has the classes"),
        (GreedyTreeRegressor().fit([[1.0], [2.0]], [1.0, 2.0]), "has the classes"),
    ],
)
def test_a_start_that_does_not_fit_is_refused(init, said):
    with pytest.raises(ParameterError, match=said):
        TAOTreeClassifier(init=init).fit([[1.0], [2.0]], [0, 1])


def test_a_start_with_classes_is_refused_for_numbers():
    init = GreedyTreeClassifier().fit([[1.0], [2.0]], [0, 1])
    with pytest.raises(ParameterError, match="answers classes"):
        TAOTreeRegressor(init=init).fit([[1.0], [2.0]], [0.0, 1.0])


def test_a_warm_start_goes_on_from_the_fitted_tree():
    X, y = data(TAOTreeClassifier)
    model = TAOTreeClassifier(
        split="axis", warm_start=True, max_iter=1, split_penalty=0.5
    ).fit(X, y)
    first = model.history_[-1].objective
    model.set_params(max_iter=20).fit(X, y)
    assert model.history_[0].objective == first
    model.set_params(split_penalty=5).fit(X, y)
    assert model.get_n_leaves() <= 4


# --- prices of columns ---


def test_prices_by_name():
    X, y = data(TAOTreeClassifier)
    names = [f"c{i}" for i in range(X.shape[1])]
    frame = pd.DataFrame(X, columns=names)
    dear = TAOTreeClassifier(split="axis", feature_costs={"c22": 100, "c27": 100}).fit(
        frame, y
    )
    asked = {names[column] for column in dear.tree_.term_column}
    assert asked.isdisjoint({"c22", "c27"})
    listed = [100 if i in {22, 27} else 0 for i in range(len(names))]
    assert (
        TAOTreeClassifier(split="axis", feature_costs=listed).fit(frame, y).tree_
        == dear.tree_
    )


@pytest.mark.parametrize(
    ("prices", "said"),
    [
        ({"c": 1}, "names the column 'c'"),
        ({0: -1}, "holds -1"),
        ([1.0, 2.0], "one price for each of the 1 columns"),
        (5, "one price for each"),
        ([float("nan")], "holds nan"),
    ],
)
def test_prices_that_make_no_sense_are_refused(prices, said):
    with pytest.raises(ParameterError, match=said):
        TAOTreeClassifier(feature_costs=prices).fit([[1.0], [2.0]], [0, 1])


# --- forms of data ---


@pytest.mark.parametrize("kind", BOTH)
def test_forms_of_the_same_rows_give_the_same_tree(kind):
    X, y = data(kind)
    X = X.round(2)
    X[np.median(X, axis=0) > X] = 0
    trees = [
        kind(split="axis").fit(form, y).tree_
        for form in (X, np.asfortranarray(X), sparse.csr_array(X), sparse.csc_array(X))
    ]
    assert all(tree == trees[0] for tree in trees)


@pytest.mark.parametrize("kind", BOTH)
def test_weights_repeat_rows(kind):
    X, y = data(kind)
    weight = np.random.default_rng(0).integers(0, 4, len(y))
    rows = np.repeat(np.arange(len(y)), weight)
    one = kind(split="axis").fit(X, y, sample_weight=weight.astype(float))
    two = kind(split="axis").fit(X[rows], y[rows])
    assert np.allclose(one.predict(X), two.predict(X))


def test_lines_of_progress(capsys):
    X, y = data(TAOTreeClassifier)
    model = TAOTreeClassifier(verbose=1).fit(X, y)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == model.n_iter_
    assert "splits on" in lines[0]


# --- Ctrl-C ---


def test_what_ctrl_c_interrupts_goes_on_to_the_same_tree():
    random = np.random.default_rng(0)
    X = random.normal(size=(20000, 12)).round(3)
    y = ((X[:, :6] ** 2).sum(axis=1) + random.normal(size=len(X)) > 6).astype(int)
    told = {"split": "axis", "max_depth": 12, "max_iter": 8, "split_penalty": 2}
    whole = TAOTreeClassifier(**told).fit(X, y)
    spent = sum(step.seconds for step in whole.history_)
    model = TAOTreeClassifier(warm_start=True, **told)
    for share in (0.9, 0.6, 0.3, 0.1):
        model = clone(model)
        grown = time.perf_counter()
        GreedyTreeClassifier(max_depth=12).fit(X, y)
        wait = time.perf_counter() - grown + share * spent
        timer = threading.Timer(wait, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        try:
            model.fit(X, y)
            timer.join()
        except KeyboardInterrupt:
            if hasattr(model, "tree_"):
                break
    if hasattr(model, "tree_"):
        assert model.predict(X[:5]).shape == (5,)
    model.fit(X, y)
    assert model.tree_ == whole.tree_


def test_other_data_starts_afresh_from_the_partial_tree(monkeypatch):
    X, y = data(TAOTreeClassifier)
    model = TAOTreeClassifier(
        split="axis", warm_start=True, split_penalty=0.5, verbose=1
    )
    monkeypatch.setattr("sys.stderr.write", _interrupt)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    monkeypatch.undo()
    assert len(model.history_) == 2
    model.set_params(verbose=0).fit(X[:400], y[:400])
    assert model.history_[0].seconds == 0
    assert model.history_[0].loss <= 400


def _interrupt(text):
    """Stand for Ctrl-C at the end of a pass."""
    del text
    raise KeyboardInterrupt


def test_one_class_is_one_leaf():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = TAOTreeClassifier().fit([[1.0], [2.0]], ["a", "a"])
    assert model.get_n_leaves() == 1
    assert model.predict([[5.0]]).tolist() == ["a"]


@pytest.mark.parametrize("kind", BOTH)
def test_the_start_may_ask_two_features(kind):
    X, y = data(kind)
    told = {"split": "pair", "max_iter": 0, "max_depth": 3}
    grown = GreedyTreeClassifier if kind is TAOTreeClassifier else GreedyTreeRegressor
    start = grown(split="pair", max_depth=3).fit(X, y)
    assert kind(init="pair", **told).fit(X, y).history_[0].loss == pytest.approx(
        kind(init=start, **told).fit(X, y).history_[0].loss
    )
    model = kind(init="pair", split="pair").fit(X, y)
    assert model.history_[-1].objective < model.history_[0].objective
    assert (np.diff(model.tree_.term_start) == 2).any()


def test_costs_of_rows_may_start_warm():
    X, y = data(TAOTreeClassifier)
    row_costs = np.where(np.arange(2) == y[:, None], 0.0, 1.0 + y[:, None])
    model = TAOTreeClassifier(split="axis", max_iter=1, warm_start=True)
    first = model.fit(X, y, row_costs=row_costs).history_[-1].objective
    assert model.fit(X, y, row_costs=row_costs).history_[-1].objective <= first


# --- prices that no split can pay ---


@pytest.mark.parametrize("penalty", [1e3, 1e9, 1e300])
@pytest.mark.parametrize("split", ["axis", "pair"])
@pytest.mark.parametrize("kind", BOTH)
def test_beyond_any_price_a_leaf_is_left(kind, split, penalty):
    X, y = data(kind)
    model = kind(split=split, split_penalty=penalty).fit(X, y)
    assert model.get_n_leaves() == 1
    steps = [step.objective for step in model.history_]
    assert min(steps) > 0
    assert steps == sorted(steps, reverse=True)
