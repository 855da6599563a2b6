"""The factors of naive Bayes along the paths of a tree, each averaged over its own prunings.

Path Bayes and the path forest need the same from their training cases: how often a value occurs in
a class at each node of a path, and how much weight each node has for that attribute.

Many cases look up their values in tables of all nodes, which are mixed level by level. Few cases,
such as one, mix the counts of the nodes on their own paths, in the same order: to the last digit
the numbers are the same.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ranktrees_engine.basics.blocks import LIMIT, blocks
from ranktrees_engine.basics.kinds import Array
from ranktrees_engine.basics.logarithms import log
from ranktrees_engine.estimates.mixing import (
    log_evidence,
    log_numerators,
    mix_along,
    reaching,
    stops,
)
from ranktrees_engine.estimates.nested_counts import NestedCounts
from ranktrees_engine.estimates.nested_ends import NestedEnds
from ranktrees_engine.estimates.path_counts import ROOM, PathCounts, small_type
from ranktrees_engine.estimates.rare_values import RareValues
from ranktrees_engine.growing.count import distinct

COMPARED = 4  # training values are compared in the time of a cell of a table
MIXED = 4  # cells of a table are mixed in the time in which one case's are
AT_ONCE = 4 * LIMIT  # cells of the tables that are made at once: fewer are made faster


class Part(NamedTuple):
    """Counts n (T, M', C) of `values` (M',), `known` (T, A', C) and `stop` (T, A') of attributes.

    These are the attributes from that of the first value to that of the last.
    """

    values: Array
    n: Array
    known: Array
    stop: Array


class PathFactors:
    """P(value | class) of all attributes, for the paths to each node of a tree.

    `is_end` (T, A) says where the prunings of an attribute end, since a test settles its value.
    Tables of at most `room` cells are made once and kept; larger ones are made for the values
    needed each time. An attribute with many values, few of which occur at each node, has no table:
    see `RareValues`.
    """

    def __init__(self, counts: PathCounts, is_end: Array, room: int = ROOM):
        self.counts, self.tree, self.is_end, self.room = counts, counts.tree, is_end, room
        self.narrow, self.rare = np.flatnonzero(~_is_rare(counts)), {}
        self._known = self._stop = self._kept = None  # until the tables are counted

    @property
    def stop(self) -> np.ndarray:
        """Probability (T, A) that an attribute's pruning stops at a node that it reaches."""
        if self._stop is None:
            for _ in self._first_tables():
                pass
        return self._stop

    def of_values(self, values: Array) -> np.ndarray:
        """Return P(value | c) (T M' + 1, C) of values (M',), for the paths to each node.

        The rows of the nodes lie end to end; the last one, 1, is for values that are ignored.
        """
        return self.table_of(self._part(values))

    def gathered(self, X: Array, end: Array) -> Iterator[tuple]:
        """Yield attributes, cases and ln P(x_j | c) (A', q, C), to be added up.

        Codes X (m, A) have paths that end at nodes (m,); a missing or new value gives 0. If their
        paths in R trees of a forest end at nodes (R, m), these are sums over the trees.
        """
        if (paths := self._few_paths(np.atleast_2d(end))) is not None:
            yield from self._along(self._without_rare(X), paths)
        else:
            for _, *table in self._tables(X):
                yield from self.counts.logarithms(*table, X, end)
        for j in self.rare:
            yield from self._rare(X, end, j)

    def _rare(self, X, end, j):
        """Yield as `gathered` does, for an attribute whose values are looked up as pairs."""
        for cases in blocks(len(X), self.tree.counts.shape[1]):
            paths = np.atleast_2d(end[..., cases])
            log_p = sum(self.rare[j].logarithms(X[cases, j], e) for e in paths)
            yield slice(j, j + 1), cases, log_p[None]

    def left_out(
        self, X: Array, end: Array, y: Array, removed: Array | None = None
    ) -> Iterator[tuple]:
        """Yield attributes, cases and ln P(x_j | y) (A', q) of training cases with classes y (m,).

        The case itself, or the part `removed` (m,) of it, is left out of the counts; the stops stay
        as they are. A missing value gives 0; ends (R, m) give sums, as for `gathered`.
        """
        for _, left_out in self.of_training(X, end, y, removed):
            yield from left_out

    def of_training(
        self, X: Array, end: Array, y: Array, removed: Array | None = None
    ) -> Iterator[tuple]:
        """Yield what `gathered` and `left_out` yield of training cases, some attributes at a time.

        Both come from the same counts, which are made once.
        """
        for part, *table in self._tables(X):
            gathered = self.counts.logarithms(*table, X, end)
            yield gathered, self._left_out(part or self._part(table[0]), X, end, y, removed)
        for j, rare in self.rare.items():
            left = X[:, j], y, 1 if removed is None else removed
            log_p = sum(rare.log_left_out(e, *left) for e in np.atleast_2d(end))
            yield self._rare(X, end, j), [(slice(j, j + 1), slice(None), log_p[None])]

    def _left_out(self, part, X, end, y, removed):
        """Yield as `left_out` does, from the counts of some attributes."""
        (T, M, C), some = part.n.shape, self.counts.attributes(part.values)
        whole = removed is None and part.n.size <= MIXED * X[:, some].size * (end.size // len(X))
        table = self.table_of(part, 1).ravel() if whole else None
        for cases in blocks(len(X), X[:1].size * (end.size // len(X)), AT_ONCE):
            rows = self.counts.rows(X[cases], end[..., cases], T, part.values)
            if whole:
                log_p = log(table.take(rows * C + y[cases, None]))
            else:
                known, log_p = rows < T * M, np.zeros(rows.shape)
                cells, cell_of, less = (rows * C + y[cases, None])[known], slice(None), 1
                if removed is None:  # one share for all cases of a cell
                    cells, cell_of = distinct(cells, part.n.size)
                else:
                    less = np.broadcast_to(removed[cases, None], rows.shape)[known]
                log_p[known] = log(self.shares_of(part, cells, less))[cell_of]
            yield some, cases, (log_p.sum(axis=0) if end.ndim > 1 else log_p).T

    def shares_of(self, part: Part, cells: Array, removed: Array | int) -> np.ndarray:
        """Mix P(value | c) (K,) of cells (K,) of counts, with `removed` taken from each."""
        (_, M, C), A, reach = part.n.shape, part.stop.shape[1], reaching(self.tree, part.stop)
        node, value_class = np.divmod(cells, M * C)
        attribute = self.counts.attribute[part.values[value_class // C]]
        j = attribute - self.counts.attributes(part.values).start
        attribute_class, share = j * C + value_class % C, np.zeros(len(cells))
        half, removed = self.counts.sizes[attribute] / 2, np.broadcast_to(removed, len(cells))
        n, known, stopping = part.n.ravel(), part.known.ravel(), (reach * part.stop).ravel()
        weight, cell = reach.ravel(), np.arange(len(cells))  # the last node takes the rest
        while len(cell):
            less = removed[cell]
            per_case = known[node * (A * C) + attribute_class[cell]] - less + half[cell]
            per_case = weight[node * A + j[cell]] / per_case
            share[cell] += per_case * (n[node * (M * C) + value_class[cell]] - less + 0.5)
            weight, node = stopping, self.tree.parent[node]
            cell, node = cell[node >= 0], node[node >= 0]
        return share

    def _few_paths(self, end):
        """Return the nodes (D, R, m) on the paths to `end` (R, m), -1 before the root.

        None if they have more cells than the tables of all nodes, or more cases to be compared.
        """
        if self._stop is None or self._kept is not None or not self.counts.has_paths:
            return None
        A, room = len(self.counts.sizes), len(self.tree) * len(self.counts.attribute)
        if 2 * end.size * (self.tree.depth + 1) * A > room:
            return None
        up = [end]
        while ((node := up[-1]) >= 0).any():
            up.append(np.where(node < 0, -1, self.tree.parent[node]))
        paths = np.stack(up[-2::-1])
        return paths if self.nested.n_compared(paths).sum() * A <= COMPARED * room else None

    @cached_property
    def nested(self) -> NestedCounts | NestedEnds:
        """Counts of few cases along their paths."""
        return (NestedCounts if self.counts.X is not None else NestedEnds)(self.counts)

    def _along(self, X, paths):
        """Yield as `gathered` does, from the counts of the nodes on the `paths` of few cases."""
        (D, R, m), (A, C) = paths.shape, (X.shape[1], self.tree.counts.shape[1])
        cells = (D * R * C + self.nested.n_compared(paths).sum(axis=(0, 1))) * A
        for cases in blocks(m, cells):
            codes, nodes = X[cases], paths[..., cases]
            p = self._terms(codes, nodes).sum(axis=0)
            p[:, codes < 0] = 1
            log_p = log(p).sum(axis=0).swapaxes(0, 1)
            yield slice(None), cases, np.ascontiguousarray(log_p)  # or sums take another order

    def _terms(self, codes, nodes):
        """Return what each of the nodes (D, R, q) adds to P(x_j | c): (D, R, q, A, C)."""
        passed, A = nodes >= 0, codes.shape[1]
        node, case = nodes[passed], np.nonzero(passed)[2]
        going, stop = np.zeros((*nodes.shape, A)), np.ones((*nodes.shape, A))
        stop[passed] = self.stop[node]
        going[1:] = log(1 - np.where(passed[..., None], stop, 0))[:-1]
        stop[-1] = 1  # the last node takes the rest
        p = self.nested.agreeing(node, codes[case]) + 0.5
        p *= 1 / (self._known[node] + self.counts.sizes[:, None] / 2)
        p *= np.exp(going.cumsum(axis=0))[passed][..., None]
        p *= stop[passed][..., None]
        terms = np.zeros((*stop.shape, p.shape[-1]))
        terms[passed] = p
        return terms

    def _tables(self, X):
        """Yield counts, or None, values, their `of_values` and whether these are logarithms."""
        if self._stop is None:
            for part, table in self._first_tables():
                yield part, part.values, table, False
        elif self._kept is not None:
            values, table, is_log = self._kept
            if not is_log and X.size >= len(table):  # else fewer are taken of what is looked up
                table, is_log = log(table), True
                self._kept = values, table, is_log
            yield None, values, table, is_log
        else:
            for values in self.counts.blocks(self._without_rare(X)):
                part = self._part(values)
                yield part, values, self.table_of(part), False

    def _part(self, values):
        """Count the training cases of values (M',), whose stops are known."""
        stop, some = self.stop, self.counts.attributes(values)
        return Part(values, self.counts.of_values(values), self._known[:, some], stop[:, some])

    def _without_rare(self, X):
        """Return codes X (m, A), -1 in attributes whose values are looked up as pairs."""
        return np.where(np.isin(np.arange(X.shape[1]), [*self.rare]), -1, X) if self.rare else X

    def _first_tables(self):
        """Yield counts and tables of all values, by attribute; large ones are used and not kept."""
        counts, (T, C), A = self.counts, self.tree.counts.shape, len(self.counts.sizes)
        known, stop = np.zeros((T, A, C), small_type(self.tree.counts)), np.ones((T, A))
        for j in np.setdiff1d(np.arange(A), self.narrow).tolist():
            rare = self.rare[j] = RareValues(counts, j, self.is_end[:, [j]])
            known[:, j], stop[:, [j]] = rare.known, rare.stop
        is_narrow = np.isin(np.arange(A), self.narrow)
        narrow_values = np.flatnonzero(is_narrow[counts.attribute])
        cells = counts.sizes[self.narrow] * (T * C)
        for part in blocks(len(self.narrow), cells, AT_ONCE):
            some = self.narrow[part]
            first, last = counts.offsets[some[0]], counts.offsets[some[-1] + 1]
            values = narrow_values[slice(*np.searchsorted(narrow_values, [first, last]))]
            n, these = counts.count(values), counts.attributes(values)
            known[:, some], stop[:, some] = self._stops(some, n)
            part = Part(values, n, known[:, these], stop[:, these])
            table = self.table_of(part)
            yield part, table
        if len(self.narrow) and table.size <= self.room and len(values) == len(narrow_values):
            self._kept = values, table, False
        self._known, self._stop = known, stop  # whole: another thread may have asked meanwhile

    def _stops(self, some, n):
        """Count known cases (T, A', C) of attributes with counts n of values; return stops, too."""
        sizes = self.counts.sizes[some]
        first = np.cumsum(sizes) - sizes
        known = np.add.reduceat(n, first, axis=1)
        log_e = log_evidence(0, known, sizes[:, None]).sum(axis=2)
        occurring = np.flatnonzero(n)  # what no case has adds 0
        row = occurring // n.shape[2]
        log_n = np.bincount(row, log_numerators(n.ravel()[occurring]), n[..., 0].size)
        log_e += np.add.reduceat(log_n.reshape(n.shape[:2]), first, axis=1)
        return known, stops(self.tree, log_e, self.is_end[:, some])

    def table_of(self, part: Part, less: int = 0) -> np.ndarray:
        """Return `of_values` of counts (T, M', C): shares (n + 1/2)/(N + V/2), mixed.

        With `less` = 1, a case that has the value and the class is left out of each of the counts.
        """
        counts, some, (T, M, C) = self.counts, self.counts.attributes(part.values), part.n.shape
        j, table = counts.attribute[part.values] - some.start, np.ones((T * M + 1, C))
        known = np.maximum(part.known, less) - less  # of no case, none is left out
        per_case = 1 / (known + counts.sizes[some, None] / 2)
        shares = table[:-1].reshape(part.n.shape)
        np.multiply(part.n + (0.5 - less), per_case[:, j], out=shares)
        mix_along(self.tree, shares, part.stop, j)
        return table


def _is_rare(counts):
    """Return which attributes (A,) have far more cells in a table of all nodes than cases."""
    (T, C), D = counts.tree.counts.shape, counts.tree.depth + 1
    if counts.X is None:
        return np.zeros(len(counts.sizes), bool)
    return (counts.sizes * (T * C) > LIMIT) & (counts.sizes * T > 2 * D * counts.end.size)
