"""Path Bayes: the tree, and each factor of naive Bayes, is averaged over the tree's prunings.

    P(c | x) = sqrt(T(c | x) B(c | x)), normalised: the tree's estimate and naive Bayes' estimate

Both mix the shares of the nodes on the case's path by the probability that a pruning of the tree
ends there (Buntine 1992; Willems, Shtarkov & Tjalkens 1995), with half a case for each value
(Krichevsky & Trofimov 1981). Every value of a test has its branch.
"""

import math
from typing import NamedTuple

import numpy as np

from ranktrees.plain.tree import Array, Node, Sizes

Stops = dict[Node, float]  # of each node: the probability that a pruning which reaches it stops
Tables = dict[Node, Array]  # of each node: rows of counts (..., V) of what is to be told


class Training(NamedTuple):
    """Codes X (n, A) as the tree sees them; `known` has -1 where a missing value was filled in."""

    X: Array
    y: Array
    sizes: Sizes
    C: int
    known: Array
    weight: Array


def log_evidence(n: Array) -> float:
    """Return ln E of counts n (V,), E = prod_v G(n_v + 1/2)/G(1/2) * G(V/2)/G(N + V/2) (1.)."""
    V, N = len(n), sum(n)
    numerators = sum(math.lgamma(n_v + 0.5) - math.lgamma(0.5) for n_v in n)
    return numerators + math.lgamma(V / 2) - math.lgamma(N + V / 2)


def stops(root: Node, n: Tables, ends: int | None = None) -> Stops:
    """Return stop = E/(2 W), W = E/2 + prod(children's W)/2; a test of `ends` is a leaf (2.)."""
    stop: Stops = {}

    def log_W(node: Node) -> float:
        log_E = sum(map(log_evidence, n[node]))
        if node.is_leaf or node.attribute == ends:  # W = E
            stop.update(dict.fromkeys(node.nodes(), 1.0))
            return log_E
        log_2W = np.logaddexp(log_E, sum(map(log_W, node.children)))
        stop[node] = math.exp(log_E - log_2W)
        return log_2W - math.log(2)

    log_W(root)
    return stop


def path_weights(path: list[Node], stop: Stops) -> list[float]:
    """Return pi_s, the probability of stopping at each node of a path; the last takes the rest."""
    weights, rest = list[float](), 1.0
    for node in path[:-1]:
        weights.append(rest * stop[node])
        rest *= 1 - stop[node]
    return [*weights, rest]


def mixed(path: list[Node], stop: Stops, n: Tables) -> Array:
    """Return sum_s pi_s (n_sv + 1/2)/(N_s + V/2), (..., V), over the nodes of a path (3., 4.)."""
    total = np.zeros(n[path[0]].shape)
    for node, pi in zip(path, path_weights(path, stop), strict=True):
        N, V = n[node].sum(axis=1, keepdims=True), n[node].shape[1]
        total += pi * (n[node] + 0.5) / (N + V / 2)
    return total


def class_tables(root: Node) -> Tables:
    """Return the class counts of each node, as one row (1, C)."""
    return {node: node.counts[None] for node in root.nodes()}


def value_tables(root: Node, train: Training, j: int) -> Tables:
    """Return n_{s,c,j,v}, (C, V): weights of the cases of class c with value v of attribute j."""
    n = {node: np.zeros((train.C, train.sizes[j])) for node in root.nodes()}
    for x, v, c, w in zip(train.X, train.known[:, j], train.y, train.weight, strict=True):
        for node in root.path(x) if v >= 0 else ():
            n[node][c, v] += w
    return n


def path_bayes(
    root: Node, train: Training, X: Array, known: Array, stop: Stops | None = None
) -> Array:
    """Return P(c | x), (m, C), of codes X (m, A), `known` with gaps; if no `stop`, by evidence."""
    paths, counts = [root.path(x) for x in X], class_tables(root)
    stop = stop or stops(root, counts)
    T = np.array([mixed(path, stop, counts)[0] for path in paths])
    log_B = np.log(np.tile(root.counts + 0.5, (len(X), 1)))
    for j in range(len(train.sizes)):  # B(c | x) = (n_c + 1/2) prod_j P(x_j | c) (4.)
        n = value_tables(root, train, j)
        factor_stop = stops(root, n, ends=j)
        for i, v in enumerate(known[:, j]):
            if v >= 0:
                log_B[i] += np.log(mixed(paths[i], factor_stop, n)[:, v])
    log_P = (np.log(T) + log_B) / 2  # P = sqrt(T B) (5.)
    odds = np.exp(log_P - log_P.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True)


def learnt_stops(root: Node, train: Training, steps: int = 10) -> Stops:
    """Learn stop probabilities that make the training classes likely, by EM steps from 1/2."""
    stop = {node: 1.0 if node.is_leaf else 0.5 for node in root.nodes()}
    for _ in range(steps):
        stopped, passed = dict.fromkeys(stop, 0.0), dict.fromkeys(stop, 0.0)
        for x, c, w in zip(train.X, train.y, train.weight, strict=True):
            path = root.path(x)  # in whose counts the case is left out
            likely = [node.counts[c] / (node.counts.sum() + train.C - 1) for node in path]
            share = np.multiply(path_weights(path, stop), likely)
            for k, node in enumerate(path[:-1]):
                stopped[node] += w * share[k] / share.sum()
                passed[node] += w * share[k:].sum() / share.sum()
        stop = {s: 1.0 if s.is_leaf else (stopped[s] + 1) / (passed[s] + 2) for s in stop}
    return stop


if __name__ == "__main__":
    root = Node(np.array([3, 1]), attribute=0)
    root.branches = [Node(np.array([3, 0])), Node(np.array([0, 1]))]
    stop = stops(root, class_tables(root))
    print("weights of the path", np.round(path_weights(root.path([0]), stop), 3))
    print("mixed", mixed(root.path([0]), stop, class_tables(root)).round(3))
    # weights of the path [0.2 0.8]
    # mixed [[0.84 0.16]]
