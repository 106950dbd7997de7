"""In: a number of cases; out: damaged model files for which reading them went wrong.

``python tests/fuzz_format.py --count 1000000 --seed 0`` damages the texts of small
trees and reads them. Each must load (and then predict and be written again, the same),
or be refused with `TreeFormatError`, within a second. Worker processes do it, so that a
crash or a hang is seen too. ``--case 17`` repeats one case of a seed.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import re
import sys
import time
import traceback
import warnings
from collections import Counter
from copy import deepcopy
from dataclasses import dataclass, field

import numpy as np
from trees import Recipe, case, credit_tree, lone_leaf, regression_tree, table

from tanoak import serve
from tanoak._tree import Tree
from tanoak.costs import CostMatrix
from tanoak.exceptions import TreeFormatError

HANG = 20.0  # seconds without news, after which a worker is given up
SLOW = 1.0  # seconds that one case may take
MOST_FAILURES = 10

EVIL_TEXTS = (
    *("-1", "0", "1", "2147483647", "2147483648", "-2147483649", "9223372036854775808"),
    *("18446744073709551616", "1e999", "-1e999", "NaN", "nan", "Infinity", "1e-400"),
    *("-0.0", "1.5", "0.1", "true", "null", '""', "[]", "{}", "1" * 5000, "[" * 3000),
    *('"\\ud800"', '"\\ud83d\\ude00"', '["\\ud83d","\\ude00"]', "1.0000000000000002"),
)
EVIL_VALUES = (
    *(-1, 0, 1, 2, 63, 64, 2**31 - 1, 2**31, 2**53 + 1, 2**63, 2**64, -(2**63)),
    *(10**400, -0.0, 0.5, 5e-324, 1.7976931348623157e308, True, False, None, "", "a"),
    *([], {}, [[]], "f" * 16, "F" * 16, "\ud800", "a\0", ["\ud83d", "\ude00"], [0, 0]),
)


def base_texts():
    """Write the trees whose texts are damaged."""
    cost = CostMatrix([[0, 5, 1], [2, 0, 3], [9, 4, 0]], ("bad", "fair", "good"))
    recipes = [
        Recipe(seed=1, n_splits=4, n_columns=4, n_levels=(3, 65)),
        Recipe(seed=2, n_splits=3, n_columns=3, n_levels=(2,), n_classes=0),
        Recipe(seed=3, n_splits=5, n_columns=3, n_levels=(4,), weighted=True),
    ]
    trees = [credit_tree(cost=cost), regression_tree(), lone_leaf()]
    trees += [case(recipe)[0] for recipe in recipes]
    return [tree.to_json() for tree in trees]


# --- damage ---


def damaged(texts, seed, number):
    """Make the text of one case."""
    draw = random.Random((seed << 40) + number)
    text = draw.choice(texts)
    if draw.random() < 0.6:
        content = json.loads(text)
        for _ in range(draw.choice((1, 1, 1, 2, 3))):
            edit_content(content, draw)
        text = json.dumps(content)
    if draw.random() < 0.5:
        for _ in range(draw.choice((1, 1, 2, 4))):
            text = draw.choice(TEXT_EDITS)(text, draw)
    return damaged_bytes(text, draw) if draw.random() < 0.2 else text


def damaged_bytes(text, draw):
    """Change single bytes, which may end valid UTF-8."""
    content = bytearray(text.encode("utf-8", "surrogatepass"))
    for _ in range(draw.choice((1, 2, 8))):
        if content:
            content[draw.randrange(len(content))] = draw.randrange(256)
    return bytes(content)


def replace_number(text, draw):
    """Put something evil in the place of a number."""
    places = list(re.finditer(r"-?\d[\d.e+-]*", text))
    if not places:
        return text
    place = draw.choice(places)
    return text[: place.start()] + draw.choice(EVIL_TEXTS) + text[place.end() :]


def replace_character(text, draw):
    """Change one character."""
    at = draw.randrange(len(text) + 1)
    return (
        text[:at]
        + draw.choice('0123456789.,:-+e"\\[]{} ntfu\x00\ud800é')
        + text[at + 1 :]
    )


def cut(text, draw):
    """Drop the end, or a piece."""
    start = draw.randrange(len(text) + 1)
    length = draw.choice((1, 2, 10, len(text)))
    return text[:start] + text[start + length :]


def repeat(text, draw):
    """Write a piece twice; sometimes that makes a key twice."""
    start = draw.randrange(len(text) + 1)
    end = start + draw.choice((1, 5, 20, 100))
    return text[:end] + text[start:]


def repeat_key(text, draw):
    """Give a key a second time."""
    keys = list(re.finditer(r'"\w+":', text))
    if not keys:
        return text
    place = draw.choice(keys)
    first = f"{place[0]}{draw.choice(EVIL_TEXTS)},"
    return text[: place.start()] + first + text[place.start() :]


TEXT_EDITS = (
    replace_number,
    replace_number,
    replace_character,
    cut,
    repeat,
    repeat_key,
)


def edit_content(content, draw):
    """Change one place of the parsed text."""
    holder = content
    while True:
        key = draw.choice(
            sorted(holder) if isinstance(holder, dict) else range(len(holder))
        )
        below = holder[key]
        if not isinstance(below, dict | list) or not below or draw.random() < 0.3:
            break
        holder = below
    draw.choice(CONTENT_EDITS)(holder, key, draw)


def put_evil(holder, key, draw):
    """Replace a value."""
    holder[key] = deepcopy(draw.choice(EVIL_VALUES))


def nudge(holder, key, draw):
    """Change a number a little."""
    if type(holder[key]) is float or (type(holder[key]) is int and holder[key] < 2**64):
        holder[key] += draw.choice((-1, 1, 0.5, -64, 64))


def swap(holder, key, draw):
    """Exchange two values."""
    keys = sorted(holder) if isinstance(holder, dict) else range(len(holder))
    other = draw.choice(keys)
    holder[key], holder[other] = holder[other], holder[key]


def copy_over(holder, key, draw):
    """Write one value over another."""
    keys = sorted(holder) if isinstance(holder, dict) else range(len(holder))
    holder[key] = deepcopy(holder[draw.choice(keys)])


def drop(holder, key, draw):
    """Leave a value out."""
    del holder[key]


def insert(holder, key, draw):
    """Add a value."""
    if isinstance(holder, dict):
        key = draw.choice(("", "extra", "levels", "left"))
        holder[key] = deepcopy(draw.choice(EVIL_VALUES))
    else:
        holder.insert(key, deepcopy(draw.choice((*EVIL_VALUES, holder[key]))))


CONTENT_EDITS = (put_evil, put_evil, nudge, nudge, swap, copy_over, drop, insert)


# --- what must hold ---


def read(text, number=0):
    """Read one text; say whether it was refused, fail if anything else is wrong."""
    try:
        tree = Tree.from_json(text)
    except TreeFormatError:
        return "refused"
    rows = np.full((6, len(tree.columns)), np.nan)
    rows[1], rows[2], rows[3], rows[4] = 0.0, 1.0, 26.5, -1e300
    rows[5] = np.arange(rows.shape[1])
    X = table(tree, rows)
    leaf = tree.apply(X)
    assert tree.is_leaf[leaf].all(), "a row did not end in a leaf"
    assert len(tree.predict(X)) == len(rows)
    assert (tree.predict_counts(X) >= 0).all()
    written = tree.to_json()
    again = Tree.from_json(written)
    assert again == tree, "reading what was written gives another tree"
    assert again.to_json() == written, "writing again gives another text"
    if number % 8 == 0:
        look_closely(tree, X, serve.loads(text))
    return "accepted"


def look_closely(tree, X, model):
    """Use what is slow as well."""
    assert len(str(tree).splitlines()) <= 20
    assert len(tree.nodes()) == tree.n_nodes
    assert tree.decision_path(X).shape == (6, tree.n_nodes)
    assert tree.prune(range(tree.n_nodes)).n_nodes == 1
    assert model.classes == tree.classes
    if tree.classes is not None:
        shares = tree.predict_shares(X)
        assert np.isfinite(shares).all()
        assert np.allclose(shares.sum(axis=1), 1)


# --- processes ---


@dataclass
class Result:
    """How a run went."""

    outcomes: Counter = field(default_factory=Counter)
    failures: list = field(default_factory=list)  # (case, what happened)


def work(numbers, seed, progress, reports):
    """Run cases, saying beforehand which one is next."""
    warnings.simplefilter("error")
    texts, outcomes = base_texts(), Counter()
    for number in numbers:
        progress.value = number
        begin = time.perf_counter()
        try:
            outcomes[read(damaged(texts, seed, number), number)] += 1
        except Exception:
            reports.put(("failed", number, traceback.format_exc()))
        seconds = time.perf_counter() - begin
        if seconds > SLOW:
            reports.put(("failed", number, f"took {seconds:.1f} s"))
    reports.put(("done", numbers[-1], outcomes))


class Worker:
    """A process and the cases it still has to do."""

    def __init__(self, numbers, seed):
        context = multiprocessing.get_context("spawn")
        self.numbers, self.seed = numbers, seed
        self.progress, self.reports = context.Value("q", -1), context.SimpleQueue()
        arguments = (numbers, seed, self.progress, self.reports)
        self.process = context.Process(target=work, args=arguments, daemon=True)
        self.process.start()
        self.seen, self.seen_at, self.done = -1, time.monotonic(), False

    def collect(self, result):
        """Take over what the worker has to say."""
        while not self.reports.empty():
            kind, number, what = self.reports.get()
            if kind == "done":
                self.done = True
                result.outcomes += what
            else:
                result.failures.append((number, what))

    def ended(self):
        """Say how the worker came to grief, None if it did not."""
        number = self.progress.value
        if number != self.seen:
            self.seen, self.seen_at = number, time.monotonic()
        if not self.process.is_alive():
            return f"the process died with code {self.process.exitcode}"
        if time.monotonic() - self.seen_at > HANG:
            self.process.kill()
            return "no answer"
        return None


def run(count, seed=0, n_workers=2):
    """Run cases 0 to count - 1 and return a Result."""
    result = Result()
    workers = [
        Worker(range(first, count, n_workers), seed) for first in range(n_workers)
    ]
    while workers and len(result.failures) < MOST_FAILURES:
        time.sleep(0.05)
        for worker in list(workers):
            end = worker.ended()
            worker.collect(result)
            if worker.done or end:
                workers.remove(worker)
            if end and not worker.done:
                last = max(worker.seen, worker.numbers[0])  # or it never began
                result.failures.append((last, end))
                rest = worker.numbers[worker.numbers.index(last) + 1 :]
                workers += [Worker(rest, seed)] if rest else []
    for worker in workers:
        worker.process.kill()
    return result


def main():
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--case", type=int, help="repeat this case alone, here")
    options = parser.parse_args()
    write = sys.stdout.write
    if options.case is not None:
        text = damaged(base_texts(), options.seed, options.case)
        write(f"{text!r}\n{read(text)}\n")
        return 0
    begin = time.perf_counter()
    result = run(options.count, options.seed, options.workers)
    seconds = time.perf_counter() - begin
    texts = base_texts()
    for number, what in result.failures:
        write(f"--seed {options.seed} --case {number}: {what}\n")
        write(f"{damaged(texts, options.seed, number)!r}\n\n")
    rate = sum(result.outcomes.values()) / seconds
    write(f"{dict(result.outcomes)}, {len(result.failures)} failures, {rate:.0f}/s\n")
    return 1 if result.failures else 0


if __name__ == "__main__":
    sys.exit(main())
