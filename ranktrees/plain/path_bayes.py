"""Path Bayes: the tree, and each factor of naive Bayes, decides how deep on a path to look.

    P(c | x) = sqrt(T(c | x) B(c | x)), normalised: the tree's word and naive Bayes' word

Both mix what the nodes of the case's path say, by the probability that a pruning of the tree ends
there. Averages over all prunings: Buntine (1992), Willems, Shtarkov & Tjalkens (1995); half a case
for each value: Krichevsky & Trofimov (1981). Every value of a tested attribute has its branch.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ranktrees.plain.tree import Node

Stops = dict[Node, float]  # of each node: the probability that a pruning which comes there stops
Tables = dict[Node, np.ndarray]  # of each node: rows of counts (..., V) of what is to be told


class Training(NamedTuple):
    """Codes X (n, A), as the tree sees them, of classes y (n,), with weights (n,).

    `known` (n, A) is X with -1 where a value was missing and is filled in for the tree alone.
    """

    X: np.ndarray
    y: np.ndarray
    sizes: Sequence[int]
    C: int
    known: np.ndarray
    weight: np.ndarray


def log_evidence(n: np.ndarray) -> float:
    """ln E of counts n (V,): how probable these N cases are where nothing is known of the shares.

    E = prod_v G(n_v + 1/2)/G(1/2) * G(V/2)/G(N + V/2), with the gamma function G (1.).
    """
    V, N = len(n), sum(n)
    numerators = sum(math.lgamma(n_v + 0.5) - math.lgamma(0.5) for n_v in n)
    return numerators + math.lgamma(V / 2) - math.lgamma(N + V / 2)


def stops(root: Node, n: Tables, ends: int = -1) -> Stops:
    """The stop probabilities: W = E/2 + prod(W of the children)/2, stop = E/(2 W) (2.).

    E is that of all rows of a node's table; at a leaf, and at a test of attribute `ends`, W = E.
    """
    stop: Stops = {}

    def log_W(node: Node) -> float:
        log_E = sum(map(log_evidence, n[node]))
        if node.is_leaf or node.attribute == ends:
            stop.update(dict.fromkeys(node.nodes(), 1.0))
            return log_E
        log_2W = np.logaddexp(log_E, sum(map(log_W, node.children)))
        stop[node] = math.exp(log_E - log_2W)
        return log_2W - math.log(2)

    log_W(root)
    return stop


def path_weights(path: list[Node], stop: Stops) -> list[float]:
    """pi_s, the probability of stopping at each node of a path; the last takes the rest (2.)."""
    weights, rest = [], 1.0
    for node in path[:-1]:
        weights.append(rest * stop[node])
        rest *= 1 - stop[node]
    return [*weights, rest]


def mixed(path: list[Node], stop: Stops, n: Tables) -> np.ndarray:
    """sum_s pi_s (n_sv + 1/2)/(N_s + V/2), (..., V), over the nodes of a path (3., 4.)."""
    total = 0.0
    for node, pi in zip(path, path_weights(path, stop), strict=True):
        N, V = n[node].sum(axis=1, keepdims=True), n[node].shape[1]
        total += pi * (n[node] + 0.5) / (N + V / 2)
    return total


def class_tables(root: Node) -> Tables:
    """The class counts of each node, as one row (1, C)."""
    return {node: node.counts[None] for node in root.nodes()}


def value_tables(root: Node, train: Training, j: int) -> Tables:
    """n_{s,c,j,v}, (C, V): what the cases of class c with value v of attribute j weigh."""
    n = {node: np.zeros((train.C, train.sizes[j])) for node in root.nodes()}
    for x, v, c, w in zip(train.X, train.known[:, j], train.y, train.weight, strict=True):
        for node in root.path(x) if v >= 0 else ():
            n[node][c, v] += w
    return n


def path_bayes(
    root: Node, train: Training, X: np.ndarray, known: np.ndarray, stop: Stops | None = None
) -> np.ndarray:
    """P(c | x), (m, C), of codes X (m, A); `known` is X with -1 where a value was missing.

    `stop`: the stop probabilities of the classes; None for those by evidence.
    """
    paths, n = [root.path(x) for x in X], class_tables(root)
    stop = stop or stops(root, n)
    T = np.array([mixed(path, stop, n)[0] for path in paths])
    log_B = np.log(np.tile(root.counts + 0.5, (len(X), 1)))
    for j in range(len(train.sizes)):  # B(c | x) = (n_c + 1/2) prod_j P(x_j | c) (4.)
        n = value_tables(root, train, j)
        stop = stops(root, n, ends=j)
        for i, v in enumerate(known[:, j]):
            if v >= 0:
                log_B[i] += np.log(mixed(paths[i], stop, n)[:, v])
    log_P = (np.log(T) + log_B) / 2  # P = sqrt(T B) (5.)
    odds = np.exp(log_P - log_P.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True)
