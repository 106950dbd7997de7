"""Leaves in; the nodes on the way to them out, as walking by hand passes them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from reference.slow_routing import path_of
from scipy import sparse
from trees import QUICK, cases, chain, lone_leaf, table

from tanoak._paths import passed_nodes


@QUICK
@given(cases())
def test_paths_are_walked_by_hand(drawn):
    tree, rows = drawn
    paths = tree.decision_path(table(tree, rows))
    assert isinstance(paths, sparse.csr_array)
    assert paths.shape == (len(rows), tree.n_nodes)
    assert paths.dtype == bool
    assert paths.has_canonical_format
    for number, row in enumerate(rows):
        start, end = paths.indptr[number], paths.indptr[number + 1]
        assert paths.indices[start:end].tolist() == path_of(tree, row)
        assert paths.data[start:end].all()


def test_no_split_and_no_rows():
    assert passed_nodes(lone_leaf(), np.array([0, 0])).toarray().tolist() == [[1], [1]]
    assert passed_nodes(lone_leaf(), np.array([], dtype=int)).shape == (0, 1)


def test_a_long_way():
    tree = chain(5000)
    paths = passed_nodes(tree, np.array([tree.n_nodes - 1, 1]))
    assert paths.sum(axis=1).tolist() == [5001, 2]
