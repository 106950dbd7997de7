"""In: splits and leaves, or a seed; out: trees of every kind for the tests, with rows.

Hand-made: describe the tree with `Split` and `Leaf`, and `build` it. Random: `case`
gives a tree together with rows that lie on its boundaries; `cases` is the hypothesis
strategy over them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from reference.slow_routing import weighted_sum

from tanoak._table import Columns, Table
from tanoak._tree import Tree

# For tests that draw whole trees; no deadline, as machines are busy now and then.
QUICK = settings(max_examples=60, deadline=None)

KINDS = ("axis", "subset", "pair", "oblique")
# Numbers at which careless arithmetic goes wrong.
NASTY = (
    *(0.0, -0.0, 5e-324, -5e-324, 1e-310, 2.2250738585072014e-308),
    *(0.1, 1 / 3, 1.0, 16777216.0, 16777217.0, 2.0**53, 1e300, -1e300),
)


@dataclass
class Leaf:
    """An end of a tree: counts of each class, or rows, mean and squared error."""

    counts: list
    mean: float = 0.0
    sse: float = 0.0


@dataclass
class Split:
    """A split: (column, level, weight) for each term, or a set of codes."""

    terms: list
    left: Leaf | Split
    right: Leaf | Split
    threshold: float = 0.0
    missing_left: bool = False
    subset: set | None = None


def axis(column, threshold, left, right, *, missing_left=False):
    """Split on one number."""
    return Split([(column, -1, 1.0)], left, right, threshold, missing_left)


def subset(column, codes, left, right, *, missing_left=False):
    """Split on the levels of one column."""
    terms = [(column, -1, 1.0)]
    return Split(terms, left, right, missing_left=missing_left, subset=set(codes))


def linear(terms, threshold, left, right, *, missing_left=False):
    """Split on a weighted sum."""
    return Split(list(terms), left, right, threshold, missing_left)


def columns_of(*levels, names=None):
    """Describe columns: None for a number, else levels."""
    named = names is not None
    names = names or [f"x{position}" for position in range(len(levels))]
    kept = tuple(None if each is None else tuple(each) for each in levels)
    return Columns(tuple(names), kept, named=named)


def build(root, columns, classes=None, **more):
    """Make the tree; masses are the counts unless given in `more`."""
    order = _preorder(root)
    ids = {id(each): number for number, each in enumerate(order)}
    lists = SimpleNamespace(left=[], right=[], threshold=[], missing_left=[])
    terms, term_start, words, subset_start = [], [0], [], [0]
    for each in order:
        inner = isinstance(each, Split)
        lists.left.append(ids[id(each.left)] if inner else -1)
        lists.right.append(ids[id(each.right)] if inner else -1)
        lists.threshold.append(each.threshold if inner else 0.0)
        lists.missing_left.append(each.missing_left if inner else False)
        if inner:
            terms += each.terms
            words += _words(each, columns)
        term_start.append(len(terms))
        subset_start.append(len(words))
    fields = {
        **vars(lists),
        "term_start": term_start,
        "term_column": np.array([term[0] for term in terms], dtype=np.int32),
        "term_level": np.array([term[1] for term in terms], dtype=np.int32),
        "term_weight": np.array([term[2] for term in terms], dtype=np.float64),
        "subset_start": subset_start,
        "subset_words": np.array(words, dtype=np.uint64),
        "fill": np.zeros(len(columns)),
        **_answers(order, lists, classes),
        **more,
    }
    return Tree(columns=columns, classes=classes, **fields)


def _preorder(root):
    """List the nodes, the left one of two children first."""
    order, waiting = [], [root]
    while waiting:
        each = waiting.pop()
        order.append(each)
        if isinstance(each, Split):
            waiting += [each.right, each.left]
    return order


def _words(split, columns):
    """Write a set of codes as words."""
    if split.subset is None:
        return []
    n_words = -(-columns.n_levels(split.terms[0][0]) // 64)
    bits = sum(1 << code for code in split.subset)
    return [(bits >> (64 * word)) & (2**64 - 1) for word in range(n_words)]


def _answers(order, lists, classes):
    """Add the leaves up."""
    n_answers = 1 if classes is None else len(classes)
    counts = np.zeros((len(order), n_answers), dtype=np.int64)
    total, square = np.zeros(len(order)), np.zeros(len(order))
    for node in reversed(range(len(order))):
        if isinstance(order[node], Leaf):
            counts[node] = order[node].counts
            total[node] = counts[node, 0] * order[node].mean
            square[node] = order[node].sse + total[node] * order[node].mean
        else:
            for child in (lists.left[node], lists.right[node]):
                counts[node] += counts[child]
                total[node] += total[child]
                square[node] += square[child]
    if classes is not None:
        return {"counts": counts, "masses": counts.astype(np.float64)}
    mean = total / np.maximum(counts[:, 0], 1)
    sse = np.maximum(square - total * mean, 0.0)
    masses = counts.astype(np.float64)
    return {"counts": counts, "masses": masses, "mean": mean, "sse": sse}


# --- small trees by hand ---

CREDIT_COLUMNS = columns_of(
    *(None, ("car", "education", "radio", "tv"), None),
    names=("age", "purpose", "amount"),
)


def credit_tree(**more):
    """Make a tree with a split of every kind, three classes, missing both ways."""
    root = axis(
        *(0, 26.5),
        subset(1, {0, 3}, Leaf([40, 5, 1]), Leaf([3, 30, 2])),
        linear(
            [(0, -1, 0.5), (1, 2, -4.0), (2, -1, 0.001)],
            20.0,
            Leaf([0, 7, 60]),
            Leaf([12, 0, 8]),
        ),
        missing_left=True,
    )
    return build(root, CREDIT_COLUMNS, ("bad", "fair", "good"), **more)


def regression_tree():
    """Make a regression tree with two splits."""
    low = axis(1, -0.5, Leaf([10], -1.5, 2.0), Leaf([30], 0.25, 4.0))
    return build(axis(0, 3.0, low, Leaf([5], 8.0, 0.5)), columns_of(None, None))


def lone_leaf():
    """Make a tree without splits."""
    return build(Leaf([3, 5]), columns_of(None), ("no", "yes"))


def chain(n_splits):
    """Make the deepest tree: every right child is split again."""
    below = Leaf([1, 1])
    for threshold in reversed(range(n_splits)):
        below = axis(0, float(threshold), Leaf([1, 2]), below)
    return build(below, columns_of(None), ("no", "yes"))


def complete(depth, n_columns=4, seed=0):
    """Make a full tree of axis splits at random thresholds."""
    random = np.random.default_rng(seed)
    level = [Leaf(random.integers(1, 9, 2).tolist()) for _ in range(2**depth)]
    while len(level) > 1:
        pairs = zip(level[::2], level[1::2], strict=True)
        level = [
            axis(int(random.integers(n_columns)), float(random.normal()), left, right)
            for left, right in pairs
        ]
    return build(level[0], columns_of(*[None] * n_columns), ("no", "yes"))


# --- random ones ---


@dataclass
class Recipe:
    """What a random tree is made of."""

    seed: int = 0
    n_splits: int = 5
    kinds: tuple = KINDS
    n_columns: int = 11  # more than lanes, so that some are shared
    n_levels: tuple = (1, 3, 64, 65, 130)  # of the columns that are categorical
    n_classes: int = 3  # 0 for regression
    n_rows: int = 40
    missing: float = 0.1
    weighted: bool = False
    names: tuple | None = field(default=None)


def case(recipe):
    """Make a random tree and rows, some of which lie exactly on its boundaries.

    Returns the tree and its rows, an array of doubles with codes for levels.
    """
    random = np.random.default_rng(recipe.seed)
    n_levels = random.permutation([*recipe.n_levels, *[0] * recipe.n_columns])
    n_levels = n_levels[: recipe.n_columns]
    n_levels[random.integers(recipe.n_columns)] = 0
    levels = [[f"level {code}" for code in range(n)] if n else None for n in n_levels]
    columns = columns_of(*levels, names=recipe.names)
    rows = _rows(random, n_levels, recipe)
    fill = np.array([random.integers(n) if n else random.normal() for n in n_levels])
    root = _leaf(random, recipe)
    for _ in range(recipe.n_splits):
        root = _grown(random, root, recipe, (rows, n_levels, fill))
    classes = tuple(f"class {k}" for k in range(recipe.n_classes)) or None
    tree = build(root, columns, classes, fill=fill)
    return (_weigh(random, tree) if recipe.weighted else tree), rows


def table(tree, rows):
    """Wrap rows as the table the tree would read."""
    return Table(rows, tree.columns)


@st.composite
def recipes(draw, **fixed):
    """Draw what a random tree is made of."""
    drawn = {
        "seed": draw(st.integers(0, 2**32 - 1)),
        "n_splits": draw(st.integers(0, 12)),
        "kinds": tuple(draw(st.sets(st.sampled_from(KINDS), min_size=1))),
        "n_columns": draw(st.integers(1, 20)),
        "n_classes": draw(st.sampled_from([0, 1, 2, 3, 7])),
        "missing": draw(st.sampled_from([0.0, 0.1, 0.5])),
        "weighted": draw(st.booleans()),
    }
    return Recipe(**{**drawn, **fixed})


def cases(**fixed):
    """Draw random trees with their rows."""
    return recipes(**fixed).map(case)


def _rows(random, n_levels, recipe):
    """Draw rows of nasty and ordinary numbers, or codes."""
    rows = random.normal(size=(recipe.n_rows, recipe.n_columns))
    nasty = random.random(rows.shape) < 0.3
    rows[nasty] = random.choice(NASTY, nasty.sum())
    for column, n in enumerate(n_levels):
        if n:
            rows[:, column] = random.integers(n, size=recipe.n_rows)
    rows[random.random(rows.shape) < recipe.missing] = np.nan
    return rows


def _leaf(random, recipe):
    """Draw a leaf."""
    counts = random.integers(0, 50, max(recipe.n_classes, 1)).tolist()
    return Leaf(counts, float(random.normal()), float(random.random()))


def _grown(random, root, recipe, data):
    """Replace one random leaf by a random split."""
    new = _split(random, recipe, data)
    if isinstance(root, Leaf):
        return new
    parent = root
    while True:
        side = "left" if random.random() < 0.5 else "right"
        child = getattr(parent, side)
        if isinstance(child, Leaf):
            setattr(parent, side, new)
            return root
        parent = child


def _split(random, recipe, data):
    """Draw a split of one of the kinds wanted; axis where there are no levels."""
    rows, n_levels, fill = data
    kind = random.choice(recipe.kinds)
    leaves = (_leaf(random, recipe), _leaf(random, recipe))
    missing_left = bool(random.integers(2))
    categorical = np.flatnonzero(n_levels)
    if kind == "subset" and categorical.size:
        column = int(random.choice(categorical))
        codes = np.flatnonzero(random.random(n_levels[column]) < 0.5).tolist()
        return subset(column, codes, *leaves, missing_left=missing_left)
    if kind in {"axis", "subset"}:
        column = int(random.choice(np.flatnonzero(n_levels == 0)))
        known = rows[:, column][~np.isnan(rows[:, column])]
        threshold = _near(random, float(random.choice([*known, *NASTY])))
        return axis(column, threshold, *leaves, missing_left=missing_left)
    n_terms = 2 if kind == "pair" else int(random.integers(1, len(n_levels) + 1))
    n_terms = min(n_terms, len(n_levels))
    chosen = sorted(random.choice(len(n_levels), n_terms, replace=False).tolist())
    terms = [_term(random, column, n_levels[column]) for column in chosen]
    on = weighted_sum(terms, rows[random.integers(len(rows))], fill)
    threshold = _near(random, on if np.isfinite(on) else 1e308)
    return linear(terms, threshold, *leaves, missing_left=missing_left)


def _term(random, column, n_levels):
    """Draw a term of a sum."""
    level = int(random.integers(n_levels)) if n_levels else -1
    weight = float(random.choice([1.0, -1.0, random.normal(), 1e-300, 1e10]))
    return column, level, weight


def _near(random, value):
    """Move a number by one place or not at all."""
    with np.errstate(over="ignore"):
        moved = float(np.nextafter(value, random.choice([-np.inf, value, np.inf])))
    return moved if np.isfinite(moved) else value


def _weigh(random, tree):
    """Give the rows of a tree weights."""
    arrays = tree.arrays()
    arrays["masses"] = tree.masses * (0.5 + random.random(tree.masses.shape))
    if tree.classes is not None:
        arrays["class_factor"] = 0.1 + random.random(len(tree.classes))
    return Tree(columns=tree.columns, classes=tree.classes, **arrays)
