"""In: the text of a `.tanoak` file; out: a `Document`, and back, byte for byte.

The text is canonical JSON (sorted keys, no spaces, ASCII, shortest floats, one final
newline), so that equal trees have equal files on every machine. The reader takes no
part of a file on trust: whatever is wrong with it ends in `TreeFormatError`.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from tanoak._arrays import LAYOUT, FloatArray, Level, TreeArrays
from tanoak._checks import check_classes, check_columns, check_tree
from tanoak._json_values import (
    array_in,
    labels_in,
    labels_out,
    text_in,
    text_out,
    words_out,
    wrong,
)
from tanoak._messages import shown
from tanoak.exceptions import TreeFormatError

__all__ = ["MAX_SIZE", "VERSION", "Document", "read_document", "write_document"]

MAX_SIZE = 256 * 2**20
FORMAT = "tanoak-tree"
VERSION = 1

_COLUMN_ARRAYS = ("class_factor", "fill")
_KEYS = frozenset(
    ("classes", "columns", "cost", "format", "named", "nodes", "task", "version")
).union(_COLUMN_ARRAYS)
_ANSWERS = {
    "classification": frozenset(("answer_costs", "label")),
    "regression": frozenset(("mean", "sse")),
}
# Stands under "nodes" of a regression tree that answers medians, and nowhere else.
_ERRORS_OF_MEDIANS = "sae"
_OPTIONAL_ARRAYS = frozenset(("answer_costs", "class_factor", "masses"))


@dataclass(frozen=True, eq=False, kw_only=True)
class Document(TreeArrays):
    """What a file holds: the arrays of a tree, its columns, classes and costs.

    Attributes
    ----------
    names : tuple of str
        Names of the d columns.
    levels : tuple
        For every column its levels, None for a numeric column.
    named : bool
        Whether the names came with the data.
    classes : tuple or None
        The K classes, None for regression.
    cost : numpy.ndarray or None
        K x K costs, rows are true classes.
    """

    names: tuple[str, ...]
    levels: tuple[tuple[Level, ...] | None, ...]
    named: bool
    classes: tuple[Level, ...] | None = None
    cost: FloatArray | None = None

    def __post_init__(self) -> None:
        """Check everything once."""
        super().__post_init__()
        check_columns(self.names, self.levels)
        if self.classes is not None:
            check_classes(self.classes)
        check_tree(self, self.levels, self.classes)


def write_document(document: Document) -> str:
    """Return the canonical text of a document, ending in a newline."""
    classes, cost = document.classes, document.cost
    task = "regression" if classes is None else "classification"
    content = {
        "format": FORMAT,
        "version": VERSION,
        "task": task,
        "named": document.named,
        "columns": _columns_out(document),
        "classes": None if classes is None else labels_out(classes),
        "cost": None if cost is None else cost.tolist(),
        "nodes": {name: _listed(document, name) for name in _names(document, task)},
        **{name: _listed(document, name) for name in _COLUMN_ARRAYS},
    }
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return f"{text}\n"


def read_document(text: str | bytes) -> Document:
    """Read and check the text of a file.

    Parameters
    ----------
    text : str or bytes
        JSON, in any layout; bytes are UTF-8.

    Returns
    -------
    Document
        Complete and consistent.

    Raises
    ------
    TreeFormatError
        If the text is damaged, hostile, too large or of a newer version.
    """
    content = _parsed(text)
    _check_head(content)
    _check_keys("the file", content, _KEYS)
    task, named = content["task"], content["named"]
    if type(task) is not str or task not in _ANSWERS:
        wrong("task", task, "'classification' or 'regression'")
    if type(named) is not bool:
        wrong("named", named, "true or false")
    fields = {**_columns_in(content["columns"]), **_classes_in(content)}
    n_answers = 1 if fields["classes"] is None else len(fields["classes"])
    arrays = _arrays_in(content, n_answers)
    return Document(named=named, **fields, **arrays)


def _parsed(text: str | bytes) -> Any:
    """Parse strict JSON of bounded size."""
    if not isinstance(text, str | bytes | bytearray | memoryview):
        msg = f"a tree is read from text or bytes, got {type(text).__name__}"
        raise TreeFormatError(msg)
    if len(text) > MAX_SIZE:
        msg = f"the file is longer than {MAX_SIZE} bytes, the most that is read"
        raise TreeFormatError(msg)
    try:
        if not isinstance(text, str):
            text = bytes(text).decode("utf-8")
        return json.loads(
            text, object_pairs_hook=_unique_keys, parse_constant=_no_constant
        )
    except TreeFormatError:
        raise
    except RecursionError:
        msg = "the file is nested too deeply to be a tree"
    except MemoryError:
        msg = "the file does not fit into memory"
    except ValueError as error:
        # Bad UTF-8, bad JSON, or an integer with more digits than Python reads.
        msg = f"this is not a tanoak file: {str(error)[:200]}"
    raise TreeFormatError(msg)


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of its pairs, refusing a key given twice."""
    content = dict(pairs)
    if len(content) != len(pairs):
        (key, times), *_ = Counter(key for key, _ in pairs).most_common(1)
        msg = f"the key {shown(key)} stands {times} times in one object"
        raise TreeFormatError(msg)
    return content


