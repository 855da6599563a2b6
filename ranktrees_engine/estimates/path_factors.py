"""The factors of naive Bayes along the paths of a tree, each averaged over its own prunings.

Path Bayes and the path forest need the same from their training cases: how often a value occurs in
a class at each node of a path, and how much weight each node has for that attribute.

Many cases look up their values in tables of all nodes, which are mixed level by level. Few cases,
such as one, mix the counts of the nodes on their own paths, in the same order: to the last digit
the numbers are the same.
"""

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from ranktrees_engine.basics.blocks import LIMIT, blocks
from ranktrees_engine.basics.kinds import Array
from ranktrees_engine.basics.logarithms import log
from ranktrees_engine.estimates.factor_parts import (
    Known,
    Part,
    is_rare,
    stops_in_blocks,
    values_in_blocks,
    whole_part,
)
from ranktrees_engine.estimates.mixing import mix_along, reaching
from ranktrees_engine.estimates.nested_counts import NestedCounts
from ranktrees_engine.estimates.nested_ends import NestedEnds
from ranktrees_engine.estimates.path_counts import ROOM, PathCounts
from ranktrees_engine.estimates.rare_values import RareValues
from ranktrees_engine.growing.count import distinct

COMPARED = 4  # training values are compared in the time of a cell of a table
MIXED = 4  # cells of a table are mixed in the time in which one case's are
AT_ONCE = 4 * LIMIT  # cells of the tables that are made at once: fewer are made faster


class PathFactors:
    """P(value | class) of all attributes, for the paths to each node of a tree.

    `settled` (A,) marks attributes whose value a test settles: there their prunings end. Tables
    of at most `room` cells are made once and kept; larger ones are made for the values needed each
    time. An attribute with many values, few of which occur at each node, has no table: see
    `RareValues`.
    """

    def __init__(self, counts: PathCounts, settled: Array, room: int = ROOM):
        self.counts, self.tree, self.room = counts, counts.tree, room
        self.settled, self.rare = settled, {}
        self.narrow = np.flatnonzero(~is_rare(counts))
        self.narrow_values = np.flatnonzero(np.isin(counts.attribute, self.narrow))
        self._known = self._stop = self._kept = None  # until the tables are counted

    @property
    def stop(self) -> np.ndarray:
        """Probability (T, A) that an attribute's pruning stops at a node that it reaches."""
        if self._stop is None:
            for part in self._first_parts(stops_alone=True):
                if self._is_kept(part):
                    self._kept = part.values, self.table_of(part), False
        return self._stop

    def _is_kept(self, part):
        """Return whether this part has all values, in a table that is kept."""
        return len(part.values) == len(self.narrow_values) and self._fits(part.values)

    def _fits(self, values):
        """Return whether a table of these values is kept."""
        T, C = self.tree.counts.shape
        return (T * len(values) + 1) * C <= self.room

    def of_values(self, values: Array) -> np.ndarray:
        """Return P(value | c) (T M' + 1, C) of values (M',), for the paths to each node.

        The rows of the nodes lie end to end; the last one, 1, is for values that are ignored.
        """
        return self.table_of(self._known_part(values))

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
            yield gathered, self._left_out(part or self._known_part(table[0]), X, end, y, removed)
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
        A, room = len(self.counts.sizes), len(self.tree) * len(self.counts.attribute)
        will_be_kept = self._stop is None and self._fits(self.narrow_values)
        if self._kept is not None or will_be_kept or not self.counts.has_paths:
            return None
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
        p *= 1 / (self._known.of(node, range(A)) + self.counts.sizes[:, None] / 2)
        p *= np.exp(going.cumsum(axis=0))[passed][..., None]
        p *= stop[passed][..., None]
        terms = np.zeros((*stop.shape, p.shape[-1]))
        terms[passed] = p
        return terms

    def _tables(self, X):
        """Yield counts, or None, values, their `of_values` and whether these are logarithms."""
        if self._stop is None:
            for part in self._first_parts():
                table = self.table_of(part)
                if self._is_kept(part):
                    self._kept = part.values, table, False
                yield part, part.values, table, False
        elif self._kept is not None:
            values, table, is_log = self._kept
            if not is_log and X.size >= len(table):  # else fewer are taken of what is looked up
                table, is_log = log(table), True
                self._kept = values, table, is_log
            yield None, values, table, is_log
        else:
            for values in self.counts.blocks(self._without_rare(X)):
                part = self._known_part(values)
                yield part, values, self.table_of(part), False

    def _known_part(self, values):
        """Count the training cases of values (M',), whose stops are known."""
        stop = self.stop
        return self._part(values, self.counts.of_values(values), self._known, stop)

    def _without_rare(self, X):
        """Return codes X (m, A), -1 in attributes whose values are looked up as pairs."""
        A = X.shape[1]
        return X if len(self.narrow) == A else np.where(np.isin(np.arange(A), self.narrow), X, -1)

    def _first_parts(self, stops_alone=False):
        """Count all values, some at a time, and how far each attribute's prunings go.

        For the `stops_alone`, those of an attribute with large tables are not counted again.
        """
        counts, tree, A = self.counts, self.tree, len(self.counts.sizes)
        known, stop = Known(tree.counts), np.ones((len(tree), A))
        for j in np.setdiff1d(np.arange(A), self.narrow).tolist():
            rare = self.rare[j] = RareValues(counts, j, self.settled)
            known.add(j, rare.known)
            stop[:, [j]] = rare.stop
        for few in blocks(len(self.narrow), counts.sizes[self.narrow] * tree.counts.size, AT_ONCE):
            yield from self._parts_of(self.narrow[few], known, stop, stops_alone)
        self._known, self._stop = known, stop  # whole: another thread may have asked meanwhile

    def _parts_of(self, some, known, stop, stops_alone):
        """Count some attributes, and set what of them is known, and their stops."""
        first, last = self.counts.offsets[some[0]], self.counts.offsets[some[-1] + 1]
        values = self.narrow_values[slice(*np.searchsorted(self.narrow_values, [first, last]))]
        if len(some) == 1 and len(values) * self.tree.counts.size > ROOM:
            (j,) = some
            each = values_in_blocks(self.counts, j, ROOM)
            _, own, stop[:, [j]] = stops_in_blocks(self.counts, self.settled, j, each)
            known.add(j, own)
            for few in () if stops_alone else each:
                yield self._part(few, self.counts.count(few), known, stop)
            return
        n, each, stop[:, some] = whole_part(self.counts, self.settled, some, values)
        for j, own in zip(some.tolist(), each.swapaxes(0, 1), strict=True):
            known.add(j, own)
        yield self._part(values, n, known, stop)

    def _part(self, values, n, known, stop):
        """Lay counts of values (M',) together with what is known of all nodes."""
        some = self.counts.attributes(values)
        return Part(values, n, known.of(slice(None), range(some.start, some.stop)), stop[:, some])

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
