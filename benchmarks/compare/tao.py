"""How long does it take to optimize a whole tree, and how well does it do?

Seconds are of the processor, one thread, everything included that `fit` does. Where a
case has a limit instead of a peer, the ratio is the limit over our seconds. Errors are
on 30 percent of the rows, trained on the others, except beside liblinear and in the
cases of a fresh process: there they are on the training rows. For Covertype they are
the mean of the errors of the classes.

    python benchmarks/compare/tao.py [case ...]
"""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
from time import process_time

import numpy as np
from grow import memory
from liblinear_loop import optimize
from scipy import sparse
from shared_data import noisy_interactions, stored
from shared_report import finish
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from tanoak import TAOTreeClassifier

OBLIQUE = {"split": "oblique", "init": "random", "max_depth": 6, "random_state": 0}
PAIR = {"split": "pair"}
MANY_ROWS = 100_000  # no second fit for the error
# Chosen by another split of the rows that are trained on.
DEEP = {
    "split": "oblique",
    "split_penalty": 0.1,
    "max_depth": 40,
    "max_leaf_nodes": 4000,
    "max_iter": 6,
    "cost": "balanced",
}


def timed(work):
    """Return the seconds of some work and what it gave."""
    start = process_time()
    result = work()
    return process_time() - start, result


def row(name, X, model, seconds, **more):
    """Fill a line of the table."""
    columns = ("peer", "peer s", "ratio", "floor", "% wrong", "peer % wrong")
    split = f"{model.split}, {model.cost}" if model.cost else model.split
    return {
        "data": name,
        "rows x columns": f"{X.shape[0]} x {X.shape[1]}",
        "split": split,
        "passes": model.n_iter_,
        "leaves": model.get_n_leaves(),
        "tanoak s": seconds,
        **{column: more.get(column) for column in columns},
        "MB": more.get("MB"),
    }


def beside_liblinear(name, n_rows):
    """Compare the whole run with the same loop on liblinear, on training mistakes."""
    X, y = noisy_interactions(n_rows, 50)
    X = X.astype(float)
    model = TAOTreeClassifier(**OBLIQUE)
    ours, _ = timed(lambda: model.fit(X, y))
    with threadpool_limits(1):
        theirs, mistakes = timed(
            lambda: optimize(X, y, depth=6, penalty=1.0, max_iter=max(model.n_iter_, 1))
        )
    return row(
        name,
        X,
        model,
        ours,
        peer=f"liblinear loop, {len(mistakes) - 1} passes",
        ratio=theirs / ours,
        floor=20,
        **{
            "peer s": theirs,
            "% wrong": 100 * (model.predict(X) != y).mean(),
            "peer % wrong": 100 * mistakes[-1] / len(y),
        },
    )


def within(name, load, limit, settings):
    """Fit once; the peer is a limit of seconds."""
    X, y = load()
    model = TAOTreeClassifier(**settings)
    seconds, _ = timed(lambda: model.fit(X, y))
    more = {}
    if len(y) < MANY_ROWS:
        parts = train_test_split(X, y, test_size=0.3, random_state=0, stratify=y)
        cart = DecisionTreeClassifier(random_state=0).fit(parts[0], parts[2])
        other = TAOTreeClassifier(**settings).fit(parts[0], parts[2])
        for key, each in (("% wrong", other), ("peer % wrong", cart)):
            more[key] = 100 * (each.predict(parts[1]) != parts[3]).mean()
    return row(
        name,
        X,
        model,
        seconds,
        peer=f"limit of {limit} s" + " (wrong: full CART)" * bool(more),
        ratio=limit / seconds,
        floor=1,
        **more,
    )


def covertype(name):
    """Seven classes, each as heavy as any other, beside a full scikit-learn tree."""
    found = stored("covertype")
    if found is None:
        return None
    X, y = np.asfortranarray(found[0], dtype=np.float32), found[1]
    parts = train_test_split(X, y, test_size=0.3, random_state=0, stratify=y)
    cart = DecisionTreeClassifier(class_weight="balanced", random_state=0)
    theirs, _ = timed(lambda: cart.fit(parts[0], parts[2]))
    model = TAOTreeClassifier(**DEEP)
    ours, _ = timed(lambda: model.fit(parts[0], parts[2]))
    errors = [100 * balanced_error(m, parts[1], parts[3]) for m in (model, cart)]
    return row(
        name,
        parts[0],
        model,
        ours,
        peer=f"full CART, {cart.get_n_leaves()} leaves",
        ratio=theirs / ours,
        floor=0.04,
        **{"peer s": theirs, "% wrong": errors[0], "peer % wrong": errors[1]},
    )


