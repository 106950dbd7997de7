from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from tanoak import GreedyTreeClassifier, GreedyTreeRegressor
from tanoak._monotone import read_monotone
from tanoak._table import Columns
from tanoak.exceptions import ParameterError

QUICK = settings(max_examples=60, deadline=None)
CLASS_CRITERIA = ["gini", "entropy", "auc", "dkm", "gain_ratio", "misclassification"]


@st.composite
def problems(draw):
    """Draw rows with missing values and categories, signs, weights and limits."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(5, 150))
    X = random.integers(0, draw(st.sampled_from([4, 20])), (n, 4)).astype(float)
    X[random.random(X.shape) < draw(st.sampled_from([0, 0.2]))] = np.nan
    signs = [draw(st.sampled_from([-1, 0, 1])) for _ in range(3)] + [0]
    target = np.nansum(X[:, :3] * random.normal(size=3), axis=1)
    target += random.normal(size=n) * draw(st.sampled_from([1, 10]))
    weight = random.random(n) + 0.1 if draw(st.booleans()) else None
    options = draw(
        st.sampled_from(
            [
                {},
                {"max_depth": 3},
                {"max_leaf_nodes": 8},
                {"max_memory": 1},
                {"max_memory": 1, "max_leaf_nodes": 8},
                {"max_memory": 1000},
                {"min_samples_leaf": 4},
                {"prune": 0.001},
            ]
        )
    )
    return (
        X,
        target,
        weight,
        {"monotone": signs, "categorical_features": [3], **options},
    )


def answers_along(model, X, column):
    """Answers to each row with all values of a column in its place, in order."""
    values = np.unique(X[~np.isnan(X[:, column]), column])
    if isinstance(model, GreedyTreeRegressor):
        answer = model.predict
    else:

        def answer(rows):
            """Return the probability of the positive class."""
            return model.predict_proba(rows)[:, -1]

    rows = np.repeat(X, len(values), axis=0)
    rows[:, column] = np.tile(values, len(X))
    return answer(rows).reshape(len(X), len(values))


def check_monotone(model, X, signs):
    """Assert that answers rise or fall along each column, from every row."""
    for column, sign in enumerate(signs):
        if sign:
            steps = np.diff(answers_along(model, X, column), axis=1) * sign
            assert (steps >= 0).all(), (column, sign, steps.min())


@QUICK
@given(problems())
def test_means_keep_their_order(problem):
    X, target, weight, options = problem
    model = GreedyTreeRegressor(**options).fit(X, target, sample_weight=weight)
    check_monotone(model, X, options["monotone"])


@QUICK
@given(problems(), st.sampled_from(CLASS_CRITERIA), st.booleans())
def test_probabilities_keep_their_order(problem, criterion, priced):
    X, target, weight, options = problem
    y = np.where(target > np.median(target), "yes", "no")
    if len(set(y)) == 1:
        return
    cost = {"yes": 3.7, "no": 1} if priced else None
    model = GreedyTreeClassifier(criterion=criterion, cost=cost, **options)
    model.fit(X, y, sample_weight=None if weight is None else np.ceil(weight * 8) / 8)
    check_monotone(model, X, options["monotone"])
    for column, sign in enumerate(options["monotone"][:3]):
        if sign:
            values = np.unique(X[~np.isnan(X[:, column]), column])
            rows = np.repeat(X[:1], len(values), axis=0)
            rows[:, column] = values
            says_yes = (model.predict(rows) == "yes").astype(int)
            assert (np.diff(says_yes) * sign >= 0).all()


def test_without_them_answers_do_not_keep_order():
    """The tests above would see it."""
    random = np.random.default_rng(0)
    X = random.random((200, 4))
    model = GreedyTreeRegressor().fit(X, random.normal(size=200))
    with pytest.raises(AssertionError):
        check_monotone(model, X, [1, 0, 0, 0])


def test_a_true_order_costs_nothing():
    X = np.arange(100.0)[:, None]
    free = GreedyTreeRegressor(max_depth=4).fit(X, np.sqrt(X[:, 0]))
    bound = GreedyTreeRegressor(max_depth=4, monotone=[1]).fit(X, np.sqrt(X[:, 0]))
    assert free.tree_ == bound.tree_
    against = GreedyTreeRegressor(monotone=[-1]).fit(X, np.sqrt(X[:, 0]))
    assert against.get_n_leaves() == 1


def test_sparse_columns_and_threads_grow_the_same_tree():
    random = np.random.default_rng(1)
    X = random.integers(0, 5, (3000, 4)).astype(float)
    y = (X[:, 0] - X[:, 1] + random.normal(size=3000) * 3 > 0).astype(int)
    options = {"monotone": [1, -1, 0, 0], "criterion": "entropy"}
    one = GreedyTreeClassifier(**options).fit(X, y)
    other = GreedyTreeClassifier(n_jobs=2, **options).fit(sparse.csr_array(X), y)
    assert one.tree_ == other.tree_
    check_monotone(one, X[:50], options["monotone"])
    assert one.get_n_leaves() > 10


def test_names_say_which_columns():
    table = {"age": [1.0, 2, 3, 4], "city": ["a", "b", "a", "b"]}
    model = GreedyTreeRegressor(monotone={"age": -1}).fit(table, [4.0, 3, 5, 1])
    by_place = GreedyTreeRegressor(monotone=[-1, 0]).fit(table, [4.0, 3, 5, 1])
    assert model.tree_ == by_place.tree_


@pytest.mark.parametrize(
    ("monotone", "words"),
    [
        ({"wage": 1}, "no column 'wage'"),
        ({"age": 2}, "-1, 0 or 1"),
        ([1], "2 columns"),
        ([1, 1], "'city' has categories"),
        ("up", "a dict"),
        ([1.5, 0], "-1, 0 or 1"),
        ({"age": True}, "-1, 0 or 1"),
    ],
)
def test_odd_constraints_are_refused(monotone, words):
    table = {"age": [1.0, 2, 3, 4], "city": ["a", "b", "a", "b"]}
    with pytest.raises(ParameterError, match=words):
        GreedyTreeRegressor(monotone=monotone).fit(table, [1.0, 2, 3, 4])


def test_only_cuts_of_one_column_keep_them():
    columns = Columns(("a",), (None,), named=True)
    with pytest.raises(ParameterError, match="use split='axis'"):
        read_monotone([1], columns, "pair")
    assert read_monotone([0], columns, "pair") == ()


def test_what_constraints_cannot_go_with_is_refused():
    X, y = np.arange(6.0)[:, None], [0, 1, 2, 0, 1, 2]
    with pytest.raises(ParameterError, match="two classes, y has 3"):
        GreedyTreeClassifier(monotone=[1]).fit(X, y)
    two = [0, 1, 0, 1, 0, 1]
    row_costs = np.ones((6, 2)) - np.eye(2)[two]
    with pytest.raises(ParameterError, match="row_costs"):
        GreedyTreeClassifier(monotone=[1]).fit(X, two, row_costs=row_costs)
    with pytest.raises(ParameterError, match="smoothing"):
        GreedyTreeClassifier(monotone=[1], smoothing="laplace").fit(X, two)
    with pytest.raises(ParameterError, match="median"):
        GreedyTreeRegressor(monotone=[1], criterion="absolute_error").fit(X, two)
