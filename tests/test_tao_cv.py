from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.model_selection import KFold
from sklearn.utils.estimator_checks import parametrize_with_checks

from tanoak import TAOTreeClassifier, TAOTreeClassifierCV, TAOTreeRegressorCV
from tanoak.exceptions import ParameterError

BOTH = [TAOTreeClassifierCV, TAOTreeRegressorCV]
SPLITS = ["axis", "pair", "oblique", "auto"]


def data(kind):
    """Rows and a target for one kind of estimator."""
    load = load_breast_cancer if kind is TAOTreeClassifierCV else load_diabetes
    X, y = load(return_X_y=True)
    return X[:240], y[:240]


@parametrize_with_checks(
    [
        TAOTreeClassifierCV(cv=2),
        TAOTreeRegressorCV(cv=2),
        TAOTreeClassifierCV(split="pair", cv="holdout"),
        TAOTreeRegressorCV(split="axis", cv=2),
    ],
)
@pytest.mark.filterwarnings("ignore:y holds one class only:UserWarning")
@pytest.mark.filterwarnings("ignore:invalid value encountered in cast:RuntimeWarning")
def test_scikit_learn_finds_nothing(estimator, check):
    check(estimator)


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("kind", BOTH)
def test_a_choice_is_made_for_every_kind_of_split(kind, split):
    X, y = data(kind)
    model = kind(split=split, cv=3).fit(X, y)
    table = pd.DataFrame(model.results_)
    chosen = table[table["chosen"]]
    assert len(chosen) == 1
    assert chosen["split_penalty"].item() == model.best_params_["split_penalty"]
    assert chosen["start"].item() == model.best_params_["start"]
    assert chosen["excess"].item() == 0
    ties = table[table["excess"] == 0]
    assert chosen["n_leaves"].item() == ties["n_leaves"].min()
    assert model.history_[-1].objective <= model.history_[0].objective


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize("split", SPLITS)
def test_threads_do_not_matter(kind, split):
    X, y = data(kind)
    models = [kind(split=split, cv=2, n_jobs=n).fit(X, y) for n in (1, 2, 3)]
    for model in models[1:]:
        assert model.tree_ == models[0].tree_
        assert model.results_["cost"].tolist() == models[0].results_["cost"].tolist()


@pytest.mark.parametrize("split", SPLITS)
def test_one_standard_error_takes_no_larger_tree(split):
    X, y = data(TAOTreeClassifierCV)
    best, small = (
        TAOTreeClassifierCV(split=split, cv=3, rule=rule).fit(X, y)
        for rule in ("best", "1se")
    )
    sizes = [m.results_["n_leaves"][m.results_["chosen"]][0] for m in (best, small)]
    assert sizes[1] <= sizes[0]
    chosen = small.results_["chosen"]
    assert small.results_["excess"][chosen] <= small.results_["excess_error"][chosen]


def test_a_cold_choice_is_the_tree_of_its_parameters_on_all_rows():
    X, y = data(TAOTreeClassifierCV)
    model = TAOTreeClassifierCV(leaf_limits=[2, 8], cv=3).fit(X, y)
    told = {k: v for k, v in model.best_params_.items() if k != "start"}
    assert model.tree_ == TAOTreeClassifier(**told).fit(X, y).tree_


def test_noise_ends_in_a_single_leaf():
    random = np.random.default_rng(0)
    X = random.normal(size=(300, 5))
    y = random.random(300) < 0.3
    assert TAOTreeClassifierCV(rule="1se").fit(X, y).get_n_leaves() == 1


def test_folds_may_be_given():
    X, y = data(TAOTreeClassifierCV)
    folds = KFold(3, shuffle=True, random_state=1)
    by_object, by_list = (
        TAOTreeClassifierCV(cv=cv).fit(X, y) for cv in (folds, list(folds.split(X)))
    )
    assert by_object.tree_ == by_list.tree_
    other = TAOTreeClassifierCV(cv=3).fit(X, y)
    assert other.results_["cost"].tolist() != by_list.results_["cost"].tolist()


def test_many_rows_are_compared_on_a_part_that_is_held_out():
    random = np.random.default_rng(3)
    X = random.normal(size=(5000, 2))
    y = (X[:, 0] > 0).astype(int)
    told = {"split_penalties": [1], "leaf_limits": [4]}
    auto, held, folds = (
        TAOTreeClassifierCV(cv=cv, **told).fit(X, y) for cv in ("auto", "holdout", 5)
    )
    y[:40] = 1 - y[:40]
    assert auto.results_["cost"] == held.results_["cost"]
    few = TAOTreeClassifierCV(**told).fit(X[1:], y[1:])
    assert few.results_["standard_error"] < 2 * held.results_["standard_error"] + 1
    assert auto.tree_ == folds.tree_


def test_sparse_rows_give_the_tree_of_dense_ones():
    X, y = data(TAOTreeClassifierCV)
    X = np.where(np.median(X, axis=0) < X, X, 0.0)
    for split in ("oblique", "pair"):
        models = [
            TAOTreeClassifierCV(split=split, cv=2).fit(table, y)
            for table in (X, sparse.csr_array(X))
        ]
        assert models[0].best_params_ == models[1].best_params_
        assert (models[0].predict(X) == models[1].predict(X)).all()


def test_a_cheap_column_is_preferred():
    random = np.random.default_rng(1)
    good = random.normal(size=200)
    X = pd.DataFrame({"dear": good, "cheap": good + random.normal(size=200) / 1000})
    y = (good > 0).astype(int)
    model = TAOTreeClassifierCV(split="axis", feature_costs={"dear": 50}, cv=3)
    assert set(model.fit(X, y).tree_.term_column.tolist()) == {1}


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"rule": "2se"}, "rule must be 'best' or '1se', got '2se'"),
        ({"cv": "hold-out"}, "did you mean 'holdout'"),
        ({"cv": 1}, "cv must be"),
        ({"split_penalties": []}, "split_penalties must be None or a list of"),
        ({"split_penalties": [1, 1.0]}, "different values"),
        ({"split_penalties": [-1]}, "each a number >= 0"),
        ({"split_penalties": 3}, "split_penalties must be"),
        ({"leaf_limits": [0]}, "leaf_limits must be"),
        ({"starts": ["greedy"], "split": "pair"}, "starts must be"),
        ({"starts": ["axis"]}, "use split='axis' or 'pair'"),
        ({"feature_costs": {9999: 1}}, "which X does not have"),
    ],
)
def test_what_cannot_be_is_refused(told, said):
    X, y = data(TAOTreeClassifierCV)
    model = TAOTreeClassifierCV().fit(X, y)
    with pytest.raises(ParameterError, match=said):
        model.set_params(**told).fit(X, y)
    assert not hasattr(model, "tree_")
    assert not hasattr(model, "results_")
    assert clone(model).get_params().keys() == model.get_params().keys()


def test_two_rows_are_enough():
    model = TAOTreeRegressorCV().fit([[1.0], [2.0]], [3.0, 5.0])
    assert model.predict([[9.0]]) == [4.0]
