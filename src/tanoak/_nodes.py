"""In: a tree; out: its nodes as records a person can read, one by one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from tanoak._arrays import Level
from tanoak._routing import LEAF, SUBSET, node_kinds
from tanoak._sentences import Sentences

if TYPE_CHECKING:
    from tanoak._tree import Tree

__all__ = ["Kind", "Node", "read_nodes"]

Kind = Literal["leaf", "axis", "subset", "linear"]

_KINDS: tuple[Kind, ...] = ("leaf", "axis", "subset", "linear")


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One node of a tree.

    Attributes
    ----------
    id : int
        Position in the tree's arrays.
    parent, left, right : int or None
        Ids of the nodes above and below; None where there is none.
    depth : int
        Number of splits above.
    kind : {"leaf", "axis", "subset", "linear"}
        An axis split compares one number with a threshold, a subset split looks up a
        level, a linear one compares a weighted sum.
    rule : str
        What holds for the rows that go left, and for no others; "" at a leaf. For
        reading: long lists are shortened, weights and the threshold rounded (to six
        digits, or as many as tell it from others of the column), weights of levels
        grouped by column. `terms`, `threshold` and `levels_left` are exact.
    terms : tuple of (str, level or None, float)
        Column, level whose indicator is meant (None: the number itself) and weight.
    threshold : float or None
        None at leaves and subset splits.
    levels_left : tuple
        Levels that go left at a subset split.
    missing_left : bool
        Whether a missing value goes left; linear splits fill it in instead.
    rows : int
        Training rows, not weighted.
    counts : tuple of int
        Training rows of every class, not weighted; for regression all rows.
    label : str, bool, int, float or None
        Answer of a classification tree.
    mean : float or None
        Answer of a regression tree.
    """

    id: int
    parent: int | None
    left: int | None
    right: int | None
    depth: int
    kind: Kind
    rule: str
    terms: tuple[tuple[str, Level | None, float], ...]
    threshold: float | None
    levels_left: tuple[Level, ...]
    missing_left: bool
    rows: int
    counts: tuple[int, ...]
    label: Level | None
    mean: float | None

    @property
    def is_leaf(self) -> bool:
        """Whether the node gives the answer."""
        return self.kind == "leaf"


def read_nodes(tree: Tree) -> list[Node]:
    """Return all nodes of a tree in preorder."""
    words = Sentences(tree, tree.columns.names, tree.columns.levels)
    kinds = node_kinds(tree).tolist()
    labels, means = _labels(tree), _means(tree)
    arrays = (tree.parent, tree.left, tree.right, tree.node_depth, tree.threshold)
    facts = zip(
        *(array.tolist() for array in arrays), tree.missing_left.tolist(), strict=True
    )
    nodes = []
    for node, (parent, left, right, depth, threshold, missing_left) in enumerate(facts):
        kind = kinds[node]
        counts = tree.counts[node].tolist()
        record = Node(
            id=node,
            parent=parent if node else None,
            left=left if kind != LEAF else None,
            right=right if kind != LEAF else None,
            depth=depth,
            kind=_KINDS[kind],
            rule=words.rule(node),
            terms=words.terms(node),
            threshold=None if kind in (LEAF, SUBSET) else threshold,
            levels_left=words.level_sides(node)[0] if kind == SUBSET else (),
            missing_left=missing_left,
            rows=sum(counts),
            counts=tuple(counts),
            label=labels[node],
            mean=means[node],
        )
        nodes.append(record)
    return nodes


def _labels(tree: Tree) -> list[Level | None]:
    """Return the answer of every node, None for regression."""
    if tree.classes is None or tree.label is None:
        return [None] * tree.n_nodes
    return [tree.classes[k] for k in tree.label.tolist()]


def _means(tree: Tree) -> list[float | None]:
    """Return the mean of every node, None for classification."""
    return [None] * tree.n_nodes if tree.mean is None else [*tree.mean.tolist()]
