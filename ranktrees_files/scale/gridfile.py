"""What a path forest keeps of each case in files besides its codes: bins in grids, and path ends.

Both files have the blocks of the code file, so that all three are read side by side.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from ranktrees_engine.growing.tree import Tree
from ranktrees_engine.reading.columns import Column
from ranktrees_engine.reading.encoder import Encoder
from ranktrees_files.scale.codefile import CodeFile
from ranktrees_files.scale.log import Log


class GridFile:
    """The codes of numbers in each of several grids; nominal ones are those of the code file."""

    def __init__(self, grids: Sequence[Encoder], folder: Path, log: Log):
        self.grids, self.path, self.log, self.file = grids, Path(folder) / "grids", log, None

    def add(self, columns: list[Column]) -> None:
        """Write the numbers of a batch, which lie in the order of grids and of columns."""
        if self.file is None:  # the grids have been learnt by now
            self.schemas = [grid.schema_ for grid in self.grids]
            self.numbers = [j for j, s in enumerate(self.schemas[0]) if s.kind == "numeric"]
            widest = max([s[j].size for s in self.schemas for j in self.numbers], default=1)
            width, dtype = len(self.grids) * len(self.numbers), np.min_scalar_type(widest - 1)
            self.file = CodeFile(self.path, dtype, width, np.zeros((1, 0)), self.log)
        m = len(columns[0].values)
        block = np.empty((self.file.width, m), self.file.dtype)
        rows = iter(block)
        for grid in self.grids:
            for j in self.numbers:
                next(rows)[:] = grid.encode(j, columns[j])
        self.file.append(block, np.array([m]))

    def place(self, g: int, j: int) -> int | None:
        """Return the row of attribute j in grid g; None if the code file has the same codes."""
        if j not in self.numbers:
            return None
        return g * len(self.numbers) + self.numbers.index(j)


class Sides:
    """The code file of a scan, its grids, and the `ends` (E, m) of the paths in E trees."""

    def __init__(self, codes: CodeFile, grids: GridFile):
        self.codes, self.grids, self.ends = codes, grids, None

    def write_ends(self, trees: Sequence[Tree]) -> list[np.ndarray]:
        """Write the node of each tree at which each case's path ends: one scan for all trees.

        Return the number (T,) of cases that end at each node of each tree.
        """
        codes, log = self.codes, self.codes.log
        most = max(len(tree) for tree in trees)
        path, dtype = codes.path.with_name("ends"), np.min_scalar_type(most)
        self.ends = CodeFile(path, dtype, len(trees), codes.counts, log)
        log.begin("finding the ends of paths")
        n_ended = [np.zeros(len(tree), np.intp) for tree in trees]
        for block in codes.read():
            X = np.ascontiguousarray(block.codes[:-1].T)
            ends = [tree.apply(X) for tree in trees]
            self.ends.append(np.stack(ends), np.array([len(X)]))
            for n, end in zip(n_ended, ends, strict=True):
                n += np.bincount(end, minlength=len(n))
        return n_ended

    def read(self, attributes: Sequence[int], trees: Sequence[int]) -> Iterator[tuple]:
        """Yield, block by block, a function `known(g, j)`, ends {tree: (m,)}, classes and weights.

        `known` returns the codes (m,) in grid g of one of these attributes, -1 where missing.
        """
        g_all, codes, grids = range(len(self.grids.grids)), self.codes, self.grids
        fine = [j for j in attributes if grids.place(0, j) is None]
        number = [(g, j) for g in g_all for j in attributes if grids.place(0, j) is not None]
        each = [
            codes.with_rows([*fine, codes.width - 1]).read(),
            grids.file.with_rows([grids.place(g, j) for g, j in number]).read(),
            self.ends.with_rows(trees).read(),
        ]
        for (code, _, weight), (bins, *_), (ends, *_) in zip(*each, strict=True):
            rows = dict(zip(number, bins, strict=True))
            rows |= {(g, j): row for g in g_all for j, row in zip(fine, code[:-1], strict=True)}
            known = GridCodes(rows, self.grids.schemas)
            yield known, dict(zip(trees, ends, strict=True)), code[-1], weight


class GridCodes:
    """The codes of a block by grid and attribute, as the factors use them."""

    def __init__(self, rows: dict, schemas: Sequence):
        self.rows, self.schemas = rows, schemas

    def __call__(self, g: int, j: int) -> np.ndarray:
        """Return the codes (m,) of attribute j in grid g, -1 where a value is missing."""
        code, info = self.rows[g, j].astype(np.intp), self.schemas[g][j]
        if info.missing:
            code[code == info.size - 1] = -1
        return code
