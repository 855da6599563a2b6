"""The factors of naive Bayes along the paths of a tree, each averaged over its own prunings.

Path Bayes and the path forest ask the same of their training cases: how often a value occurs in a
class at each node of a path, and how much weight each node has for that attribute.
"""

from collections.abc import Iterator

import numpy as np

from ranktrees.basics.blocks import LIMIT, blocks
from ranktrees.basics.kinds import Array
from ranktrees.basics.logarithms import log
from ranktrees.estimates.mixing import (
    log_evidence,
    log_numerators,
    mix_along,
    reaching,
    stops,
)
from ranktrees.estimates.path_counts import ROOM, PathCounts

AT_ONCE = 4 * LIMIT  # cells of the tables that are made at once: fewer are made faster


class PathFactors:
    """P(value | class) of all attributes, for the paths to each node of a tree.

    `is_end` (T, A) tells where the prunings of an attribute end, since a test settles its value.
    Tables of at most `room` cells are made once and kept; larger ones are made anew, for the values
    that are asked.
    """

    def __init__(self, counts: PathCounts, is_end: Array, room: int = ROOM):
        self.counts, self.tree, self.is_end, self.room = counts, counts.tree, is_end, room
        self._known = self._stop = self._kept = None  # until the tables are counted

    @property
    def stop(self) -> np.ndarray:
        """Probability (T, A) that an attribute's pruning which comes to a node stops there."""
        if self._stop is None:
            for _ in self._first_tables():
                pass
        return self._stop

    def of_values(self, values: Array) -> np.ndarray:
        """P(value | c) (T M' + 1, C) of values (M',), for the paths to each node.

        The rows of the nodes lie end to end; the last one, 1, is of a value that takes no part.
        """
        stop = self.stop  # first, since it counts what is known
        return self._table(values, self.counts.of_values(values), self._known, stop)

    def gathered(self, X: Array, end: Array) -> Iterator[tuple]:
        """Yield attributes, cases and ln P(x_j | c) (A', q, C), which add up over what is yielded.

        Of codes X (m, A) whose paths end at nodes (m,); 0 of a missing or new value.
        """
        for values, table, is_log in self._tables(X):
            yield from self.counts.logarithms(values, table, X, end, is_log)

    def left_out(
        self, X: Array, end: Array, y: Array, removed: Array | None = None
    ) -> Iterator[tuple]:
        """Yield attributes, cases and ln P(x_j | y) (A', q) of training cases of classes y (m,).

        The case itself, or `removed` (m,) of it, is left out of the counts; the stops stay as they
        are. 0 of a missing value.
        """
        T, C = self.tree.counts.shape
        come = reaching(self.tree, self.stop)
        for values in self.counts.blocks(X):
            n = self.counts.of_values(values)
            for cases in blocks(len(X), X[:1].size, AT_ONCE):
                rows = self.counts.rows(X[cases], end[cases], T, values)
                known = rows < T * len(values)
                cells, back, gone = (rows * C + y[cases, None])[known], slice(None), 1
                if removed is None:  # one share for all cases of a cell
                    cells, back = _distinct(cells, n.size)
                else:
                    gone = np.repeat(removed[cases], known.sum(axis=1))
                log_p = np.zeros(rows.shape)
                log_p[known] = log(self._less(values, n, come, cells, gone))[back]
                yield self.counts.attributes(values), cases, log_p.T

    def _less(self, values, n, come, cells, gone):
        """P(value | c) (K,) of cells (K,) of counts n (T, M', C), less what is `gone` of each."""
        (_, M, C), A = n.shape, come.shape[1]
        node, place = np.divmod(cells, M * C)
        j = self.counts.attribute[values[place // C]]
        of_class, total = j * C + place % C, np.zeros(len(cells))
        half, gone = self.counts.sizes[j] / 2, np.broadcast_to(gone, len(cells))
        n, known, stopping = n.ravel(), self._known.ravel(), (come * self.stop).ravel()
        weight, on = come.ravel(), np.arange(len(cells))  # the last node takes the rest
        while len(on):
            less = gone[on]
            per_case = known[node * (A * C) + of_class[on]] - less + half[on]
            per_case = weight[node * A + j[on]] / per_case
            total[on] += per_case * (n[node * (M * C) + place[on]] - less + 0.5)
            weight, node = stopping, self.tree.parent[node]
            on, node = on[node >= 0], node[node >= 0]
        return total

    def _tables(self, X):
        """Yield values, their `of_values` and whether these are logarithms."""
        if self._stop is None:
            yield from self._first_tables()
        elif self._kept is not None:
            values, table, is_log = self._kept
            if not is_log and X.size >= len(table):  # else fewer are taken of what is looked up
                table, is_log = log(table), True
                self._kept = values, table, is_log
            yield values, table, is_log
        else:
            for values in self.counts.blocks(X):
                yield values, self.of_values(values), False

    def _first_tables(self):
        """`_tables` of all values, attribute by attribute: what is large is used and not kept."""
        counts, (T, C), A = self.counts, self.tree.counts.shape, len(self.counts.sizes)
        known, stop = np.empty((T, A, C), self.tree.counts.dtype), np.empty((T, A))
        for some in blocks(A, counts.sizes * (T * C), AT_ONCE):
            values = np.arange(counts.offsets[some.start], counts.offsets[some.stop])
            n = counts.of_values(values)
            known[:, some], stop[:, some] = self._stops(some, n)
            table = self._table(values, n, known, stop)
            yield values, table, False
        if table.size <= self.room and len(values) == len(counts.attribute):
            self._kept = values, table, False
        self._known, self._stop = known, stop  # whole: another thread may have asked meanwhile

    def _stops(self, some, n):
        """Known cases (T, A', C) and stops (T, A') of some attributes, whose values n counts."""
        counts = self.counts
        first, sizes = counts.offsets[:-1][some] - counts.offsets[some.start], counts.sizes[some]
        known = np.add.reduceat(n, first, axis=1)
        log_e = log_evidence(0, known, sizes[:, None]).sum(axis=2)
        there = np.flatnonzero(n)  # what no case has adds 0
        row = there // n.shape[2]
        log_n = np.bincount(row, log_numerators(n.ravel()[there]), n[..., 0].size)
        log_e += np.add.reduceat(log_n.reshape(n.shape[:2]), first, axis=1)
        return known, stops(self.tree, log_e, self.is_end[:, some])

    def _table(self, values, n, known, stop):
        """As `of_values`, of counts n (T, M', C): shares (n + 1/2)/(N + V/2), mixed along paths."""
        counts, some, (T, M, C) = self.counts, self.counts.attributes(values), n.shape
        j, table = counts.attribute[values] - some.start, np.ones((T * M + 1, C))
        per_case = 1 / (known[:, some] + counts.sizes[some, None] / 2)
        shares = table[:-1].reshape(n.shape)
        np.multiply(n + 0.5, per_case[:, j], out=shares)
        mix_along(self.tree, shares, stop[:, some], j)
        return table


def _distinct(cells, size):
    """The cells (K,) that occur among cells (p,) below `size`, and the place (p,) of each."""
    place = np.zeros(size, np.intp)
    place[cells] = 1
    there = np.flatnonzero(place)
    place[there] = np.arange(len(there))
    return there, place[cells]
