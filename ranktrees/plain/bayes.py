"""Naive Bayes, P(c | x) proportional to P(c) prod_j P(x_j | c) (Yang 2008), and networks, TAN.

A belief network is P(x_1, ..., x_A) = prod_i P(x_i | parents(x_i)) (Pearl 1988). Its table Z (n, A)
holds codes, those of the class in its last column; parents[i] lists columns.
"""

import math
from collections import Counter
from collections.abc import Sequence
from itertools import product

import numpy as np

from ranktrees.plain.criteria import TIE, first_best, log2
from ranktrees.plain.tree import Array, Cases, Node, Sizes, Vector, training_cases

NaiveBayes = tuple[Array, list[Array]]  # P(c) (C,); of each attribute P(v | c) (V, C)
Parents = list[list[int]]
Tables = list[dict[tuple[int, ...], Array]]  # of each column, by its parents' values: shares (V,)


def shares(counts: Array, m: float | None) -> Array:
    """Return (n_v + m / V) / (N + m) of counts (V,), 1 / V if all are 0; if m is None, it is V."""
    V, N = len(counts), counts.sum()
    m = V if m is None else m  # Laplace
    return (counts + m / V) / (N + m) if N + m > 0 else np.full(V, 1 / V)


def learn(X: Array, y: Array, sizes: Sizes, C: int, m: float | None = None) -> NaiveBayes:
    """Count cases (n, A) of codes, ignoring -1; only the prior is smoothed by Laplace."""
    prior = shares(np.bincount(y, minlength=C), None if m is None else 0)
    tables: list[Array] = []
    for x, V in zip(X.T, sizes, strict=True):
        of_class = [np.bincount(x[(y == c) & (x >= 0)], minlength=V) for c in range(C)]
        tables.append(np.array([shares(counts, m) for counts in of_class]).T)
    return prior, tables


def posterior(model: NaiveBayes, case: Vector) -> Array:
    """Return P(c | x) (C,) of a case (A,); the prior if no class is possible."""
    prior, tables = model
    known = [(v, P) for v, P in zip(case, tables, strict=True) if v >= 0]
    joint = [p_c * math.prod(P[v, c] for v, P in known) for c, p_c in enumerate(prior)]
    return np.array(joint) / sum(joint) if sum(joint) > 0 else prior


def leaf_naive_bayes(root: Node, train: Cases, X: Array) -> Array:
    """Return P(c | x) (m, C) by naive Bayes where each case stops, path ignored (Kohavi 1996)."""
    rows, proba = training_cases(root, train.X), np.zeros((len(X), train.C))
    for i, case in enumerate(X):
        *above, last = root.path(case)
        known = case.copy()
        for node in above:
            joined = node.groups is not None and list(node.groups).count(node.outcome(case)) > 1
            if node.threshold is None and not joined:
                known[node.attribute] = -1  # all cases here have the same value
        proba[i] = posterior(learn(*train.take(rows[last])), known)
    return proba


def learn_network(Z: Array, sizes: Sizes, parents: Parents, m: float | None = None) -> Tables:
    """Estimate P(value | parents' values) of each column."""
    tables: Tables = []
    for i, above in enumerate(parents):
        counts = {key: np.zeros(sizes[i]) for key in product(*(range(sizes[p]) for p in above))}
        for case in Z[(Z[:, [i, *above]] >= 0).all(axis=1)]:
            counts[tuple(case[above])][case[i]] += 1
        tables.append({key: shares(n, m) for key, n in counts.items()})
    return tables


def joint(tables: Tables, parents: Parents, case: Sequence[int]) -> float:
    """Return the probability of a complete case (A,): the product of one entry of each table."""
    keys = [tuple(case[p] for p in above) for above in parents]
    return math.prod(P[key][v] for P, key, v in zip(tables, keys, case, strict=True))


def mutual_information(x: Array, z: Array, y: Array) -> float:
    """Compute I(X; Z | Y) = sum P(x, z, y) log2 P(x, z | y) / (P(x | y) P(z | y)), in bits."""
    cases = [case for case in zip(x, z, y, strict=True) if min(case) >= 0]
    n, n_ac = Counter(cases), Counter((a, c) for a, _, c in cases)
    n_bc, n_c = Counter((b, c) for _, b, c in cases), Counter(c for *_, c in cases)
    bits = 0.0
    for (a, b, c), n_abc in sorted(n.items()):
        bits += n_abc / len(cases) * log2(n_abc * n_c[c] / (n_ac[a, c] * n_bc[b, c]))
    return bits


def tan(Z: Array) -> Parents:
    """Choose the parents of a tree-augmented naive Bayes.

    Source: Friedman, Geiger & Goldszmidt 1997, section 4.
    """
    A = Z.shape[1] - 1
    parents = [[A] for _ in range(A)] + [[]]
    best = {j: (mutual_information(Z[:, 0], Z[:, j], Z[:, A]), 0) for j in range(1, A)}
    while best:  # edge by edge the tree of most information (Chow & Liu 1968) grows
        new = list(best)[first_best([bits for bits, _ in best.values()])]
        parents[new].append(best.pop(new)[1])
        for j in best:
            bits = mutual_information(Z[:, new], Z[:, j], Z[:, A])
            if bits > best[j][0] + TIE:
                best[j] = bits, new
    return parents


if __name__ == "__main__":
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 0, 1, 1])
    print("naive Bayes", posterior(learn(X, y, [2, 2], C=2), [0, 1]))
    print("parents in TAN", tan(np.array([[0, 0, 0], [1, 1, 0], [0, 0, 1], [1, 1, 1]])))
    # naive Bayes [0.75 0.25]
    # parents in TAN [[2], [2, 0], []]
