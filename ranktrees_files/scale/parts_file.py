"""What the factors of each training case say, in files, attribute by attribute.

They are larger than the cases. Sums over some trees are added to those over others, in a new file
for each attribute, which is read and written from its beginning to its end.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from ranktrees_engine.basics.blocks import blocks
from ranktrees_files.scale.codefile import append_to
from ranktrees_files.scale.log import Log


class PartsFile:
    """Sums (n, C) of A attributes, in blocks of `lengths` cases."""

    def __init__(self, folder: Path, lengths: list[int], A: int, C: int, log: Log):
        self.folder, self.lengths, self.A, self.C, self.log = folder, lengths, A, C, log
        self.paths, self.n_files = {}, 0

    def add(self, each: Iterable[dict[int, np.ndarray]]) -> None:
        """Add sums (m, C) of some attributes, {attribute: sums} for each block, to those so far."""
        first, new = 0, {}
        for sums in each:
            for j, some in sums.items():
                if j not in new:
                    self.n_files += 1
                    new[j] = self.folder / f"sums{self.n_files}"
                append_to(new[j], some + self._read(j, first, len(some)))
                self.log.move("written", some.nbytes, 0)
            first += len(next(iter(sums.values())))
        for j, path in new.items():
            if j in self.paths:
                self.paths[j].unlink()
            self.paths[j] = path

    def _read(self, j, first, m):
        """Read the sums (m, C) of an attribute, 0 where there are none, from a case on."""
        if j not in self.paths:
            return 0
        start, n = 8 * first * self.C, m * self.C
        return np.fromfile(self.paths[j], float, n, offset=start).reshape(m, self.C)

    def read(self, budget: int) -> Iterator[tuple[int, slice, np.ndarray]]:
        """Yield the block, some of its cases, and their sums (1 + A, m, C), the first ones 0."""
        first = 0
        for k, length in enumerate(self.lengths):
            for some in blocks(length, 8 * (1 + self.A) * self.C, budget):
                m = some.stop - some.start
                sums = np.zeros((1 + self.A, m, self.C))
                for j in range(self.A):
                    sums[1 + j] = self._read(j, first + some.start, m)
                yield k, some, sums
            first += length
