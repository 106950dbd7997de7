"""Four rows that fit; and what a call must say that does not."""

from __future__ import annotations

import pickle
import re

import numpy as np
import pandas as pd
import pytest

ROWS = np.array([[1.0, 5.0], [2.0, 6.0], [3.0, 7.0], [4.0, 8.0]])
TEXTS = ["a", "b", "a", "b"]
NUMBERS = [1.0, 2.0, 3.0, 4.0]

SHAPE = (
    "Reshape your data either using array.reshape(-1, 1) if it is a single column or "
    "array.reshape(1, -1) if it is a single row."
)


def with_cell(row, column, value):
    """Return the four rows with another value in one cell."""
    rows = ROWS.copy()
    rows[row, column] = value
    return rows


def no_number(what, value):
    """Say which value is no number."""
    return f"{what} is {value}, which is not a number: give one such as 1 or 0.5"


def check_refused(call, message, error=ValueError):
    """Expect exactly this message; `...` stands for the words of other libraries."""
    with pytest.raises(error) as caught:
        call()
    pattern = re.escape(message).replace(r"\.\.\.", ".*")
    assert re.fullmatch(pattern, str(caught.value), re.DOTALL), str(caught.value)


def written(*values):
    """Write values down, so that any change would show."""
    return [
        repr((value.dtypes, value.to_numpy(dtype=object).tolist()))
        if isinstance(value, pd.DataFrame)
        else pickle.dumps(value)
        for value in values
    ]
