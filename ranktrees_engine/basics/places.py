"""Places in arrays: whole numbers of the width of an address, 32 bits in a browser."""

import numpy as np


def places(index: np.ndarray) -> np.ndarray:
    """Return whole numbers as `np.intp`, which `take`, `bincount` and `repeat` ask for.

    On 64 bits int64 is that already, and nothing is copied.
    """
    return index.astype(np.intp, copy=False)
