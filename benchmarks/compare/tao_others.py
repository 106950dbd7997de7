"""Beside imodels' optimized tree and the two-feature trees of obliquetree.

They live in an environment of their own; TANOAK_OTHERS names its Python:

    python -m venv others && others/bin/pip install imodels obliquetree six
    TANOAK_OTHERS=others/bin/python python benchmarks/compare/tao_others.py

Both as they come, obliquetree with a depth of 8; imodels keeps 15 leaves unless told
else. Trained on 70 percent of the rows, errors on the others; seconds are of the
processor.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from time import process_time

import numpy as np
from sklearn.model_selection import train_test_split

DATA = ("breast_cancer_wdbc", "segment", "spambase", "optdigits")
OTHERS = ("imodels", "obliquetree")


def timed_fit(model, parts):
    """Return the seconds of a fit and the percentage of wrong answers."""
    start = process_time()
    model.fit(parts["X"], parts["y"])
    seconds = process_time() - start
    answers = np.asarray(model.predict(parts["X_test"])).ravel()
    return seconds, float(100 * (answers != parts["y_test"]).mean())


def other(name, path):
    """Fit one of the others; runs in their environment."""
    warnings.filterwarnings("ignore")
    with np.load(path) as content:
        parts = dict(content)
    if name == "imodels":
        from imodels import TaoTreeClassifier

        model = TaoTreeClassifier(n_iters=20)
    else:
        from obliquetree import Classifier

        model = Classifier(use_oblique=True, n_pair=2, max_depth=8, random_state=0)
    print(json.dumps(timed_fit(model, parts)))


def read_parts(name):
    """Read a set and split it; classes become numbers from 0 up."""
    from shared_data import stored

    found = stored(name)
    if found is None:
        return None
    X, y = found[0].astype(float), np.unique(found[1], return_inverse=True)[1]
    split = train_test_split(X, y, test_size=0.3, random_state=0, stratify=y)
    return dict(zip(("X", "X_test", "y", "y_test"), split, strict=True))


def measure(name, python):
    """Compare on one set."""
    from tanoak import TAOTreeClassifier

    parts = read_parts(name)
    if parts is None:
        return []
    model = TAOTreeClassifier(split="pair", split_penalty=3, max_iter=20)
    seconds, wrong = timed_fit(model, parts)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "parts.npz"
        np.savez(path, **parts)
        for peer in OTHERS:
            command = [python, __file__, "--other", peer, str(path)]
            done = subprocess.run(command, check=False, capture_output=True, text=True)
            failed = done.returncode != 0
            told = (None, None) if failed else json.loads(done.stdout.splitlines()[-1])
            rows.append(
                {
                    "data": name,
                    "rows x columns": "{} x {}".format(*parts["X"].shape),
                    "peer": f"{peer} (failed)" if failed else peer,
                    "tanoak s": seconds,
                    "peer s": told[0],
                    "ratio": None if failed else told[0] / seconds,
                    "floor": None,
                    "% wrong": wrong,
                    "peer % wrong": told[1],
                    "leaves": model.get_n_leaves(),
                }
            )
    return rows


if __name__ == "__main__":
    if sys.argv[1:2] == ["--other"]:
        other(*sys.argv[2:])
    elif "TANOAK_OTHERS" not in os.environ:
        print("left out: TANOAK_OTHERS does not name a Python with imodels")
    else:
        from shared_report import finish

        python = os.environ["TANOAK_OTHERS"]
        finish("tao_others", [row for name in DATA for row in measure(name, python)])
