"""In: a tree; out: at most 20 lines of text that show it, raw counts first."""

from __future__ import annotations

import heapq
import math
from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np

from tanoak._arrays import FloatArray, Level
from tanoak._collapse import agreeing_nodes
from tanoak._sentences import N_WORDINGS, Sentences, label_text, shortened

if TYPE_CHECKING:
    from tanoak._tree import Tree

__all__ = ["outline"]

_MOST_LINES = 20
_LINES_EACH = 2  # that opening a node adds
_MOST_CLASSES = 3
_MOST_COSTS = 2
_LONGEST_LINE, _LONGEST_TALLY, _SHORTEST_RULE = 120, 70, 30
_THOUSAND, _LONG = 1e3, 1e12  # numbers between them are shown without decimals
_SEPARATED = 10_000  # and from here on with separators


def outline(tree: Tree) -> str:
    """Return the text that ``print(tree)`` shows.

    The parts of the tree that most rows reach are opened first; what does not fit is
    summed up in place, and so are leaves that answer alike. Numbers are rounded;
    `Tree` and `Node` have them exactly.
    """
    words = Sentences(tree, tree.columns.names, tree.columns.levels)
    head = _head(tree)
    nodes, leaves = agreeing_nodes(tree)
    alike = dict(zip(nodes.tolist(), leaves.tolist(), strict=True))
    opened = _opened(tree, alike, _MOST_LINES - len(head) - 1)
    lines = head + _body(tree, words, opened, alike)
    if any(words.sends_missing(node) for node in opened):
        lines.append(_footnote(tree))
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
        lines.append(_costs(str(tree.cost).splitlines()))
    if tree.class_factor is not None and tree.classes is not None:
        pairs = zip(tree.classes, tree.class_factor.tolist(), strict=True)
        parts = [f"{label_text(k)}: {_rounded(f)}" for k, f in pairs]
        more = [] if len(parts) <= _MOST_CLASSES else ["..."]
        counts_as = " | ".join(parts[:_MOST_CLASSES] + more)
        lines.append(f"Priors: a row counts as [{counts_as}]")
    if not _unweighted(tree):
        lines.append("Answers weigh the rows by sample_weight; counts do not")
    return lines


def _costs(sentences: list[str]) -> str:
    """Say what mistakes cost, in as many sentences as a line has room for."""
    for n_shown in range(_MOST_COSTS, 0, -1):
        more = "; ... (see .cost)" if len(sentences) > n_shown else ""
        line = f"Costs: {'; '.join(sentences[:n_shown])}{more}"
        if len(line) <= _LONGEST_LINE:
            break
    return line


def _footnote(tree: Tree) -> str:
    """Say where values go that no branch names."""
    more = "more rows" if _unweighted(tree) else "more weight"
    return (
        f"(missing values and new levels follow the branch with {more}, the first of "
        f"equals, unless noted)"
    )


def _opened(tree: Tree, alike: Collection[int], n_lines: int) -> set[int]:
    """Choose the nodes whose children are shown: the largest ones, two lines each."""
    rows = tree.counts.sum(axis=1)
    heap = [(-int(rows[0]), 0)]
    opened: set[int] = set()
    n_lines -= 1
    while heap and n_lines >= _LINES_EACH:
        _, node = heapq.heappop(heap)
        if not tree.is_leaf[node] and node not in alike:
            opened.add(node)
            n_lines -= _LINES_EACH
            for child in (int(tree.left[node]), int(tree.right[node])):
                heapq.heappush(heap, (-int(rows[child]), child))
    return opened


