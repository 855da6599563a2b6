"""The part of a tree that growing the best node first would have grown, with a limit on leaves."""

from collections.abc import Callable
from heapq import heappop, heappush

import numpy as np

from ranktrees_engine.basics.arguments import check_number
from ranktrees_engine.growing.tree import Tree
from ranktrees_engine.prune.surgery import check_tree, cut_back

DIGITS = 12  # gains that differ by less, relatively to the root, are equal


def best_first(tree: Tree, max_leaf_nodes: int, impurity: Callable) -> Tree:
    """Return the tree of at most `max_leaf_nodes` leaves that splits the most impure nodes first.

    From the root on, the leaf whose test lowers the impurity most, times its cases, is split; a
    test with more branches than there is room for is passed over. A node's best test does not
    depend on the order of growing, so that a full tree holds this one. `impurity` is a function of
    counts (T, C). Of equal gains the first node, breadth first, is split. A forest, which has
    several roots, is cut back tree by tree. The anchor is scikit-learn's `max_leaf_nodes`.
    """
    check_tree(tree)
    check_number("max_leaf_nodes", max_leaf_nodes, 1, whole=True)
    if not callable(impurity):
        raise TypeError(
            f"impurity must be a function such as rt.criteria.gini, not {impurity!r:.80}"
        )
    gain, width = _gains(tree, impurity), np.bincount(tree.parent[tree.parent >= 0])
    children = np.split(np.arange(tree.levels[0].stop, len(tree)), np.cumsum(width[width > 0])[:-1])
    below = dict(zip(np.flatnonzero(width).tolist(), children, strict=False))
    kept = np.zeros(len(tree), bool)
    for root in range(tree.levels[0].stop):
        _expand(root, gain, below, kept, max_leaf_nodes)
    return cut_back(tree, ~kept & ~tree.is_leaf)


def _expand(root, gain, below, kept, most):
    """Mark in `kept` the nodes below this root that are split, the best first."""
    heap, leaves = [(-gain[root], root)], 1
    while heap:
        node = heappop(heap)[1]
        children = below.get(node, ())
        if not len(children) or leaves + len(children) - 1 > most:
            continue
        kept[node] = True
        leaves += len(children) - 1
        for child in children.tolist():
            heappush(heap, (-gain[child], child))


def _gains(tree, impurity):
    """Return the decrease in impurity (T,) times cases by each node's test, 0 at a leaf."""
    weighted = impurity(tree.counts) * tree.counts.sum(axis=1)
    inner = np.flatnonzero(tree.parent >= 0)
    gain = np.where(tree.is_leaf, 0.0, weighted)
    np.subtract.at(gain, tree.parent[inner], weighted[inner])
    scale = max(tree.counts[tree.levels[0]].sum(axis=1).max(), 1)
    return np.round(gain / scale, DIGITS)
