"""In: lists or arrays that describe a tree; out: frozen arrays and the tree's shape."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from tanoak.exceptions import TreeFormatError

__all__ = [
    "LAYOUT",
    "BoolArray",
    "FloatArray",
    "IntArray",
    "Level",
    "TreeArrays",
    "WordArray",
    "plain",
    "same_bits",
]

Level = str | bool | int | float
BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.signedinteger[Any]]
WordArray = npt.NDArray[np.uint64]

# Field -> dtype and number of dimensions. Node ids, columns and levels fit in 32
# bits; row counts and positions in the side arrays do not have to.
LAYOUT: dict[str, tuple[str, int]] = {
    "left": ("int32", 1),
    "right": ("int32", 1),
    "threshold": ("float64", 1),
    "missing_left": ("bool", 1),
    "term_start": ("int64", 1),
    "term_column": ("int32", 1),
    "term_level": ("int32", 1),
    "term_weight": ("float64", 1),
    "subset_start": ("int64", 1),
    "subset_words": ("uint64", 1),
    "fill": ("float64", 1),
    "counts": ("int64", 2),
    "masses": ("float64", 2),
    "class_factor": ("float64", 1),
    "answer_costs": ("float64", 2),
    "label": ("int32", 1),
    "mean": ("float64", 1),
    "sse": ("float64", 1),
    "sae": ("float64", 1),
}
_ACCEPTED_KINDS = {"i": "iu", "u": "iu", "f": "fiu", "b": "b"}


@dataclass(frozen=True, eq=False, kw_only=True)
class TreeArrays:
    """The numbers of a tree; nodes in preorder, children after their parent."""

    left: IntArray
    right: IntArray
    threshold: FloatArray
    missing_left: BoolArray
    term_start: IntArray
    term_column: IntArray
    term_level: IntArray
    term_weight: FloatArray
    subset_start: IntArray
    subset_words: WordArray
    fill: FloatArray
    counts: IntArray
    masses: FloatArray
    class_factor: FloatArray | None = None
    answer_costs: FloatArray | None = None
    label: IntArray | None = None
    mean: FloatArray | None = None
    sse: FloatArray | None = None
    sae: FloatArray | None = None

    def __post_init__(self) -> None:
        """Give every array its dtype and close it for writing."""
        for name, (dtype, n_dimensions) in LAYOUT.items():
            value = getattr(self, name)
            if value is not None:
                array = _frozen(name, value, np.dtype(dtype), n_dimensions)
                object.__setattr__(self, name, array)

    @classmethod
    def trusted(cls, **values: Any) -> Self:
        """Make the object of values that another one has checked and closed."""
        new = cls.__new__(cls)
        new.__dict__.update(values)
        return new

    def arrays(self) -> dict[str, Any]:
        """Return the arrays by name, None where the tree has none."""
        return {name: getattr(self, name) for name in LAYOUT}

    @property
    def n_nodes(self) -> int:
        """Number of nodes, leaves included."""
        return len(self.left)

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return (self.n_nodes + 1) // 2

    @property
    def depth(self) -> int:
        """Number of splits on the longest way from the root to a leaf."""
        return int(self.node_depth.max())

    @cached_property
    def is_leaf(self) -> BoolArray:
        """Which nodes are leaves."""
        return _closed(self.left < 0)

    @cached_property
    def parent(self) -> IntArray:
        """Parent of every node, -1 for the root."""
        parent = np.full(self.n_nodes, -1, dtype=np.int32)
        inner = np.flatnonzero(~self.is_leaf)
        parent[self.left[inner]] = inner
        parent[self.right[inner]] = inner
        return _closed(parent)

    @cached_property
    def node_depth(self) -> IntArray:
        """Depth of every node; the root has 0."""
        # Pointer jumping: each round doubles the distance looked up, so that a
        # tree that is one long chain costs log2(n) rounds like any other.
        depth = (self.parent >= 0).astype(np.int32)
        jump = np.maximum(self.parent, 0)
        while jump.any():
            depth += depth[jump]
            jump = jump[jump]
        return _closed(depth)

    @cached_property
    def subtree_end(self) -> IntArray:
        """Node after the last one below each node: a subtree is one range of ids."""
        last = np.where(self.is_leaf, np.arange(self.n_nodes), self.right)
        while True:
            further = last[last]
            if np.array_equal(further, last):
                return _closed(last + 1)
            last = further

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy the fields alone; what comes back is checked again."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return _rebuilt, (type(self), values)


def plain(label: Any) -> Any:
    """Return the Python value of a NumPy scalar, others as they are."""
    return label.item() if isinstance(label, np.generic) else label


def same_bits(one: npt.NDArray[Any] | None, two: npt.NDArray[Any] | None) -> bool:
    """Compare two arrays of one dtype, or their absence."""
    if one is None or two is None:
        return one is two
    return one.shape == two.shape and one.tobytes() == two.tobytes()


def _rebuilt(kind: type[TreeArrays], values: dict[str, Any]) -> TreeArrays:
    """Make the object a pickle describes."""
    return kind(**values)


def _frozen(
    name: str, value: Any, dtype: np.dtype[Any], n_dimensions: int
) -> npt.NDArray[Any]:
    """Return a read-only array of the given kind; closed arrays are not copied."""
    array = np.asarray(value)
    if array.dtype != dtype:
        array = _converted(name, array, dtype)
    if array.ndim != n_dimensions:
        msg = f"{name} has {array.ndim} dimensions, it must have {n_dimensions}"
        raise TreeFormatError(msg)
    if array.flags.writeable or not array.flags.c_contiguous:
        array = _closed(np.array(array, order="C"))
    return array


def _converted(
    name: str, array: npt.NDArray[Any], dtype: np.dtype[Any]
) -> npt.NDArray[Any]:
    """Change the dtype, refusing any change of value."""
    allowed = _ACCEPTED_KINDS[dtype.kind]
    if array.size and array.dtype.kind not in allowed:
        msg = f"{name} has dtype {array.dtype}, it must be {dtype}"
        raise TreeFormatError(msg)
    result = array.astype(dtype)
    if not np.array_equal(result, array, equal_nan=dtype.kind == "f"):
        msg = f"{name} holds values that do not fit {dtype}"
        raise TreeFormatError(msg)
    return result


def _closed(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Close a fresh array for writing."""
    array.setflags(write=False)
    return array
