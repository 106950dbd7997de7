"""The family of errors in; who catches what out."""

from __future__ import annotations

import pytest

from tanoak import exceptions

ERRORS = sorted(set(exceptions.__all__) - {"TanoakError"})


@pytest.mark.parametrize("name", ERRORS)
def test_every_error_is_a_tanoak_error_and_a_value_error(name):
    error = getattr(exceptions, name)
    assert issubclass(error, exceptions.TanoakError)
    assert issubclass(error, ValueError)


def test_a_cell_of_the_wrong_type_is_also_a_type_error():
    assert issubclass(exceptions.CellTypeError, exceptions.TableError)
    assert issubclass(exceptions.CellTypeError, TypeError)
