"""C4.5 and C4.4: which test a node takes (Quinlan 1993, 1996; Weka's J48). Pruning: pruning_c45.py.

X (n, A) holds codes and numbers; sizes[j] is the number of codes, 0 of an attribute of numbers.
"""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from ranktrees.plain.criteria import entropy, information_gain, log2
from ranktrees.plain.growing import Split, first_best, grow, table
from ranktrees.plain.pruning_c45 import collapse, prune
from ranktrees.plain.tree import Node

TIE = 1e-6  # what J48 takes to be equal
APART = 1e-5  # no cut lies between numbers that are no further apart
BELOW_AVERAGE = 1e-3  # a gain may lie so far below the average


def c45(
    X: np.ndarray, y: np.ndarray, sizes: list, C: int, min_child=2, confidence=0.25, raising=True
) -> Node:
    """Grown, collapsed, pruned: C4.5, whose estimate is the leaf's shares."""
    tree = c44(X, y, sizes, C, min_child)
    collapse(tree)
    prune(tree, X, y, confidence, raising)
    return tree


def c44(X: np.ndarray, y: np.ndarray, sizes: list, C: int, min_child: int = 2) -> Node:
    """Grown by gain ratio; `estimates.laplace` makes it C4.4 (Provost & Domingos 2003).

    That of the ranking papers; Weka's `J48 -U -A` is collapsed as well.
    """
    many = 0.3 * len(y)  # of an attribute of so many values each branch looks good
    counted = [size < many for size in sizes]
    if not any(counted):
        counted = [True] * len(sizes)

    def choose(here: np.ndarray, y: np.ndarray) -> Split | None:
        splits = []
        for j, V in enumerate(sizes):
            if V:
                split = nominal(here[:, j].astype(int), y, V, C, min_child)
            else:
                split = numeric(here[:, j], y, X[:, j], C, min_child)
            if split is not None:
                splits.append(split._replace(attribute=j))
        return best_ratio(splits, counted) if len(y) >= 2 * min_child else None

    return grow(X, y, C, choose)


def best_ratio(splits: list[Split], counted: list[bool]) -> Split | None:
    """The best gain ratio among the splits of at least average gain (Quinlan 1993, section 2.2)."""
    gains = [split.score for split in splits if counted[split.attribute]]
    if not gains:
        return None
    average = sum(gains) / len(gains)
    good = [split for split in splits if split.score >= average - BELOW_AVERAGE]
    best = first_best([as_ratio(split) for split in good], TIE)
    return best if best.score > TIE else None


def as_ratio(split: Split) -> Split:
    """The split with its gain ratio: gain / entropy of the branches' sizes."""
    return split._replace(score=split.score / entropy(np.bincount(split.branch)))


def nominal(x: np.ndarray, y: np.ndarray, V: int, C: int, min_child: int) -> Split | None:
    """A branch for each value, two of which need `min_child` cases."""
    n = table(x, y, V, C)
    enough = (n.sum(axis=1) >= min_child).sum() >= 2
    return Split(x, V, score=information_gain(n)) if enough else None


def numeric(
    x: np.ndarray, y: np.ndarray, training: np.ndarray, C: int, min_child: int
) -> Split | None:
    """The first best cut, its gain less log2(number of cuts) / N, the price of the choice.

    The threshold is moved down to the next number that occurs among all `training` cases (n,).
    """
    N = len(y)
    least = max(min_child, min(25, 0.1 * N / C))
    cuts = [(gain, low, high) for gain, low, high, smaller in sweep(x, y, C) if smaller >= least]
    most = max((gain for gain, _, _ in cuts), default=0)
    gain, low, high = next((cut for cut in cuts if cut[0] >= most - TIE), (0, 0, 0))
    gain -= log2(max(len(cuts), 1)) / N  # Quinlan 1996, section 3
    if gain <= TIE:
        return None
    middle = low / 2 + high / 2
    threshold = max(value for value in training if value < middle + TIE)
    return Split((x > low).astype(int), 2, threshold, score=gain)


def sweep(x: np.ndarray, y: np.ndarray, C: int) -> Iterator[tuple]:
    """Gain, the numbers below and above, and the cases of the smaller side, of each cut."""
    order = np.argsort(x, kind="stable")
    n = np.array([[0] * C, np.bincount(y, minlength=C)])
    for i, above in pairwise(order):
        n[:, y[i]] += 1, -1
        if x[i] + APART < x[above]:
            yield information_gain(n), x[i], x[above], n.sum(axis=1).min()
