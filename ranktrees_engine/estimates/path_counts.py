"""Training cases counted at the nodes of a tree: by node, value and class."""

import math
from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from ranktrees_engine.basics.blocks import LIMIT, blocks
from ranktrees_engine.basics.kinds import Array
from ranktrees_engine.basics.logarithms import log
from ranktrees_engine.basics.places import places
from ranktrees_engine.growing.count import offsets_of
from ranktrees_engine.growing.tree import Tree, firsts_below, less_children, sum_below
from ranktrees_engine.reading.encoder import Codes
from ranktrees_engine.reading.schema import AttributeInfo
from ranktrees_engine.reading.weights import bincount

ROOM = 16 * LIMIT  # cells of the tables that are made at once, and kept where they are all
BY_CASE = "estimates that differ from case to case need"


class PathCounts:
    """Counts of training cases, codes `X` (n, A) with classes `y` (n,), at the nodes of a tree.

    No two cases are compared: how often a case agrees with the cases of class c at a node is the
    sum over its attributes of the cells count[node, the case's value, c], so that a look-up
    replaces a search. The M values of all attributes lie end to end. A case weighs `weight` (n,),
    or 1 if that is None. `gaps` (n, A) are the values that were missing and are filled in: the tree
    sees them, the tables do not. `end` (n,) is the node at which each path ends; in a forest of R
    trees it is (R, n), and rows of tables have that axis, too. Raises ValueError, which states the
    `purpose`, if these are not the cases of the tree's counts.
    """

    def __init__(
        self,
        tree: Tree,
        X: Array,
        y: Array,
        weight: Array | None = None,
        gaps: Array | None = None,
        purpose: str = BY_CASE,
    ):
        self._set_values(tree, [info.size for info in tree.schema])
        self._set_cases(known_codes(X, gaps), y, weight, tree.apply(X), purpose)
        if weight is None and gaps is None and tree.tables is not None:
            self.table = tree.tables

    @classmethod
    def in_grid(
        cls, tree: Tree, codes: Codes, end: Array, y: Array, weight: Array | None = None
    ) -> "PathCounts":
        """Count other codes than the tree's, for cases whose paths end at `end` (n,) or (R, n)."""
        self = cls.__new__(cls)
        self._set_values(tree, value_sizes(codes.schema))
        self._set_cases(codes.values, y, weight, end, "a path forest needs")
        return self

    @classmethod
    def of_ends(cls, tree: Tree, ended: np.ndarray) -> "PathCounts":
        """Make the counts alone, from the ends of paths, `ended` (T, M, C): see `count_ends`."""
        self = cls.__new__(cls)
        self._set_values(tree, [info.size for info in tree.schema])
        self.X, self.table = None, sum_below(tree, ended)
        return self

    def _set_values(self, tree, sizes):
        self.tree, self.n_classes = tree, tree.counts.shape[1]
        self.sizes = np.array(sizes, np.intp)
        self.offsets = offsets_of(self.sizes)
        self.attribute = np.repeat(np.arange(len(self.sizes)), self.sizes)  # of each value

    def _set_cases(self, X, y, weight, end, purpose):
        """Keep the cases; ValueError if they are not those that the tree's counts are of."""
        self.X, self.y, self.weight, self.end = X, y, weight, end
        ended = self._by_class(end, slice(None), len(self.tree))
        if not np.array_equal(ended, less_children(self.tree, self.tree.counts)):
            raise ValueError(
                f"the tree's counts are not those of the {len(y)} training cases: {purpose} the "
                "cases that the tree was grown on"
            )

    @property
    def has_paths(self) -> bool:
        """Whether the cases of single nodes can be counted, without tables of all nodes."""
        return self.X is not None

    # The tables

    @cached_property
    def table(self) -> np.ndarray | None:
        """Cases (T, M, C) of all nodes by value and class, if there is room for them."""
        return self.all_tables(ROOM)

    def all_tables(self, most: int) -> np.ndarray | None:
        """Return cases (T, M, C) of all nodes, in a small type; None for over `most` cells."""
        shape = len(self.tree), len(self.attribute), self.n_classes
        if math.prod(shape) > most:
            return None
        small = np.min_scalar_type(len(self.y)) if self.weight is None else self.weight.dtype
        tables = np.empty(shape, small)
        for values in blocks(shape[1], self.tree.counts.size):
            tables[:, values] = self._from_cases(np.arange(shape[1])[values])
        return tables

    def of_values(self, values: np.ndarray) -> np.ndarray:
        """Count the training cases (T, M', C) of all nodes by values (M',) and class."""
        _ = self.table
        return self.count(values)

    def count(self, values: np.ndarray) -> np.ndarray:
        """Count as `of_values`, but make no table of all values, which would be kept."""
        if vars(self).get("table") is None:
            return self._from_cases(values)
        return self.table[:, values].astype(self.tree.counts.dtype, copy=False)

    def of_nodes(self, nodes: np.ndarray) -> np.ndarray:
        """Count the training cases (S, M, C) of nodes (S,) by value and class."""
        which, row = self.below(nodes)
        rows = self.rows(self.X[row], which, len(nodes))
        shape = len(nodes), len(self.attribute), self.n_classes
        return self._by_class(rows, row, math.prod(shape[:2]) + 1)[:-1].reshape(shape)

    def _from_cases(self, values):
        """Count as `of_values`, from the cases."""
        return sum_below(self.tree, self._ended(values))

    def _ended(self, values):
        """Count cases (T, M', C) at the nodes where they end by values (M',) and class."""
        total, R = 0, self.end.size // max(len(self.y), 1)
        for cases in blocks(max(len(self.y), 1), R * len(self.sizes), ROOM):
            end = places(self.end[..., cases])
            rows = self.rows(self.X[cases], end, len(self.tree), values)
            total = total + self._by_class(rows, cases, len(self.tree) * len(values) + 1)[:-1]
        return total.reshape(len(self.tree), len(values), self.n_classes)

    def _by_class(self, rows, cases, n_rows):
        """Count cases (n_rows, C), or their weights, by the row (m,) or rows (m, A') of each."""
        y, weight = self.y[cases], None if self.weight is None else self.weight[cases]
        if rows.ndim > self.end.ndim:
            y, weight = y[:, None], None if weight is None else weight[:, None]
        weight = None if weight is None else np.broadcast_to(weight, rows.shape).ravel()
        cells = (rows * self.n_classes + y).ravel()
        return bincount(cells, weight, n_rows * self.n_classes).reshape(n_rows, -1)

    # Which row of the tables a case looks at

    def rows(self, X: Array, node: Array, n_nodes: int, values: Array | None = None) -> Array:
        """Return rows (m, A') of codes X (m, A) at a `node` (m,) in all nodes' tables.

        The tables, end to end, are of `n_nodes` nodes and of values (M',) in ascending order, or of
        all M. A value that is unknown, or not among these, has the row after them. For nodes (R, m)
        there are rows (R, m, A').
        """
        some = slice(None) if values is None else self.attributes(values)
        first, width = self.offsets[:-1][some], int(self.sizes[some].sum())
        if values is None or len(values) == width:
            place = X[:, some] + (first - first[0]) + node[..., None] * width
            return places(np.where(X[:, some] < 0, n_nodes * width, place))
        place = np.full(len(self.attribute) + 1, -1)
        place[values] = np.arange(len(values))
        found = place[np.where(X[:, some] < 0, -1, X[:, some] + first)]
        return np.where(found < 0, n_nodes * len(values), node[..., None] * len(values) + found)

    def attributes(self, values: np.ndarray) -> slice:
        """Return the attributes that values (M',), in ascending order, belong to."""
        return slice(self.attribute[values[0]], self.attribute[values[-1]] + 1)

    def blocks(self, X: np.ndarray | None = None) -> Iterator[np.ndarray]:
        """Yield the values in codes X (m, A), as many at a time as fill `ROOM` cells.

        If X is None, those of the training cases, or all values if there are only counts.
        """
        X = self.X if X is None else X
        occurs = np.full(len(self.attribute), X is None)
        for start, codes in () if X is None else zip(self.offsets, X.T, strict=False):
            occurs[start + codes[codes >= 0]] = True
        values = np.flatnonzero(occurs)
        return (values[part] for part in blocks(len(values), self.tree.counts.size, ROOM))

    def logarithms(
        self, values: Array, table: Array, taken: bool, X: Array, end: Array
    ) -> Iterator[tuple]:
        """Yield attributes, cases and the logarithms (A', q, C) of a table's entries for them.

        The `table` (T M' + 1, C) is of values (M',), as numbers or with their logarithms `taken`;
        codes X (m, A) look up the rows of the nodes `end` (m,) at which their paths end, or, if
        `end` is (R, m), the sums over R trees.
        """
        R = end.size // max(len(X), 1)
        few = not taken and X.size * R < len(table)  # then there are fewer to take afterwards
        table = table if few or taken else log(table)
        for cases in blocks(len(X), X[:1].size * table.shape[1] * R):
            rows = self.rows(X[cases], end[..., cases], len(self.tree), values)
            found = table.take(rows.swapaxes(-1, -2), axis=0)
            found = log(found) if few else found
            yield self.attributes(values), cases, found.sum(axis=0) if end.ndim > 1 else found

    # Cases along the paths

    @cached_property
    def paths(self) -> np.ndarray:
        """Ids (T, depth + 1) from the root to each node, -1 beyond its end."""
        return self.tree.paths()

    @cached_property
    def by_node(self):
        """Number of cases of each node, index of the first one, and all cases in that order.

        The cases of a node, and of all below it, stand together: first those that end there.
        """
        ended = np.bincount(self.end.ravel(), minlength=len(self.tree))
        n, first = firsts_below(self.tree, ended)
        cases = np.argsort(first[self.end.ravel()], kind="stable") % len(self.y)
        return n, first, cases.astype(np.min_scalar_type(len(self.y)))

    def below(self, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return which of the nodes (S,) each training case reached (p,), and its row (p,)."""
        n, first, cases = self.by_node
        which = np.repeat(np.arange(len(nodes)), n[nodes])
        shift = first[nodes] - (np.cumsum(n[nodes]) - n[nodes])
        return which, cases[np.arange(len(which)) + shift[which]]

    def voters(self, ends: np.ndarray, alike: bool) -> tuple:
        """Return voters on paths to `ends` (E,): path (p,), codes (p, A), class (p,), how often.

        If `alike`, cases of one node and class vote the same, and one of them votes for all.
        """
        if alike:
            path, y = np.nonzero(self.tree.counts[ends])
            times = self.tree.counts[ends][path, y]
            return path, self.X[:0], y, times[:, None, None]
        path, row = self.below(ends)
        return path, self.X[row], self.y[row], 1

    def agreement(self, node: np.ndarray, X: np.ndarray) -> Iterator[tuple]:
        """Yield cases (q,) of codes X (m, A), and how many at their `node` (m,) agree with them.

        That is (A, q, C), attribute by attribute and class by class; node -1 is left out. Look-ups,
        and tables that do not fit in memory, are made block by block.
        """
        for asked, place, table in self._looked_up(node):
            flat = table.reshape(-1, self.n_classes)
            for some in blocks(len(asked), len(self.sizes) * self.n_classes):
                cases = asked[some]
                rows = self.rows(X[cases], place[some], len(table)).T
                agree = flat.take(rows, axis=0, mode="clip")
                agree[rows == len(flat)] = 0  # a value that was never seen agrees with none
                yield cases, agree

    def _looked_up(self, node):
        """Yield cases (q,), the index (q,) of their nodes in a table, and the table (S, M, C)."""
        asked = np.flatnonzero(node >= 0)
        if vars(self).get("table") is not None:  # it is not made for a few nodes
            yield asked, node[asked], self.table
            return
        nodes, number = np.unique(node[asked], return_inverse=True)
        for block in blocks(len(nodes), len(self.attribute) * self.n_classes):
            inside = np.flatnonzero((number >= block.start) & (number < block.stop))
            yield asked[inside], number[inside] - block.start, self.of_nodes(nodes[block])


def value_sizes(schema: Sequence[AttributeInfo]) -> list[int]:
    """Return the number of values, gaps not counted, of each attribute."""
    return [max(info.size - info.missing, 1) for info in schema]


def small_type(counts: np.ndarray) -> np.dtype:
    """Return the smallest type of whole numbers that holds a root's counts, or that of weights."""
    if counts.dtype.kind not in "iu":
        return counts.dtype
    return np.min_scalar_type(int(counts.sum(axis=1).max(initial=0)))


def known_codes(X: np.ndarray, gaps: np.ndarray | None) -> np.ndarray:
    """Return codes X (n, A) with -1 for missing values, which the tables do not count."""
    return X if gaps is None else np.where(gaps, np.int8(-1), X)
