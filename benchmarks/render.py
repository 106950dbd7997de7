"""In: figures under `benchmarks/results`; out: `docs/speed.md`, written from them."""

from __future__ import annotations

import json
from pathlib import Path

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks" / "results"
PAGE = ROOT / "docs" / "speed.md"

HEAD = """\
# Speed and memory

Written by `python benchmarks/render.py` from the figures that
`make bench` measured last; do not edit. Each ratio compares with scikit-learn
in the same process, above 1 is in our favour; a floor is the ratio below which
`make bench` fails. Other machines give other seconds and similar ratios.
"""

SECTIONS = {
    "grow": (
        "Growing a tree",
        "`benchmarks/compare/grow.py`. Both libraries get the same rows and grow on "
        "one criterion (Gini, or squared error). Node counts differ where equal cuts "
        "are chosen differently. Memory is the peak beyond the data in a fresh "
        "process; our default limit for sorted columns is 1 GiB, beyond it upper nodes "
        "are cut at quantiles (see [growth](growth.md)).",
    ),
    "greedy": (
        "Trees with cuts by two features",
        "`benchmarks/compare/greedy.py`, one thread, CPU time, measured on a busy "
        "machine. scikit-learn grows on the augmented matrix, a column for each pair "
        "of features and direction; making that matrix is not counted. *Nodes no "
        "worse* are those of our tree whose cut gains at least what the best cut of "
        "the augmented matrix gains on the same rows. Of more than 5,000 pairs "
        "(`max_pairs`) those of the strongest features are tried.",
    ),
    "greedy_kinds": (
        "Greedy trees: many features, the AUC criterion, rpart",
        "`benchmarks/compare/greedy.py greedy_kinds`, one thread, CPU time (the least "
        "of three; rpart, where R is installed, once), grown to purity on 70 % of the "
        "rows; errors are those on the others. Hill climbing "
        '(`split="oblique"`) may take 20 s on Spambase, `criterion="auc"` 1.5 '
        "times what Gini takes.",
    ),
    "predict": (
        "Finding leaves",
        "`benchmarks/compare/predict.py`, one thread. One-feature trees are "
        "scikit-learn's own, brought over; the others, of depth 6, weigh two columns "
        "or all, drawn at random, and are compared with a one-feature tree of the same "
        "depth. *With checks* includes the look for infinities that `Tree.apply` takes "
        "at an array.",
    ),
    "solve_oblique": (
        "One oblique node",
        "`benchmarks/compare/solve_oblique.py`, one thread, CPU time. A node that "
        "weighs many columns is a logistic regression with an l1 penalty; for "
        "scikit-learn it is liblinear at a tolerance of 1e-4, called through its "
        "estimator.",
    ),
    "solve_pair": (
        "The split of a node on two features",
        "`benchmarks/compare/solve_pair.py`, one thread, CPU time, the class named "
        "against the rest. The peer is a scikit-learn stump on projections of every "
        "pair of columns along 60 orientations, made beforehand; for Spambase on part "
        "of the pairs, its time scaled up. Losses are rows on the wrong side. "
        "*optimal*: no pair loses less; *slope*: only lines that slope nearly alike "
        "could.",
    ),
    "tao": (
        "Trees optimized as a whole",
        "`benchmarks/compare/tao.py`, one thread, CPU time of the whole `fit`. The "
        "liblinear loop is the same optimization in NumPy with scikit-learn's "
        "liblinear in the nodes, for at most as many passes; starts are drawn apart. "
        "Where the peer is a limit, the ratio is the limit over our time. *% wrong* "
        "is on 30 percent of the rows, trained on the others; beside liblinear, and "
        "for 4.5 million rows and words, on the training rows; for Covertype the mean "
        "of the errors of its seven classes, which is 85.7 for a constant answer. *MB* "
        "is the peak beyond the data in a fresh process. The words are sparse, 20,000 "
        "rows of 47,000 columns and 52 classes: 7.5 GB if written out. Splits on pairs "
        "have the default price of one mistake.",
    ),
    "tao_others": (
        "Beside imodels and obliquetree",
        "`benchmarks/compare/tao_others.py`, one thread, CPU time, one split of 70 : "
        "30. Ours may ask two features a split, at a price of three mistakes; imodels "
        "has its defaults (a tree of at most 15 leaves, one feature a split), "
        "obliquetree two features a split and a depth of at most 8.",
    ),
    "curve": (
        "Curves beside a sweep of pruned CART",
        "`benchmarks/compare/curve.py`, 5 splits of 75 : 25, 13 costs, everything "
        "chosen on the training part; CART is grown at each cost, pruned by its cost "
        "on a quarter held out and refitted. In percent on rows not seen: E is the "
        "cost at the base cost, staircase and hull are areas of the 13 points, "
        "relative cost is that of the tree chosen for each cost beside the better "
        "constant answer. *- CART* is the paired difference, then its standard error; "
        "leaves are means over the 13 trees.",
    ),
    "prune": (
        "Pruning by what answers cost",
        "`benchmarks/compare/prune.py`, one thread, 10 splits of 70 : 30 of at most "
        "3000 rows. Cost on the test rows is in percent of the better constant answer; "
        "differences are paired, with standard errors over the splits, below 0 in our "
        "favour. scikit-learn gets class weights, answers of least expected cost, "
        "one-hot columns for categories, and the `ccp_alpha`, of 12, that costs least "
        "in 10-fold cross-validation. rpart gets the costs through priors and prunes "
        "to its least cross-validated error: for two classes, where R is installed.",
    ),
    "prune_choose": (
        "Ways of pruning",
        "`benchmarks/compare/prune.py --choose`, at most 6000 rows, on splits that the "
        "table above does not use. `cv`: cost and leaves; the others: what they cost "
        "more, its standard error, and leaves. The advice in [pruning](pruning.md) "
        "rests on it.",
    ),
}


def page():
    """Write the whole page."""
    parts = [HEAD]
    for name, (title, about) in SECTIONS.items():
        content = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
        about_machine = ", ".join(f"{k} {v}" for k, v in content["machine"].items())
        parts += [f"## {title}", about, table(content["rows"]), f"({about_machine})"]
        parts += not_reached(content["rows"])
    return "\n\n".join(part.strip() for part in parts) + "\n"


def not_reached(rows):
    """List the rows whose ratio is below its floor: a page that hides them lies."""
    below = [row for row in rows if row["floor"] and row["ratio"] < row["floor"]]
    lines = [
        f"- {', '.join(text(value) for value in list(row.values())[:3])}: "
        f"{text(row['ratio'])} instead of {text(row['floor'])}"
        for row in below
    ]
    return ["Floors not reached:", "\n".join(lines)] if lines else []


def table(rows):
    """Write rows as a Markdown table, without columns that say nothing."""
    empty = [key for key in rows[0] if all(row[key] is None for row in rows)]
    rows = [{key: row[key] for key in row if key not in empty} for row in rows]
    lines = [list(rows[0]), ["---"] * len(rows[0])]
    lines += [[text(value) for value in row.values()] for row in rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def text(value):
    """Write a number with three digits, other values as they are."""
    if value is None:
        return ""
    return f"{value:.3g}" if isinstance(value, float) else f"{value}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
