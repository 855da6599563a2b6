"""Explore a split on the curve of an impurity."""

import numpy as np

from ranktrees import plot
from ranktrees.teach.explore.base import Explorer, choice, numbers
from ranktrees.teach.plot.growth import LENSES
from ranktrees.teach.plot.inputs import check_known


def lens_explorer(node=(6, 6), branch=(5, 2), impurity: str = "entropy") -> Explorer:
    """An explorer of the splits in two of a node of two classes, on the curve of an impurity.

    `node` and `branch` are class counts, the second those of the first branch. Raises ValueError
    for a branch with cases that the node does not have, or an unknown impurity.
    """
    check_known("impurity", impurity, LENSES)
    (a, b), (most_a, most_b) = branch, node
    if not (0 <= a <= most_a and 0 <= b <= most_b):
        raise ValueError(f"the branch {branch} holds cases that the node {node} does not have")

    def draw(first, second, impurity):
        left = np.array([first, second])
        return plot.lens([left, np.array(node) - left], impurity), ""

    return Explorer(
        draw,
        first=numbers("first class", 0, most_a, 1, a),
        second=numbers("second class", 0, most_b, 1, b),
        impurity=choice("impurity", list(LENSES), impurity),
    )