def balanced_error(model, X, y):
    """Average the share of wrong answers over classes."""
    wrong = model.predict(X) != y
    classes = np.unique(y)
    return np.mean([wrong[y == c].mean() for c in classes])


def words(n_rows=20_000, n_columns=47_000, n_classes=52):
    """Make sparse counts; each class has words of its own among many others."""
    random = np.random.default_rng(0)
    y = random.integers(n_classes, size=n_rows)
    rows = np.concatenate([np.arange(n_rows).repeat(70), np.arange(n_rows).repeat(8)])
    own = y[rows[-8 * n_rows :]] * 40 + random.integers(40, size=8 * n_rows)
    columns = np.append(random.integers(n_columns, size=70 * n_rows), own)
    ones = np.ones(len(rows))
    return sparse.csr_matrix((ones, (rows, columns)), (n_rows, n_columns)), y


def long_table():
    """Make 4.5 million rows block by block, so that the peak is that of training."""
    X = np.empty((4_500_000, 18), dtype=np.float32, order="F")
    y = np.empty(len(X), dtype=np.int64)
    for i, at in enumerate(range(0, len(X), 500_000)):
        block = slice(at, at + 500_000)
        X[block], y[block] = noisy_blocks(500_000, i)
    return X, y


def noisy_blocks(n_rows, seed):
    """Make a block of rows by a rule that is the same in all blocks."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, 18)).astype(np.float32)
    score = X @ np.random.default_rng(99).normal(size=18) + 2 * X[:, 0] * X[:, 1]
    return X, (random.random(n_rows) < 1 / (1 + np.exp(-2 * score / 3))).astype(int)


FRESH = {
    "made up, 4.5 million": (long_table, OBLIQUE, 600, 3000),
    "made up, sparse words": (words, OBLIQUE, None, None),
    "made up, words, deep": (
        words,
        {"max_leaf_nodes": 100, "max_depth": 60},
        None,
        None,
    ),
}


def in_fresh_process(name):
    """Fit in a process of its own, for the peak of memory beyond the data."""
    command = [sys.executable, __file__, "--fresh", name]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def fit_fresh(name):
    """Fit once; print the line."""
    load, settings, limit, megabytes = FRESH[name]
    X, y = load()
    model = TAOTreeClassifier(**settings)
    TAOTreeClassifier(**settings).fit(X[:1000], y[:1000])  # set up once, not counted
    with open("/proc/self/clear_refs", "w", encoding="ascii") as reset:  # noqa: PTH123  # not a file
        reset.write("5")
    before = memory("VmRSS")
    seconds, _ = timed(lambda: model.fit(X, y))
    more = {"MB": (memory("VmHWM") - before) / 1000}
    if limit:
        more["peer"] = f"limit of {limit} s, {megabytes} MB"
        more["ratio"] = min(limit / seconds, megabytes / more["MB"])
        more["floor"] = 1
    more["% wrong"] = 100 * (model.predict(X) != y).mean()
    print(json.dumps(row(name, X, model, seconds, **more)))


def float32(n_rows, n_columns):
    """Make rows of overlapping classes."""
    return lambda: noisy_interactions(n_rows, n_columns)


CASES = {
    "made up, liblinear": lambda name: beside_liblinear(name, 20_000),
    "made up, 62,000, liblinear": lambda name: beside_liblinear(name, 62_000),
    "segment": lambda name: within(name, lambda: stored("segment"), 1, PAIR),
    "spambase": lambda name: within(name, lambda: stored("spambase"), 5, PAIR),
    "made up, 62,000": lambda name: within(name, float32(62_000, 50), 40, PAIR),
    "made up, 600,000": lambda name: within(name, float32(600_000, 18), 240, PAIR),
    "covertype": covertype,
    **dict.fromkeys(FRESH, in_fresh_process),
}


if __name__ == "__main__":
    warnings.filterwarnings("ignore")  # of liblinear, that it did not converge
    if sys.argv[1:2] == ["--fresh"]:
        fit_fresh(sys.argv[2])
    else:
        chosen = sys.argv[1:]
        found = [CASES[name](name) for name in chosen or CASES]
        finish("tao", [each for each in found if each], store=not chosen)
