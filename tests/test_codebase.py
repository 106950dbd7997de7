"""The source tree in, broken house rules out: those no linter knows."""

from __future__ import annotations

import ast
import re
import statistics
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = ("core", "bindings", "src", "tests", "benchmarks", "scripts", "examples")


def sources(*suffixes, folders=FOLDERS):
    """List the files of our own that end in one of the suffixes."""
    found = [path for folder in folders for path in (ROOT / folder).rglob("*")]
    found += ROOT.glob("*") if folders is FOLDERS else []
    # `.git` is a file, and not ours, in a second working tree of one repository.
    ours = (path for path in found if path.is_file() and path.name != ".git")
    return sorted(path for path in ours if path.suffix in suffixes)


def name(path):
    """Name a file as seen from the root of the repository."""
    return path.relative_to(ROOT).as_posix()


def text_of(path):
    """Read a source file."""
    return path.read_text(encoding="utf-8")


def code_of(path):
    """Read a C++ file with its comments blanked; line numbers stay."""
    return re.sub(
        r"//[^\n]*|/\*.*?\*/",
        lambda comment: "\n" * comment[0].count("\n"),
        text_of(path),
        flags=re.DOTALL,
    )


def lines_with(pattern, paths, reader=text_of):
    """List `file:line: text` for every line that matches."""
    return [
        f"{name(path)}:{number}: {line.strip()}"
        for path in paths
        for number, line in enumerate(reader(path).splitlines(), start=1)
        if re.search(pattern, line)
    ]


# --- all files ---


def test_no_file_is_longer_than_400_lines():
    checked = sources(".py", ".hpp", ".cpp", ".sh", ".md", ".toml", ".txt", "")
    lengths = {name(path): len(text_of(path).splitlines()) for path in checked}
    lengths.pop("CHANGELOG.md", None)  # it grows with every release
    assert {path: length for path, length in lengths.items() if length > 400} == {}


def test_no_path_of_one_machine():
    checked = sources(".py", ".hpp", ".cpp", ".sh", ".md", ".toml", ".txt", ".json", "")
    pattern = r"(?<![\w.~-])/(home|root|Users|work|opt|mnt)/\w"
    assert lines_with(pattern, checked) == []


# --- Python ---


def modules():
    """List the Python files of the package."""
    return sources(".py", folders=("src",))


def function_lengths(path):
    """Yield the number of lines of every function, its docstring left out."""
    for node in ast.walk(ast.parse(text_of(path))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = node.end_lineno - node.lineno + 1
            if ast.get_docstring(node) is not None:
                length -= node.body[0].end_lineno - node.body[0].lineno + 1
            yield length


def test_functions_are_short():
    lengths = [length for path in modules() for length in function_lengths(path)]
    assert statistics.median(lengths) <= 12
    assert statistics.quantiles(lengths, n=10)[-1] <= 40


def test_every_exception_from_a_check_has_its_reason_beside_it():
    exceptions = lines_with(r"#\s*(noqa|type:\s*ignore)", sources(".py"))
    with_reason = r"#\s*(noqa: [A-Z]+\d+(, [A-Z]+\d+)*|type: ignore\[[\w, -]+\])\s+\S+"
    assert [line for line in exceptions if not re.search(with_reason, line)] == []


def test_no_test_is_skipped():
    pattern = r"mark\.(skip|xfail)|pytest\.(skip|xfail|importorskip)|Skip[T]est"
    assert lines_with(pattern, sources(".py", folders=("tests",))) == []


def imported(path):
    """Yield the dotted names a Python file imports."""
    for node in ast.walk(ast.parse(text_of(path))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_no_private_part_of_another_package():
    private = [
        f"{name(path)}: {dotted}"
        for path in sources(".py", folders=("src", "benchmarks", "examples"))
        for dotted in imported(path)
        if re.search(r"\._[a-z]", dotted) and not dotted.startswith("tanoak.")
    ]
    assert private == []


# --- the core ---


def core_files():
    """List the files of the core."""
    return sources(".hpp", ".cpp", folders=("core",))


NEVER_IN_THE_CORE = {
    "prints": r"\b(f?printf|puts|cout|cerr|clog)\b|<(iostream|cstdio|print)>",
    "exits": r"\b(exit|_Exit|quick_exit|abort|terminate)\s*\(|\bassert\(",
    "knows Python": r"Python\.h|nanobind|\bPy[A-Z]\w*|\bnb::",
    "uses OpenMP": r"#\s*pragma\s+omp|<omp\.h>",
    "draws as one platform does": r"_distribution\b|\brand\(|\bshuffle\(",
    "owns raw memory": r"(?<!\()\bnew\s|(?<!= )\bdelete\b|\b(m|c|re)alloc\(|\bfree\(",
    "reads its surroundings": r"\bgetenv\b|<(fstream|filesystem)>",
}


@pytest.mark.parametrize("what", NEVER_IN_THE_CORE)
def test_the_core_never(what):
    assert lines_with(NEVER_IN_THE_CORE[what], core_files(), code_of) == []


def test_core_files_include_only_those_before_them():
    includes = {
        path.name: set(re.findall(r'#include "([^"]+)"', text_of(path)))
        for path in core_files()
    }
    order = list(TopologicalSorter(includes).static_order())  # raises on a cycle
    assert set(order) <= {path.name for path in core_files()}


def test_the_build_gives_the_same_bits_everywhere():
    build = text_of(ROOT / "CMakeLists.txt") + text_of(ROOT / "pyproject.toml")
    assert "-ffp-contract=off" in build
    assert re.findall(r"-ffast-math|-Ofast|-march=|-mcpu=|/fp:fast", build) == []


# --- the border ---


def test_no_array_is_converted_in_silence():
    stub = text_of(ROOT / "src" / "tanoak" / "_core.pyi")
    arrays = set(re.findall(r"(\w+): (?:Optional\[)?Annotated\[NDArray", stub))
    bindings = "".join(map(text_of, sources(".cpp", folders=("bindings",))))
    assert arrays
    for array in arrays:
        uses = re.findall(rf'nb::arg\("{array}"\)([.\w()]*)', bindings)
        assert uses, array
        assert all(".noconvert()" in use for use in uses), array


# --- every file has its test ---


def has_test(stem, tests):
    """Say whether there is a test_<stem> or a test_<stem>_<part>."""
    return any(re.fullmatch(rf"test_{stem}(_\w+)?", test) for test in tests)


def test_every_module_has_a_test_file():
    tests = {path.stem for path in (ROOT / "tests").rglob("test_*.py")}
    stems = {path.stem.lstrip("_") for path in modules() if path.stem != "__init__"}
    assert sorted(stem for stem in stems if not has_test(stem, tests)) == []


def test_every_core_file_has_a_test_file():
    tests = {path.stem for path in (ROOT / "tests" / "core").glob("test_*.cpp")}
    stems = {path.stem for path in core_files()}
    assert sorted(stem for stem in stems if not has_test(stem, tests)) == []
