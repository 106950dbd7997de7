"""In: the credit data that ship; out: text that shows what costs do to a tree.

Run it with ``python -m tanoak.demo``. It writes one file, `tanoak-demo.tanoak`, into
the current directory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tanoak import serve
from tanoak._tree import Tree
from tanoak.datasets import Dataset, load_german_credit
from tanoak.estimators import GreedyTreeClassifier
from tanoak.metrics import cost_loss

__all__ = ["main"]

_FILE = "tanoak-demo.tanoak"
_TEST_EACH = 3
# Chosen on the training rows alone, in the way of examples/choose_size.py.
_MOST_LEAVES, _FEWEST_ROWS = 8, 30

Labels = NDArray[np.str_]
Rows = dict[str, NDArray[np.str_] | NDArray[np.int64]]


@dataclass(frozen=True, eq=False)
class _Split:
    """The data, and which of its rows are kept for the test."""

    data: Dataset
    in_test: NDArray[np.bool_]

    @property
    def rows(self) -> Rows:
        """Features of the test rows."""
        return _chosen(self.data, self.in_test)

    @property
    def truth(self) -> Labels:
        """Classes of the test rows."""
        return self.data.target[self.in_test]


def main() -> None:
    """Print the demonstration and write its file."""
    data = load_german_credit()
    n_rows = len(data.target)
    split = _Split(data, np.arange(n_rows) % _TEST_EACH == _TEST_EACH - 1)
    n_test = len(split.truth)
    print("tanoak demo: which applicants are a bad credit risk?\n")
    print(
        f"{data.name} (UCI): {n_rows - n_test} of {n_rows} applicants are learnt from,"
    )
    print("every third is kept for the test.\n")
    print("What mistakes cost:")
    print("\n".join(f"  {line}" for line in str(data.cost).splitlines()))
    tree, plain = _grow(split, data.cost), _grow(split, None)
    print(f"\nA tree of at most {_MOST_LEAVES} leaves that knows these costs:")
    print(tree)
    print(f"\nWhat it says about the {n_test} test applicants, and what others say:")
    answers = {
        "this tree": tree.predict(split.rows),
        "one without costs": plain.predict(split.rows),
        "all bad": np.full(n_test, "bad"),
        "all good": np.full(n_test, "good"),
    }
    print("\n".join(_table(split, answers)))
    _keep(tree, split.rows)


def _grow(split: _Split, cost: object) -> Tree:
    """Grow a small tree on the training rows."""
    data, train = split.data, ~split.in_test
    model = GreedyTreeClassifier(
        cost=cost, max_leaf_nodes=_MOST_LEAVES, min_samples_leaf=_FEWEST_ROWS
    )
    return model.fit(_chosen(data, train), data.target[train]).tree_


def _chosen(data: Dataset, chosen: NDArray[np.bool_]) -> Rows:
    """Return some of the rows, column by column."""
    return {name: np.asarray(x)[chosen] for name, x in data.columns.items()}


def _table(split: _Split, answers: dict[str, Labels]) -> Iterator[str]:
    """Set counts of right and wrong answers side by side, then what they cost."""
    widths = [max(8, len(title)) for title in answers]

    def line(what: str, cells: list[str]) -> str:
        pairs = zip(cells, widths, strict=True)
        return f"{what:<24}" + "".join(f"  {cell:>{width}}" for cell, width in pairs)

    yield line("", list(answers))
    truth, cost = split.truth, split.data.cost
    for true in cost.classes:
        for called in cost.classes:
            right = [(truth == true) & (given == called) for given in answers.values()]
            yield line(f"{true} ones called {called}", [str(x.sum()) for x in right])
    paid = [100 * cost_loss(truth, given, cost=cost) for given in answers.values()]
    yield line("cost of 100 applicants", [f"{x:.1f}" for x in paid])


def _keep(tree: Tree, rows: Rows) -> None:
    """Save the tree and show how to load it."""
    tree.save(_FILE)
    given = tree.predict(rows)
    same = int((serve.load(_FILE).predict(rows) == given).sum())
    print(f"\nThe tree is now in {_FILE}, in the current directory. To predict with")
    print("it, NumPy is enough (no scikit-learn, no compiled code):\n")
    print(f'  import tanoak.serve\n  model = tanoak.serve.load("{_FILE}")\n')
    print(
        f"It answers like the original for {same} of the {len(given)} test applicants."
    )


if __name__ == "__main__":
    main()
