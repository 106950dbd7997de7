"""Parameters and rules in; silence or the exact sentence out."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from tanoak._params import (
    Boolean,
    InstanceOf,
    Integer,
    Number,
    OneOf,
    check_params,
)
from tanoak.exceptions import ParameterError

DEPTH = (None, Integer(1))
SHARE = Number(0, 1, above=True)
LEAF = (Integer(1), Number(0, 1, above=True, below=True))
CRITERION = OneOf("gini", "entropy")
STATE = (None, Integer(0, 2**32 - 1), InstanceOf(np.random.RandomState, "a state"))


@pytest.mark.parametrize(
    ("rule", "value"),
    [
        (DEPTH, None),
        (DEPTH, 1),
        (DEPTH, np.int64(7)),
        (DEPTH, 10**30),
        (Integer(), -(10**30)),
        (Integer(1, 3), 3),
        (SHARE, 1),
        (SHARE, 1e-300),
        (SHARE, np.float32(0.5)),
        (SHARE, Fraction(1, 2)),
        (Number(), -1e308),
        (Number(0), 0),
        (LEAF, 1),
        (LEAF, 0.999),
        (CRITERION, "gini"),
        (CRITERION, np.str_("entropy")),
        (OneOf(-1, "all"), -1),
        (Boolean(), False),
        (Boolean(), np.True_),
        (STATE, np.random.RandomState(0)),
        (STATE, 2**32 - 1),
    ],
)
def test_allowed(rule, value):
    check_params({"setting": value}, {"setting": rule})


REFUSED = [
    (DEPTH, -3, "None or an integer >= 1, got -3"),
    (DEPTH, 0, "None or an integer >= 1, got 0"),
    (DEPTH, 3.0, "None or an integer >= 1, got 3.0"),
    (DEPTH, "3", "None or an integer >= 1, got '3'"),
    (DEPTH, True, "None or an integer >= 1, got True"),
    (DEPTH, [3], "None or an integer >= 1, got [3]"),
    (Integer(1, 3), 4, "an integer >= 1 and <= 3, got 4"),
    (Integer(1, 3), None, "an integer >= 1 and <= 3, got None"),
    (Integer(), np.float64(1.0), "an integer, got 1.0"),
    (SHARE, 0, "a number > 0 and <= 1, got 0"),
    (SHARE, 1.5, "a number > 0 and <= 1, got 1.5"),
    (SHARE, float("nan"), "a number > 0 and <= 1, got nan"),
    (SHARE, False, "a number > 0 and <= 1, got False"),
    (SHARE, 0.5j, "a number > 0 and <= 1, got 0.5j"),
    (SHARE, Decimal("0.5"), "a number > 0 and <= 1, got Decimal('0.5')"),
    (Number(0), float("inf"), "a number >= 0, got inf"),
    (Number(0), -1e-9, "a number >= 0, got -1e-09"),
    (Number(high=0, below=True), 0, "a number < 0, got 0"),
    (Number(), float("-inf"), "a number, got -inf"),
    (LEAF, 1.0, "an integer >= 1 or a number > 0 and < 1, got 1.0"),
    (CRITERION, "ginni", "'gini' or 'entropy', got 'ginni'; did you mean 'gini'?"),
    (CRITERION, "GINI", "'gini' or 'entropy', got 'GINI'; did you mean 'gini'?"),
    (CRITERION, "mse", "'gini' or 'entropy', got 'mse'"),
    (CRITERION, np.array(["gini"]), "'gini' or 'entropy', got array(['gini'], "),
    (OneOf(1), True, "1, got True"),
    (OneOf(True), 1, "True, got 1"),
    (Boolean(), 1, "True or False, got 1"),
    (STATE, -1, "None, an integer >= 0 and <= 4294967295 or a state, got -1"),
]


@pytest.mark.parametrize(("rule", "value", "rest"), REFUSED)
def test_refused_with_what_is_allowed(rule, value, rest):
    with pytest.raises(ParameterError) as caught:
        check_params({"setting": value}, {"setting": rule})
    message = str(caught.value)
    assert message.startswith(f"setting must be {rest}")
    if not isinstance(value, np.ndarray):
        assert message == f"setting must be {rest}"


def test_an_integer_no_double_holds_is_refused_not_a_crash():
    with pytest.raises(ParameterError, match=r"^share must be a number >= 0, got 1000"):
        check_params({"share": 10**400}, {"share": Number(0)})


def test_a_parameter_without_a_rule_may_be_anything():
    check_params({"cost": object(), "depth": 2}, {"depth": Integer(1), "other": DEPTH})


def test_the_first_broken_rule_is_named():
    with pytest.raises(ParameterError, match="^depth must be"):
        check_params({"fine": 1, "depth": 0}, {"fine": Integer(1), "depth": Integer(1)})
