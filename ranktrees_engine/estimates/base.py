"""An estimate: an object that gives class probabilities from a finished tree.

One class in one file is enough for a new one; its fields are its parameters:

    class Power(Estimate):
        power: float = 2.0

        def of_nodes(self, tree):
            n = tree.counts**self.power
            return n / n.sum(axis=1, keepdims=True)

    rt.estimate.ESTIMATES["power"] = Power
    rt.C45(estimate="power", estimate_params={"power": 3}).fit(X, y)

`of_nodes` is enough where all cases that end at a node get the same probabilities. An estimate that
differs from case to case defines `proba`, too, and `needs` "cases".
"""

import copy
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, ClassVar, Literal, Self, dataclass_transform

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import check_number
from ranktrees_engine.basics.kinds import Array
from ranktrees_engine.basics.ties import first_best
from ranktrees_engine.criteria.criteria import entropy
from ranktrees_engine.estimates.path_counts import ROOM, PathCounts, count_ends
from ranktrees_engine.estimates.path_factors import PathFactors
from ranktrees_engine.estimates.shown import table_of_nodes
from ranktrees_engine.growing.tree import Tree, check_counted, less_children
from ranktrees_engine.reading.columns import SAMPLE
from ranktrees_engine.reading.encoder import Codes
from ranktrees_engine.reading.weights import as_whole_cases

PATH_BAYES_NEEDS = "path Bayes needs"  # the training cases


class TrainingCases:
    """The training cases of a tree, and their counts along its paths, made when first needed.

    Codes X (n, A) and classes y (n,); each case weighs `weight` (n,), or 1 if that is None. `gaps`
    (n, A) says which values were missing and are filled in. For cases in files X is empty: `ended`
    (T, M, C) has the counts of the paths' ends (see `count_ends`), or is None, and `passes` reads
    the files again, as `Codes`, classes and weights of each batch.
    """

    def __init__(
        self,
        tree: Tree,
        X: Array,
        y: Array,
        weight: Array | None = None,
        gaps: Array | None = None,
        ended: Array | None = None,
        passes: Callable[[], Iterable] | None = None,
    ):
        self.tree, self.X, self.y, self.passes = tree, X, y, passes
        self.weight, self.gaps, self.ended = weight, gaps, ended

    def give(self, needs: str) -> bool:
        """Whether these cases have what an estimate `needs` (see `Estimate`)."""
        return (
            needs == "counts" or len(self.y) > 0 or (needs == "tables" and self.ended is not None)
        )

    def count_ends(self) -> Array | None:
        """Counts (T, M, C) instead of the cases, or None if there is no room for them."""
        T, C = self.tree.counts.shape
        if T * C * sum(info.size for info in self.tree.schema) > ROOM:
            return None
        codes = Codes(self.X, self.tree.schema, self.gaps)
        return count_ends(self.tree, [(codes, self.y, self.weight)])

    @cached_property
    def counts(self) -> PathCounts:
        """The cases by node, value and class, counted with their weights."""
        return PathCounts(self.tree, *as_whole_cases(self.X, self.y, self.weight))

    @cached_property
    def factors(self) -> PathFactors:
        """The factors of path Bayes, from the known values of the cases."""
        if self.ended is not None:
            counts = PathCounts.of_ends(self.tree, self.ended)
        else:
            cases = self.X, self.y, self.weight, self.gaps
            counts = PathCounts(self.tree, *cases, PATH_BAYES_NEEDS)
        tested = self.tree.attribute[:, None] == np.arange(len(counts.sizes))
        return PathFactors(counts, tested)


