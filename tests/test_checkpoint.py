"""Finished fits in; the same models out, also after a kill."""

from __future__ import annotations

import pickle
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from curves import drawn, small_tree
from sklearn.linear_model import LogisticRegression

from tanoak import cost_optimal_curve
from tanoak.exceptions import ParameterError

PROGRAM = """
import pickle, sys
from curves import drawn, small_tree
from tanoak import cost_optimal_curve
X, y = drawn(0, n_rows=20_000)
curve = cost_optimal_curve(small_tree(), X, y, checkpoint=sys.argv[1], max_trees=15)
open(sys.argv[2], "wb").write(pickle.dumps(curve))
"""


def run(repository, folder, result):
    """Start the program in a process of its own."""
    command = [sys.executable, "-c", PROGRAM, str(folder), str(result)]
    return subprocess.Popen(command, cwd=repository / "tests")


def test_a_killed_run_goes_on_and_ends_with_the_same_bytes(repository, tmp_path):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    assert run(repository, whole, tmp_path / "a").wait() == 0
    n_files = len(list(whole.iterdir()))
    for share in (0.2, 0.6):
        process = run(repository, parts, tmp_path / "b")
        while not parts.exists() or len(list(parts.iterdir())) < share * n_files:
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert not (tmp_path / "b").exists()
    assert run(repository, parts, tmp_path / "b").wait() == 0
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("learner", [small_tree(), LogisticRegression()])
def test_what_is_there_is_not_fitted_again(tmp_path, monkeypatch, learner):
    X, y = drawn(0)
    settings = {"checkpoint": tmp_path, "max_trees": 4}
    first = cost_optimal_curve(learner, X, y, **settings)

    def never(*_, **__):
        raise AssertionError

    monkeypatch.setattr(type(learner), "fit", never)
    again = cost_optimal_curve(learner, X, y, **settings)
    assert pickle.dumps(again.held_out) == pickle.dumps(first.held_out)
    assert np.array_equal(again[2].predict(X), first[2].predict(X))


def test_another_curve_does_not_use_it(tmp_path):
    X, y = drawn(0)
    cost_optimal_curve(small_tree(), X, y, checkpoint=tmp_path, max_trees=2)
    for other in (
        lambda: cost_optimal_curve(small_tree(), X + 1, y, checkpoint=tmp_path),
        lambda: cost_optimal_curve(small_tree(), X, 1 - y, checkpoint=tmp_path),
        lambda: cost_optimal_curve(small_tree(max_depth=2), X, y, checkpoint=tmp_path),
        lambda: cost_optimal_curve(small_tree(), X, y, cv=3, checkpoint=tmp_path),
    ):
        with pytest.raises(ParameterError, match="written with other data or settings"):
            other()


def test_a_folder_of_other_things_is_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("precious")
    X, y = drawn(0)
    with pytest.raises(ParameterError, match="holds other files"):
        cost_optimal_curve(small_tree(), X, y, checkpoint=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]
