"""C4.5 and C4.4: the choice of tests (Quinlan 1993, 1996; Weka's J48). Pruning: pruning_c45.py.

X (n, A) holds codes and numbers; sizes[j] is the number of codes, 0 of an attribute of numbers.
"""

import math

import numpy as np

from ranktrees.plain.criteria import entropy, first_best, information_gain, log2
from ranktrees.plain.growing import Split, cut_tables, grow, table
from ranktrees.plain.pruning_c45 import collapse, prune
from ranktrees.plain.tree import Array, Node, Sizes

TIE = 1e-6  # what J48 takes to be equal
APART = 1e-5  # no cut lies between numbers that are no further apart
BELOW_AVERAGE = 1e-3  # a gain may lie so far below the average


def c45(
    X: Array, y: Array, sizes: Sizes, C: int,
    min_child: int = 2, confidence: float = 0.25, raising: bool = True,
) -> Node:  # fmt: skip
    """Grow, collapse and prune a tree by C4.5; its estimate is the leaf's shares."""
    tree = c44(X, y, sizes, C, min_child)
    collapse(tree)
    prune(tree, X, y, confidence, raising)
    return tree


def c44(X: Array, y: Array, sizes: Sizes, C: int, min_child: int = 2) -> Node:
    """Grow a tree by gain ratio; with `estimates.laplace` it is C4.4 (Provost & Domingos 2003)."""
    counted = [0.3 * len(y) > V for V in sizes]  # of more values every branch looks good
    counted = counted if any(counted) else [True] * len(sizes)

    def tests(here: Array, y: Array) -> list[Split]:
        splits: list[Split] = []
        for j, V in enumerate(sizes):
            x = here[:, j]
            split = nominal(x, y, V, C, min_child) if V else numeric(x, y, X[:, j], C, min_child)
            if split is not None:
                splits.append(split._replace(attribute=j))
        return ratios(splits, counted) if len(y) >= 2 * min_child else []

    return grow(X, y, C, tests, TIE, TIE)


def ratios(splits: list[Split], counted: list[bool]) -> list[Split]:
    """Return the splits of at least average gain, with gain ratios (Quinlan 1993, section 2.2)."""
    gains = [split.score for split in splits if counted[split.attribute]]
    least = sum(gains) / len(gains) - BELOW_AVERAGE if gains else math.inf
    good = [split for split in splits if split.score >= least]
    return [s._replace(score=s.score / entropy(np.bincount(s.branch))) for s in good]


def nominal(x: Array, y: Array, V: int, C: int, min_child: int) -> Split | None:
    """Return a branch for each value, if two branches have `min_child` cases."""
    x = x.astype(int)
    n = table(x, y, V, C)
    enough = (n.sum(axis=1) >= min_child).sum() >= 2
    return Split(x, V, score=information_gain(n)) if enough else None


def numeric(x: Array, y: Array, training: Array, C: int, min_child: int) -> Split | None:
    """Return the best cut, with its gain minus the price, log2(number of cuts) / N."""
    least = max(min_child, min(25, 0.1 * len(y) / C))  # cases on either side
    tables = [cut for cut in cut_tables(x, y, C, APART) if cut[2].sum(axis=1).min() >= least]
    cuts = [(information_gain(n), low, high) for low, high, n in tables]
    if not cuts:
        return None
    gain, low, high = cuts[first_best([gain for gain, _, _ in cuts], TIE)]
    gain -= log2(len(cuts)) / len(y)  # Quinlan 1996, section 3
    if gain <= TIE:
        return None
    middle = low / 2 + high / 2
    threshold = max(value for value in training if value < middle + TIE)  # down to one that occurs
    return Split((x > low).astype(int), 2, threshold, score=gain)


if __name__ == "__main__":
    X = np.array([[1.0, 0], [2.0, 1], [3.0, 0], [4.0, 1], [5.0, 0], [6.0, 1]])
    root = c45(X, np.array([0, 0, 0, 1, 1, 1]), sizes=[0, 2], C=2)
    print("attribute", root.attribute, "<=", root.threshold, [c.counts for c in root.children])
    # attribute 0 <= 3.0 [array([3, 0]), array([0, 3])]
