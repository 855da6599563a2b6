"""The rule that most methods share: prune where a leaf costs no more than the subtree."""

from typing import NamedTuple

import numpy as np

from ranktrees.arguments import check_number
from ranktrees.prune.surgery import below, cut_back, sum_below
from ranktrees.tree import Tree

ROUNDING = 1e-9  # sums that are equal on paper differ by less


class Costs(NamedTuple):
    """What the T nodes of a tree cost: `leaf` (T,) each one as a leaf, `test` (T,) its test.

    Either may be one number for all; the test of a leaf is not read.
    """

    leaf: np.ndarray
    test: np.ndarray | float = 0.0


def subtree_costs(tree: Tree, costs: Costs) -> np.ndarray:
    """The cost (T,) of each node with all that is below it: its leaves and its tests."""
    leaf, test = _costs(tree, costs)
    return sum_below(tree, np.where(tree.is_leaf, leaf, test))


def bottom_up(tree: Tree, costs: Costs, slack: float = 0.0) -> Tree:
    """Prune, from the bottom, each node whose leaf costs at most its subtree's cost + `slack`.

    The subtree's cost is that of what is left of it. Without slack no other pruned tree is cheaper,
    and none as cheap is smaller.

    >>> import ranktrees as rt
    >>> data = rt.load("weather.nominal")
    >>> tree = rt.DecisionTree().fit(data.X, data.y).tree_
    >>> len(bottom_up(tree, Costs(tree.counts.sum(axis=1))))
    1
    """
    check_number("slack", slack, 0)
    leaf, cost = _costs(tree, costs)  # a node's own cost, to which its parts' are added
    pruned = np.zeros(len(tree), bool)
    for level in reversed(tree.levels):
        pruned[level] = leaf[level] <= cost[level] + slack + ROUNDING
        cost[level] = np.where(pruned[level] | tree.is_leaf[level], leaf[level], cost[level])
        if level.start:
            np.add.at(cost, tree.parent[level], cost[level])
    return cut_back(tree, pruned)


def greedy(tree: Tree, costs: Costs) -> Tree:
    """Prune the node that saves most, again and again, until none saves anything (R&M Fig. 9.2).

    `bottom_up` reaches a cost at least as low in one pass: the node that saves most may stand above
    several that save less each, but more together. Equal savings: the node nearest to the root.
    """
    leaf, test = _costs(tree, costs)
    pruned = tree.is_leaf.copy()
    while True:
        now = below(tree, pruned)
        alive = np.where(now, 0.0, np.where(pruned, leaf, test))
        saved = np.where(now | pruned, 0.0, sum_below(tree, alive) - leaf)
        if saved.max() <= ROUNDING:
            return cut_back(tree, pruned)
        pruned[np.flatnonzero(saved >= saved.max() - ROUNDING)[0]] = True


def _costs(tree, costs):
    """Cost of each node as a leaf (T,), and of its test (T,), 0 at a leaf."""
    leaf, test = (np.asarray(part, float) for part in costs)
    if not {leaf.shape, test.shape} <= {(), (len(tree),)}:
        raise ValueError(f"costs of {leaf.shape} and {test.shape}, but {len(tree)} nodes")
    return np.broadcast_to(leaf, len(tree)), np.where(tree.is_leaf, 0.0, test)
