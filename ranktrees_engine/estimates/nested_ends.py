"""Training cases that agree with few others at nodes, counted from those at the ends of paths.

As `NestedCounts`, whose cases these counts replace: the ends below a node stand together, and so do
those of each node below it. A node of few cases is counted from the ends below it.
"""

import numpy as np

from ranktrees_engine.basics.blocks import blocks
from ranktrees_engine.basics.kinds import Array
from ranktrees_engine.estimates.end_counts import EndCounts
from ranktrees_engine.estimates.nested_counts import FEW, TOP
from ranktrees_engine.estimates.path_counts import ROOM
from ranktrees_engine.growing.tree import sum_below


class NestedEnds:
    """Counts (P, A, C) of cases that agree with others at nodes (P,): from tables, or from ends."""

    def __init__(self, counts: EndCounts):
        self.counts, tree = counts, counts.tree
        n, (T, C), M = tree.counts.sum(axis=1), tree.counts.shape, len(counts.attribute)
        most = max(int((tree.parent < 0).sum()) * TOP // (M * C), 1)
        least = FEW if most >= T else max(FEW, np.partition(n, -most - 1)[-most - 1])
        top = np.flatnonzero(n > least)
        self.number = np.full(T, -1)
        self.number[top] = np.arange(len(top))
        self.tables = np.empty((len(top), M, C), tree.counts.dtype)
        for some in blocks(M, T * C, ROOM):
            self.tables[:, some] = counts.count(np.arange(M)[some])[top]
        self._order_ends()

    def _order_ends(self):
        """Find, for each node, how many ends are below it, and the first of them in their order."""
        tree, parts = self.counts.tree, self.counts.parts
        part, place = np.full((2, len(tree)), -1)
        for k, (nodes, _) in enumerate(parts):
            part[nodes], place[nodes] = k, np.arange(len(nodes))
        is_end = (part >= 0).astype(np.intp)
        self.n_ends, first = sum_below(tree, is_end), np.zeros(len(tree), np.intp)
        roots = tree.levels[0]
        first[roots] = np.cumsum(self.n_ends[roots]) - self.n_ends[roots]
        for level, (up, start) in zip(tree.levels[1:], tree.families[1:], strict=True):
            before = np.cumsum(self.n_ends[level]) - self.n_ends[level]
            shift = first[up] + is_end[up] - before[start[:-1]]
            first[level] = before + np.repeat(shift, np.diff(start))
        ends = np.flatnonzero(is_end)
        ends = ends[np.argsort(first[ends], kind="stable")]
        self.first, self.part, self.place = first, part[ends], place[ends]

    def n_compared(self, node: Array) -> np.ndarray:
        """Return the number of ends that are added up at each node, of any shape; -1 is none."""
        return np.where((node < 0) | (self.number[node] >= 0), 0, self.n_ends[node])

    def agreeing(self, node: Array, codes: Array) -> np.ndarray:
        """Count the training cases (P, A, C) at each node (P,) that agree with its codes (P, A).

        The numbers for a code of -1 mean nothing.
        """
        counts, (P, A), C = self.counts, codes.shape, self.counts.n_classes
        n, number = np.empty((P, A, C), self.tables.dtype), self.number[node]
        cell = counts.offsets[:-1] + np.maximum(codes, 0)
        top, low = np.flatnonzero(number >= 0), np.flatnonzero(number < 0)
        n[top] = self.tables[number[top, None], cell[top]]
        n[low] = self._below(node[low], cell[low])
        return n

    def _below(self, nodes, cells):
        """Add up, over the ends below nodes (S,), the counts of their cells (S, A)."""
        size = self.n_ends[nodes]
        which = np.repeat(np.arange(len(nodes)), size)
        end = np.arange(len(which)) + np.repeat(self.first[nodes] - (np.cumsum(size) - size), size)
        total = np.zeros((*cells.shape, self.counts.n_classes), self.tables.dtype)
        for k, (_, table) in enumerate(self.counts.parts):
            some = np.flatnonzero(self.part[end] == k)
            own = which[some]
            np.add.at(total, own, table[self.place[end[some]][:, None], cells[own]])
        return total
