"""Growing from sorted lists: SPRINT (Shafer, Agrawal & Mehta 1996).

Each attribute has a list of (value, class, case), sorted once. A node's lists are read from the
lowest value to the highest, to score every cut; then all are split in two, and stay sorted.
"""

from collections.abc import Callable, Iterator
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np

from ranktrees.plain.bins import between
from ranktrees.plain.criteria import gini_gain
from ranktrees.plain.growing import TIE, first_best
from ranktrees.plain.tree import Node


class Entry(NamedTuple):
    """One case in the list of an attribute."""

    value: float
    label: int
    case: int


class Cut(NamedTuple):
    """A test with its score, and the class counts (C,) up to its threshold."""

    score: float
    attribute: int
    threshold: float
    left: np.ndarray


def sprint(X: np.ndarray, y: np.ndarray, C: int, criterion: Callable = gini_gain) -> Node:
    """A tree of cuts, `value <= threshold`, of numbers X (n, A) without gaps."""
    cases = range(len(y))
    lists = [sorted(map(Entry, x.tolist(), y.tolist(), cases)) for x in X.T]
    return grow(lists, np.bincount(y, minlength=C), criterion)


def grow(lists: list[list[Entry]], counts: np.ndarray, criterion: Callable) -> Node:
    """A node of the cases in these lists, and all below it."""
    node = Node(counts)
    if (counts > 0).sum() < 2:
        return node
    every = (scan(entries, j, counts, criterion) for j, entries in enumerate(lists))
    best = first_best(chain.from_iterable(every))
    if best is None or best.score <= TIE:
        return node
    node.attribute, node.threshold = best.attribute, best.threshold
    halves = split(lists, best.attribute, best.threshold)
    for half, below in zip(halves, (best.left, counts - best.left), strict=True):
        node.branches.append(grow(half, below, criterion))
    return node


def scan(entries: list[Entry], j: int, counts: np.ndarray, criterion: Callable) -> Iterator[Cut]:
    """Every cut of attribute j's list."""
    left = np.zeros_like(counts)
    for entry, following in pairwise(entries):
        left[entry.label] += 1
        if entry.value < following.value:
            score = criterion(np.array([left, counts - left]))
            yield Cut(score, j, between(entry.value, following.value), left.copy())


def split(lists: list[list[Entry]], attribute: int, threshold: float) -> list[list[list[Entry]]]:
    """The lists of both branches, in their order: a hash table knows the side of each case."""
    left = {entry.case for entry in lists[attribute] if entry.value <= threshold}
    lower = [[entry for entry in entries if entry.case in left] for entries in lists]
    upper = [[entry for entry in entries if entry.case not in left] for entries in lists]
    return [lower, upper]
