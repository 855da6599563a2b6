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
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal, Self, dataclass_transform

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import check_number
from ranktrees_engine.basics.kinds import Array
from ranktrees_engine.basics.ties import first_best
from ranktrees_engine.criteria.criteria import entropy
from ranktrees_engine.estimates.cases import CountedCases, TrainingCases
from ranktrees_engine.estimates.shown import table_of_nodes
from ranktrees_engine.growing.tree import Tree, check_counted, less_children
from ranktrees_engine.reading.columns import SAMPLE


@dataclass_transform()
class Estimate:
    """An estimate of a tree: it has parameters first and, after `learn`, probabilities.

    After `learn` it has its `tree`, the training `cases` and `node_proba` (T, C).

    `needs` says what it needs besides the tree: "counts" are those of the tree's nodes; "tables"
    count the training cases by node, value and class, which works for files, too; "cases" are the
    training cases themselves. `pools` says whether it pools the tree with a factor per attribute,
    as path Bayes does.
    """

    needs: ClassVar[Literal["counts", "tables", "cases"]] = "counts"
    pools: ClassVar[bool] = False
    name = ""  # by which models know it

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        dataclass(eq=False, repr=False)(cls)

    def of_nodes(self, tree: Tree) -> np.ndarray:
        """Return the estimate (T, C) of each node of a tree, whose rows sum to 1."""
        raise NotImplementedError(f"{type(self).__name__} must have of_nodes(tree)")

    def learn(self, tree: Tree, cases: TrainingCases | CountedCases | None = None) -> Self:
        """Return a copy learnt from a tree and its training cases, which stay unchanged.

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
        """Return class probabilities (m, C) of codes X (m, A).

        `gaps` (m, A) says which codes were filled in.
        """
        return self.node_proba[self.tree.apply(X)]

    def importances(self, A: int, impurity: Callable) -> np.ndarray:
        """Return each attribute's share (A,) of all tests' total gain, for this impurity."""
        return importances(self.tree, A, impurity)

    # How the probabilities of one case, codes (A,), come about at the nodes (d,) of its path

    def explain(
        self, nodes: Array, case: Array, gaps: Array | None, proba: Array
    ) -> tuple[list[str], pd.DataFrame]:
        """Return lines that explain `proba` (C,), and a table with a row for each node."""
        shares, weights = self.along(nodes, case)
        best = int(first_best(proba))
        lines = [self.in_words(nodes, case, shares, weights, best, proba[best])]
        return lines, table_of_nodes(self.tree, nodes, shares, weights, proba)

    def along(self, nodes: Array, case: Array) -> tuple[Array, Array | None]:
        """Return estimates (K, C) of the nodes, and their weights, or None if none are mixed."""
        return self.node_proba[nodes], None

    def in_words(
        self, nodes: Array, case: Array, shares: Array, weights: Array | None, c: int, p: float
    ) -> str:
        """Return a sentence that explains the probability p of class c."""
        start, name = f'Estimate "{self.name}"', self.tree.class_name(c)
        if formula := self.formula(nodes[-1], c):
            return f"{start}: P({name}) = {formula} = {shares[-1, c]:.3f}."
        steps = ", ".join(f"{share:.3f}" for share in shares[:, c])
        return f"{start}: P({name}) from the root down is {steps}."

    def formula(self, node: int, c: int) -> str:
        """Return the estimate of class c at a node as a formula in numbers, empty if none."""
        return ""


def importances(tree: Tree, A: int, impurity: Callable = entropy) -> np.ndarray:
    """Return each attribute's share (A,) in the gain of all tests of a tree; 0 without a test.

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
    """Return the names of the estimates that need at most "counts", "tables" or "cases"."""
    return [name for name, kind in ESTIMATES.items() if kind.needs in needs]


def make_estimate(
    name: str, params: dict | None = None, kinds: dict[str, type[Estimate]] = ESTIMATES
) -> Estimate:
    """Make one of these kinds by name and parameters; TypeError or ValueError for unknown ones."""
    params = {} if params is None else params
    if not isinstance(params, dict):
        raise TypeError(f"estimate_params must be a dict such as {{'m': 2}}, not {params!r}")
    kind = kinds[name]
    known = [each.name for each in fields(kind)]
    if unknown := [given for given in params if given not in known]:
        has = f"only {', '.join(map(repr, known))}" if known else "none"
        raise ValueError(f"estimate {name!r} has no parameter {unknown[0]!r}: {has}")
    made = kind(**params)
    made.name = name
    return made
