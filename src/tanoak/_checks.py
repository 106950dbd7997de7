"""In: the arrays of a tree; out: nothing, or the first contradiction as an error."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from tanoak._arrays import IntArray, Level, TreeArrays
from tanoak._messages import shown
from tanoak.exceptions import TreeFormatError

__all__ = ["MAX_COUNT", "check_classes", "check_columns", "check_tree", "words_for"]

MAX_COUNT = 2**53  # rows; beyond it a count is no longer exact as a double
_NUMERIC = -1
_WORD_BITS = 64


def check_tree(
    tree: TreeArrays, levels: tuple[Any, ...], classes: tuple[Any, ...] | None
) -> None:
    """Refuse arrays that routing or reading could not trust.

    Parameters
    ----------
    tree : TreeArrays
        The arrays, of the right dtypes.
    levels : tuple
        For every column its levels, None for a numeric column.
    classes : tuple or None
        The classes, None for regression.
    """
    sizes = np.array([_NUMERIC if each is None else len(each) for each in levels])
    n_answers = 1 if classes is None else len(classes)
    _check_lengths(tree, len(sizes), n_answers)
    _check_order(tree)
    _check_terms(tree, sizes)
    _check_subsets(tree, sizes)
    _check_fill(tree, sizes)
    _check_counts(tree)
    if classes is None:
        _check_regression(tree)
    else:
        _check_classification(tree, n_answers)


def check_columns(
    names: tuple[Any, ...], levels: tuple[tuple[Any, ...] | None, ...]
) -> None:
    """Refuse names that are not unique text and levels that are not plain values."""
    if not names or len(names) != len(levels):
        msg = f"{len(names)} names for {len(levels)} columns; one each, at least one"
        raise TreeFormatError(msg)
    if set(map(type, names)) != {str}:
        odd = next(name for name in names if type(name) is not str)
        msg = f"column name {shown(odd)} is not text"
        raise TreeFormatError(msg)
    if len(set(names)) != len(names):
        msg = "two columns have the same name"
        raise TreeFormatError(msg)
    for name, each in zip(names, levels, strict=True):
        if each is not None:
            _check_labels(f"levels of column {shown(name)}", each)


def check_classes(classes: tuple[Any, ...]) -> None:
    """Refuse classes that are not distinct plain values, one at least."""
    if not classes:
        msg = "there is no class; a classification tree has one at least"
        raise TreeFormatError(msg)
    _check_labels("classes", classes)


def words_for(n_levels: Any) -> Any:
    """Return how many 64-bit words a set of levels takes."""
    return (n_levels + _WORD_BITS - 1) // _WORD_BITS


def _check_labels(where: str, labels: tuple[Any, ...]) -> None:
    """Refuse labels that are not distinct text, bools, integers or finite floats."""
    kinds = set(map(type, labels))
    if not kinds <= {str, bool, int, float}:
        odd = next(x for x in labels if type(x) not in (str, bool, int, float))
        msg = f"{where}: {shown(odd)} is not text, a bool or a number"
        raise TreeFormatError(msg)
    if kinds - {str, bool}:
        for label in labels:
            _check_number(where, label)
    if len(set(labels)) != len(labels):
        msg = f"{where}: the same value stands there twice"
        raise TreeFormatError(msg)


def _check_number(where: str, label: Level) -> None:
    """Refuse what no 64-bit number holds."""
    if isinstance(label, float) and not math.isfinite(label):
        msg = f"{where}: {label} is not finite"
        raise TreeFormatError(msg)
    if isinstance(label, int) and not -(2**63) <= label < 2**64:
        msg = f"{where}: an integer of {label.bit_length()} bits does not fit 64 bits"
        raise TreeFormatError(msg)


def _refuse(bad: Any, what: str, values: npt.NDArray[Any] | None = None) -> None:
    """Raise for the first entry that is bad."""
    if bad.any():
        first = int(bad.argmax())
        value = "" if values is None else f" ({values[first]})"
        msg = f"{what.format(first)}{value}"
        raise TreeFormatError(msg)


def _check_lengths(tree: TreeArrays, n_columns: int, n_answers: int) -> None:
    """Compare every array's shape with the number of nodes, terms and columns."""
    n, m = len(tree.left), len(tree.term_column)
    if n == 0:
        msg = "the tree has no node; it needs a root at least"
        raise TreeFormatError(msg)
    shapes: dict[str, tuple[int, ...]] = {
        **dict.fromkeys(("right", "threshold", "missing_left"), (n,)),
        **dict.fromkeys(("term_start", "subset_start"), (n + 1,)),
        **dict.fromkeys(("term_level", "term_weight"), (m,)),
        "fill": (n_columns,),
        **dict.fromkeys(("counts", "masses", "answer_costs"), (n, n_answers)),
        "class_factor": (n_answers,),
        **dict.fromkeys(("label", "mean", "sse", "sae"), (n,)),
    }
    for name, shape in shapes.items():
        array = getattr(tree, name)
        if array is not None and array.shape != shape:
            msg = f"{name} has shape {array.shape}, it must be {shape}"
            raise TreeFormatError(msg)
    _check_starts("term_start", tree.term_start, m)
    _check_starts("subset_start", tree.subset_start, len(tree.subset_words))


