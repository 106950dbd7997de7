"""In: costs and labels as lists; out: what costs.py must give, by obvious loops."""

from __future__ import annotations

from fractions import Fraction


def slow_answer_costs(values, masses):
    """Add up what answering each class costs at each node, exactly."""
    result = []
    for node in masses:
        totals = []
        for answer in range(len(values)):
            total = Fraction(0)
            for true, mass in enumerate(node):
                total += Fraction(float(mass)) * Fraction(float(values[true][answer]))
            totals.append(total)
        result.append(totals)
    return result


def slow_labels(values, masses):
    """Take the cheapest answer; the first of several that cost the same."""
    labels = []
    for totals in slow_answer_costs(values, masses):
        best = 0
        for answer, total in enumerate(totals):
            if total < totals[best]:
                best = answer
        labels.append(best)
    return labels


def slow_cost_loss(y_true, y_pred, values, classes, weights):
    """Walk over the rows and pay for each answer."""
    paid = weight_of_all = 0.0
    for true, predicted, weight in zip(y_true, y_pred, weights, strict=True):
        cost = values[classes.index(true)][classes.index(predicted)]
        paid += weight * cost
        weight_of_all += weight
    return paid / weight_of_all


def slow_row_cost_loss(y_pred, row_costs, classes, weights):
    """Walk over the rows and pay what the answer costs on that very row."""
    paid = weight_of_all = 0.0
    for row, (predicted, weight) in enumerate(zip(y_pred, weights, strict=True)):
        paid += weight * row_costs[row][classes.index(predicted)]
        weight_of_all += weight
    return paid / weight_of_all


def slow_balanced(counts):
    """Make all mistakes on a class cost n / (K n_k)."""
    n_rows, n_classes = sum(counts), len(counts)
    values = []
    for true in range(n_classes):
        row = []
        for predicted in range(n_classes):
            wrong = true != predicted
            row.append(n_rows / (n_classes * counts[true]) if wrong else 0.0)
        values.append(row)
    return values


def slow_growth_factor(values, priors, y_codes):
    """Sum what a class's mistakes add; correct for how often it occurs in training."""
    factors = []
    for true, row in enumerate(values):
        factor = sum(cost - row[true] for cost in row)
        if priors is not None:
            share = sum(code == true for code in y_codes) / len(y_codes)
            factor *= priors[true] / share
        factors.append(factor)
    return factors


def slow_row_weight(row_costs):
    """Say what is at stake on each row: the dearest answer against the cheapest."""
    return [max(row) - min(row) for row in row_costs]
