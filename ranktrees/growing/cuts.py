"""The best cuts of ordered attributes with many values, from the values that occur.

In a node, in the order of an attribute's values, the cumulative class counts are the left branches
of all its cuts (SLIQ and SPRINT, Yang's slides). Values that do not occur there are left out, so
that a cut costs the same however many values an attribute has. C4.5 release 8 has rules of its own
(Quinlan 1996; Weka's J48): no cut between numbers that lie within 1e-5, the first cut within 1e-6
of the best wins, and its gain pays for the choice.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ranktrees.basics.split import J48_APART, J48_TIE, c45_penalty
from ranktrees.basics.ties import TIE, first_of_each
from ranktrees.reading.weights import bincount

FILLED = 4  # tables of at most so many cells per case are counted as they are; others are sorted


class CodeRuns(NamedTuple):
    """What occurs: class `counts` (C, K) of the cases of each `segment` (K,) with a `code` (K,).

    A segment is a node in an attribute, a * S + s. Segments ascend, and the codes in each.
    """

    segment: np.ndarray
    code: np.ndarray
    counts: np.ndarray


class BestCuts(NamedTuple):
    """The best cut of A attributes at S nodes: `score`, -inf for none, `code` and `left` (A, S, C).

    A case goes left with a code of at most `code`; `left` counts the classes there.
    """

    score: np.ndarray
    code: np.ndarray
    left: np.ndarray


def count_runs(codes, node, y, shape: tuple[int, int, int], weight=None) -> CodeRuns:
    """The runs of codes (A, m) of cases with a node (m,), class y (m,) and weight (m,) or 1.

    `shape` is (S, C, V): how many nodes, classes and codes there are.
    """
    A, (S, C, V) = len(codes), shape
    n_rows = A * S * V
    dtype = np.int32 if n_rows * C < 1 << 31 else np.int64
    row = codes + (node * V).astype(dtype) + (np.arange(A, dtype=dtype) * (S * V))[:, None]
    weight = None if weight is None else np.broadcast_to(weight, codes.shape).ravel()
    if n_rows * C <= FILLED * row.size:
        row += (y * n_rows).astype(dtype)
        table = bincount(row.ravel(), weight, n_rows * C).reshape(C, n_rows)
        place = np.flatnonzero(table.any(axis=0))
        counts = table[:, place]
    else:
        row *= C
        row += y.astype(dtype)
        if weight is None:
            row = np.sort(row, axis=1).ravel()
        else:
            order = np.argsort(row.ravel(), kind="stable")
            row, weight = row.ravel()[order], weight[order]
        row, own = np.divmod(row, dtype(C))
        first = np.concatenate([[True], row[1:] != row[:-1]])
        place = row[first]
        index = own * len(place) + (first.cumsum() - 1)
        counts = bincount(index, weight, C * len(place)).reshape(C, -1)
    return CodeRuns(place // V, place % V, counts)


def best_cuts(
    runs: CodeRuns, totals: np.ndarray, A: int, criterion: Callable, least, numbers=None
) -> BestCuts:
    """The best cut of each of A attributes at each node with class counts `totals` (S, C).

    Each side needs `least` cases, a number or (S,). By C4.5's rules where `numbers` (A, S, V), that
    the codes stand for, are given.
    """
    S = len(totals)
    inside = runs.segment[1:] == runs.segment[:-1]  # the next value is of the same segment
    if numbers is not None:
        number = numbers.reshape(A * S, -1)[runs.segment, runs.code]
        inside &= number[:-1] + J48_APART < number[1:]
    end = np.flatnonzero(inside)
    segment, totals_of_all = runs.segment[end], np.tile(totals.T, A)  # (C, A * S)
    left, total = _up_to(runs, totals_of_all, end), totals_of_all[:, segment]
    n_left, n = left.sum(axis=0), total.sum(axis=0)
    valid = np.minimum(n_left, n - n_left) >= np.broadcast_to(least, S)[segment % S]
    if not valid.all():
        end, segment, left, total = end[valid], segment[valid], left[:, valid], total[:, valid]
    score = criterion(np.stack([left, total - left]).transpose(2, 0, 1))
    best = np.full(A * S, -np.inf), np.full(A * S, -1), np.zeros((A * S, len(left)), left.dtype)
    chosen = _best_cuts(score, segment, TIE if numbers is None else J48_TIE)
    for part, values in zip(best, (score, runs.code[end], left.T), strict=True):
        part[segment[chosen]] = values[chosen]
    score, code, left = best
    score = score.reshape(A, S)
    if numbers is not None:
        n_cuts = np.bincount(segment, minlength=A * S).reshape(A, S)
        score = c45_penalty(score, n_cuts, totals.sum(axis=1))
    return BestCuts(score, code.reshape(A, S), left.reshape(A, S, -1))


def _up_to(runs, totals, end):
    """Class counts (C, K') of the segment's runs up to each `end` (K',), by sums over all of them.

    They are exact: sums of whole numbers, which weights are made, may wrap around in between.
    """
    counts, scale = runs.counts, None
    if counts.dtype.kind == "f":
        scale = math.ldexp(1.0, 62 - math.frexp(totals.max())[1])
        counts, totals = ((n * scale).astype(np.int64) for n in (counts, totals))
    before = np.cumsum(totals, axis=1) - totals
    left = np.cumsum(counts, axis=1)[:, end] - before[:, runs.segment[end]]
    return left if scale is None else left / scale


def _best_cuts(score, segment, tie):
    """The place of the first score of each segment within `tie` of its best."""
    if not len(score):
        return np.zeros(0, np.intp)
    start = np.flatnonzero(np.diff(segment, prepend=-1))
    best = np.repeat(np.maximum.reduceat(score, start), np.diff(start, append=len(score)))
    return first_of_each(score >= best - tie, start)
