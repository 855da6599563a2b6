"""Cutting and regrafting trees: what every pruning method shares, a level at a time."""

from typing import NamedTuple

import numpy as np

from ranktrees.count import tally
from ranktrees.encode import Codes
from ranktrees.tree import Tree, outcome_of


class Links(NamedTuple):
    """The tests of T nodes, free to change: node t's children are `width[t]` from `offset[t]` on.

    As in `Tree`, but `offset` is (T,), so that two nodes may share a stretch of `child`.
    """

    attribute: np.ndarray
    cut: np.ndarray
    offset: np.ndarray
    width: np.ndarray
    child: np.ndarray


def links_of(tree: Tree) -> Links:
    """The links of a finished tree, copied where they may change."""
    offset, width = tree.offset[:-1].copy(), np.diff(tree.offset)
    return Links(tree.attribute.copy(), tree.cut.copy(), offset, width, tree.child)


def check_tree(tree) -> None:
    """Raise TypeError for what is no tree, as a model that has one."""
    if not isinstance(tree, Tree):
        hint = ": give its tree_, and with_tree() makes a model of the result"
        raise TypeError(
            f"a Tree is pruned, not {type(tree).__name__}{hint if hasattr(tree, 'tree_') else ''}"
        )
    if hasattr(tree, "prototype"):
        raise TypeError("a tree of prototypes is not pruned: set max_depth or min_parent of it")


def cut_back(tree: Tree, leaf: np.ndarray) -> Tree:
    """The tree in which the nodes of `leaf` (T,) bool are leaves and all below them is gone."""
    check_tree(tree)
    leaf = np.asarray(leaf)
    if leaf.dtype != bool or leaf.shape != (len(tree),):
        raise ValueError(f"leaf must be {len(tree)} booleans, one a node: {leaf.dtype}{leaf.shape}")
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


def rebuild(links: Links, tree: Tree, counts: np.ndarray | None = None) -> Tree:
    """Number what hangs from node 0 breadth first; a child without cases becomes -1.

    `counts` (T, C) are those of the links' nodes; None: the counts of `tree`, which gives schema
    and classes.
    """
    counts = tree.counts if counts is None else counts
    links.width[links.attribute < 0] = 0
    occupied = counts.any(axis=1)
    old, parent = _breadth_first(links, occupied)
    new = np.full(len(counts) + 1, -1)  # the last entry keeps -1, an empty branch, as it is
    new[old] = np.arange(len(old))
    child = new[links.child[branches(links, old)[1]]]
    offset = np.concatenate([[0], np.cumsum(links.width[old])])
    attribute = links.attribute[old]
    cut = np.where(attribute < 0, -1, links.cut[old])
    return Tree(parent, attribute, cut, child, offset, counts[old], tree.schema, tree.classes)


def _breadth_first(links, occupied):
    """Old ids (T',) in their new order, and each one's new parent (T',)."""
    nodes, above, first = [np.zeros(1, np.intp)], [np.array([-1])], 0
    while len(nodes[-1]):
        row, at = branches(links, nodes[-1])
        child = links.child[at]
        row, child = row[(child >= 0) & occupied[child]], child[(child >= 0) & occupied[child]]
        child, once = np.unique(child, return_index=True)  # outcomes may share a child
        order = np.argsort(row[once], kind="stable")
        above.append(first + row[once][order])
        first += len(nodes[-1])
        nodes.append(child[order])
    return np.concatenate(nodes), np.concatenate(above)


