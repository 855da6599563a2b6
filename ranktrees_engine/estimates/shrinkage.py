"""Estimates of a tree for one case, which differ between cases that end at the same node.

Wang & Zhang (2006): a *local* estimate is that of one node for a case. WPE takes that of the last
node; shrinkage mixes those of all nodes on the case's path. If a case stops at an inner node, its
path ends there. As plain/shrinkage.py, all cases at once.

Codes X (m, A) are -1 where a value was never seen. Here are the formulas; `by_case` has the
estimates that models choose by name.

Readings: "as_written" is the paper's text: a training case is left out of the counts while weights
are learnt (Step 2), two training cases are compared by their classes, too, and the result is
normalised. "as_published" reproduces the paper's tables: shrinkage of class shares leaves no case
out; with WPE the result is not normalised, and rows need not sum to 1. "consistent" is as written,
but two training cases are compared by their attributes alone, as a test case is.
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from ranktrees_engine.basics.arguments import check_number, choose
from ranktrees_engine.basics.blocks import LIMIT, blocks
from ranktrees_engine.basics.kinds import Array
from ranktrees_engine.estimates.path_counts import PathCounts

READINGS = ("as_written", "as_published", "consistent")
WEIGHTS = ("diw", "uniform")
MOST_ITERATIONS = 100_000  # the paper's longest run has 3,500

# Local estimates: functions `local(n, left_out, agree, sizes, seen) -> (q, C)` of what q cases meet
# at their nodes: n (q, C) training cases of each class, `left_out` (q, C) 1 at the class of a
# training case that is to be left out of them, `agree` (A, q, C) how many of them have the case's
# value of an attribute, `sizes` (A, 1, 1) of the attributes, `seen` (A, q, 1) False for new values.


def class_share(n: np.ndarray, left_out: np.ndarray | int = 0, *_: object) -> np.ndarray:
    """Return (n_c + 1/C) / (N + 1): the same for all cases of a node (Eq. 1)."""
    return smoothed(n - left_out)


def full_share(n: np.ndarray, *_: object) -> np.ndarray:
    """Return Eq. 1 without leaving any case out, as published."""
    return smoothed(n)


def similarity(
    n: Array, left_out: Array, agree: Array, *_: object, compare_class: bool = True
) -> Array:
    """Let every training case vote for its class with weight sim + 1 (Eqs. 5 and 6).

    sim is the number of attributes in which two cases agree: its sum over a class is the sum of
    `agree` over the attributes. For two training cases the class counts as one more attribute.
    """
    votes = agree.sum(axis=0) + n
    votes = votes + compare_class * left_out * n  # one match more with each case of its class
    votes -= left_out * (len(agree) + compare_class + 1)  # and all of it with the case itself
    return smoothed(votes)


def bayes_posterior(n: Array, left_out: Array, agree: Array, sizes: Array, seen: Array) -> Array:
    """Return a naive Bayes of the node's cases, Laplace throughout (section 7, future work)."""
    n, agree = n - left_out, agree - left_out
    factors = np.where(seen, (agree + 1) / (n + sizes), 1)
    log = np.log(n + 1) + np.log(factors).sum(axis=0)
    odds = np.exp(log - log.max(axis=-1, keepdims=True))
    return odds / odds.sum(axis=-1, keepdims=True)


def smoothed(weight: np.ndarray) -> np.ndarray:
    """Return (w_c + 1/C) / (W + 1) for weights (..., C) of total W: Eqs. 1 and 6."""
    return (weight + 1 / weight.shape[-1]) / (weight.sum(axis=-1, keepdims=True) + 1)


def along_path(
    counts: PathCounts, local: Callable, end: Array, X: Array, y: Array | None = None
) -> Array:
    """Return local estimates (m, depth + 2, C) of codes X (m, A) on the paths to `end` (m,).

    They are 0 beyond. First comes the uniform node, which gives every class 1 / (number of training
    cases), then the root. With classes y (m,) these are training cases, each left out of the counts
    (Steps 2, 3).
    """
    path = counts.paths[end]
    if local not in SHARES:
        _ = counts.table  # made for all nodes at once, where there is room
    proba = np.full((len(path), path.shape[1] + 1, counts.n_classes), 1 / len(counts.y))
    for depth, node in enumerate(path.T, start=1):
        proba[:, depth] = at_nodes(counts, local, node, X, y)
    return proba


