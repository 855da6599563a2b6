"""Pruning by what nodes cost: errors, expected errors, bits (R&M 9.6). The tree itself changes."""

import copy
import math
from collections.abc import Callable

import numpy as np

from ranktrees.plain.criteria import TIE, gini, log2
from ranktrees.plain.pruning_c45 import errors
from ranktrees.plain.tree import Array, Node, Sizes

Cost = Callable[[Node], float]
EQUAL = 1e-12  # strengths of links so close are equal


def bottom_up(node: Node, leaf_cost: Cost, test_cost: Cost = lambda node: 0) -> float:
    """Make a leaf, from the bottom, of each node that costs no more as one; return the cost."""
    if not node.is_leaf:
        below = sum(bottom_up(child, leaf_cost, test_cost) for child in node.children)
        if leaf_cost(node) > test_cost(node) + below + TIE:
            return test_cost(node) + below
        node.make_leaf()
    return leaf_cost(node)


def reduced_error(root: Node, X: Array, y: Array) -> None:
    """Prune to the fewest errors on cases that did not grow the tree (9.6.3; Quinlan 1987)."""
    wrong = {node: [0, 0] for node in root.nodes()}  # of cases that come, and of those that stop
    for case, c in zip(X, y, strict=True):
        path = root.path(case)
        for node in path:
            wrong[node][0] += node.counts.argmax() != c
        wrong[path[-1]][1] += path[-1].counts.argmax() != c
    bottom_up(root, lambda node: wrong[node][0], lambda node: wrong[node][1])


def minimum_error(root: Node) -> None:
    """Prune to the fewest expected errors (9.6.4; Niblett & Bratko 1986)."""
    bottom_up(root, lambda node: expected_errors(node, root.distribution))


def expected_errors(node: Node, p: Array) -> float:
    """Return N (1 - max_c (n_c + l p_c) / (N + l)), with l = C imagined cases."""
    N, weight = node.counts.sum(), len(p)
    return N * (1 - max(node.counts + weight * p) / (N + weight))


def pessimistic(root: Node) -> None:
    """Prune to the fewest training errors, to which each leaf adds a half (Yang's slides)."""
    bottom_up(root, lambda node: errors(node) + 0.5)


def pessimistic_top_down(node: Node, standard_error: bool = False) -> None:
    """Prune, from the top, nodes against subtrees (9.6.5), with a standard error (Quinlan 1987)."""
    N, subtree = node.counts.sum(), sum(errors(leaf) + 0.5 for leaf in node.leaves())
    if standard_error:
        subtree += math.sqrt(subtree * max(N - subtree, 0) / N)
    if errors(node) + 0.5 <= subtree + TIE:
        node.make_leaf()
    for child in node.children:
        pessimistic_top_down(child, standard_error)


def minimum_description_length(root: Node, sizes: Sizes) -> None:
    """Prune to the fewest bits that encode the tree and its errors (Quinlan & Rivest 1989)."""
    bottom_up(root, leaf_bits, lambda node: test_bits(node, sizes))


def leaf_bits(node: Node) -> float:
    """Count bits: a leaf; its class; how many errors, which cases, which classes."""
    N, e, C = int(node.counts.sum()), int(errors(node)), len(node.counts)
    return 1 + log2(C) + log2(N + 1) + log2(math.comb(N, e)) + e * log2(max(C - 1, 1))


def test_bits(node: Node, sizes: Sizes) -> float:
    """Count bits: a test; which attribute; which cut, or each value's group."""
    bits, V, groups = 1 + log2(len(sizes)), sizes[node.attribute], node.groups or []
    if node.threshold is not None:
        return bits + log2(max(V - 1, 1))
    shared = sum(group >= 0 for group in groups) > len(node.children)
    return bits + (V * log2(len(node.children)) if shared else 0)


def cost_complexity(root: Node, impurity: bool = False) -> list[tuple[float, Node]]:
    """Return pruned trees and their alphas: remove the weakest link repeatedly (9.6.2; Breiman)."""
    N, alpha, whole, pruned = root.counts.sum(), 0.0, copy.deepcopy(root), dict[float, Node]()

    def risk(node: Node) -> float:
        return (node.counts.sum() * gini(node.counts) if impurity else errors(node)) / N

    while not root.is_leaf:
        strength: dict[Node, float] = {}  # the increase in risk per pruned leaf
        for node in root.nodes():
            if not node.is_leaf:
                leaves = node.leaves()
                strength[node] = (risk(node) - sum(map(risk, leaves))) / (len(leaves) - 1)
        weakest = min(strength.values())
        alpha = weakest if weakest > alpha + EQUAL else alpha
        for node in strength:
            if strength[node] <= alpha + EQUAL:
                node.make_leaf()
        pruned[alpha] = copy.deepcopy(root)
    return [(0.0, whole), *pruned.items()]


def best_of(trees: list[Node], X: Array, y: Array, one_se: bool = False) -> Node:
    """Return the smallest tree of fewest errors on a pruning set, or within a standard error."""
    rates: list[float] = []
    for tree in trees:
        wrong = [tree.leaf_of(x).counts.argmax() != c for x, c in zip(X, y, strict=True)]
        rates.append(sum(wrong) / len(wrong))
    least = min(rates)
    allowed = least + math.sqrt(least * (1 - least) / len(y)) * one_se
    return [tree for tree, rate in zip(trees, rates, strict=True) if rate <= allowed + EQUAL][-1]


if __name__ == "__main__":
    leaves: list[Node | None] = [Node(np.array([4, 1])), Node(np.array([0, 3]))]
    root = Node(np.array([4, 4]), attribute=0, branches=leaves)
    print([(alpha, len(tree.leaves())) for alpha, tree in cost_complexity(copy.deepcopy(root))])
    pessimistic(root)
    print("a leaf by pessimistic errors:", root.is_leaf)
    # [(0.0, 2), (np.float64(0.375), 1)]
    # a leaf by pessimistic errors: False
