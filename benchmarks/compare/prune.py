"""What does pruning by true cost save on rows not seen, and how long does it take?

Against scikit-learn's trees with class weights, pruned at the `ccp_alpha` that is
cheapest in cross-validation, and rpart through priors where R is there. Costs are in
percent of the better constant answer; differences, with their standard errors, are over
paired splits.

    python benchmarks/compare/prune.py             against others
    python benchmarks/compare/prune.py --choose    other splits, our ways only
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time

import numpy as np
import pandas as pd
from shared_data import FOLDER
from shared_report import finish
from sklearn.model_selection import StratifiedKFold, StratifiedShuffleSplit
from sklearn.tree import DecisionTreeClassifier

from tanoak import GreedyTreeClassifier, cost_loss

N_SPLITS = 10
TAKES_LONG = ("spambase", "letter")  # with scikit-learn; left out unless they are named
MOST_ROWS, MOST_ROWS_ALONE = 3000, 6000
MOST_ALPHAS = 12
OURS = ("cv", "cv_1se")
WAYS = (*OURS, "scikit-learn", "rpart")
FLOOR = 10
ALL_OURS = (None, *OURS, "holdout", "reduced_error", "pessimistic")

# The class that is dear to miss, and its price beside 1; None: a random K x K matrix.
CASES = {
    "german_credit": ("bad", 5.0),
    "telco_churn": ("Yes", "balanced"),
    "mammography": (1, "balanced"),
    "spambase": (1, 0.2),
    "pima": ("tested_positive", 3.0),
    "electricity": ("UP", 4.0),
    "credit_gmsc": (1, "balanced"),
    "breast_cancer_wdbc": ("malignant", 10.0),
    "cars": (None, None),
    "segment": (None, None),
    "letter": (None, None),
}


def stored_frame(name):
    """Read a set of the data folder as a frame and labels; None if it is not there."""
    table, arrays = FOLDER / f"{name}.csv.gz", FOLDER / f"{name}.npz"
    if table.is_file():
        frame = pd.read_csv(table)
        return frame.iloc[:, :-1], frame.iloc[:, -1].to_numpy()
    if arrays.is_file():
        with np.load(arrays, allow_pickle=False) as content:
            return pd.DataFrame(content["X"]), content["y"]
    print(f"left out: {name}, not found (TANOAK_DATA names the folder to look in)")
    return None


def costs_for(y, positive, price):
    """Make a matrix by name: one class that is dear to miss, or all pairs different."""
    classes = np.unique(y).tolist()
    if positive is None:
        square = np.random.default_rng(0).integers(1, 10, (len(classes),) * 2)
        return {
            a: {b: int(square[i, j]) * (a != b) for j, b in enumerate(classes)}
            for i, a in enumerate(classes)
        }
    positive = next(c for c in classes if str(c) == str(positive))
    other = next(c for c in classes if c != positive)
    if price == "balanced":
        price = float((y == other).sum() / (y == positive).sum())
    return {positive: {other: price}, other: {positive: 1.0}}


def load(name, most_rows):
    """Read at most so many rows, and the costs."""
    found = stored_frame(name)
    if found is None:
        return None
    X, y = found
    if len(y) > most_rows:
        some = np.sort(np.random.default_rng(0).permutation(len(y))[:most_rows])
        X, y = X.iloc[some].reset_index(drop=True), y[some]
    return X, y, costs_for(y, *CASES[name])


def splits(X, y, seed):
    """Draw the same 70 : 30 splits for all."""
    drawn = StratifiedShuffleSplit(N_SPLITS, test_size=0.3, random_state=seed)
    return list(drawn.split(X, y))


def matrix_of(cost):
    """Return the classes, sorted, and the matrix in their order."""
    classes = sorted(cost)
    return classes, np.array([[cost[a].get(b, 0.0) for b in classes] for a in classes])


def ours(prune):
    """Return a way to grow and prune with tanoak."""

    def run(X, y, X_test, cost):
        start = process_time()
        model = GreedyTreeClassifier(cost=cost, prune=prune).fit(X, y)
        return model.predict(X_test), model.get_n_leaves(), process_time() - start

    return run


def scikit_learn(X, y, X_test, cost):
    """Grow with class weights; choose `ccp_alpha` by its cost in cross-validation."""
    both = pd.get_dummies(pd.concat([X, X_test]), dtype=float)
    X, X_test = both.to_numpy()[: len(y)], both.to_numpy()[len(y) :]
    start = process_time()
    classes, square = matrix_of(cost)
    codes = np.searchsorted(classes, y)
    weight = dict(enumerate(square.sum(axis=1).tolist()))

    def fit(rows, alpha):
        tree = DecisionTreeClassifier(
            class_weight=weight, ccp_alpha=alpha, random_state=0
        )
        return tree.fit(X[rows], codes[rows])

    def answer(tree, values):
        shares = tree.predict_proba(values) / square.sum(axis=1)
        return np.array(classes)[(shares @ square).argmin(axis=1)]

    everything = np.arange(len(y))
    tree = DecisionTreeClassifier(class_weight=weight, random_state=0)
    alphas = tree.cost_complexity_pruning_path(X, codes).ccp_alphas
    alphas = np.unique(np.quantile(alphas, np.linspace(0, 1, MOST_ALPHAS)))
    folds = list(StratifiedKFold(10, shuffle=True, random_state=0).split(X, y))
    paid = [
        sum(
            cost_loss(y[out], answer(fit(rows, max(alpha, 0)), X[out]), cost=cost)
            for rows, out in folds
        )
        for alpha in alphas
    ]
    best = len(paid) - 1 - int(np.argmin(paid[::-1]))
    tree = fit(everything, max(alphas[best], 0))
    return answer(tree, X_test), tree.get_n_leaves(), process_time() - start


def rpart(X, y, cost, found):
    """Run rpart on all splits of a set; None without R or for more classes."""
    if shutil.which("Rscript") is None or len(cost) > 2:
        return None
    classes, square = matrix_of(cost)
    with tempfile.TemporaryDirectory() as folder:
        table = X.copy()
        table.columns = [f"x{i}" for i in range(X.shape[1])]
        table["y"] = (y == classes[1]).astype(int)
        table.to_csv(Path(folder) / "data.csv", index=False)
        tested = np.zeros((len(y), len(found)), dtype=int)
        for place, (_, out) in enumerate(found):
            tested[out, place] = 1
        np.savetxt(Path(folder) / "test.csv", tested, fmt="%d", delimiter=",")
        script = Path(__file__).with_name("prune_rpart.R")
        command = ["Rscript", script, folder, f"{square[0, 1]}", f"{square[1, 0]}"]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    rows = [line.split() for line in done.stdout.splitlines()]
    return [tuple(map(float, row)) for row in rows]


def measure(name, seed=0, ways=OURS, with_others=True):
    """Compare on all splits of one set: costs, leaves and seconds of each way."""
    data = load(name, MOST_ROWS if with_others else MOST_ROWS_ALONE)
    if data is None:
        return None
    X, y, cost = data
    runs = {prune or "whole": ours(prune) for prune in ways}
    if with_others:
        runs["scikit-learn"] = scikit_learn
    found, drawn = {key: [] for key in runs}, splits(X, y, seed)
    base = []
    for rows, out in drawn:
        same = [np.full(len(out), label) for label in np.unique(y)]
        base.append(min(cost_loss(y[out], each, cost=cost) for each in same))
        for key, run in runs.items():
            answers, leaves, seconds = run(X.iloc[rows], y[rows], X.iloc[out], cost)
            found[key].append((cost_loss(y[out], answers, cost=cost), leaves, seconds))
    by_r = rpart(X, y, cost, drawn) if with_others else None
    if by_r is not None:
        found["rpart"] = by_r
    scaled = {key: np.array(rows) for key, rows in found.items()}
    for table in scaled.values():
        table[:, 0] *= 100 / np.array(base)
    return X.shape, scaled


def plus_minus(values):
    """Write a mean and its standard error."""
    error = np.std(values, ddof=1) / np.sqrt(len(values))
    return f"{np.mean(values):+.1f} ({error:.1f})"


def in_order(by_way, column):
    """Write the means of a column in the order of the ways; "-" where there is none."""
    means = [
        f"{by_way[key][:, column].mean():.1f}" if key in by_way else "-" for key in WAYS
    ]
    return " / ".join(means)


def row_for(name):
    """Make one line of the comparison."""
    found = measure(name)
    if found is None:
        return []
    shape, by_way = found
    cost = {key: table[:, 0] for key, table in by_way.items()}
    seconds = {key: table[:, 2].mean() for key, table in by_way.items()}
    with_r = "rpart" in by_way
    row = {
        "data": name,
        "rows x columns": f"{shape[0]} x {shape[1]}",
        "cost % (" + " / ".join(WAYS) + ")": in_order(by_way, 0),
        "cv less scikit-learn": plus_minus(cost["cv"] - cost["scikit-learn"]),
        "cv_1se less it": plus_minus(cost["cv_1se"] - cost["scikit-learn"]),
        "cv less rpart": plus_minus(cost["cv"] - cost["rpart"]) if with_r else "-",
        "leaves": in_order(by_way, 1),
        "cv s": seconds["cv"],
        "scikit-learn s": seconds["scikit-learn"],
        "ratio": seconds["scikit-learn"] / seconds["cv"],
        "floor": FLOOR,
    }
    return [row]


def choose():
    """Compare our ways on other splits than those of the other table."""
    rows, apart = [], []
    for name in CASES:
        found = measure(name, seed=1000, ways=ALL_OURS, with_others=False)
        if found is None:
            continue
        cost = {key: table[:, 0] for key, table in found[1].items()}
        leaves = {key: table[:, 1].mean() for key, table in found[1].items()}
        row = {"data": name, "cv": f"{cost['cv'].mean():.1f} / {leaves['cv']:.0f}"}
        for key in cost.keys() - {"cv"}:
            row[key] = f"{plus_minus(cost[key] - cost['cv'])} / {leaves[key]:.0f}"
        ordered = ["data", "cv", *(key for key in cost if key != "cv")]
        rows.append({key: row[key] for key in ordered} | {"ratio": None, "floor": None})
        apart.append([np.mean(cost[key] - cost["cv"]) for key in ordered[2:]])
    means = [plus_minus(np.array(column)) for column in zip(*apart, strict=True)]
    last = dict(zip(ordered[2:], means, strict=True))
    rows.append({"data": "mean", "cv": "", **last, "ratio": None, "floor": None})
    return rows


if __name__ == "__main__":
    if sys.argv[1:2] == ["--choose"]:
        finish("prune_choose", choose())
    else:
        chosen = sys.argv[1:]
        names = chosen or [name for name in CASES if name not in TAKES_LONG]
        measured = [row for name in names for row in row_for(name)]
        finish("prune", measured, store=not chosen)
