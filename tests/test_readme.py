"""README.md, ARCHITECTURE.md and docs in; their snippets run, their output is true."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def load_script():
    """Import scripts/refresh_documents.py, which is no part of a package."""
    path = ROOT / "scripts" / "refresh_documents.py"
    spec = importlib.util.spec_from_file_location("refresh_documents", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


script = load_script()


@pytest.mark.parametrize("document", script.DOCUMENTS, ids=lambda path: path.name)
def test_snippets_run_and_print_what_the_document_shows(document):
    text = document.read_text(encoding="utf-8")
    advice = "run `python scripts/refresh_documents.py`"
    assert script.refreshed(text).splitlines() == text.splitlines(), advice


def test_the_readme_shows_the_demo():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    block = re.search(r"^```text\n(tanoak demo: .*?)^```$", text, re.DOTALL | re.M)
    commands = re.findall(
        r"^```sh\n(.*?)^```$", text[: block.start()], re.DOTALL | re.M
    )
    assert commands[-1].split()[:2] == ["make", "demo"]


def test_every_document_is_linked_from_the_readme():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    links = set(re.findall(r"\]\(([\w./-]+)\)", text))
    documents = {path.relative_to(ROOT).as_posix() for path in script.DOCUMENTS}
    assert documents - {"README.md"} <= links


def test_output_is_written_anew_and_names_are_shared():
    stale = "```python\na = 2\n```\nand\n```python\nprint(a)\n```\n```text\n3\n```\n"
    assert script.refreshed(stale) == stale.replace("3", "2")


def test_a_text_block_by_itself_stays():
    lone = "```python\na = 2\n```\n```text\nanything\n```\n"
    assert script.refreshed(lone) == lone


@pytest.mark.parametrize("after", ["", "```python\na = 2\n```\n"])
def test_output_must_be_shown(after):
    with pytest.raises(ValueError, match="prints"):
        script.refreshed(f"```python\nprint(1)\n```\n{after}")
