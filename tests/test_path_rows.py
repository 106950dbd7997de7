"""Rows in any container in; parts of them out."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from trees import QUICK

from tanoak._answerers import Wanted
from tanoak._path_rows import PathRows, stratified_folds, take_rows
from tanoak._table import read_table
from tanoak.exceptions import TableError

codes = st.lists(st.integers(0, 2), min_size=6, max_size=60).map(np.array)


@QUICK
@given(codes, st.integers(2, 5), st.integers(0, 9))
def test_every_row_is_left_out_once_and_classes_are_spread(codes, n_folds, seed):
    counts = np.bincount(codes)
    if counts[counts > 0].min() < 2:
        with pytest.raises(TableError, match="a single row"):
            stratified_folds(codes, n_folds, seed)
        return
    folds = stratified_folds(codes, n_folds, seed)
    assert len(folds) == min(n_folds, counts[counts > 0].min())
    left_out = np.concatenate([fold.left_out for fold in folds])
    assert sorted(left_out) == list(range(len(codes)))
    for fold in folds:
        assert set(fold.seen) == set(range(len(codes))) - set(fold.left_out)
        part = np.bincount(codes[fold.left_out], minlength=len(counts))
        assert np.all(np.abs(part - counts / len(folds)) <= 1)


@pytest.mark.parametrize(
    "make",
    [np.array, list, sparse.csr_array, sparse.csc_matrix, pd.DataFrame, pl.DataFrame],
)
def test_rows_of_every_container(make):
    X = np.arange(12.0).reshape(6, 2)
    taken = take_rows(make(X), np.array([4, 1]))
    taken = taken.toarray() if sparse.issparse(taken) else np.asarray(taken)
    assert taken.tolist() == X[[4, 1]].tolist()


def test_a_table_keeps_its_columns():
    table = read_table({"town": ["Bonn", "Kiel", "Ulm"], "age": [1, 2, 3]})
    part = take_rows(table, np.array([2]))
    assert part.columns is table.columns
    assert part.values.tolist() == [[2.0, 3.0]]
    assert read_table(part) is part


def test_parts_carry_their_weights():
    X, y = np.arange(4.0)[:, None], np.array([0, 1, 0, 1])
    rows = PathRows(X, y, y, Wanted((0, 1), 1), np.array([1.0, 2.0, 3.0, 4.0]))
    part = rows.part(np.array([1, 2]))
    assert part.weight.tolist() == [2.0, 3.0]
    assert rows.class_mass().tolist() == [4.0, 6.0]
    assert (part.classes, part.positive) == ((0, 1), 1)
