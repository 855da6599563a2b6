"""Random numbers as Java draws them, so that Weka's folds and samples can be drawn again."""

import numpy as np

from ranktrees_engine.basics.kinds import ArrayLike


class JavaRandom:
    """`java.util.Random`: a 48-bit linear congruential generator (Knuth, TAOCP 2, 3.2.1)."""

    def __init__(self, seed: int):
        self._state = (seed ^ 0x5DEECE66D) % 2**48

    def integers(self, bounds: ArrayLike) -> np.ndarray:
        """Draw one `nextInt(bound)` for each of `bounds` (m,), in their order: (m,) int64.

        Raises ValueError unless every bound lies between 1 and 2^31 - 1.
        """
        bounds = np.asarray(bounds, np.int64)
        if len(bounds) and not (bounds.min() >= 1 and bounds.max() < 2**31):
            raise ValueError("bounds must lie between 1 and 2^31 - 1, as Java's whole numbers")
        return np.array([self._below(bound) for bound in bounds.tolist()], np.int64)

    def doubles(self, n: int) -> np.ndarray:
        """Draw n values of `nextDouble` (n,), in [0, 1): 26 bits of a state, 27 of the next."""
        return np.array([(self._bits(26) << 27) + self._bits(27) for _ in range(n)]) / 2**53

    def _bits(self, n):
        self._state = (self._state * 0x5DEECE66D + 0xB) % 2**48
        return self._state >> (48 - n)

    def _below(self, bound):
        bits = self._bits(31)
        if bound & (bound - 1) == 0:  # a power of two
            return (bound * bits) >> 31
        while bits - bits % bound + bound > 2**31:  # in the last, incomplete block of numbers
            bits = self._bits(31)
        return bits % bound
