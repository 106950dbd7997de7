"""The demonstration in; what it says is true, short, and the same each time."""

from __future__ import annotations

import contextlib
import io
import re
import subprocess
import sys

import numpy as np
import pytest

from tanoak import demo, serve
from tanoak._tree import Tree
from tanoak.datasets import load_german_credit


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder of its own."""
    return tmp_path_factory.mktemp("demo")


@pytest.fixture(scope="module")
def printed(folder):
    """Return what the demonstration prints."""
    with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()) as output:
        demo.main()
    return output.getvalue()


@pytest.fixture(scope="module")
def tree(folder, printed):
    """Return the tree it saved."""
    return Tree.load(folder / "tanoak-demo.tanoak")


def test_it_fits_on_a_screen(printed):
    lines = printed.splitlines()
    assert len(lines) <= 46
    assert max(map(len, lines)) <= 120
    assert printed.isascii()
    assert all(line == line.rstrip() for line in lines)


def test_costs_come_as_sentences(printed):
    said = printed.index("  calling a 'bad' row 'good' costs 5\n")
    assert said < printed.index("  calling a 'good' row 'bad' costs 1\n")


def test_it_writes_one_file_and_says_so(folder, printed):
    assert [path.name for path in folder.iterdir()] == ["tanoak-demo.tanoak"]
    assert "tanoak-demo.tanoak, in the current directory" in printed
    line = re.search(r"^  (model = tanoak\.serve\.load\(.*\))$", printed, re.M)[1]
    assert line == 'model = tanoak.serve.load("tanoak-demo.tanoak")'


def test_the_tree_it_prints_is_the_tree_it_saves(printed, tree):
    assert f"\n{tree}\n" in printed
    assert tree.n_leaves <= 8
    assert tree.columns.named
    assert tree.columns.names == tuple(load_german_credit().columns)
    assert tree.counts.sum(axis=1)[tree.is_leaf].min() >= 30


def test_the_tree_has_not_seen_the_test_rows(tree):
    learnt = load_german_credit().target[np.arange(1000) % 3 != 2]
    assert tree.counts[0].tolist() == [sum(learnt == k) for k in ("bad", "good")]


def test_the_first_cut_is_the_best_of_all_columns(tree):
    """A category beats all numbers here: both are compared on one scale."""
    assert tree.nodes()[0].terms[0][0] == "checking_account"
    assert tree.nodes()[0].kind == "subset"


@pytest.fixture(scope="module")
def table(printed):
    """Return the table of the test, {row: {tree: number}}."""
    lines = printed.splitlines()
    head = next(i for i, line in enumerate(lines) if "all good" in line)
    titles = re.split(r"\s{2,}", lines[head].strip())
    rows = [re.split(r"\s{2,}", line) for line in lines[head + 1 : head + 6]]
    return {
        what: dict(zip(titles, map(float, cells), strict=True)) for what, *cells in rows
    }


def test_counts_are_those_of_the_test_rows(table, tree):
    credit = load_german_credit()
    held_out = np.arange(1000) % 3 == 2
    truth = credit.target[held_out]
    given = tree.predict(credit.rows()[held_out])
    for true in ("bad", "good"):
        for called in ("bad", "good"):
            count = sum((truth == true) & (given == called))
            assert table[f"{true} ones called {called}"]["this tree"] == count
    assert table["bad ones called bad"]["all bad"] == (truth == "bad").sum()
    assert table["good ones called good"]["all bad"] == 0


def test_costs_follow_from_the_counts(table):
    for title, cost in table["cost of 100 applicants"].items():
        dear = table["bad ones called good"][title]
        cheap = table["good ones called bad"][title]
        total = sum(table[what][title] for what in table if "called" in what)
        assert total == 333
        assert cost == pytest.approx(100 * (5 * dear + cheap) / total, abs=0.05)


def test_costs_pay(table):
    cost = table["cost of 100 applicants"]
    assert cost["this tree"] < min(cost["one without costs"], cost["all bad"])


def test_the_saved_tree_answers_people_by_name(folder, tree):
    model = serve.load(folder / "tanoak-demo.tanoak")
    credit = load_german_credit()
    first = {name: values[0] for name, values in credit.columns.items()}
    assert model.predict([first]) == tree.predict(credit.rows()[:1])


def test_the_module_runs_without_a_data_frame_library(printed, tmp_path):
    block = "import sys\nfor name in ('pandas', 'polars', 'pyarrow'):\n"
    block += "    sys.modules[name] = None\nimport runpy\n"
    program = f"{block}runpy.run_module('tanoak.demo', run_name='__main__')"
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    assert done.stdout == printed
    assert done.stderr == ""
