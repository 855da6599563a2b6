"""Newton trees, first part: values that have a distance, and the prototypes of classes.

An attribute may be of any type as long as two of its values have a distance (Martinez et al. 2010).
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ranktrees.plain.tree import Vector

TIE = 1e-9  # relative: distances so close are equal in every unit of measurement
DECIMALS = 9  # masses that agree so far are equal
Value = Any
Distance = Callable[[Value, Value], float]


class Prototype(NamedTuple):
    """A value that represents a class, and the mass of that class."""

    value: Value
    mass: float


def difference(a: float, b: float) -> float:
    """Return |a - b| of numbers, or of the ranks of ordered names."""
    return abs(a - b)


def unequal(a: Value, b: Value) -> float:
    """Return 0 for equal names and 1 for others: the slides' d_nom."""
    return float(a != b)


def cyclic(period: float) -> Distance:
    """Return the distance the shorter way round a circle of this length, for hours or angles."""

    def way_round(a: float, b: float) -> float:
        way = abs(a % period - b % period)
        return min(way, period - way)

    return way_round


def jaccard(a: frozenset[Value], b: frozenset[Value]) -> float:
    """Return the share of the items of two sets that only one of them has."""
    return 1 - len(a & b) / len(a | b) if a | b else 0.0


def prototypes(
    values: Vector, y: Vector, weight: dict[int, float], mass: Vector, distance: Distance
) -> list[Prototype]:
    """Find the prototype of each class: its value of lowest mean distance to its cases (step 1).

    The heaviest class comes first. A class whose values are all taken adds its mass to the best.
    """
    chosen: list[Prototype] = []
    for c in sorted(range(len(mass)), key=lambda c: -round(mass[c], DECIMALS)):
        cases = [(values[i], w) for i, w in weight.items() if y[i] == c and values[i] is not None]
        if not cases:
            continue
        taken = [prototype.value for prototype in chosen]
        distinct = in_order([value for value, _ in cases])
        free = [u for u in distinct if u not in taken] or distinct
        best = free[first_least([total_distance(u, cases, distance) for u in free])]
        if best in taken:
            k = taken.index(best)
            chosen[k] = Prototype(best, chosen[k].mass + mass[c])
        else:
            chosen.append(Prototype(best, mass[c]))
    return sorted(chosen, key=lambda prototype: -round(prototype.mass, DECIMALS))


def in_order(values: list[Value]) -> list[Value]:
    """Return the distinct values, sorted; sets are sorted by their items."""
    ranked = sorted(values, key=lambda value: sorted(value) if is_set(value) else value)
    return [u for i, u in enumerate(ranked) if i == 0 or u != ranked[i - 1]]


def is_set(value: Value) -> bool:
    """Return whether a value is a set, a collection of items without order."""
    return isinstance(value, frozenset | set)


def total_distance(u: Value, cases: list[tuple[Value, float]], distance: Distance) -> float:
    """Sum the weighted distances of cases from value u: least at the median, or the mode."""
    return math.fsum(w * distance(u, value) for value, w in cases)


def first_least(costs: Sequence[float]) -> int:
    """Return the position of the least cost, or distance; the first of several equal ones."""
    least = min(costs)
    return next(k for k, cost in enumerate(costs) if cost <= least * (1 + TIE))


def nearest(
    value: Value, choices: Sequence[Prototype], distance: Distance, reading: str = "nearest"
) -> int:
    """Return the position of a training case's prototype; of equal ones the heavier (step 3).

    The slides take the greatest attraction m / d**2, where d = 0 attracts without limit:
    `reading="talk"`. By default, `reading="nearest"`, the masses do not count.
    """
    far = [distance(value, prototype.value) for prototype in choices]
    if reading == "talk":  # the greatest m / d**2 has the least d / sqrt(m)
        far = [d / math.sqrt(choices[k].mass) for k, d in enumerate(far)]
    return first_least(far)


if __name__ == "__main__":
    hours, late = [22, 23, 1, 9, 10, 11, 9], [1, 1, 1, 0, 0, 0, 0]
    choices = prototypes(hours, late, dict.fromkeys(range(7), 1.0), [4, 3], cyclic(24))
    print(*choices, sep="\n")
    for reading in "nearest", "talk":
        print(reading, choices[nearest(3.8, choices, cyclic(24), reading)].value)
    # Prototype(value=9, mass=4)
    # Prototype(value=23, mass=3)
    # nearest 23
    # talk 9
