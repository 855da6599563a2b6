"""Subtree raising: a node's largest branch takes its place, and all of its cases."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ranktrees.count import tally
from ranktrees.tree import Tree, descend


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


def branches(links: Links, node: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The children of nodes (m,), end to end, and the place in `node` of the parent of each."""
    width = links.width[node]
    row = np.repeat(np.arange(len(node)), width)
    before = np.cumsum(width) - width
    return row, links.child[np.arange(len(row)) + (links.offset[node] - before)[row]]


def with_empty_leaves(tree: Tree) -> tuple[Links, np.ndarray]:
    """Links and counts of the tree in which each empty branch is a leaf, after all other nodes."""
    empty = tree.child < 0
    child = np.where(empty, len(tree) + np.cumsum(empty) - 1, tree.child)
    fills = -1, -1, 0, 0
    parts = zip(links_of(tree), fills, strict=False)
    padded = [np.append(part, np.full(empty.sum(), fill)) for part, fill in parts]
    return Links(*padded, child), np.pad(tree.counts, ((0, empty.sum()), (0, 0)))


def rebuild(links: Links, tree: Tree, counts: np.ndarray | None = None) -> Tree:
    """Number what hangs from node 0 breadth first; a child without cases becomes -1.

    `counts` (T, C) are those of the links' nodes; None: the counts of `tree`, which gives schema
    and classes.
    """
    counts = tree.counts if counts is None else counts
    links.width[links.attribute < 0] = 0
    occupied = np.append(counts.any(axis=1), False)  # the last for -1, an empty branch
    levels, above, first = [np.zeros(1, np.intp)], [np.array([-1])], 0
    while len(levels[-1]):
        row, child = branches(links, levels[-1])
        once = np.sort(np.unique(child, return_index=True)[1])  # outcomes may share a child
        once = once[occupied[child[once]]]
        above.append(first + row[once])
        first += len(levels[-1])
        levels.append(child[once])
    old = np.concatenate(levels)
    new = np.full(len(counts) + 1, -1)
    new[old] = np.arange(len(old))
    return Tree(
        np.concatenate(above),
        links.attribute[old],
        np.where(links.attribute < 0, -1, links.cut)[old],
        new[branches(links, old)[1]],
        np.concatenate([[0], np.cumsum(links.width[old])]),
        counts[old],
        tree.schema,
        tree.classes,
    )


class Raising:
    """A tree while it changes: its links, and of each node class counts and estimated errors.

    `estimate(counts (..., C)) -> (...)` are the errors of a leaf; `worse` is how many errors more
    are as good as none.
    """

    def __init__(self, tree: Tree, codes, y, estimate: Callable, worse: float):
        self.codes, self.y, self.estimate, self.worse = codes, y, estimate, worse
        self.links, self.counts = with_empty_leaves(tree)
        self.errors = np.zeros(len(self.counts))

    def prune(self, cases: np.ndarray, node: np.ndarray) -> None:
        """Prune what hangs from the nodes (m,) at which the cases (m,) are, counting them anew."""
        passed = list(descend(self.links, self.codes[cases], node))
        for some, node in passed:
            ids, row = np.unique(node, return_inverse=True)
            self.counts[ids] = self._tally(len(ids), row, cases[some])
            self.errors[ids] = self.estimate(self.counts[ids])
        for some, node in reversed(passed):
            inner = self.links.attribute[node] >= 0
            if inner.any():
                self._decide(cases[some[inner]], node[inner])

    def _decide(self, cases, node):
        """Make leaves of nodes of one level, or raise their largest branches."""
        ids, row = np.unique(node, return_inverse=True)
        as_leaf = self.errors[ids]
        as_tree, son = self._subtrees(ids)
        as_son = self._largest_branch(cases, row, son)
        leaf = (as_leaf - as_tree < self.worse) & (as_leaf - as_son < self.worse)
        raised = ~leaf & (as_son - as_tree < self.worse)
        self.links.attribute[ids[leaf]] = -1
        self.errors[ids] = np.where(leaf, as_leaf, as_tree)
        if raised.any():
            for part in self.links[: Links._fields.index("child")]:
                part[ids[raised]] = part[son[raised]]
            again = raised[row]
            self.prune(cases[again], node[again])

    def _subtrees(self, ids):
        """Errors (S,) of the subtrees of nodes (S,), and the child of most cases, the last one."""
        row, child = branches(self.links, ids)
        once = np.sort(np.unique(child, return_index=True)[1])
        errors = np.bincount(row[once], self.errors[child[once]], minlength=len(ids))
        largest = np.lexsort((np.arange(len(child)), self.counts[child].sum(axis=1), row))
        last = np.cumsum(self.links.width[ids]) - 1
        return errors, child[largest[last]]

    def _largest_branch(self, cases, row, son):
        """Errors (S,) of the subtrees `son` (S,) when all cases of their parents go there."""
        end = son[row]
        for some, node in descend(self.links, self.codes[cases], end):
            end[some] = node
        ends, place = np.unique(end, return_inverse=True)
        owner = np.empty(len(ends), np.intp)
        owner[place] = row
        errors = self.estimate(self._tally(len(ends), place, cases))
        return np.bincount(owner, errors, minlength=len(son))

    def _tally(self, size, row, cases):
        return tally((size, self.counts.shape[1]), row, self.y[cases])
