"""In: UCI's German credit file; out: the CSV that ships, its codes spelt out.

    python scripts/make_german_credit.py german.data

The file is `german.data` of UCI's archive (blanks between the fields, no names) or the
same codes as a CSV with a line of names, compressed or not. The words are those of
`german.doc` there, shortened to fit a line of a printed tree.
"""

from __future__ import annotations

import argparse
import csv
import gzip
from pathlib import Path

SHIPPED = Path(__file__).parent.parent / "src/tanoak/datasets/german_credit.csv"

# Columns in UCI's order; None where the file holds numbers.
COLUMNS: dict[str, dict[str, str] | None] = {
    "checking_account": {
        "A11": "< 0 DM",
        "A12": "0 to < 200 DM",
        "A13": ">= 200 DM",
        "A14": "no account",
    },
    "duration_months": None,
    "credit_history": {
        "A30": "none or all paid back",
        "A31": "all here paid back",
        "A32": "paid back till now",
        "A33": "delays in the past",
        "A34": "critical account",
    },
    "purpose": {
        "A40": "new car",
        "A41": "used car",
        "A42": "furniture",
        "A43": "radio or TV",
        "A44": "appliances",
        "A45": "repairs",
        "A46": "education",
        "A47": "vacation",
        "A48": "retraining",
        "A49": "business",
        "A410": "other",
    },
    "credit_amount": None,
    "savings": {
        "A61": "< 100 DM",
        "A62": "100 to < 500 DM",
        "A63": "500 to < 1000 DM",
        "A64": ">= 1000 DM",
        "A65": "unknown or none",
    },
    "employed_since": {
        "A71": "unemployed",
        "A72": "< 1 year",
        "A73": "1 to < 4 years",
        "A74": "4 to < 7 years",
        "A75": ">= 7 years",
    },
    "installment_rate": None,
    "personal_status": {
        "A91": "male divorced",
        "A92": "female divorced/married",
        "A93": "male single",
        "A94": "male married/widowed",
        "A95": "female single",
    },
    "other_debtors": {"A101": "none", "A102": "co-applicant", "A103": "guarantor"},
    "residence_since": None,
    "property": {
        "A121": "real estate",
        "A122": "savings or insurance",
        "A123": "car or other",
        "A124": "unknown or none",
    },
    "age": None,
    "other_plans": {"A141": "bank", "A142": "stores", "A143": "none"},
    "housing": {"A151": "rent", "A152": "own", "A153": "free"},
    "existing_credits": None,
    "job": {
        "A171": "unskilled non-resident",
        "A172": "unskilled resident",
        "A173": "skilled",
        "A174": "highly qualified",
    },
    "dependents": None,
    "telephone": {"A191": "no", "A192": "yes"},
    "foreign_worker": {"A201": "yes", "A202": "no"},
    "credit_risk": {"1": "good", "2": "bad", "good": "good", "bad": "bad"},
}


def read_fields(path: Path) -> list[list[str]]:
    """Read the fields of every row, the line of names left out."""
    content = path.read_bytes()
    if path.suffix == ".gz":
        content = gzip.decompress(content)
    lines = content.decode("ascii").split("\n")
    separator = "," if "," in lines[0] else None
    rows = [line.split(separator) for line in lines if line.strip()]
    return rows[1:] if rows[0][-1].strip() == "class" else rows


def decode(rows: list[list[str]]) -> list[list[str]]:
    """Put words for codes."""
    decoded = []
    for number, fields in enumerate(rows, start=1):
        if len(fields) != len(COLUMNS):
            msg = f"row {number} has {len(fields)} fields; the UCI file has 21"
            raise SystemExit(msg)
        row = []
        for (name, words), field in zip(COLUMNS.items(), fields, strict=True):
            code = field.strip()
            known = code.isdecimal() if words is None else code in words
            if not known:
                msg = f"row {number}: {code!r} is no value of {name}"
                raise SystemExit(msg)
            row.append(code if words is None else words[code])
        decoded.append(row)
    return decoded


def write(rows: list[list[str]], path: Path) -> None:
    """Write names and rows as CSV."""
    with path.open("w", encoding="ascii", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(rows)


def main() -> None:
    """Read the file that the command names, write the one that ships."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Path, help="UCI's file")
    parser.add_argument("--output", type=Path, default=SHIPPED)
    given = parser.parse_args()
    rows = decode(read_fields(given.source))
    write(rows, given.output)
    print(f"{len(rows)} rows, {len(COLUMNS)} columns written to {given.output.name}")


if __name__ == "__main__":
    main()
