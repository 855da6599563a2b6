"""Sums and means of doubles that are rounded once: in memory, and batch by batch."""

import math
from fractions import Fraction

import numpy as np


def exact_mean(x: np.ndarray, add=math.fsum, weight=None) -> float:
    """Return the mean of numbers (n,), n > 0, the same in whatever order they come.

    Their exact sum is divided by n and rounded once; a power of two keeps it below the largest
    double. `add` may be np.sum, thirty times as fast and exact for whole numbers alone.
    """
    n = len(x) if weight is None else weight.sum()
    scale = 0.5 ** int(n).bit_length()
    return float(add(x * scale if weight is None else x * (weight * scale))) / (n * scale)


class ExactSum:
    """The sum of doubles without any rounding, batch by batch, in whatever order.

    A double is a whole number of 53 bits times a power of two. The two halves of these numbers are
    added up for each power: sums of 2^20 halves are exact in doubles.
    """

    def __init__(self):
        self.parts = {}

    def add(self, x: np.ndarray) -> None:
        """Add finite numbers (m,), at most 2^20 of them."""
        if not len(x):
            return
        mantissa, power = np.frexp(x)
        mantissa *= 1 << 27
        high = np.floor(mantissa)
        low, least = (mantissa - high) * (1 << 26), int(power.min())
        for part, bits in ((high, 27), (low, 53)):
            sums = np.bincount(power - least, part)
            for k in sums.nonzero()[0].tolist():
                key = least + k - bits
                self.parts[key] = self.parts.get(key, 0) + int(sums[k])

    def total(self, scale: float = 1.0) -> float:
        """Return the sum, times a power of two, rounded once."""
        total = sum(Fraction(v) * Fraction(2) ** k for k, v in self.parts.items())
        return float(total * Fraction(scale))

    def mean(self, n: float, times: float = 1.0) -> float:
        """Return the mean of n numbers, bit for bit that of `exact_mean`.

        Each was multiplied by a power of two, `times`, before it was added.
        """
        scale = 0.5 ** int(n).bit_length()
        return self.total(scale / times) / (n * scale)
