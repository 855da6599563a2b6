"""Cutting trees back: what every pruning method shares, and the rule that most of them follow."""

from typing import NamedTuple

import numpy as np

from ranktrees_engine.basics.arguments import as_list, check_number, even, floats
from ranktrees_engine.basics.ties import TIE, first_best
from ranktrees_engine.growing.tree import Tree, sum_below
from ranktrees_engine.reading.encoder import Codes
from ranktrees_engine.reading.weights import class_counts


def check_tree(tree) -> None:
    """Raise TypeError unless this is a `Tree`, for example for a model that has one."""
    if not isinstance(tree, Tree):
        raise TypeError(
            f"prune a Tree, not {type(tree).__name__}: of a model give its tree_, and with_tree() "
            "makes a model of the result"
        )
    if tree.of_prototypes:
        raise TypeError("a tree of prototypes is not pruned: set max_depth or min_parent of it")


def cut_back(tree: Tree, leaf: np.ndarray) -> Tree:
    """Return the tree in which the nodes of `leaf` (T,) bool are leaves and have no nodes below."""
    check_tree(tree)
    leaf = even("leaf", leaf)
    if leaf.dtype != bool or leaf.shape != (len(tree),):
        raise ValueError(f"leaf must be {len(tree)} booleans, not {leaf.dtype}{leaf.shape}")
    if not (leaf & ~tree.is_leaf).any():
        return tree
    kept, width = ~below(tree, leaf), np.diff(tree.offset)
    number = np.append(np.where(kept, np.cumsum(kept) - 1, -1), -1)  # the last keeps -1 as it is
    slot = np.repeat(kept & ~leaf, width)
    width = np.where(leaf, 0, width)[kept]
    return Tree(
        number[tree.parent[kept]],
        np.where(leaf, -1, tree.attribute)[kept],
        np.where(leaf, -1, tree.cut)[kept],
        number[tree.child[slot]],
        np.concatenate([[0], np.cumsum(width)]),
        tree.counts[kept],
        tree.schema,
        tree.classes,
    )


def sum_leaves(tree: Tree, value: np.ndarray) -> np.ndarray:
    """Sum `value` (T,) over the leaves below each node; a leaf has its own value."""
    check_tree(tree)
    value = floats("value", value)
    if value.shape != (len(tree),):
        raise ValueError(f"value must be {len(tree)} numbers, one per node, not {value.shape}")
    return sum_below(tree, np.where(tree.is_leaf, value, 0))


def below(tree: Tree, top: np.ndarray) -> np.ndarray:
    """Return (T,) bool: which nodes have a node of `top` (T,) bool above them."""
    inside = np.zeros(len(tree), bool)
    for level in tree.levels[1:]:
        above = tree.parent[level]
        inside[level] = inside[above] | top[above]
    return inside


