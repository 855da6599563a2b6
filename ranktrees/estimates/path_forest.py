"""Path forest: path Bayes over trees that see half of the attributes, numbers in three grids.

    ln P(c | x) = 2/3 mean_e ln T_e(c | x) + 1/3 [ln(n_c + 1/2) + sum_j mean_e ln f_ej(c)] - const

The estimates T_e of the trees, and the shares f_ej of a case's values in each class, are averaged
over the prunings of each tree as in path Bayes. A tree tests codes of half of the attributes; a
factor asks for those of a grid, which is coarser, of all. `ranktrees.plain.path_forest` is the same
in loops; there are the sources, too.
"""

import numpy as np

from ranktrees.basics.logarithms import log
from ranktrees.estimates.mixing import tree_estimate
from ranktrees.estimates.path_counts import PathCounts
from ranktrees.estimates.path_factors import PathFactors
from ranktrees.growing.tree import Tree
from ranktrees.reading.encoder import Codes

TREES, FACTORS = 2 / 3, 1 / 3  # what their estimates weigh in the pool
KEPT = 1 << 20  # a tree's factors of at most this many cells are kept


def halves(n_attributes: int, n_models: int, seed: int) -> list[np.ndarray]:
    """The attributes (h,) that each tree may test, in table order: two trees see all of them."""
    rng, h, each = np.random.default_rng(seed), (n_attributes + 1) // 2, []
    for _ in range(0, n_models, 2):
        order = rng.permutation(n_attributes)
        each += [np.sort(order[:h]), np.sort(order[n_attributes - h :])]
    return each[:n_models]


def without_gaps(codes: Codes) -> Codes:
    """The codes with -1 where a value is missing, as the factors take them."""
    values, has_gaps = codes.values, np.array([info.missing for info in codes.schema])
    missing = has_gaps & (values == codes.sizes - 1)
    if codes.gaps is not None:
        missing |= codes.gaps
    return Codes(np.where(missing, np.int8(-1), values), codes.schema)


class Member:
    """A tree of the forest: its estimate, and the factors of all attributes along its paths.

    `end` (n,) is where the training cases end, `known` their codes (n, A) in a grid, -1 where a
    value is missing, `y` (n,) their classes; each weighs `weight` (n,), or 1 if that is None. A
    node that tests a nominal attribute settles it; a cut settles no number. Raises ValueError for
    other cases than those of the tree's counts.
    """

    def __init__(self, tree: Tree, end: np.ndarray, known: Codes, y: np.ndarray, weight=None):
        self.tree, self.log_t = tree, log(tree_estimate(tree))
        counts = PathCounts.in_grid(tree, known, end, y, weight)
        nominal = np.array([info.kind == "nominal" for info in known.schema])
        is_end = (tree.attribute[:, None] == np.arange(len(nominal))) & nominal
        self.factors = PathFactors(counts, is_end, KEPT)


def log_estimates(members: list[Member], codes: np.ndarray, grids: list[np.ndarray]) -> tuple:
    """Logarithms (m, C) of the trees' estimate and the factors', by their weights in the pool.

    `codes` (m, A) are those of the trees, `grids` those of the factors.
    """
    E, C = len(members), members[0].tree.counts.shape[1]
    trees, factors = np.zeros((2, len(codes), C))
    for e, member in enumerate(members):
        end = member.tree.apply(codes)
        trees += member.log_t[end] * (TREES / E)
        for _, cases, log_f in member.factors.gathered(grids[e % len(grids)], end):
            factors[cases] += log_f.sum(axis=0) * (FACTORS / E)
    return trees, factors


def log_prior(members: list[Member]) -> np.ndarray:
    """ln(n_c + 1/2) (C,), of the root, in its share of the pool."""
    return log(members[0].tree.counts[0] + 0.5) * FACTORS
