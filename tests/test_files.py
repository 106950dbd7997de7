"""Paths in; bytes up to a limit, or a file written whole or not at all, out."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from trees import credit_tree

import tanoak._files
from tanoak._files import read_bounded, write_whole
from tanoak._tree import Tree
from tanoak.exceptions import TreeFormatError


def test_what_is_written_is_read(tmp_path):
    path = tmp_path / "a b\n.tanoak"
    write_whole(path, "ä\n")
    assert read_bounded(path) == b"\xc3\xa4\n"
    write_whole(str(path), "again\n")
    assert read_bounded(os.fspath(path)) == b"again\n"
    assert os.listdir(tmp_path) == [path.name]  # noqa: PTH208 names, hidden ones too


def test_only_enough_is_read_to_see_that_a_file_is_too_long(tmp_path, monkeypatch):
    monkeypatch.setattr(tanoak._files, "MAX_SIZE", 10)
    path = tmp_path / "long"
    path.write_bytes(b"x" * 1000)
    assert len(read_bounded(path)) == 11


def test_an_endless_file_is_refused(monkeypatch):
    monkeypatch.setattr(tanoak._files, "MAX_SIZE", 1000)
    monkeypatch.setattr(tanoak._format, "MAX_SIZE", 1000)
    with pytest.raises(TreeFormatError, match="longer than 1000 bytes"):
        Tree.load("/dev/zero")


@pytest.mark.parametrize("fails", ["fsync", "replace"])
def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, fails):
    path = tmp_path / "model.tanoak"
    path.write_text("old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os if fails == "fsync" else Path, fails, full)
    with pytest.raises(OSError, match="No space left"):
        write_whole(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_device_is_an_error_not_a_silence():
    with pytest.raises(OSError, match="No space left"):
        write_whole("/dev/full", "text")


def test_permissions_follow_the_umask_or_the_old_file(tmp_path):
    path = tmp_path / "model"
    before = os.umask(0o027)
    try:
        write_whole(path, "1")
        assert path.stat().st_mode & 0o777 == 0o640
        path.chmod(0o600)
        write_whole(path, "2")
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_link_stays_a_link(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    write_whole(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_a_pipe_is_written_and_stays_a_pipe(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    heard = []
    reader = threading.Thread(target=lambda: heard.append(pipe.read_text()))
    reader.start()
    write_whole(pipe, "text")
    reader.join(timeout=10)
    assert heard == ["text"]
    assert pipe.is_fifo()


def test_a_missing_file_is_the_usual_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        Tree.load(tmp_path / "none.tanoak")


@pytest.mark.parametrize("as_path", [str, Path])
def test_a_missing_folder_is_named_and_the_path(tmp_path, as_path):
    folder = tmp_path / "no folder"
    path = folder / "model.tanoak"
    with pytest.raises(FileNotFoundError) as caught:
        credit_tree().save(as_path(path))
    assert caught.value.filename == str(path)
    assert str(caught.value) == (
        f"[Errno 2] the folder {str(folder)!r} does not exist; create it first: "
        f"{str(path)!r}"
    )


def test_a_folder_that_cannot_be_written_to_is_not_blamed_on_another_file(tmp_path):
    (tmp_path / "file").write_text("no folder")
    path = tmp_path / "file" / "model.tanoak"
    with pytest.raises(NotADirectoryError) as caught:
        credit_tree().save(path)
    assert caught.value.filename == str(path)
