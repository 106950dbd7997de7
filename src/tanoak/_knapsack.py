"""In: gains, weights and a budget; out: the subset of most gain that fits, exactly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["best_subset"]

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

# Float sums of the same items in another order may differ by this much.
_ROUNDING = 1e-12


def best_subset(gain: FloatArray, weight: FloatArray, budget: float) -> BoolArray:
    """Choose the items of greatest total gain whose total weight is within a budget.

    Parameters
    ----------
    gain, weight : array of float64, shape (n,)
        Not negative; whole numbers are added without rounding.
    budget : float
        Not negative.

    Returns
    -------
    numpy.ndarray of bool, shape (n,)
        Which items are chosen; of equal gains the lightest choice. Items without
        gain are left out.

    Examples
    --------
    >>> best_subset(np.array([6.0, 5.0, 5.0]), np.array([6.0, 5.0, 5.0]), 10.0)
    array([False,  True,  True])
    """
    useful = np.flatnonzero(gain > 0)
    # Best ratio first: greedy prefixes are then the optimum of the relaxed problem.
    with np.errstate(divide="ignore"):
        ratio = gain[useful] / weight[useful]
    order = useful[np.argsort(-ratio, kind="stable")]
    chosen = np.zeros(len(gain), dtype=np.bool_)
    chosen[order[_search(gain[order], weight[order], budget)]] = True
    return chosen


@dataclass
class _States:
    """Undominated choices among the items so far; weight and gain both rise."""

    weight: FloatArray
    gain: FloatArray


def _search(gain: FloatArray, weight: FloatArray, budget: float) -> NDArray[np.int64]:
    """Return the positions of the best choice among items sorted by ratio.

    Dynamic programming over undominated choices (Nemhauser and Ullmann), which drops
    those that even the relaxed rest cannot lift to the best complete choice known.
    """
    sums = _States(_running_sum(weight), _running_sum(gain))
    states = _States(np.zeros(1), np.zeros(1))
    steps: list[tuple[NDArray[np.int64], BoolArray]] = []
    for item in range(len(gain)):
        states, parent, took = _with_item(states, weight[item], gain[item], budget)
        kept = _promising(states, sums, item + 1, budget)
        states = _States(states.weight[kept], states.gain[kept])
        steps.append((parent[kept], took[kept]))
    return _trace(steps, len(states.gain) - 1)


def _running_sum(values: FloatArray) -> FloatArray:
    """Add up the first 0, 1, ..., n values."""
    return np.concatenate(([0.0], np.cumsum(values)))


def _with_item(
    states: _States, weight: float, gain: float, budget: float
) -> tuple[_States, NDArray[np.int64], BoolArray]:
    """Leave out or take one more item, and drop what is dominated."""
    fits = np.flatnonzero(states.weight + weight <= budget)
    parent = np.concatenate((np.arange(len(states.weight)), fits))
    took = np.arange(len(parent)) >= len(states.weight)
    weights = states.weight[parent] + took * weight
    gains = states.gain[parent] + took * gain
    order = np.lexsort((-gains, weights))
    best_before = np.maximum.accumulate(np.concatenate(([-1.0], gains[order][:-1])))
    order = order[gains[order] > best_before]
    return _States(weights[order], gains[order]), parent[order], took[order]


def _promising(
    states: _States, sums: _States, item: int, budget: float
) -> NDArray[np.int64]:
    """Return the choices that the items from `item` on could make the best one."""
    room = sums.weight[item] + (budget - states.weight)
    end = np.searchsorted(sums.weight, room, side="right") - 1
    end = np.maximum(end, item)
    complete = states.gain + (sums.gain[end] - sums.gain[item])
    following = np.minimum(end, len(sums.gain) - 2)
    step_weight = sums.weight[following + 1] - sums.weight[following]
    step_gain = sums.gain[following + 1] - sums.gain[following]
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.clip((room - sums.weight[end]) / step_weight, 0.0, 1.0)
    part = np.where(step_weight > 0, share, 1.0) * step_gain
    part[end == len(sums.gain) - 1] = 0.0
    floor = complete.max() * (1 - _ROUNDING)
    return np.flatnonzero(complete + part >= floor)


def _trace(
    steps: list[tuple[NDArray[np.int64], BoolArray]], state: int
) -> NDArray[np.int64]:
    """Follow a final choice back to its items."""
    items = []
    for item in reversed(range(len(steps))):
        parent, took = steps[item]
        if took[state]:
            items.append(item)
        state = int(parent[state])
    return np.array(items[::-1], dtype=np.int64)
