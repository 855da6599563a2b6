"""Cutting numbers into bins: the cuts are learnt on training data, then applied.

A method learns ascending cuts from the distinct values (V,), ascending, the counts (V, C) of cases
with each value by class, and the number of bins: `k_means.of_counts(values, counts, n_bins)`.
`k_means(x, n_bins, y)` counts numbers x (n,) first. A value equal to a cut belongs to the lower
bin: `codes(x, cuts)` is `searchsorted(cuts, x, side="left")`.
"""

from collections.abc import Callable
from functools import wraps
from inspect import signature
from itertools import pairwise

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import check_number, even, floats, number_row
from ranktrees_engine.basics.blocks import blocks
from ranktrees_engine.basics.kinds import Array, ArrayLike
from ranktrees_engine.basics.logarithms import xlog2x
from ranktrees_engine.basics.ties import TIE, first_best
from ranktrees_engine.reading.weights import class_counts

MOST_ROUNDS = 100  # of k-means
MOST_BINS = 1 << 16  # of a number: each has a cell in the tables of a node


def _for_numbers(cuts_of: Callable) -> Callable:
    """Return a method for numbers x (n,) and class codes y (n,); its `of_counts` is `cuts_of`."""

    def of_numbers(x: ArrayLike, n_bins: int = 10, y: Array | None = None) -> Array:
        return cuts_of(*value_table(x, y), n_bins)

    cuts_of.__signature__ = signature(of_numbers)  # which the reference and `help` show
    of_numbers.of_counts = cuts_of
    return wraps(cuts_of)(of_numbers)


@_for_numbers
def equal_width(values: Array, counts: Array, n_bins: int) -> Array:
    """Cut into bins of equal width, min + w (1 ... n_bins - 1); no cut for a constant (as Weka).

    >>> equal_width(np.array([0.0, 10.0]), 5).tolist()
    [2.0, 4.0, 6.0, 8.0]
    """
    check_bins(n_bins)
    if len(values) < 2:
        return np.zeros(0)
    low, high = values[[0, -1]]
    with np.errstate(over="ignore"):
        width = (high - low) / n_bins
    if np.isfinite(width):
        return low + width * np.arange(1, n_bins)
    part = np.arange(1, n_bins) / n_bins  # the range itself is beyond the largest double
    return low * (1 - part) + high * part


@_for_numbers
def equal_frequency(values: Array, counts: Array, n_bins: int) -> Array:
    """Cut half-way between neighbours, so that all bins hold about the same number of cases."""
    check_bins(n_bins)
    if not len(values):
        return np.zeros(0)
    up_to = np.cumsum(counts.sum(axis=1, dtype=_wide(counts)))
    rank = float(up_to[-1]) * np.arange(1, n_bins) / n_bins
    below = np.searchsorted(up_to, rank)
    return _between(values, np.unique(below[below < len(values) - 1]))


@_for_numbers
def entropy_mdl(values: Array, counts: Array, n_bins: int | None = None) -> Array:
    """Cut recursively at the least entropy, until the description length stops it.

    A cut of N cases is kept if gain > (log2(N - 1) + log2(3^k - 2) - k E + k1 E1 + k2 E2) / N,
    k classes and E entropy of the interval and its halves (Fayyad & Irani 1993).
    """
    if len(values) < 2:
        return np.zeros(0)
    if counts.shape[1] < 2:
        raise ValueError("entropy_mdl needs the classes y: fit(X, y)")
    pending, cuts = [(0, len(values))], []
    while pending:
        low, high = pending.pop()
        if (cut := _mdl_cut(counts[low:high])) is not None:
            cuts.append(low + cut)
            pending += [(low, low + cut + 1), (low + cut + 1, high)]
    return _between(values, np.sort(np.array(cuts, int)))


def _mdl_cut(table):
    """Return after which row the cut of least entropy lies; None if it does not pay."""
    if len(table) < 2:
        return None
    total = table.sum(axis=0, dtype=_wide(table))
    _, (n, _), (whole, _) = _halves(total, total)
    gain, left = np.empty(len(table) - 1), np.zeros((len(total), 1), total.dtype)
    for some in blocks(len(gain), 8 * len(total)):  # of millions of values, what is made of them
        # classes first, so that sums over them run along the cuts
        left = np.cumsum(np.hstack([left[:, -1:], table[some].T]), axis=1)
        gain[some] = (whole - _halves(left[:, 1:], total[:, None])[2].sum(axis=0)) / n
    best = int(first_best(gain))
    left = table[: best + 1].sum(axis=0, dtype=total.dtype)
    parts, cases, bits = _halves(left[:, None], total[:, None])
    k, k_halves = (total > 0).sum(), (parts[..., 0] > 0).sum(axis=1)
    within = k_halves * bits[:, 0] / np.maximum(cases[:, 0], 1e-300)
    delta = np.log2(3.0**k - 2) - (k * whole / n - within.sum())
    places = np.log2(np.maximum(n - 1, 1))  # weights may add up to fewer than two cases
    return best if gain[best] > (places + delta) / n + TIE else None


def _wide(counts):
    """Return the type of sums of counts."""
    return np.result_type(counts, np.int64)


def _halves(left, whole):
    """Return class counts (2, C, m) of both sides of m cuts, their cases and entropy times cases.

    `left` (C, m) counts the left sides, `whole` (C, 1) all cases.
    """
    parts = np.stack([left, whole - left])
    cases = parts.sum(axis=1)
    return parts, cases, xlog2x(cases) - xlog2x(parts).sum(axis=1)


