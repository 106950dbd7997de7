"""Cells in; frames of each library, and comparisons bit by bit, out."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

FRAMES = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
}


def same(values, expected):
    """Compare values bit by bit, NaN with NaN, whatever the memory order."""
    assert values.dtype == expected.dtype
    assert values.shape == expected.shape
    assert np.ascontiguousarray(values).tobytes() == expected.tobytes()
