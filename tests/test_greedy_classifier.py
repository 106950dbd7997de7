from __future__ import annotations

import numpy as np
import pytest
import sklearn
from impurities import depths_of, impurity_by_depth
from sklearn.datasets import load_breast_cancer, load_digits, load_iris
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.tree import DecisionTreeClassifier

from tanoak import CostMatrix, GreedyTreeClassifier, cost_loss, make_cost_scorer


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


def test_one_class_is_a_leaf_and_a_warning():
    with pytest.warns(UserWarning, match="one class only, 'a': the tree is a single"):
        model = GreedyTreeClassifier(cost="balanced").fit([[1.0], [2.0]], ["a", "a"])
    assert model.predict([[5.0]]).tolist() == ["a"]
    assert model.predict_proba([[5.0]]).tolist() == [[1.0]]
