"""In: a tree, rows and costs; out: the same tree, optimized node by node.

Everything by definition: rows are routed one by one, all splits of a node are listed,
and losses are sums over rows. Numbers only, NaN for missing values.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np


@dataclass
class Slow:
    """A node: a leaf with an answer, or a split with two children."""

    answer: float = 0.0
    split: tuple | None = None  # ("left",), ("right",) or (column, threshold, ...)
    left: Slow | None = None
    right: Slow | None = None


def read(tree, node=0):
    """Copy a tree of axis splits."""
    answer = float(tree.label[node] if tree.classes else tree.mean[node])
    if tree.left[node] < 0:
        return Slow(answer)
    column = int(tree.term_column[tree.term_start[node]])
    split = (column, tree.threshold[node], bool(tree.missing_left[node]), False)
    left, right = (read(tree, int(each[node])) for each in (tree.left, tree.right))
    return Slow(answer, split, left, right)


def goes_left(split, row):
    """Say which side a row takes."""
    if split in {("left",), ("right",)}:
        return split == ("left",)
    column, threshold, missing_left, swapped = split
    if np.isnan(row[column]):
        return missing_left
    return (row[column] <= threshold) != swapped


def answer_of(node, row):
    """Route one row."""
    while node.split is not None:
        node = node.left if goes_left(node.split, row) else node.right
    return node


def price_of(node, prices):
    """Price of the splits that are asked at and below a node."""
    if node.split is None:
        return 0.0
    if node.split == ("left",):
        return price_of(node.left, prices)
    if node.split == ("right",):
        return price_of(node.right, prices)
    below = price_of(node.left, prices) + price_of(node.right, prices)
    return prices[node.split[0]] + below


def total_loss(root, X, loss):
    """Sum the loss of all rows; loss(i, answer) is that of one."""
    return sum(loss(i, answer_of(root, row).answer) for i, row in enumerate(X))


def axis_splits(X):
    """List all splits on one column of some rows."""
    for column in range(X.shape[1]):
        values = np.unique(X[:, column][~np.isnan(X[:, column])])
        cuts = [(a + b) / 2 for a, b in itertools.pairwise(values)]
        if np.isnan(X[:, column]).any():
            cuts.append(np.finfo(float).max)
        for cut in cuts:
            for missing_left in (False, True):
                for swapped in (False, True):
                    yield (column, cut, missing_left, swapped)


def best_split(node, X, rows, loss, prices):
    """Find the split of least loss and price at a node; its own among equals."""
    stakes = {
        i: (
            loss(i, answer_of(node.left, X[i]).answer),
            loss(i, answer_of(node.right, X[i]).answer),
        )
        for i in rows
    }
    care = [i for i in rows if stakes[i][0] != stakes[i][1]]

    def objective(split):
        lost = sum(stakes[i][0 if goes_left(split, X[i]) else 1] for i in rows)
        return lost + price_of(Slow(0, split, node.left, node.right), prices)

    own = objective(node.split)
    found, at = node.split, own
    constants = [("left",), ("right",)]
    for split in constants + (list(axis_splits(X[care])) if care else []):
        value = objective(split)
        simpler = bool(care) and len(split) == 1 and len(found) > 1
        if value < at - 1e-12 or (simpler and value <= at + 1e-12):
            found, at = split, value
    return found, own - at


def by_depth(root, X):
    """List inner nodes with their rows, the deepest first."""
    found = []

    def visit(node, rows, depth):
        if node.split is None:
            return
        found.append((depth, node, rows))
        sides = [goes_left(node.split, X[i]) for i in rows]
        pairs = list(zip(rows, sides, strict=True))
        visit(node.left, [i for i, left in pairs if left], depth + 1)
        visit(node.right, [i for i, left in pairs if not left], depth + 1)

    visit(root, range(len(X)), 0)
    return sorted(found, key=lambda each: -each[0])


def update_leaves(root, X, best_answer):
    """Give every leaf that rows reach its best answer."""
    rows = {}
    for i, row in enumerate(X):
        leaf = answer_of(root, row)
        rows.setdefault(id(leaf), (leaf, []))[1].append(i)
    for leaf, reached in rows.values():
        leaf.answer = best_answer(reached)


def passes(root, X, loss, best_answer, prices, max_iter=20):
    """Optimize; (loss, price) of the start and after each pass."""
    update_leaves(root, X, best_answer)
    history = [(total_loss(root, X, loss), price_of(root, prices))]
    for _ in range(max_iter):
        for _, node, rows in by_depth(root, X):
            node.split = best_split(node, X, rows, loss, prices)[0]
        update_leaves(root, X, best_answer)
        history.append((total_loss(root, X, loss), price_of(root, prices)))
        if history[-1] == history[-2]:
            break
    return history
