"""In: a name; out: features and a target, made here or read from the data folder."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parent.parent.parent
FOLDER = Path(os.environ.get("TANOAK_DATA", ROOT.parent / "shared" / "data"))


def noisy_interactions(n_rows, n_columns, seed=0):
    """Make float32 numbers and two classes that overlap, as in physics data."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, n_columns)).astype(np.float32)
    score = X @ random.normal(size=n_columns) + 2 * X[:, 0] * X[:, 1]
    return X, (random.random(n_rows) < 1 / (1 + np.exp(-2 * score / 3))).astype(int)


def stored(name):
    """Read a set of the data folder; None, and a word about it, if it is not there."""
    path = FOLDER / f"{name}.npz"
    if not path.is_file():
        print(f"left out: {name}, not found (TANOAK_DATA names the folder to look in)")
        return None
    with np.load(path, allow_pickle=False) as content:
        return content["X"], content["y"]


def digits():
    """Read 60,000 images of 784 pixels, or make as many."""
    found = stored("mnist")
    if found is None:
        X, y = noisy_interactions(60_000, 784)
        return np.where(X > 1, X, 0).astype(np.float32), y
    X, y = found
    return (X[:60_000] / np.float32(255)).astype(np.float32), y[:60_000]
