"""pyproject.toml in, the packages to install out, one a line.

    python scripts/requirements.py [EXTRA ...]

What building needs comes first, then what running needs, then the extras named.
cmake and ninja are added only when the machine has none of its own.
"""

from __future__ import annotations

import shutil
import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parent.parent / "pyproject.toml"


def requirements(extras: list[str]) -> list[str]:
    """List the requirements of building, running and the extras."""
    content = tomllib.loads(PROJECT.read_text(encoding="utf-8"))
    project = content["project"]
    found = [*content["build-system"]["requires"], *project["dependencies"]]
    found += [tool for tool in ("cmake", "ninja") if shutil.which(tool) is None]
    for extra in extras:
        found += project["optional-dependencies"][extra]
    return found


if __name__ == "__main__":
    print("\n".join(requirements(sys.argv[1:])))