@dataclass_transform()
class Estimate:
    """An estimate of a tree: it has parameters first and, after `learn`, probabilities.

    After `learn` it has its `tree`, the training `cases` and `node_proba` (T, C).

    `needs` says what it needs besides the tree: "counts" are those of the tree's nodes; "tables"
    count the training cases by node, value and class, which works for files, too; "cases" are the
    training cases themselves.
    """

    needs: ClassVar[Literal["counts", "tables", "cases"]] = "counts"
    name = ""  # by which models know it

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        dataclass(eq=False, repr=False)(cls)

    def of_nodes(self, tree: Tree) -> np.ndarray:
        """The estimate (T, C) of each node of a tree, whose rows sum to 1."""
        raise NotImplementedError(f"{type(self).__name__} must have of_nodes(tree)")

    def learn(self, tree: Tree, cases: TrainingCases | None = None) -> Self:
        """A copy of this estimate, learnt from a tree and its training cases, which stay unchanged.

        Raises TypeError or ValueError for an invalid parameter, and if cases are missing.
        """
        if cases is not None and not cases.give(self.needs):
            counted = "fit the files with it, or " * (self.needs == "tables")
            raise ValueError(
                f"the estimate {self.name!r} needs the cases: {counted}take one per node, such "
                f"as 'laplace', or {SAMPLE}; a model saved with an estimate that does "
                "not need them does not hold them either: fit it again"
            )
        learnt = copy.copy(self)
        learnt.tree, learnt.cases = tree, cases
        learnt.node_proba = learnt.of_nodes(tree)
        return learnt

    def proba(self, X: Array, gaps: Array | None = None) -> np.ndarray:
        """Class probabilities (m, C) of codes X (m, A); `gaps` (m, A) says which were filled in."""
        return self.node_proba[self.tree.apply(X)]

    def importances(self, A: int, impurity: Callable) -> np.ndarray:
        """(A,) each attribute's share of the total gain of all tests, for this impurity."""
        return importances(self.tree, A, impurity)

    # How the probabilities of one case, codes (A,), come about at the nodes (d,) of its path

    def explain(
        self, nodes: Array, case: Array, gaps: Array | None, proba: Array
    ) -> tuple[list[str], pd.DataFrame]:
        """Lines that explain how `proba` (C,) arises, and a table with a row for each node."""
        shares, weights = self.along(nodes, case)
        best = int(first_best(proba))
        lines = [self.in_words(nodes, case, shares, weights, best, proba[best])]
        return lines, table_of_nodes(self.tree, nodes, shares, weights, proba)

    def along(self, nodes: Array, case: Array) -> tuple[Array, Array | None]:
        """Estimates (K, C) of the nodes, and their weights, or None if they are not mixed."""
        return self.node_proba[nodes], None

    def in_words(
        self, nodes: Array, case: Array, shares: Array, weights: Array | None, c: int, p: float
    ) -> str:
        """A sentence that explains the probability p of class c."""
        start, name = f'Estimate "{self.name}"', self.tree.class_name(c)
        if formula := self.formula(nodes[-1], c):
            return f"{start}: P({name}) = {formula} = {shares[-1, c]:.3f}."
        steps = ", ".join(f"{share:.3f}" for share in shares[:, c])
        return f"{start}: P({name}) from the root down is {steps}."

    def formula(self, node: int, c: int) -> str:
        """The estimate of class c at a node as a formula in numbers; empty if it has none."""
        return ""


def importances(tree: Tree, A: int, impurity: Callable = entropy) -> np.ndarray:
    """The share (A,) of each attribute in the gain of all tests of a tree; 0 without a test.

    A test gains the impurity of its node minus that of its branches, each times its cases (Breiman
    et al. 1984).
    """
    check_counted(tree)
    check_number("A", A, 0, whole=True)
    if not callable(impurity):
        raise TypeError(
            f"impurity must be a function of counts, such as gini, not {impurity!r:.80}"
        )
    mass = tree.counts.sum(axis=1) * impurity(tree.counts)
    gain, inner = less_children(tree, mass), ~tree.is_leaf
    total = np.bincount(tree.attribute[inner], gain[inner].clip(0), A)
    return total / (total.sum() or 1)


ESTIMATES: dict[str, type[Estimate]] = {}  # by name; `ranktrees_engine.estimates` fills it


def estimate_names(*needs: str) -> list[str]:
    """The names of the estimates that need at most "counts", "tables" or "cases"."""
    return [name for name, kind in ESTIMATES.items() if kind.needs in needs]


def make_estimate(name: str, params: dict | None = None) -> Estimate:
    """An estimate by its name and parameters; TypeError or ValueError for unknown ones."""
    params = {} if params is None else params
    if not isinstance(params, dict):
        raise TypeError(f"estimate_params must be a dict such as {{'m': 2}}, not {params!r}")
    kind = ESTIMATES[name]
    known = [each.name for each in fields(kind)]
    if unknown := [given for given in params if given not in known]:
        has = f"only {', '.join(map(repr, known))}" if known else "none"
        raise ValueError(f"estimate {name!r} has no parameter {unknown[0]!r}: {has}")
    made = kind(**params)
    made.name = name
    return made
