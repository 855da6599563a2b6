"""Growing from the top: score every test by its table, take the best, go on below (R&M 9.2).

A table X (n, A) holds codes, attribute j those below sizes[j]; y (n,) are classes below C.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from ranktrees.plain.criteria import gini_gain, information_gain
from ranktrees.plain.tree import Node

TIE = 1e-9  # scores so close are equal, and a gain so small is none: no rounding decides


class Split(NamedTuple):
    """A test with its score, and the branch (n,) that each case takes; see `Node` for the test."""

    score: float
    attribute: int
    branch: np.ndarray
    n_branches: int
    threshold: float | None = None
    groups: Sequence[int] | None = None


def table(x: np.ndarray, y: np.ndarray, V: int, C: int) -> np.ndarray:
    """The cases of each value by class: (V, C)."""
    n = np.zeros((V, C), int)
    for value, c in zip(x, y, strict=True):
        n[value, c] += 1
    return n


def first_best(splits: Iterable[Split], tie: float = TIE) -> Split | None:
    """The first of the splits whose score is within `tie` of the best."""
    splits = list(splits)
    best = max((split.score for split in splits), default=0)
    return next((split for split in splits if split.score >= best - tie), None)


def grow(X: np.ndarray, y: np.ndarray, C: int, choose: Callable) -> Node:
    """A tree whose tests choose(X, y) takes, None where it finds none."""
    node = Node(table(np.zeros_like(y), y, 1, C)[0])
    if (node.counts > 0).sum() < 2 or (split := choose(X, y)) is None:
        return node
    node.attribute, node.threshold, node.groups = split.attribute, split.threshold, split.groups
    for b in range(split.n_branches):
        here = split.branch == b
        node.branches.append(grow(X[here], y[here], C, choose) if here.any() else None)
    return node


# The tests of an attribute j: functions (X, y, j, V, C, criterion, min_child) -> splits


def multiway(X, y, j, V, C, criterion, min_child=1) -> Iterable[Split]:
    """A branch for each value; those that occur need `min_child` cases each."""
    n = table(X[:, j], y, V, C)
    cases = n.sum(axis=1)
    if (cases > 0).sum() >= 2 and cases[cases > 0].min() >= min_child:
        yield Split(criterion(n), j, X[:, j], V)


def cuts(X, y, j, V, C, criterion, min_child=1) -> Iterable[Split]:
    """`value <= v` against `value > v`, for each v."""
    for v in range(V - 1):
        above = (X[:, j] > v).astype(int)
        n = table(above, y, 2, C)
        if n.sum(axis=1).min() >= min_child:
            yield Split(criterion(n), j, above, 2, threshold=v)


def subsets(X, y, j, V, C, criterion, min_child=1) -> Iterable[Split]:
    """Some of the values that occur against the rest, for each of the 2^(V-1) - 1 ways."""
    occur = np.unique(X[:, j])
    for sides in list(product((0, 1), repeat=len(occur) - 1))[1:]:
        groups = np.full(V, -1)
        groups[occur] = 0, *sides
        n = table(groups[X[:, j]], y, 2, C)
        if n.sum(axis=1).min() >= min_child:
            yield Split(criterion(n), j, groups[X[:, j]], 2, groups=groups.tolist())


def best_split(tests, sizes, C, criterion, min_child=1, tie=TIE) -> Callable:
    """choose(X, y) for `grow`: the best test of each attribute, and the best of these."""

    def choose(X: np.ndarray, y: np.ndarray) -> Split | None:
        each = (tests(X, y, j, V, C, criterion, min_child) for j, V in enumerate(sizes))
        each = (first_best(splits, tie) for splits in each)
        best = first_best((split for split in each if split is not None), tie)
        return best if best is not None and best.score > TIE else None

    return choose


def id3(X, y, sizes, C, criterion: Callable = information_gain, min_child: int = 1) -> Node:
    """A branch for each value, by information gain or another criterion (Quinlan 1986)."""
    return grow(X, y, C, best_split(multiway, sizes, C, criterion, min_child))


def cart(X, y, sizes, C, criterion: Callable = gini_gain, min_child: int = 1) -> Node:
    """Two branches, a subset of the values and the rest, by Gini (Breiman et al. 1984)."""
    return grow(X, y, C, best_split(subsets, sizes, C, criterion, min_child))


def thresholds(X, y, sizes, C, criterion: Callable = gini_gain, min_child: int = 1) -> Node:
    """Two branches, of codes that are in order: those up to a cut, and those above it."""
    return grow(X, y, C, best_split(cuts, sizes, C, criterion, min_child))
