"""The folds and random numbers of Weka, so that published numbers can be met exactly."""

import numpy as np

from ranktrees.arguments import check_number
from ranktrees.folds import check_folds
from ranktrees.labels import read_classes

_MULTIPLIER, _ADDEND = np.uint64(0x5DEECE66D), np.uint64(0xB)
_MASK = np.uint64((1 << 48) - 1)
_AT_ONCE = 1 << 15  # draws, since one that Java refuses makes the later ones anew


def weka_folds(y, k: int = 10, seed: int = 1) -> np.ndarray:
    """Fold (n,), 0 to k - 1, in which Weka tests each case of y (n,) in stratified k folds.

    The cases are shuffled with Java's `Random(seed)`, classes are brought together, every k-th case
    is taken, and fold f is the f-th block (Weka 3.6, Instances: randomize, stratify, testCV).
    Raises ValueError for k below 2 or above n; warns where a class has fewer than k cases.
    """
    tests, _ = _deal(y, k, seed)
    fold = np.empty(len(y), np.intp)
    fold[np.concatenate(tests)] = np.repeat(np.arange(k), [len(test) for test in tests])
    return fold


def weka_splits(y, k: int = 10, seed: int = 1) -> list[tuple[np.ndarray, np.ndarray]]:
    """For each fold the rows (train, test) in the order in which Weka trains and tests.

    Weka shuffles every training set once more with the same generator (Instances.trainCV), which
    matters to methods that draw from their cases by number, such as bagging.
    """
    tests, random = _deal(y, k, seed)
    trains = [np.concatenate([*tests[:f], *tests[f + 1 :]]) for f in range(k)]
    return [(_shuffled(train, random), test) for train, test in zip(trains, tests, strict=True)]


def _deal(y, k, seed):
    """The test rows of each fold in Weka's order, and its random numbers as they stand then."""
    codes, _ = read_classes(y, "Stratifying")
    check_folds(codes, k)
    check_number("seed", seed, -(2**63), whole=True)  # Java's are of 64 bits with a sign
    random = JavaRandom(seed)
    order = _shuffled(np.arange(len(codes)), random)
    _bring_classes_together(order, codes)
    dealt = np.concatenate([order[start::k] for start in range(k)])
    return np.array_split(dealt, k), random


def _shuffled(rows, random):
    """Fisher and Yates from the end, as Weka's Instances.randomize."""
    rows = rows.tolist()
    places = random.integers(np.arange(len(rows), 1, -1)).tolist()
    for last, place in zip(range(len(rows) - 1, 0, -1), places, strict=True):
        rows[last], rows[place] = rows[place], rows[last]
    return np.array(rows, np.intp)


def _bring_classes_together(order, codes):
    """Swap each class's cases to the front of what is left, first come first served, in place."""
    start, cell = 0, memoryview(order)  # single cells are read several times as fast through it
    while start < len(order):
        rest = codes[order[start:]]
        for place in (start + np.flatnonzero(rest == rest[0])).tolist():
            cell[start], cell[place] = cell[place], cell[start]
            start += 1


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
            some = bounds[done : done + _AT_ONCE]
            accepted = self._accepted(some)
            drawn[done : done + len(accepted)] = accepted
            done += len(accepted)
        return drawn

    def doubles(self, n: int) -> np.ndarray:
        """The next n of `nextDouble` (n,), in [0, 1): 26 bits of one state and 27 of the next."""
        states = self._ahead(2 * n)
        self._state = states[-1:]
        high, low = states[::2] >> np.uint64(22), states[1::2] >> np.uint64(21)
        return ((high << np.uint64(27)) + low) / 2**53

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
