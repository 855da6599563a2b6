"""Path Bayes as its formulas stand: one case, one node, one value, with loops and `math.lgamma`.

Nothing is shared with the package but the tree's arrays. A training case is a list of codes for the
tree, the same with None where a value is not known, its class and its weight.
"""

import math
from itertools import product
from typing import NamedTuple

from literal_wang2006 import path_of


class Case(NamedTuple):
    """Codes as the tree sees them, what is known of them, the class."""

    codes: list
    known: list
    label: int
    weight: float = 1


def children_of(tree, t):
    """The children of node t, each once."""
    return [s for s in range(len(tree)) if tree.parent[s] == t]


def cases_at(tree, cases):
    """The training cases of each node."""
    at = [[] for _ in range(len(tree))]
    for case in cases:
        for node in path_of(tree, case.codes):
            at[node].append(case)
    return at


def log_evidence(counts):
    """ln of prod_v G(n_v + 1/2) / G(1/2) * G(V/2) / G(N + V/2)."""
    V = len(counts)
    total = math.lgamma(V / 2) - math.lgamma(sum(counts) + V / 2)
    return total + sum(math.lgamma(n + 0.5) - math.lgamma(0.5) for n in counts)


def stop_probabilities(tree, log_e, ends=()):
    """The stop probability of each node, by W = E/2 + prod W/2 in logarithms."""
    log_w, stop = {}, {}
    for t in reversed(range(len(tree))):
        below = children_of(tree, t)
        if t in ends or not below:
            log_w[t], stop[t] = log_e[t], 1.0
            continue
        a, b = log_e[t], sum(log_w[s] for s in below)
        log_w[t] = max(a, b) + math.log1p(math.exp(-abs(a - b))) - math.log(2)
        stop[t] = math.exp(a - math.log(2) - log_w[t])
    return stop


def prunings(tree, t, ends=()):
    """Every pruning of the subtree of node t: its ends, and its probability before any data."""
    below = children_of(tree, t)
    if t in ends or not below:
        yield [t], 1.0
        return
    yield [t], 0.5
    for each in product(*(list(prunings(tree, s, ends)) for s in below)):
        yield [t for leaves, _ in each for t in leaves], 0.5 * math.prod(p for _, p in each)


def path_weights(path, stop):
    """The weight of each node of a path, of which the last takes the rest."""
    weights, rest = [], 1.0
    for node in path[:-1]:
        weights.append(rest * stop[node])
        rest *= 1 - stop[node]
    return [*weights, rest]


def class_counts(cases, C):
    """What the cases of each class weigh."""
    return [sum(case.weight for case in cases if case.label == c) for c in range(C)]


def value_counts(cases, j, c, V):
    """What the cases of class c with each known value of attribute j weigh."""
    own = [case for case in cases if case.label == c]
    return [sum(case.weight for case in own if case.known[j] == v) for v in range(V)]


def em_stops(tree, cases, C, steps=10):
    """Stop probabilities by ten steps from 1/2, every training case left out of its counts."""
    at = cases_at(tree, cases)
    stop = {t: 0.5 if children_of(tree, t) else 1.0 for t in range(len(tree))}
    n = [class_counts(at[t], C) for t in range(len(tree))]
    for _ in range(steps):
        stayed, came = [0.0] * len(tree), [0.0] * len(tree)
        for case in cases:
            path = path_of(tree, case.codes)
            own = [n[t][case.label] / (sum(n[t]) + C - 1) for t in path]
            parts = [w * p for w, p in zip(path_weights(path, stop), own, strict=True)]
            for k, t in enumerate(path[:-1]):
                stayed[t] += case.weight * parts[k] / sum(parts)
                came[t] += case.weight * sum(parts[k:]) / sum(parts)
        for t in range(len(tree)):
            if children_of(tree, t):
                stop[t] = (stayed[t] + 1) / (came[t] + 2)
    return stop


def path_bayes(tree, cases, codes, known, sizes, em=False):
    """P(c | x) of one case: `codes` for the tree, `known` of them or None."""
    C, at, path = tree.counts.shape[1], cases_at(tree, cases), path_of(tree, codes)
    nodes = range(len(tree))
    log_e = [log_evidence(class_counts(at[t], C)) for t in nodes]
    stop = em_stops(tree, cases, C) if em else stop_probabilities(tree, log_e)
    word = [0.0] * C
    for weight, t in zip(path_weights(path, stop), path, strict=True):
        n = class_counts(at[t], C)
        for c in range(C):
            word[c] += weight * (n[c] + 0.5) / (sum(n) + C / 2)
    bayes = [math.log(n + 0.5) for n in class_counts(at[0], C)]
    for j, V in enumerate(sizes):
        if known[j] is None or known[j] < 0:
            continue
        ends = {t for t in nodes if tree.attribute[t] == j}
        log_e = [sum(log_evidence(value_counts(at[t], j, c, V)) for c in range(C)) for t in nodes]
        weights = path_weights(path, stop_probabilities(tree, log_e, ends))
        for c in range(C):
            share = 0.0
            for weight, t in zip(weights, path, strict=True):
                n = value_counts(at[t], j, c, V)
                share += weight * (n[known[j]] + 0.5) / (sum(n) + V / 2)
            bayes[c] += math.log(share)
    both = [(math.log(t) + b) / 2 for t, b in zip(word, bayes, strict=True)]
    odds = [math.exp(x - max(both)) for x in both]
    return [x / sum(odds) for x in odds]
