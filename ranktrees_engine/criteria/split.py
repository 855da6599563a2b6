"""From a count table to a split: which value of an attribute goes to which branch.

Contract: `split(n, criterion, min_child=1) -> score (...,), branch (..., V)` for tables `n` of
shape (..., V, C). `branch` numbers the branches 0, 1, ...; -1 marks a value without a branch. A
split with a single branch, or with a branch of fewer than `min_child` cases, scores -inf.
"""

from collections.abc import Callable
from functools import cache
from itertools import product

import numpy as np

from ranktrees_engine.basics.kinds import Array
from ranktrees_engine.basics.logarithms import TABLE_LIMIT, log2, whole_xlog2x
from ranktrees_engine.basics.ties import TIE, first_best
from ranktrees_engine.criteria.criteria import gini_gain, information_gain

Split = tuple[np.ndarray, np.ndarray]  # score (...,), branch (..., V)
EXHAUSTIVE_VALUES = 8  # up to this number of values all 2^(V-1) - 1 subsets are tried
J48_APART = 1e-5  # numbers of no greater distance are not cut apart by Weka's J48
J48_TIE = 1e-6  # what Weka's J48 takes to be equal


def multiway(n: np.ndarray, criterion: Callable, min_child: int = 1) -> Split:
    """Split into a branch for each value; values that occur need `min_child` cases (R&M 9.5)."""
    rows = n.sum(axis=-1)
    return _score(every_branch(rows, min_child), criterion(n)), _one_each(rows)


def multiway_two(n: np.ndarray, criterion: Callable, min_child: int = 1) -> Split:
    """Split as `multiway` does, but only two branches need `min_child` cases (Quinlan 1993)."""
    rows = n.sum(axis=-1)
    return _score(two_branches(rows, min_child), criterion(n)), _one_each(rows)


def every_branch(rows: np.ndarray, min_child: int) -> np.ndarray:
    """Return whether two values occur, each with `min_child` cases or none: (..., V) -> (...)."""
    occupied = rows > 0
    valid = occupied.sum(axis=-1) >= 2
    if min_child <= 1 and rows.dtype.kind in "iu":  # with weights, a branch may weigh less than 1
        return valid
    return valid & ~(occupied & (rows < min_child)).any(axis=-1)


def two_branches(rows: np.ndarray, min_child: int) -> np.ndarray:
    """Return whether two values have `min_child` cases or more each: (..., V) -> (...)."""
    return (rows >= max(min_child, 1)).sum(axis=-1) >= 2


def _score(valid, score):
    return np.where(valid, score, -np.inf)


def _one_each(rows):
    return np.broadcast_to(np.arange(rows.shape[-1]), rows.shape)


def cut_tables(n: np.ndarray) -> np.ndarray:
    """Return tables (..., V - 1, 2, C) of all cuts between neighbouring values of (..., V, C).

    Cumulative sums are the left branches of all of them (Yang's slides, "scaling up Gini").
    """
    left = np.cumsum(n, axis=-2)
    return np.stack([left, left[..., -1:, :] - left], axis=-2)[..., :-1, :, :]


def threshold(n: np.ndarray, criterion: Callable, min_child: int = 1) -> Split:
    """Split into `value <= v` and `value > v` with the best v; values must be ordered."""
    score, cut = _best(cut_tables(n), criterion, min_child)
    return score, (np.arange(n.shape[-2]) > cut[..., None]).astype(np.intp)


def c45_least_branch(cases: np.ndarray, n_classes: int, min_child: int) -> np.ndarray:
    """Return the cases (...) that each side of a cut needs in C4.5: N / C / 10, at most 25."""
    return np.maximum(min_child, np.minimum(25, 0.1 * cases / n_classes))


def c45_penalty(gain: np.ndarray, n_cuts: np.ndarray, cases: np.ndarray) -> np.ndarray:
    """Return the gain (...) of the best of `n_cuts` cuts minus log2(n_cuts) / N; -inf if not > 0.

    C4.5 pays this price for the choice since release 8 (Quinlan 1996).
    """
    gain = gain - log2(np.maximum(n_cuts, 1)) / np.maximum(cases, 1)
    return _score(gain > J48_TIE, gain)