def _body(
    tree: Tree, words: Sentences, opened: set[int], alike: dict[int, int]
) -> list[str]:
    """Write the opened nodes and their children, indented, in preorder."""
    lines = []
    costs = None if tree.classes is None else tree.expected_costs()

    def said(node: int) -> tuple[str, str]:
        """Say what comes after the condition of a node."""
        if node in opened:
            return f" [{_rows(tree, node)}]", ""
        if tree.is_leaf[node] or node in alike:
            return _answer(tree, costs, node, alike.get(node, node))
        return _below(tree, node)

    waiting = [(0, 0, ["all rows"])]
    while waiting:
        node, depth, reached_by = waiting.pop()
        # The bars of levels above run on past nodes that have no more siblings;
        # that keeps each line independent of what follows it.
        lines.append(_fitted(_indent(depth), reached_by, *said(node)))
        if node in opened:
            children = int(tree.left[node]), int(tree.right[node])
            room = _LONGEST_LINE - len(_indent(depth + 1))
            rooms = [room - len(said(child)[0]) for child in children]
            left, right = _branches(tree, words, node, rooms)
            waiting.append((children[1], depth + 1, right))
            waiting.append((children[0], depth + 1, left))
    return lines


def _indent(depth: int) -> str:
    """Return what comes before the condition of a node."""
    return "|  " * (depth - 1) + ("|- " if depth else "")


def _fitted(indent: str, reached_by: list[str], said: str, extra: str) -> str:
    """Leave out what matters least until a line is short enough."""
    room = _LONGEST_LINE - len(indent)
    for text in (f"{reached_by[0]}{said}{extra}", *(f"{x}{said}" for x in reached_by)):
        if len(text) <= room:
            return f"{indent}{text}"
    rule = shortened(reached_by[-1], max(room - len(said), _SHORTEST_RULE))
    return f"{indent}{rule}{said}"


def _branches(
    tree: Tree, words: Sentences, node: int, rooms: list[int]
) -> tuple[list[str], list[str]]:
    """Word both branches, first in the fullest way that both have room for.

    Missing values are noted where they go elsewhere.
    """
    notes = _missing_notes(tree, words, node)
    ways = []
    for shorter in range(N_WORDINGS):
        sides = zip(words.sides(node, shorter=shorter), notes, strict=True)
        ways.append([f"{side}{note}" for side, note in sides])
    fits = [
        all(len(side) <= room for side, room in zip(way, rooms, strict=True))
        for way in ways
    ]
    ways = ways[fits.index(True) if any(fits) else -1 :]
    return [left for left, _ in ways], [right for _, right in ways]


def _missing_notes(tree: Tree, words: Sentences, node: int) -> tuple[str, str]:
    """Say where missing values go if not where the footnote says, left and right."""
    children = tree.left[node], tree.right[node]
    left, right = (float(tree.masses[child].sum()) for child in children)
    goes_left = bool(tree.missing_left[node])
    if not words.sends_missing(node) or goes_left == (left >= right):
        return "", ""
    return (" or missing", "") if goes_left else ("", " or missing")


def _answer(
    tree: Tree, costs: FloatArray | None, node: int, leaf: int
) -> tuple[str, str]:
    """Say what a leaf, or leaves that answer like this one, answer to which rows.

    What comes second is left out where there is no room for it.
    """
    size = "" if tree.is_leaf[node] else f" in {_plural(_n_leaves(tree, node), 'leaf')}"
    what = f"[{_rows(tree, node, is_answered=True)}]{size}"
    if tree.mean is not None:
        return f" => {_rounded(tree.mean[leaf])} {what}", ""
    assert tree.label is not None
    reason = _reason(tree, costs, node, int(tree.label[leaf]))
    return f" => {_label(tree, leaf)} {what}", reason


def _n_leaves(tree: Tree, node: int) -> int:
    """Count the leaves of a subtree: half of its nodes and one."""
    return (int(tree.subtree_end[node]) - node + 1) // 2


def _label(tree: Tree, node: int) -> str:
    """Return the answer of a node of a classification tree."""
    assert tree.classes is not None
    assert tree.label is not None
    return label_text(tree.classes[int(tree.label[node])])


def _rows(tree: Tree, node: int, *, is_answered: bool = False) -> str:
    """Return raw counts of the rows at a node."""
    counts = tree.counts[node].tolist()
    if tree.classes is None:
        assert tree.sse is not None
        assert tree.mean is not None
        mass = float(tree.masses[node, 0])
        if tree.sae is None:
            name, off = "mean", math.sqrt(tree.sse[node] / mass) if mass else None
        else:
            name, off = "median", tree.sae[node] / mass if mass else None
        spread = "unknown" if off is None else _rounded(off)
        answer = "" if is_answered else f"{name} {_rounded(tree.mean[node])} | "
        return f"{_plural(counts[0], 'row')} | {answer}spread {spread}"
    return _tally(tree.classes, counts)


