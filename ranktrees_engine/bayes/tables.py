"""Distributions of attributes in each class: tables, smoothed by one formula; normal densities.

Tables are counted in one pass and laid end to end, as the rows of one array (M, C). Attribute j has
the rows offsets[j] ... offsets[j + 1] - 1, one per value, so that no table is padded to the widest.
"""

import math

import numpy as np

from ranktrees_engine.basics.arguments import check_number, choose
from ranktrees_engine.basics.blocks import LIMIT, blocks
from ranktrees_engine.reading.columns import Column
from ranktrees_engine.reading.weights import bincount

SMOOTHINGS = ("laplace", "none", "m")


def check_smoothing(smoothing, m) -> None:
    """Raise ValueError or TypeError unless both are valid for `smoothed_shares`, with m finite."""
    choose("smoothing", smoothing, SMOOTHINGS)
    check_number("m", m, 0)


def smoothed_shares(counts: np.ndarray, totals: np.ndarray, size, smoothing: str, m: float):
    """Return P(value) from its count, the count of all, and the number of values; uniform for 0/0.

    Each value gets imagined cases: 1 (Laplace), 0 (none) or m/size: the m-estimate (n + m p)/(N +
    m) with the uniform p = 1/size (Yang 2008, slides; Mitchell 1997).
    """
    size = np.asarray(size, float)
    added = {"laplace": 1, "none": 0, "m": m / size}[smoothing]
    n = np.broadcast_to(totals + size * added, counts.shape)
    uniform = np.broadcast_to(1 / size, counts.shape).copy()
    return np.divide(counts + added, n, out=uniform, where=n > 0)


def rows_of(values: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """Return the table rows (n, A) that codes (n, A) stand for; M for a code of -1."""
    rows = values.astype(np.intp) + offsets[:-1]
    return np.where(values < 0, offsets[-1], rows)


def count(values, y: np.ndarray, offsets: np.ndarray, C: int, weight=None) -> np.ndarray:
    """Count all attributes' tables value x class (M, C); codes (n, A) of -1 are not counted."""
    cells = (offsets[-1] + 1) * C
    counts = np.zeros(cells, np.int64 if weight is None else weight.dtype)
    for part in blocks(len(values), values.shape[1], max(LIMIT, cells)):
        flat = rows_of(values[part], offsets) * C + y[part, None]
        each = None if weight is None else np.repeat(weight[part], values.shape[1])
        counts += bincount(flat.ravel(), each, cells)
    return counts.reshape(-1, C)[:-1]


def conditional_tables(counts: np.ndarray, offsets: np.ndarray, smoothing: str, m: float):
    """Return P(value | class) (M, C) from counts (M, C): each attribute's rows sum to one."""
    sizes = np.diff(offsets)
    known = np.add.reduceat(counts, offsets[:-1], axis=0)  # (A, C) cases whose value is known
    totals, size = np.repeat(known, sizes, axis=0), np.repeat(sizes, sizes)[:, None]
    return smoothed_shares(counts, totals, size, smoothing, m)


def gather(tables: np.ndarray, values: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """Look up the row (A, n, C) of `tables` (M, C) for each code of `values` (n, A); 0 for -1."""
    padded = np.concatenate([tables, np.zeros((1, tables.shape[1]))])
    return padded.take(rows_of(values, offsets).T, axis=0)


def gathered_sum(tables: np.ndarray, values: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """Sum `gather` over the attributes (n, C), in blocks of cases."""
    C = tables.shape[1]
    total = np.empty((len(values), C))
    for part in blocks(len(values), values.shape[1] * C):
        gather(tables, values[part], offsets).sum(axis=0, out=total[part])
    return total


def known_numbers(column: Column, missing: str, fill: float) -> np.ndarray:
    """Return the numbers (n,) of a column; `missing` says if NaN or `fill` replaces missing ones.

    Raises ValueError if a number is missing but must not be, or if there are no numbers.
    """
    numbers, gap = column.numbers(truth=0 <= fill <= 1), column.missing
    if not gap.any():
        return numbers
    if missing in ("error", "value"):
        why = "" if missing == "error" else ", and a normal density has no value for it"
        raise ValueError(
            f"column {column.name!r} contains NaN (missing) in row {gap.argmax()}{why}: "
            'fill it, or use missing="skip" or missing="impute"'
        )
    return np.where(gap, fill if missing == "impute" else np.nan, numbers)


def class_moments(x, y: np.ndarray, C: int, weight=None) -> tuple[np.ndarray, np.ndarray]:
    """Return mean and sample standard deviation (C,), divisor n - 1, of x (n,), NaN left out.

    For cases with a `weight` (n,), n is their total weight in all formulas. A class without any
    known number takes the values of all classes together. The deviation is at least a sixth of the
    mean gap between neighbouring distinct numbers, as in Weka: numbers are measured with finite
    precision, and without the floor a single case, or several equal ones, would have an infinite
    density that outweighs everything else.
    """
    known = ~np.isnan(x)
    x, y, w = x[known], y[known], np.ones(len(x)) if weight is None else weight
    w = w[known]
    if not len(x):
        return np.zeros(C), np.ones(C)
    scale = np.ldexp(1.0, np.frexp(np.abs(x).max())[1] - 1) if x.any() else 1.0
    x = x / scale  # by a power of two: exact, and squares cannot overflow
    n, total, middle = np.bincount(y, w, C), w.sum(), np.average(x, weights=w)
    mean = np.where(n > 0, np.bincount(y, w * x, C) / np.where(n > 0, n, 1), middle)
    squares = np.bincount(y, w * (x - mean[y]) ** 2, C)
    deviation = np.sqrt(squares / np.maximum(n - 1, 1))
    everyone = np.sqrt((w * (x - middle) ** 2).sum() / max(total - 1, 1))
    values = np.unique(x)
    gap = (values[-1] - values[0]) / (len(values) - 1) if len(values) > 1 else 6.0
    deviation = np.maximum(np.where(n > 0, deviation, everyone), gap / 6)
    return mean * scale, deviation * scale


def log_density(x: np.ndarray, means: np.ndarray, deviations: np.ndarray) -> np.ndarray:
    """Return log densities (G, n, C) of x (n, G), given means, deviations (G, C); 0 for NaN."""
    log_scale = np.log(deviations) + 0.5 * math.log(2 * math.pi)
    with np.errstate(over="ignore"):  # too far away for a double: density 0, its logarithm -inf
        density = (x.T[:, :, None] - means[:, None]) / deviations[:, None]
        density = -0.5 * density**2 - log_scale[:, None]
    return np.where(np.isnan(x.T)[:, :, None], 0, density)
