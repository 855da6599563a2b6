"""CITree: a tree that makes attributes independent, grown for AUC (Su & Zhang 2004: AUC-CITree).

A node tests the attribute after which naive Bayes models in the branches rank the cases best, in
cross-validation; then, from the leaves up, tests go that do not rank better on second folds.

    root = citree(Search(X, y, sizes, C, place))
    leaf_naive_bayes(root, (X, y, sizes, C), X)          # what it says of cases; see `wpe.py`
"""

from collections.abc import Callable

import numpy as np

from ranktrees.plain.citree_scores import Leaf, Search, score
from ranktrees.plain.tree import Node

TIE = 1e-9  # scores so near to each other are equal


def citree(s: Search, below: Callable | None = None) -> Node:
    """The tree of all cases, pruned by what is `below` a node: its `children`, or the `subtree`.

    Always split on the best attribute, even where nothing is gained (section 4.1, Algorithm).
    """
    rows = np.arange(len(s.y))
    root = grow(s, rows, [], accept=lambda *_: True)
    prune(s, root, rows, [], below or children)
    return root


def candidates(s: Search, rows: np.ndarray, path: list[int]) -> list[int]:
    """The attributes off the path that have two values or more among the cases."""
    return [a for a in range(len(s.sizes)) if a not in path and len(np.unique(s.X[rows, a])) > 1]


def branches(s: Search, rows: np.ndarray, path: list[int], a: int) -> list[Leaf]:
    """A would-be leaf for each value of attribute a that occurs."""
    codes = s.X[rows, a]
    return [(rows[codes == v], [*path, a]) for v in np.unique(codes)]


def grow(s: Search, rows: np.ndarray, path: list[int], accept: Callable) -> Node:
    """The tree below a node: always the best attribute, unless accept(rows, path, score) fails."""
    node = Node(np.bincount(s.y[rows], minlength=s.C))
    off = candidates(s, rows, path)
    if len(rows) < s.min_cases or np.count_nonzero(node.counts) < 2 or not off:
        return node
    scores = {a: score(s, branches(s, rows, path, a), 0) for a in off}
    best = next(a for a in off if scores[a] >= max(scores.values()) - TIE)
    if accept(rows, path, scores[best]):
        node.attribute, node.branches = best, [None] * int(s.sizes[best])
        for part, longer in branches(s, rows, path, best):
            node.branches[s.X[part[0], best]] = grow(s, part, longer, accept)
    return node


def children(s: Search, node: Node, rows: np.ndarray, path: list[int]) -> list[Leaf]:
    """The direct children of a node as leaves, by which the paper's pruning judges it."""
    return branches(s, rows, path, node.attribute)


def subtree(s: Search, node: Node, rows: np.ndarray, path: list[int]) -> list[Leaf]:
    """All leaves below a node: the other reading, by which trees grow too large."""
    if node.is_leaf:
        return [(rows, path)]
    parts = branches(s, rows, path, node.attribute)
    below = [subtree(s, node.branches[s.X[part[0], node.attribute]], part, p) for part, p in parts]
    return [leaf for leaves in below for leaf in leaves]


def prune(s: Search, node: Node, rows: np.ndarray, path: list[int], below: Callable) -> None:
    """Bottom-up: a test goes unless what is below ranks better than the node as a leaf."""
    if node.is_leaf:
        return
    for part, longer in branches(s, rows, path, node.attribute):
        prune(s, node.branches[s.X[part[0], node.attribute]], part, longer, below)
    if score(s, below(s, node, rows, path), 1) <= score(s, [(rows, path)], 1) + TIE:
        node.make_leaf()
