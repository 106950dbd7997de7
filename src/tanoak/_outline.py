"""In: a tree; out: at most 20 lines of text that show it, raw counts first."""

from __future__ import annotations

import heapq
import math
from typing import TYPE_CHECKING

import numpy as np

from tanoak._arrays import FloatArray
from tanoak._sentences import Sentences, label_text

if TYPE_CHECKING:
    from tanoak._tree import Tree

__all__ = ["outline"]

_MOST_LINES = 20
_LINES_EACH = 2  # that opening a node adds
_MOST_CLASSES = 3
_MOST_COSTS = 2
_LONGEST_LINE = 120
_THOUSAND, _LONG = 1e3, 1e12  # numbers between them are shown without decimals
_FOOTNOTE = "(missing values and new levels follow the larger branch unless noted)"


def outline(tree: Tree) -> str:
    """Return the text that ``print(tree)`` shows.

    The parts of the tree that most rows reach are opened first; what does not fit is
    summed up in place.
    """
    words = Sentences(tree, tree.columns.names, tree.columns.levels)
    head = _head(tree)
    opened = _opened(tree, _MOST_LINES - len(head) - 1)
    lines = head + _body(tree, words, opened)
    if any(words.sends_missing(node) for node in opened):
        lines.append(_FOOTNOTE)
    return "\n".join(_cut(line) for line in lines)


def _cut(line: str) -> str:
    """Bound the length of a line."""
    return line if len(line) <= _LONGEST_LINE else f"{line[: _LONGEST_LINE - 3]}..."


def _head(tree: Tree) -> list[str]:
    """Say what the tree is and what its answers depend on besides the counts."""
    n_splits = tree.n_nodes - tree.n_leaves
    rows = _plural(int(tree.counts[0].sum()), "training row")
    size = f"{_plural(n_splits, 'split')}, {_plural(tree.n_leaves, 'leaf')}"
    lines = [f"{tree.task} tree from {rows}: {size}, depth {tree.depth}".capitalize()]
    if tree.answer_costs is not None:
        lines.append("Costs: every row had its own")
    elif tree.cost is not None:
        sentences = str(tree.cost).splitlines()
        more = "; ... (see .cost)" if len(sentences) > _MOST_COSTS else ""
        lines.append(f"Costs: {'; '.join(sentences[:_MOST_COSTS])}{more}")
    if tree.class_factor is not None and tree.classes is not None:
        pairs = zip(tree.classes, tree.class_factor.tolist(), strict=True)
        parts = [f"{label_text(k)} x {_rounded(f)}" for k, f in pairs]
        more = ", ..." if len(parts) > _MOST_CLASSES else ""
        lines.append(f"Rows count by class: {', '.join(parts[:_MOST_CLASSES])}{more}")
    if not _unweighted(tree):
        lines.append("Answers weigh the rows by sample_weight; counts do not")
    return lines


def _opened(tree: Tree, n_lines: int) -> set[int]:
    """Choose the nodes whose children are shown: the largest ones, two lines each."""
    rows = tree.counts.sum(axis=1)
    heap = [(-int(rows[0]), 0)]
    opened: set[int] = set()
    n_lines -= 1
    while heap and n_lines >= _LINES_EACH:
        _, node = heapq.heappop(heap)
        if not tree.is_leaf[node]:
            opened.add(node)
            n_lines -= _LINES_EACH
            for child in (int(tree.left[node]), int(tree.right[node])):
                heapq.heappush(heap, (-int(rows[child]), child))
    return opened


def _body(tree: Tree, words: Sentences, opened: set[int]) -> list[str]:
    """Write the opened nodes and their children, indented, in preorder."""
    lines = []
    costs = None if tree.classes is None else tree.expected_costs()
    waiting = [(0, 0, "all rows")]
    while waiting:
        node, depth, reached_by = waiting.pop()
        # The bars of levels above run on past nodes that have no more siblings;
        # that keeps each line independent of what follows it.
        indent = "|  " * (depth - 1) + ("|- " if depth else "")
        lines.append(f"{indent}{reached_by}{_said(tree, costs, node, node in opened)}")
        if node in opened:
            left, right = _branches(tree, words, node)
            waiting.append((int(tree.right[node]), depth + 1, right))
            waiting.append((int(tree.left[node]), depth + 1, left))
    return lines


