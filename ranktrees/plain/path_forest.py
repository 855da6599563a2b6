"""Path forest: path Bayes over trees that see half of the attributes, numbers in three grids.

    ln P(c | x) = 2/3 mean_e ln T_e(c | x) + 1/3 [ln(n_c + 1/2) + sum_j mean_e ln f_ej(c)] - const

T_e: what tree e says of the class; f_ej: what it says of the value of attribute j in each class.
Trees of halves of the attributes: Ho (1998, random subspaces). Several grids for one number: Yang &
Webb (2002, 2009). A mean of many naive models: Webb et al. (2005, AODE). The pool: Genest & Zidek
(1986). Averages over all prunings: see path_bayes.py.

X (n, A) are numbers and codes: sizes[j] is the number of declared values, 0 of an attribute of
numbers. A missing value is NaN; a code that was never seen is -1.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ranktrees.plain import bins
from ranktrees.plain.c45 import c45
from ranktrees.plain.path_bayes import (
    Training,
    class_tables,
    mixed,
    stops,
    value_tables,
)
from ranktrees.plain.tree import Node

MOST_CUTS = 255  # of a number in a tree


def halves(A: int, E: int, seed: int) -> list[np.ndarray]:
    """The attributes of each of E trees: two after each other see all of them (1.)."""
    rng, h = np.random.default_rng(seed), (A + 1) // 2
    each = []
    for _ in range(0, E, 2):
        order = rng.permutation(A)
        each += [np.sort(order[:h]), np.sort(order[-h:])]
    return each[:E]


def tree_cuts(x: np.ndarray) -> list[float]:
    """Cuts between all different numbers; of more than 255, those of 255 bins (2.)."""
    middles = [bins.between(low, high) for low, high in pairwise(sorted(set(x)))]
    return middles if len(middles) <= MOST_CUTS else bins.equal_frequency(x, MOST_CUTS)


def tree_codes(x: np.ndarray, train: np.ndarray, V: int) -> np.ndarray:
    """The codes (n,) in which trees see values x; a gap is a code of its own, if training had one.

    That lies above all others; otherwise it is -1, of which no tree knows.
    """
    gap, own = np.isnan(x), V
    if V == 0:
        cuts = tree_cuts(train[~np.isnan(train)])
        x, own = bins.codes(x, cuts), len(cuts) + 1
    return np.where(gap, own if np.isnan(train).any() else -1, x).astype(int)


def grid_codes(x: np.ndarray, train: np.ndarray, y: np.ndarray, V: int, g: int) -> tuple:
    """The codes (n,) in which factors see values x, -1 of a gap, and how many there are (4.).

    Grid 0 of a number is by description length, 1 and 2 have 5 and 10 bins of equal frequency.
    """
    gap, there = np.isnan(x), ~np.isnan(train)
    if V == 0:
        known, n_bins = train[there], (0, 5, 10)[g]
        cuts = bins.equal_frequency(known, n_bins) if n_bins and len(known) else []
        if g == 0 and len(known):
            cuts = bins.entropy_mdl(known, y[there], y.max() + 1)
        x, V = bins.codes(x, cuts), len(cuts) + 1
    return np.where(gap, -1, x).astype(int), V


def subspace_tree(codes: np.ndarray, y: np.ndarray, sizes: Sequence, C: int, half) -> Node:
    """C4.5's pruned tree of codes (n, A) that tests `half` of the attributes alone (2.)."""
    own = [max(sizes[j], codes[:, j].max() + 1) if sizes[j] else 0 for j in half]  # with gaps
    root = c45(codes[:, half], y, own, C)
    for node in root.nodes():
        node.attribute = -1 if node.is_leaf else int(half[node.attribute])
    return root


def log_factor(root: Node, train: Training, j: int, ends: bool, paths, known) -> np.ndarray:
    """ln f_ej (m, C) of cases whose value of attribute j is `known` (m,), 0 where it is -1 (4.).

    With `ends` a node that tests j settles it, as of nominal attributes; a cut settles no number.
    """
    n = value_tables(root, train, j)
    stop = stops(root, n, ends=j if ends else -1)
    pairs = zip(paths, known, strict=True)
    return np.log([mixed(path, stop, n)[:, v] if v >= 0 else np.ones(train.C) for path, v in pairs])


def path_forest(
    X: np.ndarray, y: np.ndarray, sizes: Sequence, C: int, cases: np.ndarray, E=12, seed=1
) -> np.ndarray:
    """P(c | x), (m, C), of cases (m, A), by E trees of training cases X (n, A), y (n,) (1.-5.)."""
    n, columns = len(X), [*zip(np.vstack([X, cases]).T, X.T, sizes, strict=True)]
    codes = np.stack([tree_codes(x, train, V) for x, train, V in columns], axis=1)
    log_T, log_B = np.zeros((2, len(cases), C))
    for e, half in enumerate(halves(X.shape[1], E, seed)):
        root = subspace_tree(codes[:n], y, sizes, C, half)
        paths, counts = [root.path(x) for x in codes[n:]], class_tables(root)
        stop = stops(root, counts)
        log_T += np.log([mixed(path, stop, counts)[0] for path in paths]) / E  # (3.)
        grid = [grid_codes(x, train, y, V, e % 3) for x, train, V in columns]
        known, width = np.stack([code for code, _ in grid], axis=1), [V for _, V in grid]
        train = Training(codes[:n], y, width, C, known[:n], np.ones(n))
        for j, V in enumerate(sizes):
            log_B += log_factor(root, train, j, V > 0, paths, known[n:, j]) / E
    return pooled(root.counts, log_T, log_B)


def pooled(n: np.ndarray, log_T: np.ndarray, log_B: np.ndarray) -> np.ndarray:
    """P (m, C), two parts of the trees' word, one of the prior and the attributes (5.)."""
    log_P = 2 / 3 * log_T + 1 / 3 * (np.log(n + 0.5) + log_B)
    odds = np.exp(log_P - log_P.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True)
