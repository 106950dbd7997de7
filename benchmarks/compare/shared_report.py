"""In: measured rows; out: a table on the screen, a JSON file, and the exit code."""

from __future__ import annotations

import json
import platform
import sys
from importlib.metadata import version
from pathlib import Path
from time import perf_counter

RESULTS = Path(__file__).parent.parent / "results"


def best_seconds(work, repeats):
    """Run some work several times; the fastest time is the least disturbed."""
    times = []
    for _ in range(repeats):
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return min(times)


def machine():
    """Name what the figures depend on."""
    packages = ("tanoak", "scikit-learn", "numpy", "scipy")
    return {
        "python": platform.python_version(),
        "processor": processor(),
        **{package: version(package) for package in packages},
    }


def processor():
    """Name the processor, where the system tells."""
    info = Path("/proc/cpuinfo")
    if not info.is_file():
        return platform.processor() or platform.machine()
    names = [x for x in info.read_text().splitlines() if x.startswith("model name")]
    return names[0].split(":")[1].strip() if names else platform.machine()


def show(rows):
    """Print rows, dictionaries with the same keys, as a Markdown table."""
    texts = [list(rows[0])]
    texts += [[text(value) for value in row.values()] for row in rows]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    lines = [
        "| " + " | ".join(x.ljust(w) for x, w in zip(row, widths, strict=True)) + " |"
        for row in texts
    ]
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    print("\n".join([lines[0], rule, *lines[1:]]))


def text(value):
    """Write a number with three digits, other values as they are."""
    return f"{value:.3g}" if isinstance(value, float) else f"{value}"


def report(name, rows, *, store=True):
    """Print and store the rows; say whether a ratio is below its floor."""
    show(rows)
    if store:
        RESULTS.mkdir(exist_ok=True)
        content = {"machine": machine(), "rows": rows}
        path = RESULTS / f"{name}.json"
        path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    below = [row for row in rows if row["floor"] and row["ratio"] < row["floor"]]
    for row in below:
        print(f"below its floor of {row['floor']}: {row}")
    return bool(below)


def finish(name, rows, *, store=True):
    """Print and store the rows; fail if a ratio is below its floor."""
    sys.exit(report(name, rows, store=store))
