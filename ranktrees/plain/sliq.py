"""SLIQ: growing from attribute lists that are sorted once (Mehta, Agrawal & Rissanen 1996).

The tree grows breadth first. The lists, of (value, case), are read in order and never written
again; a class list in memory has the class of each case and the leaf where it is.
"""

import numpy as np

from ranktrees.plain.bins import between
from ranktrees.plain.criteria import TIE, Criterion, first_best, gini_gain
from ranktrees.plain.scale import Cut
from ranktrees.plain.tree import Array, Node

AttributeList = list[tuple[float, int]]  # value and case, sorted
Leaves = list[Node]  # the class list's second column: the leaf of each case


def sliq(X: Array, y: Array, C: int, criterion: Criterion = gini_gain) -> Node:
    """Grow the tree of `scale.sprint`: cuts, `value <= threshold`, of numbers X (n, A), no gaps."""
    lists = [sorted(zip(x, range(len(y)), strict=True)) for x in X.T]  # presorting
    root = Node(np.bincount(y, minlength=C))
    leaf_of_case, level = [root] * len(y), [root]
    while level:
        cuts = evaluate_splits(lists, y, leaf_of_case, level, criterion)
        level = [child for node in level for child in grow_node(node, cuts[node])]
        update_class_list(lists, leaf_of_case)
    return root


def evaluate_splits(
    lists: list[AttributeList], y: Array, leaf_of_case: Leaves, level: list[Node],
    criterion: Criterion,
) -> dict[Node, list[Cut]]:  # fmt: skip
    """Evaluate every cut of each open leaf, in one pass over each list."""
    cuts: dict[Node, list[Cut]] = {node: [] for node in level}
    for j, entries in enumerate(lists):
        left = {node: np.zeros_like(node.counts) for node in level}  # the leaf's class histogram
        last = dict.fromkeys(level, np.inf)  # its value before
        for value, case in entries:
            node = leaf_of_case[case]
            if node not in cuts:
                continue
            if last[node] < value:
                score = criterion(np.array([left[node], node.counts - left[node]]))
                cuts[node].append((score, j, between(last[node], value), left[node].copy()))
            left[node][y[case]] += 1
            last[node] = value
    return cuts


def grow_node(node: Node, cuts: list[Cut]) -> list[Node]:
    """Split a leaf by its first best cut, if one is good enough, and return its children."""
    scores = [score for score, *_ in cuts]
    if max(scores, default=0) > TIE:
        _, node.attribute, node.threshold, left = cuts[first_best(scores)]
        node.branches = [Node(left), Node(node.counts - left)]
    return node.children


def update_class_list(lists: list[AttributeList], leaf_of_case: Leaves) -> None:
    """Move each case to the child of its leaf, by one pass over each list."""
    for j, entries in enumerate(lists):
        for value, case in entries:
            node = leaf_of_case[case]
            if node.attribute == j:
                leaf_of_case[case] = node.children[node.branch_of(value)]


if __name__ == "__main__":
    X = np.array([[1.0, 5.0], [2.0, 1.0], [3.0, 4.0], [4.0, 2.0]])
    root = sliq(X, np.array([0, 0, 1, 0]), 2)
    for node in root.nodes():
        print(node.counts, "attribute", node.attribute, "<=", node.threshold)
    # [3 1] attribute 0 <= 2.5
    # [2 0] attribute -1 <= None
    # [1 1] attribute 0 <= 3.5
    # [0 1] attribute -1 <= None
    # [1 0] attribute -1 <= None
