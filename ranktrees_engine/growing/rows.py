"""The row half of growing, in memory: where the cases are, and their counts."""

from collections.abc import Iterator, Sequence

import numpy as np

from ranktrees_engine.basics.blocks import blocks
from ranktrees_engine.basics.kinds import Array
from ranktrees_engine.criteria.split import in_sums
from ranktrees_engine.growing import count
from ranktrees_engine.growing.cuts import BestCuts, best_cuts, count_cells
from ranktrees_engine.growing.forest import TrainingSets
from ranktrees_engine.growing.tree import outcome_of
from ranktrees_engine.reading.weights import class_counts


class Cases:
    """The cases of training sets that have not reached a leaf: the `Rows` of growing in memory.

    `cases` (m,) are these cases, `node` (m,) the open nodes that they have reached, and `weight`
    (m,) what each counts, or None if each counts 1.
    """

    def __init__(self, sets: TrainingSets, n_classes: int):
        self.sets, self.C, self.weight = sets, n_classes, sets.weight
        self.cases, self.node = np.arange(len(sets.y)), sets.root
        self.branch = None  # of each case, where branches were counted and not proposed
        self.counter = self.columns = None

    def counts(self) -> np.ndarray:
        """Count the classes (R, C) of the roots, in cases or in weight."""
        return self._tally(self.sets.root, int(self.sets.root.max()) + 1)

    def tables(self, level, groups: Sequence[np.ndarray]) -> Iterator:
        """Yield count tables of the open nodes, block by block; see `Rows`."""
        if not len(groups):
            yield np.arange(len(level.counts)), []
            return
        if self.counter is None:  # made for the first level: all have the same groups
            few = len(self.sets.y) * self.sets.values.shape[1] <= count.MANY
            self.counter = (count.OneCount if few else count.OneByOne)(self.sets, groups)
        for nodes, C, cases, row in self._blocks(level.counts, self.counter.width):
            weight = None if self.weight is None else self.weight[cases]
            yield nodes, self.counter(self._rows()[cases], row, len(nodes), C, weight)

    def cuts(
        self,
        level,
        attributes: Array,
        criterion,
        least,
        c45=False,
        allowed: Array | None = None,
        limits=None,
    ) -> BestCuts:
        """Find the best cut of ordered `attributes` (A',) at each of the S open nodes.

        Each side needs `least` cases, a number or (S,). `c45`: by C4.5's rules, see `best_cuts`.
        `allowed` (A', S) says which attributes a node may test; if None, all. `limits` says which
        cuts may be, see `growing.monotonic`.
        """
        if self.columns is None:  # made for the first level: all have the same attributes
            self.columns = np.ascontiguousarray(self.sets.values[:, attributes].T)
        rows, y = self._rows(), self.sets.y.take(self.cases)
        S, C, V = shape = *level.counts.shape, int(self.sets.sizes[:, attributes].max())
        table = 1 if in_sums(criterion, level.counts) else C  # a cut's: sums, or a row per class
        parts, width = [], max(len(rows), min(len(rows), S * V) * table)
        for part in blocks(len(attributes), 4 * width):
            codes = self.columns[part].take(rows, axis=1)
            may = None if allowed is None else allowed[part]
            cells = count_cells(codes, self.node, y, shape, self.weight, may)
            values = (self.sets.numbers[attributes[part]], level.root) if c45 else ()
            keep = None if limits is None else limits._replace(sign=limits.sign[part])
            how = criterion, least, values, may, keep
            parts.append(best_cuts(cells, level.counts, len(codes), *how))
        return BestCuts(*map(np.concatenate, zip(*parts, strict=True)))

    def count(self, tests) -> np.ndarray:
        """Count the classes (Q, C) of all branches of the tests, node by node."""
        self.branch, n_branches = self._branches(tests), int(tests.width.sum())
        return self._tally(np.minimum(self.branch, n_branches), n_branches + 1)[:-1]

    def send(self, tests, number: np.ndarray) -> None:
        """Send every case down its branch to the open node number[branch]; -1: no further."""
        if number.max(initial=-1) < 0:
            return  # nobody asks for them again
        branch = self.node if tests is None else self.branch
        if branch is None:
            branch = self._branches(tests)
        self.branch, self.node = None, np.append(number, -1).take(branch, mode="clip")
        on = self.node >= 0
        if on.all():
            return
        self.cases, self.node = self.cases.compress(on), self.node.compress(on)
        if self.weight is not None:
            self.weight = self.weight.compress(on)

    def _rows(self):
        """Return the row (m,) of the codes that each case has."""
        return self.cases if self.sets.rows is None else self.sets.rows.take(self.cases)

    def _tally(self, place, n_places):
        return class_counts(place, self.sets.y.take(self.cases), self.weight, (n_places, self.C))

    def _branches(self, tests):
        """Return each case's branch (m,) among all; beyond the last where its node has no test."""
        if tests.outcome is None:
            outcome = self._outcomes(tests)
        else:
            outcome = tests.outcome if self.weight is None else self._spread(tests)
        beyond = tests.width.sum() + 1  # still so with an outcome of -1
        return np.where(tests.attribute >= 0, tests.start, beyond).take(self.node) + outcome

    def _outcomes(self, tests):
        """Return where the codes lead (m,).

        Indices are flat, since NumPy takes by one index much faster.
        """
        values = self.sets.values
        place = self._rows() * values.shape[1] + tests.attribute.take(self.node)
        outcome = code = values.ravel().take(place)
        if tests.cut is not None:
            outcome = outcome_of(code, tests.cut.take(self.node))
        if tests.branch is not None:
            branch = tests.branch[self.node, code]
            outcome = np.where(branch >= 0, branch, outcome)
        return outcome

    def _spread(self, tests):
        """Return the outcome (m,) of each case after one of -1 went, as a copy, into each branch.

        A copy has as much of the case's weight as the branch has of that of all other cases.
        """
        outcome, known = tests.outcome, tests.outcome >= 0
        gap = (~known & (tests.attribute >= 0)[self.node]).nonzero()[0]
        if not len(gap):
            return outcome
        shape = len(tests.width), int(tests.width.max())
        mass = class_counts(self.node[known], outcome[known], self.weight[known], shape)
        share = (mass / mass.sum(axis=1, keepdims=True).clip(1e-300))[self.node[gap]]
        which, branch = share.nonzero()
        known = np.flatnonzero(known)
        copied = np.concatenate([known, gap[which]])
        part = np.concatenate([np.ones(len(known)), share[which, branch]])
        self.cases, self.node = self.cases[copied], self.node[copied]
        self.weight = self.weight[copied] * part
        return np.concatenate([outcome[known], branch])

    def _blocks(self, counts, width):
        """Yield nodes (S',), their number of classes C', their cases, and the rows (m',) of these.

        Nodes of alike numbers of classes go together. Where there are several blocks, the cases are
        put into the order of the blocks, so that those of a block are a slice.
        """
        (S, C), y = counts.shape, self.sets.y.take(self.cases)
        if S * C * width <= count.SMALL:
            yield np.arange(S), C, slice(None), self.node * C + y
            return
        present = counts > 0
        n_present = present.sum(axis=1)
        parts = count.node_blocks(n_present, width)
        bounds = np.cumsum([0, *map(len, parts)])
        place, ends = self.node, [0, len(y)]
        if len(parts) > 1:
            place = self._arrange(np.concatenate(parts))
            y, ends = self.sets.y.take(self.cases), np.searchsorted(place, bounds)
        rank = y
        if n_present.min() < C:
            rank = (present.cumsum(axis=1) - 1).ravel().take(self.node * C + y)
        for nodes, start, first, end in zip(parts, bounds[:-1], ends[:-1], ends[1:], strict=True):
            most, cases = int(n_present[nodes].max()), slice(first, end)
            column = y if most == C else rank
            yield nodes, most, cases, (place[cases] - start) * most + column[cases]

    def _arrange(self, nodes):
        """Order the cases by their nodes (S,); return the position (m,) of each case's node."""
        place = np.empty(len(nodes), np.intp)
        place[nodes] = np.arange(len(nodes))
        place = place.take(self.node)
        small = place.astype(np.min_scalar_type(len(nodes)))  # 16 bits are sorted by radix
        order = np.argsort(small, kind="stable")
        self.cases, self.node = self.cases.take(order), self.node.take(order)
        self.weight = None if self.weight is None else self.weight.take(order)
        return place.take(order)
