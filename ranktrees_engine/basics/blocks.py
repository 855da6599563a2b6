"""Bounded memory: large work is done in blocks, each of about as many cells as a cache holds."""

from collections.abc import Iterator

import numpy as np

LIMIT = 1 << 18  # cells of a block: 2 MB of numbers, so that what a block makes stays in the cache

# The C library of Linux hands freed arrays back to the system, which zeroes their pages for the
# next one, until it has seen a larger array come and go. This one is never touched, and so is free.
np.empty(31 << 20, np.uint8)


def blocks(n: int, cells: int | np.ndarray, limit: int | None = None) -> Iterator[slice]:
    """Yield slices of n items, end to end, whose `cells`, a number or (n,), sum to at most `limit`.

    By default that is `LIMIT`. An item of more cells is a block of its own; no block is empty.

    >>> [(b.start, b.stop) for b in blocks(5, 2, limit=4)]
    [(0, 2), (2, 4), (4, 5)]
    """
    limit = LIMIT if limit is None else limit
    if np.ndim(cells) == 0:
        step = int(max(1, limit // max(int(cells), 1)))
        yield from (slice(start, min(start + step, n)) for start in range(0, n, step))
        return
    up_to, start = np.cumsum(cells, dtype=np.int64), 0
    while start < n:
        before = up_to[start - 1] if start else 0
        end = max(start + 1, int(np.searchsorted(up_to, before + limit, side="right")))
        yield slice(start, end)
        start = end
