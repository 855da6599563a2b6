"""CITree and NBTree: naive Bayes at the leaves of a tree that makes attributes independent.

CITree tests the attribute after which naive Bayes models in the branches have the best AUC in
cross-validation, and then prunes on second folds (Su & Zhang 2004: AUC-CITree). NBTree compares
accuracies and does not prune (Kohavi 1996). `bayes.leaf_naive_bayes` predicts by the tree.
"""

from collections.abc import Callable

import numpy as np

from ranktrees.plain.citree_scores import Search, branches, pooled_score, search
from ranktrees.plain.criteria import TIE, first_best
from ranktrees.plain.tree import Array, Node

Accept = Callable[[Array, list[int], int, float], bool]  # rows, path, best attribute, its score


def citree(s: Search, lazy: bool = True) -> Node:
    """Grow a CITree from all cases.

    The paper grows the tree as large as possible and then prunes it, `lazy=False`. By default it
    stops growing where pruning would cut: the same tree, because pruning compares a node with its
    direct children alone.
    """
    rows = np.arange(len(s.y))
    if lazy:
        return grow(s, rows, [], lambda rows, path, a, best: ranks_better(s, rows, path, a))
    root = grow(s, rows, [], lambda rows, path, a, best: True)
    prune(s, root, rows, [])
    return root


def nbtree(s: Search, min_parent: int = 30, min_reduction: float = 0.05) -> Node:
    """Split a node of 30 cases or more if that takes away a twentieth of its error or more."""

    def accept(rows: Array, path: list[int], a: int, best: float) -> bool:
        error = 1 - pooled_score(s, [(rows, path)], s.choosing)
        is_better = error > 0 and 1 - best <= (1 - min_reduction) * error + TIE
        return len(rows) >= min_parent and is_better

    s = s._replace(scoring="accuracy")
    return grow(s, np.arange(len(s.y)), [], accept)


def grow(s: Search, rows: Array, path: list[int], accept: Accept) -> Node:
    """Grow a tree of these cases by Algorithm AUC-CITree, below tests of `path`'s attributes."""
    node, free = Node(np.bincount(s.y[rows], minlength=s.C)), candidates(s, rows, path)
    if len(rows) < s.min_cases or np.count_nonzero(node.counts) < 2 or not free:
        return node
    scores = [pooled_score(s, branches(s, rows, path, a), s.choosing) for a in free]  # Step 1
    best = first_best(scores)  # Step 2
    if accept(rows, path, free[best], scores[best]):
        node.attribute, node.branches = free[best], [None] * s.sizes[free[best]]
        for part, longer in branches(s, rows, path, node.attribute):  # Step 3
            node.branches[s.X[part[0], node.attribute]] = grow(s, part, longer, accept)
    return node  # Step 4


def candidates(s: Search, rows: Array, path: list[int]) -> list[int]:
    """Return the attributes that are not on the path and have several values among the cases."""
    return [a for a in range(len(s.sizes)) if a not in path and len(np.unique(s.X[rows, a])) > 1]


def ranks_better(s: Search, rows: Array, path: list[int], a: int) -> bool:
    """Return whether the children by attribute a, pooled, rank better than the node as a leaf."""
    as_leaf = pooled_score(s, [(rows, path)], s.pruning)
    return pooled_score(s, branches(s, rows, path, a), s.pruning) > as_leaf + TIE


def prune(s: Search, node: Node, rows: Array, path: list[int]) -> None:
    """Prune from the bottom: remove a node's children unless it is worse as a leaf (section 2)."""
    if node.is_leaf:
        return
    children = branches(s, rows, path, node.attribute)
    for child, (part, longer) in zip(node.children, children, strict=True):
        prune(s, child, part, longer)
    if not ranks_better(s, rows, path, node.attribute):
        node.make_leaf()


if __name__ == "__main__":
    first, second = np.array([0, 0, 1, 1] * 5), np.array([0, 1] * 10)
    X = np.stack([first, second], axis=1)  # alone, neither attribute tells the class
    for node in citree(search(X, first ^ second, [2, 2], C=2)).nodes():
        print(node.counts, "tests attribute", node.attribute)
    # [10 10] tests attribute 0
    # [5 5] tests attribute -1
    # [5 5] tests attribute -1
