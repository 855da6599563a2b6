"""Ties: numbers that differ by rounding alone are equal, so that no last digit decides."""

import numpy as np

TIE = 1e-9  # scores (and, relatively, costs and distances) so close are equal: the first wins


def first_best(score: np.ndarray, tie: float = TIE, axis: int = -1) -> np.ndarray:
    """Return the index, along an axis, of the first score that is within `tie` of the largest.

    >>> int(first_best(np.array([0.1, 0.3, 0.1 + 0.2])))
    1
    """
    return (score >= score.max(axis=axis, keepdims=True) - tie).argmax(axis=axis)


def first_of_each(chosen: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Return the index (G,) of the first True of `chosen` (n,) in each segment from `start`."""
    places = np.arange(len(chosen))
    return np.minimum.reduceat(np.where(chosen, places, len(chosen)), start)
