"""Bounded memory: large work is done in blocks, each of about as many cells as a cache holds."""

from collections.abc import Iterator

import numpy as np

LIMIT = 1 << 18  # cells of a block: 2 MB of numbers, so that what a block makes stays in the cache


def blocks(n: int, cells, limit: int | None = None) -> Iterator[slice]:
    """Slices of n items, end to end, whose `cells`, a number or (n,), add up to about `limit`.

    By default that is `LIMIT`. An item of more cells is a block of its own; no block is empty.

    >>> [(b.start, b.stop) for b in blocks(5, 2, limit=4)]
    [(0, 2), (2, 4), (4, 5)]
    """
    limit = LIMIT if limit is None else limit
    if np.ndim(cells) == 0:
        step = int(max(1, limit // max(cells, 1)))
        ends = range(step, n, step)
    else:
        number = (np.cumsum(cells) - 1) // limit
        ends = (np.flatnonzero(np.diff(number)) + 1).tolist()
    start = 0
    for end in [*ends, n]:
        if end > start:
            yield slice(start, end)
        start = end
