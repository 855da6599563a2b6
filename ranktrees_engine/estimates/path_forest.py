"""Path forest: path Bayes over trees that see half of the attributes, numbers in three grids.

    ln P(c | x) = 2/3 mean_e ln T_e(c | x) + w_0 ln(n_c + 1/2) + sum_j w_j mean_e ln f_ej(c) - const

The estimates T_e of the trees, and the shares f_ej of a case's values in each class, are averaged
over the prunings of each tree as in path Bayes. A tree tests the codes of half of the attributes;
factors use all attributes, in coarser grids. The weights w are 1/3 each, or learnt (see
`path_weights`). Trees that share a grid are joined to one forest of R roots, so that their factors
are counted, mixed and looked up together. `ranktrees.plain.path_forest` is the same in loops, tree
by tree, and names the sources.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from ranktrees_engine.basics.blocks import blocks
from ranktrees_engine.basics.kinds import Array
from ranktrees_engine.basics.logarithms import log
from ranktrees_engine.estimates.mixing import tree_estimate
from ranktrees_engine.estimates.path_counts import PathCounts
from ranktrees_engine.estimates.path_factors import PathFactors
from ranktrees_engine.estimates.path_weights import (
    LeftOut,
    learn_weights,
    log_left_out,
    log_prior,
    passes_over,
)
from ranktrees_engine.growing.forest import join
from ranktrees_engine.growing.tree import Tree
from ranktrees_engine.reading.encoder import Codes

TREES, FACTORS = 2 / 3, 1 / 3  # what their estimates weigh in the pool
KEPT = 1 << 20  # a tree's factors of at most this many cells are kept
TOGETHER = 1 << 20  # codes of the trees whose factors are counted together


def halves(n_attributes: int, n_models: int, seed: int) -> list[np.ndarray]:
    """Return the attributes (h,) that each tree may test, in order: two trees cover all of them."""
    rng, h, each = np.random.default_rng(seed), (n_attributes + 1) // 2, []
    for _ in range(0, n_models, 2):
        order = rng.permutation(n_attributes)
        each += [np.sort(order[:h]), np.sort(order[n_attributes - h :])]
    return each[:n_models]


def without_gaps(codes: Codes) -> Codes:
    """Return the codes with -1 for missing values, as the factors use them."""
    values, has_gaps = codes.values, np.array([info.missing for info in codes.schema])
    missing = has_gaps & (values == codes.sizes - 1)
    if codes.gaps is not None:
        missing |= codes.gaps
    return Codes(np.where(missing, np.int8(-1), values), codes.schema)


class Member:
    """A tree of the forest, or several joined: estimates, and factors of all attributes on paths.

    `codes` (n, A) are the training cases as the trees see them, `known` in the `grid` of this
    number, -1 where a value is missing, `y` (n,) their classes; each weighs `weight` (n,), or 1 if
    that is None. A node that tests a nominal attribute settles it; a cut does not settle a number.
    Raises ValueError if these are not the cases of the tree's counts.
    """

    def __init__(self, tree: Tree, codes: Array, known: Codes, y: Array, weight=None, grid=0):
        self._set_tree(tree, grid)
        self._set_factors(PathCounts.in_grid(tree, known, self.ends(codes), y, weight))

    @classmethod
    def of_counts(cls, counts: PathCounts, grid: int) -> "Member":
        """Make the same of counts in a grid, where the cases are not kept."""
        self = cls.__new__(cls)
        self._set_tree(counts.tree, grid)
        self._set_factors(counts)
        return self

    def _set_tree(self, tree, grid):
        self.tree, self.grid, self.roots = tree, grid, np.flatnonzero(tree.parent < 0)
        self.log_t = log(tree_estimate(tree))

    def _set_factors(self, counts):
        nominal = np.array([info.kind == "nominal" for info in self.tree.schema])
        self.factors = PathFactors(counts, nominal, KEPT * len(self.roots))

    def ends(self, codes: Array) -> np.ndarray:
        """Return the nodes (m,) at which codes (m, A) end; (R, m) if there are R trees, R > 1."""
        m, R = len(codes), len(self.roots)
        if R == 1:
            return self.tree.apply(codes)
        some, rows = blocks(R, m), np.arange(m)
        return np.concatenate(
            [
                self.tree.apply(
                    codes, np.repeat(self.roots[few], m), np.tile(rows, few.stop - few.start)
                ).reshape(-1, m)
                for few in some
            ]
        )

    def log_estimate(self, end: Array) -> np.ndarray:
        """Return ln T(c | x) (m, C) of cases whose paths end at `end`, the sum over the trees."""
        log_t = self.log_t[end]
        return log_t.sum(axis=0) if end.ndim > 1 else log_t


def joined(
    trees: Sequence[Tree], codes: Array, known: Sequence[Codes], y: Array, weight=None
) -> Iterator[Member]:
    """Yield trees that share one of the grids `known`, joined as far as they go `TOGETHER`."""
    for g, grid in enumerate(known):
        some = trees[g :: len(known)]
        for few in blocks(len(some), codes.size, TOGETHER):
            yield Member(join(some[few]), codes, grid, y, weight, g)


def log_pool(members: list[Member], codes: Array, grids: list[Array], weights: Array) -> Array:
    """Return ln P(c | x) (m, C) up to a constant, by weights (1 + A,) of prior and factors.

    `codes` (m, A) are those of the trees, `grids` those of the factors.
    """
    E, prior = sum(len(member.roots) for member in members), log_prior(members[0].tree)
    total = np.tile(weights[0] * prior, (len(codes), 1))
    for member in members:
        end = member.ends(codes)
        total += member.log_estimate(end) * (TREES / E)
        for some, cases, log_f in member.factors.gathered(grids[member.grid], end):
            log_f *= weights[1:][some, None, None] / E
            total[cases] += log_f.sum(axis=0)
    return total


def learn(members: list[Member]) -> np.ndarray:
    """Learn the weights (1 + A,) of the prior and the factors from the members' cases."""
    counts, E = [m.factors.counts for m in members], sum(len(m.roots) for m in members)
    prior, factors = log_prior(members[0].tree), [member.factors for member in members]

    def parts(few):
        y, weight = counts[0].y[few], counts[0].weight
        weight = None if weight is None else weight[few]
        ends = [each.end[..., few] for each in counts]
        fixed = sum(m.log_estimate(end) for m, end in zip(members, ends, strict=True))
        codes = [each.X[few] for each in counts]
        log_p = log_left_out(factors, codes, ends, prior, y, weight)
        return LeftOut(fixed * (TREES / E), log_p, y, weight)

    n, A = counts[0].X.shape
    return learn_weights(passes_over(n, (1 + A) * len(prior), parts), 1 + A, FACTORS)
