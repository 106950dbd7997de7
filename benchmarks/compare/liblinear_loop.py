"""Tree alternating optimization on scikit-learn's liblinear, as short as it gets.

The peer of `tao.py`: a complete tree whose splits start at random and halve their rows;
pass after pass, the deepest nodes first, each node gets an l1-penalized logistic
regression on the rows that care where they go, kept if it loses less.
"""

from __future__ import annotations

import numpy as np
from sklearn.linear_model import LogisticRegression


def optimize(X, y, *, depth, penalty, max_iter, seed=0):
    """Return the training mistakes, at the start and after each pass."""
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    tree = Complete(X, y, depth, seed)
    mistakes = [tree.mistakes()]
    for _ in range(max_iter):
        before = tree.mistakes()
        for node in reversed(range(2**depth - 1)):
            tree.improve(node, penalty)
        tree.answer()
        mistakes.append(tree.mistakes())
        if mistakes[-1] == before:
            break
    return mistakes


class Complete:
    """A complete tree: the children of node i are 2 i + 1 and 2 i + 2."""

    def __init__(self, X, y, depth, seed):
        """Draw the splits and answer with the majority."""
        self.X, self.y, self.depth = X, y, depth
        random = np.random.default_rng(seed)
        self.n_inner = 2**depth - 1
        self.weights = random.normal(size=(self.n_inner, X.shape[1]))
        self.bounds = np.zeros(self.n_inner)
        self.answers = np.zeros(2 * self.n_inner + 1, dtype=int)
        places = [np.arange(len(y))]
        for node in range(self.n_inner):
            rows = places[node]
            sums = X[rows] @ self.weights[node]
            self.bounds[node] = np.median(sums) if len(rows) else 0.0
            right = sums > self.bounds[node]
            places += [rows[~right], rows[right]]
        self.answer()

    def leaves(self, rows, node=0):
        """Return the leaf that rows reach from a node."""
        at = np.full(len(rows), node)
        while at[0] < self.n_inner if len(at) else False:
            for each in np.unique(at):
                here = np.flatnonzero(at == each)
                sums = self.X[rows[here]] @ self.weights[each]
                at[here] = 2 * each + 1 + (sums > self.bounds[each])
        return at

    def answer(self):
        """Answer with the majority in each leaf."""
        leaves = self.leaves(np.arange(len(self.y)))
        counts = np.zeros((len(self.answers), self.y.max() + 1))
        np.add.at(counts, (leaves, self.y), 1)
        self.answers[self.n_inner :] = counts[self.n_inner :].argmax(axis=1)

    def mistakes(self):
        """Count the rows that are answered wrongly."""
        leaves = self.leaves(np.arange(len(self.y)))
        return int((self.answers[leaves] != self.y).sum())

    def rows_of(self, node):
        """Return the rows that reach a node."""
        path = []
        while node:
            path.append((node - 1) // 2)
            node, went_right = path[-1], node % 2 == 0
            path[-1] = (path[-1], went_right)
        rows = np.arange(len(self.y))
        for parent, went_right in reversed(path):
            sums = self.X[rows] @ self.weights[parent]
            rows = rows[(sums > self.bounds[parent]) == went_right]
        return rows

    def improve(self, node, penalty):
        """Give a node the split that a logistic regression finds, if it loses less."""
        rows = self.rows_of(node)
        good = [
            self.answers[self.leaves(rows, child)] == self.y[rows]
            for child in (2 * node + 1, 2 * node + 2)
        ]
        cares = good[0] != good[1]
        rows, side = rows[cares], good[1][cares]
        if len(np.unique(side)) < 2:
            return
        model = LogisticRegression(
            l1_ratio=1, solver="liblinear", C=1 / penalty, tol=1e-4
        ).fit(self.X[rows], side)
        now = self.X[rows] @ self.weights[node] > self.bounds[node]
        if (model.predict(self.X[rows]) != side).sum() < (now != side).sum():
            self.weights[node], self.bounds[node] = model.coef_[0], -model.intercept_[0]
