"""The row half of growing, from a code file: the node of a case is recomputed in every scan.

A route says, level by level, which attribute each open node tests and where its codes lead. A case
follows it in every scan, so that nothing is written while a tree grows (RainForest's RF-Read:
Gehrke, Ramakrishnan & Ganti 1998).
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ranktrees_engine.basics.blocks import blocks
from ranktrees_engine.growing.cuts import BestCuts, Cells, best_cuts
from ranktrees_engine.growing.forest import code_numbers
from ranktrees_engine.growing.tree import outcome_of
from ranktrees_engine.reading.weights import bincount
from ranktrees_files.scale.codefile import CodeFile

WALKED = 1 << 25  # bytes of codes that are walked at once at most, if tables are large


class Step(NamedTuple):
    """A step to the next level: node s tests attribute[s], code v leads to onward[start[s] + v].

    `onward` has open nodes of the next level, -1 for cases that go no further.
    """

    attribute: np.ndarray
    start: np.ndarray
    onward: np.ndarray

    @classmethod
    def of(cls, tests, number: np.ndarray, sizes: np.ndarray) -> "Step":
        """Make the step of S tests with branches (Q,) to open nodes number[q], -1 for none."""
        attribute = np.maximum(tests.attribute, 0)
        size = sizes[attribute]
        start = np.cumsum(size) - size
        node = np.repeat(np.arange(len(size)), size)
        code = np.arange(size.sum()) - start[node]
        outcome = code
        if tests.cut is not None:
            outcome = outcome_of(code, tests.cut[node])
        if tests.branch is not None:
            branch = tests.branch[node, code]
            outcome = np.where(branch > -2, branch, outcome)
        place = tests.start[node] + outcome
        onward = np.append(number, -1).take(place, mode="clip")
        onward[(outcome < 0) | (tests.attribute < 0)[node]] = -1
        return cls(attribute, start, onward)


class Share(NamedTuple):
    """The part of a scan's tables that one tree has: at n open nodes, from the `first` one on.

    `groups` are its attributes; the cases start at its `root`, or where the file says if None.
    """

    root: int | None
    first: int
    n: int
    groups: Sequence[np.ndarray]


def follow(route: Sequence[Step], block: np.ndarray, node: np.ndarray) -> tuple:
    """Return a block's (A + 1, m) cases (m',) that are not yet in a leaf, and their nodes (m',)."""
    cases, flat, m = np.arange(len(node)), block.ravel(), block.shape[1]
    for step in route:
        code = flat.take(step.attribute.take(node) * m + cases)
        node = step.onward.take(step.start.take(node) + code)
        on = node >= 0
        cases, node = cases.compress(on), node.compress(on)
    return cases, node


def count_tables(
    file: CodeFile, part: slice, route, shares: Sequence[Share], sizes, C: int
) -> list:
    """Count tables (n, A', V, C) of each group of attributes in each of the shares, end to end.

    They count the blocks of one part of the file; tables of parts add up. `sizes` (G,) are the
    groups' V.
    """
    each = [empty_tables(share.groups, sizes, C, share.n, file.weight) for share in shares]
    size = sum(table.nbytes for tables in each for table in tables) // 8
    for block, root, weight in file.read(part, min(size, WALKED // len(shares))):
        for share, tables in zip(shares, each, strict=True):
            start = root if share.root is None else np.full(len(root), share.root)
            cases, node = follow(route, block, start)
            _count_share(share, tables, (cases, node), block, weight)
    return [table for tables in each for table in tables]


def _count_share(share, tables, reached, block, weight):
    """Count, in the tables of a share, the cases of a block that reached its nodes."""
    (cases, node), C = reached, tables[0].shape[-1]
    inside = (node >= share.first) & (node < share.first + share.n)
    cases, node = cases.compress(inside), node.compress(inside)
    row = (node - share.first) * C + block[-1].take(cases)
    weight = None if weight is None else weight.take(cases)
    for members, table in zip(share.groups, tables, strict=True):
        for j, a in enumerate(members):
            add_to(table[:, j], row, block[a].take(cases), weight)


def empty_tables(groups, sizes, C: int, n: int, weight=None) -> list[np.ndarray]:
    """Return tables (n, A', V, C) of zeros for each group of attributes with V codes of `sizes`.

    `weight` is the type of the weights; if None, counts are whole numbers.
    """
    shapes = [(n, C, len(members), V) for members, V in zip(groups, sizes, strict=True)]
    return [np.zeros(shape, weight or np.int64).transpose(0, 2, 3, 1) for shape in shapes]


def add_to(table: np.ndarray, row: np.ndarray, code: np.ndarray, weight=None) -> None:
    """Count cases with a code (m,) in the row (m,) node * C + class of a table (n, V, C).

    Each counts its `weight` (m,), or 1 if that is None.
    """
    n, V, C = table.shape
    if table.size <= 4 * len(row):
        counted = bincount(row * V + code, weight, table.size)
        table += counted.reshape(n, C, V).swapaxes(1, 2)
    else:
        np.add.at(table, (row // C, code, row % C), 1 if weight is None else weight)


class FileRows:
    """The cases of a code file, as `growing.grow.Rows`: one scan of it per block of nodes.

    The roots are at `depth`. The tables of a block of nodes take no more bytes than the budget of
    the `work`, a `scale.rainforest.Work`, which keeps the log and may count elsewhere.
    """

    def __init__(self, file: CodeFile, work, depth: int = 0):
        self.file, self.work, self.sizes = file, work, work.sizes
        self.level, self.route = depth, []

    def counts(self) -> np.ndarray:
        """Return the class counts (R, C) of the roots."""
        return self.file.counts

    def tables(self, level, groups) -> Iterator:
        """Count tables of the open nodes, block by block; see `Rows`."""
        if not len(groups):
            yield np.arange(len(level.counts)), []
            return
        C = level.counts.shape[1]
        widths = [int(self.sizes[members].max()) for members in groups]
        node_bytes = 8 * C * sum(len(m) * V for m, V in zip(groups, widths, strict=True))
        for nodes in blocks(len(level.counts), node_bytes, self.work.room):
            first, n = nodes.start, nodes.stop - nodes.start
            with self.work.log.at(self.level, n * node_bytes, f"({n:,} of its nodes)"):
                tables = self.count(groups, widths, C, first, n)
            for part in blocks(n, node_bytes // 8):  # what a criterion makes of them is small
                yield np.arange(first, nodes.stop)[part], [table[part] for table in tables]
            del tables  # before the next ones are counted

    def count(self, groups, widths, C: int, first: int, n: int) -> list:
        """Count tables (n, A', V, C) of each group at open nodes `first` to first + n - 1."""
        return self.work.count(self.file, self.route, [Share(None, first, n, groups)], widths, C)

    def cuts(self, level, attributes: np.ndarray, criterion, least, c45: bool = False) -> BestCuts:
        """Find each open node's best cut of ordered attributes, from their tables; see `Cases`."""
        numbers, parts = code_numbers([self.work.schema], int(self.sizes.max())), []
        for nodes, (table,) in self.tables(level, [attributes]):
            by_attribute = table.swapaxes(0, 1)  # (A', S', V, C)
            a, s, code, y = place = by_attribute.nonzero()
            cells = Cells(a * len(nodes) + s, code, y, by_attribute[place])
            values = (numbers[attributes], level.root[nodes]) if c45 else ()
            needed = least[nodes] if np.ndim(least) else least
            totals = level.counts[nodes]
            parts.append(best_cuts(cells, totals, len(attributes), criterion, needed, values))
        return BestCuts(*(np.concatenate(part, axis=1) for part in zip(*parts, strict=True)))

    def send(self, tests, number: np.ndarray) -> None:
        """Add a step to the route; the cases stay where they are in the file."""
        if tests is not None:
            self.route.append(Step.of(tests, number, self.sizes))
            self.level += 1
        elif (number != np.arange(len(number))).any():
            R, V = len(number), self.sizes[0]
            step = Step(np.zeros(R, np.intp), np.arange(R) * V, np.repeat(number, V))
            self.route.append(step)
