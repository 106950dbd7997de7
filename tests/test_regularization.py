from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris

from tanoak import (
    GreedyTreeClassifier,
    TAOTreeClassifier,
    TAOTreeRegressor,
    regularization_path,
)
from tanoak._regularization import read_task, settled
from tanoak.exceptions import ParameterError


def data(kind):
    """Rows and a target for one kind of estimator."""
    load = load_breast_cancer if kind is TAOTreeClassifier else load_diabetes
    X, y = load(return_X_y=True)
    return X[:150], y[:150]


@pytest.mark.parametrize("split", ["axis", "pair"])
@pytest.mark.parametrize("kind", [TAOTreeClassifier, TAOTreeRegressor])
def test_the_path_goes_from_price_0_to_a_single_leaf(kind, split):
    X, y = data(kind)
    path = regularization_path(X, y, estimator=kind(split=split))
    table = path.to_frame()
    assert table["split_penalty"][0] == 0
    assert (np.diff(table["split_penalty"]) > 0).all()
    assert path[-1].n_leaves == 1
    assert table["features_per_split"].iloc[-1] == 0
    assert all(a != b for a, b in zip(path.trees, path.trees[1:], strict=False))
    assert len(table) == len(path) == len(list(path))
    assert table["n_leaves"].tolist() == (table["n_splits"] + 1).tolist()
    assert (table["features_per_split"].iloc[:-1] >= 1).all()
    wanted = table["n_bivariate"] / table["n_splits"].clip(lower=1)
    got = (table["features_per_split"] - 1).clip(lower=0)
    np.testing.assert_allclose(got, wanted)


@pytest.mark.parametrize("split", ["axis", "pair"])
def test_a_fine_grid_of_prices_finds_no_other_trees(split):
    X, y = load_iris(return_X_y=True)
    X, told = X[::2], {"cost": [[0, 1, 4], [2, 0, 3], [9, 1, 0]]}
    random = np.random.default_rng(0)
    y = np.where(random.random(75) < 0.2, random.integers(0, 3, 75), y[::2])
    model = TAOTreeClassifier(split=split, exact=True, **told)
    path = regularization_path(X, y, estimator=model)
    task = read_task(model, X, y, sample_weight=None, row_costs=None)
    problem, start, settings = task
    tree = settled(problem, start, replace(settings, split_penalty=0.0)).tree
    for penalty in np.arange(1, 400) / 40 + 1e-6:
        tree = settled(problem, tree, replace(settings, split_penalty=penalty)).tree
        if path.at(penalty) != tree:
            # A step of the grid may pass two turns, which then come in another order.
            apart = np.diff(path.penalties[path.penalties <= penalty])
            assert apart.min() < 1 / 40
            break
    else:
        assert penalty > path.penalties[-2]
    assert len(path) > 3


def test_losses_and_features_are_those_of_the_trees():
    X, y = data(TAOTreeClassifier)
    cost = np.array([[0.0, 3.0], [1.0, 0.0]])
    path = regularization_path(
        X, y, estimator=TAOTreeClassifier(split="pair", cost=cost)
    )
    paid = [cost[y, tree.predict(X)].sum() for tree in path]
    assert path.losses.tolist() == paid


def test_costs_of_rows_and_weights_come_through():
    X, y = data(TAOTreeClassifier)
    weight = np.arange(150) % 3 + 0.0
    cost = np.array([[0.0, 3.0], [1.0, 0.0]])
    told = {"estimator": TAOTreeClassifier(split="axis"), "sample_weight": weight}
    path = regularization_path(X, y, row_costs=cost[y], **told)
    paid = [weight @ cost[y, tree.predict(X)] for tree in path]
    np.testing.assert_allclose(path.losses, paid)


def test_sums_get_shorter_on_the_way():
    X, y = data(TAOTreeClassifier)
    path = regularization_path(X, y, estimator=TAOTreeClassifier())
    features = path.to_dict()["features_per_split"]
    assert features[-1] < features[0] / 2


def test_a_tree_of_the_path_is_found_by_its_price():
    X, y = data(TAOTreeClassifier)
    path = regularization_path(X, y)
    second = path.penalties[1]
    assert path.at(second) == path[1]
    assert path.at(np.nextafter(second, 0)) == path.at(0) == path[0]
    assert path.at(1e9) == path[-1]
    assert repr(path).startswith(f"<RegularizationPath: {len(path)} trees of ")


def test_prices_may_be_given_and_trees_limited():
    X, y = data(TAOTreeClassifier)
    path = regularization_path(X, y, penalties=[3, 1, 200, 1e3])
    assert path.penalties.tolist() == [1, 3, 200]
    assert len(regularization_path(X, y, max_trees=2)) == 2


def test_the_estimator_stays_as_it_is():
    X, y = data(TAOTreeClassifier)
    model = TAOTreeClassifier(split="axis").fit(X, y)
    before = model.tree_
    regularization_path(X, y, estimator=model)
    assert model.tree_ is before


def test_another_start_may_be_given():
    X, y = data(TAOTreeClassifier)
    start = GreedyTreeClassifier(split="pair").fit(X, y)
    model = TAOTreeClassifier(split="pair", init=start)
    path = regularization_path(X, y, estimator=model)
    assert path[0].n_leaves <= start.get_n_leaves()
    assert path[0] != regularization_path(X, y)[0]


def test_categories_and_missing_values_are_followed():
    random = np.random.default_rng(4)
    kind = random.choice(["a", "b", "c", "d"], 200)
    size = random.normal(size=200)
    y = np.isin(kind, ["a", "c"]) ^ (size > 1) ^ (random.random(200) < 0.1)
    X = pd.DataFrame({"kind": kind, "size": np.where(size < -1, np.nan, size)})
    for split in ("axis", "pair"):
        path = regularization_path(X, y, estimator=TAOTreeClassifier(split=split))
        assert path[-1].n_leaves == 1
        assert path.losses.tolist() == [(tree.predict(X) != y).sum() for tree in path]


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"estimator": GreedyTreeClassifier()}, "give a TAOTreeClassifier"),
        ({"estimator": TAOTreeClassifier(init="random")}, "starts no path"),
        ({"estimator": TAOTreeClassifier(locks=[])}, "locks are about"),
        ({"estimator": TAOTreeClassifier(split="pairs")}, "did you mean 'pair'"),
        ({"estimator": TAOTreeRegressor(), "row_costs": 1}, "row_costs are about"),
        ({"penalties": [-1]}, "give a list of numbers >= 0"),
        ({"penalties": 3}, "give a list of numbers >= 0"),
        ({"max_trees": 0}, "max_trees must be an integer >= 1"),
    ],
)
def test_what_cannot_be_is_refused(told, said):
    X, y = data(TAOTreeClassifier)
    with pytest.raises(ParameterError, match=said):
        regularization_path(X, y, **told)


def test_a_start_of_other_classes_is_refused():
    X, y = data(TAOTreeClassifier)
    start = GreedyTreeClassifier().fit(X, y + 1)
    with pytest.raises(ParameterError, match="has the classes"):
        regularization_path(X, y, estimator=TAOTreeClassifier(init=start))
