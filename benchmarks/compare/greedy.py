"""How do greedy trees compare: cuts by two features, by many, criteria, and with rpart?

scikit-learn grows on the augmented matrix, with a column for each pair of features and
direction; obliquetree has such cuts itself and is installed, on demand, in an
environment of its own. Seconds are of the processor, so that a busy machine counts
little. Every node of our tree is also held against scikit-learn's best cut of the same
rows on the augmented matrix. The second table (`greedy.py greedy_kinds` measures it
alone) has errors on rows not trained on beside the seconds.
"""

from __future__ import annotations

import itertools
import json
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from time import process_time

import numpy as np
from grow import memory
from shared_data import ROOT, digits, noisy_interactions, stored
from shared_report import report
from sklearn.tree import DecisionTreeClassifier

from tanoak import GreedyTreeClassifier

N_ORIENTATIONS = 60
MOST_OBLIQUE_SECONDS = 20.0  # at 20 restarts
MOST_AUC = 1 / 1.5  # seconds on "gini" beside those on "auc"
PEER = ROOT / "build" / "obliquetree"
FIT_PEER = """
import json, sys, time
import numpy as np
from obliquetree import Classifier
data = np.load(sys.argv[1])
X, y = data["X"].astype(np.float64), data["y"].astype(np.float64)
depth = int(sys.argv[2])
model = Classifier(use_oblique=True, n_pair=2, max_depth=depth, random_state=0)
start = time.process_time()
model.fit(X, y)
print(json.dumps([time.process_time() - start, float((model.predict(X) == y).mean())]))
"""


def augmented(X):
    """Return X and a column for each pair of features and direction."""
    scale = np.where(X.std(axis=0) > 0, X.std(axis=0), 1)
    turn = np.pi * (np.arange(N_ORIENTATIONS) + 0.5) / N_ORIENTATIONS
    pairs = itertools.combinations(range(X.shape[1]), 2)
    columns = [
        np.outer(X[:, i] / scale[i], np.cos(turn))
        + np.outer(X[:, j] / scale[j], np.sin(turn))
        for i, j in pairs
    ]
    return np.hstack([X, *columns]).astype(np.float32)


def cpu_seconds(model, X, y):
    """Fit, and count the processor's seconds."""
    start = process_time()
    model.fit(X, y)
    return process_time() - start


def row_of(data, X, model, seconds, **others):
    """Collect a line of the table."""
    right = model.tree_.counts[model.tree_.left < 0].max(axis=1).sum()
    return {
        "data": data,
        "rows x columns": f"{X.shape[0]} x {X.shape[1]}",
        "peer": others.get("peer", ""),
        "pairs tried": model.n_pairs_searched_,
        "of": model.n_pairs_,
        "tanoak CPU s": seconds,
        "peer CPU s": others.get("peer_seconds"),
        "ratio": others["peer_seconds"] / seconds if "peer" in others else None,
        "floor": others.get("floor"),
        "our leaves": model.get_n_leaves(),
        "right in training": float(right / len(X)),
        "peer right": others.get("peer_right"),
        "nodes no worse": others.get("no_worse"),
        "our MB beyond X": others.get("megabytes"),
    }


# --- scikit-learn, on more columns ---


def gain(counts, left):
    """Decrease of Gini impurity times rows."""
    right = counts - left
    return sum(
        sign * (c**2).sum() / c.sum()
        for sign, c in ((1, left), (1, right), (-1, counts))
    )


def nodes_no_worse(tree, X, columns, y):
    """Count the nodes that gain at least what a stump gains on the same rows."""
    passed = np.asarray(tree.decision_path(X).todense())
    inner = np.flatnonzero(tree.left >= 0)
    n_good = 0
    for node in inner:
        rows = passed[:, node]
        stump = DecisionTreeClassifier(max_depth=1).fit(columns[rows], y[rows]).tree_
        n_here = rows.sum()
        children = [stump.children_left[0], stump.children_right[0]]
        after = sum(stump.n_node_samples[c] * stump.impurity[c] for c in children)
        theirs = n_here * stump.impurity[0] - after
        ours = gain(tree.counts[node], tree.counts[tree.left[node]])
        n_good += ours >= theirs - 1e-6 * n_here
    return f"{n_good} of {len(inner)}"


