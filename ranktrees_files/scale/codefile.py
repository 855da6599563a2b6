"""The second pass: the codes of all cases in a file, block by block, attribute by attribute.

A block holds the codes of m cases, those of a batch, as (A + 1, m) small whole numbers, the class
last, so that one attribute's codes lie together. Blocks are read one after another and never kept.
"""

import copy
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from ranktrees_engine import prune
from ranktrees_engine.basics.blocks import blocks
from ranktrees_engine.growing.tree import Tree
from ranktrees_engine.reading.weights import bincount
from ranktrees_files.scale.in_batches import c45_in_batches
from ranktrees_files.scale.log import Log

BLOCK_BYTES = 1 << 16  # of an attribute in a block
BYTES_PER_CASE = 48  # bytes that growing needs for a case in memory, besides its codes
NEW = "has a value that the first reading of the files did not see: they have changed in between"


class Block(NamedTuple):
    """The codes (A + 1, m) of m cases, the root (m,) of each, and its weight (m,) or None."""

    codes: np.ndarray
    root: np.ndarray
    weight: np.ndarray | None


class CodeFile:
    """The coded cases of R roots in a file: `blocks` are (cases of each root (R,)) per block.

    Within a block the cases lie root by root; their weights, numbers of type `weight`, follow the
    codes, or there are none if each counts 1. `counts` (R, C) are the roots' class counts.
    """

    def __init__(self, path: Path, dtype, width: int, counts: np.ndarray, log: Log, weight=None):
        self.path, self.dtype, self.width, self.counts = Path(path), np.dtype(dtype), width, counts
        self.weight = None if weight is None else np.dtype(weight)
        self.log, self.blocks, self.n, self.some = log, [], 0, None

    def __len__(self) -> int:
        return self.n

    @property
    def row_bytes(self) -> int:
        """The bytes of a case that are read."""
        return self.width * self.dtype.itemsize + (self.weight.itemsize if self.weight else 0)

    def with_rows(self, rows: Sequence[int]) -> "CodeFile":
        """Return the same file, of whose blocks' rows only these are read."""
        other = copy.copy(self)
        other.some, other.width, other.stored = list(rows), len(rows), self.width
        return other

    def of_attributes(self, attributes: np.ndarray) -> "CodeFile":
        """Return the same file, of which some attributes are read, and the class."""
        return self.with_rows([*attributes.tolist(), self.width - 1])

    def append(self, block: np.ndarray, sizes: np.ndarray, weight=None) -> None:
        """Write a block (A + 1, m), whose cases lie root by root, `sizes` (R,) cases of each."""
        m = block.shape[1]
        append_to(self.path, np.ascontiguousarray(block, self.dtype))
        if self.weight is not None:
            append_to(self.path, np.ascontiguousarray(weight, self.weight))
        self.blocks.append(sizes)
        self.n += m
        self.log.move("written", m * self.row_bytes, m)

    def read(self, part: slice = slice(None), size: int = 0) -> Iterator[Block]:
        """Yield all blocks or a part of them; several are joined up to `size` bytes of codes."""
        lengths = np.array([sizes.sum() for sizes in self.blocks], int)
        with self.path.open("rb") as file:
            skipped = 0 if self.some is None else (self.stored - self.width) * self.dtype.itemsize
            file.seek(int(lengths[: part.start or 0].sum()) * (self.row_bytes + skipped))
            lengths, blocks_of_part = lengths[part], self.blocks[part]
            cells = np.maximum(lengths * self.width * self.dtype.itemsize, 1)
            for some in blocks(len(lengths), cells, size):
                yield self._joined(file, blocks_of_part[some], lengths[some])

    def _joined(self, file, blocks_of_roots, lengths):
        """Join the next blocks, of these `lengths`, into one."""
        parts, weights = [], []
        for m in lengths.tolist():
            parts.append(self._codes(file, m))
            if self.weight is not None:
                weights.append(np.fromfile(file, self.weight, m))
            self.log.move("read", m * self.row_bytes, m)
        codes = parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1)
        root = [np.repeat(np.arange(len(sizes)), sizes) for sizes in blocks_of_roots]
        return Block(codes, np.concatenate(root), np.concatenate(weights) if weights else None)

    def _codes(self, file, m):
        """Read the next block of m cases, or some of its rows, (width, m)."""
        if self.some is None:
            return np.fromfile(file, self.dtype, self.width * m).reshape(self.width, m)
        codes, start = np.empty((self.width, m), self.dtype), file.tell()
        for place, row in zip(codes, self.some, strict=True):
            file.seek(start + row * place.nbytes)
            place[:] = np.fromfile(file, self.dtype, m)
        file.seek(start + self.stored * m * self.dtype.itemsize)
        return codes

    def cases(self) -> Iterator[tuple]:
        """Yield the cases' codes (m, A), classes (m,) and weights (m,), block by block."""
        self.log.begin("raising")
        for block in self.read():
            yield block.codes[:-1].T, block.codes[-1], block.weight

    def c45(self, tree: Tree, confidence: float, raising: bool) -> Tree:
        """Prune the tree as C4.5 does, as for cases in memory (see `in_batches`)."""
        if not raising:
            return prune.c45(tree, confidence=confidence, raising=False)
        return c45_in_batches(tree, self.cases, confidence)

    def remove(self) -> None:
        """Delete the file."""
        self.path.unlink(missing_ok=True)