def _tally(classes: tuple[Level, ...], counts: list[int]) -> str:
    """Return "class: count" for the classes that have any, the rest added up."""
    present = [k for k, count in enumerate(counts) if count]
    by_count = sorted(present, key=lambda k: -counts[k])
    # One class more takes no more room than saying that there is one.
    n_most = _MOST_CLASSES + (len(present) == _MOST_CLASSES + 1)
    for n_shown in range(min(n_most, len(present)), 0, -1):
        shown = present if n_shown == len(present) else by_count[:n_shown]
        parts = [f"{label_text(classes[k])}: {_grouped(counts[k])}" for k in shown]
        rest = len(present) - n_shown
        if rest:
            n_more = sum(counts[k] for k in by_count[n_shown:])
            more = "more class" if rest == 1 else "more classes"
            parts.append(f"{_grouped(n_more)} in {_grouped(rest)} {more}")
        text = " | ".join(parts)
        if len(text) <= _LONGEST_TALLY or n_shown == 1:
            return text
    return "no rows"


def _reason(tree: Tree, costs: FloatArray | None, node: int, label: int) -> str:
    """Compare the answer with the next best one, by what they cost or weigh.

    A plain majority needs no reason: the counts are one.
    """
    if costs is None or costs.shape[1] == 1:
        return ""
    assert tree.classes is not None
    if tree.cost is not None or tree.answer_costs is not None:
        others = costs[node].copy()
        others[label] = math.inf
        best = int(others.argmin())
        as_other = f"as {label_text(tree.classes[best])}: {_rounded(others[best])}"
        return f" (costs {_rounded(costs[node, label])}; {as_other})"
    if _counts_decide(tree) and label == int(tree.counts[node].argmax()):
        return ""
    factor = 1.0 if tree.class_factor is None else tree.class_factor
    weights = tree.masses[node] * factor
    others = weights.copy()
    others[label] = -math.inf
    best = int(others.argmax())
    other = f"{label_text(tree.classes[best])}: {_rounded(others[best])}"
    return f" (weighs {_rounded(weights[label])}; {other})"


def _unweighted(tree: Tree) -> bool:
    """Whether every row counts as one."""
    return np.array_equal(tree.masses, tree.counts)


def _counts_decide(tree: Tree) -> bool:
    """Whether neither weights nor priors come between the counts and the answer."""
    return tree.class_factor is None and _unweighted(tree)


def _below(tree: Tree, node: int) -> tuple[str, str]:
    """Sum up a subtree that is not shown: its rows, leaves, and what they answer.

    What comes second is left out where there is no room for it.
    """
    inside = slice(node, int(tree.subtree_end[node]))
    leaves = np.flatnonzero(tree.is_leaf[inside]) + node
    size = f" [{_rows(tree, node)}] ... {_plural(len(leaves), 'leaf')} below"
    if tree.mean is not None:
        means = tree.mean[leaves]
        return size, f", {_rounded(means.min())} to {_rounded(means.max())}"
    assert tree.classes is not None
    assert tree.label is not None
    n_each = np.bincount(tree.label[leaves], minlength=len(tree.classes)).tolist()
    return size, f", by answer [{_tally(tree.classes, n_each)}]"


def _rounded(value: float) -> str:
    """Return a number for reading, four digits of it."""
    if _THOUSAND <= abs(value) < _LONG:
        return _grouped(round(value))
    return f"{value:.4g}"


def _grouped(number: int) -> str:
    """Return a whole number, a long one with separators."""
    return f"{number:,}" if abs(number) >= _SEPARATED else str(number)


def _plural(count: int, noun: str) -> str:
    """Return a count with its noun."""
    many = "leaves" if noun == "leaf" else f"{noun}s"
    return f"{_grouped(count)} {noun if count == 1 else many}"
