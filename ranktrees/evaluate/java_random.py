"""Java's random numbers, so that what Weka drew by lot can be drawn again."""

import numpy as np

_MULTIPLIER, _ADDEND = np.uint64(0x5DEECE66D), np.uint64(0xB)
_MASK = np.uint64((1 << 48) - 1)
_BLOCK = 1 << 15  # draws made at once


class JavaRandom:
    """`java.util.Random`: a 48-bit linear congruential generator (Knuth, TAOCP 2, 3.2.1).

    Many draws are made at once: the state i steps on is a^i s + c (1 + a + ... + a^(i-1)), and
    64-bit arithmetic that wraps around is exact modulo 2^48.
    """

    def __init__(self, seed: int):
        self._state = (np.array([seed % 2**64], np.uint64) ^ _MULTIPLIER) & _MASK

    def integers(self, bounds) -> np.ndarray:
        """One `nextInt(bound)` for each of `bounds` (m,), in their order: (m,) int64.

        Raises ValueError unless every bound lies between 1 and 2^31 - 1.
        """
        bounds = np.asarray(bounds, np.int64)
        if len(bounds) and not (bounds.min() >= 1 and bounds.max() < 2**31):
            raise ValueError("bounds must lie between 1 and 2^31 - 1, as Java's whole numbers")
        drawn, done = np.empty(len(bounds), np.int64), 0
        while done < len(bounds):
            some = bounds[done : done + _BLOCK]
            accepted = self._accepted(some)
            drawn[done : done + len(accepted)] = accepted
            done += len(accepted)
        return drawn

    def doubles(self, n: int) -> np.ndarray:
        """The next n of `nextDouble` (n,), in [0, 1): 26 bits of one state and 27 of the next."""
        drawn = np.empty(n)
        for start in range(0, n, _BLOCK):
            states = self._ahead(2 * len(drawn[start : start + _BLOCK]))
            self._state = states[[-1]]
            high, low = states[::2] >> np.uint64(22), states[1::2] >> np.uint64(21)
            drawn[start : start + _BLOCK] = ((high << np.uint64(27)) + low) / 2**53
        return drawn

    def _accepted(self, bounds):
        """Numbers below the bounds, up to the first draw that Java refuses, which is used up."""
        states = self._ahead(len(bounds))
        bits = (states >> np.uint64(17)).astype(np.int64)
        rest = bits % bounds
        refused = bits - rest + bounds > 2**31  # in the last, incomplete block of `bound` numbers
        stop = int(refused.argmax()) if refused.any() else len(bounds)
        self._state = states[[min(stop, len(bounds) - 1)]]
        power_of_two = bounds & (bounds - 1) == 0
        return np.where(power_of_two, (bounds * bits) >> 31, rest)[:stop]

    def _ahead(self, steps):
        powers = np.cumprod(np.full(steps, _MULTIPLIER))
        sums = np.cumsum(np.concatenate([np.ones(1, np.uint64), powers[:-1]]))
        return (powers * self._state + _ADDEND * sums) & _MASK
