"""From numbers to codes: where the cuts between bins lie. A value on a cut is in the lower bin."""

import math
from itertools import pairwise

import numpy as np

from ranktrees.plain.criteria import TIE, entropy, first_best, information_gain
from ranktrees.plain.growing import table
from ranktrees.plain.tree import Array


def codes(x: Array, cuts: list[float]) -> Array:
    """Return the bin (n,) of each number: how many cuts lie below it."""
    return np.array([sum(cut < value for cut in cuts) for value in x], int)


def equal_width(x: Array, n_bins: int = 10) -> list[float]:
    """Return the cuts of bins of equal width; none for a constant."""
    low, high = min(x), max(x)
    width = (high - low) / n_bins
    return [low + width * i for i in range(1, n_bins)] if low < high else []


def equal_frequency(x: Array, n_bins: int = 10) -> list[float]:
    """Cut into bins of about as many cases: the i-th cut follows the case of rank i n / n_bins."""
    values: list[float] = sorted(x)
    last = {values[math.ceil(len(x) * i / n_bins) - 1] for i in range(1, n_bins)} - {values[-1]}
    return sorted(between(value, min(v for v in values if v > value)) for value in last)


def between(low: float, high: float) -> float:
    """Return the number half-way, or `low` if no number lies between them."""
    middle = low + (high / 2 - low / 2)
    return middle if middle < high else low


def entropy_mdl(x: Array, y: Array, C: int) -> list[float]:
    """Cut at the least entropy, recursively, as long as a cut pays (Fayyad & Irani)."""
    values = sorted(set(x))
    cuts = [between(low, high) for low, high in pairwise(values)]
    tables = [table(codes(x, [cut]), y, 2, C) for cut in cuts]
    gains = [information_gain(n) for n in tables]
    best = first_best(gains) if gains else None
    if best is None or gains[best] <= price(tables[best]) + TIE:
        return []
    low = x <= cuts[best]
    halves = entropy_mdl(x[low], y[low], C), entropy_mdl(x[~low], y[~low], C)
    return [*halves[0], cuts[best], *halves[1]]


def price(n: Array) -> float:
    """Return (log2(N - 1) + log2(3^k - 2) - (k E - k1 E1 - k2 E2)) / N; E is entropy (Eq. 9)."""

    def k_times_entropy(counts: Array) -> float:
        return (counts > 0).sum() * entropy(counts)

    N, k = n.sum(), n.any(axis=0).sum()
    delta = math.log2(3**k - 2) - (k_times_entropy(n.sum(axis=0)) - sum(map(k_times_entropy, n)))
    return (math.log2(N - 1) + delta) / N


if __name__ == "__main__":
    x, y = np.array([1.0, 2.0, 3.0, 10.0, 11.0, 30.0] * 2), np.array([0, 0, 0, 1, 1, 1] * 2)
    for cuts in equal_width(x, 3), equal_frequency(x, 3), entropy_mdl(x, y, 2):
        print([round(float(cut), 2) for cut in cuts], codes(x[:6], cuts))
    # [10.67, 20.33] [0 0 0 0 1 2]
    # [2.5, 10.5] [0 0 1 1 2 2]
    # [6.5] [0 0 0 1 1 1]
