"""How much faster is growing a tree than in scikit-learn, and what memory does it take?

Times are the best of several runs in one process; ratios above 1 are in our favour.
Memory is the peak beyond the data, in a process of its own.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys

import numpy as np
from shared_data import digits, noisy_interactions, stored
from shared_report import best_seconds, finish
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from tanoak import GreedyTreeClassifier, GreedyTreeRegressor


def physics():
    """600,000 x 18 float32, two classes."""
    return noisy_interactions(600_000, 18)


def cover():
    """581,012 x 54 in seven classes, mostly 0/1 columns."""
    found = stored("covertype")
    return None if found is None else (found[0].astype(np.float32), found[1])


def numbers():
    """600,000 x 18 float32, a number to predict."""
    X, y = physics()
    return X, X[:, 0] * X[:, 1] + y


# What to grow, our settings and theirs, and the least ratio with 1 and 2 threads.
CASES = {
    "physics, to purity": (physics, {}, (25, 40)),
    "physics, depth 6": (physics, {"max_depth": 6}, (None, None)),
    "cover types, to purity": (cover, {}, (None, None)),
    "digits, to purity": (digits, {}, (None, None)),
    "numbers, depth 8": (numbers, {"max_depth": 8}, (None, None)),
}


def models(load, settings, n_jobs):
    """Make one of ours and one of theirs."""
    if load is numbers:
        return (
            GreedyTreeRegressor(n_jobs=n_jobs, **settings),
            DecisionTreeRegressor(random_state=0, **settings),
        )
    return (
        GreedyTreeClassifier(n_jobs=n_jobs, **settings),
        DecisionTreeClassifier(random_state=0, **settings),
    )


def measure(name):
    """Time one case with one thread and with two."""
    load, settings, floors = CASES[name]
    found = load()
    if found is None:
        return []
    X, y = found
    theirs = models(load, settings, 1)[1]
    their_seconds = best_seconds(lambda: theirs.fit(X, y), 2)
    rows = []
    for n_threads, floor in zip((1, 2), floors, strict=True):
        ours = models(load, settings, n_threads)[0]
        seconds = best_seconds(lambda model=ours: model.fit(X, y), 5)
        rows.append(
            {
                "data": name,
                "rows x columns": f"{X.shape[0]} x {X.shape[1]}",
                "threads": n_threads,
                "tanoak s": seconds,
                "scikit-learn s": their_seconds,
                "ratio": their_seconds / seconds,
                "floor": floor,
                "our nodes": ours.tree_.n_nodes,
                "their nodes": theirs.tree_.node_count,
                "our MB beyond X": extra_megabytes(name, n_threads),
            }
        )
    return rows


def extra_megabytes(name, n_threads):
    """Measure the peak beyond the data, in a fresh process."""
    command = [sys.executable, __file__, "--memory", name, str(n_threads)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(json.loads(done.stdout.splitlines()[-1]))


def print_memory(name, n_threads):
    """Fit once and print the growth of the peak."""
    load, settings, _ = CASES[name]
    X, y = load()
    ours = models(load, settings, n_threads)[0]
    ours.fit(X[:1000], y[:1000])  # what is imported or set up once does not count
    with open("/proc/self/clear_refs", "w", encoding="ascii") as reset:  # noqa: PTH123  # not a file
        reset.write("5")
    before = memory("VmRSS")
    ours.fit(X, y)
    print(json.dumps((memory("VmHWM") - before) / 1000))


def memory(field):
    """Read one of Linux' figures about this process, in kB; elsewhere the peak."""
    try:
        with open("/proc/self/status", encoding="ascii") as status:  # noqa: PTH123  # not a file
            return next(int(x.split()[1]) for x in status if x.startswith(field))
    except FileNotFoundError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    if sys.argv[1:2] == ["--memory"]:
        print_memory(sys.argv[2], int(sys.argv[3]))
    else:
        chosen = sys.argv[1:]
        found = [row for name in chosen or CASES for row in measure(name)]
        finish("grow", found, store=not chosen)
