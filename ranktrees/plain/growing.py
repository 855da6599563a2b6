"""Growing from the top: score every test by its table, take the best, go on below (R&M 9.2).

A table X (n, A) holds codes, attribute j those below sizes[j]; y (n,) are classes below C.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from ranktrees.plain.criteria import gini_gain, information_gain
from ranktrees.plain.tree import Node

TIE = 1e-9  # scores so close are equal, and a gain so small is none: no rounding decides


class Split(NamedTuple):
    """A test and the branch (n,) that each case takes, with its attribute and its score.

    `threshold` and `groups` are as of `Node`.
    """

    branch: np.ndarray
    n_branches: int
    threshold: float | None = None
    groups: Sequence[int] | None = None
    attribute: int = -1
    score: float = 0.0


def grow(X: np.ndarray, y: np.ndarray, C: int, choose: Callable) -> Node:
    """A tree whose tests choose(X, y) -> Split takes, None where it finds none."""
    node = Node(np.bincount(y, minlength=C))
    if (node.counts > 0).sum() < 2 or (split := choose(X, y)) is None:
        return node
    node.attribute, node.threshold, node.groups = split.attribute, split.threshold, split.groups
    for b in range(split.n_branches):
        here = split.branch == b
        node.branches.append(grow(X[here], y[here], C, choose) if here.any() else None)
    return node


def table(x: np.ndarray, y: np.ndarray, V: int, C: int) -> np.ndarray:
    """The cases of each value by class: (V, C)."""
    n = np.zeros((V, C), int)
    for value, c in zip(x, y, strict=True):
        n[value, c] += 1
    return n


def first_best(splits: Iterable[Split], tie: float = TIE) -> Split | None:
    """The first of the splits whose score is within `tie` of the best; None of none."""
    splits = list(splits)
    best = max((split.score for split in splits), default=0)
    return next((split for split in splits if split.score >= best - tie), None)


def decision_tree(
    X: np.ndarray, y: np.ndarray, sizes: Sequence, C: int, tests, criterion, min_child=1, tie=TIE
) -> Node:
    """A tree of the best of the `tests` (see below) of all attributes, by a criterion.

    Every branch that cases take has `min_child` of them.
    """

    def choose(X: np.ndarray, y: np.ndarray) -> Split | None:
        splits = []
        for j, V in enumerate(sizes):
            for split in tests(X[:, j], V):
                n = table(split.branch, y, split.n_branches, C)
                cases = [branch.sum() for branch in n if branch.any()]
                if len(cases) > 1 and min(cases) >= min_child:
                    splits.append(split._replace(attribute=j, score=criterion(n)))
        best = first_best(splits, tie)
        return best if best is not None and best.score > TIE else None

    return grow(X, y, C, choose)


# The tests of an attribute with values x (n,) below V, without score


def multiway(x: np.ndarray, V: int) -> Iterator[Split]:
    """A branch for each value."""
    yield Split(x, V)


def cuts(x: np.ndarray, V: int) -> Iterator[Split]:
    """`value <= v` against `value > v`, for each v: values in order."""
    for v in range(V - 1):
        yield Split((x > v).astype(int), 2, threshold=v)


def subsets(x: np.ndarray, V: int) -> Iterator[Split]:
    """Some of the values that occur against the rest, in each of 2^(V-1) - 1 ways."""
    occur = np.unique(x)
    for sides in list(product((0, 1), repeat=len(occur) - 1))[1:]:
        groups = np.full(V, -1)
        groups[occur] = 0, *sides
        yield Split(groups[x], 2, groups=groups.tolist())


def id3(X: np.ndarray, y: np.ndarray, sizes: Sequence[int], C: int) -> Node:
    """A branch for each value, by information gain (Quinlan 1986)."""
    return decision_tree(X, y, sizes, C, multiway, information_gain)


def cart(X: np.ndarray, y: np.ndarray, sizes: Sequence[int], C: int) -> Node:
    """Two branches, a subset of the values and the rest, by Gini (Breiman et al. 1984)."""
    return decision_tree(X, y, sizes, C, subsets, gini_gain)
