"""Which cases train and which test: stratified folds, Weka's folds, cross-validation."""

from collections.abc import Callable

import numpy as np


def places(y: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """The place (n,) of each case where they stand class after class, shuffled within a class."""
    shuffled = random.permutation(len(y))
    place = np.zeros(len(y), int)
    place[sorted(shuffled, key=lambda case: y[case])] = np.arange(len(y))
    return place


def stratified_folds(y: np.ndarray, k: int = 10, seed: int = 1) -> np.ndarray:
    """The fold (n,) of each case: in their places they are dealt like cards."""
    return places(y, np.random.default_rng(seed)) % k


def cross_validate(
    fit: Callable, X: np.ndarray, y: np.ndarray, fold: np.ndarray, C: int
) -> np.ndarray:
    """P(c | x) (n, C) of each case by the model that did not see its fold.

    `fit(X, y)` gives the model: a function of cases (m, A) that gives (m, C).
    """
    proba = np.zeros((len(y), C))
    for f in range(fold.max() + 1):
        test = fold == f
        proba[test] = fit(X[~test], y[~test])(X[test])
    return proba


class JavaRandom:
    """`java.util.Random`: s <- s 0x5DEECE66D + 0xB modulo 2^48 (Knuth, TAOCP 2, 3.2.1)."""

    def __init__(self, seed: int):
        self.state = (seed ^ 0x5DEECE66D) % 2**48

    def bits(self) -> int:
        """The next 31 bits: the highest of 48."""
        self.state = (self.state * 0x5DEECE66D + 0xB) % 2**48
        return self.state >> 17

    def below(self, bound: int) -> int:
        """`nextInt(bound)`; draws from the last, incomplete block of numbers are refused."""
        bits = self.bits()
        if bound & (bound - 1) == 0:  # a power of two: the high bits
            return (bound * bits) >> 31
        while bits - bits % bound + bound - 1 >= 2**31:
            bits = self.bits()
        return bits % bound


def weka_folds(y: np.ndarray, k: int = 10, seed: int = 1) -> np.ndarray:
    """The fold (n,) in which Weka 3.6 tests each case: shuffled, stratified, dealt in blocks."""
    n, random = len(y), JavaRandom(seed)
    order = list(range(n))
    for last in range(n - 1, 0, -1):  # Fisher and Yates, from the end
        place = random.below(last + 1)
        order[last], order[place] = order[place], order[last]
    start = 0
    while start < n:  # bring each class together, in the order in which they come
        c = y[order[start]]
        for place in range(start, n):
            if y[order[place]] == c:
                order[start], order[place] = order[place], order[start]
                start += 1
    dealt = [case for first in range(k) for case in order[first::k]]  # every k-th
    fold = np.zeros(n, int)
    for f, block in enumerate(np.array_split(dealt, k)):  # the first n mod k are one longer
        fold[block] = f
    return fold
