"""In: documents with snippets; out: the same, with what the snippets print today.

    python scripts/refresh_documents.py

A ```text block right behind a ```python block holds what that block prints; behind a
```sh block with `make demo` it holds what the demonstration prints. The snippets of a
document share their names, as if typed one after the other. The tests compare.
"""

from __future__ import annotations

import contextlib
import io
import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "ARCHITECTURE.md",
    *(ROOT / "docs").glob("*.md"),
]

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def refreshed(text: str) -> str:
    """Return a document with all its output blocks written anew."""
    names: dict[str, object] = {"__name__": "__main__"}
    printed = ""

    def renew(block: re.Match[str]) -> str:
        nonlocal printed
        language, content = block.groups()
        if language == "text":
            content, printed = printed or content, ""
            return f"```text\n{content}```"
        if printed:
            msg = f"no text block behind a block that prints:\n{printed}"
            raise ValueError(msg)
        if language == "python":
            printed = _run(content, names)
        elif language == "sh" and "make demo" in content:
            printed = _run("import tanoak.demo\ntanoak.demo.main()", {})
        return block[0]

    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        renewed = _BLOCK.sub(renew, text)
    if printed:
        msg = f"the last block prints, and no text block follows:\n{printed}"
        raise ValueError(msg)
    return renewed


def _run(code: str, names: dict[str, object]) -> str:
    """Run a snippet and return what it printed."""
    with contextlib.redirect_stdout(io.StringIO()) as output:
        exec(compile(code, "<snippet>", "exec"), names)
    return output.getvalue()


def main() -> None:
    """Write every document whose output is not what it was."""
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        renewed = refreshed(text)
        if renewed != text:
            document.write_text(renewed, encoding="utf-8", newline="\n")
            sys.stdout.write(f"written anew: {document.name}\n")


if __name__ == "__main__":
    main()
