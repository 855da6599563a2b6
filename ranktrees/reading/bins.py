"""Cutting a number into bins: where the cuts lie is learnt on training data, then applied.

Every method is a function `cuts(x, n_bins, y) -> ascending cuts`; a value equal to a cut belongs to
the lower bin: `codes(x, cuts)` is `searchsorted(cuts, x, side="left")`. Where `counts` (V, C) are
given, x (V,) are the values that occur, ascending, and `counts` how many cases of each class have
each of them: all that a method needs to know of numbers that do not fit in memory.
"""

from collections.abc import Callable

import numpy as np

from ranktrees.basics.arguments import check_number, even, floats, number_row
from ranktrees.basics.kinds import Array, ArrayLike
from ranktrees.basics.ties import TIE, first_best
from ranktrees.criteria.criteria import entropy, information_gain
from ranktrees.criteria.split import cut_tables
from ranktrees.reading.weights import class_counts

MOST_ROUNDS = 100  # of k-means
MOST_BINS = 1 << 16  # of a number: each has a cell in the tables of a node


def equal_width(
    x: ArrayLike, n_bins: int = 10, y: Array | None = None, counts: Array | None = None
) -> Array:
    """Cuts of bins of equal width, min + w (1 ... n_bins - 1); none for a constant (Weka's rule).

    >>> equal_width(np.array([0.0, 10.0]), 5).tolist()
    [2.0, 4.0, 6.0, 8.0]
    """
    check_bins(n_bins)
    x = number_row("x", x)
    low, high = (np.fmin.reduce(x), np.fmax.reduce(x)) if len(x) else (np.nan, np.nan)
    if not low < high:
        return np.zeros(0)
    with np.errstate(over="ignore"):
        width = (high - low) / n_bins
    if np.isfinite(width):
        return low + width * np.arange(1, n_bins)
    part = np.arange(1, n_bins) / n_bins  # the range itself is beyond the largest double
    return low * (1 - part) + high * part


def equal_frequency(
    x: ArrayLike, n_bins: int = 10, y: Array | None = None, counts: Array | None = None
) -> Array:
    """Cuts half-way between neighbours, so that bins hold about as many cases each."""
    check_bins(n_bins)
    values, table = value_table(x, None, counts)
    if not len(values):
        return np.zeros(0)
    up_to = np.cumsum(table.sum(axis=1))
    rank = up_to[-1] * np.arange(1, n_bins) / n_bins
    below = np.searchsorted(up_to, rank)
    return _between(values, np.unique(below[below < len(values) - 1]))


def entropy_mdl(
    x: ArrayLike, n_bins: int | None = None, y: Array | None = None, counts: Array | None = None
) -> Array:
    """Cuts by recursive least entropy, until the description length stops it.

    A cut of N cases is kept if gain > (log2(N - 1) + log2(3^k - 2) - k E + k1 E1 + k2 E2) / N,
    k classes and E entropy of the interval and its halves (Fayyad & Irani 1993).
    """
    if y is None and counts is None:
        raise ValueError("entropy_mdl needs the classes y: fit(X, y)")
    values, table = value_table(x, y, counts)
    if not len(values):
        return np.zeros(0)
    pending, cuts = [(0, len(values))], []
    while pending:
        low, high = pending.pop()
        if (cut := _mdl_cut(table[low:high])) is not None:
            cuts.append(low + cut)
            pending += [(low, low + cut + 1), (low + cut + 1, high)]
    return _between(values, np.sort(np.array(cuts, int)))


def _mdl_cut(table):
    """The cut of least entropy, after which row; None if it does not pay."""
    if len(table) < 2:
        return None
    tables = cut_tables(table)
    gain = information_gain(tables)
    best = int(first_best(gain))
    halves, whole = tables[best], table.sum(axis=0)
    n, k, k_halves = whole.sum(), (whole > 0).sum(), (halves > 0).sum(axis=1)
    delta = np.log2(3.0**k - 2) - (k * entropy(whole) - (k_halves * entropy(halves)).sum())
    places = np.log2(np.maximum(n - 1, 1))  # weights may add up to fewer than two cases
    return best if gain[best] > (places + delta) / n + TIE else None


def k_means(
    x: ArrayLike, n_bins: int = 10, y: Array | None = None, counts: Array | None = None
) -> Array:
    """Cuts half-way between the means of one-dimensional k-means, started at equal frequencies."""
    check_bins(n_bins)
    values, table = value_table(x, None, counts)
    if len(values) <= n_bins:
        return _between(values, np.arange(len(values) - 1))
    scale = np.abs(values).max()  # sums of numbers near the largest double would overflow
    start = equal_frequency(values / scale, n_bins, counts=table)
    return scale * _k_means_cuts(values / scale, table.sum(axis=1), start)


def _k_means_cuts(values, weights, cuts):
    for _ in range(MOST_ROUNDS):
        group = codes(values, cuts)
        size = np.bincount(group, weights)
        means = np.bincount(group, weights * values)[size > 0] / size[size > 0]
        moved = (means[1:] + means[:-1]) / 2
        if np.array_equal(moved, cuts):
            break
        cuts = moved
    return cuts


def exact(
    x: ArrayLike, n_bins: int | None = None, y: Array | None = None, counts: Array | None = None
) -> Array:
    """A cut half-way between all neighbouring distinct values: nothing is lost."""
    values, _ = value_table(x, None, counts)
    return _between(values, np.arange(max(len(values) - 1, 0)))


def every_value(
    x: ArrayLike, n_bins: int | None = None, y: Array | None = None, counts: Array | None = None
) -> Array:
    """A cut at each distinct value, the largest included: above it is a code of its own."""
    return value_table(x, None, counts)[0]


def value_table(
    x: ArrayLike, y: Array | None = None, counts: Array | None = None, weight: Array | None = None
) -> tuple[Array, Array]:
    """The distinct values (V,) of numbers x (n,), ascending, and their counts (V, C) by class.

    C is 1 without classes y (n,); NaN is left out. Where counts are known, x and they are it. Of
    cases with a `weight` (n,) it is this that counts.
    """
    x = number_row("x", x)
    if counts is not None:
        return x, counts
    known = ~np.isnan(x)
    if y is None and weight is None:
        values, counts = np.unique(x[known], return_counts=True)
        return values, counts[:, None]
    values, row = np.unique(x[known], return_inverse=True)
    y = np.zeros(len(x), np.intp) if y is None else even("y", y)
    if y.shape != x.shape or y.dtype.kind not in "iu":
        raise ValueError(f"y must have a class code for each of {len(x)} x, not {y.dtype}{y.shape}")
    weight = None if weight is None else weight[known]
    return values, class_counts(row, y[known], weight, (len(values), int(y.max()) + 1))


def codes(x: ArrayLike, cuts: ArrayLike) -> np.ndarray:
    """Bin number of each value (n,): v for cuts[v - 1] < x <= cuts[v]."""
    return np.searchsorted(number_row("cuts", cuts), floats("x", x), side="left")


def _between(values, below):
    """Half-way between values[below] and the next, never reaching the next."""
    low, high = values[below], values[below + 1]
    return np.where((half := low + (high / 2 - low / 2)) < high, half, low)


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
