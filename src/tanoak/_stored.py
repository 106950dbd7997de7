"""In: a tree, or its text; out: the text, or the parts of the tree."""

from __future__ import annotations

from typing import Any

from tanoak._arrays import Level, TreeArrays
from tanoak._format import Document, read_document, write_document
from tanoak._table import Columns
from tanoak.costs import CostMatrix
from tanoak.exceptions import CostError, TreeFormatError

__all__ = ["read_parts", "text_of"]


def text_of(
    tree: TreeArrays,
    columns: Columns,
    classes: tuple[Level, ...] | None,
    cost: CostMatrix | None,
) -> str:
    """Write a tree as canonical JSON."""
    document = Document.trusted(
        names=columns.names,
        levels=columns.levels,
        named=columns.named,
        classes=classes,
        cost=None if cost is None else cost.values,
        **tree.arrays(),
    )
    return write_document(document)


def read_parts(text: str | bytes) -> dict[str, Any]:
    """Read a tree from text that may come from anyone; its fields, checked."""
    document = read_document(text)
    cost = None
    if document.cost is not None and document.classes is not None:
        try:
            cost = CostMatrix(document.cost, document.classes)
        except CostError as error:
            msg = f"the costs in the file cannot be used: {error}"
            raise TreeFormatError(msg) from error
    columns = Columns(document.names, document.levels, document.named)
    fields = {"columns": columns, "classes": document.classes, "cost": cost}
    return {**fields, **document.arrays()}
