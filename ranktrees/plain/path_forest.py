"""Path forest: path Bayes over trees that see half of the attributes, numbers in three grids.

    ln P(c | x) = 2/3 mean_e ln T_e(c | x) + w_0 ln(n_c + 1/2) + sum_j w_j mean_e ln f_ej(c) - const

The weights w are 1/3, or learnt by leaving cases out: see path_weights.py, which has f and w.
Trees of halves: Ho (1998); several grids of a number: Yang & Webb (2002, 2009); a mean of naive
models: Webb et al. (2005); the pool: Genest & Zidek (1986); T and f: see path_bayes.py. X (n, A)
are numbers, where sizes[j] is 0, and codes; a missing value is NaN, a code never seen -1.
"""

from itertools import pairwise

import numpy as np

from ranktrees.plain import bins
from ranktrees.plain.c45 import c45
from ranktrees.plain.path_bayes import Training, class_tables, mixed, stops
from ranktrees.plain.path_weights import Case, learn_weights, log_factors, log_parts, pool
from ranktrees.plain.tree import Array, Node, Sizes


def halves(A: int, E: int, seed: int) -> list[Array]:
    """Draw the attributes of each of E trees: two successive trees see all of them (1.)."""
    rng, h, each = np.random.default_rng(seed), (A + 1) // 2, list[Array]()
    for _ in range(0, E, 2):
        order = rng.permutation(A)
        each += [np.sort(order[:h]), np.sort(order[-h:])]
    return each[:E]


def tree_cuts(x: Array) -> list[float]:
    """Cut between all different numbers; more than 255 are cut into 255 bins (2.)."""
    middles = [bins.between(low, high) for low, high in pairwise(sorted(set(x)))]
    return middles if len(middles) <= 255 else bins.equal_frequency(x, 255)


def tree_codes(x: Array, train: Array, V: int) -> Array:
    """Return the codes of x for trees: a gap is above all others, -1 if training had none (2.)."""
    gap, code_of_gap = np.isnan(x), V
    if V == 0:
        cuts = tree_cuts(train[~np.isnan(train)])
        x, code_of_gap = bins.codes(x, cuts), len(cuts) + 1
    return np.where(gap, code_of_gap if np.isnan(train).any() else -1, x).astype(int)


def grid_codes(x: Array, train: Array, y: Array, V: int, g: int) -> tuple[Array, int]:
    """Return the codes of x for factors, -1 for a gap, and their number: MDL, 5 or 10 bins (4.)."""
    gap, is_known = np.isnan(x), ~np.isnan(train)
    if V:
        return np.where(gap, -1, x).astype(int), V
    known, cuts = train[is_known], list[float]()
    if len(known) and g == 0:
        cuts = bins.entropy_mdl(known, y[is_known], y.max() + 1)
    elif len(known):
        cuts = bins.equal_frequency(known, 5 * g)
    return np.where(gap, -1, bins.codes(x, cuts)).astype(int), len(cuts) + 1


def subspace_tree(codes: Array, y: Array, sizes: Sizes, C: int, half: Array) -> Node:
    """Grow and prune C4.5's tree from codes (n, A), testing only the attributes of `half` (2.)."""
    widths = [max(sizes[j], codes[:, j].max() + 1) if sizes[j] else 0 for j in map(int, half)]
    root = c45(codes[:, half], y, widths, C)  # a gap may have a code of its own
    for node in root.nodes():
        node.attribute = -1 if node.is_leaf else int(half[node.attribute])
    return root


def member(
    codes: Array, y: Array, columns: list[tuple[Array, Array, int]], C: int, half: Array, grid: int
) -> tuple[Array, Array]:  # fmt: skip
    """Return ln T (n + m, C) and ln f (n + m, A, C) by one tree, training cases first (3., 4.)."""
    N, sizes = len(y), [V for _, _, V in columns]
    root = subspace_tree(codes[:N], y, sizes, C, half)
    counts, ends = class_tables(root), [V > 0 for V in sizes]  # a cut does not settle a number
    stop = stops(root, counts)
    log_T = np.log([mixed(root.path(x), stop, counts)[0] for x in codes])
    coded = [grid_codes(x, train, y, V, grid) for x, train, V in columns]
    known, width = np.stack([code for code, _ in coded], axis=1), [V for _, V in coded]
    train = Training(codes[:N], y, width, C, known[:N], np.ones(N))
    own = log_factors(root, train, ends, codes[:N], known[:N], is_training=True)
    return log_T, np.concatenate([own, log_factors(root, train, ends, codes[N:], known[N:])])


def path_forest(
    X: Array, y: Array, sizes: Sizes, C: int, cases: Array,
    E: int = 12, seed: int = 1, weights: str = "learnt",
) -> Array:  # fmt: skip
    """Return P(c | x), (m, C), of cases (m, A), by E trees of training cases X (n, A), y (n,)."""
    N, columns = len(X), [*zip(np.vstack([X, cases]).T, X.T, sizes, strict=True)]
    codes = np.stack([tree_codes(x, train, V) for x, train, V in columns], axis=1)
    log_T, log_f = np.zeros((len(codes), C)), np.zeros((*codes.shape, C))
    for e, half in enumerate(halves(X.shape[1], E, seed)):
        T, f = member(codes, y, columns, C, half, e % 3)
        log_T, log_f = log_T + T / E, log_f + f / E
    fixed, log_p = 2 / 3 * log_T, log_parts(np.bincount(y, minlength=C), log_f)
    w = np.full(1 + len(sizes), 1 / 3)
    if weights == "learnt":
        w = learn_weights([*map(Case, fixed[:N], log_p[:N], y)], start=1 / 3)
    return np.array([pool(*each, w) for each in zip(fixed[N:], log_p[N:], strict=True)])  # (5.)


if __name__ == "__main__":
    random = np.random.default_rng(1)
    y = np.arange(30) % 2
    X = random.normal(size=(30, 2)) + 2 * y[:, None]
    print("halves", *halves(A=4, E=2, seed=1))
    print(path_forest(X, y, [0, 0], 2, np.array([[0.0, 0.0], [2.0, np.nan]]), E=2).round(2))
    # halves [0 1] [2 3]
    # [[0.96 0.04]
    #  [0.11 0.89]]
