"""In: a tree; out: all its pruned subtrees, and the best one, by trying every one."""

from __future__ import annotations

import itertools
import math


def subtrees(tree, node=0):
    """List all pruned subtrees below a node, each as the tuple of its leaves."""
    if tree.left[node] < 0:
        return [(node,)]
    left = subtrees(tree, int(tree.left[node]))
    right = subtrees(tree, int(tree.right[node]))
    return [(node,), *(one + two for one, two in itertools.product(left, right))]


def mean_cost_of_node(tree, node):
    """Mean cost over all training rows of the rows at a node, by its own answer."""
    factor = [1.0] * tree.masses.shape[1]
    if tree.class_factor is not None:
        factor = tree.class_factor.tolist()
    all_rows = sum(m * f for m, f in zip(tree.masses[0].tolist(), factor, strict=True))
    return cost_of_node(tree, node, factor) / (all_rows or 1.0)


def cost_of_node(tree, node, factor):
    """Cost of the rows at a node, by its own answer."""
    if tree.classes is None:
        return float(tree.sse[node])
    label = int(tree.label[node])
    if tree.answer_costs is not None:
        return float(tree.answer_costs[node, label])
    total = 0.0
    for true, mass in enumerate(tree.masses[node].tolist()):
        price = float(true != label)
        if tree.cost is not None:
            price = float(tree.cost.values[true, label])
        total += mass * factor[true] * price
    return total


def cheapest_subtree(tree, alpha):
    """Cost and leaves of the best subtree at a price, the smallest among equals."""
    found = []
    for ends in subtrees(tree):
        cost = sum(mean_cost_of_node(tree, node) for node in ends)
        found.append((cost + alpha * len(ends), len(ends), cost, ends))
    least = min(total for total, *_ in found)
    scale = max(mean_cost_of_node(tree, node) for node in range(tree.n_nodes))
    equal = [one for one in found if one[0] <= least + 1e-10 * scale]
    return min(equal, key=lambda one: one[1])[2:]


def pessimistic_ends(tree, cost, node=0):
    """Leaves after Quinlan's rule, from the root down; `cost` is K x K."""
    n_classes = len(cost)
    factor = [1.0] * n_classes if tree.class_factor is None else tree.class_factor
    mean_wrong = [sum(row) / (n_classes - 1) for row in cost]
    weight = [m * f for m, f in zip(tree.masses[0], factor, strict=True)]
    unit = sum(w * m for w, m in zip(weight, mean_wrong, strict=True)) / sum(weight)

    def rows_and_mistakes(at):
        rows = mistakes = 0.0
        for true in range(n_classes):
            mass = tree.masses[at, true] * factor[true]
            rows += mass * mean_wrong[true] / unit
            mistakes += mass * cost[true][tree.label[at]] / unit
        return rows, mistakes

    if tree.left[node] < 0:
        return [node]
    rows, mistakes = rows_and_mistakes(node)
    inside = range(node, int(tree.subtree_end[node]))
    leaves = [at for at in inside if tree.left[at] < 0]
    below = sum(rows_and_mistakes(at)[1] + 0.5 for at in leaves)
    spread = math.sqrt(max(0.0, below * (rows - below) / rows)) if rows else 0.0
    if mistakes + 0.5 <= below + spread:
        return [node]
    return pessimistic_ends(tree, cost, int(tree.left[node])) + pessimistic_ends(
        tree, cost, int(tree.right[node])
    )


# --- on rows that the tree was not grown on ---


def losses_at(tree, nodes, X, y, cost, row_costs=None):
    """Return what each row costs if the given nodes are the leaves."""
    passed = tree.decision_path(X).toarray()
    result = []
    for row, target in enumerate(y):
        [end] = [node for node in nodes if passed[row, node]]
        if tree.classes is None:
            result.append((target - float(tree.mean[end])) ** 2)
            continue
        true, answer = tree.classes.index(target), int(tree.label[end])
        if row_costs is not None:
            result.append(float(row_costs[row][answer]))
        else:
            result.append(float(true != answer if cost is None else cost[true][answer]))
    return result


def mean_and_error(values, weight):
    """Weighted mean and its standard error, rows drawn one by one."""
    share = [w / sum(weight) for w in weight]
    mean = sum(s * v for s, v in zip(share, values, strict=True))
    squares = [s * s * (v - mean) ** 2 for s, v in zip(share, values, strict=True)]
    return mean, math.sqrt(sum(squares))


def table_of(losses, weight):
    """Columns of the comparison; losses[k] are those of all rows at subtree k."""
    cost, error = zip(*(mean_and_error(each, weight) for each in losses), strict=True)
    best = max(k for k in range(len(cost)) if cost[k] <= min(cost) + 1e-12 * max(cost))
    apart = [
        [a - b for a, b in zip(each, losses[best], strict=True)] for each in losses
    ]
    excess, excess_error = zip(
        *(mean_and_error(each, weight) for each in apart), strict=True
    )
    within = [
        k for k in range(len(cost)) if excess[k] <= excess_error[k] + 1e-12 * max(cost)
    ]
    columns = {
        "cost": cost,
        "standard_error": error,
        "excess": excess,
        "excess_error": excess_error,
    }
    return columns, best, max(within)


def cheapest_on(tree, losses, weight):
    """Leaves of the cheapest of all subtrees, the smallest among equals.

    `losses(ends)` gives what each row costs if `ends` are the leaves.
    """
    found = []
    for ends in subtrees(tree):
        paid = sum(w * v for w, v in zip(weight, losses(ends), strict=True))
        found.append((paid, ends))
    least = min(paid for paid, _ in found)
    scale = max(paid for paid, _ in found)
    equal = [ends for paid, ends in found if paid <= least + 1e-10 * scale]
    return min(equal, key=len)