def _check_starts(name: str, starts: IntArray, size: int) -> None:
    """Refuse positions that do not cut a side array into consecutive pieces."""
    if starts[0] != 0 or starts[-1] != size or (starts[1:] < starts[:-1]).any():
        msg = f"{name} must rise from 0 to {size}"
        raise TreeFormatError(msg)


def _check_order(tree: TreeArrays) -> None:
    """Refuse anything but one binary tree with its nodes in preorder."""
    n = tree.n_nodes
    ids = np.arange(n)
    leaf = tree.left == -1
    _refuse(leaf & (tree.right != -1), "node {} has one child", tree.right)
    wrong = ~leaf & (tree.left != ids + 1)
    _refuse(wrong, "node {}: its left child must be the next node", tree.left)
    wrong = ~leaf & ((tree.right <= ids + 1) | (tree.right >= n))
    _refuse(wrong, "node {}: its right child is out of range", tree.right)
    # Now all pointers lead forward, so the ends of the subtrees can be followed.
    # Left subtree, then right one, without gap or overlap: with the root's range
    # being everything, each node has exactly one parent.
    inner = np.flatnonzero(~leaf)
    gap = np.zeros(n, dtype=bool)
    gap[inner] = tree.subtree_end[inner + 1] != tree.right[inner]
    _refuse(gap, "node {}: its right child must follow its left subtree", tree.right)
    if tree.subtree_end[0] != n:
        msg = f"the root reaches {tree.subtree_end[0]} of {n} nodes"
        raise TreeFormatError(msg)
    _refuse(~np.isfinite(tree.threshold), "node {}: threshold", tree.threshold)
    stray = leaf & (tree.missing_left | (tree.threshold.view(np.int64) != 0))
    _refuse(stray, "node {} is a leaf: threshold and missing_left must be 0 and false")


def _check_terms(tree: TreeArrays, sizes: IntArray) -> None:
    """Refuse terms that name no column or level, repeat one, or weigh nothing."""
    column, level, weight = tree.term_column, tree.term_level, tree.term_weight
    n_terms = np.diff(tree.term_start)
    _refuse((n_terms == 0) != tree.is_leaf, "node {}: splits have terms, leaves none")
    _refuse((column < 0) | (column >= len(sizes)), "term {}: no such column", column)
    size = sizes[column]
    in_subset = np.repeat(np.diff(tree.subset_start) > 0, n_terms)
    lowest = np.where((size >= 0) & ~in_subset, 0, -1)
    highest = np.where(in_subset, -1, np.maximum(size - 1, -1))
    _refuse((level < lowest) | (level > highest), "term {}: no such level", level)
    _refuse(~np.isfinite(weight) | (weight == 0), "term {}: weight", weight)
    first = np.zeros(len(column), dtype=bool)
    first[tree.term_start[:-1][n_terms > 0]] = True
    rising = np.ones(len(column), dtype=bool)
    rising[1:] = (column[1:] > column[:-1]) | (
        (column[1:] == column[:-1]) & (level[1:] > level[:-1])
    )
    _refuse(~first & ~rising, "term {}: not sorted by column and level", column)


