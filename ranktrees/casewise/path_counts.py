"""Training cases counted along the paths of a tree, for estimates that differ from case to case."""

from collections.abc import Callable
from functools import cached_property

import numpy as np

from ranktrees.tree import Tree

MOST_CELLS = 1 << 26  # of the tables that a tree keeps of all its nodes
BLOCK_CELLS = 1 << 20  # of a block of count tables, or of what is looked up in them at once


class PathCounts:
    """What training cases, codes X (n, A) of classes y (n,), count at the nodes of a tree.

    It is asked for pairs of a case and a node on its path. No two cases are compared: how often a
    case agrees with the cases of class c at a node is the sum over its attributes of
    count[node, attribute, the case's value, c], so that a look-up takes the place of a search.
    Raises ValueError if these are not the cases that the tree's own counts are of.
    """

    def __init__(self, tree: Tree, X: np.ndarray, y: np.ndarray):
        self.tree, self.X, self.y = tree, X, y
        self.sizes = np.array([info.size for info in tree.schema], np.intp)
        self.first = np.cumsum(self.sizes) - self.sizes
        self.width = int(self.sizes.sum()) + 1  # cells of a node's table; the last stays empty
        self.end = tree.apply(X)
        self._check()

    @classmethod
    def of(cls, tree: Tree, X, y) -> "PathCounts":
        """The counts of training cases; in place of the codes X, those of this tree themselves."""
        return X if isinstance(X, PathCounts) else cls(tree, X, y)

    def _check(self):
        """A case can only be left out of counts that it is in."""
        ended = np.array(self.tree.counts)  # less those that went on
        np.subtract.at(ended, self.tree.parent[1:], self.tree.counts[1:])
        kind = self.end * ended.shape[1] + self.y
        if not np.array_equal(np.bincount(kind, minlength=ended.size), ended.ravel()):
            raise ValueError(
                f"the tree's counts are not those of the {len(self.y)} training cases: estimates "
                "that differ from case to case need the cases that the tree was grown on"
            )

    @cached_property
    def paths(self) -> np.ndarray:
        """Nodes (T, depth + 1) from the root to each node, -1 beyond."""
        return self.tree.paths()

    @cached_property
    def cells(self) -> np.ndarray:
        """Where the training cases' values stand in a table (n, A)."""
        return self.cells_of(self.X)

    def cells_of(self, X: np.ndarray) -> np.ndarray:
        """Where the values of codes (m, A) stand in a table; an unseen one stands in no case's."""
        return np.where(X < 0, self.width - 1, X + self.first)

    def below(self, node: int) -> np.ndarray:
        """Rows of the training cases that came to a node."""
        return np.flatnonzero(self.at(self.tree.depths[node]) == node)

    def at(self, level: int) -> np.ndarray:
        """The node (n,) of each training case at a level, -1 where its path has ended.

        Level -1 is where it ends, at whatever depth.
        """
        return self.end if level < 0 else self.paths[:, level].take(self.end)

    def look_up(self, node: np.ndarray, cells: np.ndarray, add_up: Callable) -> np.ndarray:
        """`add_up(counts (q, A, C), pairs (q,)) -> (q, C)` of all pairs (p,), block by block.

        `node` (p,) and `cells` (p, A): pair i asks how many cases of each class at its node share
        each of its values. Tables of a level, and those of all leaves, are counted together, as
        many as memory allows.
        """
        result, C = np.empty((len(node), self.tree.counts.shape[1])), self.tree.counts.shape[1]
        level_of = np.where(self.tree.is_leaf, -1, self.tree.depths)[node]
        number = np.full(len(self.tree) + 1, -1)
        together = max(1, BLOCK_CELLS // (self.width * C))
        at_once = max(1, BLOCK_CELLS // (cells.shape[1] * C))
        for level in np.unique(level_of):
            nodes = np.unique(node[level_of == level])
            for start in range(0, len(nodes), together):
                block = nodes[start : start + together]
                number[block] = np.arange(len(block))
                table = self._tables(block, number[self.at(level)])
                pairs = np.flatnonzero(number[node] >= 0)
                for some in np.split(pairs, range(at_once, len(pairs), at_once)):
                    rows = (number[node[some]] * self.width)[:, None] + cells[some]
                    result[some] = add_up(table[rows], some)
                number[block] = -1
        return result

    def _tables(self, nodes, number):
        """Counts (nodes * width, C) at these nodes, whose cases have their number (n,), else -1."""
        C = self.tree.counts.shape[1]
        if self.tree.tables is not None:
            empty = np.zeros((len(nodes), 1, C), np.intp)
            return np.concatenate([self.tree.tables[nodes], empty], axis=1).reshape(-1, C)
        rows = np.flatnonzero(number >= 0)
        index = ((number[rows] * self.width)[:, None] + self.cells_of(self.X[rows])) * C
        index += self.y[rows][:, None]
        return np.bincount(index.ravel(), minlength=len(nodes) * self.width * C).reshape(-1, C)

    def matches(self, node: np.ndarray, cells: np.ndarray) -> np.ndarray:
        """(p, C): in how many attribute values a case agrees with all cases of each class."""
        return self.look_up(node, cells, lambda counts, pairs: counts.sum(axis=1))


def value_tables(tree: Tree, X: np.ndarray, y: np.ndarray) -> np.ndarray | None:
    """Cases of each node by value and class (T, M, C): the tree's `tables`, in a small type.

    None for a tree whose tables would have more than `MOST_CELLS` cells.
    """
    counts, C = PathCounts(tree, X, y), tree.counts.shape[1]
    M, most = counts.width - 1, int(tree.counts[0].sum())
    if len(tree) * M * C > MOST_CELLS:
        return None
    tables = np.empty((len(tree), M, C), np.min_scalar_type(most))
    step = max(1, BLOCK_CELLS // (M * C))
    for depth, level in enumerate(tree.levels):
        node = counts.at(depth)
        for first in range(level.start, level.stop, step):
            stop = min(first + step, level.stop)
            rows = np.flatnonzero((node >= first) & (node < stop))
            at = ((node[rows] - first) * M)[:, None] + counts.cells[rows]
            cells = (at * C + y[rows][:, None]).ravel()
            found = np.bincount(cells, minlength=(stop - first) * M * C)
            tables[first:stop] = found.reshape(-1, M, C)
    return tables
