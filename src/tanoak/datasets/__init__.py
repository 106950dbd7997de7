"""In: nothing; out: small data sets that ship with tanoak, with their costs."""

from __future__ import annotations

from tanoak.datasets._datasets import Dataset, load_german_credit

__all__ = ["Dataset", "load_german_credit"]
