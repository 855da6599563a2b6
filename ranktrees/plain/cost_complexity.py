"""Cost-complexity pruning: a sequence of smaller and smaller trees (R&M 9.6.2; Breiman et al.)."""

import copy
import math
from collections.abc import Callable

import numpy as np

from ranktrees.plain.criteria import gini
from ranktrees.plain.pruning_c45 import errors
from ranktrees.plain.tree import Node

TIE = 1e-12  # strengths so close are equal


def cost_complexity(root: Node, impurity: bool = False) -> list[tuple[float, Node]]:
    """Trees, each with its alpha, by pruning the weakest link again and again.

    A link's strength is the increase in risk per pruned leaf (Breiman et al. 1984, section 3.3).
    The risk is the training error rate, or the Gini index.
    """
    N, alpha, trees = root.counts.sum(), 0.0, [(0.0, copy.deepcopy(root))]

    def risk(node):
        return (node.counts.sum() * gini(node.counts) if impurity else errors(node)) / N

    while not root.is_leaf:
        link = {node: strength(node, risk) for node in root.nodes() if not node.is_leaf}
        weakest = min(link.values())
        alpha = weakest if weakest > alpha + TIE else alpha
        for node in link:
            if link[node] <= alpha + TIE:
                node.make_leaf()
        if len(trees) > 1 and trees[-1][0] == alpha:  # what was as weak when more was pruned
            trees.pop()
        trees.append((alpha, copy.deepcopy(root)))
    return trees


def strength(node: Node, risk: Callable) -> float:
    """What the risk grows by, for each leaf that goes, when this node becomes one."""
    leaves = node.leaves()
    return (risk(node) - sum(map(risk, leaves))) / (len(leaves) - 1)


def best_of(trees: list[Node], X: np.ndarray, y: np.ndarray, one_se: bool = False) -> Node:
    """The smallest tree, the last, of fewest errors on a pruning set or one standard error more."""
    rates = []
    for tree in trees:
        wrong = [tree.leaf_of(x).counts.argmax() != c for x, c in zip(X, y, strict=True)]
        rates.append(sum(wrong) / len(y))
    least = min(rates)
    allowed = least + math.sqrt(least * (1 - least) / len(y)) * one_se
    return [tree for tree, rate in zip(trees, rates, strict=True) if rate <= allowed + TIE][-1]
