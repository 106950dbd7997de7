from __future__ import annotations

from tanoak.estimators import _progress
from tanoak.estimators._progress import progress_for


def test_silent_by_default():
    assert progress_for(0, 100) is None


def test_a_line_now_and_then(capsys, monkeypatch):
    clock = iter([0.0, 0.5, 1.25, 1.5, 2.5])
    monkeypatch.setattr(_progress.time, "monotonic", lambda: next(clock))
    report = progress_for(1, 2_000_000)
    for done in (100, 500_000, 600_000, 1_999_000):
        report(done)
    assert capsys.readouterr().err.splitlines() == [
        "tanoak:  25% of 2,000,000 rows have reached a leaf, 1 s",
        "tanoak: 100% of 2,000,000 rows have reached a leaf, 2 s",
    ]


def test_more_lines_when_asked(capsys, monkeypatch):
    clock = iter([0.0, 0.2, 0.3, 0.7])
    monkeypatch.setattr(_progress.time, "monotonic", lambda: next(clock))
    report = progress_for(4, 100)
    for done in (10, 20, 30):
        report(done)
    assert len(capsys.readouterr().err.splitlines()) == 1 + 1
