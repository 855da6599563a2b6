"""All count tables of one tree level: one `np.bincount`, or one walk over sorted cases.

Attributes with few values are counted into tables; ordered attributes with many are cut by walking
over their sorted cases, which costs the same however many values there are.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from ranktrees.split import J48_APART, J48_TIE, TIE, c45_penalty

# The C library of Linux hands freed arrays back to the system, which zeroes their pages for the
# next one, until it has seen a larger array come and go. This one is never touched, and so is free.
np.empty(31 << 20, np.uint8)
SMALL = 1 << 13  # so few cells are counted as they are, absent classes and all


class LevelCounter:
    """Counts every `value x class` table of one tree level, in blocks of bounded memory.

    `X` (n, A) holds codes, `y` (n,) class codes, `sizes` (A,) the number of values of each
    attribute. `groups` lists attributes that share one array, padded to the largest of them: group
    by size, so that an attribute of 3,000 values does not widen those of two. Where several trees
    share the codes, case i of `y` has the codes X[rows[i]].
    """

    def __init__(
        self, X, y, sizes, groups: Sequence[np.ndarray], rows=None, max_cells: int = 1 << 16
    ):
        self.y, self.rows, self.max_cells, self.groups = y, rows, max_cells, groups
        self.values = [int(sizes[members].max()) for members in groups]
        ends = np.cumsum([0] + [len(m) * V for m, V in zip(groups, self.values, strict=True)])
        self.starts, self.width = ends[:-1], int(ends[-1])
        offset = np.zeros(len(sizes), np.intp)
        for members, V, start in zip(groups, self.values, self.starts, strict=True):
            offset[members] = start + V * np.arange(len(members))
        counted = np.sort(np.concatenate([np.zeros(0, np.intp), *groups]))
        if len(counted) < len(sizes):
            X, offset = X[:, counted], offset[counted]
        self.cell = X.astype(np.intp)  # (n, A): where in a node's tables a case counts
        self.cell += offset
        self.buffer = np.empty(
            (len(y), len(counted)), np.intp
        )  # fresh memory for each level would cost more

    def __call__(self, cases, node, counts) -> Iterator[tuple[np.ndarray, list[np.ndarray]]]:
        """Yield (nodes (S',), one table array (S', A', V, C') a group) until all S nodes are done.

        `node` (m,) places the `cases` (m,) in the S nodes with class `counts` (S, C). C' is C, or
        where that saves much, the most classes that occur in one of these nodes, numbered anew.
        """
        if not self.groups:
            return
        local, (S, C) = self.y.take(cases), counts.shape
        if S * C * self.width <= min(SMALL, self.max_cells):
            flat = self._count(cases, node * C + local, S * C)
            yield np.arange(S), list(self._tables(flat.reshape(S, C, self.width)))
            return
        present = counts > 0
        n_present = present.sum(axis=1)
        if not present.all():
            local = (np.cumsum(present, axis=1) - 1)[node, local]
        for nodes in self._blocks(n_present):
            inside, place = slice(None), node
            if len(nodes) < len(counts):
                number = np.full(len(counts), -1)
                number[nodes] = np.arange(len(nodes))
                inside = np.flatnonzero(number[node] >= 0)
                place = number[node[inside]]
            C = int(n_present[nodes].max())
            flat = self._count(cases[inside], place * C + local[inside], len(nodes) * C)
            yield nodes, list(self._tables(flat.reshape(len(nodes), C, self.width)))

    def _count(self, cases, row, n_rows):
        """One bincount: case i counts in row[i] at each of cell[cases[i]]."""
        index = self.buffer[: len(cases)]
        cases = cases if self.rows is None else self.rows.take(cases)
        self.cell.take(cases, axis=0, out=index, mode="clip")
        index += (row * self.width)[:, None]
        return np.bincount(index.ravel(), minlength=n_rows * self.width)

    def _tables(self, flat):
        S, C, _ = flat.shape
        for members, V, start in zip(self.groups, self.values, self.starts, strict=True):
            part = flat[:, :, start : start + V * len(members)]
            yield part.reshape(S, C, len(members), V).transpose(0, 2, 3, 1)

    def _blocks(self, n_present):
        """Nodes with alike numbers of classes go together, as many as `max_cells` allows."""
        most = int(n_present.max())
        if most <= 2 * n_present.min() and len(n_present) * most * self.width <= self.max_cells:
            yield np.arange(len(n_present))
            return
        order = np.argsort(n_present, kind="stable")
        while len(order):
            C = n_present[order]
            take = self.max_cells >= C * np.arange(1, len(order) + 1) * self.width
            take &= 2 * C[0] >= C
            take[0] = True
            yield np.sort(order[take])
            order = order[~take]


class SortedScan:
    """The best cut of ordered attributes with many values, from cases sorted once.

    Within a node, in the order of the values, the cumulative class counts are the left branches of
    all its cuts (SLIQ and SPRINT, Yang's slides). `sets` are `TrainingSets`, of whose attributes
    `wide` are cut. `c45` puts the rules of C4.5 release 8 in force (Quinlan 1996; Weka's J48): no
    cut between numbers that lie within 1e-5, the first within 1e-6 of the best wins, and its gain
    pays for the choice. A scan serves one growth: cases that it is no longer asked about are
    dropped from its order for good.
    """

    def __init__(self, sets, wide: np.ndarray, c45: bool = False):
        self.X, self.y, self.c45 = sets.take(slice(None))[:, wide], sets.y, c45
        self.numbers = sets.numbers(wide) if c45 else None
        self.order = list(np.argsort(self.X, axis=0, kind="stable").T)

    def __call__(self, cases, node, counts, criterion: Callable, least):
        """Score (S, A) and cut code (S, A) of the best cut, and the cases (S, A) left of it.

        Each side needs `least` cases, a number or (S,).
        """
        place, least = np.full(len(self.y), -1), np.broadcast_to(least, len(counts))
        place[cases] = node
        wide = range(self.X.shape[1])
        found = [self._scan(a, place, counts, criterion, least) for a in wide]
        return tuple(np.stack(part, axis=1) for part in zip(*found, strict=True))

    def _scan(self, a, place, counts, criterion, least):
        rows = self.order[a]
        rows = self.order[a] = rows[place[rows] >= 0]
        at = place[rows]
        small = at.astype(np.int16) if len(counts) < 1 << 15 else at  # 16 bits are sorted by radix
        rows = rows[np.argsort(small, kind="stable")]
        at, value = place[rows], self.X[rows, a]
        apart = value[1:] != value[:-1]
        if self.c45:
            number = self.numbers[rows, a]
            apart &= number[:-1] + J48_APART < number[1:]
        ends = np.flatnonzero((at[1:] == at[:-1]) & apart)
        at, value = at[ends], value[ends]
        left = self._running(rows, counts.shape[1])[ends] - _before(counts)[at]
        sizes, total = left.sum(axis=1), counts.sum(axis=1)
        valid = np.minimum(sizes, total[at] - sizes) >= least[at]
        at, value, left, sizes = at[valid], value[valid], left[valid], sizes[valid]
        score = criterion(np.stack([left, counts[at] - left], axis=-2))
        tie = J48_TIE if self.c45 else TIE
        best, cut, size = _best_by_node(score, at, len(counts), value, sizes, tie)
        if self.c45:
            best = c45_penalty(best, np.bincount(at, minlength=len(counts)), total)
        return best, cut, size

    def _running(self, rows, C):
        """(m, C) classes counted up to and with each of the sorted cases."""
        one = np.zeros((len(rows), C), np.int64)
        one[np.arange(len(rows)), self.y[rows]] = 1
        return np.cumsum(one, axis=0)


def _before(counts):
    """(S, C) cases of all nodes with a smaller number."""
    return np.cumsum(counts, axis=0) - counts


def _best_by_node(score, at, S, value, sizes, tie):
    """The first best candidate of each node: score, value and size (S,); -inf where none."""
    best = np.full((3, S), -1.0)
    best[0] = -np.inf
    if len(at):
        start = np.flatnonzero(np.diff(at, prepend=-1))  # nodes lie together, in their order
        nodes = at[start]
        best[0, nodes] = np.maximum.reduceat(score, start)
        tied = score >= best[0, at] - tie
        number = np.where(tied, np.arange(len(at)), len(at) - 1)
        first = np.minimum.reduceat(number, start)
        best[0, nodes], best[1, nodes], best[2, nodes] = score[first], value[first], sizes[first]
    return best[0], best[1].astype(np.intp), best[2]
