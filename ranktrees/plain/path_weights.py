"""Weights of the prior and of each attribute's factor, learnt by leaving each case out.

    ln P(c | x) = fixed part + w_0 ln(n_c + 1/2) + sum_j w_j ln f_j(c) - const, w >= 0

The weights minimise - sum_i ln P_-i(y_i) + sum_j (w_j - start)^2 / (2 (1/3)^2) by Newton's steps.
P_-i takes case i out of the counts of f: its class, and its value there, have one case less at each
node of its path. Trees, stops, the prior and the fixed part, which is the trees', stay as they are.
Weights of attributes in naive Bayes: Zaidi et al. (2013).
"""

from typing import NamedTuple

import numpy as np

from ranktrees.plain.path_bayes import (
    Stops,
    Tables,
    Training,
    class_tables,
    mixed,
    path_weights,
    stops,
    value_tables,
)
from ranktrees.plain.tree import Array, Node


class Case(NamedTuple):
    """A training case: fixed (C,), and ln of the prior and the factors, log_p (1 + A, C)."""

    fixed: Array
    log_p: Array
    y: int
    weight: float = 1


def left_out(path: list[Node], stop: Stops, n: Tables, v: int, c: int, gone: float) -> float:
    """Return sum_s pi_s (n_scv - gone + 1/2)/(N_sc - gone + V/2): `mixed`, a case of c left out."""
    total = 0.0
    for node, pi in zip(path, path_weights(path, stop), strict=True):
        N, V = n[node][c].sum() - gone, n[node].shape[1]
        total += pi * (n[node][c, v] - gone + 0.5) / (N + V / 2)
    return total


def log_factors(
    root: Node, train: Training, ends: list[bool], X: Array, known: Array, is_training: bool = False
) -> Array:
    """Return ln f_j(c), (m, A, C), 0 for a gap; a test of j settles it if ends[j].

    X are the tree's codes. If `is_training`, each case is left out of its class; if its
    weight w is below 1, all of it.
    """
    paths, log_f = [root.path(x) for x in X], np.zeros((len(X), len(ends), train.C))
    for j, is_end in enumerate(ends):
        n = value_tables(root, train, j)
        stop = stops(root, n, ends=j if is_end else None)
        for i, v in enumerate(known[:, j]):
            if v >= 0:
                log_f[i, j] = np.log(mixed(paths[i], stop, n)[:, v])
            if v >= 0 and is_training:
                c, gone = train.y[i], min(train.weight[i], 1)
                log_f[i, j, c] = np.log(left_out(paths[i], stop, n, v, c, gone))
    return log_f


def log_parts(counts: Array, log_f: Array) -> Array:
    """Return ln of the prior, n_c + 1/2, and of the factors (m, A, C): (m, 1 + A, C)."""
    prior = np.tile(np.log(counts + 0.5), (len(log_f), 1, 1))
    return np.concatenate([prior, log_f], axis=1)


def pool(fixed: Array, log_p: Array, w: Array) -> Array:
    """Return P(c | x), (C,), of a case."""
    log_P = fixed + w @ log_p
    odds = np.exp(log_P - log_P.max())
    return odds / odds.sum()


def loss(cases: list[Case], w: Array, start: float) -> tuple[float, Array, Array]:
    """Return the loss, which the weights are to minimise, its gradient and its Hessian."""
    total, gradient = 9 / 2 * sum((w - start) ** 2), 9 * (w - start)
    hessian = 9 * np.eye(len(w))
    for fixed, log_p, y, weight in cases:
        P = pool(fixed, log_p, w)
        mean = log_p @ P
        total -= weight * np.log(P[y])
        gradient = gradient + weight * (mean - log_p[:, y])
        hessian = hessian + weight * ((log_p * P) @ log_p.T - np.outer(mean, mean))
    return total, gradient, hessian


def learn_weights(cases: list[Case], start: float, passes: int = 10) -> Array:
    """Take Newton's steps from `start`; a step is halved while the loss grows; ten are enough."""
    w = np.full(len(cases[0].log_p), start)
    step, least = np.zeros(len(w)), np.inf
    for _ in range(passes):
        new, gradient, hessian = loss(cases, w - step, start)
        if new > least:
            step = step / 2
            continue
        w, gain, least = w - step, least - new, new
        if gain < 1e-6 * new:
            break
        step = np.linalg.solve(hessian, gradient)
    return np.maximum(w, 0)


def weighted_path_bayes(
    root: Node, train: Training, X: Array, known: Array, stop: Stops | None = None
) -> Array:
    """Return P(c | x), (m, C): ln P = 1/2 ln T + w_0 ln(n_c + 1/2) + sum_j w_j ln f_j - const."""
    counts, ends = class_tables(root), [True] * len(train.sizes)
    stop = stop or stops(root, counts)

    def tree(X: Array) -> Array:
        return np.log([mixed(root.path(x), stop, counts)[0] for x in X]) / 2

    log_p = log_parts(root.counts, log_factors(root, train, ends, train.X, train.known, True))
    cases = [*map(Case, tree(train.X), log_p, train.y, train.weight)]
    w = learn_weights(cases, start=1 / 2)
    new = log_parts(root.counts, log_factors(root, train, ends, X, known))
    return np.array([pool(T, part, w) for T, part in zip(tree(X), new, strict=True)])


if __name__ == "__main__":
    words = np.log([[0.5, 0.5], [0.9, 0.1]])  # of the prior, and of an attribute
    cases = [Case(np.zeros(2), words, y=0), Case(np.zeros(2), words[:, ::-1], y=1)]
    print("weights", learn_weights(5 * cases, start=1 / 3).round(3))
    # weights [0.333 0.737]
