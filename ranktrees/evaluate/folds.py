"""Fold numbers: which fold tests a case, while all others train."""

import numpy as np

from ranktrees.arguments import check_number, choose
from ranktrees.evaluate.weka import weka_folds
from ranktrees.folds import fold_rows, stratified_folds

__all__ = ["fold_numbers", "fold_rows", "leave_one_out", "stratified_folds"]
SCHEMES = ("stratified", "weka", "leave-one-out")


def leave_one_out(n: int) -> np.ndarray:
    """Fold (n,) of each case, which is its own: as many folds as cases."""
    check_number("n", n, 2, whole=True)
    return np.arange(n)


def fold_numbers(y, k: int = 10, seed: int = 1, folds="stratified") -> np.ndarray:
    """Fold (n,) of each case of y by the name of a scheme, or checked as the array given.

    `folds`: "stratified", "weka", "leave-one-out" (k and seed do not matter), or whole numbers (n,)
    of at least two different values. Raises ValueError for anything else.
    """
    if not isinstance(folds, str):
        return _own_folds(folds, len(y))
    choose("folds", folds, SCHEMES)
    if folds == "leave-one-out":
        return leave_one_out(len(y))
    return (weka_folds if folds == "weka" else stratified_folds)(y, k, seed)


def _own_folds(folds, n):
    """The user's folds numbered from 0 in their order, so that none is empty."""
    folds = np.asarray(folds)
    if folds.shape != (n,) or folds.dtype.kind not in "iu":
        raise ValueError(
            f"folds must be one of {', '.join(map(repr, SCHEMES))} or {n} whole numbers, one for "
            f"each case, not an array of shape {folds.shape} and type {folds.dtype}"
        )
    numbers, fold = np.unique(folds, return_inverse=True)
    if len(numbers) < 2:
        raise ValueError("folds must hold at least two different numbers: one fold trains nothing")
    return fold.astype(np.intp)
