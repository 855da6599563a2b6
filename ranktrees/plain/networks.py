"""Belief networks: P(x_1, ..., x_A) = prod_i P(x_i | parents(x_i)) (Pearl 1988), and TAN.

A table Z (n, A) holds codes, those of the class in its last column; parents[i] lists columns.
"""

import math
from collections.abc import Sequence
from itertools import product

import numpy as np

from ranktrees.plain.criteria import log2
from ranktrees.plain.naive_bayes import shares

TIE = 1e-9
Tables = list[dict[tuple, np.ndarray]]
Parents = list[list[int]]


def learn(Z: np.ndarray, sizes: Sequence[int], parents: Parents, m=None) -> Tables:
    """For each column P(value | parents' values): a dict from these to shares (V,)."""
    tables = []
    for i, above in enumerate(parents):
        counts = {key: np.zeros(sizes[i]) for key in product(*(range(sizes[p]) for p in above))}
        for case in Z[(Z[:, [i, *above]] >= 0).all(axis=1)]:
            counts[tuple(case[above])][case[i]] += 1
        tables.append({key: shares(n, m) for key, n in counts.items()})
    return tables


def joint(tables: Tables, parents: Parents, case: Sequence[int]) -> float:
    """P of a case (A,) of which everything is known: a product of one entry of each table."""
    keys = [tuple(case[p] for p in above) for above in parents]
    return math.prod(P[key][v] for P, key, v in zip(tables, keys, case, strict=True))


def query(tables: Tables, parents: Parents, sizes: Sequence, case: Sequence, i: int) -> np.ndarray:
    """P(column i | the known values of a case): the sum of the joint over what is -1."""
    P, values = np.zeros(sizes[i]), []
    for j, (value, V) in enumerate(zip(case, sizes, strict=True)):
        values.append(range(V) if value < 0 or j == i else [value])
    for full in product(*values):
        P[full[i]] += joint(tables, parents, full)
    return P / P.sum()


def mutual_information(x: np.ndarray, z: np.ndarray, y: np.ndarray) -> float:
    """I(X; Z | Y) = sum P(x, z, y) log2 P(x, z | y) / (P(x | y) P(z | y)), in bits."""
    known = (x >= 0) & (z >= 0) & (y >= 0)
    x, z, y = x[known], z[known], y[known]
    bits = 0.0
    for a, b, c in sorted(set(zip(x.tolist(), z.tolist(), y.tolist(), strict=True))):
        n_abc = ((x == a) & (z == b) & (y == c)).sum()
        n_ac, n_bc = ((x == a) & (y == c)).sum(), ((z == b) & (y == c)).sum()
        bits += n_abc / len(y) * log2(n_abc * (y == c).sum() / (n_ac * n_bc))
    return bits


def tan(Z: np.ndarray) -> Parents:
    """The parents of tree-augmented naive Bayes (Friedman, Geiger & Goldszmidt 1997, section 4).

    Every attribute has the class and, but for the first, one attribute: those of the tree with the
    largest sum of mutual information (Chow & Liu 1968), grown edge by edge from the first.
    """
    A = Z.shape[1] - 1
    parents = [[A] for _ in range(A)] + [[]]
    best = {j: (mutual_information(Z[:, 0], Z[:, j], Z[:, A]), 0) for j in range(1, A)}
    while best:
        most = max(bits for bits, _ in best.values())
        new = next(j for j in best if best[j][0] >= most - TIE)
        parents[new].append(best.pop(new)[1])
        for j in best:
            bits = mutual_information(Z[:, new], Z[:, j], Z[:, A])
            if bits > best[j][0] + TIE:
                best[j] = bits, new
    return parents
