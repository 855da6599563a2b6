"""Normal densities of number columns, one for each class."""

import math

import numpy as np

from ranktrees.columns import Column


def known_numbers(column: Column, missing: str, fill: float) -> np.ndarray:
    """The numbers (n,) of a column, NaN or `fill` where missing, as `missing` says.

    Raises ValueError where a number is missing but may not be, or where there are no numbers.
    """
    numbers, gap = column.numbers(), column.missing
    if not gap.any():
        return numbers
    if missing in ("error", "value"):
        why = "" if missing == "error" else ", and a normal density has no value for it"
        raise ValueError(
            f"column {column.name!r} contains NaN (missing) in row {gap.argmax()}{why}: "
            'fill it, or use missing="skip" or missing="impute"'
        )
    return np.where(gap, fill if missing == "impute" else np.nan, numbers)


def mean_of(column: Column) -> float:
    """Mean of the known numbers of a column, 0 if there are none."""
    known = column.values[~column.missing]
    return math.fsum(known / len(known)) if len(known) else 0.0


def class_moments(x: np.ndarray, y: np.ndarray, C: int) -> tuple[np.ndarray, np.ndarray]:
    """Mean (C,) and sample standard deviation (C,), divisor n - 1, of numbers x (n,), NaN left out.

    A class without any known number takes those of all classes together. The deviation is at least
    a sixth of the mean gap between neighbouring distinct numbers, as in Weka: numbers are measured
    with finite precision, and without the floor a single case, or several equal ones, would have
    an infinite density that outweighs everything else.
    """
    known = ~np.isnan(x)
    x, y = x[known], y[known]
    if not len(x):
        return np.zeros(C), np.ones(C)
    scale = np.ldexp(1.0, np.frexp(np.abs(x).max())[1] - 1) if x.any() else 1.0
    x = x / scale  # by a power of two: exact, and squares cannot overflow
    n = np.bincount(y, minlength=C)
    mean = np.where(n > 0, np.bincount(y, x, C) / np.maximum(n, 1), x.mean())
    squares = np.bincount(y, (x - mean[y]) ** 2, C)
    deviation = np.sqrt(squares / np.maximum(n - 1, 1))
    everyone = x.std(ddof=1) if len(x) > 1 else 0.0
    values = np.unique(x)
    gap = (values[-1] - values[0]) / (len(values) - 1) if len(values) > 1 else 6.0
    deviation = np.maximum(np.where(n > 0, deviation, everyone), gap / 6)
    return mean * scale, deviation * scale


def log_density(x: np.ndarray, means: np.ndarray, deviations: np.ndarray) -> np.ndarray:
    """Log densities (G, n, C) of numbers x (n, G) given means and deviations (G, C); 0 for NaN."""
    log_scale = np.log(deviations) + 0.5 * math.log(2 * math.pi)
    with np.errstate(over="ignore"):  # too far away for a double: density 0, its logarithm -inf
        density = (x.T[:, :, None] - means[:, None]) / deviations[:, None]
        density = -0.5 * density**2 - log_scale[:, None]
    return np.where(np.isnan(x.T)[:, :, None], 0, density)
