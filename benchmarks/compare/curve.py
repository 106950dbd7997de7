"""How good are the trees of a curve on rows not seen, beside a sweep of pruned CART?

Both get the same 13 costs, 1.5^-6 to 1.5^6 times the base cost, on the same splits of
75 : 25, and choose everything on the training part. Measures, in percent:

- E: cost at the base cost, of what calling every row wrongly would cost;
- staircase, hull: areas of the 13 points (they are picked with the test rows in sight,
  so more different trees have more area);
- relative cost: at each cost the tree that `select` takes, by its cost out of fold,
  beside the better constant answer; the mean over the costs.

    python benchmarks/compare/curve.py [set ...]      all sets but MNIST, or some
    python benchmarks/compare/curve.py --seeds 3      fewer splits
"""

from __future__ import annotations

import argparse
from time import process_time

import numpy as np
import pandas as pd
from shared_data import FOLDER
from shared_report import finish, show
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.model_selection import train_test_split

from tanoak import GreedyTreeClassifier, TAOTreeClassifier, cost_optimal_curve
from tanoak._roc import hull_positions, staircase_area, trapezoid_area

STEPS = 1.5 ** np.arange(-6, 7)
TAKES_LONG = ("mnist",)  # half an hour; left out unless it is named

# File and the class that is to be found.
CASES = {
    "spambase": ("spambase.npz", "1"),
    "telco_churn": ("telco_churn.csv.gz", "Yes"),
    "mammography": ("mammography.npz", "1"),
    "german_credit": ("german_credit.csv.gz", "bad"),
    "segment": ("segment.npz", "window"),
    "optdigits": ("optdigits.npz", "0"),
    "letter": ("letter.npz", "A"),
    "credit_gmsc": ("credit_gmsc.csv.gz", "1"),
    "email_spam": ("email_spam.npz", "1"),
    "mnist": ("mnist.npz", None),
}


def load(name):
    """Read a set as features and whether the row is to be found; None without it."""
    file, positive = CASES[name]
    path = FOLDER / file
    if not path.is_file():
        print(f"left out: {name}, not found (TANOAK_DATA names the folder to look in)")
        return None
    if file.endswith(".csv.gz"):
        frame = pd.read_csv(path)
        X, y = frame.iloc[:, :-1], frame.iloc[:, -1].astype(str).to_numpy()
        return X, y == positive
    with np.load(path, allow_pickle=False) as content:
        X = content["X"]
        y = content["synthetic_y"] if positive is None else content["y"].astype(str)
    if name == "email_spam":
        X = TfidfTransformer().fit_transform(X).tocsc()
    return X, (y == 1) if positive is None else (y == positive)


def split(name, X, hit, seed):
    """Give a training and a test part; digits by the rule of their paper."""
    if name != "mnist":
        return train_test_split(X, hit, test_size=0.25, random_state=seed, stratify=hit)
    random = np.random.default_rng(seed)
    train = np.arange(60_000)
    found = random.permutation(train[hit[:60_000]])[:3036]
    train = np.sort(np.concatenate((train[~hit[:60_000]], found)))
    labels = hit[train] ^ (random.random(len(train)) < 0.1)
    scaled = X.astype(np.float32) / np.float32(255)
    return scaled[train], scaled[60_000:], labels, hit[60_000:]


def sweep(X, hit, ratios):
    """Grow CART at each cost, prune by it on a quarter held out, and refit."""
    trees = []
    for ratio in ratios:
        model = GreedyTreeClassifier(
            cost={False: ratio, True: 1.0}, prune="holdout", validation_fraction=0.25
        )
        trees.append(model.fit(X, hit).tree_)
    return trees


def curve(X, hit, ratios):
    """Make our trees with nothing set, and choose one for each cost out of fold."""
    costs = [{False: ratio, True: 1.0} for ratio in ratios]
    path = cost_optimal_curve(TAOTreeClassifier(), X, hit, positive=True, costs=costs)
    return list(path.models[1:-1]), [path.select(cost=cost).model for cost in costs]


def rates(trees, X, hit):
    """Count false positive and false negative rates on the test part."""
    answers = [tree.predict(X) for tree in trees]
    fpr = np.array([answer[~hit].mean() for answer in answers])
    return fpr, np.array([1 - answer[hit].mean() for answer in answers])


def measure(trees, chosen, X, hit):
    """Measure the points of one sweep, and the trees chosen for each cost."""
    fpr, fnr = rates(trees, X, hit)
    points = np.column_stack((fpr, 1 - fnr))
    corners = np.vstack((points, [[0.0, 0.0], [1.0, 1.0]]))
    # Class rates, so that the test part may have other shares than the training part.
    chosen_fpr, chosen_fnr = rates(chosen, X, hit)
    paid = chosen_fnr + STEPS * chosen_fpr
    base = len(STEPS) // 2
    return {
        "E": 50 * paid[base],
        "staircase": 100 * staircase_area(points),
        "hull": 100 * trapezoid_area(corners[hull_positions(corners)]),
        "relative cost": float(np.mean(100 * paid / np.minimum(1, STEPS))),
        "leaves": float(np.mean([tree.n_leaves for tree in trees])),
    }


def compare(name, n_seeds):
    """Compare both ways on one set."""
    found = load(name)
    if found is None:
        return None
    ours, theirs, seconds = [], [], np.zeros(2)
    for seed in range(n_seeds):
        X, X_test, hit, hit_test = split(name, *found, seed)
        ratios = STEPS * hit.sum() / (~hit).sum()
        start = process_time()
        trees, chosen = curve(X, hit, ratios)
        middle = process_time()
        cart = sweep(X, hit, ratios)
        seconds += middle - start, process_time() - middle
        ours.append(measure(trees, chosen, X_test, hit_test))
        theirs.append(measure(cart, cart, X_test, hit_test))
    return row_of(name, pd.DataFrame(ours), pd.DataFrame(theirs), seconds)


def row_of(name, ours, theirs, seconds):
    """Write means and paired differences with their standard errors."""
    row = {"data": name, "splits": len(ours)}
    for column in ("E", "staircase", "hull", "relative cost"):
        gain = ours[column] - theirs[column]
        row[column] = float(ours[column].mean())
        row[f"- CART {column}"] = float(gain.mean())
        row[f"se {column}"] = float(gain.std(ddof=1) / len(gain) ** 0.5)
    row |= {
        "leaves": float(ours["leaves"].mean()),
        "leaves of CART": float(theirs["leaves"].mean()),
        "s": float(seconds[0] / len(ours)),
        "s of CART": float(seconds[1] / len(ours)),
    }
    return row | {"ratio": 1.0, "floor": None}


def main():
    """Compare on all sets, or on those named."""
    parser = argparse.ArgumentParser()
    parser.add_argument("sets", nargs="*")
    parser.add_argument("--seeds", type=int, default=5)
    given = parser.parse_args()
    usual = [name for name in CASES if name not in TAKES_LONG]
    rows = []
    for name in given.sets or usual:
        row = compare(name, given.seeds)
        if row is not None:
            show([row])
            rows.append(row)
    finish("curve", rows, store=len(rows) == len(usual))


if __name__ == "__main__":
    main()
