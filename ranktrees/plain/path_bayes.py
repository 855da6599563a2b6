"""Path Bayes: the tree, and each factor of naive Bayes, decides how deep on a path to look.

    P(c | x) = sqrt(T(c | x) B(c | x)), normalised: the tree's word and naive Bayes' word

Both mix what the nodes of the case's path say, by the probability that a pruning of the tree ends
there. Averages over all prunings: Buntine (1992), Willems, Shtarkov & Tjalkens (1995); half a case
for each value: Krichevsky & Trofimov (1981). Every value of a tested attribute has its branch.
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ranktrees.plain.tree import Node

Stops = dict[Node, float]  # of each node: the probability that a pruning which comes there stops


class Training(NamedTuple):
    """Codes X (n, A), as the tree sees them, classes y (n,) and weights (n,) of the cases.

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


def stops(node: Node, log_e: Callable[[Node], float], ends: int = -1) -> tuple[float, Stops]:
    """ln W of a node and the stop probabilities of all nodes below (2.).

    W = E/2 + prod(W of the children)/2, and a pruning stops with E/(2 W); at an end, a leaf or a
    test of attribute `ends`, W = E.
    """
    e = log_e(node)
    if node.is_leaf or node.attribute == ends:
        return e, dict.fromkeys(node.nodes(), 1.0)
    below, probability = 0.0, {}
    for child in node.children:
        log_w, stop = stops(child, log_e, ends)
        below += log_w
        probability |= stop
    log_w = math.log(0.5) + np.logaddexp(e, below)
    return log_w, probability | {node: math.exp(math.log(0.5) + e - log_w)}


def path_weights(path: list[Node], stop: Stops) -> list[float]:
    """The probability of stopping at each node of a path; the last one takes the rest (2.)."""
    weights, rest = [], 1.0
    for node in path[:-1]:
        weights.append(rest * stop[node])
        rest *= 1 - stop[node]
    return [*weights, rest]


def mixed(path: list[Node], stop: Stops, share: Callable[[Node], np.ndarray]) -> np.ndarray:
    """What the nodes of a path say, by their weights."""
    return sum(w * share(node) for node, w in zip(path, path_weights(path, stop), strict=True))


def class_stops(root: Node) -> Stops:
    """The stop probabilities of the classes, by the evidence of the class counts."""
    return stops(root, lambda node: log_evidence(node.counts))[1]


def tree_word(path: list[Node], stop: Stops) -> np.ndarray:
    """T(c | x) = sum_s pi_s (n_sc + 1/2)/(N_s + C/2) (3.)."""
    return mixed(path, stop, lambda node: half_more(node.counts))


def half_more(n: np.ndarray) -> np.ndarray:
    """(n_v + 1/2)/(N + V/2) of counts (..., V)."""
    return (n + 0.5) / (n.sum(axis=-1, keepdims=True) + n.shape[-1] / 2)


def value_counts(root: Node, train: Training, j: int) -> dict[Node, np.ndarray]:
    """n_{s,c,j,v}: what the cases of class c with value v of attribute j weigh at each node."""
    n = {node: np.zeros((train.C, train.sizes[j])) for node in root.nodes()}
    for x, v, c, w in zip(train.X, train.known[:, j], train.y, train.weight, strict=True):
        for node in root.path(x) if v >= 0 else ():
            n[node][c, v] += w
    return n


def value_stops(root: Node, n: dict[Node, np.ndarray], j: int) -> Stops:
    """The stop probabilities of attribute j, by the evidence prod_c E(n_{s,c,j}); see (4.)."""
    return stops(root, lambda node: sum(map(log_evidence, n[node])), ends=j)[1]


def value_word(path: list[Node], stop: Stops, n: dict[Node, np.ndarray], v: int) -> np.ndarray:
    """P(x_j = v | c) = sum_s pi_s^j (n_{s,c,j,v} + 1/2)/(n_{s,c,j} + V_j/2) (4.)."""
    return mixed(path, stop, lambda node: half_more(n[node])[:, v])


def path_bayes(
    root: Node, train: Training, X: np.ndarray, known: np.ndarray, stop: Stops | None = None
) -> np.ndarray:
    """P(c | x), (m, C), of codes X (m, A); `known` is X with -1 where a value was missing.

    `stop`: the stop probabilities of the classes; None for those by evidence.
    """
    paths = [root.path(x) for x in X]
    stop = stop or class_stops(root)
    T = np.array([tree_word(path, stop) for path in paths])
    log_b = np.log(np.tile(root.counts + 0.5, (len(X), 1)))
    for j in range(len(train.sizes)):  # B(c | x) = (n_c + 1/2) prod_j P(x_j | c) (4.)
        n = value_counts(root, train, j)
        stop = value_stops(root, n, j)
        for i, (path, v) in enumerate(zip(paths, known[:, j], strict=True)):
            if v >= 0:
                log_b[i] += np.log(value_word(path, stop, n, v))
    log_p = (np.log(T) + log_b) / 2  # P = sqrt(T B), (5.)
    odds = np.exp(log_p - log_p.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True)
