"""Pruning by what nodes cost: errors, expected errors, bits (R&M 9.6).

Every function changes the tree that it gets; `copy.deepcopy` keeps the grown one. C4.5's rule is in
pruning_c45.py, a sequence of trees in cost_complexity.py.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np

from ranktrees.plain.criteria import log2
from ranktrees.plain.pruning_c45 import errors
from ranktrees.plain.tree import Node

TIE = 1e-9  # sums that are equal on paper differ by less


def bottom_up(node: Node, leaf_cost: Callable, test_cost: Callable = lambda node: 0) -> float:
    """Make leaves, from the bottom, of nodes that cost no more so; the cost of what is left."""
    if not node.is_leaf:
        below = sum(bottom_up(child, leaf_cost, test_cost) for child in node.children)
        if leaf_cost(node) > test_cost(node) + below + TIE:
            return test_cost(node) + below
        node.make_leaf()
    return leaf_cost(node)


def greedy(root: Node, leaf_cost: Callable, test_cost: Callable = lambda node: 0) -> None:
    """Make a leaf of the node that saves most, again and again (Fig. 9.2).

    `bottom_up` is at least as good: several that save less each may save more together.
    """

    def cost(node):
        return leaf_cost(node) if node.is_leaf else test_cost(node) + sum(map(cost, node.children))

    while True:
        saved = {node: cost(node) - leaf_cost(node) for node in root.nodes()}
        most = max(saved.values())
        if most <= TIE:
            return
        next(node for node in saved if saved[node] >= most - TIE).make_leaf()


def reduced_error(root: Node, X: np.ndarray, y: np.ndarray) -> None:
    """Fewest errors on a pruning set, of cases that did not grow the tree (9.6.3; Quinlan 1987)."""
    wrong = {node: [0, 0] for node in root.nodes()}  # of cases that come, and of those that stop
    for case, c in zip(X, y, strict=True):
        path = root.path(case)
        for node in path:
            wrong[node][0] += node.counts.argmax() != c
        wrong[path[-1]][1] += path[-1].counts.argmax() != c
    bottom_up(root, lambda node: wrong[node][0], lambda node: wrong[node][1])


def minimum_error(root: Node) -> None:
    """Fewest expected errors: N (1 - max_c (n_c + l p_c) / (N + l)), l = C (9.6.4)."""
    p, weight = root.distribution, len(root.counts)

    def expected(node):
        N = node.counts.sum()
        return N * (1 - max(node.counts + weight * p) / (N + weight))

    bottom_up(root, expected)


def pessimistic(root: Node) -> None:
    """Fewest training errors, of which each leaf adds a half (Yang's slides)."""
    bottom_up(root, lambda node: errors(node) + 0.5)


def pessimistic_top_down(node: Node, standard_error: bool = False) -> None:
    """The same from the top, a node against its whole subtree (9.6.5), in Quinlan 1987's way.

    He allows one standard error above the subtree.
    """
    N, subtree = node.counts.sum(), sum(errors(leaf) + 0.5 for leaf in node.leaves())
    if standard_error:
        subtree += math.sqrt(subtree * max(N - subtree, 0) / N)
    if errors(node) + 0.5 <= subtree + TIE:
        node.make_leaf()
    for child in node.children:
        pessimistic_top_down(child, standard_error)


def minimum_description_length(root: Node, sizes: Sequence[int]) -> None:
    """Fewest bits that tell the tree and its errors (Quinlan & Rivest 1989)."""
    C = len(root.counts)

    def leaf_bits(node):  # a leaf; its class; how many errors, which cases, which classes
        N, e = int(node.counts.sum()), int(errors(node))
        return 1 + log2(C) + log2(N + 1) + log2(math.comb(N, e)) + e * log2(max(C - 1, 1))

    def test_bits(node):  # a test; which attribute; which cut, or which group of each value
        bits, V, groups = 1 + log2(len(sizes)), sizes[node.attribute], node.groups or []
        if node.threshold is not None:
            return bits + log2(max(V - 1, 1))
        shared = sum(group >= 0 for group in groups) > len(node.children)
        return bits + (V * log2(len(node.children)) if shared else 0)

    bottom_up(root, leaf_bits, test_bits)
