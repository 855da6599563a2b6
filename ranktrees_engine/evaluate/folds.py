"""Divisions of cases into training and test: folds, also Weka's, holdouts, bootstrap samples."""

from numbers import Integral

import numpy as np

from ranktrees_engine.basics.arguments import (
    check_flag,
    check_number,
    check_seed,
    choose,
    even,
    shown,
)
from ranktrees_engine.basics.java import JavaRandom
from ranktrees_engine.basics.kinds import ArrayLike
from ranktrees_engine.basics.places import places
from ranktrees_engine.reading.folds import (
    by_class,
    check_folds,
    generator,
    group_folds,
    stratified_folds,
)
from ranktrees_engine.reading.folds import fold_rows as fold_rows  # it belongs to this file, too
from ranktrees_engine.reading.labels import declared_codes, one_dimensional, read_classes

SCHEMES = ("stratified", "weka", "leave-one-out")
Split = tuple[np.ndarray, np.ndarray]


def fold_numbers(y, k: int = 10, seed: int = 1, folds="stratified", groups=None) -> np.ndarray:
    """Return the fold (n,) of each case of y: by a scheme's name, or the given array, checked.

    `folds`: "stratified", "weka", "leave-one-out" (k and seed do not matter), or whole numbers (n,)
    with at least two different values. Cases of one of the `groups` (n,) stay together, see
    `group_folds`. Raises ValueError for anything else.
    """
    if groups is not None:
        if not isinstance(folds, str) or folds != "stratified":
            raise ValueError(f'groups are dealt with folds="stratified", not with {folds!r:.80}')
        return group_folds(y, groups, k, seed)
    if isinstance(folds, str):
        choose("folds", folds, SCHEMES)
        if folds == "leave-one-out":
            return leave_one_out(len(y))
        return (weka_folds if folds == "weka" else stratified_folds)(y, k, seed)
    folds = even("folds", folds)
    if folds.shape != (len(y),) or folds.dtype.kind not in "iu":
        raise ValueError(
            f"folds must be one of {', '.join(map(repr, SCHEMES))} or {len(y)} whole numbers, one "
            f"for each case, not an array of shape {folds.shape} and type {folds.dtype}"
        )
    numbers, fold = np.unique(folds, return_inverse=True)  # so that no number is without a case
    if len(numbers) < 2:
        raise ValueError("folds must hold at least two different numbers: one fold trains nothing")
    return fold.astype(np.intp)


def leave_one_out(n: int) -> np.ndarray:
    """Return the fold (n,) of each case: as many folds as cases."""
    check_number("n", n, 2, whole=True)
    return np.arange(n)


def holdout(y: ArrayLike, test: float = 1 / 3, seed: int = 1, stratify: bool = True) -> Split:
    """Return rows (train, test), each ascending, of a single random division.

    `y` (n,) classes. `test` is the share of cases held out, below 1, or their whole number. With
    `stratify` every class has its share of the test cases, to within one case. Raises ValueError if
    a part would be empty.
    """
    check_flag("stratify", stratify)
    y = declared_codes(y, "Stratifying") if stratify else one_dimensional(y)
    rng, n = generator(seed), len(y)
    held = _number_held(n, test)
    order = by_class(y, rng) if stratify else rng.permutation(n)
    # goes up by one at every case held out; the random start gives every case the same chance
    steps = (np.arange(n + 1, dtype=np.int64) * held + rng.integers(n)) // n
    out = np.zeros(n, bool)
    out[order] = np.diff(steps) > 0
    return np.flatnonzero(~out), np.flatnonzero(out)


def _number_held(n, test):
    check_number("test", test, 0)
    if test >= 1 and not isinstance(test, Integral):
        raise ValueError(
            f"test must be a share below 1 or a whole number of cases, not {shown(test)}"
        )
    held = round(test * n) if test < 1 else int(test)
    if not 0 < held < n:
        raise ValueError(
            f"test={shown(test)} of {n} cases leaves {n - held} for training and {held} for "
            "testing: both need at least one"
        )
    return held


def random_subsampling(
    y: ArrayLike, runs: int = 10, test: float = 1 / 3, seed: int = 1
) -> list[Split]:
    """Return `runs` stratified holdouts (train, test), run r with seed + r; tests may overlap."""
    check_number("runs", runs, 1, whole=True)
    check_seed(seed)
    return [holdout(y, test, seed + r) for r in range(runs)]


def bootstrap(n: int, runs: int = 10, seed: int = 1) -> list[Split]:
    """Draw, for each run, n rows with replacement from n cases; return also the rows not drawn.

    A case is drawn with probability 1 - (1 - 1/n)^n, which tends to 1 - 1/e = 63.2 %; the others
    are out of bag.
    """
    check_number("n", n, 2, whole=True)
    check_number("runs", runs, 1, whole=True)
    rng = generator(seed)
    drawn = [np.sort(places(rng.integers(0, n, n))) for _ in range(runs)]
    return [(rows, np.setdiff1d(np.arange(n), rows)) for rows in drawn]


# The folds and random numbers of Weka, so that published numbers can be reproduced exactly


def weka_folds(y: ArrayLike, k: int = 10, seed: int = 1) -> np.ndarray:
    """Return the fold (n,), 0 to k - 1, in which Weka tests each case of y (n,), stratified.

    The cases are shuffled with Java's `Random(seed)`, classes are brought together, every k-th case
    is taken, and fold f is the f-th block (Weka 3.6, Instances: randomize, stratify, testCV).
    Raises ValueError for k below 2 or above n; warns if a class has fewer than k cases.
    """
    tests, _ = _deal(y, k, seed)
    fold = np.empty(len(y), np.intp)
    fold[np.concatenate(tests)] = np.repeat(np.arange(k), [len(test) for test in tests])
    return fold


def weka_splits(y: ArrayLike, k: int = 10, seed: int = 1) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return, per fold, rows (train, test) in the order in which Weka trains and tests.

    Weka shuffles every training set again with the same generator (Instances.trainCV). This matters
    for methods that draw cases by number, such as bagging.
    """
    tests, random = _deal(y, k, seed)
    trains = [np.concatenate([*tests[:f], *tests[f + 1 :]]) for f in range(k)]
    return [(_shuffled(train, random), test) for train, test in zip(trains, tests, strict=True)]


def _deal(y, k, seed):
    """Return each fold's test rows in Weka's order, and its random numbers as left by that."""
    codes, _ = read_classes(y, "Stratifying")
    check_folds(codes, k)
    check_number("seed", seed, -(2**63), whole=True)  # Java's are of 64 bits with a sign
    random = JavaRandom(seed)
    order = _shuffled(np.arange(len(codes)), random)
    _bring_classes_together(order, codes)
    dealt = np.concatenate([order[start::k] for start in range(k)])
    return np.array_split(dealt, k), random


def _shuffled(rows, random):
    """Shuffle from the end (Fisher & Yates), as Weka's Instances.randomize does."""
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
