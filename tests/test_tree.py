"""Arrays in; a frozen tree out that predicts, compares, prints and is stored."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from pathlib import Path

import cloudpickle
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from reference.slow_routing import leaf_of
from scipy import sparse
from trees import (
    QUICK,
    Leaf,
    Recipe,
    axis,
    build,
    case,
    cases,
    columns_of,
    complete,
    credit_tree,
    lone_leaf,
    regression_tree,
    table,
)

from tanoak._tree import Tree
from tanoak.costs import CostMatrix
from tanoak.exceptions import ParameterError, TableError, TreeFormatError

COST = CostMatrix([[0, 5, 1], [2, 0, 3], [9, 4, 0]], ("bad", "fair", "good"))
ROWS = {
    "age": [20.0, 26.5, 26.6, None, 60.0, 60.0],
    "purpose": ["tv", "radio", "radio", "car", "new", "radio"],
    "amount": [0.0, 0.0, 0.0, 0.0, 0.0, None],
}
# 60 * 0.5 is more than 20; "new" counts as the fill, which is the level "car".
LEAVES = [2, 3, 5, 2, 6, 6]


def again(tree, **more):
    """Make the tree anew with some fields replaced."""
    return replace(tree, **more)


# --- predicting ---


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame(ROWS),
        pl.DataFrame(ROWS),
        pl.DataFrame(ROWS).to_arrow(),
        pd.DataFrame(ROWS)[["amount", "age", "purpose"]],
        pd.DataFrame(ROWS).astype({"purpose": "category"}),
        pd.DataFrame(ROWS).to_numpy(),
        pd.DataFrame(ROWS).to_numpy().tolist(),
    ],
    ids=["pandas", "polars", "pyarrow", "reordered", "category", "objects", "lists"],
)
def test_rows_in_any_container(frame):
    tree = credit_tree()
    leaves = tree.apply(frame)
    assert leaves.tolist() == LEAVES
    assert leaves.dtype == np.int64
    assert tree.predict(frame).tolist() == tree.predict(pd.DataFrame(ROWS)).tolist()


def test_answers_counts_and_shares():
    tree, X = credit_tree(class_factor=[1.0, 3.0, 0.5]), pd.DataFrame(ROWS)[:2]
    assert tree.predict(X).tolist() == ["bad", "fair"]
    assert tree.predict_counts(X).tolist() == [[40, 5, 1], [3, 30, 2]]
    assert tree.predict_counts(X).dtype == np.int64
    expected = [[40 / 55.5, 15 / 55.5, 0.5 / 55.5], [3 / 94, 90 / 94, 1 / 94]]
    np.testing.assert_array_equal(tree.predict_shares(X), expected)


def test_regression_answers_with_means():
    tree = regression_tree()
    X = np.array([[3.0, -1.0], [3.0, 0.0], [np.nan, 0.0]])
    assert tree.predict(X).tolist() == [-1.5, 0.25, 8.0]
    assert tree.predict_counts(X).tolist() == [[10], [30], [5]]
    with pytest.raises(ParameterError, match="no classes to have shares of"):
        tree.predict_shares(X)
    with pytest.raises(ParameterError, match="no classes to answer; use sse"):
        tree.expected_costs()


@QUICK
@given(cases())
def test_predictions_come_from_the_leaf_walked_to_by_hand(drawn):
    tree, rows = drawn
    X = table(tree, rows)
    leaves = [leaf_of(tree, row) for row in rows]
    assert tree.apply(X).tolist() == leaves
    assert tree.apply(X, n_threads=2).tolist() == leaves
    np.testing.assert_array_equal(tree.predict_counts(X), tree.counts[leaves])
    if tree.classes is None:
        assert tree.predict(X).tobytes() == tree.mean[leaves].tobytes()
    else:
        answers = [tree.classes[label] for label in tree.label[leaves]]
        assert tree.predict(X).tolist() == answers


@QUICK
@given(cases(n_rows=10))
def test_a_row_alone_and_among_others_is_the_same_to_the_bit(drawn):
    tree, rows = drawn
    together = tree.predict(table(tree, rows))
    alone = [tree.predict(table(tree, rows[i : i + 1]))[0] for i in range(len(rows))]
    assert together.tolist() == alone
    if tree.classes is not None:
        shares = tree.predict_shares(table(tree, rows))
        for i in range(len(rows)):
            one = tree.predict_shares(table(tree, rows[i : i + 1]))
            assert one.tobytes() == shares[i : i + 1].tobytes()


@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
@pytest.mark.parametrize("kind", [sparse.csr_array, sparse.csr_matrix])
def test_sparse_rows(form, kind):
    tree, rows = case(Recipe(seed=4, n_levels=(), missing=0.0))
    rows[np.random.default_rng(0).random(rows.shape) < 0.7] = 0.0
    X = kind(rows).asformat(form)
    assert tree.apply(X).tolist() == [leaf_of(tree, row) for row in rows]


@pytest.mark.parametrize(
    ("classes", "dtype"),
    [(("no", "yes"), "<U3"), ((0, 1), "int64"), ((False, True), "bool")],
)
def test_labels_have_the_dtype_of_the_classes(classes, dtype):
    tree = build(Leaf([1, 2]), columns_of(None), classes)
    assert tree.predict([[0.0]]).dtype == dtype
    assert tree.predict([[0.0]]).tolist() == [classes[1]]


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.zeros((2, 4)), "X has 4 features, but Tree is expecting 3 features"),
        (np.zeros((0, 3)), "0 sample"),
        (np.zeros(3), "Reshape your data"),
        (np.full((1, 3), np.inf), "infinity"),
        (pd.DataFrame(ROWS).rename(columns={"age": "Age"}), "feature names should"),
        ([["old", "tv", 0.0]], "was numeric in training and holds the text 'old'"),
        (table(lone_leaf(), np.zeros((1, 1))), "read with other columns"),
    ],
)
def test_rows_that_do_not_fit_are_refused(X, message):
    with pytest.raises(TableError, match=message):
        credit_tree().predict(X)


def test_rows_are_not_changed():
    frame = pd.DataFrame(ROWS)
    credit_tree().predict(frame)
    pd.testing.assert_frame_equal(frame, pd.DataFrame(ROWS))


# --- making ---


def test_the_cheapest_answer_is_filled_in():
    assert credit_tree().label.tolist() == [2, 0, 0, 1, 2, 2, 0]
    # Row 5: 7 fair, 60 good; calling them bad costs 14 + 540, fair 240, good 21.
    assert credit_tree(cost=COST).label.tolist() == [2, 0, 0, 1, 2, 2, 2]
    assert credit_tree(class_factor=[9.0, 1.0, 0.1]).label[0] == 0
    assert not credit_tree(cost=COST).label.flags.writeable
    chosen = credit_tree(label=[0, 1, 2, 0, 1, 2, 0])
    assert chosen.label.tolist() == [0, 1, 2, 0, 1, 2, 0]


def test_costs_must_be_about_the_classes():
    other = CostMatrix([[0, 1], [2, 0]], ("no", "yes"))
    with pytest.raises(TreeFormatError, match="the costs are about"):
        credit_tree(cost=other)
    moved = CostMatrix(COST.values, ("good", "fair", "bad"))
    with pytest.raises(TreeFormatError, match="the costs are about"):
        credit_tree(cost=moved)
    with pytest.raises(TreeFormatError, match="the costs are about"):
        again(regression_tree(), cost=other)


def test_classes_may_be_numpy_scalars():
    classes = tuple(np.array(["no", "yes"]))
    tree = build(Leaf([1, 2]), columns_of(None), classes)
    assert [type(label) for label in tree.classes] == [str, str]


def test_contradictions_are_refused():
    with pytest.raises(TreeFormatError, match="no such class"):
        credit_tree(label=[9] * 7)
    for field, shape in (("class_factor", 2), ("answer_costs", (7, 1)), ("masses", 7)):
        with pytest.raises(TreeFormatError, match=f"{field} has"):
            credit_tree(**{field: np.zeros(shape)})
    with pytest.raises(TreeFormatError, match="there is no class"):
        again(lone_leaf(), classes=())


def test_expected_costs_and_task():
    tree = credit_tree(cost=COST)
    assert tree.expected_costs()[5].tolist() == [2 * 7 + 9 * 60, 4 * 60.0, 3 * 7]
    assert (tree.task, regression_tree().task) == ("classification", "regression")


def test_the_arrays_it_was_made_of_may_change():
    counts = np.array([[3, 5]])
    tree = again(lone_leaf(), counts=counts)
    counts[0, 0] = 100
    assert tree.counts[0, 0] == 3


# --- comparing and copying ---

COPIES = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda tree: pickle.loads(pickle.dumps(tree)),
    "old pickle": lambda tree: pickle.loads(pickle.dumps(tree, protocol=2)),
    "cloudpickle": lambda tree: cloudpickle.loads(cloudpickle.dumps(tree)),
    "replace": replace,
    "json": lambda tree: Tree.from_json(tree.to_json()),
}


@pytest.mark.parametrize("kind", COPIES)
@QUICK
@given(cases())
def test_copies_are_equal_and_predict_alike(kind, drawn):
    tree, rows = drawn
    X = table(tree, rows)
    leaves = tree.apply(X)  # makes the router, which must not be copied
    other = COPIES[kind](tree)
    assert other == tree
    assert "_router" not in vars(other)
    assert other.apply(X).tolist() == leaves.tolist()
    for name, array in other.arrays().items():
        assert array is None or not array.flags.writeable, name


def test_a_pickle_holds_no_more_than_the_fields():
    tree = credit_tree()
    fresh = len(pickle.dumps(tree))
    tree.apply(pd.DataFrame(ROWS))
    str(tree)
    assert len(pickle.dumps(tree)) == fresh
    assert fresh < 5 * len(tree.to_json())


def test_a_damaged_pickle_is_refused_and_cannot_crash():
    make, (kind, values) = credit_tree().__reduce__()
    values["left"] = np.where(values["left"] == 1, 10**7, values["left"])
    with pytest.raises(TreeFormatError, match="its left child must be"):
        make(kind, values)


def equal_parts():
    """Give trees that differ from the credit tree in one thing each."""
    tree = credit_tree()
    yield "cost", again(tree, cost=COST)
    yield "classes", again(tree, classes=("bad", "fair", "best"))
    yield "label", again(tree, label=[0] * 7)
    yield "factor", again(tree, class_factor=[1.0, 1.0, 1.0])
    yield "name", again(tree, columns=columns_of(*tree.columns.levels, names="abc"))
    yield "pruned", tree.prune([4])
    for name in ("threshold", "masses", "fill", "term_weight"):
        array = getattr(tree, name).copy()
        array.flat[0] = np.nextafter(array.flat[0], 30.0)
        if name != "term_weight":  # 1.0 there makes it another kind of split
            yield name, again(tree, **{name: array})
    yield "missing_left", again(tree, missing_left=[False] * 7)
    subset_words = tree.subset_words ^ np.uint64(1)
    yield "subset_words", again(tree, subset_words=subset_words)


@pytest.mark.parametrize(
    ("part", "other"), [*equal_parts()], ids=lambda part: str(part)[:9]
)
def test_trees_that_differ_in_one_thing_are_not_equal(part, other):
    assert other != credit_tree(), part
    assert other.to_json() != credit_tree().to_json()


def test_equality_is_exact():
    zero = build(axis(0, 0.0, Leaf([1]), Leaf([1])), columns_of(None), (1,))
    minus = build(axis(0, -0.0, Leaf([1]), Leaf([1])), columns_of(None), (1,))
    assert zero != minus
    assert again(zero, classes=(True,)) != zero
    assert again(zero, classes=(1.0,)) != zero
    assert zero != 5
    assert (zero == "tree") is False


def test_trees_have_no_hash():
    with pytest.raises(TypeError, match="unhashable"):
        hash(credit_tree())


def test_it_is_frozen():
    tree = credit_tree()
    with pytest.raises(AttributeError, match="cannot assign"):
        tree.label = None
    with pytest.raises(AttributeError, match="cannot delete"):
        del tree.columns


# --- showing and storing ---


def test_one_line_about_it():
    assert repr(credit_tree()) == (
        "<classification Tree: 7 nodes, depth 2, 3 columns, 3 classes>"
    )
    assert repr(regression_tree()) == "<regression Tree: 5 nodes, depth 2, 2 columns>"


def test_print_and_nodes_are_those_of_their_modules():
    assert str(credit_tree()).startswith("Classification tree from 168 training rows")
    assert [node.kind for node in lone_leaf().nodes()] == ["leaf"]


def test_save_and_load(tmp_path):
    tree = credit_tree(cost=COST)
    path = tmp_path / "credit.tanoak"
    tree.save(path)
    assert path.read_bytes() == tree.to_json().encode("ascii")
    assert Tree.load(path) == tree
    assert Tree.load(str(path)).cost == COST


def test_from_json_gives_the_class_it_is_called_on():
    class Special(Tree):
        pass

    assert type(Special.from_json(lone_leaf().to_json())) is Special


@pytest.mark.parametrize("end", ["forgotten", "failed"])
def test_memory_is_given_back(end):
    tree, rows = complete(11), np.zeros((3, 4))

    def resident():
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * 4096

    def use():
        one = copy.copy(tree)
        one.apply(rows)
        if end == "failed":
            with pytest.raises(TableError):
                one.apply(rows[:, :2])

    for _ in range(20):
        use()
    before = resident()
    n_uses, router = 300, 4095 * 60  # bytes, at the least
    for _ in range(n_uses):
        use()
    assert resident() - before < n_uses * router / 4
