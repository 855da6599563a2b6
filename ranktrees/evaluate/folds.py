"""Which cases train and which test: folds, holdouts, bootstrap samples."""

from numbers import Integral

import numpy as np

from ranktrees.arguments import check_number, choose
from ranktrees.evaluate.weka import weka_folds
from ranktrees.folds import by_class, fold_rows, generator, stratified_folds
from ranktrees.labels import declared_codes

__all__ = [
    "bootstrap",
    "fold_numbers",
    "fold_rows",
    "holdout",
    "leave_one_out",
    "random_subsampling",
    "stratified_folds",
]
SCHEMES = ("stratified", "weka", "leave-one-out")
Split = tuple[np.ndarray, np.ndarray]


def fold_numbers(y, k: int = 10, seed: int = 1, folds="stratified") -> np.ndarray:
    """Fold (n,) of each case of y by the name of a scheme, or checked as the array given.

    `folds`: "stratified", "weka", "leave-one-out" (k and seed do not matter), or whole numbers (n,)
    of at least two different values. Raises ValueError for anything else.
    """
    if isinstance(folds, str):
        choose("folds", folds, SCHEMES)
        if folds == "leave-one-out":
            return leave_one_out(len(y))
        return (weka_folds if folds == "weka" else stratified_folds)(y, k, seed)
    folds = np.asarray(folds)
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
    """Fold (n,) of each case, which is its own: as many folds as cases."""
    check_number("n", n, 2, whole=True)
    return np.arange(n)


def holdout(y, test: float = 1 / 3, seed: int = 1, stratify: bool = True) -> Split:
    """Rows (train, test), each ascending, of a single random division.

    `y` (n,) classes. `test` is the share of cases held out, below 1, or their whole number. With
    `stratify` every class has its share of the test cases, to within one case. Raises ValueError
    where a part would be empty.
    """
    rng, n = generator(seed), len(y)
    held = _number_held(n, test)
    order = by_class(declared_codes(y, "Stratifying"), rng) if stratify else rng.permutation(n)
    # goes up by one at every case held out; the random start gives every case the same chance
    steps = (np.arange(n + 1) * held + rng.integers(n)) // n
    out = np.zeros(n, bool)
    out[order] = np.diff(steps) > 0
    return np.flatnonzero(~out), np.flatnonzero(out)


def _number_held(n, test):
    check_number("test", test, 0)
    if test >= 1 and not isinstance(test, Integral):
        raise ValueError(f"test must be a share below 1 or a whole number of cases, not {test!r}")
    held = round(test * n) if test < 1 else int(test)
    if not 0 < held < n:
        raise ValueError(
            f"test={test!r} of {n} cases leaves {n - held} for training and {held} for testing: "
            "both need at least one"
        )
    return held


def random_subsampling(y, runs: int = 10, test: float = 1 / 3, seed: int = 1) -> list[Split]:
    """`runs` stratified holdouts (train, test), run r with seed + r: a case may be tested again."""
    check_number("runs", runs, 1, whole=True)
    check_number("seed", seed, 0, whole=True)
    return [holdout(y, test, seed + r) for r in range(runs)]


def bootstrap(n: int, runs: int = 10, seed: int = 1) -> list[Split]:
    """For each of `runs`: n rows drawn with replacement from n cases, and those not drawn.

    A case is drawn with probability 1 - (1 - 1/n)^n, which tends to 1 - 1/e = 63.2 %; the others
    are out of bag.
    """
    check_number("n", n, 2, whole=True)
    check_number("runs", runs, 1, whole=True)
    rng = generator(seed)
    drawn = [np.sort(rng.integers(0, n, n)) for _ in range(runs)]
    return [(rows, np.setdiff1d(np.arange(n), rows)) for rows in drawn]
