"""Growing from the top: score every test by its table, take the best, go on below (R&M 9.2).

A table X (n, A) holds codes, attribute j those below sizes[j]; y (n,) are classes below C.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np

from ranktrees.plain.criteria import TIE, Criterion, first_best, gini_gain, information_gain
from ranktrees.plain.tree import Array, Node, Sizes

Cut = tuple[float, float, Array]
Tests = Callable[..., Iterable["Split"]]  # of (X, y), scored, or of (x, V), an attribute


class Split(NamedTuple):
    """A test, as in `Node`, and the branch (n,) that each case takes; its score."""

    branch: Array
    n_branches: int
    threshold: float | None = None
    groups: Sequence[int] | None = None
    attribute: int = -1
    score: float = 0.0


def grow(X: Array, y: Array, C: int, tests: Tests, tie: float = TIE, gain: float = TIE) -> Node:
    """Grow a tree whose nodes take the first best of the scored `tests(X, y)`, if above `gain`."""
    node = Node(np.bincount(y, minlength=C))
    splits = list(tests(X, y)) if np.count_nonzero(node.counts) > 1 else []
    best = splits[first_best([split.score for split in splits], tie)] if splits else None
    if best is None or best.score <= gain:
        return node
    node.attribute, node.threshold, node.groups = best.attribute, best.threshold, best.groups
    for b in range(best.n_branches):
        here = best.branch == b
        node.branches.append(grow(X[here], y[here], C, tests, tie, gain) if here.any() else None)
    return node


def table(x: Array, y: Array, V: int, C: int) -> Array:
    """Count the cases of each value by class: (V, C)."""
    n = np.zeros((V, C), int)
    for value, c in zip(x, y, strict=True):
        n[value, c] += 1
    return n


def decision_tree(
    X: Array, y: Array, sizes: Sizes, C: int,
    tests: Tests, criterion: Criterion, min_child: int = 1, tie: float = TIE, gain: float = TIE,
) -> Node:  # fmt: skip
    """Grow a tree by the best of `tests` (below) whose branches have `min_child` cases or none."""

    def scored(X: Array, y: Array) -> Iterator[Split]:
        for j, V in enumerate(sizes):
            for split in tests(X[:, j], V):
                n = table(split.branch, y, split.n_branches, C)
                cases = [branch.sum() for branch in n if branch.any()]
                if len(cases) > 1 and min(cases) >= min_child:
                    yield split._replace(attribute=j, score=criterion(n))

    return grow(X, y, C, scored, tie, gain)


# The tests of an attribute with values x (n,) below V, without score


def multiway(x: Array, V: int) -> Iterator[Split]:
    """Yield a branch for each value."""
    yield Split(x, V)


def cuts(x: Array, V: int) -> Iterator[Split]:
    """Yield `value <= v` against `value > v`, for each v of ordered values."""
    for v in range(V - 1):
        yield Split((x > v).astype(int), 2, threshold=v)


def subsets(x: Array, V: int) -> Iterator[Split]:
    """Yield some of the values that occur against the rest, in each of 2^(V-1) - 1 ways."""
    occur = np.unique(x)
    for sides in list(product((0, 1), repeat=len(occur) - 1))[1:]:
        groups = np.full(V, -1)
        groups[occur] = 0, *sides
        yield Split(groups[x], 2, groups=groups.tolist())


def cut_tables(x: Array, y: Array, C: int, apart: float = 0.0) -> Iterator[Cut]:
    """Yield the numbers on either side of each cut of x (n,), and its table (2, C), in one pass."""
    n = np.array([[0] * C, np.bincount(y, minlength=C)])  # below and above
    for i, above in pairwise(np.argsort(x, kind="stable").tolist()):
        n[:, y[i]] += 1, -1  # one case moves from above to below
        if x[i] + apart < x[above]:
            yield float(x[i]), float(x[above]), n.copy()


id3 = partial(decision_tree, tests=multiway, criterion=information_gain)  # Quinlan 1986
cart = partial(decision_tree, tests=subsets, criterion=gini_gain)  # Breiman et al. 1984


if __name__ == "__main__":
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [2, 1]]), np.array([0, 0, 1, 1, 0, 0])
    for node in cart(X, y, [3, 2], 2).nodes():
        print(node.counts, "tests", node.attribute, "in groups", node.groups)
    # [4 2] tests 0 in groups [0, 1, 0]
    # [4 0] tests -1 in groups None
    # [0 2] tests -1 in groups None
