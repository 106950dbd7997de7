"""Shared by all tests: where real data is, and leaving out what the machine cannot run.

Warnings are errors; pyproject.toml says so for every test.
"""

from __future__ import annotations

import os
from importlib.resources import files
from pathlib import Path

import pytest

# Read when SciPy is first imported; without it scikit-learn leaves out a check.
os.environ.setdefault("SCIPY_ARRAY_API", "1")

REPOSITORY = Path(__file__).parent.parent


def pytest_collection_modifyitems(config, items):
    """Leave out tests whose system package is missing; `make test` names them."""
    missing = set(os.environ.get("TANOAK_LEFT_OUT", "").split())
    left_out = [item for item in items if missing & set(_needs(item))]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


def _needs(item):
    """List the system packages a test is marked to need."""
    return [name for mark in item.iter_markers("needs") for name in mark.args]


@pytest.fixture(scope="session")
def repository() -> Path:
    """Return the folder of the source tree."""
    return REPOSITORY


@pytest.fixture(scope="session")
def shipped_data() -> Path:
    """Return the folder of the data sets that ship with the package."""
    return Path(str(files("tanoak") / "datasets"))


@pytest.fixture(scope="session")
def data_folder(shipped_data: Path) -> Path:
    """Return the folder of real data, on every machine at least the shipped sets.

    TANOAK_DATA names it; otherwise `shared/data` beside the repository is taken.
    """
    wanted = Path(os.environ.get("TANOAK_DATA", REPOSITORY.parent / "shared" / "data"))
    return wanted if wanted.is_dir() else shipped_data
