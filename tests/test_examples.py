"""The scripts in examples in; each runs by itself and prints something."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs(example, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(example), run_name="__main__")
    assert capsys.readouterr().out.count("\n") > 3


def test_the_demo_uses_what_the_example_chooses(tmp_path, monkeypatch, capsys):
    from tanoak import demo

    example = next(path for path in EXAMPLES if path.stem == "choose_size")
    runpy.run_path(str(example), run_name="__main__")
    assert f"min_samples_leaf={demo._FEWEST_ROWS}\n" in capsys.readouterr().out