def branches(nodes, these: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the row of each child's parent among `these` (m,), and the children, end to end.

    The children of node t are the `width[t]` entries of `child` that start at `offset[t]`.
    """
    width = nodes.width[these]
    row = np.repeat(np.arange(len(these)), width)
    before = np.cumsum(width) - width
    return row, nodes.child[np.arange(len(row)) + (nodes.offset[these] - before)[row]]


def breadth_first(nodes, tops: np.ndarray, tree: Tree) -> Tree:
    """Make a Tree of everything below the `tops` (R,) of nodes in any order, -1 for no child.

    `nodes` have `attribute`, `cut`, `counts` and what `branches` needs; schema and classes are
    those of `tree`.
    """
    levels, above, first = [tops], [np.full(len(tops), -1)], 0
    while len(levels[-1]):
        row, child = branches(nodes, levels[-1])
        once = np.sort(np.unique(child, return_index=True)[1])  # outcomes may share a child
        once = once[child[once] >= 0]
        above.append(first + row[once])
        first += len(levels[-1])
        levels.append(child[once])
    old = np.concatenate(levels)
    number = np.full(len(nodes.attribute) + 1, -1)  # the last keeps -1 as it is
    number[old] = np.arange(len(old))
    return Tree(
        np.concatenate(above),
        nodes.attribute[old],
        nodes.cut[old],
        number[branches(nodes, old)[1]],
        np.concatenate([[0], np.cumsum(nodes.width[old])]),
        nodes.counts[old],
        tree.schema,
        tree.classes,
    )


def cases_reaching(tree: Tree, codes, y, weight=None) -> tuple[np.ndarray, np.ndarray]:
    """Count the cases (T, C) that reach each node, and those (T, C) that end there."""
    ended = class_counts(tree.apply(codes), y, weight, tree.counts.shape)
    return sum_below(tree, ended), ended


def read_cases(tree: Tree, codes, y) -> tuple[np.ndarray, np.ndarray]:
    """Return checked codes (n, A), -1 where unseen, and class codes (n,) for a tree.

    Raises TypeError or ValueError for invalid codes, wrong widths or lengths, and no case.
    """
    check_tree(tree)
    values = codes.values if isinstance(codes, Codes) else even("codes", codes)
    if values.ndim != 2 or not len(values):
        raise ValueError(f"codes must be at least one case: (n, A), but they are {values.shape}")
    if tree.schema:
        Codes(values, tree.schema).check(tree.schema, unseen=True)
    y, C = even("y", y), tree.counts.shape[1]
    if y.dtype.kind not in "iu":
        raise TypeError(
            f"y must be class codes, whole numbers, not {y.dtype}: places in the model's classes_"
        )
    if y.shape != (len(values),):
        raise ValueError(f"there are {len(values)} cases, but y has shape {y.shape}")
    if y.min() < 0 or y.max() >= C:
        raise ValueError(f"y has class codes {y.min()} to {y.max()}, but classes are 0 to {C - 1}")
    return values, y


class Costs(NamedTuple):
    """Costs of the T nodes of a tree: `leaf` (T,) each one as a leaf, `test` (T,) its test.

    Either may be one number for all; the test of a leaf is not read.
    """

    leaf: np.ndarray
    test: np.ndarray | float = 0.0


def subtree_costs(tree: Tree, costs: Costs) -> np.ndarray:
    """Compute the cost (T,) of each node with everything below it: its leaves and its tests."""
    leaf, test = _costs(tree, costs)
    return sum_below(tree, np.where(tree.is_leaf, leaf, test))


def bottom_up(tree: Tree, costs: Costs, slack: float = 0.0) -> Tree:
    """Prune, from the bottom, each node whose leaf costs at most its subtree's cost + `slack`.

    The subtree's cost is that of what is left of it. Without slack no other pruned tree costs less,
    and no other of the same cost is smaller.

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
        pruned[level] = leaf[level] <= cost[level] + slack + TIE
        cost[level] = np.where(pruned[level] | tree.is_leaf[level], leaf[level], cost[level])
        if level.start:
            np.add.at(cost, tree.parent[level], cost[level])
    return cut_back(tree, pruned)


def greedy(tree: Tree, costs: Costs) -> Tree:
    """Prune the node that saves most, again and again, until none saves anything (R&M Fig. 9.2).

    `bottom_up` reaches a cost at least as low in one pass, since the node that saves most may be
    above several that save less each, but more together. In a tie: the node nearest to the root.
    """
    leaf, test = _costs(tree, costs)
    pruned = tree.is_leaf.copy()
    while True:
        now = below(tree, pruned)
        alive = np.where(now, 0.0, np.where(pruned, leaf, test))
        saved = np.where(now | pruned, 0.0, sum_below(tree, alive) - leaf)
        if saved.max() <= TIE:
            return cut_back(tree, pruned)
        pruned[first_best(saved, TIE)] = True


def _costs(tree, costs):
    """Return the cost of each node as a leaf (T,), and of its test (T,), 0 at a leaf."""
    check_tree(tree)
    costs = as_list("costs", costs)
    if len(costs) != 2:
        raise ValueError("costs must be two, Costs(leaf, test)")
    leaf, test = (floats("costs", part) for part in costs)
    if not {leaf.shape, test.shape} <= {(), (len(tree),)}:
        raise ValueError(f"costs of {leaf.shape} and {test.shape}, but {len(tree)} nodes")
    return np.broadcast_to(leaf, len(tree)), np.where(tree.is_leaf, 0.0, test)