def diw_weights(counts: PathCounts, local: Callable, ends: Array, iterations: int = 1) -> Array:
    """Compute, by algorithm DIW, the weights (E, depth + 2, C) of each node and class on paths.

    The paths are those to `ends` (E,). Every training case that reached the path's end gives each
    node of the path, class by class, the node's share of the mixed probability of that case (Eq.
    3); these shares are added up and normalised (Eq. 4). Further `iterations` start from the
    previous weights.
    """
    path, X, y, times = counts.voters(ends, alike=local in SHARES)
    proba = along_path(counts, local, ends[path], X, y)
    first = np.searchsorted(path, np.arange(len(ends)))
    weights = np.ones((len(ends), *proba.shape[1:]))  # Step 1: all alike
    for _ in range(iterations):
        share = weights[path] * proba
        share *= times / share.sum(axis=1, keepdims=True)  # Step 4, Eq. 3
        degree = np.add.reduceat(share, first, axis=0)
        weights = degree / degree.sum(axis=1, keepdims=True)  # Step 6, Eq. 4
    return weights


def uniform_weights(counts: PathCounts, local: Callable, ends: np.ndarray) -> np.ndarray:
    """Return equal weights (E, depth + 2, C) of the nodes on paths to `ends` (E,)."""
    length = counts.tree.depths[ends, None, None] + 2
    share = (np.arange(counts.tree.depth + 2)[:, None] < length) / length
    return np.repeat(share, counts.n_classes, axis=2)


def mix(proba: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Sum, over a path's nodes, weight times estimate, (m, K, C) each -> (m, C): Eq. 2.

    Raises ValueError if the weights of a path and class do not sum to one.
    """
    total = weights.sum(axis=-2)
    off = ~(np.abs(total - 1) <= 1e-9)  # so that NaN is refused, too
    if off.any():
        total = total[off][0]
        raise ValueError(f"the weights of a path must sum to 1 for every class, not to {total:.6g}")
    return (weights * proba).sum(axis=-2)


def at_nodes(
    counts: PathCounts, local: Callable, node: Array, X: Array, y: Array | None = None
) -> Array:
    """Return local estimates (m, C) of codes X (m, A) at a `node` (m,) each, 0 where it is -1.

    With classes y (m,) these are training cases, each left out of the counts of its node.
    """
    n = counts.tree.counts
    left_out = np.zeros((len(node), counts.n_classes))
    if y is not None:
        left_out[np.arange(len(y)), y] = 1
    if local in SHARES:  # no value is looked at
        return np.where(node[:, None] >= 0, local(n[node], left_out), 0)
    proba, sizes = np.zeros(left_out.shape), counts.sizes[:, None, None]
    for cases, agree in counts.agreement(node, X):
        seen = (X[cases] >= 0).T[:, :, None]
        proba[cases] = local(n[node[cases]], left_out[cases], agree, sizes, seen)
    return proba


def local_of(estimate: str, reading: str = "as_written") -> Callable:
    """Return the local estimate behind a name in `LOCAL`, in one of the `READINGS`."""
    choose("estimate", estimate, LOCAL)
    choose("reading", reading, READINGS)
    if estimate == "shrinkage":
        return full_share if reading == "as_published" else class_share
    if estimate in ("wpe", "shrinkage+wpe"):
        return partial(similarity, compare_class=reading != "consistent")
    return bayes_posterior


def weights_by(weights: str = "diw", iterations: int = 1) -> Callable:
    """Return the named function `(counts, local, ends) -> (E, depth + 2, C)` for weights."""
    choose("weights", weights, WEIGHTS)
    check_number("iterations", iterations, 1, whole=True)
    if iterations > MOST_ITERATIONS:
        raise ValueError(f"iterations must be at most {MOST_ITERATIONS}, but it is {iterations}")
    return uniform_weights if weights == "uniform" else partial(diw_weights, iterations=iterations)


def shrink(counts: PathCounts, local: Callable, weigh: Callable, X: np.ndarray) -> np.ndarray:
    """Mix the local estimates of all nodes on each case's path: (m, C) for codes X (m, A)."""
    end = counts.tree.apply(X)
    order = np.argsort(end, kind="stable")  # the cases of a path together: they share its weights
    voters = counts.tree.counts.sum(axis=1)[end[order]] * (np.diff(end[order], prepend=-1) > 0)
    cells = (voters + 1) * (counts.paths.shape[1] + 1) * counts.n_classes
    proba = np.empty((len(X), counts.n_classes))
    for block in blocks(len(X), cells, 16 * LIMIT):  # few, since each counts the upper nodes anew
        cases = order[block]
        ends, path = np.unique(end[cases], return_inverse=True)
        weights = weigh(counts, local, ends)[path]
        proba[cases] = mix(along_path(counts, local, end[cases], X[cases]), weights)
    return proba


SHARES = (class_share, full_share)  # these are the same for all cases of a node and class
LOCAL = (
    "shrinkage",
    "wpe",
    "shrinkage+wpe",
    "naive-bayes",
    "leaf-naive-bayes",
    "shrinkage+naive-bayes",
)
