"""A choice in; sentences about it out, counts first."""

from __future__ import annotations

from curves import credit_curve

from tanoak.datasets import load_german_credit


def test_it_says_counts_rates_and_reason():
    curve = credit_curve()
    point = curve.select(max_fpr=0.3)
    text = str(point)
    assert f"Finds {point.tp:,} of 300 'bad' rows ({point.tpr:.1%};" in text
    assert f"Calls {point.fp:,} of 700 other rows 'bad' ({point.fpr:.2%};" in text
    assert "finds most with max_fpr=0.3, measured out of fold (5 folds)" in text
    assert "costs" not in text.replace("that cost", "")
    assert point.expected_cost is None
    assert repr(point).startswith(f"<OperatingPoint {point.position}: fpr ")


def test_it_agrees_with_the_curve():
    curve = credit_curve()
    point = curve.select(cost={"bad": 5, "good": 1})
    at = point.position
    assert point.model is curve.models[at]
    assert (point.tp, point.fp) == (curve.held_out.tp[at], curve.held_out.fp[at])
    assert (point.fn, point.tn) == (curve.held_out.fn[at], curve.held_out.tn[at])
    assert point.expected_cost == (5 * point.fn + point.fp) / 1000
    assert f"A row costs {point.expected_cost:.4g} on average." in str(point)
    assert point.fpr_interval == curve.held_out.fpr_interval(at)


def test_a_bound_is_stated_with_its_confidence():
    curve = credit_curve()
    rows = list(range(0, 1000, 2))
    credit = load_german_credit()
    columns = {name: [cells[r] for r in rows] for name, cells in credit.columns.items()}
    data = columns, [credit.target[r] for r in rows]
    point = curve.select(max_fpr=0.5, confidence=0.9, data=data)
    assert point.fpr <= point.fpr_bound <= 0.5
    promise = f"With 0.9 confidence at most {point.fpr_bound:.2%} of other rows"
    assert promise in str(point)
