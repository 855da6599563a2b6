"""Path forest: path Bayes over trees that see half of the attributes, numbers in three grids.

    ln P(c | x) = 2/3 mean_e ln T_e(c | x) + 1/3 [ln(n_c + 1/2) + sum_j mean_e ln f_ej(c)] - const

What the trees T_e say of the class, and the shares f_ej of a case's values in each class, are mixed
over the nodes of each tree's path as in path Bayes. A tree tests codes of half of the attributes; a
factor asks for those of a grid, which is coarser, of all. `ranktrees.plain.path_forest` is the same
in loops; there are the sources, too.
"""

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from ranktrees.basics.blocks import LIMIT, blocks
from ranktrees.basics.logarithms import log
from ranktrees.estimates.path_bayes import log_evidence, log_numerators, mix_along, stops, tree_word
from ranktrees.estimates.path_counts import PathCounts
from ranktrees.growing.tree import Tree
from ranktrees.reading.encoder import Codes

TREES, FACTORS = 2 / 3, 1 / 3  # what their estimates weigh in the pool
AT_ONCE = 4 * LIMIT  # cells of the tables that are made at once: fewer are made faster
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
    values, own = codes.values, np.array([info.missing for info in codes.schema])
    missing = own & (values == codes.sizes - 1)
    if codes.gaps is not None:
        missing |= codes.gaps
    return Codes(np.where(missing, np.int8(-1), values), codes.schema)


class Member(PathCounts):
    """A tree and the factors of all attributes along its paths.

    `end` (n,) is where the training cases end, `known` their codes (n, A) in a grid, -1 where a
    value is missing, `y` (n,) their classes, `weight` (n,) what each counts, None: 1. A node that
    tests a nominal attribute settles it; a cut settles no number. Raises ValueError for other cases
    than those of the tree's counts.
    """

    def __init__(self, tree: Tree, end: np.ndarray, known: Codes, y: np.ndarray, weight=None):
        sizes = [max(info.size - info.missing, 1) for info in known.schema]
        self._set_values(tree, sizes)
        self.X, self.end, self.y, self.weight = known.values, end, y, weight
        if not self._are_the_trees():
            raise ValueError(
                f"a tree's counts are not those of the {len(y)} training cases: a path forest "
                "needs the cases that its trees were grown on"
            )
        nominal = np.array([info.kind == "nominal" for info in known.schema])
        self.tested = (tree.attribute[:, None] == np.arange(len(sizes))) & nominal
        self.known = self.stop = self.kept = None  # until the tables are counted

    @cached_property
    def log_t(self) -> np.ndarray:
        """ln T(c | x) (T, C) of the cases that end at each node."""
        return log(tree_word(self.tree))

    def factors_of(self, values: np.ndarray, n: np.ndarray, known, stop) -> np.ndarray:
        """P(value | c) (T M' + 1, C) of values (M',) with counts (T, M', C); the last row is 1.

        `known` (T, A, C) are the cases whose value is known, `stop` (T, A) as in `PathFactors`.
        """
        some, (T, M, C) = self.attributes(values), n.shape
        j, table = self.attribute[values] - some.start, np.ones((T * M + 1, C))
        per_case = 1 / (known[:, some] + self.sizes[some, None] / 2)
        shares = table[:-1].reshape(n.shape)
        np.multiply(n + 0.5, per_case[:, j], out=shares)
        mix_along(self.tree, shares, stop[:, some], j)
        return table

    def stops_of(self, some: slice, n: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """`known` (T, A', C) and `stop` (T, A') of some attributes, whose values n counts."""
        first, sizes = self.offsets[:-1][some] - self.offsets[some.start], self.sizes[some]
        known = np.add.reduceat(n, first, axis=1)
        log_e = log_evidence(0, known, sizes[:, None]).sum(axis=2)
        there = np.flatnonzero(n)  # what no case has says 0
        row = there // n.shape[2]
        log_n = np.bincount(row, log_numerators(n.ravel()[there]), n[..., 0].size)
        log_e += np.add.reduceat(log_n.reshape(n.shape[:2]), first, axis=1)
        return known, stops(self.tree, log_e, self.tested[:, some])

    def tables(self, X: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield values and their `factors_of`: all of them once, afterwards those in codes X."""
        if self.stop is None:
            yield from self._first_tables()
            return
        for values in self.blocks(X):
            yield values, self.factors_of(values, self._count(values), self.known, self.stop)

    def _first_tables(self):
        """`tables`, which are counted once: what is large is used and not kept."""
        (T, C), A = self.tree.counts.shape, len(self.sizes)
        known, stop = np.empty((T, A, C), self.tree.counts.dtype), np.empty((T, A))
        for some in blocks(A, self.sizes * (T * C), AT_ONCE):
            values = np.arange(self.offsets[some.start], self.offsets[some.stop])
            n = self._count(values)
            known[:, some], stop[:, some] = self.stops_of(some, n)
            table = self.factors_of(values, n, known, stop)
            yield values, table
        if n.size <= KEPT and len(values) == len(self.attribute):
            self.kept = values, log(table)
        self.known, self.stop = known, stop  # whole: another thread may have asked meanwhile

    def gathered(self, X: np.ndarray, end: np.ndarray) -> Iterator[tuple]:
        """Yield attributes, cases and ln f (A', q, C), of codes X (m, A) whose paths end at `end`.

        0 of a missing or new value; what is yielded adds up.
        """
        kept = self.kept
        for values, table in [kept] if kept else self.tables(X):
            yield from self.logarithms(values, table, X, end, taken=bool(kept))


def log_words(members: list[Member], codes: np.ndarray, grids: list[np.ndarray]) -> tuple:
    """Logarithms (m, C) of the trees' estimate and the factors', by their weights in the pool.

    `codes` (m, A) are those of the trees, `grids` those of the factors.
    """
    E, C = len(members), members[0].tree.counts.shape[1]
    trees, factors = np.zeros((2, len(codes), C))
    for e, member in enumerate(members):
        end = member.tree.apply(codes)
        trees += member.log_t[end] * (TREES / E)
        for _, cases, log_f in member.gathered(grids[e % len(grids)], end):
            factors[cases] += log_f.sum(axis=0) * (FACTORS / E)
    return trees, factors


def log_prior(members: list[Member]) -> np.ndarray:
    """ln(n_c + 1/2) (C,), of the root, in its share of the pool."""
    return log(members[0].tree.counts[0] + 0.5) * FACTORS
