from __future__ import annotations

import pickle
import signal
import subprocess
import sys
import threading
import time

import joblib
import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from scipy import sparse
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer, load_digits, load_iris
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils.estimator_checks import parametrize_with_checks

from tanoak import (
    CostMatrix,
    GreedyTreeClassifier,
    GreedyTreeRegressor,
    cost_loss,
    make_cost_scorer,
)
from tanoak.exceptions import CostError, ParameterError, TableError


@parametrize_with_checks([GreedyTreeClassifier(), GreedyTreeRegressor()])
@pytest.mark.filterwarnings("ignore:y holds one class only:UserWarning")
@pytest.mark.filterwarnings("ignore:invalid value encountered in cast:RuntimeWarning")
def test_scikit_learn_finds_nothing(estimator, check):
    check(estimator)


# --- scikit-learn's own tree as an oracle ---


def impurity_by_depth(total, impurity, depth):
    """Sum impurity times weight over all nodes of each depth."""
    return np.bincount(depth, total * impurity)


def depths_of(tree):
    """Depth of each node of scikit-learn's tree."""
    depth = np.zeros(tree.node_count, dtype=int)
    for node in range(tree.node_count):
        for child in (tree.children_left[node], tree.children_right[node]):
            if child >= 0:
                depth[child] = depth[node] + 1
    return depth


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("load", [load_iris, load_breast_cancer, load_digits])
def test_as_pure_as_scikit_learn_at_every_depth(load, criterion):
    X, y = load(return_X_y=True)
    theirs = DecisionTreeClassifier(criterion=criterion, max_depth=3, random_state=0)
    tree = theirs.fit(X, y).tree_
    ours = GreedyTreeClassifier(criterion=criterion, max_depth=3).fit(X, y).tree_
    shares = ours.counts / ours.counts.sum(axis=1, keepdims=True)
    if criterion == "gini":
        impurity = 1 - (shares**2).sum(axis=1)
    else:
        logs = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
        impurity = -(shares * logs).sum(axis=1)
    mine = impurity_by_depth(ours.counts.sum(axis=1), impurity, ours.node_depth)
    other = impurity_by_depth(
        tree.weighted_n_node_samples, tree.impurity, depths_of(tree)
    )
    np.testing.assert_allclose(mine, other, rtol=1e-9)


def test_as_good_as_scikit_learn_on_numbers():
    random = np.random.default_rng(0)
    X = random.normal(size=(2000, 5))
    y = X[:, 0] ** 2 + X[:, 1] * X[:, 2] + random.normal(size=2000)
    weight = random.random(2000)
    theirs = DecisionTreeRegressor(max_depth=5, random_state=0)
    tree = theirs.fit(X, y, sample_weight=weight).tree_
    model = GreedyTreeRegressor(max_depth=5).fit(X, y, sample_weight=weight)
    mine = np.bincount(model.tree_.node_depth, model.tree_.sse)
    other = impurity_by_depth(
        tree.weighted_n_node_samples, tree.impurity, depths_of(tree)
    )
    np.testing.assert_allclose(mine, other, rtol=1e-9)
    np.testing.assert_allclose(model.predict(X), theirs.predict(X), rtol=1e-9)


# --- costs ---


COST = {
    "a": {"b": 1, "c": 20},
    "b": {"a": 3, "c": 2},
    "c": {"a": 9, "b": 4},
}


