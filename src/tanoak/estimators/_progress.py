"""In: how far growth is and what it tried; out: lines on stderr."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

__all__ = ["progress_for", "say_pairs"]

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


def say_pairs(n_pairs: int, n_searched: int) -> None:
    """Say how many pairs of features were tried in a node, of all there are."""
    tried = "all" if n_searched == n_pairs else f"at most {n_searched:,} of the"
    sys.stderr.write(f"tanoak: tried {tried} {n_pairs:,} pairs of features a node\n")
