"""Naive Bayes: P(c | x) is proportional to P(c) prod_j P(x_j | c) (Yang 2008)."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np


class NaiveBayes(NamedTuple):
    """The prior (C,) and, for each attribute, P(value | class) as a table (V, C)."""

    prior: np.ndarray
    tables: list[np.ndarray]


def shares(counts: np.ndarray, m: float | None) -> np.ndarray:
    """The m-estimate (n_v + m / V) / (N + m) of counts (V,); None is Laplace's, m = V.

    Without imagined cases, m = 0, counts of nothing say 1 / V.
    """
    V, N = len(counts), counts.sum()
    m = V if m is None else m
    return (counts + m / V) / (N + m) if N + m > 0 else np.full(V, 1 / V)


def learn(X: np.ndarray, y: np.ndarray, sizes: Sequence, C: int, m=None) -> NaiveBayes:
    """Count cases (n, A) of codes, of which -1 takes no part; only Laplace smooths the prior."""
    prior = shares(np.bincount(y, minlength=C), None if m is None else 0)
    tables = []
    for x, V in zip(X.T, sizes, strict=True):
        of_class = [np.bincount(x[(y == c) & (x >= 0)], minlength=V) for c in range(C)]
        tables.append(np.array([shares(counts, m) for counts in of_class]).T)
    return NaiveBayes(prior, tables)


def posterior(model: NaiveBayes, case: Sequence) -> np.ndarray:
    """P(c | x) (C,) of a case (A,); the prior where no class is possible."""
    joint = [
        p_c * math.prod(P[v, c] for v, P in zip(case, model.tables, strict=True) if v >= 0)
        for c, p_c in enumerate(model.prior)
    ]
    return np.array(joint) / sum(joint) if sum(joint) > 0 else model.prior