def _branches(tree: Tree, words: Sentences, node: int) -> tuple[str, str]:
    """Word both branches; say where missing values go if it is not the larger one."""
    left, right = words.sides(node)
    if not words.sends_missing(node):
        return left, right
    n_left, n_right = (
        int(tree.counts[child[node]].sum()) for child in (tree.left, tree.right)
    )
    if tree.missing_left[node] and n_left <= n_right:
        left += " or missing"
    elif not tree.missing_left[node] and n_right <= n_left:
        right += " or missing"
    return left, right


def _said(tree: Tree, costs: FloatArray | None, node: int, is_open: bool) -> str:
    """Describe the rows of a node and, if nothing follows below, the answer."""
    what = _rows(tree, node)
    if is_open:
        return f": {what}"
    if not tree.is_leaf[node]:
        return f": {what} ... {_below(tree, node)}"
    if tree.mean is not None:
        return f" => {_rounded(tree.mean[node])}: {what}"
    return f" => {_label(tree, node)}: {what}{_reason(tree, costs, node)}"


def _label(tree: Tree, node: int) -> str:
    """Return the answer of a node of a classification tree."""
    assert tree.classes is not None
    assert tree.label is not None
    return label_text(tree.classes[int(tree.label[node])])


def _rows(tree: Tree, node: int) -> str:
    """Return raw counts of the rows at a node."""
    counts = tree.counts[node].tolist()
    if tree.classes is None:
        assert tree.sse is not None
        assert tree.mean is not None
        mass = float(tree.masses[node, 0])
        spread = _rounded(math.sqrt(tree.sse[node] / mass)) if mass else "unknown"
        mean = "" if tree.is_leaf[node] else f"mean {_rounded(tree.mean[node])}, "
        return f"{_plural(counts[0], 'row')}, {mean}spread {spread}"
    order = list(range(len(counts)))
    if len(counts) > _MOST_CLASSES:
        order.sort(key=lambda k: (-counts[k], k))
    parts = [
        f"{counts[k]} {label_text(tree.classes[k])}" for k in order[:_MOST_CLASSES]
    ]
    rest = [counts[k] for k in order[_MOST_CLASSES:] if counts[k]]
    if rest:
        parts.append(f"{sum(rest)} in {len(rest)} more classes")
    return ", ".join(parts)


def _reason(tree: Tree, costs: FloatArray | None, node: int) -> str:
    """Compare the cost of the answer with that of the next cheapest one.

    A plain majority needs no reason: the counts are one.
    """
    if costs is None or costs.shape[1] == 1 or tree.label is None:
        return ""
    label = int(tree.label[node])
    plain = tree.cost is None and tree.answer_costs is None and _counts_decide(tree)
    if plain and label == int(tree.counts[node].argmax()):
        return ""
    others = costs[node].copy()
    others[label] = math.inf
    next_best = int(others.argmin())
    assert tree.classes is not None
    other = label_text(tree.classes[next_best])
    cost = _rounded(costs[node, label])
    return f" (costs {cost}, {other} would cost {_rounded(others[next_best])})"


def _unweighted(tree: Tree) -> bool:
    """Whether every row counts as one."""
    return np.array_equal(tree.masses, tree.counts)


def _counts_decide(tree: Tree) -> bool:
    """Whether neither weights nor priors come between the counts and the answer."""
    return tree.class_factor is None and _unweighted(tree)


def _below(tree: Tree, node: int) -> str:
    """Sum up a subtree that is not shown."""
    inside = slice(node, int(tree.subtree_end[node]))
    leaves = np.flatnonzero(tree.is_leaf[inside]) + node
    text = f"{_plural(len(leaves), 'leaf')} below"
    if tree.mean is not None:
        means = tree.mean[leaves]
        return f"{text}, {_rounded(means.min())} to {_rounded(means.max())}"
    assert tree.classes is not None
    assert tree.label is not None
    n_each = np.bincount(tree.label[leaves], minlength=len(tree.classes))
    order = [k for k in np.argsort(-n_each, kind="stable").tolist() if n_each[k]]
    parts = [f"{n_each[k]} answer {label_text(tree.classes[k])}" for k in order]
    more = ", ..." if len(parts) > _MOST_CLASSES else ""
    return f"{text}: {', '.join(parts[:_MOST_CLASSES])}{more}"


def _rounded(value: float) -> str:
    """Return a number for reading, four digits of it."""
    return f"{value:.0f}" if _THOUSAND <= abs(value) < _LONG else f"{value:.4g}"


def _plural(count: int, noun: str) -> str:
    """Return a count with its noun."""
    many = "leaves" if noun == "leaf" else f"{noun}s"
    return f"{count} {noun if count == 1 else many}"
