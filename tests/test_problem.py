"""Rows in; a checked problem, and trees of one split with their counts out."""

from __future__ import annotations

import numpy as np
import pandas as pd

from tanoak.exact._problem import linear_tree, read_problem


def test_names_and_counts_are_kept():
    frame = pd.DataFrame({"age": [1.0, 2.0, 3.0, 4.0], "pay": [4.0, 3.0, 2.0, 1.0]})
    problem = read_problem(frame, ["no", "yes", "no", "yes"], "no")
    assert (problem.n_positive, problem.n_negative) == (2, 2)
    tree = linear_tree(problem, {0: 1.0, 1: -1.0}, 0.0, left_hit=True)
    assert tree.columns.names == ("age", "pay")
    assert tree.counts.tolist() == [[2, 2], [1, 1], [1, 1]]
    assert tree.predict(frame).tolist() == ["no", "no", "yes", "yes"]
    constant = linear_tree(problem, {}, 0.0, left_hit=False)
    assert set(constant.predict(frame)) == {"yes"}
    assert constant.counts.tolist() == [[2, 2]]


def test_sparse_numbers_are_read():
    from scipy import sparse

    problem = read_problem(sparse.csr_array(np.eye(3)), [0, 1, 1], None)
    assert problem.values.tolist() == np.eye(3).tolist()
    assert problem.target == 1