def append_to(path: Path, values: np.ndarray) -> None:
    """Add numbers to the end of a file; OSError says what to do if the disk is full."""
    try:
        with path.open("ab") as file:
            values.tofile(file)
    except OSError as error:
        raise OSError(
            f"the codes in {path} cannot be written ({error}): make room, or name a folder of "
            "another disk in TMPDIR"
        ) from error


def code_batches(batches: Iterable, encoder, classes: np.ndarray) -> Iterator[tuple]:
    """Yield a `Codes`, classes (m,) and weights (m,) or None for each batch of a scan.

    The encoder and the classes have been learnt from it. Raises ValueError for a new class.
    """
    for columns, y, labels, weight in batches:
        yield encoder.apply(columns), _class_codes(y, labels, classes), weight


def _class_codes(y, labels, classes):
    """Return the codes (m,) of classes that a batch has as positions in its labels."""
    y = pd.Index(classes).get_indexer(pd.Index(labels))[y]
    if (y < 0).any():
        raise ValueError(f"the class {NEW}")
    return y


def code(scan, encoder, classes: np.ndarray, folder, log: Log, weigh=None, beside=None) -> CodeFile:
    """Write the code file of a scan's cases to a folder, with an encoder learnt from the scan.

    `weigh` says what each case counts; if None, each counts 1. A `GridFile` that is given as
    `beside` gets the columns of each block. Raises ValueError for values that the first pass did
    not see: the files have changed in between.
    """
    sizes, parts = [info.size for info in encoder.schema_], []
    dtype = np.min_scalar_type(max(*sizes, len(classes)) - 1)
    file = CodeFile(Path(folder) / "codes", dtype, len(sizes) + 1, np.zeros((1, 0)), log)
    file.weight = None if weigh is None else weigh.dtype
    for columns, y, labels, weight in log.watch(scan.batches(weigh), "coding"):
        codes, y = encoder.apply(columns), _class_codes(y, labels, classes)
        new = (codes.values < 0).any(axis=0)
        if new.any():
            raise ValueError(f"column {scan.names[new.argmax()]!r} {NEW}")
        if len(y):
            block, size = np.vstack([codes.values.T, y], dtype=dtype, casting="unsafe"), [len(y)]
            file.append(block, np.array(size), weight)
            if beside is not None:
                beside.add(columns)
            parts.append(bincount(y, weight, len(classes)))
    file.counts = np.sum(parts, axis=0)[None]
    return file
