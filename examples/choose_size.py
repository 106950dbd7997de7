"""In: the credit data; out: what trees of several sizes cost on rows not seen.

    python examples/choose_size.py

Every third row stays out of it: the demo tests on those.
"""
# ruff: noqa: T201  # printing is its work

from __future__ import annotations

import numpy as np
from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold

from tanoak import GreedyTreeClassifier, make_cost_scorer
from tanoak.datasets import load_german_credit

credit = load_german_credit()
train = np.arange(len(credit.target)) % 3 != 2  # noqa: PLR2004  # every third is out

search = GridSearchCV(
    GreedyTreeClassifier(cost=credit.cost, max_leaf_nodes=8),
    {"min_samples_leaf": [10, 20, 30, 40]},
    scoring=make_cost_scorer(credit.cost),
    cv=RepeatedStratifiedKFold(n_splits=10, n_repeats=3, random_state=0),
)
search.fit(credit.rows()[train], credit.target[train])

print("rows a leaf, at least   cost of 100 applicants")
results = search.cv_results_
for fewest, score in zip(
    results["param_min_samples_leaf"], results["mean_test_score"], strict=True
):
    print(f"{fewest:>21}   {-100 * score:>22.1f}")
print(f"\nThe cheapest: min_samples_leaf={search.best_params_['min_samples_leaf']}")
