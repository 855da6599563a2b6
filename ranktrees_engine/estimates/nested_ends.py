"""Training cases that agree with few others at nodes, counted from what ended below these.

As `NestedCounts`: a node of few cases is counted from those that are kept, and from the tables of
others. The tables below a node stand together, and so do those of each node below it.
"""

import numpy as np

from ranktrees_engine.basics.blocks import blocks
from ranktrees_engine.basics.kinds import Array
from ranktrees_engine.estimates.end_counts import EndCounts
from ranktrees_engine.estimates.nested_counts import FEW, TOP, compared
from ranktrees_engine.estimates.path_counts import ROOM
from ranktrees_engine.growing.tree import firsts_below


class NestedEnds:
    """Counts (P, A, C) of cases that agree with others at nodes (P,), as `NestedCounts` has."""

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
        self._order_tables()

    def _order_tables(self):
        """Find how many tables are below each node, and the first of them in their order."""
        tree, parts = self.counts.tree, self.counts.tables
        part, place = np.full((2, len(tree)), -1)
        for k, (nodes, _) in enumerate(parts):
            part[nodes], place[nodes] = k, np.arange(len(nodes))
        is_end = (part >= 0).astype(np.intp)
        self.n_ends, first = firsts_below(tree, is_end)
        ends = np.flatnonzero(is_end)
        ends = ends[np.argsort(first[ends], kind="stable")]
        self.first, self.part, self.place = first, part[ends], place[ends]

    def n_compared(self, node: Array) -> np.ndarray:
        """Return the number of cases and of tables at each node, of any shape; -1 is none."""
        n = self.n_ends[node] + self.counts.few.by_node[0][node]
        return np.where((node < 0) | (self.number[node] >= 0), 0, n)

    def agreeing(self, node: Array, codes: Array) -> np.ndarray:
        """Count the training cases (P, A, C) at each node (P,) that agree with its codes (P, A).

        The numbers for a code of -1 mean nothing.
        """
        counts, (P, A), C = self.counts, codes.shape, self.counts.n_classes
        n, number = np.empty((P, A, C), self.tables.dtype), self.number[node]
        cell = counts.offsets[:-1] + np.maximum(codes, 0)
        top, low = np.flatnonzero(number >= 0), np.flatnonzero(number < 0)
        n[top] = self.tables[number[top, None], cell[top]]
        kept = compared(counts.few, node[low], codes[low])
        n[low] = kept + self._below(node[low], cell[low])
        return n

    def _below(self, nodes, cells):
        """Add up, over the tables below nodes (S,), the counts of their cells (S, A)."""
        size = self.n_ends[nodes]
        which = np.repeat(np.arange(len(nodes)), size)
        end = np.arange(len(which)) + np.repeat(self.first[nodes] - (np.cumsum(size) - size), size)
        total = np.zeros((*cells.shape, self.counts.n_classes), self.tables.dtype)
        for k, (_, table) in enumerate(self.counts.tables):
            some = np.flatnonzero(self.part[end] == k)
            own = which[some]
            np.add.at(total, own, table[self.place[end[some]][:, None], cells[own]])
        return total
