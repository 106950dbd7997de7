"""How do cuts by two features compare with the others' ways to get them?

scikit-learn grows on the augmented matrix, with a column for each pair of features and
direction; obliquetree has such cuts itself and is installed, on demand, in an
environment of its own. Seconds are of the processor, so that a busy machine counts
little. Every node of our tree is also held against scikit-learn's best cut of the same
rows on the augmented matrix.
"""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from time import process_time

import numpy as np
from grow import memory
from shared_data import ROOT, digits, noisy_interactions, stored
from shared_report import finish
from sklearn.tree import DecisionTreeClassifier

from tanoak import GreedyTreeClassifier

N_ORIENTATIONS = 60
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

if __name__ == "__main__":
    chosen = sys.argv[1:]
    found = [row for name in chosen or CASES for row in CASES[name]()]
    finish("greedy", found, store=not chosen)
