"""How much faster is an oblique node's logistic regression than scikit-learn's?

Both minimize the same objective, liblinear at a tolerance of 1e-4; its intercept is
penalized as well, next to nothing at the scaling given to it. Times are the least CPU
time of several runs in one process; ratios above 1 are in our favour.
"""

from __future__ import annotations

import sys
import warnings
from time import process_time

import numpy as np
from shared_data import digits, noisy_interactions
from shared_report import finish
from sklearn.linear_model import LogisticRegression

from tanoak import _core


def physics(n_rows, n_columns):
    """Make numbers and two classes that overlap."""
    X, y = noisy_interactions(n_rows, n_columns)
    return np.asfortranarray(X), np.where(y, 1.0, -1.0)


def images(n_rows, _):
    """Read digits; those below five against the others."""
    X, y = digits()
    side = np.where(y[:n_rows].astype(int) < 5, 1.0, -1.0)
    return np.asfortranarray(X[:n_rows]), side


# Where the rows are from, how many, how many columns, penalties, and the least ratio.
CASES = {
    "physics": (physics, 62_000, 50, (1.0, 10.0, 100.0), 15),
    "digits": (images, 20_000, 784, (10.0, 100.0), 3),
    "digits, few": (images, 1_000, 784, (1.0,), None),
    "digits, fewer": (images, 50, 784, (1.0,), None),
    "physics, few": (physics, 1_000, 30, (1.0,), None),
    "physics, fewer": (physics, 50, 30, (1.0,), None),
}


def least_seconds(work, repeats):
    """Run some work several times; the least CPU time is the least disturbed."""
    times = []
    for _ in range(repeats):
        start = process_time()
        work()
        times.append(process_time() - start)
    return min(times)


def objective(X, side, penalty, w):
    """Penalized loss; the last of w is the intercept."""
    margin = side * (X.astype(float) @ w[:-1] + w[-1])
    return np.logaddexp(0, -margin).sum() + penalty * np.abs(w[:-1]).sum()


def measure(name):
    """Time one case at each of its penalties."""
    load, n_rows, n_columns, penalties, floor = CASES[name]
    X, side = load(n_rows, n_columns)
    weight = np.ones(len(side))
    repeats = 20 if n_rows <= 1000 else 3
    rows = []
    for penalty in penalties:
        model = LogisticRegression(
            l1_ratio=1,
            solver="liblinear",
            C=1 / penalty,
            tol=1e-4,
            intercept_scaling=10,
        )
        settings = {"penalty": penalty, "tolerance": 0.01}
        ours, found, _ = _core.l1_logistic(X, side, weight, **settings)
        seconds = least_seconds(
            lambda s=settings: _core.l1_logistic(X, side, weight, **s), repeats
        )
        their_seconds = least_seconds(
            lambda m=model: m.fit(X, side, sample_weight=weight), min(repeats, 5)
        )
        w = np.append(model.coef_[0], model.intercept_)
        theirs = objective(X, side, penalty, w)
        rows.append(
            {
                "data": name,
                "rows x columns": f"{X.shape[0]} x {X.shape[1]}",
                "penalty": penalty,
                "tanoak ms": 1000 * seconds,
                "scikit-learn ms": 1000 * their_seconds,
                "ratio": their_seconds / seconds,
                "floor": floor,
                "our objective / theirs": f"{found / theirs:.6f}",
                "our columns": int(np.count_nonzero(ours[:-1])),
                "their columns": int(np.count_nonzero(w[:-1])),
            }
        )
    return rows


if __name__ == "__main__":
    warnings.filterwarnings("ignore")  # of liblinear, that it did not converge
    chosen = sys.argv[1:]
    measured = [row for name in chosen or CASES for row in measure(name)]
    finish("solve_oblique", measured, store=not chosen)
