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
from scipy import sparse
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from tanoak import (
    GreedyTreeClassifier,
    GreedyTreeRegressor,
)
from tanoak.exceptions import CostError, ParameterError, TableError


@parametrize_with_checks([GreedyTreeClassifier(), GreedyTreeRegressor()])
@pytest.mark.filterwarnings("ignore:y holds one class only:UserWarning")
@pytest.mark.filterwarnings("ignore:invalid value encountered in cast:RuntimeWarning")
def test_scikit_learn_finds_nothing(estimator, check):
    check(estimator)


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


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"criterion": "ginni"}, "'auc' or 'cost', got 'ginni'; did you mean 'gini'"),
        ({"max_depth": 0}, "max_depth must be None or an integer >= 1, got 0"),
        ({"split": "pairs"}, "split must be 'axis', 'pair' or 'oblique', got 'pairs'"),
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
