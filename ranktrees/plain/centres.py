"""Centre splitting (Thornton 2000): whole cases go to the nearest centre of a class.

A test compares all attributes at once. X holds rows of values without gaps.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ranktrees.plain.newton_values import (
    Distance,
    Value,
    difference,
    first_least,
    in_order,
    prototypes,
    unequal,
)
from ranktrees.plain.tree import Node, Vector

Rows = Sequence[Vector]


class Space(NamedTuple):
    """The distance between cases: for each attribute a distance, and the span that divides it.

    Attributes that `have_means` are numbers; for others, a centre has the prototype.
    """

    distances: Sequence[Distance]
    have_means: Sequence[bool]
    span: Sequence[float]


@dataclass(eq=False)
class CentreNode(Node):
    """A node each of whose branches has a centre, a list of values (A,); heaviest class first."""

    centres: list[list[Value]] = field(default_factory=list)


def space(X: Rows, distances: Sequence[Distance], have_means: Sequence[bool]) -> Space:
    """Return the space of training cases: a span is the largest distance between two values.

    The package takes all declared levels of an ordered attribute, whether they occur or not.
    """
    span: list[float] = []
    for column, d in zip(zip(*X, strict=True), distances, strict=True):
        distinct = in_order(list(column))
        span.append(max(d(a, b) for a in distinct for b in distinct))
    return Space(distances, have_means, span)


def centre_splitting(X: Rows, y: Vector, C: int, where: Space) -> CentreNode:
    """Grow a tree whose nodes send cases to the nearest centre, until all go to the same one."""
    node = CentreNode(np.bincount(y, minlength=C))
    centres: list[list[Value]] = []
    for c in sorted(range(C), key=lambda c: -node.counts[c]):
        if node.counts[c]:
            centres.append(centre([x for x, label in zip(X, y, strict=True) if label == c], where))
    branch = [nearest_centre(x, centres, where) for x in X]
    if len(set(branch)) > 1:
        node.attribute = 0  # the case as a whole
        for b in sorted(set(branch)):
            rows = [i for i, taken in enumerate(branch) if taken == b]
            below = centre_splitting([X[i] for i in rows], [y[i] for i in rows], C, where)
            node.centres.append(centres[b])
            node.branches.append(below)
    return node


def centre(cases: Rows, where: Space) -> list[Value]:
    """Return the means of the numbers of some cases, and the prototypes of their other values."""
    values: list[Value] = []
    n = len(cases)
    for column, d, has_mean in zip(
        zip(*cases, strict=True), where.distances, where.have_means, strict=True
    ):
        if has_mean:
            values.append(math.fsum(column) / n)
        else:
            one_class = prototypes(column, [0] * n, dict.fromkeys(range(n), 1.0), [n], d)
            values.append(one_class[0].value)
    return values


def nearest_centre(x: Vector, centres: list[list[Value]], where: Space) -> int:
    """Return the position of the centre of least squared distance, in spans of the attributes."""

    def square(centre: list[Value]) -> float:
        parts = zip(x, centre, where.distances, where.span, strict=True)
        return sum((d(a, b) / span) ** 2 for a, b, d, span in parts if span > 0)

    return first_least([square(centre) for centre in centres])


def leaf_of(node: Node, x: Vector, where: Space) -> Node:
    """Return the leaf of a case (A,)."""
    while isinstance(node, CentreNode) and not node.is_leaf:
        node = node.children[nearest_centre(x, node.centres, where)]
    return node


if __name__ == "__main__":
    X, y = [[1.0, "a"], [2.0, "a"], [8.0, "b"], [9.0, "a"]], [0, 0, 1, 1]
    where = space(X, [difference, unequal], [True, False])
    root = centre_splitting(X, y, 2, where)
    print("centres", *root.centres)
    print("6, b goes to", leaf_of(root, [6.0, "b"], where).counts)
    # centres [1.5, 'a'] [8.5, 'a']
    # 6, b goes to [0 2]