def _no_constant(name: str) -> NoReturn:
    """Refuse NaN and Infinity, which JSON does not have."""
    msg = f"{name} is not a number a tree can hold; all must be finite"
    raise TreeFormatError(msg)


def _check_head(content: Any) -> None:
    """Refuse other formats and versions before looking at anything else."""
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        msg = f"this is not a tanoak file: it lacks the key \"format\": '{FORMAT}'"
        raise TreeFormatError(msg)
    version = content.get("version")
    if type(version) is not int or version < 1:
        wrong("version", version, f"an integer from 1 to {VERSION}")
    if version > VERSION:
        msg = (
            f"the file was written by a newer tanoak: its version is {shown(version)}, "
            f"this one reads up to {VERSION}; update tanoak to read it"
        )
        raise TreeFormatError(msg)


def _check_keys(
    where: str, content: Any, required: frozenset[str], optional: str | None = None
) -> None:
    """Refuse anything but an object with exactly these keys."""
    if not isinstance(content, dict):
        wrong(where, content, "an object")
    keys = content.keys() - {optional}
    if keys != required:
        missing = ", ".join(sorted(required - keys)) or "none"
        unknown = ", ".join(map(shown, sorted(keys - required)[:3])) or "none"
        msg = f"{where} has wrong keys; missing: {missing}; unknown: {unknown}"
        raise TreeFormatError(msg)


def _columns_out(document: Document) -> list[dict[str, Any]]:
    """Describe the columns; only categorical ones have levels."""
    columns: list[dict[str, Any]] = [{"name": text_out(x)} for x in document.names]
    for column, levels in zip(columns, document.levels, strict=True):
        if levels is not None:
            column["levels"] = labels_out(levels)
    return columns


def _columns_in(columns: Any) -> dict[str, Any]:
    """Return names and levels."""
    if type(columns) is not list:
        wrong("columns", columns, "a list")
    required = frozenset(("name",))
    for column in columns:
        _check_keys("a column", column, required, "levels")
    names = tuple(text_in(column["name"]) for column in columns)
    levels = tuple(
        labels_in("levels", column["levels"]) if "levels" in column else None
        for column in columns
    )
    return {"names": names, "levels": levels}


def _listed(document: Document, name: str) -> Any:
    """Return one array as JSON values; null for what goes without saying."""
    array = getattr(document, name)
    if array is None:
        return None
    if name == "subset_words":
        return words_out(array)
    if name == "masses" and _unweighted(document):
        return None
    return array.tolist()


def _unweighted(document: Document) -> bool:
    """Whether the masses are the counts, to the bit."""
    return document.masses.tobytes() == document.counts.astype(np.float64).tobytes()


def _classes_in(content: dict[str, Any]) -> dict[str, Any]:
    """Return classes and costs, both None for regression."""
    classes, cost = content["classes"], content["cost"]
    if content["task"] == "regression":
        if classes is not None or cost is not None:
            wrong("classes or cost", classes or cost, "null for regression")
        return {"classes": None, "cost": None}
    labels = labels_in("classes", classes)
    return {"classes": labels, "cost": _cost_in(cost, len(labels))}


def _cost_in(cost: Any, n_classes: int) -> FloatArray | None:
    """Return the cost matrix of a file."""
    if cost is None:
        return None
    # Rows of the matrix have the type of rows of answer costs.
    matrix: FloatArray = array_in("answer_costs", cost, n_classes)
    if len(matrix) != n_classes or not (np.isfinite(matrix) & (matrix >= 0)).all():
        wrong("cost", cost, f"{n_classes} lists of finite numbers, none negative")
    matrix.setflags(write=False)
    return matrix


def _arrays_in(content: dict[str, Any], n_answers: int) -> dict[str, Any]:
    """Return all arrays of a file, of the right dtypes and dimensions."""
    wanted = _node_keys(content["task"])
    optional = _ERRORS_OF_MEDIANS if content["task"] == "regression" else None
    _check_keys("nodes", content["nodes"], wanted, optional)
    if optional is not None and optional in content["nodes"]:
        wanted |= {optional}
    sources = {name: content["nodes"][name] for name in wanted}
    sources |= {name: content[name] for name in _COLUMN_ARRAYS}
    arrays: dict[str, Any] = {}
    for name, values in sources.items():
        if values is not None or name not in _OPTIONAL_ARRAYS:
            arrays[name] = array_in(name, values, n_answers)
    arrays.setdefault("masses", arrays["counts"].astype(np.float64))
    for array in arrays.values():
        array.setflags(write=False)
    return arrays


def _node_keys(task: str) -> frozenset[str]:
    """Return the arrays that stand under "nodes"."""
    others = (keys for other, keys in _ANSWERS.items() if other != task)
    return frozenset(LAYOUT).difference(_COLUMN_ARRAYS, {_ERRORS_OF_MEDIANS}, *others)


def _names(document: Document, task: str) -> frozenset[str]:
    """Return the arrays that are written under "nodes"."""
    named = {_ERRORS_OF_MEDIANS} if document.sae is not None else frozenset[str]()
    return _node_keys(task) | named
