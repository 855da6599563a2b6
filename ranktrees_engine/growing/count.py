"""Count tables: how often each attribute value occurs with each class.

A table `value x class` is all that a split criterion ever sees (RainForest's AVC-set). Few cases
are counted with one `np.bincount` for all attributes of a block of nodes; many cases are counted
attribute by attribute, from codes of one byte each. As plain/growing.py `table`.
"""

import math
from collections.abc import Sequence

import numpy as np

from ranktrees_engine.basics.blocks import blocks
from ranktrees_engine.basics.kinds import Array
from ranktrees_engine.growing.forest import TrainingSets
from ranktrees_engine.reading.weights import bincount

SMALL = 1 << 15  # tables of so few cells are counted as they are, absent classes and all
MANY = 1 << 20  # codes; from this many on they are counted attribute by attribute


def node_blocks(n_present: np.ndarray, width: int) -> list[np.ndarray]:
    """Group nodes with 2 to 4, 5 to 10, 11 to 22, ... classes: equal up to a factor of two."""
    bits, parts = np.frexp((n_present + 1) // 3)[1], []
    for b in np.bincount(bits).nonzero()[0]:
        members = np.flatnonzero(bits == b)
        cells = 4 * int(n_present[members].max()) * width  # a criterion makes as many more
        parts += [members[part] for part in blocks(len(members), cells)]
    return parts


def tally(shape: tuple[int, ...], *codes: np.ndarray) -> np.ndarray:
    """Count a contingency table, int64 of the given `shape`, of integer codes (one array per axis).

    The arrays broadcast against each other. Raises ValueError for a code outside its axis.

    >>> tally((2, 3), [0, 0, 1, 1], [2, 2, 0, 1]).tolist()
    [[0, 0, 2], [1, 1, 0]]
    """
    try:
        flat = np.ravel_multi_index(codes, shape)
    except ValueError as error:
        spans = [f"{np.min(c)}..{np.max(c)}" if np.size(c) else "none" for c in codes]
        raise ValueError(f"tally: codes {spans} do not fit the table's shape {shape}") from error
    return bincount(flat.ravel(), None, math.prod(shape)).reshape(shape)


class OneCount:
    """Counter of a block with one bincount: case i adds to a row, at each of its cells[i] (A,)."""

    def __init__(self, sets: TrainingSets, groups: Sequence[np.ndarray]):
        sizes = sets.sizes.max(axis=0)
        self.groups, self.sizes = groups, [int(sizes[members].max()) for members in groups]
        ends = np.cumsum([0] + [len(m) * V for m, V in zip(groups, self.sizes, strict=True)])
        self.starts, self.width = ends[:-1], int(ends[-1])
        columns = as_slice(np.concatenate(groups))
        self.cells = sets.values[:, columns].astype(np.intp, order="C")
        each = zip(groups, self.sizes, self.starts, strict=True)
        self.cells += np.concatenate([start + V * np.arange(len(m)) for m, V, start in each])
        self.buffer = np.empty((len(sets.y), self.cells.shape[1]), np.intp)  # fresh memory is slow

    def __call__(
        self, rows: Array, row: Array, n_nodes: int, C: int, weight: Array | None = None
    ) -> list[Array]:
        """Count each group's tables (S', A', V, C'): cases count in row (m',) of S' * C'."""
        index = self.buffer[: len(rows)]
        self.cells.take(rows, axis=0, out=index, mode="clip")
        index += (row * self.width)[:, None]
        weight = None if weight is None else np.repeat(weight, index.shape[1])
        flat = bincount(index.ravel(), weight, n_nodes * C * self.width)
        flat = flat.reshape(n_nodes, C, self.width)
        return [
            flat[:, :, start : start + V * len(members)]
            .reshape(n_nodes, C, len(members), V)
            .transpose(0, 2, 3, 1)
            for members, V, start in zip(self.groups, self.sizes, self.starts, strict=True)
        ]


class OneByOne:
    """Counter of a block attribute by attribute, from contiguous codes of one byte each."""

    def __init__(self, sets: TrainingSets, groups: Sequence[np.ndarray]):
        sizes = sets.sizes.max(axis=0)
        self.groups, self.sizes = groups, [int(sizes[members].max()) for members in groups]
        self.width = sum(len(m) * V for m, V in zip(groups, self.sizes, strict=True))
        small = np.uint8 if max(self.sizes) <= 1 << 8 else sets.values.dtype
        self.codes = {a: sets.values[:, a].astype(small) for m in groups for a in m.tolist()}

    def __call__(
        self, rows: Array, row: Array, n_nodes: int, C: int, weight: Array | None = None
    ) -> list[Array]:
        """Count each group's tables (S', A', V, C'): cases count in row (m',) of S' * C'."""
        tables, index = [], np.empty(len(rows), np.intp)
        dtype = np.int64 if weight is None else weight.dtype
        weight = None if weight is None else weight.astype(float)  # once, not for each attribute
        for members, V in zip(self.groups, self.sizes, strict=True):
            table = np.empty((n_nodes, C, len(members), V), dtype)
            row_start = row * V
            for j, a in enumerate(members.tolist()):
                np.add(row_start, self.codes[a].take(rows), out=index)
                table[:, :, j] = np.bincount(index, weight, n_nodes * C * V).reshape(n_nodes, C, V)
            tables.append(table.transpose(0, 2, 3, 1))
        return tables


def as_slice(places: np.ndarray) -> slice | np.ndarray:
    """Return indices (n,), n > 0, as a slice if they are contiguous: NumPy reads it faster."""
    neighbours = (np.diff(places) == 1).all()
    return slice(int(places[0]), int(places[-1]) + 1) if neighbours else places


def distinct(codes: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct ones (K,) of codes (m,) below `size`, in order, and the index of each.

    As `np.unique` does, but without sorting.

    >>> distinct(np.array([3, 1, 3]), 5)
    (array([1, 3]), array([1, 0, 1]))
    """
    index = np.zeros(size, np.intp)
    index[codes] = 1
    occurring = index.nonzero()[0]
    index[occurring] = np.arange(len(occurring))
    return occurring, index[codes]


def offsets_of(sizes: np.ndarray) -> np.ndarray:
    """Return the first row of each attribute's table, and the number M of all rows: (A + 1,)."""
    return np.concatenate([[0], np.cumsum(sizes, dtype=np.intp)])
