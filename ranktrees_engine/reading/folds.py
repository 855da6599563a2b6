"""Stratified folds, and what all ways of dividing cases share."""

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import check_number, check_seed, even
from ranktrees_engine.basics.kinds import ArrayLike
from ranktrees_engine.basics.ties import first_best
from ranktrees_engine.basics.warn import warn
from ranktrees_engine.reading.labels import declared_codes


def check_folds(codes: np.ndarray, k: int) -> None:
    """Raise for k below 2 or above the number of cases; warn if a class must miss a fold."""
    check_number("k", k, 2, whole=True)
    if k > len(codes):
        raise ValueError(
            f"k={k} folds need at least {k} cases, but there are {len(codes)}: use a smaller k, or "
            f'k={len(codes)} or folds="leave-one-out" for folds of one case'
        )
    counts = np.bincount(codes)
    smallest = counts[counts > 0].min()
    if smallest < k:
        warn(
            f"the smallest class has {smallest} cases, fewer than k={k} folds: some folds test "
            "none of it, and measures that need it are not defined there"
        )


def generator(seed: int) -> np.random.Generator:
    """Return random numbers from a seed of 0 or more; TypeError or ValueError for another."""
    check_seed(seed)
    return np.random.default_rng(seed)


def by_class(codes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return rows (n,) class by class, within a class in random order."""
    shuffled = rng.permutation(len(codes))
    return shuffled[np.argsort(codes[shuffled], kind="stable")]


def even_order(codes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return rows (n,) in random order; any first m have about the class shares of all."""
    rows = by_class(codes, rng)
    counts = np.bincount(codes)
    rank = np.arange(len(codes)) - np.repeat(np.cumsum(counts) - counts, counts)
    return rows[np.argsort((rank + 0.5) / counts[codes[rows]], kind="stable")]


def stratified_folds(y: ArrayLike, k: int = 10, seed: int = 1) -> np.ndarray:
    """Return the fold (n,), 0 to k - 1, of each case: classes are spread as evenly as possible.

    Folds differ by at most one case in size, and by at most one case of any class. Raises
    ValueError for k below 2 or above n; warns if a class has fewer than k cases.
    """
    codes = declared_codes(y, "Stratifying")
    check_folds(codes, k)
    fold = np.empty(len(codes), np.intp)
    fold[by_class(codes, generator(seed))] = np.arange(len(codes)) % k
    return fold


def group_folds(y: ArrayLike, groups: ArrayLike, k: int = 10, seed: int = 1) -> np.ndarray:
    """Return the fold (n,), 0 to k - 1, of each case: groups stay whole, classes are spread evenly.

    `y` (n,) classes, `groups` (n,) labels, for example patients. Groups are dealt from the largest
    down, those of equal size in random order, each to the fold where it leaves the classes most
    even. Raises ValueError for fewer than k groups and for a missing label.
    """
    codes, rng = declared_codes(y, "Stratifying"), generator(seed)
    groups = even("groups", groups)
    if groups.shape != codes.shape:
        raise ValueError(
            f"groups must be one label for each of {len(codes)} cases, not of shape {groups.shape}"
        )
    group, labels = pd.factorize(groups)
    if (group < 0).any():
        raise ValueError(f"groups lack a label in row {(group < 0).argmax()}: give every case one")
    check_number("k", k, 2, whole=True)
    if k > len(labels):
        raise ValueError(f"k={k} folds need at least {k} groups, but there are {len(labels)}")
    counts = np.zeros((len(labels), codes.max() + 1))
    np.add.at(counts, (group, codes), 1)
    order = rng.permutation(len(labels))
    dealt, fold = np.zeros((k, counts.shape[1])), np.empty(len(labels), np.intp)
    share = 1 / np.maximum(counts.sum(axis=0), 1) ** 2
    for g in order[np.argsort(-counts.sum(axis=1)[order], kind="stable")]:
        more = ((2 * dealt + counts[g]) * counts[g] * share).sum(axis=1)  # of squared shares
        fold[g] = first_best(-more)
        dealt[fold[g]] += counts[g]
    return fold[group]


def fold_rows(fold: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return rows (train, test), each ascending, of every fold 0, 1, ... of fold numbers (n,)."""
    fold = even("fold", fold)
    if fold.ndim != 1 or fold.dtype.kind not in "iu" or not len(fold):
        raise ValueError("fold must be whole numbers, one for each case, as stratified_folds gives")
    return [(np.flatnonzero(fold != f), np.flatnonzero(fold == f)) for f in range(fold.max() + 1)]
