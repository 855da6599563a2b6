"""The best cuts of ordered attributes with many values, from the values that occur.

At a node, the cumulative class counts in the order of an attribute's values are the left branches
of all its cuts (SLIQ and SPRINT, Yang's slides). Values that do not occur are left out, so that a
cut costs the same however many values an attribute has. C4.5 release 8 has rules of its own
(Quinlan 1996; Weka's J48): no cut between numbers that lie within 1e-5, the first cut within 1e-6
of the best wins, and its gain pays for the choice.

From cut to cut, a sum of f(n) over the classes of a side changes only for the classes of the cases
in between. So a cut also costs the same however many classes there are.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ranktrees_engine.basics.kinds import Array
from ranktrees_engine.basics.places import places
from ranktrees_engine.basics.ties import TIE, first_of_each
from ranktrees_engine.criteria.split import J48_APART, J48_TIE, c45_penalty, in_sums
from ranktrees_engine.reading.weights import bincount

SCANNED = 16  # classes at most, of which each is sought in all cells faster than they are sorted
FILLED = 4  # tables of at most this many cells per case are counted as they are; others are sorted


class Cells(NamedTuple):
    """The values that occur: `count` (K,) cases with class `y`, `code` and `segment`, (K,) each.

    A segment is a node in an attribute, a * S + s. Segments ascend, and so do the codes in each.
    """

    segment: np.ndarray
    code: np.ndarray
    y: np.ndarray
    count: np.ndarray


class BestCuts(NamedTuple):
    """The best cut of A attributes at S nodes: `score`, -inf for none, `code` and `left` (A, S, C).

    Cases with a code of at most `code` go left; `left` counts their classes.
    """

    score: np.ndarray
    code: np.ndarray
    left: np.ndarray


def count_cells(
    codes, node, y, shape: tuple[int, int, int], weight=None, allowed: np.ndarray | None = None
) -> Cells:
    """Count the cells of codes (A, m) of cases with node, class y and weight, (m,) each.

    If None, each weight is 1. `shape` is (S, C, V), the numbers of nodes, classes and codes. Where
    `allowed` (A, S) is not true, a node has no cells of an attribute.
    """
    A, (S, C, V) = len(codes), shape
    n_cells = A * S * V * C
    dtype = np.int32 if n_cells < 1 << 31 else np.int64
    cell = codes + node.astype(dtype) * dtype(V) + (np.arange(A, dtype=dtype) * (S * V))[:, None]
    cell *= C
    cell += y.astype(dtype)
    weight = None if weight is None else np.broadcast_to(weight, codes.shape)
    if allowed is not None:
        counted = allowed.take(node, axis=1)
        cell, weight = cell[counted], None if weight is None else weight[counted]
    weight = None if weight is None else weight.ravel()
    if n_cells <= FILLED * cell.size:
        count = bincount(cell.ravel(), weight, n_cells)
        cell = count.nonzero()[0]
        count = count.take(cell)
    elif weight is None:
        cell = np.sort(cell, axis=-1).ravel()
        first = np.flatnonzero(np.diff(cell, prepend=-1))
        cell, count = cell.take(first), np.diff(first, append=len(cell))
    else:
        order = np.argsort(cell.ravel(), kind="stable")
        cell, count = cell.ravel()[order], weight[order]
    value = cell // cell.dtype.type(C)  # numpy does this fast, unlike a remainder
    segment = value // cell.dtype.type(V)
    code, y = value - segment * V, cell - value * C
    return Cells(segment.astype(np.intp, copy=False), code, y, count)


def best_cuts(
    cells: Cells,
    totals: Array,
    A: int,
    criterion: Callable,
    least,
    values=(),
    allowed=None,
    limits=None,
) -> BestCuts:
    """Find the best cut of each of A attributes at each node with class counts `totals` (S, C).

    Each side needs `least` cases, a number or (S,). C4.5's rules hold if `values` are given: the
    numbers (A, R, V) that the codes of each tree stand for, and the nodes' trees (S,). `allowed`
    is as in `count_cells`; `limits` says which cuts of two classes may be (`growing.monotonic`).
    """
    (S, C), segment, code = totals.shape, cells.segment, cells.code
    totals = np.tile(totals, (A, 1))  # of each segment
    if allowed is not None:
        totals[~allowed.ravel()] = 0  # it has no cells
    n, least = totals.sum(axis=1), np.broadcast_to(least, (A, S)).ravel()
    number = _number_of(*values, A) if values else None
    end, at, n_left = _possible(cells, totals, n, least, number, limits)
    score = _scores(criterion, cells, totals, end, at, n_left)
    chosen = _best_cuts(score, at, J48_TIE if values else TIE)
    last = end[chosen]
    there, cut = at[chosen], code[last]
    if values:
        cut = _c45_place(lambda v: number(there, v), cut, code[last + 1])
    best = np.full(A * S, -np.inf), np.full(A * S, -1), np.full(A * S, -1)
    for part, found in zip(best, (score[chosen], cut, last), strict=True):
        part[there] = found
    score, cut, last = best
    if values:
        score = c45_penalty(score, np.bincount(at, minlength=A * S), n)
    goes = np.flatnonzero(np.arange(len(segment)) <= last.take(segment))
    left = bincount(segment[goes] * C + cells.y[goes], cells.count[goes], A * S * C)
    return BestCuts(score.reshape(A, S), cut.reshape(A, S), left.reshape(A, S, C))


def _number_of(numbers, root, A):
    """Return a function of segments and codes (K,), which gives the numbers that they stand for."""
    (_, R, V), numbers = numbers.shape, numbers.ravel()
    first = ((np.arange(A)[:, None] * R + root) * V).ravel()  # of each segment's numbers
    return lambda at, code: numbers.take(places(first[at] + code))


def _possible(cells, totals, n, least, number, limits):
    """Return the cells (K',) behind which a cut may be, their segments, and the cases left."""
    segment, code = cells.segment, cells.code
    end = np.flatnonzero((segment[1:] == segment[:-1]) & (code[1:] != code[:-1]))
    at = segment[end]
    n_left = _up_to(cells.count, n, end, at)
    valid = np.minimum(n_left, n[at] - n_left) >= least[at]
    if number is not None:
        low, high = (number(at, code[place]) for place in (end, end + 1))
        valid &= ~(low + J48_APART >= high)  # NaN, of missing values, lies above all numbers
    if limits is not None:
        a, s = np.divmod(at, len(limits.bounds))
        valid &= limits.keep(a, s, *_shares(cells, totals, end, at, n_left))
    return end[valid], at[valid], n_left[valid]


def _shares(cells, totals, end, at, n_left):
    """Return the shares of the second of two classes left and right of cuts (K',)."""
    left = _up_to(np.where(cells.y == 1, cells.count, 0), totals[:, 1], end, at)
    return left / n_left, (totals[at, 1] - left) / (totals[at].sum(axis=1) - n_left)


def _scores(criterion, cells, totals, end, at, n_left):
    """Score the cuts (K',) behind cells `end` (K',), in segments `at` (K',), by the criterion."""
    sums = in_sums(criterion, totals)
    if sums is None:
        each = (np.where(cells.y == c, cells.count, 0) for c in range(totals.shape[1]))
        left = np.stack([_up_to(*part, end, at) for part in zip(each, totals.T, strict=True)])
        return criterion(np.stack([left, totals[at].T - left]).transpose(2, 0, 1))
    f, score = sums
    whole, changes = f.take(places(totals)).sum(axis=1), _changes(f, cells, totals)
    gained, lost = (_up_to(part, whole, end, at) for part in changes)
    whole = whole[at]
    return score(f, n_left, totals.sum(axis=1)[at], gained, whole - lost, whole)


def _changes(f, cells, totals):
    """Compute what sums of f over classes gain left of a cut and lose right, by cell (2, K)."""
    changes = np.empty((2, len(cells.y)), np.int64)
    for order, n, group in _by_class(cells, totals):
        count = cells.count.take(order)
        left = _up_to(count, n, slice(None), group)
        right = n.take(group) - left
        changes[0, order] = f.take(places(left)) - f.take(places(left - count))
        changes[1, order] = f.take(places(right + count)) - f.take(places(right))
    return changes


def _by_class(cells, totals):
    """Yield cells (k,) by class, in each by segment and code; totals of groups; groups (k,)."""
    C = totals.shape[1]
    if C <= SCANNED:
        for c in range(C):
            order = np.flatnonzero(cells.y == c)
            yield order, totals[:, c], cells.segment.take(order)
        return
    K, segment = len(cells.y), cells.segment.astype(np.int64, copy=False)
    key = (segment * C + cells.y) * K + np.arange(K)
    key.sort()  # in each segment by class, and in each of these by code
    group = key // K
    yield places(key - group * K), totals.ravel(), places(group)


def _c45_place(number, low, high):
    """Return the code (K,) at which C4.5 cuts between neighbouring codes (K,) of a node's cases.

    That of the largest value of the whole training set below their middle (Quinlan 1993).
    `number(code)` is what codes stand for, infinite above all values, NaN for missing ones.
    """
    middle = number(low) / 2 + number(high) / 2
    last = np.where(middle == np.inf, low, high - 1)
    while (low < last).any():
        half = (low + last + 1) // 2
        below = ~(number(half) >= middle + J48_TIE)
        low, last = np.where(below, half, low), np.where(below, last, half - 1)
    return low


def _up_to(part, totals, end, at):
    """Sum `part` (K,) over the cells of a segment `at` (K',) up to each `end` (K',).

    `totals` are those of whole segments. Sums are exact: those of whole numbers, which weights are
    made, may wrap around in between.
    """
    scale = 1
    if part.dtype.kind == "f":
        scale = math.ldexp(1.0, 62 - math.frexp(totals.max())[1])
        part, totals = ((n * scale).astype(np.int64) for n in (part, totals))
    before = totals.cumsum() - totals
    total = part.cumsum()[end] - before[at]
    return total if scale == 1 else total / scale


def _best_cuts(score, segment, tie):
    """Find, per segment, the index of the first score within `tie` of its best."""
    if not len(score):
        return np.zeros(0, np.intp)
    start = np.flatnonzero(np.diff(segment, prepend=-1))
    best = np.repeat(np.maximum.reduceat(score, start), np.diff(start, append=len(score)))
    return first_of_each(score >= best - tie, start)