def beside_scikit_learn(data="segment", floor=30):
    """Grow to purity, both ways."""
    found = stored(data)
    if found is None:
        return []
    X, y = found[0].astype(np.float64), found[1]
    ours = GreedyTreeClassifier(
        split="pair", n_orientations=N_ORIENTATIONS, pair_cost=1.0
    )
    seconds = min(cpu_seconds(ours, X, y) for _ in range(3))
    columns = augmented(X)
    theirs = DecisionTreeClassifier(random_state=0)
    their_seconds = cpu_seconds(theirs, columns, y)
    return [
        row_of(
            f"{data}, {N_ORIENTATIONS} orientations, to purity",
            X,
            ours,
            seconds,
            peer=f"scikit-learn, {columns.shape[1]} columns",
            peer_seconds=their_seconds,
            peer_right=float(theirs.score(columns, y)),
            floor=floor,
            no_worse=nodes_no_worse(ours.tree_, X, columns, y),
        )
    ]


# --- obliquetree ---


def peer_python():
    """Install obliquetree in an environment of its own; None if that fails."""
    python = PEER / "bin" / "python"
    if not python.is_file():
        venv.create(PEER, with_pip=True)
    wanted = [python, "-m", "pip", "install", "--quiet", "obliquetree==1.1.1"]
    done = subprocess.run(wanted, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        print("left out: obliquetree could not be installed")
        return None
    return python


def beside_obliquetree(data, max_depth):
    """Grow to a depth, both ways."""
    found = noisy_interactions(60_000, 18) if data == "physics" else stored(data)
    python = found and peer_python()
    if not python:
        return []
    X, y = found[0].astype(np.float64), np.unique(found[1], return_inverse=True)[1]
    ours = GreedyTreeClassifier(split="pair", max_depth=max_depth)
    seconds = min(cpu_seconds(ours, X, y) for _ in range(2))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.npz"
        np.savez(path, X=X, y=y)
        command = [python, "-c", FIT_PEER, path, str(max_depth)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    peer_seconds, peer_right = json.loads(done.stdout.splitlines()[-1])
    return [
        row_of(
            f"{data}, depth {max_depth}",
            X,
            ours,
            seconds,
            peer="obliquetree, n_pair=2",
            peer_seconds=peer_seconds,
            peer_right=peer_right,
        )
    ]


# --- large, alone ---


def alone(data, load, max_depth):
    """Grow where no peer does, and say how much memory that takes."""
    X, y = load()
    model = GreedyTreeClassifier(split="pair", max_depth=max_depth)
    model.fit(X[:1000], y[:1000])  # what is set up once does not count
    with open("/proc/self/clear_refs", "w", encoding="ascii") as reset:  # noqa: PTH123  # not a file
        reset.write("5")
    before = memory("VmRSS")
    seconds = cpu_seconds(model, X, y)
    megabytes = (memory("VmHWM") - before) / 1000
    return [row_of(data, X, model, seconds, megabytes=megabytes)]


# --- with errors on rows not trained on ---


def parts(X, y):
    """Draw 70 percent of the rows to train on; the others are for the error."""
    order = np.random.default_rng(0).permutation(len(y))
    n_train = int(0.7 * len(y))
    return order[:n_train], order[n_train:]


def tried(X, y, **params):
    """Grow on a part; return seconds (the least of three), leaves, error elsewhere."""
    rows, out = parts(X, y)
    model = GreedyTreeClassifier(random_state=0, **params)
    seconds = min(cpu_seconds(model, X[rows], y[rows]) for _ in range(3))
    return (
        seconds,
        model.get_n_leaves(),
        float((model.predict(X[out]) != y[out]).mean()),
    )


def kinds_row(data, X, names, ours, theirs, floor=None):
    """Collect a line of the table: ours and the peer's seconds, leaves and error."""
    return {
        "data": data,
        "rows x columns": f"{X.shape[0]} x {X.shape[1]}",
        "ours": names[0],
        "peer": names[1],
        "CPU s": ours[0],
        "peer CPU s": theirs[0],
        "ratio": theirs[0] / ours[0],
        "floor": floor,
        "leaves": ours[1],
        "peer leaves": theirs[1],
        "held-out error": ours[2],
        "peer error": theirs[2],
    }


def oblique_beside_axis(data="spambase", n_restarts=20):
    """Grow by hill climbing, beside cuts by one feature, and beside what is allowed."""
    found = stored(data)
    if found is None:
        return []
    X, y = found[0].astype(np.float64), found[1]
    oblique = tried(X, y, split="oblique", n_restarts=n_restarts)
    ours = f"oblique, {n_restarts} restarts"
    allowed = MOST_OBLIQUE_SECONDS, None, None
    return [
        kinds_row(data, X, (ours, "20 s, the most allowed"), oblique, allowed, 1.0),
        kinds_row(data, X, (ours, "one feature"), oblique, tried(X, y)),
    ]


def classes_of(X, y, n_classes):
    """Keep at most 100,000 rows, drawn from the largest classes."""
    labels, sizes = np.unique(y, return_counts=True)
    kept = np.isin(y, labels[np.argsort(-sizes)[:n_classes]])
    rows = np.random.default_rng(0).permutation(np.flatnonzero(kept))[:100_000]
    return X[rows].astype(np.float64), y[rows]


def made_classes(n_rows, n_classes):
    """Make numbers, all different, and classes that overlap."""
    random = np.random.default_rng(0)
    X = random.normal(size=(n_rows, 18))
    score = X @ random.normal(size=(18, n_classes))
    return X, (score + random.gumbel(size=score.shape)).argmax(axis=1)


def auc_beside_gini(n_rows=50_000):
    """Grow to purity on either criterion, for more and more classes."""
    found, rows = stored("covertype"), []
    for n_classes in (2, 3, 7):
        sets = {"numbers made": made_classes(n_rows, n_classes)}
        if found is not None:
            sets["covertype"] = classes_of(*found, n_classes)
        for data, (X, y) in sets.items():
            tries = [tried(X, y, criterion=name) for name in ("auc", "gini")]
            about = f"{data}, {n_classes} classes"
            rows.append(kinds_row(about, X, ("auc", "gini"), *tries, MOST_AUC))
    return rows


def beside_rpart(data):
    """Grow to purity on Gini, both to depth 30 at most, the limit of rpart."""
    found = stored(data)
    if found is None or shutil.which("Rscript") is None:
        return []
    X, y = found[0].astype(np.float64), np.unique(found[1], return_inverse=True)[1]
    trained = np.isin(np.arange(len(y)), parts(X, y)[0])
    with tempfile.TemporaryDirectory() as folder:
        table = np.column_stack([X, y, trained])
        path = Path(folder) / "data.csv"
        np.savetxt(path, table, fmt="%.17g", delimiter=",")
        command = ["Rscript", Path(__file__).with_name("greedy_rpart.R"), path]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        print(f"left out: rpart on {data}: {done.stderr.strip()}")
        return []
    seconds, leaves, error = map(float, done.stdout.split())
    theirs = seconds, int(leaves), error
    ours = tried(X, y, max_depth=30)
    return [kinds_row(data, X, ("gini", "rpart"), ours, theirs)]


CASES = {
    "segment": beside_scikit_learn,
    "spambase": lambda: beside_obliquetree("spambase", 5),
    "optdigits": lambda: beside_obliquetree("optdigits", 5),
    "physics": lambda: beside_obliquetree("physics", 6),
    "large": lambda: alone(
        "physics, to purity", lambda: noisy_interactions(600_000, 18), None
    ),
    "digits": lambda: alone("digits, depth 6", digits, 6),
}

KINDS = {
    "oblique": oblique_beside_axis,
    "auc": auc_beside_gini,
    "rpart, spambase": lambda: beside_rpart("spambase"),
    "rpart, segment": lambda: beside_rpart("segment"),
    "rpart, electricity": lambda: beside_rpart("electricity"),
}
TABLES = {"greedy": CASES, "greedy_kinds": KINDS}


def main(chosen):
    """Measure the cases named; tables named, or all of them, are stored too."""
    known = {*TABLES, *CASES, *KINDS}
    if not known.issuperset(chosen):
        sys.exit(f"no such case: {set(chosen) - known}; there are {sorted(known)}")
    failed = False
    for table, cases in TABLES.items():
        whole = not chosen or table in chosen
        names = [name for name in cases if whole or name in chosen]
        rows = [row for name in names for row in cases[name]()]
        if rows:
            failed |= report(table, rows, store=whole)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
