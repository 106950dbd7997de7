"""In: a folder; out: finished fits, kept there so that a killed run can go on."""

from __future__ import annotations

import hashlib
import pickle
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from tanoak._files import write_whole
from tanoak._messages import shown
from tanoak._path_rows import PathRows
from tanoak._table import Table
from tanoak._tree import Tree
from tanoak.exceptions import ParameterError

__all__ = ["Checkpoint", "open_checkpoint"]

_KEY = "curve.key"
_SCRATCH = ".tanoak-"  # what a killed write leaves


class Checkpoint:
    """A folder with one file for each finished fit.

    Trees are stored as `.tanoak` files, other models as pickles: open folders only that
    you trust.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def read(self, name: str) -> Any:
        """Return a finished model, None if there is none yet."""
        stored = self.folder / f"{name}.tanoak"
        if stored.exists():
            return Tree.load(stored)
        pickled = self.folder / f"{name}.pickle"
        return pickle.loads(pickled.read_bytes()) if pickled.exists() else None

    def write(self, name: str, model: Any) -> None:
        """Keep a finished model, whole or not at all."""
        if isinstance(model, Tree):
            model.save(self.folder / f"{name}.tanoak")
        else:
            write_whole(self.folder / f"{name}.pickle", pickle.dumps(model))


def open_checkpoint(
    folder: Any, rows: PathRows, settings: dict[str, Any]
) -> Checkpoint | None:
    """Open a folder, refusing one that belongs to other data or settings.

    Parameters
    ----------
    folder : path-like or None
        None keeps nothing.
    rows : PathRows
        The rows that models are made from.
    settings : dict
        All else that decides how they come out.

    Returns
    -------
    Checkpoint or None
        Ready to read and write.
    """
    if folder is None:
        return None
    path = Path(folder)
    path.mkdir(parents=True, exist_ok=True)
    key = _fingerprint(rows, settings)
    key_file = path / _KEY
    if not key_file.exists():
        if any(not entry.name.startswith(_SCRATCH) for entry in path.iterdir()):
            msg = (
                f"checkpoint folder {shown(str(path))} holds other files: give an "
                "empty folder or the one of an earlier run"
            )
            raise ParameterError(msg)
        write_whole(key_file, key)
    elif key_file.read_text(encoding="ascii") != key:
        msg = (
            f"checkpoint folder {shown(str(path))} was written with other data or "
            "settings: give another folder, or empty this one"
        )
        raise ParameterError(msg)
    return Checkpoint(path)


def _fingerprint(rows: PathRows, settings: dict[str, Any]) -> str:
    """Return a digest of everything that decides how a model comes out."""
    digest = hashlib.sha256()
    for part in _bytes_of(rows.X):
        digest.update(part)
    digest.update(np.ascontiguousarray(rows.codes).tobytes())
    digest.update(repr((rows.classes, rows.positive)).encode())
    if rows.weight is not None:
        digest.update(np.ascontiguousarray(rows.weight).tobytes())
    for name, value in sorted(settings.items()):
        digest.update(f"{name}={value!r};".encode())
    return digest.hexdigest()


def _bytes_of(X: Any) -> list[bytes]:
    """Return the contents of a table as bytes."""
    if isinstance(X, Table):
        return [*_bytes_of(X.values), repr(X.columns).encode()]
    if sparse.issparse(X):
        rows = X.tocsr()
        return [part.tobytes() for part in (rows.data, rows.indices, rows.indptr)]
    if isinstance(X, np.ndarray) and X.dtype != object:
        return [np.ascontiguousarray(X).tobytes(), repr((X.shape, X.dtype)).encode()]
    return [pickle.dumps(X)]