def three_classes(n=600, seed=0):
    """Rows whose class is uncertain."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 4))
    noise = random.normal(size=n)
    return X, np.array(list("abc"))[np.digitize(X[:, 0] + noise, [-0.5, 0.7])]


def test_answers_cost_least_and_shares_are_honest():
    X, y = three_classes()
    model = GreedyTreeClassifier(cost=COST, max_depth=4).fit(X, y)
    leaf = model.apply(X)
    cost = CostMatrix.from_any(COST, ["a", "b", "c"]).values
    for node in np.unique(leaf):
        in_leaf = y[leaf == node]
        counts = np.array([(in_leaf == k).sum() for k in "abc"])
        expected = counts @ cost
        assert model.classes_[expected.argmin()] == model.predict(X[leaf == node])[0]
        np.testing.assert_allclose(
            model.predict_proba(X[leaf == node])[0], counts / counts.sum()
        )


def test_costs_pay_and_transposed_ones_do_not():
    X, y = three_classes(3000)
    X_new, new_y = three_classes(3000, seed=1)
    names = ["a", "b", "c"]
    matrix = CostMatrix.from_any(COST, names)
    turned = matrix.values.T
    paid = {
        name: cost_loss(
            new_y,
            GreedyTreeClassifier(cost=cost, max_leaf_nodes=8).fit(X, y).predict(X_new),
            cost=matrix,
        )
        for name, cost in {"right": matrix, "none": None, "turned": turned}.items()
    }
    assert paid["right"] < paid["none"]
    assert paid["right"] < paid["turned"]


def test_priors_shift_shares_and_answers():
    X, y = three_classes()
    priors = {"a": 0.7, "b": 0.2, "c": 0.1}
    model = GreedyTreeClassifier(priors=priors, max_depth=2).fit(X, y)
    counts = model.tree_.counts
    factor = np.array([0.7, 0.2, 0.1]) / (counts[0] / counts[0].sum())
    expected = counts[model.apply(X)] * factor
    expected /= expected.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_proba(X), expected)
    np.testing.assert_allclose(model.tree_.predict_shares(X), expected)
    assert (model.tree_.counts[0] == [(y == k).sum() for k in "abc"]).all()


def test_costs_of_rows_are_routed():
    X, y = three_classes()
    random = np.random.default_rng(0)
    row_costs = random.random((len(y), 3))
    row_costs[np.arange(len(y)), np.searchsorted(list("abc"), y)] = 0
    weight = random.random(len(y))
    with sklearn.config_context(enable_metadata_routing=True):
        model = GreedyTreeClassifier(max_depth=3).set_fit_request(
            sample_weight=True, row_costs=True
        )
        scorer = make_cost_scorer().set_score_request(
            row_costs=True, sample_weight=True
        )
        result = cross_validate(
            model,
            X,
            y,
            params={"row_costs": row_costs, "sample_weight": weight},
            scoring=scorer,
            return_estimator=True,
            cv=3,
        )
        assert (result["test_score"] < 0).all()
        assert result["estimator"][0].tree_.answer_costs is not None


def test_scorer_searches_a_grid():
    X, y = three_classes()
    search = GridSearchCV(
        GreedyTreeClassifier(cost=COST),
        {"max_leaf_nodes": [2, 8, 32]},
        scoring=make_cost_scorer(COST),
        cv=3,
    ).fit(X, y)
    assert search.best_params_["max_leaf_nodes"] in (2, 8, 32)
    assert search.best_score_ == search.cv_results_["mean_test_score"].max() < 0


# --- data frames, pipelines, copies ---


def frames():
    """Give the same frame in three libraries."""
    data = {
        "age": [20.0, 30.0, None, 50.0, 60.0, 70.0] * 20,
        "town": ["Bonn", "Kiel", "Bonn", None, "Ulm", "Ulm"] * 20,
        "owns": [True, False, True, True, False, False] * 20,
    }
    frame = pl.DataFrame(data)
    return {"polars": frame, "pandas": frame.to_pandas(), "pyarrow": frame.to_arrow()}


@pytest.mark.parametrize("library", frames())
def test_frames_grow_the_same_tree(library):
    y = np.array([0, 1, 0, 1, 1, 0] * 20)
    frame = frames()[library]
    model = GreedyTreeClassifier().fit(frame, y)
    assert (model.predict(frame) == y).all()
    assert model.feature_names_in_.tolist() == ["age", "town", "owns"]
    assert model.tree_ == GreedyTreeClassifier().fit(frames()["polars"], y).tree_
    turned = nw.from_native(frame).select("owns", "age", "town").to_native()
    assert (model.predict(turned) == y).all()
    with pytest.raises(TableError, match="now missing:\n- town"):
        model.predict(nw.from_native(frame).select("owns", "age").to_native())


def test_a_category_never_seen_goes_where_missing_values_go():
    frame = pd.DataFrame({"town": ["Bonn", "Kiel", "Bonn", "Kiel", None, None]})
    model = GreedyTreeClassifier().fit(frame, [0, 1, 0, 1, 1, 1])
    new = pd.DataFrame({"town": ["Ulm", None]})
    assert model.predict(new).tolist() == [1, 1]


def test_categories_of_numbers_by_hand():
    X = np.array([[1, 5.0], [2, 5.0], [3, 5.0], [1, 6.0], [2, 6.0], [3, 6.0]])
    y = [0, 1, 0, 0, 1, 0]
    model = GreedyTreeClassifier(categorical_features=[0]).fit(X, y)
    assert model.get_n_leaves() == 2
    assert GreedyTreeClassifier().fit(X, y).get_n_leaves() == 3


def test_pipelines_clones_pickles_and_processes():
    X, y = load_breast_cancer(return_X_y=True)
    pipeline = make_pipeline(StandardScaler(), GreedyTreeClassifier(max_depth=3))
    model = pipeline.fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert again[-1].tree_ == model[-1].tree_
    assert (again.predict(X) == model.predict(X)).all()
    assert not hasattr(clone(model)[-1], "tree_")
    here = cross_val_score(pipeline, X, y, cv=3)
    with joblib.parallel_config(backend="loky", n_jobs=2):
        assert (cross_val_score(pipeline, X, y, cv=3) == here).all()
    with joblib.parallel_config(backend="threading", n_jobs=2):
        assert (cross_val_score(pipeline, X, y, cv=3) == here).all()


def test_set_output_of_transformers_before_it():
    frame = frames()["pandas"]
    y = np.array([0, 1, 0, 1, 1, 0] * 20)
    steps = make_column_transformer(
        (StandardScaler(), ["age"]),
        ("passthrough", ["town", "owns"]),
        verbose_feature_names_out=False,
    ).set_output(transform="pandas")
    model = make_pipeline(steps, GreedyTreeClassifier()).fit(frame, y)
    assert (model.predict(frame) == y).all()
    assert model[-1].feature_names_in_.tolist() == ["age", "town", "owns"]


def test_sparse_is_dense():
    X = sparse.random_array((500, 40), density=0.1, rng=0, format="csr")
    dense = X.toarray()
    y = (dense[:, 0] > 0) | (dense[:, 1] > dense[:, 2])
    model = GreedyTreeClassifier().fit(X, y)
    assert model.tree_ == GreedyTreeClassifier().fit(dense, y).tree_
    assert (model.predict(X.tocsc()) == model.predict(dense)).all()
    path = model.decision_path(X)
    assert (path[:, [0]].toarray()).all()


def test_threads_may_share_a_model():
    X, y = load_digits(return_X_y=True)
    model = GreedyTreeClassifier().fit(X, y)
    expected = model.predict(X)
    results = [None] * 8

    def work(i):
        results[i] = model.predict(X)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all((result == expected).all() for result in results)


def test_number_of_jobs_does_not_change_the_tree():
    X, y = load_digits(return_X_y=True)
    X = np.tile(X, (10, 1))
    y = np.tile(y, 10)
    one = GreedyTreeClassifier(n_jobs=1).fit(X, y)
    assert one.tree_ == GreedyTreeClassifier(n_jobs=-1).fit(X, y).tree_
    assert one.tree_ == GreedyTreeClassifier(n_jobs=4).fit(X, y).tree_


def test_one_class_is_a_leaf_and_a_warning():
    with pytest.warns(UserWarning, match="one class only, 'a': the tree is a single"):
        model = GreedyTreeClassifier(cost="balanced").fit([[1.0], [2.0]], ["a", "a"])
    assert model.predict([[5.0]]).tolist() == ["a"]
    assert model.predict_proba([[5.0]]).tolist() == [[1.0]]


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"criterion": "ginni"}, "criterion must be 'gini' or 'entropy', got 'ginni'"),
        ({"max_depth": 0}, "max_depth must be None or an integer >= 1, got 0"),
        ({"split": "pairs"}, "split must be 'axis', got 'pairs'"),
    ],
)
def test_parameters_are_checked_by_fit(params, message):
    with pytest.raises(ParameterError, match=message):
        GreedyTreeClassifier(**params).fit([[1.0], [2.0]], [0, 1])


def test_a_fit_that_fails_leaves_nothing():
    model = GreedyTreeClassifier().fit([[1.0], [2.0]], [0, 1])
    with pytest.raises(CostError):
        model.fit([[1.0], [2.0]], [0, 1], sample_weight=[1, -1])
    assert not hasattr(model, "tree_")
    assert not hasattr(model, "n_features_in_")


def test_ctrl_c_stops_within_a_tenth_of_a_second(tmp_path):
    """In a process of its own, where the interrupt is real."""
    script = tmp_path / "fit.py"
    script.write_text(
        "import sys, time, numpy as np\n"
        "from tanoak import GreedyTreeClassifier\n"
        "random = np.random.default_rng(0)\n"
        "X = random.normal(size=(1_000_000, 20)).astype(np.float32)\n"
        "y = random.integers(0, 5, 1_000_000)\n"
        "model = GreedyTreeClassifier(criterion='entropy')\n"
        "print('fitting', flush=True)\n"
        "try:\n"
        "    model.fit(X, y)\n"
        "except KeyboardInterrupt:\n"
        "    print(time.time(), hasattr(model, 'tree_'), flush=True)\n"
    )
    for delay in (0.15, 0.6, 1.5):  # presorting, large nodes, subtrees
        with subprocess.Popen(
            [sys.executable, str(script)], stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout.readline() == "fitting\n"
            time.sleep(delay)
            sent = time.time()
            process.send_signal(signal.SIGINT)
            stopped, fitted = process.stdout.readline().split()
        assert fitted == "False"
        # Twenty times the promise: a busy machine must not fail this test.
        assert float(stopped) - sent < 2
