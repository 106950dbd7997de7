"""In: a path; out: its bytes up to a limit, or the file written whole or not at all."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from tanoak._format import MAX_SIZE

__all__ = ["read_bounded", "write_whole"]


def read_bounded(path: str | os.PathLike[str]) -> bytes:
    """Return a file's bytes; of one that is too long, only enough to tell."""
    with Path(path).open("rb") as file:
        return file.read(MAX_SIZE + 1)


def write_whole(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file so that readers find the old one or the new one, never a part."""
    import tempfile  # slow to load, and readers do not need it

    if isinstance(content, str):
        content = content.encode("utf-8")
    target = Path(path).resolve()
    if target.exists() and not target.is_file():
        # A pipe or device cannot be replaced, and should not be.
        target.write_bytes(content)
        return
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
    if not target.parent.exists():
        what = f"the folder {str(target.parent)!r} does not exist; create it first"
        raise FileNotFoundError(errno.ENOENT, what, os.fspath(path))
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=".tanoak-")
    except OSError as error:
        error.filename = os.fspath(path)  # what the caller knows
        raise
    scratch = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        scratch.chmod(mode)
        scratch.replace(target)
    except BaseException:
        scratch.unlink(missing_ok=True)
        raise


def _umask() -> int:
    """Return the permissions that new files of this process go without."""
    # It can only be read by setting it.
    current = os.umask(0o077)
    os.umask(current)
    return current
