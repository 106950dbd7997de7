"""Growth and pruning against rpart's, recorded by scripts/make_rpart_reference.R."""

from __future__ import annotations

import csv
import io
import json
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from tanoak import GreedyTreeClassifier, pruning_path
from tanoak.datasets import load_german_credit

RECORDED = json.loads(
    (Path(__file__).parent / "reference" / "rpart.json").read_text(encoding="utf-8")
)
KYPHOSIS = {"absent": {"present": 1}, "present": {"absent": 10}}
CREDIT = {"bad": {"good": 5}, "good": {"bad": 1}}
IRIS = [[0, 1, 4], [2, 0, 3], [7, 1, 0]]
NEEDS_R = pytest.mark.needs("r-cran-rpart")
# Names, and the settings that the script gives to rpart.
CASES = [
    ("credit", {"cost": CREDIT, "min_samples_split": 30}),
    ("credit_losses", {"cost": CREDIT, "min_samples_split": 62}),
    ("credit_priors", {"priors": {"bad": 0.6, "good": 0.4}, "min_samples_split": 40}),
    ("iris", {"cost": IRIS, "min_samples_split": 10}),
]
SMALL = {"min_samples_split": 5, "min_samples_leaf": 2}
CASES_OF_R = [
    ("kyphosis", {"cost": KYPHOSIS, **SMALL}),
    ("kyphosis_losses", {"cost": KYPHOSIS, **SMALL}),
    ("kyphosis_priors", {"priors": {"absent": 0.4, "present": 0.6}, **SMALL}),
]
ALL = CASES + [pytest.param(*case, marks=NEEDS_R) for case in CASES_OF_R]
WITH_COSTS = [case for case in CASES if "true" in RECORDED[case[0]]]
WITH_COSTS += [pytest.param(*CASES_OF_R[0], marks=NEEDS_R)]


def between(n_rows, shift):
    """Numbers between 0 and 1 that differ from row to row."""
    return (np.arange(1, n_rows + 1) * 0.6180339887 + shift * 0.123) % 1


def kyphosis():
    """Read the data from R, whose licence is not ours."""
    command = ["Rscript", "-e", "write.csv(rpart::kyphosis, row.names = FALSE)"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    X = pd.DataFrame(
        {k: [float(r[k]) for r in rows] for k in ("Age", "Number", "Start")}
    )
    return X, np.array([row["Kyphosis"] for row in rows]), 2


def read(name):
    """Return features, classes and the position in R of the first feature."""
    if name.startswith("kyphosis"):
        return kyphosis()
    if name == "iris":
        data = load_iris()
        return pd.DataFrame(data.data[:, :2]), data.target_names[data.target], 1
    credit = load_german_credit()
    n_rows = 300 if name == "credit" else None
    X = pd.DataFrame(credit.columns)[:n_rows]
    return X, np.asarray(credit.target)[:n_rows], 1


def prepared(name):
    """Change numbers and weights as the script does where costs are compared."""
    X, y, first = read(name)
    if "true" not in RECORDED[name]:
        return X, y, None
    X = X.copy()
    for place, column in enumerate(X):
        if pd.api.types.is_numeric_dtype(X[column]):
            X[column] = X[column] + between(len(X), first + place) / 100
    return X, y, 1 + between(len(X), 0) / 10


@pytest.mark.parametrize(("name", "settings"), ALL)
def test_growth_is_that_of_rpart(name, settings):
    recorded, (X, y, weight) = RECORDED[name], prepared(name)
    tree = GreedyTreeClassifier(**settings).fit(X, y, sample_weight=weight).tree_
    leaves = set(zip(tree.apply(X).tolist(), recorded["leaf_of_row"], strict=True))
    assert len(leaves) == tree.n_leaves == recorded["variables"].count("<leaf>")
    assert sorted(tree.counts.sum(axis=1)) == sorted(recorded["n"])


@pytest.mark.parametrize(("name", "settings"), WITH_COSTS)
def test_the_path_is_that_of_rpart(name, settings):
    recorded, (X, y, weight) = RECORDED[name], prepared(name)
    tree = GreedyTreeClassifier(**settings).fit(X, y, sample_weight=weight).tree_
    path = pruning_path(tree)
    ours = dict(zip(path.n_leaves.tolist(), path.costs, strict=True))
    theirs = dict(zip(recorded["n_leaves"], recorded["training_cost"], strict=True))
    # Of subtrees that cost the same, rpart lists some that are never the cheapest.
    assert set(ours) <= set(theirs)
    for n_leaves, cost in ours.items():
        assert cost == pytest.approx(theirs[n_leaves], rel=1e-9)


@pytest.mark.parametrize(("name", "settings"), WITH_COSTS)
def test_the_choice_is_by_the_true_cost(name, settings):
    recorded, (X, y, weight) = RECORDED[name], prepared(name)
    model = GreedyTreeClassifier(prune="cv", cv=len(y), **settings)
    found = model.fit(X, y, sample_weight=weight).pruning_
    ours = dict(zip(found["n_leaves"].tolist(), found["cost"], strict=True))
    true = dict(zip(recorded["n_leaves"], recorded["true"], strict=True))
    chosen = model.get_n_leaves()
    assert true[chosen] == min(true.values())
    assert ours[chosen] == pytest.approx(true[chosen], rel=1e-9)
    # Where prices all but tie, now and then a fold's tree is another one.
    for n_leaves in set(ours) & set(range(1, chosen)):
        assert ours[n_leaves] == pytest.approx(true[n_leaves], rel=0.02)


def test_the_table_of_rpart_reads_its_losses_transposed():
    # Ours does not: the root calls all "present", which costs 1 for each "absent".
    recorded = RECORDED["kyphosis"]
    assert recorded["training_cost"][0] == pytest.approx(recorded["true"][0])
    assert recorded["reported"][0] == pytest.approx(10 * recorded["true"][0])
    reported, true = np.array(recorded["reported"]), np.array(recorded["true"])
    assert recorded["n_leaves"][reported.argmin()] == 12
    assert recorded["n_leaves"][true.argmin()] == 2
    assert true[reported.argmin()] > 2 * true.min()
