"""The training cases of a tree, as estimates ask for them: in memory, or counted from files."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property

import numpy as np

from ranktrees_engine.basics.kinds import Array
from ranktrees_engine.estimates.path_counts import ROOM, PathCounts
from ranktrees_engine.estimates.path_ends import count_ends
from ranktrees_engine.estimates.path_factors import PathFactors
from ranktrees_engine.estimates.path_weights import passes_over
from ranktrees_engine.growing.tree import Tree
from ranktrees_engine.reading.columns import SAMPLE
from ranktrees_engine.reading.encoder import Codes
from ranktrees_engine.reading.weights import as_whole_cases

PATH_BAYES_NEEDS = "path Bayes needs"  # the training cases


class TrainingCases:
    """The training cases of a tree in memory, and their counts, made when first needed.

    Codes X (n, A) and classes y (n,); each case weighs `weight` (n,), or 1 if that is None. `gaps`
    (n, A) says which values were missing and are filled in.
    """

    def __init__(
        self,
        tree: Tree,
        X: Array,
        y: Array,
        weight: Array | None = None,
        gaps: Array | None = None,
    ):
        self.tree, self.X, self.y, self.weight, self.gaps = tree, X, y, weight, gaps

    def give(self, needs: str) -> bool:
        """Return whether these cases have what an estimate `needs`: they have everything."""
        return True

    def count_ends(self) -> Array | None:
        """Count the ends of paths (T, M, C), or return None if there is no room for them."""
        T, C = self.tree.counts.shape
        if T * C * sum(info.size for info in self.tree.schema) > ROOM:
            return None
        codes = Codes(self.X, self.tree.schema, self.gaps)
        return count_ends(self.tree, lambda: [(codes, self.y, self.weight)])

    @cached_property
    def counts(self) -> PathCounts:
        """Counts of the cases by node, value and class, with their weights."""
        return PathCounts(self.tree, *as_whole_cases(self.X, self.y, self.weight))

    @cached_property
    def factors(self) -> PathFactors:
        """Factors of path Bayes, from the known values of the cases."""
        cases = self.X, self.y, self.weight, self.gaps
        return factors_of(self.tree, PathCounts(self.tree, *cases, PATH_BAYES_NEEDS))

    def each_time(self, make: Callable, cells: int) -> Callable[[], Iterable]:
        """Return a function that yields `make(X, gaps, y, weight)` of all cases, some at a time.

        The results, `cells` numbers for each case, are kept if there is room.
        """
        known = self.X, self.gaps, self.y, self.weight

        def some(rows):
            return make(*(each if each is None else each[rows] for each in known))

        return passes_over(len(self.y), cells, some)


class CountedCases:
    """The part that a tree keeps of cases in files, or of a saved model's: counts, or nothing.

    `ended` (T, M, C) has the counts of the paths' ends (see `count_ends`), or is None.
    """

    def __init__(self, tree: Tree, ended: Array | None = None):
        self.tree, self.ended, self._passes = tree, ended, None

    @contextmanager
    def read_by(self, passes: Callable[[], Iterable] | None) -> Iterator[None]:
        """Let `passes()` read the files in this context: `Codes`, classes, weights by batch."""
        self._passes = passes
        try:
            yield
        finally:
            self._passes = None

    def give(self, needs: str) -> bool:
        """Return whether there are the counts that an estimate `needs` (see `Estimate`)."""
        return needs == "counts" or (needs == "tables" and self.ended is not None)

    def count_ends(self) -> Array | None:
        """Return the counts of the ends of paths (T, M, C), or None."""
        return self.ended

    @cached_property
    def factors(self) -> PathFactors:
        """Factors of path Bayes, from the counts."""
        return factors_of(self.tree, PathCounts.of_ends(self.tree, self.ended))

    def each_time(self, make: Callable, cells: int) -> Callable[[], Iterable]:
        """Return a function that reads the files, and yields `make(X, gaps, y, weight)` of batches.

        Raises ValueError if the files are not at hand.
        """
        passes = self._passes
        if passes is None:
            raise ValueError(
                "the weights of attributes are learnt from the cases: fit the files with this "
                f'estimate, or give weights="equal", or {SAMPLE}'
            )
        return lambda: (make(codes.values, codes.gaps, *case) for codes, *case in passes())


def factors_of(tree: Tree, counts: PathCounts) -> PathFactors:
    """Return the factors of path Bayes from counts along the paths of a tree."""
    return PathFactors(counts, np.ones(len(counts.sizes), bool))