@_for_numbers
def k_means(values: Array, counts: Array, n_bins: int) -> Array:
    """Return cuts half-way between the means of k-means, started at equal frequencies.

    A value half-way between two means, up to rounding, belongs to the lower bin, whatever the unit.
    """
    check_bins(n_bins)
    if len(values) <= n_bins:
        return _between(values, np.arange(len(values) - 1))
    scale = np.ldexp(1.0, np.frexp(np.abs(values).max())[1] - 1)
    values = values / scale  # by a power of two: exact, and sums cannot overflow
    start = equal_frequency.of_counts(values, counts, n_bins)
    return scale * _k_means_cuts(values, counts.sum(axis=1), start)


def _k_means_cuts(values, weights, cuts):
    group = codes(values, cuts)
    for _ in range(MOST_ROUNDS):
        size = np.bincount(group, weights)
        means = np.bincount(group, weights * values)[size > 0] / size[size > 0]
        middle = (means[1:] + means[:-1]) / 2
        near = middle + TIE * np.diff(means)
        before, group = group, codes(values, near)
        if np.array_equal(group, before):
            break
    return np.maximum(middle, values[np.searchsorted(values, near, side="right") - 1])


@_for_numbers
def exact(values: Array, counts: Array, n_bins: int | None = None) -> Array:
    """Cut half-way between every two neighbouring distinct values: nothing is lost."""
    return _between(values, np.arange(max(len(values) - 1, 0)))


@_for_numbers
def every_value(values: Array, counts: Array, n_bins: int | None = None) -> Array:
    """Cut at each distinct value, also the largest: numbers above it have a code of their own."""
    return values


def value_table(
    x: ArrayLike, y: Array | None = None, weight: Array | None = None
) -> tuple[Array, Array]:
    """Return the distinct values (V,) of x (n,), ascending, and their counts (V, C) by class.

    C is 1 without classes y (n,), else at least 2; NaN is left out. If `weight` (n,) is None, every
    case has weight 1.
    """
    x = number_row("x", x)
    known = ~np.isnan(x)
    if y is None and weight is None:
        values, counts = np.unique(x[known], return_counts=True)
        return values, counts[:, None]
    values, row = np.unique(x[known], return_inverse=True)
    least, y = (1, np.zeros(len(x), np.intp)) if y is None else (2, even("y", y))
    if y.shape != x.shape or y.dtype.kind not in "iu":
        raise ValueError(f"y must have a class code for each of {len(x)} x, not {y.dtype}{y.shape}")
    weight = None if weight is None else weight[known]
    return values, class_counts(row, y[known], weight, (len(values), max(int(y.max()) + 1, least)))


def codes(x: ArrayLike, cuts: ArrayLike) -> np.ndarray:
    """Return the bin number of each value (n,): v for cuts[v - 1] < x <= cuts[v]."""
    return np.searchsorted(number_row("cuts", cuts), floats("x", x), side="left")


def _between(values, below):
    """Return the number half-way from values[below] to the next, never reaching the next."""
    low, high = values[below], values[below + 1]
    return np.where((half := low + (high / 2 - low / 2)) < high, half, low)


def cut_classes(y: ArrayLike, k: int = 3) -> pd.Categorical:
    """Turn a quantity y (n,), NaN where missing, into k classes with about as many cases each.

    >>> cut_classes([1, 2, 3, 4], 2).tolist()
    ['1: up to 2.5', '1: up to 2.5', '2: above 2.5', '2: above 2.5']

    Raises ValueError if there are no numbers, or fewer than two values.
    """
    return in_classes(number_row("y", y), class_cuts(y, k))


def class_cuts(y: ArrayLike, k: int) -> np.ndarray:
    """Return the cuts of `cut_classes`."""
    y = number_row("y", y)
    check_number("k", k, 2, whole=True)
    values, counts = value_table(y[~np.isnan(y)])
    if len(values) < 2:
        raise ValueError("y has fewer than two values: it cannot be cut into classes")
    cuts = equal_frequency.of_counts(values, counts, k)
    return cuts if len(cuts) else _between(values, np.array([len(values) - 2]))


def in_classes(y: ArrayLike, cuts: np.ndarray) -> pd.Categorical:
    """Return numbers y (n,) as the classes between cuts, named by rank and limits."""
    low, width = [f"{cut:.6g}" for cut in cuts], len(str(len(cuts) + 1))
    between = [f"{a} to {b}" for a, b in pairwise(low)]
    names = [f"up to {low[0]}", *between, f"above {low[-1]}"]
    names = [f"{rank:0{width}}: {name}" for rank, name in enumerate(names, 1)]
    return pd.Categorical.from_codes(np.where(np.isnan(y), -1, codes(y, cuts)), names)


def check_bins(n_bins: object) -> None:
    """Raise TypeError or ValueError unless a number can be cut into `n_bins` bins."""
    check_number("n_bins", n_bins, 2, whole=True)
    if n_bins > MOST_BINS:
        raise ValueError(
            f'n_bins must be at most {MOST_BINS:,}, but it is {n_bins:,}: numeric="thresholds" '
            "cuts a number wherever it pays"
        )


DISCRETIZERS: dict[str, Callable] = {
    "equal-width": equal_width,
    "equal-frequency": equal_frequency,
    "entropy-mdl": entropy_mdl,
    "k-means": k_means,
}
