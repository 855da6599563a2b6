"""The second pass: the codes of all cases in a file, block by block, attribute by attribute.

A block holds the codes of m cases, those of a batch, as (A + 1, m) small whole numbers, the class
last, so that one attribute's codes lie together. Blocks are read one after another and never kept.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from ranktrees.scale.log import Log

BLOCK_BYTES = 1 << 16  # of an attribute in a block
BYTES_PER_CASE = 48  # bytes that growing needs for a case in memory, besides its codes


class CodeFile:
    """The coded cases of R roots in a file: `blocks` are (cases of each root (R,)) per block.

    Within a block the cases lie root by root. `counts` (R, C) are the roots' class counts.
    """

    def __init__(self, path: Path, dtype, width: int, counts: np.ndarray, log: Log):
        self.path, self.dtype, self.width, self.counts = Path(path), np.dtype(dtype), width, counts
        self.log, self.blocks = log, []

    def __len__(self) -> int:
        return int(self.counts.sum())

    @property
    def row_bytes(self) -> int:
        """Bytes of a case in the file."""
        return self.width * self.dtype.itemsize

    def append(self, block: np.ndarray, sizes: np.ndarray) -> None:
        """Write a block (A + 1, m), whose cases lie root by root, `sizes` (R,) of each."""
        append_to(self.path, np.ascontiguousarray(block, self.dtype))
        self.blocks.append(sizes)
        self.log.move("written", block.shape[1] * self.row_bytes, block.shape[1])

    def read(self, part: slice = slice(None)) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield blocks (A + 1, m) and the root (m,) of each case, of all blocks or a part."""
        lengths = [int(sizes.sum()) for sizes in self.blocks]
        start = sum(lengths[: part.start or 0]) * self.row_bytes
        with self.path.open("rb") as file:
            file.seek(start)
            for sizes, m in zip(self.blocks[part], lengths[part], strict=True):
                block = np.fromfile(file, self.dtype, self.width * m)
                self.log.move("read", block.nbytes, m)
                yield block.reshape(self.width, m), np.repeat(np.arange(len(sizes)), sizes)

    def batches(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Codes (m, A) and roots (m,) of the cases, block by block."""
        for block, root in self.read():
            yield block[:-1].T, root

    def remove(self) -> None:
        """Delete the file."""
        self.path.unlink(missing_ok=True)


def together(blocks: Iterator, size: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield blocks (A + 1, m) and roots (m,), several as one up to `size` bytes."""
    batch, total = [], 0
    for block, root in blocks:
        if batch and total + block.nbytes > size:
            yield _joined(batch)
            batch, total = [], 0
        batch.append((block, root))
        total += block.nbytes
    if batch:
        yield _joined(batch)


def _joined(batch):
    if len(batch) == 1:
        return batch[0]
    return np.concatenate([b for b, _ in batch], axis=1), np.concatenate([r for _, r in batch])


def append_to(path: Path, values: np.ndarray) -> None:
    """Add numbers to the end of a file; OSError says what to do where the disk is full."""
    try:
        with path.open("ab") as file:
            values.tofile(file)
    except OSError as error:
        raise OSError(
            f"the codes in {path} cannot be written ({error}): make room, or name a folder of "
            "another disk in TMPDIR"
        ) from error


def code(scan, encoder, classes: np.ndarray, folder, log: Log) -> CodeFile:
    """The code file, in a folder, of the cases of a scan, for an encoder that has learnt it.

    Raises ValueError for what the first pass did not see: the files have changed in between.
    """
    sizes = [info.size for info in encoder.schema_]
    dtype = np.min_scalar_type(max(*sizes, len(classes)) - 1)
    known, parts = pd.Index(classes), []
    file = CodeFile(Path(folder) / "codes", dtype, len(sizes) + 1, np.zeros((1, 0)), log)
    for columns, y, labels in log.watch(scan.batches(), "coding"):
        block = np.empty((file.width, len(y)), dtype)
        place = known.get_indexer(pd.Index(labels))[y]
        for j, codes in enumerate([*(encoder.encode(j, c) for j, c in enumerate(columns)), place]):
            if codes.min() < 0:
                name = [*scan.names, scan.target][j]
                raise ValueError(
                    f"column {name!r} has a value that the first reading of the files did not "
                    "see: they have changed in between"
                )
            block[j] = codes
        file.append(block, np.array([len(y)]))
        parts.append(np.bincount(place, minlength=len(classes)))
    file.counts = np.sum(parts, axis=0)[None]
    return file
