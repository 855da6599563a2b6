"""Averages over all prunings of a tree, by their evidence, in one pass up and one down.

The counts of a node have an *evidence*: the probability of its cases if nothing is known about the
shares. It determines how probable each pruning of the tree is, and so the weight of each node of a
path. No number is tuned: each value starts with half a case (Krichevsky & Trofimov 1981), and a
pruning stops at a node with probability 1/2. Averages over all prunings: Buntine (1992), Willems,
Shtarkov & Tjalkens (1995).

Tables (T, M, K) of T nodes have the M values of all attributes, end to end, by K classes.
"""

from collections.abc import Callable

import numpy as np

from ranktrees_engine.basics.kinds import Array, ArrayLike
from ranktrees_engine.basics.logarithms import log, log_gamma_halves, tiny_is_zero
from ranktrees_engine.growing.tree import (
    Tree,
    check_counted,
    less_children,
    sum_above,
    sum_below,
    sum_families,
)


def share(n: ArrayLike, N: ArrayLike, V: ArrayLike) -> np.ndarray:
    """Return (n + 1/2)/(N + V/2): n of N cases have one of V values, each with 1/2 at first."""
    return (n + 0.5) / (N + V / 2)


def log_evidence(log_n: np.ndarray, N: ArrayLike, V: ArrayLike) -> np.ndarray:
    """Return ln E, the probability of N cases in sequence, each by the `share` of those before.

    E = prod_v Gamma(n_v + 1/2)/Gamma(1/2) * Gamma(V/2)/Gamma(N + V/2), of V values; `log_n` is the
    sum of `log_numerators` over the values (Krichevsky & Trofimov 1981).
    """
    return log_n + log_gamma_halves(V) - log_gamma_halves(2 * N + V)


def log_numerators(n: np.ndarray) -> np.ndarray:
    """Return ln Gamma(n + 1/2)/Gamma(1/2) = ln(1/2) + ln(3/2) + ... + ln(n - 1/2)."""
    return log_gamma_halves(2 * n + 1) - log_gamma_halves(1)


@tiny_is_zero()
def stops(
    tree: Tree, log_e: np.ndarray, is_end: np.ndarray | bool = False, further: float = 0.5
) -> np.ndarray:
    """Return the probability (T, A) that a pruning which comes to a node stops there.

    Given all cases, W = (1 - p) E + p prod(W of the children), and E at an end, with p, `further`,
    the prior probability of going on; stop = (1 - p) E/W, and 1 at an end: the sum over all
    prunings in one pass, from the leaves up (Willems, Shtarkov & Tjalkens 1995, where p = 1/2).
    """
    odds, here = np.log(further / (1 - further)), np.log(1 - further)
    log_w, stop = log_e.copy(), np.ones(log_e.shape)
    is_end = np.broadcast_to(is_end, log_e.shape)
    for depth in range(tree.depth, 0, -1):
        up, _ = tree.families[depth]
        both = np.logaddexp(log_e[up], odds + sum_families(tree, depth, log_w))
        stop[up] = np.where(is_end[up], 1, np.exp(log_e[up] - both))
        log_w[up] = np.where(is_end[up], log_e[up], both + here)
    return stop


def mixed(tree: Tree, shares: np.ndarray, stop: np.ndarray) -> np.ndarray:
    """Average shares (T, M, K) over the nodes of the path to each node by their weights.

    The weight of a node is `stop` (T, M) times the probability of reaching it; the last node takes
    the rest.
    """
    shares = shares.copy()
    mix_along(tree, shares, stop)
    return shares


def mix_along(tree: Tree, shares: Array, stop: Array, j: Array | slice = slice(None)) -> None:
    """Average as `mixed` does, but in place, level by level, with the stops of attributes.

    With `stop` (T, A), value m belongs to attribute j[m].
    """
    come, above = reaching(tree, stop)[:, j, None], np.zeros((1, 1, 1))
    for depth, level in enumerate(tree.levels):
        last = shares[level] * come[level]
        np.add(above, last, out=shares[level])
        if depth < tree.depth:
            up, first = tree.families[depth + 1]
            stay = last[up - level.start] * stop[up][:, j, None]
            stay += above if depth == 0 else above[up - level.start]
            above = np.repeat(stay, np.diff(first), axis=0)


def tree_estimate(tree: Tree, stops: Callable = stops) -> np.ndarray:
    """Return T(c | x) (T, C): class shares (n_c + 1/2)/(N + C/2), mixed along each path."""
    n, C = tree.counts, tree.counts.shape[1]
    shares = share(n, n.sum(axis=1, keepdims=True), C)
    return mixed(tree, shares[..., None], class_stops(tree, stops))[..., 0]


def class_stops(tree: Tree, stops: Callable = stops) -> np.ndarray:
    """Return stop probabilities (T, 1) of the classes themselves, by `stops` or `learnt_stops`."""
    check_counted(tree)
    n, C = tree.counts, tree.counts.shape[1]
    log_n = log_numerators(n).sum(axis=1, keepdims=True)
    return stops(tree, log_evidence(log_n, n.sum(axis=1, keepdims=True), C))


@tiny_is_zero()
def reaching(tree: Tree, stop: np.ndarray) -> np.ndarray:
    """Return the probability (T, A) that no node above stops."""
    return np.exp(sum_above(tree, log(1 - stop)))


@tiny_is_zero()
def learnt_stops(tree: Tree, log_e: np.ndarray, steps: int = 10) -> np.ndarray:
    """Learn stop probabilities (T, 1), for `stops`, that make the training cases' classes likely.

    Each case is left out of its counts: a node gives its class n_c/(N + C - 1). Expectation and
    maximisation start from 1/2: if r of n cases that reach a node, and could go on, are expected to
    stop, the probability is (r + 1)/(n + 2).
    """
    counts, leaf = tree.counts, tree.is_leaf[:, None]
    ended = less_children(tree, counts)
    own = counts / (counts.sum(axis=1, keepdims=True) + counts.shape[1] - 1)
    stop = np.where(leaf, 1, 0.5)
    for _ in range(steps):
        come, likely = reaching(tree, stop), mixed(tree, own[..., None], stop)[..., 0]
        vote = np.divide(ended, likely, out=np.zeros(ended.shape), where=ended > 0)
        last = (come * own * vote).sum(axis=1, keepdims=True)  # of those that can go no further
        stay = (come * stop * own * (sum_below(tree, vote) - vote)).sum(axis=1, keepdims=True)
        stop = np.where(leaf, 1, (stay + 1) / (sum_below(tree, stay + last) - last + 2))
    return stop