def subset(n: np.ndarray, criterion: Callable, min_child: int = 1) -> Split:
    """Split into the best subset of the values and the rest.

    Two classes: cutting the values ordered by class share is optimal for every concave impurity
    (Breiman et al. 1984, theorem 4.5). More classes: all subsets if up to 8 values occur, else the
    best cut among the orders by each class's share. Branch 0 has the first value.
    """
    tables, lead = n.reshape(-1, *n.shape[-2:]), n.shape[:-2]
    occupied = np.asarray(tables.any(axis=-1))
    order = np.argsort(~occupied, axis=-1, kind="stable")  # values that occur go first
    ordered = np.take_along_axis(tables, order[..., None], axis=-2)
    few = (occupied.sum(axis=-1) <= EXHAUSTIVE_VALUES) & (tables.any(axis=-2).sum(axis=-1) > 2)
    score, side = np.full(len(tables), -np.inf), np.zeros(occupied.shape, np.intp)
    for mask, search in ((few, _all_subsets), (~few, _ordered_subsets)):
        if mask.any():
            most = max(int(occupied[mask].sum(axis=-1).max()), 1)
            score[mask], side[mask, :most] = search(ordered[mask, :most], criterion, min_child)
    side = np.where(side[:, :1] == 1, 1 - side, side)
    branch = np.empty_like(side)
    np.put_along_axis(branch, order, side, axis=-1)
    branch = np.where(occupied, branch, -1)
    return score.reshape(lead), branch.reshape(n.shape[:-1])


def _all_subsets(n, criterion, min_child):
    sides = np.array([(0, *rest) for rest in product((0, 1), repeat=n.shape[-2] - 1)][1:], np.intp)
    sides = sides.reshape(-1, n.shape[-2])
    right = sides @ n
    tables = np.stack([n.sum(axis=-2, keepdims=True) - right, right], axis=-2)
    score, best = _best(tables, criterion, min_child)
    return score, sides[best] if len(sides) else np.zeros(n.shape[:-1], np.intp)


def _ordered_subsets(n, criterion, min_child):
    """Return the best cut, over the classes, of the values ordered by the share of a class."""
    best_score, best_side = np.full(len(n), -np.inf), np.zeros(n.shape[:-1], np.intp)
    for c in range(n.shape[-1]):
        order = np.argsort(_class_share(n, c), axis=-1, kind="stable")
        ordered = np.take_along_axis(n, order[..., None], axis=-2)
        score, branch = threshold(ordered, criterion, min_child)
        side = np.empty_like(branch)
        np.put_along_axis(side, order, branch, axis=-1)
        better = n[..., c].any(axis=-1) & (score > best_score + TIE)  # no order by an absent class
        best_score = np.where(better, score, best_score)
        best_side = np.where(better[:, None], side, best_side)
    return best_score, best_side


def _class_share(n, c):
    """Return each value's share of class c, signed so that swapping two classes keeps the order."""
    share = n[..., c] / np.maximum(n.sum(axis=-1), 1e-300)
    occupied, first = n.any(axis=-1), share[:, :1]
    other = np.argmax(occupied & (share != first), axis=-1)[:, None]
    sign = np.where(np.take_along_axis(share, other, axis=-1) < first, -1, 1)
    return np.where(occupied, sign * share, np.inf)


def _best(tables, criterion, min_child):
    """Return score and number (...,) of the first best of K candidate tables (..., K, 2, C)."""
    valid = tables.sum(axis=-1).min(axis=-1) >= max(min_child, 1)
    score = _score(valid, criterion(tables))
    if score.shape[-1] == 0:
        return np.full(score.shape[:-1], -np.inf), np.zeros(score.shape[:-1], np.intp)
    best = first_best(score)
    return np.take_along_axis(score, best[..., None], axis=-1)[..., 0], best


SPLITS: dict[str, Callable] = {"multiway": multiway, "binary": subset, "threshold": threshold}
MULTIWAY: dict[Callable, Callable] = {multiway: every_branch, multiway_two: two_branches}


def in_sums(criterion: Callable, totals: Array) -> tuple[Array, Callable] | None:
    """Return table f (N,) and score of a criterion in `SUMS`, if whole numbers `totals` allow it.

    The score takes f and, of K cuts, cases left and in all, and sums of f left, right and in all.
    """
    n = int(totals.sum(axis=1).max(initial=2))
    if criterion not in SUMS or totals.dtype.kind != "i" or n >= TABLE_LIMIT:
        return None
    table, score = SUMS[criterion]
    return table(1 << n.bit_length()), score


def _gini_of_sums(f, n_left, n, in_left, in_right, whole):
    return (in_left / n_left + in_right / (n - n_left) - whole / n) / n


def _information_of_sums(f, n_left, n, in_left, in_right, whole):
    within = f[n_left] - in_left + f[n - n_left] - in_right
    return (f[n] - whole - within) / (n * (f[2] / 2))


SUMS = {
    gini_gain: (cache(lambda size: np.arange(size, dtype=np.int64) ** 2), _gini_of_sums),
    information_gain: (whole_xlog2x, _information_of_sums),
}
