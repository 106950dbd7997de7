"""Parameters out of range or of the wrong type in; messages out, or the same tree."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from refusals import NUMBERS, ROWS, TEXTS, check_refused
from scipy import sparse

from tanoak import (
    GreedyTreeClassifier,
    GreedyTreeRegressor,
    ParameterError,
    TableError,
)
from tanoak.estimators._progress import progress_for

NAN, INF = np.nan, np.inf

# --- growth parameters of both models ---

MUST = {
    "split": "'axis', 'pair' or 'oblique'",
    "n_restarts": "an integer >= 1 and <= 10000",
    "n_jumps": "an integer >= 0 and <= 10000",
    "max_depth": "None or an integer >= 1",
    "max_leaf_nodes": "None or an integer >= 2",
    "n_orientations": "an integer >= 1 and <= 10000",
    "pair_cost": "a number >= 1",
    "max_pairs": "an integer >= 1",
    "min_samples_split": "an integer >= 2",
    "min_samples_leaf": "an integer >= 1",
    "min_weight_fraction_leaf": "a number >= 0 and <= 0.5",
    "min_impurity_decrease": "a number >= 0",
    "max_memory": "an integer >= 1",
    "n_jobs": "None, an integer <= -1 or an integer >= 1",
    "verbose": "an integer >= 0",
}
WRONG = {
    "split": [None, 1, "linear", ["axis"]],
    "n_restarts": [0, -1, 10_001, 2.0, "3", None, True],
    "n_jumps": [-1, 10_001, 2.0, "3", None, True],
    "max_depth": [0, -1, 1.5, 3.0, "3", True, NAN, INF, [3], np.True_, np.float64(3)],
    "max_leaf_nodes": [1, 0, -1, 2.5, "3", True, 2**0.5],
    "n_orientations": [0, -1, 10_001, 1.5, "3", None, True],
    "pair_cost": [0.99, 0, -1, np.nan, np.inf, "3", None, True],
    "max_pairs": [0, -1, 0.5, "3", None, True],
    "min_samples_split": [1, 0, -1, 0.5, "3", None, True],
    "min_samples_leaf": [0, -1, 0.5, "3", None, True],
    "min_weight_fraction_leaf": [-0.1, 0.6, "0", None, True, NAN, INF, 1j, Decimal(0)],
    "min_impurity_decrease": [-0.1, -5e-324, "0", None, False, NAN, INF, [0.0]],
    "max_memory": [0, -1, 1e9, None, "1GB", True],
    "n_jobs": [0, 1.5, "2", True, NAN],
    "verbose": [-1, 1.5, "2", None, True, False],
}
CASES = [(name, value) for name, values in WRONG.items() for value in values]


def shown(value):
    """Write a value as messages do, NumPy's scalars as Python's."""
    return repr(value.item() if isinstance(value, np.generic) else value)


def both(**params):
    """Return how both models are fitted with these parameters."""
    return (
        lambda: GreedyTreeClassifier(**params).fit(ROWS, TEXTS),
        lambda: GreedyTreeRegressor(**params).fit(ROWS, NUMBERS),
    )


CLASS_CRITERIA = (
    "'gini', 'entropy', 'misclassification', 'gain_ratio', 'dkm', 'expected_error', "
    "'auc' or 'cost'"
)
NUMBER_CRITERIA = "'squared_error' or 'absolute_error'"


@pytest.mark.parametrize(("name", "value"), CASES)
def test_growth_parameters_are_refused(name, value):
    message = f"{name} must be {MUST[name]}, got {shown(value)}"
    for fit in both(**{name: value}):
        check_refused(fit, message, ParameterError)


@pytest.mark.parametrize(
    ("model", "value", "message"),
    [
        (
            GreedyTreeClassifier,
            "ginni",
            f"{CLASS_CRITERIA}, got 'ginni'; did you mean 'gini",
        ),
        (
            GreedyTreeClassifier,
            "GINI",
            f"{CLASS_CRITERIA}, got 'GINI'; did you mean 'gini'",
        ),
        (GreedyTreeClassifier, "mse", f"{CLASS_CRITERIA}, got 'mse'"),
        (GreedyTreeClassifier, None, f"{CLASS_CRITERIA}, got None"),
        (GreedyTreeClassifier, len, f"{CLASS_CRITERIA}, got <built-in function len>"),
        (GreedyTreeRegressor, "gini", f"{NUMBER_CRITERIA}, got 'gini'"),
        (
            GreedyTreeRegressor,
            "squared error",
            f"{NUMBER_CRITERIA}, got 'squared error'; ",
        ),
    ],
)
def test_criteria_are_refused(model, value, message):
    fitted = model(criterion=value)
    guess = "..." if ";" in message else ""
    expected = f"criterion must be {message}{guess}"
    check_refused(lambda: fitted.fit(ROWS, TEXTS), expected, ParameterError)


def test_hints_at_a_misspelt_word():
    expected = (
        "split must be 'axis', 'pair' or 'oblique', got 'axs'; did you mean 'axis'?"
    )
    check_refused(both(split="axs")[0], expected, ParameterError)


def test_huge_values_are_shown_short():
    expected = "min_impurity_decrease must be a number >= 0, got 10000000000000000..."
    for fit in both(min_impurity_decrease=10**400):
        check_refused(fit, expected, ParameterError)
        with pytest.raises(ParameterError) as error:
            fit()
        assert len(str(error.value)) < 100


def test_parameters_there_are_none_of():
    check_refused(lambda: GreedyTreeClassifier("gini"), "...positional...", TypeError)
    check_refused(lambda: GreedyTreeRegressor(cost=1), "...'cost'", TypeError)
    check_refused(
        lambda: GreedyTreeRegressor().fit(ROWS, NUMBERS, row_costs=ROWS),
        "...'row_costs'",
        TypeError,
    )
    check_refused(
        lambda: GreedyTreeClassifier().set_params(depth=1),
        "Invalid parameter 'depth' for estimator GreedyTreeClassifier()...",
        ValueError,
    )


# --- categorical_features ---

CHOICE = (
    "categorical... must be 'auto', a list of column names or positions, or a mask "
    "with one bool per column, got "
)
NO_COLUMNS = {
    "a misspelt word": ("Auto", CHOICE + "'Auto'"),
    "None": (None, CHOICE + "None"),
    "a number": (5, CHOICE + "5"),
    "bytes": (b"age", CHOICE + "b'age'"),
    "a column's name": ("age", CHOICE + "'age'; write ['age']"),
    "a table": (np.array([[True, False]]), CHOICE + "array([[ True, False]])"),
    "too far": ([2], "categorical... holds the position 2, but X has columns 0 to 1"),
    "before": ([-1], "categorical... holds the position -1, but X has columns 0 to 1"),
    "a stranger": (["zip"], "categorical... names a column 'zip' that X does not have"),
    "misspelt": (
        ["Age"],
        "categorical... names a column 'Age' that X does not have; did you mean 'age'?",
    ),
    "a fraction": (
        [0.5],
        "categorical... must hold column names or positions, got 0.5",
    ),
    "nothing": ([None], "categorical... must hold column names or positions, got None"),
    "a short mask": (
        [True],
        "a categorical... mask needs one bool per column: X has 2 columns, the mask 1 "
        "values",
    ),
    "a long mask": (
        [True, False, True],
        "a categorical... mask needs one bool per column: X has 2 columns, the mask 3 "
        "values",
    ),
    "a mask that is not": (
        [True, 1],
        "categorical... must hold column names or positions, got True",
    ),
}


@pytest.mark.parametrize("what", NO_COLUMNS)
def test_categorical_features_are_refused(what):
    value, message = NO_COLUMNS[what]
    frame = pd.DataFrame(ROWS, columns=["age", "pay"])
    model = GreedyTreeClassifier(categorical_features=value)
    check_refused(lambda: model.fit(frame, TEXTS), message, ParameterError)


def test_categories_of_a_sparse_matrix_are_refused():
    model = GreedyTreeClassifier(categorical_features=[1])
    message = (
        "column 'x1' is categorical, which needs dense data, and X is sparse; use "
        "X.toarray()"
    )
    check_refused(lambda: model.fit(sparse.csr_array(ROWS), TEXTS), message, TableError)


@pytest.mark.parametrize(
    "value",
    [[0], (0,), {0}, ["age"], [True, False], np.array([0]), np.array([True, False])],
    ids=repr,
)
def test_forms_of_categorical_features(value):
    frame = pd.DataFrame(ROWS, columns=["age", "pay"])
    model = GreedyTreeClassifier(categorical_features=value).fit(frame, TEXTS)
    assert model.tree_.columns.levels == ((1.0, 2.0, 3.0, 4.0), None)


# --- extreme, and fine ---

LEAVES = {
    # parameter: {value: leaves of the classifier}
    "max_depth": {1: 2, np.int64(2): 3, 2**31: 4, 2**63: 4, 10**30: 4},
    "max_leaf_nodes": {2: 2, np.uint8(3): 3, 2**31: 4, 2**63: 4, 10**30: 4},
    "min_samples_split": {2**31: 1, 2**63 - 1: 1, 2**63: 1, 10**30: 1},
    "min_samples_leaf": {2: 2, 2**31: 1, 2**62: 1, 2**63 - 1: 1, 10**30: 1},
    "min_weight_fraction_leaf": {0: 4, np.float32(0.5): 2, Fraction(1, 2): 2},
    "min_impurity_decrease": {0: 4, 5e-324: 4, 1: 1, 1e308: 1, 10**300: 1},
    "max_memory": {1: 4, 2**63: 4, 10**30: 4},
    "n_jobs": {-1: 4, -(10**30): 4, 2: 4, 2**31: 4, 10**30: 4, np.int8(1): 4},
    "verbose": {10**400: 4},
}
EXTREMES = [(name, value) for name, values in LEAVES.items() for value in values]


@pytest.mark.parametrize(("name", "value"), EXTREMES, ids=lambda x: str(x)[:30])
def test_extreme_parameters(name, value):
    model = GreedyTreeClassifier(**{name: value}).fit(ROWS, TEXTS)
    assert model.get_n_leaves() == LEAVES[name][value]
    regressor = GreedyTreeRegressor(**{name: value}).fit(ROWS, NUMBERS)
    assert np.isfinite(regressor.predict(ROWS)).all()


def test_progress_a_googol_times_a_second(capsys):
    report = progress_for(10**400, 4)
    for _ in range(3):
        report(2)
    assert capsys.readouterr().err.count("rows have reached a leaf") <= 3
