"""C4.5's pruning: collapsing, the upper limit of the error, raising (Quinlan 1993, chapter 4).

The ties and tolerances are those of Weka's J48.
"""

import math
from statistics import NormalDist

import numpy as np

from ranktrees.plain.tree import Array, Node

WORSE = 0.1 + 1e-6  # errors more than those of the subtree that a leaf or a branch may have


def errors(node: Node) -> int:
    """Count the training cases outside the majority class."""
    return node.counts.sum() - node.counts.max()


def collapse(node: Node) -> None:
    """Make leaves, from the top, of subtrees that make no fewer training errors than a leaf."""
    if sum(errors(leaf) for leaf in node.leaves()) >= errors(node) - 1e-3:
        node.make_leaf()
    for child in node.children:
        collapse(child)


def added_errors(N: float, e: float, confidence: float = 0.25) -> float:
    """Return the errors to add to e in N cases to reach the binomial's upper confidence limit."""
    if e < 1:
        none = N * (1 - confidence ** (1 / N))  # exact for no error: (1 - rate)^N = confidence
        return none if e == 0 else none + e * (added_errors(N, 1, confidence) - none)
    if e + 0.5 >= N:
        return max(N - e, 0)
    z = NormalDist().inv_cdf(1 - confidence)
    f = (e + 0.5) / N  # with the continuity correction of the normal approximation
    root = math.sqrt(f / N - f**2 / N + z**2 / (4 * N**2))
    return (f + z**2 / (2 * N) + z * root) / (1 + z**2 / N) * N - e


def as_leaf(counts: Array, confidence: float) -> float:
    """Return the pessimistic errors of class counts (C,)."""
    N, e = counts.sum(), counts.sum() - counts.max()
    return e + added_errors(N, e, confidence) if N > 0 else 0.0


def prune(node: Node, X: Array, y: Array, confidence: float = 0.25, raising: bool = True) -> None:
    """Replace a node, from the bottom, by a leaf or its largest branch if that is no worse."""
    if node.is_leaf:
        return
    for child, X_b, y_b in parts(node, X, y):
        if child is not None:
            prune(child, X_b, y_b, confidence, raising)
    largest = max(reversed(node.children), key=lambda child: child.counts.sum())
    leaf, subtree = as_leaf(node.counts, confidence), estimated_errors(node, X, y, confidence)
    raised = estimated_errors(largest, X, y, confidence) if raising else math.inf
    if leaf < subtree + WORSE and leaf < raised + WORSE:
        node.make_leaf()
    elif raised < subtree + WORSE:
        vars(node).update(vars(largest))
        recount(node, X, y)
        prune(node, X, y, confidence, raising)


def parts(node: Node, X: Array, y: Array) -> list[tuple[Node | None, Array, Array]]:
    """Return each branch with the cases that take it."""
    branch = np.array([node.outcome(case) for case in X], int)
    return [(child, X[branch == b], y[branch == b]) for b, child in enumerate(node.branches)]


def estimated_errors(node: Node | None, X: Array, y: Array, confidence: float) -> float:
    """Return the pessimistic errors of a subtree, or an empty branch, when these cases enter it."""
    if node is None or node.is_leaf:
        return as_leaf(np.bincount(y, minlength=1), confidence)
    return sum(estimated_errors(*part, confidence) for part in parts(node, X, y))


def recount(node: Node, X: Array, y: Array) -> None:
    """Recount a subtree with these cases; a branch that was empty becomes a leaf."""
    node.counts = np.bincount(y, minlength=len(node.counts))
    for b, (child, X_b, y_b) in enumerate(parts(node, X, y) if node.branches else ()):
        if len(y_b):
            node.branches[b] = child = child or Node(node.counts)
            recount(child, X_b, y_b)


if __name__ == "__main__":
    for e in 0, 1, 2:
        print(e, "errors in 6 cases count as", round(e + added_errors(6, e), 2))
    # 0 errors in 6 cases count as 1.24
    # 1 errors in 6 cases count as 2.3
    # 2 errors in 6 cases count as 3.32
