"""Training cases counted along the paths of a tree, for estimates that differ from case to case."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from ranktrees.basics.blocks import blocks
from ranktrees.estimates.path_bayes import PathTables, check_branches, known_codes
from ranktrees.growing.count import offsets_of
from ranktrees.growing.tree import Tree, sum_below


class PathCounts:
    """What training cases, codes X (n, A) of classes y (n,), count at the nodes of a tree.

    No two cases are compared: how often a case agrees with the cases of class c at a node is the
    sum over its attributes of count[node, attribute, the case's value, c], so that a look-up takes
    the place of a search. Raises ValueError if these are not the cases the tree's counts are of.
    """

    def __init__(self, tree: Tree, X: np.ndarray, y: np.ndarray):
        self.tree, self.X, self.y = tree, X, y
        self.n_classes = tree.counts.shape[1]
        sizes = np.array([info.size for info in tree.schema], np.intp)
        self.sizes = sizes[:, None, None]
        self.first_cell = np.cumsum(sizes) - sizes
        self.width = int(sizes.sum()) + 1  # cells of a node's table; the last is of unseen values
        self.paths = tree.paths()
        end = tree.apply(X)
        self._check(end)
        order = np.lexsort(self.paths.T[::-1])  # each node before all below it
        ended = np.bincount(end, minlength=len(tree))[order]
        self.first_row = np.empty(len(tree), np.intp)
        self.first_row[order] = np.cumsum(ended) - ended
        self.rows = np.argsort(self.first_row[end], kind="stable")  # a node's cases stand together

    @classmethod
    def of(cls, tree: Tree, X, y) -> "PathCounts":
        """The counts of training cases; in place of the codes X, those of this tree themselves."""
        return X if isinstance(X, PathCounts) else cls(tree, X, y)

    def _check(self, end):
        """A case can only be left out of counts that it is in."""
        ended = np.array(self.tree.counts)  # less those that went on
        np.subtract.at(ended, self.tree.parent[1:], self.tree.counts[1:])
        kind = end * self.n_classes + self.y
        if not np.array_equal(np.bincount(kind, minlength=ended.size), ended.ravel()):
            raise ValueError(
                f"the tree's counts are not those of the {len(self.y)} training cases: estimates "
                "that differ from case to case need the cases that the tree was grown on"
            )

    def below(self, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Training cases that came to nodes (S,): which of the nodes (p,), and their rows (p,)."""
        size = self.tree.counts[nodes].sum(axis=1)
        which = np.repeat(np.arange(len(nodes)), size)
        shift = self.first_row[nodes] - (np.cumsum(size) - size)
        return which, self.rows[np.arange(len(which)) + shift[which]]

    def voters(self, ends: np.ndarray, alike: bool) -> tuple:
        """Who weighs the paths to `ends` (E,): path (p,), codes (p, A), class (p,), and how often.

        Where cases of one node and class all say the same, `alike`, one of them votes for all.
        """
        if alike:
            path, y = np.nonzero(self.tree.counts[ends])
            times = self.tree.counts[ends][path, y]
            return path, self.X[:0], y, times[:, None, None]
        path, row = self.below(ends)
        return path, self.X[row], self.y[row], 1

    def agreement(self, node: np.ndarray, X: np.ndarray) -> Iterator[tuple]:
        """Yield cases (q,) of codes X (m, A), and with how many at their `node` (m,) they agree.

        That is (A, q, C), attribute by attribute and class by class; node -1 is left out. Tables
        of nodes and what is looked up in them are made block by block.
        """
        asked = np.flatnonzero(node >= 0)
        nodes, number = np.unique(node[asked], return_inverse=True)
        cells = np.where(X < 0, self.width - 1, X + self.first_cell).T
        for block in blocks(len(nodes), self.width * self.n_classes):
            table = self.tables(nodes[block]).reshape(-1, self.n_classes)
            inside = np.flatnonzero((number >= block.start) & (number < block.stop))
            for some in blocks(len(inside), len(cells) * self.n_classes):
                cases = asked[inside[some]]
                start = (number[inside[some]] - block.start) * self.width
                yield cases, table.take(start + cells[:, cases], axis=0)

    def tables(self, nodes: np.ndarray) -> np.ndarray:
        """Cases (S, width, C) of nodes (S,) by value and class; none has the last, unseen value."""
        if self.tree.tables is not None:
            return np.pad(self.tree.tables[nodes], ((0, 0), (0, 1), (0, 0)))
        which, row = self.below(nodes)
        shape = len(nodes), self.width, self.n_classes
        start = which * math.prod(shape[1:]) + self.y[row]
        cell = (self.first_cell + self.X[row]) * self.n_classes + start[:, None]
        return np.bincount(cell.ravel(), minlength=math.prod(shape)).reshape(shape)


def value_tables(tree: Tree, X: np.ndarray, y: np.ndarray, most=1 << 26) -> np.ndarray | None:
    """Cases of each node by value and class (T, M, C): the tree's `tables`, in a small type.

    None for a tree whose tables would have more than `most` cells.
    """
    counts = PathCounts(replace(tree, tables=None), X, y)
    shape = len(tree), counts.width - 1, counts.n_classes
    if math.prod(shape) > most:
        return None
    tables = np.empty(shape, np.min_scalar_type(len(y)))
    for block in blocks(len(tree), counts.width * counts.n_classes):
        tables[block] = counts.tables(np.arange(len(tree))[block])[:, :-1]
    return tables


class EndTables(PathTables):
    """`PathTables` of a tree whose training cases are kept as counts alone.

    `ended` (T, M, C) are the cases whose path ends at each node, by known value and class, the
    values of all attributes end to end: see `count_ends`.
    """

    def __init__(self, tree: Tree, ended: np.ndarray):
        self._set_values(tree)
        self.X, self.table = None, sum_below(tree, ended)
        known = np.zeros((len(tree), len(self.sizes), ended.shape[2]), ended.dtype)
        np.add.at(known, (slice(None), self.attribute), self.table)
        self._set_stop(known)

    def occurring(self, X: np.ndarray | None) -> np.ndarray:
        """As of `PathTables`; None: the values of the training cases."""
        return np.flatnonzero(self.table[0].any(axis=1)) if X is None else super().occurring(X)

    def counts(self, values: np.ndarray) -> np.ndarray:
        """Training cases (T, M', C) of each node by values (M',) and class."""
        return self.table[:, values]


def count_ends(tree: Tree, batches: Iterable, budget: int) -> np.ndarray:
    """Cases (T, M, C) whose path ends at each node, by known value and class, for `EndTables`.

    `batches` are a `Codes`, classes (m,) and weights (m,), None: 1 each. Raises ValueError for a
    tree without a branch per value, where the table takes more bytes than the budget, and for other
    cases than those of the tree's counts.
    """
    check_branches(tree)
    offsets = offsets_of([info.size for info in tree.schema])
    (T, C), M = tree.counts.shape, int(offsets[-1])
    n_bytes = 16 * T * M * C  # the sums over subtrees are as many
    if n_bytes > budget:
        raise ValueError(
            f"budget: path Bayes counts {M:,} values and {C} classes at {T:,} nodes, which takes "
            f"{n_bytes:,} bytes: give as many, or a larger min_child for fewer nodes"
        )
    ended, table = (np.zeros(shape, tree.counts.dtype) for shape in ((T, C), (T, M, C)))
    for codes, y, weight in batches:
        end, weight = tree.apply(codes.values), np.ones(len(y), int) if weight is None else weight
        np.add.at(ended, (end, y), weight)
        for start, x in zip(offsets, known_codes(codes.values, codes.gaps).T, strict=False):
            known = x >= 0
            np.add.at(table, (end[known], start + x[known], y[known]), weight[known])
    if not np.array_equal(sum_below(tree, ended), tree.counts):
        raise ValueError("these are not the cases on which the tree was grown: its counts differ")
    return table
