"""In: the credit data; out: a stored tree, and answers from it with NumPy alone.

    python examples/serve_answers.py

Writes `credit.tanoak` into the current directory.
"""
# ruff: noqa: T201  # printing is its work

from __future__ import annotations

import tanoak.serve
from tanoak import GreedyTreeClassifier
from tanoak.datasets import load_german_credit

# Where the model is made.
credit = load_german_credit()
model = GreedyTreeClassifier(cost=credit.cost, max_leaf_nodes=8, min_samples_leaf=30)
model.fit(credit.columns, credit.target)
model.tree_.save("credit.tanoak")

# Where it answers: tanoak.serve loads neither scikit-learn nor the compiled core.
served = tanoak.serve.load("credit.tanoak")
first = {name: values[0] for name, values in credit.columns.items()}
longer = first | {"duration_months": 48}
stranger = first | {"checking_account": "at another bank", "age": None}
people = [first, longer, stranger]

print(model.tree_)
print(served)
for label, shares in zip(
    served.predict(people), served.predict_proba(people), strict=True
):
    named = dict(zip(served.classes or (), shares.round(2).tolist(), strict=True))
    print(f"{label}: shares of the training rows {named}")
