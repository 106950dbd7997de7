"""The shipped data in; columns, target and costs as UCI gave them, in every form."""

from __future__ import annotations

import csv
import gzip
import subprocess
import sys
from dataclasses import FrozenInstanceError
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from tanoak.costs import CostMatrix
from tanoak.datasets import load_german_credit
from tanoak.exceptions import ParameterError

ROOT = Path(__file__).parent.parent
SCRIPT = ROOT / "scripts" / "make_german_credit.py"
SHIPPED = ROOT / "src" / "tanoak" / "datasets" / "german_credit.csv"


@pytest.fixture(scope="module")
def credit():
    """Return the data set."""
    return load_german_credit()


def test_size_and_kinds(credit):
    assert len(credit.columns) == 20
    assert {len(values) for values in credit.columns.values()} == {1000}
    numeric = {k for k, v in credit.columns.items() if isinstance(v, np.ndarray)}
    assert numeric == {
        "duration_months",
        "credit_amount",
        "installment_rate",
        "residence_since",
        "age",
        "existing_credits",
        "dependents",
    }
    assert {credit.columns[name].dtype for name in numeric} == {np.dtype(np.int64)}


def test_the_figures_of_the_original(credit):
    assert dict(zip(*np.unique(credit.target, return_counts=True), strict=True)) == {
        "bad": 300,
        "good": 700,
    }
    columns = credit.columns
    assert columns["credit_amount"].sum() == 3_271_258  # a mean of 3271.258
    assert columns["checking_account"].count("no account") == 394
    assert columns["foreign_worker"].count("no") == 37
    first = {name: values[0] for name, values in columns.items()}
    assert (first["checking_account"], first["purpose"]) == ("< 0 DM", "radio or TV")
    assert (first["age"], first["credit_amount"]) == (67, 1169)


def test_calling_a_bad_risk_good_is_the_dear_mistake(credit):
    assert credit.cost == CostMatrix.from_any(
        {"bad": {"good": 5}, "good": {"bad": 1}}, ["bad", "good"]
    )


def test_the_record_is_frozen_and_says_where_it_comes_from(credit):
    with pytest.raises(FrozenInstanceError):
        credit.name = "other"
    for word in ("Hans Hofmann", "UCI", "CC BY 4.0", "changed"):
        assert word in " ".join(credit.description.split())
    assert repr(credit).startswith("<Dataset 'German credit': 1000 rows, 20 columns")


def test_levels_fit_the_line_of_a_printed_tree(credit):
    from tanoak._sentences import label_text

    levels = {x for v in credit.columns.values() if isinstance(v, list) for x in v}
    assert [level for level in levels if label_text(level) != level] == []


def test_each_call_gives_its_own_columns(credit):
    credit_again = load_german_credit()
    credit_again.columns["age"][0] = 0
    assert credit.columns["age"][0] == load_german_credit().columns["age"][0] == 67


# --- other forms ---


def test_rows_keep_text_and_whole_numbers(credit):
    rows = credit.rows()
    assert rows.shape == (1000, 20)
    assert {type(cell) for cell in rows[0]} == {str, int}
    for position, values in enumerate(credit.columns.values()):
        assert rows[:, position].tolist() == list(values)


@pytest.mark.parametrize(
    ("library", "kind"),
    [("pandas", pd.DataFrame), ("polars", pl.DataFrame), ("pyarrow", pa.Table)],
)
def test_frames_of_all_libraries(credit, library, kind):
    frame = credit.frame(library)
    assert isinstance(frame, kind)
    names = frame.column_names if kind is pa.Table else list(frame.columns)
    assert names == list(credit.columns)
    for name, values in credit.columns.items():
        column = frame[name]
        read = {pd.DataFrame: "tolist", pl.DataFrame: "to_list", pa.Table: "to_pylist"}
        assert getattr(column, read[kind])() == list(values)


def test_a_library_is_chosen_by_what_is_installed(credit, monkeypatch):
    from tanoak.datasets import _datasets

    assert isinstance(credit.frame(), pd.DataFrame)
    monkeypatch.setattr(_datasets, "find_spec", lambda name: name == "polars" or None)
    assert isinstance(credit.frame(), pl.DataFrame)
    with pytest.raises(ParameterError, match="needs pandas, which is not installed"):
        credit.frame("pandas")
    monkeypatch.setattr(_datasets, "find_spec", lambda name: None)
    with pytest.raises(ParameterError, match=r"pandas or polars or pyarrow.*\.rows()"):
        credit.frame()


def test_an_unknown_library_is_refused(credit):
    with pytest.raises(ParameterError, match="library is 'dask': give one of pandas"):
        credit.frame("dask")


# --- the script that makes the file ---


@pytest.fixture(scope="module")
def words_of():
    """Return the words of the codes of each column, from the script's own table."""
    spec = spec_from_file_location("make_german_credit", SCRIPT)
    script = module_from_spec(spec)
    spec.loader.exec_module(script)
    return script.COLUMNS


@pytest.fixture(scope="module")
def codes(words_of):
    """Return the codes of the words of each column."""
    return {
        name: words and {word: code for code, word in reversed(words.items())}
        for name, words in words_of.items()
    }


@pytest.fixture(scope="module")
def original(codes):
    """Return the rows with the codes of the original file."""
    with SHIPPED.open(encoding="ascii", newline="") as file:
        names, *rows = csv.reader(file)
    return [
        [codes[n][cell] if codes[n] else cell for n, cell in zip(names, r, strict=True)]
        for r in rows
    ]


def make(source, output):
    """Run the script."""
    command = [sys.executable, SCRIPT, source, "--output", output]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_no_two_codes_share_a_word(words_of, codes):
    shared = {n for n in codes if codes[n] and len(codes[n]) < len(words_of[n])}
    assert shared == {"credit_risk"}  # 1 and good are the same


def test_the_original_gives_the_shipped_file(original, tmp_path):
    assert original[0][:4] == ["A11", "6", "A34", "A43"]
    source, output = tmp_path / "german.data", tmp_path / "made.csv"
    source.write_text("".join(" ".join(row) + " \n" for row in original))
    done = make(source, output)
    assert done.stdout == "1000 rows, 21 columns written to made.csv\n"
    assert output.read_bytes() == SHIPPED.read_bytes()


def test_a_compressed_csv_gives_the_shipped_file(original, tmp_path):
    source, output = tmp_path / "german.csv.gz", tmp_path / "made.csv"
    lines = [",".join("x" * 20), *(",".join(row) for row in original)]
    lines[0] += ",class"
    source.write_bytes(gzip.compress("\r\n".join(lines).encode()))
    assert make(source, output).returncode == 0
    assert output.read_bytes() == SHIPPED.read_bytes()


@pytest.mark.parametrize(
    ("position", "value", "message"),
    [
        (0, "A15", "row 2: 'A15' is no value of checking_account"),
        (1, "six", "row 2: 'six' is no value of duration_months"),
        (20, "3", "row 2: '3' is no value of credit_risk"),
        (20, "1 1", "row 2 has 22 fields; the UCI file has 21"),
    ],
)
def test_what_is_not_the_original_is_refused(
    original, tmp_path, position, value, message
):
    rows = [list(row) for row in original[:3]]
    rows[1][position] = value
    source = tmp_path / "german.data"
    source.write_text("".join(" ".join(row) + "\n" for row in rows))
    done = make(source, tmp_path / "made.csv")
    assert (done.returncode, done.stderr.strip()) == (1, message)
    assert not (tmp_path / "made.csv").exists()
