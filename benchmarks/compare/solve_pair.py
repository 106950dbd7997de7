"""How fast is the best split on two features found, and how much does it lose?

The peer is what one can do without: a scikit-learn stump on all projections of all
pairs of columns along 60 orientations. Seconds are of the processor, the best of
several runs; ratios above 1 are in our favour. Losses are rows on the wrong side.
"""

from __future__ import annotations

from time import process_time

import numpy as np
from shared_data import noisy_interactions, stored
from shared_report import finish
from sklearn.tree import DecisionTreeClassifier

from tanoak import _core

ORIENTATIONS = 60
SETTINGS = {"exact": False, "n_pairs": 0, "tolerance": 0.0, "effort": 0}

# The set, the class told from the rest, and the least ratios: ranked, certified.
CASES = {
    "segment, brickface": ("segment", 0, (50, 15)),
    "segment, cement": ("segment", 1, (50, 15)),
    "segment, window": ("segment", 6, (50, 15)),
    "spambase": ("spambase", 1, (None, None)),
}


def seconds(work, repeats):
    """Run some work several times; the least time of the processor."""
    times = []
    for _ in range(repeats):
        start = process_time()
        work()
        times.append(process_time() - start)
    return min(times)


def load(name, label):
    """Read columns and what is at stake; made up if the set is not there."""
    found = stored(name)
    X, y = noisy_interactions(400, 6) if found is None else found
    wanted = y == np.unique(y)[min(label, len(np.unique(y)) - 1)]
    return np.asfortranarray(X, dtype=float), np.where(wanted, 1, -1)


def augmented(X):
    """Project each pair of columns, scaled, along every orientation."""
    spread = X.std(axis=0)
    scaled = (X / np.where(spread > 0, spread, 1)).astype(np.float32)
    angles = np.arange(1, ORIENTATIONS) * np.pi / ORIENTATIONS
    turns = [(np.cos(a), np.sin(a)) for a in angles if abs(a - np.pi / 2) > 1e-9]
    n_columns = X.shape[1]
    columns = [scaled]
    for i in range(n_columns):
        for j in range(i + 1, n_columns):
            pair = scaled[:, [i, j]] @ np.array(turns, dtype=np.float32).T
            columns.append(pair)
    return np.hstack(columns)


def their_loss(stump, projections, stakes):
    """Count rows on the wrong side of the stump, the sides named as is best."""
    left = stump.apply(projections) == 1
    wrong = int((left != (stakes > 0)).sum())
    return min(wrong, len(stakes) - wrong)


def solve(X, stakes, *, exact):
    """Find our split."""
    n_columns = X.shape[1]
    return _core.solve_pair(
        X, [0] * n_columns, [0.0] * n_columns, stakes, 0, SETTINGS | {"exact": exact}
    )


def measure(name):
    """Time one case ranked and certified."""
    data, label, floors = CASES[name]
    X, stakes = load(data, label)
    # All projections of a larger set would not fit; a stump's time is linear in them.
    share = min(1.0, 12_000 / (X.shape[1] ** 2 / 2 * ORIENTATIONS))
    n_columns = max(2, int(X.shape[1] * np.sqrt(share)))
    scale_up = (X.shape[1] * (X.shape[1] - 1)) / (n_columns * (n_columns - 1))
    projections = augmented(X[:, :n_columns])
    stump = DecisionTreeClassifier(max_depth=1, random_state=0)
    theirs = seconds(lambda: stump.fit(projections, stakes > 0), 2) * scale_up
    rows = []
    for exact, floor in zip((False, True), floors, strict=True):
        found = solve(X, stakes, exact=exact)
        ours = seconds(lambda e=exact: solve(X, stakes, exact=e), 5)
        rows.append(
            {
                "data": name,
                "search": "all pairs" if exact else "ranked pairs",
                "pairs searched": found["n_searched"],
                "of": found["n_pairs"],
                "tanoak s": ours,
                "stump s": theirs,
                "ratio": theirs / ours,
                "floor": floor,
                "our loss": found["loss"],
                "their loss": their_loss(stump, projections, stakes)
                if scale_up == 1
                else None,
                "certificate": found["certificate"],
                "proved bound": found["bound"] if exact else None,
            }
        )
    return rows


if __name__ == "__main__":
    finish("solve_pair", [row for name in CASES for row in measure(name)])