def branches(links: Links, node: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All branches of nodes (m,), end to end: whose each is (a position in `node`), where it is."""
    width = links.width[node]
    row = np.repeat(np.arange(len(node)), width)
    before = np.cumsum(width) - width
    return row, np.arange(len(row)) - before[row] + links.offset[node][row]


def sum_below(tree: Tree, value: np.ndarray) -> np.ndarray:
    """The sum (T, ...) of `value` (T, ...) over each node and all nodes below it."""
    total = np.array(value)
    for level in reversed(tree.levels[1:]):
        np.add.at(total, tree.parent[level], total[level])
    return total


def sum_leaves(tree: Tree, value: np.ndarray) -> np.ndarray:
    """The sum (T,) of `value` (T,) over the leaves below each node, or of the leaf itself."""
    return sum_below(tree, np.where(tree.is_leaf, value, 0))


def below(tree: Tree, top: np.ndarray) -> np.ndarray:
    """(T,) bool: which nodes have a node of `top` (T,) bool above them."""
    inside = np.zeros(len(tree), bool)
    for level in tree.levels[1:]:
        above = tree.parent[level]
        inside[level] = inside[above] | top[above]
    return inside


def step(links: Links, codes: np.ndarray, cases: np.ndarray, node: np.ndarray) -> np.ndarray:
    """Child (m,) to which each case (m,) goes from an inner node (m,); -1 where it has none."""
    value = codes[cases, links.attribute[node]]
    outcome = outcome_of(value, links.cut[node])
    below = links.child[links.offset[node] + np.maximum(outcome, 0)]
    return np.where(value < 0, -1, below)


def route(links: Links, codes: np.ndarray, cases: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Node (m,) at which each of the cases (m,) ends, from its own `start` (m,) on."""
    node, moving = np.array(start), np.arange(len(cases))
    while len(moving := moving[links.attribute[node[moving]] >= 0]):
        below = step(links, codes, cases[moving], node[moving])
        moving, below = moving[below >= 0], below[below >= 0]
        node[moving] = below
    return node


def with_empty_leaves(tree: Tree) -> tuple[Links, np.ndarray]:
    """Links and counts of the tree in which each empty branch is a leaf without cases.

    Ids stay breadth first, siblings in the order of their branches.
    """
    empty = np.flatnonzero(tree.child < 0)
    before = np.maximum(np.maximum.accumulate(tree.child), 0)[empty]
    order = np.argsort(np.concatenate([np.arange(len(tree)), before + 0.5]), kind="stable")
    new = np.argsort(order)
    child = tree.child.copy()
    child[empty] = len(tree) + np.arange(len(empty))
    fills = {"attribute": -1, "cut": -1, "offset": 0, "width": 0}
    links = {
        name: np.concatenate([getattr(links_of(tree), name), np.full(len(empty), fill)])[order]
        for name, fill in fills.items()
    }
    counts = np.pad(tree.counts, ((0, len(empty)), (0, 0)))[order]
    return Links(**links, child=new[child]), counts


def cases_reaching(tree: Tree, codes: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Cases of each class that come to each node, and those that end there: twice (T, C)."""
    ended = tally(tree.counts.shape, tree.apply(codes), y)
    return sum_below(tree, ended), ended


def read_cases(tree: Tree, codes, y) -> tuple[np.ndarray, np.ndarray]:
    """Checked codes (n, A), -1 where unseen, and class codes (n,) for a tree.

    Raises TypeError or ValueError for what is no code, for other widths or lengths, for no case.
    """
    check_tree(tree)
    values = codes.values if isinstance(codes, Codes) else np.asarray(codes)
    if values.ndim != 2 or not len(values):
        raise ValueError(f"codes must be at least one case: (n, A), but they are {values.shape}")
    if tree.schema:
        Codes(values, tree.schema).check(tree.schema, unseen=True)
    y, C = np.asarray(y), tree.counts.shape[1]
    if y.dtype.kind not in "iu":
        raise TypeError(
            f"y must be class codes, whole numbers, not {y.dtype}: places in the model's classes_"
        )
    if y.shape != (len(values),):
        raise ValueError(f"there are {len(values)} cases, but y has shape {y.shape}")
    if y.min() < 0 or y.max() >= C:
        raise ValueError(f"y has class codes {y.min()} to {y.max()}, but classes are 0 to {C - 1}")
    return values, y
