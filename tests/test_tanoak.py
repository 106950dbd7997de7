"""`import tanoak` in; the public names, each from its home, and nothing heavy."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from importlib import import_module

import pytest

import tanoak

HEAVY = ("numpy", "scipy", "sklearn", "narwhals", "pandas", "polars", "pyarrow")


@pytest.mark.parametrize("name", tanoak.__all__)
def test_public_name_is_there(name):
    assert getattr(tanoak, name) is not None
    assert name in dir(tanoak)


def test_public_names_are_sorted_and_each_has_one_home():
    assert sorted(tanoak.__all__) == tanoak.__all__
    assert sorted([*tanoak._HOMES, "__version__"]) == tanoak.__all__


def test_a_name_is_the_object_of_its_home():
    for name, home in tanoak._HOMES.items():
        assert getattr(tanoak, name) is getattr(import_module(home), name)
        assert name in import_module(home).__all__


def test_type_checkers_see_the_same_homes():
    tree = ast.parse(inspect.getsource(tanoak))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {alias.name: line.module for line in block.body for alias in line.names}
    assert seen == tanoak._HOMES


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'DecisionTree'"):
        tanoak.DecisionTree  # noqa: B018  # asking is what fails


def loaded_after(statement):
    """Return the heavy packages that a new process has loaded after a statement."""
    program = f"import sys\n{statement}\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return set(HEAVY) & set(done.stdout.split())


@pytest.mark.parametrize(
    ("statement", "allowed"),
    [
        ("import tanoak", set()),
        ("import tanoak\ntanoak.TreeFormatError, dir(tanoak)", set()),
        ("import tanoak\ntanoak.CostMatrix", {"numpy"}),
        ("import tanoak.serve", {"numpy"}),
    ],
)
def test_only_what_is_needed_is_loaded(statement, allowed):
    assert loaded_after(statement) <= allowed