def _check_subsets(tree: TreeArrays, sizes: IntArray) -> None:
    """Refuse subsets that do not belong to one categorical column of that width."""
    n_words = np.diff(tree.subset_start)
    n_terms = np.diff(tree.term_start)
    nodes = np.flatnonzero(n_words)
    _refuse((n_words > 0) & (n_terms != 1), "node {}: a subset splits one column")
    term = tree.term_start[nodes]
    size = sizes[tree.term_column[term]]
    bad = np.zeros(tree.n_nodes, dtype=bool)
    bad[nodes] = (size < 0) | (n_words[nodes] != words_for(size))
    _refuse(bad, "node {}: width of its subset", n_words)
    bad[nodes] = (tree.term_weight[term] != 1.0) | (
        tree.threshold[nodes].view(np.int64) != 0
    )
    _refuse(bad, "node {}: a subset has weight 1.0 and threshold 0.0")
    last = tree.subset_words[tree.subset_start[nodes + 1] - 1]
    used = (size - 1) % _WORD_BITS + 1
    # In two steps: shifting a word by its whole width is undefined.
    beyond = last >> (used - 1).astype(np.uint64) >> np.uint64(1)
    bad[nodes] = beyond != 0
    _refuse(bad, "node {}: its subset holds a level that does not exist")


def _check_fill(tree: TreeArrays, sizes: IntArray) -> None:
    """Refuse fills that are not finite, or name no level of a categorical column."""
    fill = tree.fill
    _refuse(~np.isfinite(fill), "column {}: fill", fill)
    highest = np.maximum(sizes - 1, 0)
    odd = (fill != np.floor(fill)) | (fill < -1) | (fill > highest)
    _refuse((sizes >= 0) & odd, "column {}: fill is not one of its levels", fill)


def _check_counts(tree: TreeArrays) -> None:
    """Refuse counts that are negative, too large or do not add up; odd masses."""
    counts, masses = tree.counts, tree.masses
    _refuse((counts < 0).any(axis=1), "node {}: negative counts")
    # The root first and with Python's integers: it bounds all others, so that
    # the sums below cannot overflow.
    if sum(counts[0].tolist()) > MAX_COUNT or (counts > MAX_COUNT).any():
        msg = f"the counts exceed {MAX_COUNT} rows"
        raise TreeFormatError(msg)
    inner = np.flatnonzero(~tree.is_leaf)
    odd = np.zeros(tree.n_nodes, dtype=bool)
    below = counts[tree.left[inner]] + counts[tree.right[inner]]
    odd[inner] = (counts[inner] != below).any(axis=1)
    _refuse(odd, "node {}: its counts are not the sum of its children's")
    # Masses are not added up: they are rounded sums in an order of their own.
    factor = tree.class_factor
    if factor is not None:
        _refuse(~(np.isfinite(factor) & (factor >= 0)), "class_factor {}", factor)
    with np.errstate(over="ignore"):
        total = (masses if factor is None else masses * factor).sum(axis=1)
    wrong = ~((masses >= 0).all(axis=1) & np.isfinite(total))
    _refuse(wrong, "node {}: masses must be finite and not negative")


def _check_classification(tree: TreeArrays, n_classes: int) -> None:
    """Refuse what a classification tree must not have, and labels out of range."""
    numbers = (tree.mean, tree.sse, tree.sae)
    if tree.label is None or any(x is not None for x in numbers):
        msg = "a classification tree has label, and neither mean nor sse nor sae"
        raise TreeFormatError(msg)
    wrong = (tree.label < 0) | (tree.label >= n_classes)
    _refuse(wrong, "node {}: no such class", tree.label)
    if tree.answer_costs is not None:
        finite = np.isfinite(tree.answer_costs).all(axis=1)
        _refuse(~finite, "node {}: answer_costs must be finite")


def _check_regression(tree: TreeArrays) -> None:
    """Refuse what a regression tree must not have, and means that are not numbers."""
    extra = (tree.label, tree.class_factor, tree.answer_costs)
    if tree.mean is None or tree.sse is None or any(x is not None for x in extra):
        msg = (
            "a regression tree has mean and sse, and neither label, class_factor "
            "nor answer_costs"
        )
        raise TreeFormatError(msg)
    _refuse(~np.isfinite(tree.mean), "node {}: mean", tree.mean)
    for name, errors in (("sse", tree.sse), ("sae", tree.sae)):
        if errors is not None:
            wrong = ~(np.isfinite(errors) & (errors >= 0))
            _refuse(wrong, f"node {{}}: {name}", errors)
