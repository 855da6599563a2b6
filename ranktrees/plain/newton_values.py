"""Newton trees, first part: values that have a distance, and the prototypes of classes.

An attribute may be of any type as long as two of its values have a distance (Martinez et al. 2010).
"""

import math
from collections.abc import Callable
from typing import Any

from ranktrees.plain.tree import Vector

TIE = 1e-9  # distances so near to each other, relatively, are equal: no unit decides, no rounding
PLACES = 9  # of masses: those that differ by rounding alone are equal
Value = Any
Masses = dict[Value, float]
Distance = Callable[[Value, Value], float]


def difference(a: float, b: float) -> float:
    """Of numbers, and of the ranks of ordered names."""
    return abs(a - b)


def unequal(a: Value, b: Value) -> float:
    """Of names: 0 or 1 (the slides' d_nom)."""
    return float(a != b)


def cyclic(period: float) -> Distance:
    """Of hours, weekdays or angles: the shorter way round a circle of this length."""

    def way_round(a: float, b: float) -> float:
        way = abs(a % period - b % period)
        return min(way, period - way)

    return way_round


def jaccard(a: frozenset[Value], b: frozenset[Value]) -> float:
    """Of sets: the share of their items that only one of them has."""
    return 1 - len(a & b) / len(a | b) if a | b else 0.0


def prototypes(
    values: Vector, y: Vector, weight: dict[int, float], mass: Vector, distance: Distance
) -> Masses:
    """A prototype for each class, {value: mass}: that of its values which is nearest to its cases.

    The heaviest class comes first; if no value is free it adds its mass to the best one.
    """

    def as_list(value: Value) -> Value:  # by which sets are in order
        return sorted(value) if issubclass(type(value), frozenset) else value

    taken: Masses = {}
    for c in sorted(range(len(mass)), key=lambda c: -round(mass[c], PLACES)):
        cases = [(values[i], w) for i, w in weight.items() if y[i] == c and values[i] is not None]
        if not cases:
            continue
        costs: dict[Value, float] = {}  # least for the median of numbers, the mode of names
        for u in sorted({value for value, _ in cases}, key=as_list):
            costs[u] = math.fsum(w * distance(u, v) for v, w in cases)
        free = {u: total for u, total in costs.items() if u not in taken}
        best = argmin(free or costs)
        taken[best] = taken.get(best, 0) + mass[c]
    return dict(sorted(taken.items(), key=lambda pair: -round(pair[1], PLACES)))


def argmin(costs: dict[Value, float]) -> Value:
    """The value of the least cost, or distance; the first of equals."""
    least = min(costs.values())
    return next(u for u in costs if costs[u] <= least * (1 + TIE))


def nearest(value: Value, masses: Masses, distance: Distance, slides: bool = False) -> Value:
    """The nearest prototype, the heavier of equals; as in the `slides`, that of least d/sqrt(m)."""
    far = {u: distance(value, u) / (math.sqrt(m) if slides else 1) for u, m in masses.items()}
    return argmin(far)
