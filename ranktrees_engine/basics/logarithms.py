"""Logarithms; those of counts come from tables, which are fast and equal on every processor."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import numpy as np

from ranktrees_engine.basics.places import places

_LARGE = 1 << 12
TABLE_LIMIT = 1 << 17  # counts below this are looked up, larger ones computed
_LOG2 = {"log2": np.zeros(1), "xlog2x": np.zeros(1)}  # of 0, 1, 2, ...; grow on demand


@contextmanager
def tiny_is_zero() -> Iterator[None]:
    """Let numbers too small for a double become 0 in a `with` block, despite `np.seterr`."""
    with np.errstate(under="ignore"):
        yield


def log(p: np.ndarray) -> np.ndarray:
    """Return the natural logarithm of probabilities of any shape, -inf for 0."""
    with np.errstate(divide="ignore"):
        return np.log(p)


def log2(n: np.ndarray) -> np.ndarray:
    """Return log2 of counts of any shape, 0 for a count of 0; whole numbers come from a table."""
    n = np.asarray(n)
    found = _look_up("log2", n)
    return np.log2(np.where(n > 0, n, 1)) if found is None else found


def xlog2x(n: np.ndarray) -> np.ndarray:
    """Return n log2 n of counts of any shape, with 0 log 0 = 0; whole numbers come from a table."""
    n = np.asarray(n)
    found = _look_up("xlog2x", n)
    return n * np.log2(np.where(n > 0, n, 1)) if found is None else found


def _look_up(name, n):
    """Return the table's values at n, or None if n holds other than small whole numbers."""
    if n.dtype.kind not in "iu":
        return None
    try:
        return _take(_LOG2[name], n)
    except IndexError:
        if (largest := int(n.max())) >= TABLE_LIMIT:
            return None
        _fill_tables(1 << (largest + 1).bit_length())
        return _take(_LOG2[name], n)


def _take(table, n):
    """Return table[n], reading a large n in the order in which it lies in memory."""
    if n.size < _LARGE or n.ndim < 3:
        return table[n]
    classes_first = n.swapaxes(-1, -2).swapaxes(-2, -3)  # so a tree level counts its tables
    return table.take(places(classes_first)).swapaxes(-2, -3).swapaxes(-1, -2)


def _fill_tables(size: int) -> None:
    # ln n / ln 2 with the C library's logarithm, as in Weka: exact ties stay comparable
    log = np.array([0.0, *map(math.log, range(1, size))]) / math.log(2)
    _LOG2.update(log2=log, xlog2x=np.arange(size) * log)


@cache
def whole_xlog2x(size: int) -> np.ndarray:
    """Return n log2 n of n = 0 ... size - 1, up to `TABLE_LIMIT`, scaled to whole numbers.

    The unit is a power of two.
    """
    log2(np.array([size - 1]))
    x = _LOG2["xlog2x"][:size]
    return np.rint(np.ldexp(x, 61 - math.frexp(x[-1])[1])).astype(np.int64)


def log_gamma_halves(k: np.ndarray) -> np.ndarray:
    """Return ln Gamma(k / 2) of numbers k >= 1 of any shape; whole numbers come from a table."""
    k = np.asarray(k)
    largest = k.max(initial=1)
    if k.dtype.kind in "iu" and largest < TABLE_LIMIT:
        return _gamma_table(1 << int(largest).bit_length())[k]
    from scipy.special import gammaln

    if k.dtype.kind not in "iu" or largest > k.size:
        return gammaln(k / 2)
    each = np.zeros(int(largest) + 1)  # the same numbers, but each different one once
    occurring = np.flatnonzero(np.bincount(places(k).ravel()))
    each[occurring] = gammaln(occurring / 2)
    return each[k]


@cache
def _gamma_table(size: int) -> np.ndarray:
    """Return ln Gamma(k / 2) of k = 0 ... size - 1, a power of two; infinite at 0."""
    if size == 1:
        return np.array([np.inf])
    known = _gamma_table(size // 2)
    return np.append(known, [math.lgamma(k / 2) for k in range(len(known), size)])


@tiny_is_zero()
def normalised(log_joint: np.ndarray, prior: np.ndarray) -> np.ndarray:
    """Normalise log P(c, x) in place to P(c | x) (n, C); `prior` (C,) if no class is possible."""
    top = log_joint.max(axis=1, keepdims=True)
    impossible = np.isneginf(top[:, 0])
    log_joint[impossible], top[impossible] = log(prior), 0
    proba = np.exp(np.subtract(log_joint, top, out=log_joint), out=log_joint)
    proba /= proba.sum(axis=1, keepdims=True)
    return proba
