"""In: how many rows have reached their leaf; out: lines of progress on stderr."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

__all__ = ["progress_for"]

_MOST_LINES = 1000  # a second


def progress_for(verbose: int, n_rows: int) -> Callable[[int], None] | None:
    """Return what growth calls now and then, or None if it should be silent."""
    if not verbose:
        return None
    start = last = time.monotonic()
    seconds_between = 1 / min(verbose, _MOST_LINES)

    def report(n_done: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last < seconds_between:
            return
        last = now
        sys.stderr.write(
            f"tanoak: {n_done / n_rows:4.0%} of {n_rows:,} rows have reached a leaf, "
            f"{now - start:.0f} s\n"
        )

    return report
