"""Newton trees, first part: values that have a distance, and the prototypes of classes.

An attribute may be of any type, numbers, names, sets or texts, as long as any two of its values
have a distance (Martinez et al. 2010). A missing value is None. The second part is `newton.py`.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

TIE = 1e-9  # distances so near to each other, relatively, are equal: no unit decides, no rounding
PLACES = 9  # of masses: those that differ by rounding alone are equal

Value = Any
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


def jaccard(a: frozenset, b: frozenset) -> float:
    """Of sets: the share of their items that only one of them has."""
    return 1 - len(a & b) / len(a | b) if a | b else 0.0


def edit(a: Sequence, b: Sequence) -> int:
    """Of texts and lists: fewest items to insert, delete or replace (Levenshtein 1966)."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        above, row = row, [i]
        for j, y in enumerate(b, start=1):
            row.append(min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (x != y)))
    return row[-1]


def prototypes(
    values: Sequence, y: Sequence, weight: dict[int, float], mass: Sequence, distance: Distance
) -> dict[Value, float]:
    """The prototype of each class of the cases {row: weight}, {value: mass}, the heaviest first.

    A class of `mass` (C,) takes that of its values which is nearest to its cases. If a heavier one
    has taken it, it takes the next-best; if all are taken, it adds its mass to the best one.
    """
    taken: dict[Value, float] = {}
    for c in sorted(range(len(mass)), key=lambda c: -round(mass[c], PLACES)):
        cases = [(values[i], w) for i, w in weight.items() if y[i] == c and values[i] is not None]
        if not cases:
            continue
        costs = {u: cost(u, cases, distance) for u in ascending({value for value, _ in cases})}
        free = {u: total for u, total in costs.items() if u not in taken}
        if free:
            taken[argmin(free)] = mass[c]
        else:
            taken[argmin(costs)] += mass[c]
    return dict(sorted(taken.items(), key=lambda pair: -round(pair[1], PLACES)))


def cost(u: Value, cases: list[tuple[Value, float]], distance: Distance) -> float:
    """How far u is from all cases: least for the median of numbers, the mode of names."""
    return math.fsum(w * distance(u, v) for v, w in cases)


def argmin(costs: dict[Value, float]) -> Value:
    """The value of the least cost, or distance; the first of equals."""
    least = min(costs.values())
    return next(u for u in costs if costs[u] <= least * (1 + TIE))


def ascending(values: set) -> list:
    """Values from the smallest up, sets by their sorted items."""
    return sorted(values, key=lambda v: sorted(v) if isinstance(v, frozenset) else v)


def nearest(
    value: Value, masses: dict[Value, float], distance: Distance, slides: bool = False
) -> Value:
    """The prototype that a training case goes to; of equally near ones the heaviest.

    With `slides` it is the one of greatest m / d**2, or least d / sqrt(m), as the slides have it.
    """
    far = {u: distance(value, u) / (math.sqrt(m) if slides else 1) for u, m in masses.items()}
    return argmin(far)
