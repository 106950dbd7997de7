"""Model files in; predictions out, those of the tree to the bit, by NumPy alone."""

from __future__ import annotations

import subprocess
import sys
import time

import numpy as np
import pytest
from hypothesis import given
from trees import (
    QUICK,
    Recipe,
    cases,
    complete,
    credit_tree,
    lone_leaf,
    recipes,
    regression_tree,
    table,
)
from trees import case as make_case

from tanoak import serve
from tanoak.costs import CostMatrix
from tanoak.exceptions import ParameterError, TreeFormatError

HEAVY = ("scipy", "sklearn", "narwhals", "pandas", "polars", "tanoak._core")


def named(tree, rows):
    """Turn codes into levels: rows as a user has them."""
    cells = rows.astype(object)
    for column in tree.columns.categorical:
        levels = tree.columns.levels[column]
        known = ~np.isnan(rows[:, column])
        cells[known, column] = [levels[int(code)] for code in rows[known, column]]
        cells[~known, column] = None
    return cells


@QUICK
@given(cases())
def test_predictions_are_those_of_the_tree(drawn):
    tree, rows = drawn
    X, cells = table(tree, rows), named(tree, rows)
    model = serve.loads(tree.to_json())
    np.testing.assert_array_equal(model.apply(cells), tree.apply(X))
    assert model.apply(cells).dtype == np.int64
    predicted = model.predict(cells)
    assert predicted.dtype == tree.predict(X).dtype
    assert predicted.tobytes() == tree.predict(X).tobytes()
    if tree.classes is not None:
        shares = model.predict_proba(cells)
        assert shares.tobytes() == tree.predict_shares(X).tobytes()


@QUICK
@given(recipes(n_rows=8))
def test_rows_as_dicts_columns_and_lists_are_the_same(recipe):
    tree, rows = make_case(recipe)
    cells, names = named(tree, rows), tree.columns.names
    model = serve.loads(tree.to_json())
    expected = tree.apply(table(tree, rows))
    forms = [
        cells.tolist(),
        {name: cells[:, j].tolist() for j, name in enumerate(names)},
        [dict(zip(names, row, strict=True)) for row in cells.tolist()],
    ]
    for form in forms:
        np.testing.assert_array_equal(model.apply(form), expected)


def test_a_saved_model_is_loaded(tmp_path):
    cost = CostMatrix([[0, 5, 1], [2, 0, 3], [9, 4, 0]], ("bad", "fair", "good"))
    tree = credit_tree(cost=cost, class_factor=[1.0, 3.0, 0.5])
    path = tmp_path / "credit.tanoak"
    tree.save(path)
    for model in (serve.load(path), serve.load(str(path))):
        assert model.classes == ("bad", "fair", "good")
        assert model.columns == ("age", "purpose", "amount")
        rows = [{"age": 20, "purpose": "tv", "amount": 9}]
        assert model.predict(rows).tolist() == ["bad"]
        np.testing.assert_array_equal(
            model.predict_proba(rows), [[40 / 55.5, 15 / 55.5, 0.5 / 55.5]]
        )


def test_regression():
    model = serve.loads(regression_tree().to_json())
    assert model.classes is None
    assert model.predict([[0, -1], [0, 0], [4, 0]]).tolist() == [-1.5, 0.25, 8.0]
    with pytest.raises(ParameterError, match="no classes to have shares of"):
        model.predict_proba([[0, 0]])


def test_what_is_no_model_is_refused(tmp_path):
    with pytest.raises(TreeFormatError, match="not a tanoak file"):
        serve.loads("{}")
    (tmp_path / "x").write_bytes(b"\x80\x04")
    with pytest.raises(TreeFormatError, match="not a tanoak file"):
        serve.load(tmp_path / "x")
    with pytest.raises(FileNotFoundError):
        serve.load(tmp_path / "none")


def test_one_line_about_a_model():
    model = serve.loads(credit_tree().to_json())
    assert repr(model) == "<Model: 3 classes, 3 columns, 7 nodes>"
    assert repr(serve.loads(regression_tree().to_json())).startswith("<Model: regr")
    assert (
        serve.loads(lone_leaf().to_json()).predict([[1], [2]]).tolist() == ["yes"] * 2
    )


def test_only_numpy_is_loaded():
    code = f"""
import sys, tanoak.serve
model = tanoak.serve.loads({credit_tree().to_json()!r})
assert model.predict([{{"age": 20, "purpose": "tv", "amount": 9}}]).tolist() == ["bad"]
found = {{name.split(".")[0] for name in sys.modules}} | set(sys.modules)
assert not found & set({HEAVY!r}), found & set({HEAVY!r})
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_loading_takes_little_longer_than_numpy():
    code = """
import time, numpy
begin = time.process_time()
import tanoak.serve
print(time.process_time() - begin)
"""
    command = [sys.executable, "-c", code]
    times = [float(subprocess.check_output(command)) for _ in range(5)]
    assert min(times) < 0.060


def test_many_rows_are_fast():
    tree, rows = complete(6), np.random.default_rng(0).normal(size=(200_000, 4))
    model = serve.loads(tree.to_json())
    begin = time.perf_counter()
    leaves = model.apply(rows)
    assert time.perf_counter() - begin < 2
    np.testing.assert_array_equal(leaves, tree.apply(rows))


def test_single_precision_is_served_alike():
    tree, rows = make_case(Recipe(seed=11, n_levels=()))
    with np.errstate(over="ignore"):
        narrow = rows.astype(np.float32)
    narrow[np.isinf(narrow)] = 0.0
    model = serve.loads(tree.to_json())
    np.testing.assert_array_equal(model.apply(narrow), tree.apply(narrow))
