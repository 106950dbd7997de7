"""The project as a stranger meets it: package, archive, documents, scripts."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
from importlib import import_module, metadata, resources
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = "core|bindings|src|tests|benchmarks|scripts|docs|examples"
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]


def run(*command, **settings):
    """Run a command and return what it printed; a failure shows its messages."""
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=ROOT, **settings
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


# --- the package ---


def loaded_by(statement):
    """Return the names of all modules loaded after a statement in a new process."""
    program = f"import json, sys\n{statement}\nprint(json.dumps(sorted(sys.modules)))"
    return set(json.loads(run(sys.executable, "-c", program)))


def test_import_tanoak_is_light():
    loaded = loaded_by("import tanoak") - loaded_by("")
    foreign = {module.split(".")[0] for module in loaded} - sys.stdlib_module_names
    assert foreign == {"tanoak"}
    assert {module for module in loaded if module.startswith("tanoak.")} <= {
        "tanoak._core",
        "tanoak.exceptions",
    }
    assert len(loaded) <= 20


def test_the_version_agrees_everywhere():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    version = project["project"]["version"]
    assert metadata.version("tanoak") == version
    assert import_module("tanoak").__version__ == version
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert version.startswith(re.search(r"^## (\d[\d.]*\d)", changes, re.MULTILINE)[1])


def test_the_stub_of_the_core_is_fresh(tmp_path):
    fresh = tmp_path / "_core.pyi"
    stubgen = (sys.executable, "-m", "nanobind.stubgen", "-q")
    run(*stubgen, "-m", "tanoak._core", "-o", fresh)
    committed = ROOT / "src" / "tanoak" / "_core.pyi"
    assert committed.read_text() == fresh.read_text(), "run `make stubs`"


def test_the_package_brings_its_data_types_and_licence():
    package = resources.files("tanoak")
    assert (package / "py.typed").is_file()
    assert (package / "_core.pyi").is_file()
    assert [f for f in (package / "datasets").iterdir() if f.name.endswith(".csv")]
    assert "BSD 3-Clause" in metadata.distribution("tanoak").read_text(
        "licenses/LICENSE"
    )


@pytest.fixture(scope="module")
def archive_names(tmp_path_factory):
    """Build the source archive and return the names of the files in it."""
    folder = tmp_path_factory.mktemp("sdist")
    build = "import sys; from scikit_build_core.build import build_sdist as build"
    run(sys.executable, "-c", f"{build}; build(sys.argv[1])", folder)
    with tarfile.open(next(folder.glob("*.tar.gz"))) as archive:
        return {name.split("/", 1)[1] for name in archive.getnames()}


def test_the_source_archive_has_all_that_building_needs(archive_names):
    needed = {"CMakeLists.txt", "pyproject.toml", "LICENSE", "README.md"}
    for folder in ("core", "bindings", "src", "tests"):
        files = [path for path in (ROOT / folder).rglob("*") if path.is_file()]
        needed |= {
            path.relative_to(ROOT).as_posix()
            for path in files
            if "__pycache__" not in path.parts and path.suffix != ".so"
        }
    assert needed - archive_names == set()


def test_the_source_archive_has_nothing_of_this_machine(archive_names):
    foreign = r"^(build|dist|\.venv.*|\.git|\..*_cache)/|__pycache__|\.so$"
    assert [name for name in archive_names if re.search(foreign, name)] == []


# --- documents ---


def make_targets():
    """List the targets `make help` explains."""
    printed = run("make", "--silent", "help")
    return set(re.findall(r"^make (\S+)", printed, re.MULTILINE))


def test_every_public_target_of_make_is_explained():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"^([a-z][a-z-]*):", makefile, re.MULTILINE)
    assert set(targets) == make_targets()


def commands(document):
    """Yield the text in code blocks and code spans of a document."""
    text = document.read_text(encoding="utf-8")
    yield from re.findall(r"^(?: {4}|\t)(.+)$", text, re.MULTILINE)
    for block in re.findall(r"```\w*\n(.*?)```", text, re.DOTALL):
        yield from block.splitlines()
    yield from re.findall(r"`([^`\n]+)`", text)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_commands_in_documents_exist(document):
    targets = make_targets()
    for command in commands(document):
        for target in re.findall(r"^(?:\$ )?make ([a-z-]+)", command.strip()):
            assert target in targets, command
        for file in re.findall(r"\b(?:python|sh) ([\w/]+\.(?:py|sh))", command):
            assert (ROOT / file).is_file(), command
        for module in re.findall(r"\bpython -m (tanoak[\w.]*)", command):
            import_module(module)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_files_named_in_documents_exist(document):
    text = document.read_text(encoding="utf-8")
    links = re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", text)
    assert [link for link in links if not (document.parent / link).exists()] == []
    paths = re.findall(rf"`((?:{FOLDERS})/[\w./-]+)`", text)
    assert [path for path in paths if not (ROOT / path).exists()] == []


# --- system packages of the tests ---


@pytest.fixture
def system_packages(tmp_path):
    """Return a function that runs the script on a list with one missing package."""
    packages = tmp_path / "packages.txt"
    packages.write_text("# all\nthere | true | this\nnot-there | false | that page\n")

    def script(step, **environment):
        settings = {"LIST": str(packages), "APT_GET": "false", "CI": "", **environment}
        return subprocess.run(
            [ROOT / "scripts" / "system_packages.sh", step],
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | settings,
        )

    return script


def test_what_cannot_be_installed_is_left_out_and_named(system_packages):
    assert system_packages("install").returncode == 0
    assert system_packages("missing").stdout.split() == ["not-there"]
    report = system_packages("report")
    assert report.returncode == 0
    assert "that page (needs not-there)" in report.stdout


def test_leaving_out_is_a_failure_in_continuous_integration(system_packages):
    assert system_packages("report", CI="true").returncode == 1


def test_tests_are_left_out_only_for_the_missing_package(tmp_path):
    (tmp_path / "conftest.py").write_text((ROOT / "tests/conftest.py").read_text())
    (tmp_path / "test_page.py").write_text(
        "import pytest\n"
        "@pytest.mark.needs('not-there')\ndef test_page(): assert False\n"
        "@pytest.mark.needs('there')\ndef test_other(): pass\n"
    )
    pytest_here = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider", tmp_path)
    printed = run(*pytest_here, env=os.environ | {"TANOAK_LEFT_OUT": "not-there"})
    assert "1 passed, 1 deselected" in printed
