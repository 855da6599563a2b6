"""Training cases that agree with few others at the nodes of their paths, counted at any size.

The cases of a node stand together, and so do those of each node below it: the ranges of a path are
nested. So a node of few cases is counted from its own ones. The others, at the top of the tree, are
few nodes, and have tables of all values.
"""

import numpy as np

from ranktrees_engine.basics.kinds import Array
from ranktrees_engine.estimates.path_counts import PathCounts
from ranktrees_engine.reading.weights import bincount

FEW = 64  # cases, which are compared faster than a table is made
TOP = 1 << 20  # cells of the tables of each tree's top nodes


class NestedCounts:
    """Counts (P, A, C) of cases that agree with others at nodes (P,): from tables, or compared.

    The S nodes of the most training cases, more than `least` each, have tables (S, M, C) as
    `PathCounts` has of all nodes; `number` (T,) is a node's place in them, or -1.
    """

    def __init__(self, counts: PathCounts):
        n, C, self.counts = counts.by_node[0], counts.n_classes, counts
        R, M = counts.end.size // len(counts.y), len(counts.attribute)
        most, self.least = max(R * TOP // (M * C), 1), FEW
        if most < len(n):
            self.least = max(FEW, int(np.partition(n, -most - 1)[-most - 1]))
        nodes = np.flatnonzero(n > self.least)  # with each of them, all above it
        self.number = np.full(len(n), -1)
        self.number[nodes] = np.arange(len(nodes))
        self.tables = self._count(nodes)

    def _count(self, nodes):
        """Count all training cases at nodes (S,), which have all those above them."""
        counts, tree, number = self.counts, self.counts.tree, self.number.copy()
        for level in tree.levels[1:]:  # of the last one of these nodes on each path
            here = number[level]
            number[level] = np.where(here < 0, number[tree.parent[level]], here)
        last, (S, C) = number[counts.end], (len(nodes), counts.n_classes)
        weight = None if counts.weight is None else np.broadcast_to(counts.weight, last.shape)
        dtype = np.int64 if weight is None else weight.dtype
        tables = np.empty((S, len(counts.attribute), C), dtype)
        for x, V, start in zip(counts.X.T, counts.sizes, counts.offsets, strict=False):
            known = (last >= 0) & (x >= 0)
            cell = ((last * V + x) * C + counts.y)[known]
            n = bincount(cell, None if weight is None else weight[known], S * V * C)
            tables[:, start : start + V] = n.reshape(S, V, C)
        for s, up in zip(range(S - 1, -1, -1), tree.parent[nodes][::-1].tolist(), strict=True):
            if up >= 0:
                tables[self.number[up]] += tables[s]
        return tables.astype(np.min_scalar_type(len(counts.y))) if weight is None else tables

    def n_compared(self, node: Array) -> np.ndarray:
        """Return the number of cases that are compared at each node, of any shape; -1 is none."""
        n = self.counts.by_node[0]
        return np.where((node < 0) | (self.number[node] >= 0), 0, n[node])

    def agreeing(self, node: Array, codes: Array) -> np.ndarray:
        """Count the training cases (P, A, C) at each node (P,) that agree with its codes (P, A).

        The numbers for a code of -1 mean nothing.
        """
        counts, C, number = self.counts, self.counts.n_classes, self.number[node]
        n = np.empty((*codes.shape, C), self.tables.dtype)
        top, low = np.flatnonzero(number >= 0), np.flatnonzero(number < 0)
        cell = number[top, None] * len(counts.attribute) + counts.offsets[:-1]
        n[top] = self.tables.reshape(-1, C)[cell + np.maximum(codes[top], 0)]
        n[low] = compared(counts, node[low], codes[low])
        return n


def compared(counts: PathCounts, nodes: Array, codes: Array) -> np.ndarray:
    """Count the cases (S, A, C) of nodes (S,) that agree with codes (S, A), case by case."""
    (S, A), C = codes.shape, counts.n_classes
    which, row = counts.below(nodes)
    at, j = np.nonzero(counts.X[row] == codes[which])
    weight = None if counts.weight is None else counts.weight[row[at]]
    cell = (which[at] * A + j) * C + counts.y[row[at]]
    return bincount(cell, weight, S * A * C).reshape(S, A, C)
