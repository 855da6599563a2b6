"""Count tables: how often each attribute value goes together with each class.

A table `value x class` is all that a split criterion ever looks at (an AVC-set in RainForest's
words). `ranktrees.level` counts those of a whole tree level in one go.
"""

import math

import numpy as np


def tally(shape: tuple[int, ...], *codes: np.ndarray) -> np.ndarray:
    """Contingency table, int64 of the given `shape`, of integer codes (one array an axis).

    The arrays broadcast against each other. Raises ValueError for a code outside its axis.

    >>> tally((2, 3), [0, 0, 1, 1], [2, 2, 0, 1]).tolist()
    [[0, 0, 2], [1, 1, 0]]
    """
    try:
        flat = np.ravel_multi_index(codes, shape)
    except ValueError as error:
        spans = [f"{np.min(c)}..{np.max(c)}" if np.size(c) else "none" for c in codes]
        raise ValueError(f"tally: codes {spans} do not fit the table's shape {shape}") from error
    return np.bincount(flat.ravel(), minlength=math.prod(shape)).reshape(shape)
