"""The folds of Weka's cross-validation, so that published numbers can be met exactly."""

import numpy as np

from ranktrees.arguments import check_number
from ranktrees.evaluate.java_random import JavaRandom
from ranktrees.folds import check_folds
from ranktrees.labels import read_classes


def weka_folds(y, k: int = 10, seed: int = 1) -> np.ndarray:
    """Fold (n,), 0 to k - 1, in which Weka tests each case of y (n,) in stratified k folds.

    The cases are shuffled with Java's `Random(seed)`, classes are brought together, every k-th case
    is taken, and fold f is the f-th block (Weka 3.6, Instances: randomize, stratify, testCV).
    Raises ValueError for k below 2 or above n; warns where a class has fewer than k cases.
    """
    codes, _ = read_classes(y, "Stratifying")
    check_folds(codes, k)
    order = _stratified(_shuffled(np.arange(len(codes)), _random(seed)), codes, k)
    fold = np.empty(len(codes), np.intp)
    fold[order] = np.repeat(np.arange(k), _block_sizes(len(codes), k))
    return fold


def weka_splits(y, k: int = 10, seed: int = 1) -> list[tuple[np.ndarray, np.ndarray]]:
    """For each fold the rows (train, test) in the order in which Weka trains and tests.

    Weka shuffles every training set once more with the same generator (Instances.trainCV), which
    matters to methods that draw from their cases by number, such as bagging.
    """
    codes, _ = read_classes(y, "Stratifying")
    check_folds(codes, k)
    random = _random(seed)
    order = _stratified(_shuffled(np.arange(len(codes)), random), codes, k)
    ends = np.cumsum(_block_sizes(len(codes), k))
    tests = np.split(order, ends[:-1])
    return [
        (_shuffled(np.concatenate([*tests[:f], *tests[f + 1 :]]), random), tests[f])
        for f in range(k)
    ]


def _random(seed):
    check_number("seed", seed, -(2**63), whole=True)  # Java's are of 64 bits with a sign
    return JavaRandom(seed)


def _block_sizes(n, k):
    return n // k + (np.arange(k) < n % k)


def _shuffled(rows, random):
    """Fisher and Yates from the end, as Weka's Instances.randomize."""
    rows = rows.tolist()
    places = random.integers(np.arange(len(rows), 1, -1)).tolist()
    for last, place in zip(range(len(rows) - 1, 0, -1), places, strict=True):
        rows[last], rows[place] = rows[place], rows[last]
    return np.array(rows, np.intp)


def _stratified(order, codes, k):
    """Every k-th case, from each start below k, of the cases with equal classes side by side."""
    _bring_classes_together(order, codes)
    return np.concatenate([order[start::k] for start in range(k)])


def _bring_classes_together(order, codes):
    """Swap each class's cases to the front of what is left, first come first served, in place."""
    start, cell = 0, memoryview(order)  # single cells are read several times as fast through it
    while start < len(order):
        rest = codes[order[start:]]
        for place in (start + np.flatnonzero(rest == rest[0])).tolist():
            cell[start], cell[place] = cell[place], cell[start]
            start += 1
