"""In: a tree and one row; out: its leaf, walked by hand with Python floats."""

from __future__ import annotations

import math


def leaf_of(tree, row):
    """Walk one row down; codes of levels are numbers, NaN is missing."""
    return path_of(tree, row)[-1]


def path_of(tree, row):
    """List the nodes that one row passes."""
    passed = [0]
    while int(tree.left[passed[-1]]) != -1:
        node = passed[-1]
        child = tree.left[node] if goes_left(tree, node, row) else tree.right[node]
        passed.append(int(child))
    return passed


def goes_left(tree, node, row):
    """Decide at one split."""
    terms = terms_of(tree, node)
    missing_left = bool(tree.missing_left[node])
    start, end = int(tree.subset_start[node]), int(tree.subset_start[node + 1])
    column, level, weight = terms[0]
    value = float(row[column])
    if end > start:
        if math.isnan(value):
            return missing_left
        code = int(value)
        word = int(tree.subset_words[start + code // 64])
        return (word >> (code % 64)) & 1 == 1
    if len(terms) == 1 and level == -1 and weight == 1.0:
        if math.isnan(value):
            return missing_left
        return value <= float(tree.threshold[node])
    total = weighted_sum(terms, row, tree.fill)
    return missing_left if math.isnan(total) else total <= float(tree.threshold[node])


def terms_of(tree, node):
    """List (column, level, weight) of one split."""
    numbers = range(int(tree.term_start[node]), int(tree.term_start[node + 1]))
    return [
        (int(tree.term_column[t]), int(tree.term_level[t]), float(tree.term_weight[t]))
        for t in numbers
    ]


def weighted_sum(terms, row, fill):
    """Add the terms up in eight lanes, each column in the lane of its number."""
    lane = [0.0] * 8
    for column, level, weight in terms:
        value = float(row[column])
        if math.isnan(value):
            value = float(fill[column])
        if level >= 0:
            value = 1.0 if value == level else 0.0
        lane[column % 8] = lane[column % 8] + weight * value
    even = (lane[0] + lane[4]) + (lane[2] + lane[6])
    odd = (lane[1] + lane[5]) + (lane[3] + lane[7])
    return even + odd
