"""Ties: what differs by rounding alone is equal, so that no processor's last digit decides."""

import numpy as np

TIE = 1e-9  # scores and probabilities so close are equal: the first wins, not the rounding


def first_best(score: np.ndarray, tie=TIE, axis: int = -1) -> np.ndarray:
    """The place, along an axis, of the first score that is within `tie` of the largest.

    >>> int(first_best(np.array([0.1, 0.3, 0.1 + 0.2])))
    1
    """
    return (score >= score.max(axis=axis, keepdims=True) - tie).argmax(axis=axis)
