"""The row half of growing a forest from a code file: one scan a level for all of its trees.

Every case is in every tree, and each tree has tables of its own attributes alone.
"""

from collections.abc import Iterator

import numpy as np

from ranktrees_engine.basics.blocks import blocks
from ranktrees_engine.growing.cuts import BestCuts, Cells, best_cuts
from ranktrees_engine.growing.forest import code_numbers
from ranktrees_files.scale.codefile import CodeFile
from ranktrees_files.scale.rainforest import Work
from ranktrees_files.scale.rows import FileRows, Share


class ForestWork(Work):
    """The `Work` of R trees that grow together, of which each tests some attributes (R, A)."""

    def __post_init__(self):
        super().__post_init__()
        self.root_bytes = self.bytes_of([*self.propose.groups, self.propose.wide])
        self.node_bytes = int(self.root_bytes.max())

    def bytes_of(self, groups) -> np.ndarray:
        """Return the bytes (R,) of the tables of a node of each tree, of groups of attributes."""
        widths = [int(self.sizes[members].max(initial=0)) for members in groups]
        parts = zip(groups, widths, strict=True)
        values = sum(self.propose.allowed[:, members].sum(axis=1) * V for members, V in parts)
        return 8 * len(self.classes) * values


class ForestRows(FileRows):
    """The cases of a code file in each of R trees: see `FileRows`.

    Ordered attributes and all others are counted in the same scan if their tables fit.
    """

    def __init__(self, file: CodeFile, work: ForestWork):
        super().__init__(file, work)
        self.allowed, self.kept = work.propose.allowed, None

    def counts(self) -> np.ndarray:
        """Return the class counts (R, C) of the roots, which are all the same."""
        return np.repeat(self.file.counts, len(self.allowed), axis=0)

    def tables(self, level, groups) -> Iterator:
        """Yield tables of the open nodes, 0 for attributes that a tree does not test."""
        if not len(groups):
            yield np.arange(len(level.counts)), []
            return
        kept, self.kept = self.kept, None
        for nodes, parts in kept or self._counted(level, groups):
            cells = sum(len(m) * V for m, V in zip(groups, self._widths(groups), strict=True))
            for few in blocks(len(nodes), cells * level.counts.shape[1]):
                yield nodes[few], self._whole(nodes[few], parts, groups, level.counts.shape[1])

    def _whole(self, nodes, parts, groups, C):
        """Lay the tables of all trees' nodes together."""
        widths, dtype = self._widths(groups), self.file.weight or np.int64
        whole = [
            np.zeros((len(nodes), len(members), V, C), dtype)
            for members, V in zip(groups, widths, strict=True)
        ]
        for share, tables in parts:
            some = np.arange(max(share.first, nodes[0]), min(share.first + share.n, nodes[-1] + 1))
            if not len(some):
                continue
            for table, part, members, subset in zip(
                whole, tables, groups, share.groups, strict=True
            ):
                places = np.searchsorted(members, subset)
                table[np.ix_(some - nodes[0], places)] = part[some - share.first]
        return whole

    def cuts(
        self, level, attributes: np.ndarray, criterion, least, c45=False, allowed=None
    ) -> BestCuts:
        """Find each open node's best cut of the attributes that its tree may test; see `Cases`."""
        (S, C), numbers = level.counts.shape, code_numbers([self.work.schema], self.sizes.max())
        shape = len(attributes), S
        best = BestCuts(np.full(shape, -np.inf), np.full(shape, -1), np.zeros((*shape, C)))
        best = best._replace(left=best.left.astype(level.counts.dtype))
        others = self.work.propose.groups
        together = self.work.bytes_of([attributes, *others])[level.root].sum() <= self.work.room
        groups = [attributes, *others] if together and others else [attributes]
        kept = []
        for _, parts in self._counted(level, groups):
            for share, (table, *rest) in parts:
                kept.append((share._replace(groups=share.groups[1:]), rest))
                if not table.size:
                    continue
                some = np.arange(share.first, share.first + share.n)
                how = criterion, least[some] if np.ndim(least) else least
                values = (numbers[share.groups[0]], np.zeros(share.n, np.intp)) if c45 else ()
                cuts = _cuts_of(table, level.counts[some], how, values)
                cells = np.ix_(np.searchsorted(attributes, share.groups[0]), some)
                for whole, part in zip(best, cuts, strict=True):
                    whole[cells] = part
        if len(groups) > 1:
            self.kept = [(np.arange(S), kept)]
        return best

    def _widths(self, groups):
        return [int(self.sizes[members].max()) for members in groups]

    def _counted(self, level, groups):
        """Yield blocks of nodes (S',), one scan each, and each tree's share and its tables."""
        C, widths = level.counts.shape[1], self._widths(groups)
        each = np.maximum(self.work.bytes_of(groups), 1)[level.root]
        for part in blocks(len(each), each, self.work.room):
            nodes, shares = np.arange(part.start, part.stop), []
            roots, first = np.unique(level.root[part], return_index=True)
            ends = np.append(first, len(nodes))
            for r, start, end in zip(
                roots.tolist(), ends.tolist(), ends[1:].tolist(), strict=False
            ):
                own = [members[self.allowed[r, members]] for members in groups]
                shares.append(Share(r, part.start + start, end - start, own))
            what = f"({len(nodes):,} of its nodes)"
            with self.work.log.at(self.level, int(each[part].sum()), what):
                flat = iter(self.work.count(self.file, self.route, shares, widths, C))
            yield nodes, [(share, [next(flat) for _ in groups]) for share in shares]


def _cuts_of(table, totals, how, values):
    """Find the best cuts of the attributes of one tree at its nodes, from tables (n, A, V, C).

    One attribute after the other, since cells that are sought take more room than a table.
    """
    parts = []
    for j in range(table.shape[1]):
        s, code, y = place = table[:, j].nonzero()
        cells = Cells(s, code, y, table[:, j][place])
        numbers = (values[0][j : j + 1], values[1]) if values else ()
        parts.append(best_cuts(cells, totals, 1, *how, numbers))
    return BestCuts(*(np.concatenate(part) for part in zip(*parts, strict=True)))
