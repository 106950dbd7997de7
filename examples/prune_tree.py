"""In: the credit data; out: subtrees of a tree, what they cost, the one to take.

python examples/prune_tree.py
"""
# ruff: noqa: T201  # printing is its work

from __future__ import annotations

import numpy as np

from tanoak import GreedyTreeClassifier, cost_loss
from tanoak.datasets import load_german_credit

credit = load_german_credit()
rows, target = credit.rows(), np.asarray(credit.target)
train = np.arange(len(target)) % 3 != 2  # noqa: PLR2004  # every third is out

model = GreedyTreeClassifier(cost=credit.cost, prune="cv_1se", random_state=3)
model.fit(rows[train], target[train])

print("leaves   cost in training   on rows not grown on   more than the cheapest")
columns = ("n_leaves", "training_cost", "cost", "excess", "excess_error", "chosen")
table = zip(*(model.pruning_[name] for name in columns), strict=True)
for leaves, training, cost, excess, error, chosen in list(table)[-10:]:
    apart = f"{excess:.3f} +- {error:.3f}{'   <- chosen' if chosen else ''}"
    print(f"{leaves:>6}   {training:>16.3f}   {cost:>20.3f}   {apart}")

paid = cost_loss(target[~train], model.predict(rows[~train]), cost=credit.cost)
print(f"\n{model.tree_}\n\nIt costs {paid:.3f} for each of the {sum(~train)} others.")
